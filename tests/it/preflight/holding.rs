//! Claims that hold on, and what an audit says of the others.

use serde_json::{Value, json};

use super::{claiming, exists, world};
use crate::support::World;

/// A claim that nobody touches a text, and that holds on.
fn holding() -> Value {
    json!({
        "id": "C1", "type": "text_present", "criticality": "low", "expect": true, "hold": true,
        "path": "src/a.rs", "literal": "fn refund",
    })
}

/// A world with a sealed plan whose claims are these, committed.
fn sealed(claims: Value) -> World {
    let world = world(claims);
    world.seal();
    world.commit("work.txt", "good\n");
    world
}

#[test]
fn a_claim_that_holds_on_is_part_of_every_verdict() {
    let world = sealed(json!([holding()]));
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);

    // What is staged is in no tree yet, and is tested all the same.
    world.write("src/a.rs", "fn reimburse() {}\n");
    world.git(["add", "-A"]);
    let audit = world.json(["audit"]).is("FAIL", 1);
    assert!(audit.codes().contains(&"claim-not-held"), "{}", audit.ran);
    world.git(["commit", "-qm", "Rename"]);

    let verdict = world.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(
        verdict.codes().contains(&"claim-not-held"),
        "{}",
        verdict.ran
    );
    world.json(["verify", "HEAD~1"]).is("PASS", 0);
    world.write("src/a.rs", "fn refund() {}\n");
    world.git(["commit", "-qam", "Back"]);
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn without_hold_an_audit_tells_and_no_verdict_changes() {
    let mut claim = holding();
    claim["hold"] = json!(false);
    let world = sealed(json!([claim, exists("C2", "high", "sub/deep/start.txt")]));
    world.commit("src/a.rs", "fn reimburse() {}\n");

    let audit = world.json(["audit"]).is("PASS", 0);

    assert!(audit.codes().contains(&"claims-no-longer"), "{}", audit.ran);
    world
        .run(["audit"])
        .exits(0)
        .says("claims that do not hold here: C1");
    let verdict = world.json(["verify", "HEAD"]).is("PASS", 0);
    assert!(
        !verdict.codes().contains(&"claims-no-longer"),
        "{}",
        verdict.ran
    );
}

#[test]
fn what_cannot_be_told_to_hold_is_unknown() {
    let world = sealed(json!([holding()]));
    world.commit("src/a.rs", "\u{0}fn refund\n");

    let audit = world.json(["audit"]).is("UNKNOWN", 3);

    assert!(audit.codes().contains(&"claim-hold-open"), "{}", audit.ran);
    world.json(["verify", "HEAD"]).is("UNKNOWN", 3);
}

#[test]
fn to_hold_no_longer_is_a_weakening_and_to_hold_on_is_more() {
    let mut loose = holding();
    loose["hold"] = json!(false);
    let world = sealed(json!([loose]));

    world.with_plan(&claiming(json!([holding()])));
    let more = world.json(["seal"]).is("OK", 0);
    assert_eq!(more.text("/changes/0/class"), "strengthening");
    let mut none = holding();
    none.as_object_mut().unwrap().remove("hold");
    world.with_plan(&claiming(json!([none])));

    assert_eq!(world.json(["seal"]).is("REFUSED", 2).codes(), ["weakened"]);
}
