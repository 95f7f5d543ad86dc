//! `validate`: every defect at once, each with its place.

use serde_json::json;

use crate::support::{World, plans};

#[test]
fn a_good_plan_is_said_to_be_good() {
    let world = World::new();
    world.with_plan(&plans::good());

    let json = world.json(["validate"]).is("OK", 0);

    assert_eq!(json.at("/plans/default/valid"), true);
}

#[test]
fn every_defect_is_named_with_its_place() {
    let world = World::new();
    let mut plan = plans::good();
    plan["steps"][0]["id"] = json!(true);
    plan["steps"][0]["titel"] = json!("typing error");
    plan["task"] = json!("");
    plan["created"] = json!("yesterday");
    world.with_plan(&plan);

    let json = world.json(["validate"]).is("REFUSED", 2);

    let findings = json.list("/findings");
    let paths: Vec<_> = findings
        .iter()
        .filter_map(|one| one["place"]["json_path"].as_str())
        .collect();
    for path in ["$.steps[0].id", "$.steps[0].titel", "$.task", "$.created"] {
        assert!(paths.contains(&path), "{path} is not in {paths:?}");
    }
}

#[test]
fn the_text_shows_file_line_and_code() {
    let world = World::new();
    world.write(".plan-auditor/plan.json", "{\n  \"task\": 1\n}\n");

    let ran = world.run(["validate"]).exits(2);

    ran.says("error[")
        .says("--> .plan-auditor/plan.json:2:11")
        .says("$.task");
}

#[test]
fn without_a_plan_there_is_nothing_to_validate() {
    World::new().json(["validate"]).is("REFUSED", 2);
}

#[test]
fn named_plans_are_read_and_can_be_chosen() {
    let world = World::new();
    world.with_plan(&plans::good());
    world.write(".plan-auditor/plans/other.json", "{}");

    world.json(["validate", "--plan", "default"]).is("OK", 0);
    world.json(["validate", "--plan", "other"]).is("REFUSED", 2);
    world.json(["validate"]).is("REFUSED", 2);
    world
        .json(["validate", "--plan", "absent"])
        .is("REFUSED", 2);
}

#[test]
fn a_plan_named_default_is_refused() {
    let world = World::new();
    world.with_plan(&plans::good());
    world.write(
        ".plan-auditor/plans/default.json",
        plans::good().to_string(),
    );

    world.json(["validate"]).is("REFUSED", 2);
}

#[test]
fn twenty_defects_give_twenty_findings() {
    let world = World::new();
    let steps: Vec<_> = (1..=20)
        .map(|id| json!({ "id": id, "title": "", "covers": ["R1"], "verify": [{ "type": "run", "argv": ["true"] }] }))
        .collect();
    let mut plan = plans::good();
    plan["steps"] = json!(steps);
    world.with_plan(&plan);

    let json = world.json(["validate"]).is("REFUSED", 2);

    assert_eq!(json.list("/findings").len(), 20, "{}", json.ran);
}

#[test]
fn nesting_without_end_is_refused_and_not_a_crash() {
    let world = World::new();
    for depth in [65, 1_000, 500_000] {
        world.write(".plan-auditor/plan.json", "[".repeat(depth));

        world.json(["validate"]).is("REFUSED", 2);
    }
}

#[test]
fn a_plan_that_is_too_large_is_refused() {
    let world = World::new();
    let mut text = plans::good().to_string();
    text.push_str(&" ".repeat(2_000_001 - text.len()));
    world.write(".plan-auditor/plan.json", &text);
    world.json(["validate"]).is("REFUSED", 2);

    world.write(".plan-auditor/plan.json", text.split_at(2_000_000).0);

    world.json(["validate"]).is("OK", 0);
}

#[test]
fn the_plan_of_the_readme_is_valid() {
    let readme = include_str!("../../../README.md");
    let (_, after) = readme.split_once("```json\n").unwrap();
    let (plan, _) = after.split_once("```").unwrap();
    let world = World::new();
    world.write(".plan-auditor/plan.json", plan);

    let json = world.json(["validate"]).is("OK", 0);

    assert_eq!(json.codes(), Vec::<&str>::new(), "{}", json.ran);
}
