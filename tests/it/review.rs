//! `review`: what people are told who must decide, and what they decide.

mod decisions;
mod html;
mod markdown;

use serde_json::json;

use crate::support::{Layout, Proof, World, plans};

/// A world whose plan was weakened in a new generation, failed twice, and is proven now.
fn storied() -> World {
    let mut plan = plans::good();
    plan["pins"] = json!(["sub/**"]);
    plan["scope"] = json!(["work.txt"]);
    let world = World::new().prepared(&plan);
    world.run(["run"]).exits(1);
    world.run(["run"]).exits(1);
    plan["steps"][0]["verify"] =
        json!([{ "type": "run", "argv": ["grep", "-q", "good", "work.txt"] }]);
    world.with_plan(&plan);
    world
        .json(["seal", "--new-generation", "--reason", "the line has more"])
        .is("OK", 0);
    world.finished()
}

#[test]
fn a_person_is_told_all_that_a_verdict_rests_on() {
    let world = storied();

    let json = world.json(["review"]).is("OK", 0);

    assert_eq!(json.text("/commits/0/outcome"), "PASS");
    let plan = json.at("/commits/0/plans/default");
    for (pointer, expected) in [
        ("/outcome", json!("PASS")),
        ("/task", json!("Make work.txt good")),
        ("/seals/0/generation", json!(2)),
        ("/seals/0/reason", json!("the line has more")),
        ("/seals/1/generation", json!(1)),
        ("/changes", json!([])),
        (
            "/seals/0/changes/0/seal",
            plan["seals"][1]["record"].clone(),
        ),
        ("/seals/0/changes/0/changes/0/class", json!("weakening")),
        ("/requirements/0/steps", json!([1])),
        ("/steps/0/outcome", json!("PASS")),
        ("/steps/0/failed_attempts", json!(2)),
        ("/steps/0/results/0/checks/0/result", json!("passed")),
        ("/audits/0/place", json!("worktree")),
        ("/pins/files", json!(1)),
        ("/pins/drift", json!([])),
    ] {
        assert_eq!(plan.pointer(pointer), Some(&expected), "{pointer}");
    }
    for word in [
        "generation 2: the line has more",
        "weakening: step 1 verify",
        "R1 (must) work.txt says good",
        "step 1 Say good: ",
        "2 failed attempts",
        "grep -q good work.txt: exit code 0",
        "pins    sub/** (1 file frozen), untouched",
    ] {
        world.run(["review"]).exits(0).says(word);
    }
    let head = world.git(["rev-parse", "--short=7", "HEAD"]).trimmed();
    let text = world.run(["review"]).stdout;
    let last = format!("PASS for commit {head}\n");
    assert!(text.ends_with(&last), "{text}");
}

#[test]
fn what_is_not_proven_is_told_with_what_would_prove_it() {
    let world = storied();
    world.write("sub/deep/start.txt", "other\n");
    world.git(["commit", "-qam", "Drift"]);

    let json = world.json(["review"]).is("OK", 0);

    assert_eq!(json.text("/commits/0/outcome"), "FAIL");
    let plan = "/commits/0/plans/default";
    assert_eq!(json.list(&format!("{plan}/pins/drift")).len(), 1);
    assert_eq!(json.list(&format!("{plan}/audits")).len(), 0);
    assert!(
        json.value
            .pointer(&format!("{plan}/steps/0/outcome"))
            .is_none()
    );
    let codes = json.list("/commits/0/findings");
    let has = |code: &str| codes.iter().any(|finding| finding["code"] == code);
    assert!(has("pin-changed") && has("no-evidence"), "{}", json.ran);
    world
        .run(["review"])
        .exits(0)
        .says("step 1 Say good: not audited")
        .says("1 file not as sealed")
        .says("pinned sub/deep/start.txt");
}

#[test]
fn each_commit_of_a_range_is_told_in_a_bare_repository_too() {
    let world = World::proven();
    world.commit("note.txt", "more\n");
    let before = world.lines().len();

    for place in [&world, &world.bare()] {
        let json = place.json(["review", "HEAD^^..HEAD"]).is("OK", 0);
        let outcomes: Vec<&str> = json
            .list("/commits")
            .iter()
            .filter_map(|commit| commit["outcome"].as_str())
            .collect();
        let judged = |rev: &str| {
            place
                .json(["verify", rev])
                .text("/commits/0/outcome")
                .to_owned()
        };
        let expected = [judged("HEAD^"), judged("HEAD")];
        assert_eq!(outcomes, expected, "{}", json.ran);
    }
    assert_eq!(world.lines().len(), before);
    assert!(world.git(["status", "--porcelain"]).stdout.is_empty());
}

#[test]
fn one_plan_alone_is_told_where_it_is_named() {
    let world = World::with(Layout::Main, Proof::Hmac)
        .prepared(&plans::good())
        .finished();

    world.json(["review", "--plan", "default"]).is("OK", 0);

    let refused = world.json(["review", "--plan", "other"]).is("REFUSED", 2);
    assert_eq!(refused.codes(), ["unknown-plan"]);
}
