//! Records of claims: made again from git, reused, and whatever was tampered with.

use serde_json::json;

use super::{exists, world};

#[test]
fn two_clones_make_the_same_evidence() {
    let world = world(json!([
        exists("C1", "high", "src/a.rs"),
        exists("C2", "low", "none")
    ]));
    world.git(["commit", "-qm", "Plan"]);
    world.with_remote();
    let other = world.cloned("other");

    let (here, there) = (world.json(["preflight"]), other.json(["preflight"]));

    for at in ["/plans/0/claims/0/evidence", "/plans/0/claims/1/evidence"] {
        assert_eq!(here.text(at), there.text(at));
    }
}

#[test]
fn what_rests_on_the_same_objects_is_reused() {
    let claim = json!({
        "id": "C1", "type": "text_present", "criticality": "high", "expect": true,
        "paths": ["src/**"], "literal": "refund",
    });
    let world = world(json!([claim]));
    world.json(["preflight"]).is("PASS", 0);
    world.commit("docs/x.md", "x");

    let reused = world.json(["preflight", "--reuse"]).is("PASS", 0);
    let anew = world.json(["preflight"]).is("PASS", 0);

    assert_eq!(reused.at("/plans/0/claims/0/reused"), true);
    assert_eq!(anew.at("/plans/0/claims/0/reused"), false);
    let id = "/plans/0/claims/0/evidence";
    assert_eq!(reused.text(id), anew.text(id));
    let record = reused.text("/plans/0/record").to_owned();
    world.json(["preflight", "--verify", &record]).is("PASS", 0);

    world.commit("src/b.rs", "x");
    let changed = world.json(["preflight", "--reuse"]).is("PASS", 0);
    assert_eq!(changed.at("/plans/0/claims/0/reused"), false);
}

#[test]
fn the_same_evidence_is_no_pass_of_the_gate() {
    let world = world(json!([exists("C1", "high", "none")]));
    let record = world.json(["preflight"]).is("FAIL", 1);
    let record = record.text("/plans/0/record").to_owned();

    let ran = world.run(["preflight", "--verify", &record]).exits(0);
    let ran = ran.says("SAME for commit").says("its gate is blocked");

    assert!(!ran.stdout.contains("PASS"), "{ran}");
}

#[test]
fn evidence_whose_commit_is_gone_cannot_be_made_again() {
    let world = world(json!([exists("C1", "high", "src/a.rs")]));
    world
        .json(["preflight", "--verify", "0123456789ab"])
        .is("REFUSED", 2);
    let json = world.json(["preflight"]).is("PASS", 0);
    let record = json.text("/plans/0/record").to_owned();
    let commit = world.rev("HEAD");
    world.git(["reset", "-q", "--soft", "HEAD~1"]);
    let (folder, file) = commit.split_at(2);
    let object = world.top.join(".git/objects").join(folder).join(file);
    std::fs::remove_file(object).unwrap();

    let json = world
        .json(["preflight", "--verify", &record])
        .is("UNKNOWN", 3);

    assert!(json.codes().contains(&"claims-not-here"), "{}", json.ran);
}

#[test]
fn fsck_looks_at_the_evidence_that_records_of_claims_name() {
    let world = world(json!([exists("C1", "high", "src/a.rs")]));
    let record = world.json(["preflight"]).is("PASS", 0);
    let record = record.text("/plans/0/record").to_owned();
    world.json(["fsck"]).is("OK", 0);
    let shown = world.json(["show", &record]);
    let evidence = shown.text("/record/body/evidence/blob").to_owned();

    world.git(["notes", "--ref=plan-audit", "remove", &evidence]);
    let loose = world.json(["fsck"]).is("OK", 0);
    assert!(
        loose.codes().contains(&"ledger-kept-loose"),
        "{}",
        loose.ran
    );
}
