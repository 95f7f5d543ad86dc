//! What `seal` asks of claims, where the work began.

use serde_json::json;

use super::{claiming, exists, world};
use crate::support::World;

#[test]
fn a_plan_that_is_blocked_is_not_sealed() {
    let world = world(json!([exists("C1", "high", "src/none.rs")]));

    let json = world.json(["seal"]).is("REFUSED", 2);

    assert_eq!(json.codes(), ["claims-refuse-seal"]);
    world.with_plan(&claiming(json!([exists("C1", "high", "src/a.rs")])));
    world.seal();
}

#[test]
fn a_seal_records_what_its_claims_gave() {
    let world = world(json!([exists("C1", "high", "src/a.rs")]));

    world.seal();

    world.run(["log"]).exits(0).says("claims").says("seal");
    let record = world.record("claims");
    let id = crate::support::Parts::of(&record.text).id().to_owned();
    world.json(["preflight", "--verify", &id]).is("PASS", 0);
}

#[test]
fn claims_are_tested_where_the_work_began() {
    let world = World::new();
    world.init();
    world.with_remote();
    world.git(["checkout", "-q", "-b", "topic"]);
    world.commit("src/new.rs", "x");
    let absent = json!([{
        "id": "C1", "type": "path_absent", "criticality": "critical", "expect": true, "path": "src/new.rs",
    }]);
    world.with_plan(&claiming(absent));

    // HEAD has the file, the fork point has not.
    world.json(["preflight"]).is("FAIL", 1);
    world.seal();
}

#[test]
fn a_seal_that_continues_another_tests_only_what_is_new() {
    let world = world(json!([exists("C1", "high", "src/a.rs")]));
    world.seal();
    world.git(["rm", "-q", "-f", "src/a.rs"]);
    world.git(["commit", "-qm", "Carry it out"]);
    let more = |path: &str| json!([exists("C1", "high", "src/a.rs"), exists("C2", "high", path)]);

    world.with_plan(&claiming(more("src/none.rs")));
    world.json(["seal"]).is("REFUSED", 2);
    world.with_plan(&claiming(more("sub/deep/start.txt")));
    let json = world.json(["seal"]).is("OK", 0);

    assert_eq!(json.text("/changes/0/class"), "strengthening");
}

#[test]
fn a_claim_on_which_more_rests_is_tested_again() {
    let claiming_as =
        |criticality: &str| claiming(json!([exists("C1", criticality, "src/none.rs")]));
    let world = world(json!([exists("C1", "low", "src/none.rs")]));
    world.seal();

    world.with_plan(&claiming_as("critical"));
    let json = world.json(["seal"]).is("REFUSED", 2);

    assert_eq!(json.codes(), ["claims-refuse-seal"]);
    world.with_plan(&claiming_as("medium"));
    world.seal();
}

#[test]
fn fewer_claims_or_other_ones_are_a_weakening() {
    let world = world(json!([exists("C1", "high", "src/a.rs")]));
    world.seal();
    for claims in [
        json!([]),
        json!([exists("C1", "medium", "src/a.rs")]),
        json!([exists("C1", "high", "sub")]),
    ] {
        world.with_plan(&claiming(claims));
        let json = world.json(["seal"]).is("REFUSED", 2);
        assert_eq!(json.codes(), ["weakened"], "{}", json.ran);
    }
    world.with_plan(&claiming(json!([exists("C1", "critical", "src/a.rs")])));
    world.seal();
}

#[test]
fn without_a_commit_claims_cannot_be_tested() {
    let world = World::with(crate::support::Layout::Unborn, crate::support::Proof::Ssh);
    world.init();
    world.with_plan(&claiming(json!([exists("C1", "high", "a")])));

    let json = world.json(["seal"]).is("REFUSED", 2);

    assert_eq!(json.codes(), ["claims-no-commit"]);
}
