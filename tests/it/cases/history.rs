//! Commits that git makes anew, and remotes that have other notes or want none.

use serde_json::json;

use super::{made, plan, sh};
use crate::support::World;

/// Seals and commits a plan that always passes, and measures it against `main`.
fn planned(world: &World) {
    world.git(["config", "--global", "planAudit.base", "main"]);
    plan(world, &json!([{ "type": "run", "argv": ["true"] }]));
}

/// Lists the subjects of the commits that `status` calls unproven.
fn unproven(world: &World) -> Vec<String> {
    let json = world.json(["status"]).is("OK", 0);
    let subjects = json.list("/unproven").iter();
    subjects
        .map(|commit| commit["subject"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn replayed_commits_are_named_and_a_push_of_them_is_refused() {
    let world = made("C-020-rebase-and-cherry-pick");
    planned(&world);
    world.json(["audit"]).is("PASS", 0);
    world.commit("t.txt", "1");
    world.json(["audit"]).is("PASS", 0);
    assert!(unproven(&world).is_empty());

    world.git(["rebase", "-q", "main"]);

    assert_eq!(unproven(&world), ["Change t.txt", "Plan"]);
    world.json(["verify", "main..HEAD", "--each"]).is("FAIL", 1);
    sh(
        &world,
        "git switch -q main && git cherry-pick topic~1 topic >/dev/null",
    );
    world.json(["verify", "HEAD"]).is("FAIL", 1);
}

#[test]
fn a_merge_commit_is_named_until_somebody_audits_it() {
    let world = made("C-021-merge-commit-hook");
    world.git(["switch", "-q", "topic"]);
    planned(&world);
    world.json(["audit"]).is("PASS", 0);
    sh(
        &world,
        "git switch -qc onto main && git merge -q --no-ff --no-edit topic",
    );

    assert_eq!(unproven(&world), ["Merge branch 'topic' into onto"]);
    world.json(["audit"]).is("PASS", 0);
    assert!(unproven(&world).is_empty());
}

#[test]
fn notes_from_nothing_on_both_sides_are_joined_and_none_is_lost() {
    let world = made("C-086-notes-diverged");
    let second = world.at(&world.temp_path().join("other"));

    second.json(["sync"]).is("OK", 0);

    let shown = sh(
        &second,
        "git -C ../remote.git notes --ref=plan-audit show main && \
         git -C ../remote.git notes --ref=plan-audit show main~1",
    );
    for line in [
        "shared of the first",
        "shared of the second",
        "second alone",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
    world.json(["sync"]).is("OK", 0);
    assert_eq!(
        world.rev("refs/notes/plan-audit"),
        second.rev("refs/notes/plan-audit")
    );
}

#[test]
fn a_server_that_declines_notes_is_quoted_and_the_evidence_stays() {
    let world = made("C-101-remote-denies-notes");
    world.init();
    let before = world.rev("refs/notes/plan-audit");

    let sync = world.json(["sync"]).is("UNKNOWN", 3);

    assert!(sync.codes().contains(&"remote-refused"), "{}", sync.ran);
    assert!(sync.ran.stdout.contains("denied by policy"), "{}", sync.ran);
    assert_eq!(world.rev("refs/notes/plan-audit"), before);
}
