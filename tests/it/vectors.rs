//! Vectors, fed to the binary as plans and as evidence: it answers with an exit code of the table and
//! never stops by surprise. Plans are all tried, lines of evidence by every second one, the others and
//! further commands by one in eight; `PLAN_AUDIT_VECTORS=all` tries everything.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Ran, World};

/// Lists the files below a folder, in order.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let into = if path.is_dir() {
                &mut folders
            } else {
                &mut found
            };
            into.push(path);
        }
    }
    found.sort();
    found
}

/// How many vectors stand for each that is tried beside those that are always.
const ONE_IN: usize = 8;

/// Says whether the vector of a number is tried where not all are.
fn is_drawn(number: usize) -> bool {
    number.is_multiple_of(ONE_IN) || env::var_os("PLAN_AUDIT_VECTORS").is_some()
}

/// Says whether a vector is one of a folder of vectors.
fn is_of(vector: &Path, folder: &str) -> bool {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    vector.starts_with(vectors.join(folder))
}

/// Demands an orderly answer.
#[track_caller]
fn is_orderly(ran: &Ran, vector: &Path) {
    let known = [0, 1, 2, 3, 129].contains(&ran.code);
    assert!(
        known && !ran.stderr.contains("panicked"),
        "{}\n{ran}",
        vector.display()
    );
}

#[test]
fn a_vector_as_a_plan_gets_an_orderly_answer() {
    let world = World::new();
    world.init();
    let vectors = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"));
    assert!(!vectors.is_empty());

    for (number, vector) in vectors.iter().enumerate() {
        if !is_of(vector, "plan") && !is_drawn(number) {
            continue;
        }
        world.write(".plan-auditor/plan.json", fs::read(vector).unwrap());
        is_orderly(&world.run(["audit"]), vector);
        if !is_drawn(number) {
            continue;
        }
        world.git(["add", "-A"]);
        for command in ["validate", "status", "audit"] {
            is_orderly(&world.run([command]), vector);
            is_orderly(&world.run([command, "--format", "json"]), vector);
        }
    }
}

#[test]
fn a_vector_as_evidence_gets_an_orderly_answer_and_proves_nothing() {
    let world = World::sealed();
    world.git(["commit", "-qm", "Bad work"]);
    let before = world.rev("refs/notes/plan-audit");

    let vectors = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors"));
    for (number, vector) in vectors.iter().enumerate() {
        let is_evidence = is_of(vector, "record") && number.is_multiple_of(2);
        if !is_evidence && !is_drawn(number) {
            continue;
        }
        let blob = world
            .git([
                "hash-object",
                "-w",
                "--no-filters",
                vector.to_str().unwrap(),
            ])
            .trimmed();
        world.hang(&blob, "HEAD");
        let commands = ["verify", "log", "status"];
        let count = if is_drawn(number) { 3 } else { 1 };
        for command in &commands[..count] {
            let ran = world.run([*command]);
            is_orderly(&ran, vector);
            assert!(
                *command != "verify" || ran.code != 0,
                "{}\n{ran}",
                vector.display()
            );
        }
        world.git(["update-ref", "refs/notes/plan-audit", &before]);
    }
}

#[test]
fn vectors_that_are_named_refused_are_refused_as_plans_and_valid_ones_are_not() {
    let world = World::new();
    world.init();
    for vector in files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/plan")) {
        let name = vector.file_name().unwrap().to_str().unwrap().to_owned();
        world.write(".plan-auditor/plan.json", fs::read(&vector).unwrap());

        let ran = world.run(["validate"]);

        let wanted = [("valid-", 0), ("refused-", 2)]
            .into_iter()
            .find(|(start, _)| name.starts_with(start));
        if let Some((_, code)) = wanted {
            assert_eq!(ran.code, code, "{name}\n{ran}");
        }
    }
}
