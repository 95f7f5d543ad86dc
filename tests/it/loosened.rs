//! What somebody who can write to `.git` does to make a judgement milder.

use std::fs;

use super::support::{Key, World, plans};

#[test]
fn a_place_that_the_repository_asks_for_drops_no_failure() {
    let world = World::new();
    world.init();
    world.with_plan(&plans::of_argv(&["test", "-e", "ignored.txt"]));
    world.write(".gitignore", "ignored.txt\n");
    world.write("ignored.txt", "");
    world.git(["add", "-A"]);
    world.seal();
    world.git(["commit", "-qm", "Work"]);
    world.json(["audit"]).is("PASS", 0);
    world.json(["audit", "--checkout"]).is("FAIL", 1);

    world.git(["config", "planAudit.place", "worktree"]);

    world.json(["verify"]).is("FAIL", 1);
    world.git(["config", "--unset", "planAudit.place"]);
    world.git(["config", "--global", "planAudit.place", "worktree"]);
    world.json(["verify"]).is("PASS", 0);
}

#[test]
fn settings_at_a_trust_point_that_was_moved_are_not_believed() {
    let world = World::sealed();
    world.write(
        ".plan-auditor/supervisor.json",
        "{\"allow_flags\":[\"absent\"]}",
    );
    let world = world.finished();
    let blob = world.rev("HEAD:.plan-auditor/supervisor.json");

    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    world.commit("more.txt", "x\n");
    world.json(["audit"]);

    let json = world.json(["verify"]).is("UNKNOWN", 3);
    assert!(
        json.codes().contains(&"signers-not-accepted"),
        "{}",
        json.ran
    );
    world.init().says("settings at the trust point, accepted");
    world.json(["verify"]).is("PASS", 0);

    let (directory, file) = blob.split_at(2);
    let object = world.top.join(".git/objects").join(directory).join(file);
    fs::remove_file(object).unwrap();
    let json = world.json(["verify"]).is("UNKNOWN", 3);
    assert_eq!(json.codes(), ["history-missing"], "{}", json.ran);
}

#[test]
fn a_clone_never_forgets_what_it_sealed() {
    let world = World::proven();
    let instance = world.top.join(".git/plan-audit/instance");
    let kept = fs::read(&instance).unwrap();
    world.write(
        ".plan-auditor/plan.json",
        plans::of_argv(&["true"]).to_string(),
    );
    world.git(["commit", "-qa", "--amend", "-m", "Weaker"]);

    fs::remove_file(&instance).unwrap();
    let json = world.json(["verify"]);
    assert!(json.codes().contains(&"instance-gone"), "{}", json.ran);
    fs::write(&instance, kept).unwrap();
    let line = [
        "init",
        "--no-hooks",
        "--new-instance",
        "--reason",
        "tidy up",
    ];
    world.run(line).exits(0);

    world.run(["seal"]).exits(2).says("weakened");
    fs::remove_file(world.top.join(".plan-auditor/plan.json")).unwrap();
    world.git(["commit", "-qa", "--amend", "-m", "Removed"]);
    let json = world.json(["verify"]).is("FAIL", 1);
    assert!(json.codes().contains(&"plan-removed"), "{}", json.ran);
}

#[test]
fn a_plan_that_a_thrown_away_commit_closed_still_binds() {
    let world = World::sealed();
    world.write("work.txt", "not yet\n");
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "The plan"]);
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    world.git(["checkout", "-q", "--detach"]);
    world.commit("work.txt", "good\n");
    world.json(["audit"]).is("PASS", 0);
    world.json(["close"]).is("OK", 0);
    world.json(["verify"]).is("NO_PLAN", 3);

    // What was proven is in no commit of this branch.
    world.git(["checkout", "-q", "-b", "topic", "origin/main"]);
    world.commit("more.txt", "x\n");
    let json = world.json(["verify"]).is("FAIL", 1);
    assert!(json.codes().contains(&"close-elsewhere"), "{}", json.ran);
    world.write(
        ".plan-auditor/plan.json",
        plans::of_argv(&["true"]).to_string(),
    );
    world.run(["seal"]).exits(2).says("weakened");

    // It is where the proof is in the history, whatever came after it.
    world.git(["checkout", "-q", "--", "."]);
    world.commit("work.txt", "good\n");
    world.git(["rm", "-q", "more.txt"]);
    world.git(["commit", "-qm", "Less"]);
    world.json(["verify"]).is("NO_PLAN", 3);
    world.commit("later.txt", "x\n");
    let json = world.json(["verify"]).is("NO_PLAN", 3);
    assert!(!json.codes().contains(&"close-elsewhere"), "{}", json.ran);
}

#[test]
fn a_plan_whose_signer_was_taken_out_of_the_list_is_told() {
    let world = World::proven();
    let other = Key::make(&world, "other");
    world.write(".plan-auditor/allowed_signers", other.signers());
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Other people"]);
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    world.run(["init", "--no-hooks"]).exits(0);

    let json = world.json(["verify"]);

    assert!(json.codes().contains(&"draft-was-sealed"), "{}", json.ran);
}
