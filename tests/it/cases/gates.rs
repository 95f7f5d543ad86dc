//! Hooks that are asked in places and at moments where others went wrong.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{made, messages, plan, plan_of, sh};
use crate::support::{Ran, World, finish};

/// Runs git at the top, however it ends.
fn git<const N: usize>(world: &World, line: [&str; N]) -> Ran {
    finish(&mut world.command("git", &world.top, line))
}

#[test]
fn a_check_that_commits_proves_nothing_of_what_is_pushed() {
    let world = made("C-012-prepush-commit-inside");
    let late = "echo x >again.txt; git add again.txt; git commit -qnm again";
    plan(
        &world,
        &json!([{ "type": "run", "argv": ["sh", "-c", late] }]),
    );
    world.run(["init"]).exits(0);
    let pushed = world.rev("HEAD");

    let refused = git(&world, ["push", "-q", "origin", "main"]).exits(1);

    refused.says("HEAD").says("the push is refused");
    let at_remote = world.git(["ls-remote", "origin", "main"]).stdout;
    assert!(!at_remote.contains(&pushed), "{at_remote}");
}

#[test]
fn a_check_works_in_its_own_repository_whatever_git_told_the_hook() {
    let made = made("C-015-env-git-index-leak");
    let world = made.at(&made.temp_path().join("wt"));
    plan(
        &world,
        &json!([{ "type": "run", "argv": ["checks/scratch.sh"] }]),
    );
    world.run(["init"]).exits(0);
    world.git(["config", "planAudit.preCommit", "audit"]);
    sh(&world, "echo change >>src/a.txt; git add src/a.txt");

    git(&world, ["commit", "-qm", "x"]).exits(0);

    let changed = world
        .git(["show", "--name-only", "--format=", "HEAD"])
        .stdout;
    assert_eq!(changed, "src/a.txt\n");
    assert_eq!(world.git(["status", "--porcelain"]).stdout, "");
}

#[test]
fn what_is_staged_in_part_is_judged_alone_and_what_is_on_disk_stays() {
    let world = made("C-018-partial-staging");
    let on_disk = fs::read(world.top.join("code.sh")).unwrap();
    plan_of(&world, "check.sh", 60);
    world.run(["init"]).exits(0);
    world.git(["config", "planAudit.preCommit", "audit"]);

    git(&world, ["commit", "-qm", "x"])
        .exits(1)
        .says("in a private checkout")
        .says("check-failed");

    assert_eq!(fs::read(world.top.join("code.sh")).unwrap(), on_disk);
    assert_eq!(
        world.git(["diff", "--cached", "--name-only"]).stdout,
        "code.sh\n"
    );
}

#[test]
fn a_commit_that_no_hook_saw_is_found_by_verify() {
    let world = made("C-024-plumbing-commit");
    plan(
        &world,
        &json!([{ "type": "run", "argv": ["test", "!", "-e", "c.txt"] }]),
    );
    world.run(["audit"]).exits(0);
    sh(
        &world,
        "echo c >c.txt; git add c.txt; git update-ref refs/heads/main \
         $(git commit-tree $(git write-tree) -p HEAD -m plumbing)",
    );

    world
        .json(["verify", "main~1..main"])
        .is("FAIL", 1)
        .ran
        .says("no-evidence");
}

/// Takes a mount away when the test ends.
struct Mounted(World);

impl Drop for Mounted {
    fn drop(&mut self) {
        let script = self.0.temp_path().join("cleanup.sh");
        let line = [script.as_os_str()];
        drop(finish(&mut self.0.command("sh", &self.0.home(), line)));
    }
}

#[test]
fn where_nothing_may_be_executed_the_gate_is_told_to_be_open() {
    let world = made("C-026-hook-noexec-mount");
    if world.temp_path().join("skipped").exists() {
        eprintln!("skipped: needs a mount");
        return;
    }
    let mounted = Mounted(world);
    let world = &mounted.0;
    fs::write(world.top.join("run.sh"), "#!/bin/sh\n").unwrap();
    sh(world, "chmod +x run.sh; git add run.sh; git commit -qm run");
    plan(world, &json!([{ "type": "run", "argv": ["./run.sh"] }]));
    world.run(["init"]);

    world.json(["doctor"]).is("FAIL", 1).ran.says("noexec");

    world.json(["audit"]).is("UNKNOWN", 3);
}

#[test]
fn a_hook_of_the_configuration_stays_and_ours_runs_once() {
    let world = made("C-028-config-based-hooks");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    let log = world.temp_path().join("config-hook");
    drop(fs::remove_file(&log));
    world.run(["init"]).exits(0);
    world.git(["config", "planAudit.preCommit", "audit"]);

    let ran = git(&world, ["commit", "--allow-empty", "-m", "x"]).exits(0);

    assert_eq!(ran.stderr.matches("step 1 passed").count(), 1, "{ran}");
    assert_eq!(
        world.git(["config", "hook.other.event"]).stdout,
        "pre-commit\n"
    );
    world.json(["doctor"]).is("OK", 0);
}

#[test]
fn no_hook_of_the_user_runs_while_we_work() {
    let world = made("C-030-global-hook-deadlock");
    let log = world.temp_path().join("nested.log");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    drop(fs::remove_file(&log));

    world.run(["audit"]).exits(0);
    world.run(["audit", "--commit", "HEAD"]).exits(0);
    world.run(["verify", "HEAD"]).exits(0);

    assert!(!log.exists(), "{:?}", fs::read_to_string(&log));
}

#[test]
fn a_slow_hook_says_all_the_time_that_it_lives() {
    let world = made("C-031-slow-hook-looks-hung");
    plan_of(&world, "checks/slow.sh", 60);
    world.run(["init"]).exits(0);
    world.git(["config", "planAudit.preCommit", "audit"]);
    let mut command = world.command("git", &world.top, ["commit", "-qm", "x"]);
    let mut child = command.stderr(Stdio::piped()).spawn().unwrap();

    let mut last = Instant::now();
    let mut gaps = Vec::new();
    for line in BufReader::new(child.stderr.take().unwrap()).lines() {
        line.unwrap();
        gaps.push(last.elapsed());
        last = Instant::now();
    }

    assert!(child.wait().unwrap().success());
    // Four seconds are meant; a machine that is busy takes longer, and a silent hook eleven.
    let longest = gaps.into_iter().max().unwrap();
    assert!(longest < Duration::from_secs(9), "{longest:?}");
    sh(&world, "git reset -q --soft HEAD~1");
    let began = Instant::now();
    let again = git(&world, ["commit", "-qm", "x"]).exits(0);
    assert!(
        began.elapsed() < Duration::from_secs(9) && !again.stderr.contains("step 1"),
        "{again}"
    );
}

#[test]
fn without_a_branch_all_works_and_none_is_recorded() {
    let world = made("C-032-hook-in-bare-and-detached");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    world.run(["init"]).exits(0);

    let json = world.json(["audit"]).is("PASS", 0);
    git(&world, ["commit", "-q", "--allow-empty", "-m", "x"]).exits(0);

    assert!(json.at("/state/branch").is_null());
    world.json(["verify", "HEAD"]).is("PASS", 0);
    assert_eq!(messages(&json, "settings-invalid"), "");
}
