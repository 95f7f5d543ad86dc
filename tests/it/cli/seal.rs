//! `seal`: what binds a contract, and what may not be sealed.

use serde_json::json;

use crate::support::{World, plans};

#[test]
fn a_seal_names_contract_and_record() {
    let world = World::new();
    world.init();
    world.with_plan(&plans::good());

    let json = world.seal();

    assert_eq!(json.text("/plan"), "default");
    let line = world.record("seal").text;
    assert!(
        line.contains(json.text("/contract")) && line.contains(json.text("/record")),
        "{line}"
    );
}

#[test]
fn what_is_sealed_is_not_sealed_again() {
    let world = World::sealed();
    let lines = world.lines().len();

    let json = world.json(["seal"]).is("OK", 0);

    assert_eq!(json.at("/already"), true);
    assert_eq!(world.lines().len(), lines);
}

#[test]
fn another_contract_of_the_lineage_is_refused() {
    let world = World::sealed();
    world.with_plan(&plans::of_argv(&["true"]));

    world.json(["seal"]).is("REFUSED", 2);
}

#[test]
fn spelling_and_status_are_no_change() {
    let world = World::sealed();
    let mut plan = plans::good();
    plan["steps"][0]["status"] = json!("verified");
    plan["id"] = json!("label");
    plan["x-note"] = json!({ "any": 1 });
    world.write(
        ".plan-auditor/plan.json",
        serde_json::to_string_pretty(&plan).unwrap(),
    );

    let json = world.json(["seal"]).is("OK", 0);

    assert_eq!(json.at("/already"), true);
}

#[test]
fn an_invalid_plan_is_refused() {
    let world = World::new();
    world.init();
    world.write(".plan-auditor/plan.json", "{}");

    world.json(["seal"]).is("REFUSED", 2);

    assert!(
        world
            .lines()
            .iter()
            .all(|line| !line.text.contains("\"kind\":\"seal\""))
    );
}

#[test]
fn a_plan_that_git_ignores_is_refused() {
    let world = World::new();
    world.init();
    world.write(".gitignore", ".plan-auditor/\n");
    world.write(".plan-auditor/plan.json", plans::good().to_string());

    world.json(["seal"]).is("REFUSED", 2);
}

#[test]
fn without_a_plan_there_is_nothing_to_seal() {
    let world = World::new();
    world.init();

    world.json(["seal"]).is("REFUSED", 2);
}

#[test]
fn among_several_plans_the_default_is_meant_or_a_name_is_asked_for() {
    let world = World::new();
    world.init();
    world.write(".plan-auditor/plans/one.json", plans::good().to_string());
    world.write(".plan-auditor/plans/two.json", plans::good().to_string());

    world.run(["seal"]).exits(2).says("one").says("two");
    let json = world.json(["seal", "--plan", "two"]).is("OK", 0);

    assert_eq!(json.text("/plan"), "two");
}

#[test]
fn before_init_nothing_is_sealed() {
    let world = World::new();
    world.with_plan(&plans::good());

    world.run(["seal"]).exits(2).says("init");
}
