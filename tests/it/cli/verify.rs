//! `verify`: judges a commit from evidence alone.

use crate::support::{World, plans};

#[test]
fn a_proven_commit_names_its_evidence() {
    let world = World::proven();

    let json = world.json(["verify", "HEAD"]).is("PASS", 0);

    assert_eq!(json.text("/commits/0/commit"), world.rev("HEAD"));
    assert_eq!(json.text("/commits/0/tree"), world.rev("HEAD^{tree}"));
    let record = json.text("/commits/0/plans/default/evidence/0/record");
    assert!(world.record("audit").text.contains(record));
}

#[test]
fn without_a_revision_head_is_judged() {
    let world = World::proven();

    let json = world.json(["verify"]).is("PASS", 0);

    assert_eq!(json.text("/commits/0/commit"), world.rev("HEAD"));
}

#[test]
fn another_commit_with_the_same_tree_is_proven_too() {
    let world = World::proven();
    world.git(["checkout", "-q", "--orphan", "squashed"]);
    world.git(["commit", "-qm", "Squash"]);

    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_commit_without_a_plan_has_no_verdict_unless_that_is_allowed() {
    let world = World::new();

    world.json(["verify", "HEAD"]).is("NO_PLAN", 3);
    world
        .json(["verify", "HEAD", "--allow-no-plan"])
        .is("NO_PLAN", 0);
}

#[test]
fn a_draft_fails() {
    let world = World::new();
    world.init();
    world.with_plan(&plans::good());
    world.git(["commit", "-qm", "Plan"]);

    let json = world.json(["verify", "HEAD"]).is("FAIL", 1);

    assert!(json.codes().contains(&"draft"), "{}", json.ran);
}

#[test]
fn a_sealed_plan_without_evidence_fails() {
    let world = World::sealed();
    world.git(["commit", "-qm", "Plan"]);

    world.json(["verify", "HEAD"]).is("FAIL", 1);
}

#[test]
fn a_failed_audit_is_no_evidence_even_after_a_passed_one() {
    let world = World::new();
    let flaky = world.temp_path().join("flag");
    let argv = ["test", "!", "-e", flaky.to_str().unwrap()];
    let world = world.prepared(&plans::of_argv(&argv));
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Work"]);

    std::fs::write(&flaky, "").unwrap();
    world.json(["audit"]).is("FAIL", 1);

    world.json(["verify"]).is("FAIL", 1);
}

#[test]
fn what_is_no_revision_is_refused() {
    let world = World::proven();

    for revision in [
        "nonsense",
        "HEAD^{tree}:x",
        "-x",
        "0000000000000000000000000000000000000000",
    ] {
        let ran = world.run(["verify", "--", revision]);
        assert_eq!(ran.code, 2, "{ran}");
    }
}

#[test]
fn a_missing_ledger_beside_a_remote_is_unknown() {
    let world = World::proven();
    let clone = world.temp_path().join("clone");
    world.git([
        "clone",
        "-q",
        world.top.to_str().unwrap(),
        clone.to_str().unwrap(),
    ]);

    let json = world.at(&clone).json(["verify", "HEAD"]).is("UNKNOWN", 3);

    assert!(json.codes().contains(&"ledger-not-fetched"), "{}", json.ran);
}

#[test]
fn evidence_of_unlisted_keys_proves_nothing_in_a_clone() {
    let world = World::proven();

    world.bare().json(["verify", "HEAD"]).is("UNKNOWN", 3);
}
