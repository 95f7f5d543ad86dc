//! The evaluation set of tests/preflight: every case and its contrary, by the binary.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::claiming;
use crate::support::{Layout, Proof, World, finish};

/// The repositories.
const REPOSITORIES: [&str; 8] = [
    "rust", "python", "web", "go", "java", "c", "data", "awkward",
];

/// One case.
struct Case {
    name: String,
    is_false: bool,
    outcome: String,
    claim: Value,
}

fn folder(repository: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/preflight")
        .join(repository)
}

/// Makes a repository by its script.
fn made(repository: &str) -> World {
    let world = World::with(Layout::Unborn, Proof::Ssh);
    let script = fs::read_to_string(folder(repository).join("make.sh")).unwrap();
    finish(&mut world.command("sh", &world.top, ["-euc", &script])).exits(0);
    world
}

/// Reads the cases of a repository.
fn cases(repository: &str, world: &World) -> Vec<Case> {
    let table = fs::read_to_string(folder(repository).join("cases.tsv")).unwrap();
    let commit = |tag: &str| {
        let ran =
            finish(&mut world.command("git", &world.top, ["rev-parse", "-q", "--verify", tag]));
        ran.trimmed()
    };
    let (base, other) = (commit("base"), commit("other"));
    let case = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [name, kind, outcome, claim] = cells.as_slice() else {
            panic!("{line}")
        };
        let claim = claim.replace("{BASE}", &base).replace("{OTHER}", &other);
        Case {
            name: (*name).to_owned(),
            is_false: *kind == "false",
            outcome: (*outcome).to_owned(),
            claim: serde_json::from_str(&claim).unwrap(),
        }
    };
    table.lines().skip(1).map(case).collect()
}

/// Makes a claim of a case, or its contrary.
fn claim(case: &Case, expect: bool) -> Value {
    let mut claim = case.claim.clone();
    claim["id"] = json!(format!("{} {expect}", case.name));
    claim["criticality"] = json!("low");
    claim["expect"] = json!(expect);
    claim
}

/// Returns the outcome of each claim with its reason, by id.
fn outcomes(json: &crate::support::Json) -> BTreeMap<String, String> {
    let one = |claim: &Value| {
        let outcome = claim["outcome"].as_str().unwrap();
        let outcome = match claim["reason"].as_str() {
            Some(reason) => format!("{outcome} {reason}"),
            None => outcome.to_owned(),
        };
        (claim["ids"][0].as_str().unwrap().to_owned(), outcome)
    };
    json.list("/plans/0/claims").iter().map(one).collect()
}

/// What the contrary of a claim may give.
fn contrary(outcome: &str) -> &'static [&'static str] {
    match outcome {
        "VERIFIED" => &["DISPROVED"],
        // What is false because there is nothing to look at has no contrary that is verified.
        "DISPROVED" => &["VERIFIED", "INCONCLUSIVE COVERAGE_INCOMPLETE"],
        _ => &[],
    }
}

#[test]
fn no_false_claim_is_verified_and_every_planted_falsehood_is_found() {
    let (mut count, mut falsehoods, mut found_false, mut abstained) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for repository in REPOSITORIES {
        let world = made(repository);
        let cases = cases(repository, &world);
        let claims: Vec<Value> = cases
            .iter()
            .flat_map(|case| {
                // What people confirm has no contrary: that is another sentence.
                let contrary = (case.claim["type"] != "human").then(|| claim(case, false));
                std::iter::once(claim(case, true)).chain(contrary)
            })
            .collect();
        world.write("claims.json", json!(claims).to_string());

        let found = outcomes(&world.json(["preflight", "--claims", "claims.json"]));

        for case in &cases {
            count += 1;
            let one = &found[&format!("{} true", case.name)];
            let other = found.get(&format!("{} false", case.name)).unwrap_or(one);
            falsehoods += usize::from(case.is_false);
            found_false += usize::from(case.is_false && one == "DISPROVED");
            abstained += usize::from(one.starts_with("INCONCLUSIVE"));
            let allowed = contrary(one);
            let is_contrary = one == "HUMAN_REQUIRED"
                || allowed.contains(&other.as_str())
                || one == other && one.starts_with("INCONCLUSIVE")
                || one == "INCONCLUSIVE COVERAGE_INCOMPLETE" && other == "DISPROVED";
            if *one != case.outcome || !is_contrary {
                wrong.push(format!(
                    "{repository} {}: {one}, contrary {other}, expected {}",
                    case.name, case.outcome
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count >= 120, "{count} cases");
    assert_eq!(found_false, falsehoods, "of planted falsehoods");
    eprintln!("{count} cases, {falsehoods} falsehoods found, {abstained} abstentions");
}

#[test]
fn all_evidence_is_made_again_from_git() {
    for repository in REPOSITORIES {
        let world = made(repository);
        world.init();
        let cases = cases(repository, &world);
        let claims: Vec<Value> = cases.iter().map(|case| claim(case, true)).collect();
        world.with_plan(&claiming(json!(claims)));

        let json = world.json(["preflight"]);

        let record = json.text("/plans/0/record").to_owned();
        world.json(["preflight", "--verify", &record]).is("PASS", 0);
    }
}

#[test]
fn the_order_of_claims_changes_nothing() {
    let world = made("rust");
    let cases = cases("rust", &world);
    let mut claims: Vec<Value> = cases.iter().map(|case| claim(case, true)).collect();
    let run = |claims: &[Value]| {
        world.write("claims.json", json!(claims).to_string());
        outcomes(&world.json(["preflight", "--claims", "claims.json"]))
    };
    let forward = run(&claims);

    claims.reverse();

    assert_eq!(run(&claims), forward);
}
