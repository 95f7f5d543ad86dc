//! The awkward repositories of tests/cases: each script makes a state, each test here says what the
//! tool makes of it.

mod agents;
mod checks;
mod content;
mod fingerprint;
mod gates;
mod history;
mod hooks;
mod notes;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{Json, Proof, World, plans};

/// Returns the folder of the scripts.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")
}

/// Makes the state of a script in a world of its own.
#[track_caller]
fn made(case: &str) -> World {
    let world = World::empty(Proof::Ssh);
    let script = folder().join(case).with_extension("sh");
    let place = world.temp_path();
    world.tool("bash", [script.as_os_str(), place.as_os_str()]);
    world
}

/// Runs shell lines at the top; they must succeed.
#[track_caller]
fn sh(world: &World, lines: &str) -> String {
    world.tool("sh", ["-euc", lines]).stdout
}

/// Seals and commits a plan of one step with these checks.
#[track_caller]
fn plan(world: &World, checks: &Value) {
    world.init();
    world.with_plan(&plans::of_checks(checks));
    world.seal();
    world.git(["commit", "-qm", "Plan", "--", ".plan-auditor"]);
}

/// Seals and commits a plan of one step that runs a script of the repository by sh.
#[track_caller]
fn plan_of(world: &World, script: &str, timeout: u32) {
    plan(
        world,
        &json!([{ "type": "run", "argv": ["sh", script], "timeout": timeout }]),
    );
}

/// Takes the state, which must be possible.
#[track_caller]
fn state(world: &World) -> Json {
    world.json(["fingerprint"]).is("OK", 0)
}

/// What a flag says of so many paths, all of them shown.
fn noted<const N: usize>(paths: [&str; N]) -> Value {
    json!({ "count": N, "paths": paths.as_slice() })
}

/// Asks git for the tree of all tracked files as they are on disk, from an index of its own.
#[track_caller]
fn tree_on_disk(world: &World) -> String {
    let lines =
        "cp .git/index ../scratch; export GIT_INDEX_FILE=../scratch; git add -u; git write-tree";
    sh(world, lines).trim().to_owned()
}

/// Returns the messages of the findings with a code, one after the other.
fn messages(json: &Json, code: &str) -> String {
    let found = json
        .list("/findings")
        .iter()
        .filter(|each| each["code"] == code);
    found
        .filter_map(|each| each["message"].as_str())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn every_script_is_run_by_a_test() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cases");
    let tests: String = fs::read_dir(here)
        .unwrap()
        .map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap())
        .collect();
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_case = name.starts_with("C-");
        let case = name.trim_end_matches(".sh");
        assert!(!is_case || tests.contains(&format!("\"{case}\"")), "{case}");
    }
}
