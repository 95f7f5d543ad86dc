//! Hooks that were there before us, and pushes that have broken tools like this one.

use std::fs;

use serde_json::json;

use super::{made, plan, sh};
use crate::support::{Ran, World, finish};

/// Runs git at the top, however it ends.
fn git<const N: usize>(world: &World, line: [&str; N]) -> Ran {
    finish(&mut world.command("git", &world.top, line))
}

#[test]
fn a_place_of_hooks_that_is_somebody_elses_is_left_as_it_is() {
    for (case, word) in [
        ("C-001-hookspath-husky", "husky"),
        ("C-002-hookspath-global", "global"),
    ] {
        let world = made(case);
        let listed = "find .git/hooks .husky ../shared-hooks ../home -type f 2>/dev/null | grep -v plan-audit | \
                      xargs sha256sum 2>/dev/null | sort; true";
        let before = sh(&world, listed);

        let json = world.json(["init"]).is("FAIL", 1);

        json.ran.says(word).says("hook-by-hand");
        assert_eq!(sh(&world, listed), before, "{case}");
        world.json(["doctor"]).is("FAIL", 1);
    }
}

#[test]
fn a_hook_by_hand_runs_once_for_each_commit_and_comes_back_as_it_was() {
    let world = made("C-004-existing-hook-kept");
    let log = world.temp_path().join("user.log");
    fs::remove_file(&log).unwrap();

    world.json(["init"]).is("OK", 0);
    world.json(["init"]).is("OK", 0);
    git(&world, ["commit", "-q", "--allow-empty", "-m", "x"]).exits(0);
    world.json(["deinit"]).is("OK", 0);

    assert_eq!(fs::read_to_string(&log).unwrap(), "user\n");
    sh(
        &world,
        "sha256sum -c ../original.sha; test \"$(stat -c %a .git/hooks/pre-commit)\" = 750",
    );
}

#[test]
fn a_hook_that_finds_its_files_beside_itself_still_does() {
    let world = made("C-005-existing-hook-self-location");

    world.json(["init"]).is("OK", 0);
    git(&world, ["commit", "-q", "--allow-empty", "-m", "x"]).exits(0);

    let log = fs::read_to_string(world.temp_path().join("helper.log")).unwrap();
    assert_eq!(log.lines().count(), 2, "{log}");
}

#[test]
fn a_hook_that_is_a_link_is_never_written_through() {
    let world = made("C-006-existing-hook-symlink");

    world.json(["init"]).is("OK", 0);

    assert_eq!(world.git(["status", "--porcelain"]).stdout, "");
    world.json(["deinit"]).is("OK", 0);
    let link = fs::read_link(world.top.join(".git/hooks/pre-commit")).unwrap();
    assert_eq!(link.to_str().unwrap(), "../../scripts/hook.sh");
}

#[test]
fn a_pipe_that_never_ends_is_not_waited_for() {
    let world = made("C-008-prepush-manual-run-hang");
    let line = [
        "10",
        crate::support::BINARY,
        "hook",
        "pre-push",
        "origin",
        "url",
    ];
    let mut command = world.command("timeout", &world.top, line);
    let mut open = fs::OpenOptions::new();
    open.read(true).write(true);
    let pipe = open.open(world.temp_path().join("never.fifo")).unwrap();

    finish(command.stdin(pipe)).exits(0).says("push-unread");
}

#[test]
fn of_several_references_the_one_without_evidence_refuses() {
    let world = made("C-010-prepush-multi-ref-delete");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    world.run(["init"]).exits(0);
    sh(
        &world,
        "git checkout -q bad; git checkout -q good -- .plan-auditor; git commit -qm Plan; git checkout -q good",
    );

    let refused = git(
        &world,
        ["push", "-q", "origin", "good", "bad", "v1", ":gone"],
    )
    .exits(1);

    refused
        .says("FAIL refs/heads/bad")
        .says("PASS refs/heads/good");
    git(&world, ["push", "-q", "origin", "good", "v1", ":gone"]).exits(0);
}

#[test]
fn our_own_push_does_not_call_us_again() {
    let world = made("C-011-prepush-recursion");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    world.git(["config", "planAudit.remote", "origin"]);
    world.run(["init"]).exits(0);

    let line = ["60", "git", "push", "-q", "origin", "main"];
    let ran = finish(&mut world.command("timeout", &world.top, line)).exits(0);

    assert_eq!(
        ran.stderr.matches("publishing evidence").count(),
        1,
        "{ran}"
    );
    world.git([
        "ls-remote",
        "--exit-code",
        "origin",
        "refs/notes/plan-audit",
    ]);
}

#[test]
fn from_a_linked_work_tree_the_shared_hooks_are_written() {
    let world = made("C-014-worktree-dotgit-file");
    let linked = world.at(&world.temp_path().join("wt"));

    linked.json(["init"]).is("OK", 0);

    assert!(world.top.join(".git/hooks/pre-commit").is_file());
    linked.json(["doctor"]).is("OK", 0);
}

#[test]
fn the_lock_that_a_commit_holds_is_read_and_left() {
    let world = made("C-016-commit-all-index-lock");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    world.run(["init"]).exits(0);
    sh(
        &world,
        "echo again >a.txt; sed -i s/true/false/ .plan-auditor/plan.json",
    );

    git(&world, ["commit", "-qam", "x"])
        .exits(1)
        .says("error[weakened]");
    sh(
        &world,
        "git checkout -q .plan-auditor; test ! -e .git/index.lock",
    );
    git(&world, ["commit", "-qam", "x"]).exits(0);

    assert_eq!(world.git(["show", "HEAD:a.txt"]).stdout, "again\n");
}

#[test]
fn what_went_past_the_commit_hook_is_stopped_by_the_push_and_by_verify() {
    let world = made("C-022-no-verify");
    sh(
        &world,
        "git init -q --bare ../remote.git; git remote add origin ../remote.git",
    );
    plan(
        &world,
        &json!([{ "type": "run", "argv": ["test", "!", "-e", "sneaked"] }]),
    );
    world.run(["init"]).exits(0);
    sh(
        &world,
        "echo x >sneaked; git add sneaked; git commit -qnm 'sneaked past'",
    );

    git(&world, ["push", "-q", "origin", "topic"])
        .exits(1)
        .says("the push is refused");
    git(&world, ["push", "-q", "--no-verify", "origin", "topic"]).exits(0);

    assert_ne!(world.run(["verify", "main..topic"]).code, 0);
}

#[test]
fn a_hook_that_is_not_executable_is_found_out() {
    let world = made("C-025-hook-not-executable");
    sh(&world, "rm -f .git/hooks/pre-commit");
    world.json(["init"]).is("OK", 0);
    sh(&world, "chmod -x .git/hooks/pre-commit");

    world
        .json(["doctor"])
        .is("FAIL", 1)
        .ran
        .says("not executable");
}
