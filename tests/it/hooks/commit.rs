//! `pre-commit` and `pre-merge-commit`.

use std::fs;

use serde_json::json;

use super::{git, hooked, last_of_ours, with_remote};
use crate::support::{Layout, Proof, Ran, World, finish, plans};

/// A plan with a further check: it asks for more.
fn stronger() -> serde_json::Value {
    plans::of_checks(&json!([
        { "type": "run", "argv": ["grep", "-qx", "good", "work.txt"] },
        { "type": "file_exists", "path": "work.txt" }
    ]))
}

#[test]
fn a_commit_may_hold_drafts_and_what_asks_for_more_and_nothing_that_asks_for_less() {
    let world = hooked(World::new());
    world.init();
    world.commit("unplanned.txt", "x");
    world.with_plan(&plans::good());
    git(&world, ["commit", "-qm", "Draft"]).exits(0);
    world.seal();
    world.commit("work.txt", "bad\n");

    world.with_plan(&stronger());
    git(&world, ["commit", "-qm", "Ask for more"])
        .exits(0)
        .says("edit-unsealed");
    world.with_plan(&plans::of_argv(&["true"]));
    let weaker = git(&world, ["commit", "-qm", "Ask for less"]).exits(1);
    assert!(
        last_of_ours(&weaker).starts_with("next: git plan-audit diff"),
        "{weaker}"
    );
    world.write(".plan-auditor/plan.json", "{");
    git(&world, ["commit", "-qam", "Write nonsense"]).exits(1);
    git(&world, ["rm", "-qf", ".plan-auditor/plan.json"]).exits(0);
    git(&world, ["commit", "-qm", "Take it away"])
        .exits(1)
        .says("plan-removed");
    let reason = ["seal", "--new-generation", "--reason", "It was too much"];
    world.with_plan(&plans::of_argv(&["true"]));
    world.run(reason).exits(0);
    git(&world, ["commit", "-qm", "Begin anew"]).exits(0);
}

#[test]
fn what_is_judged_is_the_index_that_will_be_committed() {
    for layout in [Layout::Main, Layout::Linked] {
        let world = hooked(World::with(layout, Proof::Ssh).prepared(&plans::good()));
        git(&world, ["commit", "-qm", "Sealed"]).exits(0);
        let weaker = plans::of_argv(&["true"]).to_string();
        let path = ".plan-auditor/plan.json";

        // On disk alone it is of no matter; `-a`, `-o` and a path put it into an index of their own.
        world.write(path, &weaker);
        world.write("other.txt", "x");
        git(&world, ["add", "other.txt"]).exits(0);
        git(&world, ["commit", "-qm", "Other"]).exits(0);
        for line in [
            ["commit", "-qam", "x", "-q"],
            ["commit", "-qm", "x", path],
            ["commit", "-oqm", "x", path],
            ["commit", "-iqm", "x", path],
        ] {
            git(&world, line).exits(1).says("error[weakened]");
        }
        // A patch of the index, and an index of the caller's own.
        let index = world.temp_path().join("index");
        let mut add = world.command("git", &world.top, ["read-tree", "HEAD"]);
        finish(add.env("GIT_INDEX_FILE", &index)).exits(0);
        let mut add = world.command("git", &world.top, ["add", path]);
        finish(add.env("GIT_INDEX_FILE", &index)).exits(0);
        let mut commit = world.command("git", &world.top, ["commit", "-qm", "x"]);
        finish(commit.env("GIT_INDEX_FILE", &index))
            .exits(1)
            .says("error[weakened]");

        assert_eq!(fs::read_to_string(world.top.join(path)).unwrap(), weaker);
        assert!(!git(&world, ["status", "--porcelain"]).stdout.contains("A "));
        git(&world, ["checkout", "-q", path]).exits(0);
        world.write("work.txt", "good\n");
        git(&world, ["commit", "-qam", "Good"]).exits(0);
    }
}

#[test]
fn a_merge_that_takes_a_sealed_plan_away_is_refused() {
    let world = hooked(World::sealed());
    git(&world, ["commit", "-qm", "Sealed"]).exits(0);
    git(&world, ["checkout", "-qb", "topic"]).exits(0);
    world.commit("a.txt", "a");
    git(&world, ["rm", "-q", ".plan-auditor/plan.json"]).exits(0);
    git(&world, ["commit", "-qnm", "Take it away"]).exits(0);
    git(&world, ["checkout", "-q", "main"]).exits(0);
    world.commit("b.txt", "b");

    let merge = git(&world, ["merge", "-q", "--no-edit", "topic"]).exits(1);

    merge.says("plan-removed").says("the commit is refused");
    git(&world, ["merge", "--abort"]).exits(0);
    git(&world, ["merge", "-q", "--no-edit", "topic~1"]).exits(0);
}

#[test]
fn a_commit_may_have_to_be_proven() {
    let world = hooked(World::sealed());
    git(&world, ["config", "planAudit.preCommit", "audit"]).exits(0);

    let bad = git(&world, ["commit", "-qm", "Bad"]).exits(1);
    assert!(bad.stderr.contains("the commit is refused"), "{bad}");
    world.write("work.txt", "good\n");
    let index = git(&world, ["ls-files", "-s"]).stdout;
    let unstaged = git(&world, ["commit", "-qm", "Staged is bad"]).exits(1);
    assert_eq!(git(&world, ["ls-files", "-s"]).stdout, index, "{unstaged}");
    git(&world, ["commit", "-qam", "Good"]).exits(0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
    let again = git(&world, ["commit", "-q", "--amend", "-m", "Say it better"]).exits(0);

    assert_eq!(again.stderr, "", "{again}");
    assert!(!world.top.join(".git/index.lock").exists());
}

#[test]
fn what_is_staged_is_proven_whatever_lies_on_disk() {
    let world = hooked(World::sealed());
    git(&world, ["config", "planAudit.preCommit", "audit"]).exits(0);
    world.write("work.txt", "good\n");
    git(&world, ["add", "work.txt"]).exits(0);

    // A part of the work is committed; more of it, and what nobody tracks, lies about.
    world.write("work.txt", "not yet\n");
    world.write("untracked.txt", "x");
    git(&world, ["commit", "-qm", "Part"])
        .exits(0)
        .says("private checkout");

    world.json(["verify", "HEAD"]).is("PASS", 0);
    // The other way round: what lies on disk is of no help to what is staged.
    git(&world, ["commit", "-qam", "Not yet"]).exits(1);
    git(&world, ["add", "work.txt"]).exits(0);
    world.write("work.txt", "good\n");
    git(&world, ["commit", "-qm", "Not yet"]).exits(1);
    // A file of its own in an index of its own: `-o` leaves the rest staged.
    git(&world, ["reset", "-q"]).exits(0);
    world.write("other.txt", "x");
    git(&world, ["add", "untracked.txt", "other.txt"]).exits(0);
    git(&world, ["commit", "-qom", "Other", "other.txt"]).exits(0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
    assert_eq!(
        git(&world, ["diff", "--cached", "--name-only"]).stdout,
        "untracked.txt\n"
    );
}

#[test]
fn every_refusal_ends_with_the_verdict_and_what_to_type_next() {
    let told = |ran: Ran, what: &str| {
        let lines: Vec<&str> = ran.stderr.lines().collect();
        let at = lines.iter().position(|line| line.starts_with("next: "));
        let at = at.unwrap_or_else(|| panic!("no next line\n{ran}"));
        assert_eq!(
            lines[at - 1],
            format!("plan-audit: FAIL the {what} is refused")
        );
        let rest = &lines[at + 1..];
        assert!(
            rest.iter()
                .all(|line| line.starts_with("error: failed to push")),
            "{ran}"
        );
    };
    let path = ".plan-auditor/plan.json";
    for script in [
        format!("echo '{{' >{path}; git add {path}"),
        format!("ln -sf ../work.txt {path}; git add {path}"),
        "git rm -rqf .plan-auditor; ln -s . .plan-auditor; git add .plan-auditor".to_owned(),
        "git config planAudit.preCommit nonsense".to_owned(),
        "git config planAudit.preCommit audit".to_owned(),
        "git config gitoxide.core.x y".to_owned(),
        "rm .git/plan-audit/instance; git config planAudit.preCommit audit".to_owned(),
    ] {
        let world = hooked(with_remote(World::sealed()));
        world.tool("sh", ["-ec", &script]);

        told(git(&world, ["commit", "-qam", "x"]).exits(1), "commit");

        git(&world, ["commit", "-qnam", "x"]).exits(0);
        told(
            git(&world, ["push", "-q", "origin", "main"]).exits(1),
            "push",
        );
    }
}

#[test]
fn only_who_owns_the_machine_can_loosen_the_gate() {
    let world = hooked(World::sealed());
    git(&world, ["commit", "-qm", "Sealed"]).exits(0);
    world.with_plan(&plans::of_argv(&["true"]));

    git(&world, ["config", "planAudit.preCommit", "off"]).exits(0);
    git(&world, ["commit", "-qm", "x"])
        .exits(1)
        .says("setting-ignored");
    git(&world, ["config", "planAudit.preCommit", "of"]).exits(0);
    git(&world, ["commit", "-qm", "x"])
        .exits(1)
        .says("settings-invalid");
    git(&world, ["config", "--unset", "planAudit.preCommit"]).exits(0);
    git(
        &world,
        ["-c", "planAudit.preCommit=off", "commit", "-qm", "x"],
    )
    .exits(0);
}

#[test]
fn where_no_plan_binds_nothing_is_said() {
    for layout in Layout::ALL {
        let world = hooked(World::with(layout, Proof::Ssh));
        world.write("file.txt", "x");
        git(&world, ["add", "file.txt"]).exits(0);

        let commit = git(&world, ["commit", "-qm", "Work"]).exits(0);

        assert_eq!(commit.stderr, "", "{layout:?}: {commit}");
    }
}
