//! The recipes of contrib/ci, run with the variables of the services that they are for.

use std::fs;
use std::path::Path;

use crate::support::{Key, Ran, World, finish, need, plans};

/// A clone with `main` at the server, and a branch `topic` with work.
fn world(is_proven: bool) -> World {
    let world = World::new();
    Key::make(&world, "ada").listed(&world);
    world.with_remote();
    world.run(["init", "--no-hooks"]).exits(0);
    world.git(["config", "planAudit.remote", "origin"]);
    world.git(["checkout", "-qb", "topic"]);
    world.with_plan(&plans::good());
    world.write("work.txt", if is_proven { "good\n" } else { "bad\n" });
    world.git(["add", "-A"]);
    world.seal();
    world.run(["audit"]);
    world.git(["commit", "-qm", "Work"]);
    world.git(["push", "-q", "origin", "topic"]);
    world.run(["sync"]).exits(0);
    world
}

/// Runs `contrib/ci/verify` in a fresh clone that has checked out what is judged.
fn verified(world: &World, variables: &[(&str, &str)], line: &[&str]) -> (Ran, World) {
    let name = format!("ci-{}", fs::read_dir(world.temp_path()).unwrap().count());
    let clone = world.cloned(&name);
    clone.git(["checkout", "-q", &world.rev("topic")]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("contrib/ci/verify");
    let mut command = clone.command(script.to_str().unwrap(), &clone.top, line);
    command.envs(variables.iter().copied());
    (finish(&mut command), clone)
}

#[test]
fn a_pull_request_is_judged_against_its_target() {
    if !need("python3") {
        return;
    }
    for (is_proven, code, word, element) in [
        (
            true,
            0,
            "PASS",
            "<testcase classname=\"plan-audit.default\"",
        ),
        (false, 1, "FAIL", "<failure message=\"FAIL\""),
    ] {
        let world = world(is_proven);
        let head = world.rev("topic");
        let summary = world.temp_path().join("summary.md");
        let github = [
            ("GITHUB_ACTIONS", "true"),
            ("GITHUB_BASE_REF", "main"),
            ("GITHUB_STEP_SUMMARY", summary.to_str().unwrap()),
            ("PLAN_AUDIT_HEAD", head.as_str()),
        ];

        let (ran, clone) = verified(&world, &github, &[]);

        let ran = ran.exits(code);
        let text = fs::read_to_string(&summary).unwrap();
        assert!(
            text.starts_with(&format!("## git plan-audit: {word}\n")),
            "{text}"
        );
        let junit = fs::read_to_string(clone.top.join("plan-audit.xml")).unwrap();
        assert!(junit.contains(element), "{junit}");
        assert_eq!(
            ran.stdout.contains("::error title=plan-audit "),
            !is_proven,
            "{ran}"
        );
        let gitlab = [
            ("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main"),
            ("CI_COMMIT_SHA", head.as_str()),
        ];
        verified(&world, &gitlab, &[]).0.exits(code).says(word);
    }
}

#[test]
fn a_push_is_judged_from_what_was_there() {
    if !need("python3") {
        return;
    }
    let world = world(true);
    let (old, new) = (world.rev("main"), world.rev("topic"));
    let zeros = "0".repeat(40);

    let push = [
        ("PLAN_AUDIT_BEFORE", old.as_str()),
        ("PLAN_AUDIT_HEAD", &new),
    ];
    verified(&world, &push, &[]).0.exits(0).says("PASS");
    let first = [
        ("PLAN_AUDIT_BEFORE", zeros.as_str()),
        ("PLAN_AUDIT_HEAD", &new),
    ];
    verified(&world, &first, &[]).0.exits(0).says("PASS");
    let none = [("PLAN_AUDIT_HEAD", old.as_str())];
    verified(&world, &none, &[]).0.exits(0).says("NO_PLAN");
    let demanded = [
        ("PLAN_AUDIT_HEAD", old.as_str()),
        ("PLAN_AUDIT_REQUIRE_PLAN", "1"),
    ];
    verified(&world, &demanded, &[]).0.exits(3).says("NO_PLAN");
    verified(&world, &[], &["nonsense"])
        .0
        .exits(2)
        .says("REFUSED");
}

#[test]
fn without_evidence_nothing_passes() {
    if !need("python3") {
        return;
    }
    let world = world(true);
    world.git(["push", "-q", "origin", ":refs/notes/plan-audit"]);
    let head = world.rev("topic");

    let (ran, clone) = verified(
        &world,
        &[("GITHUB_BASE_REF", "main"), ("PLAN_AUDIT_HEAD", &head)],
        &[],
    );

    ran.exits(3).says("UNKNOWN");
    let junit = fs::read_to_string(clone.top.join("plan-audit.xml")).unwrap();
    assert!(junit.contains("<error message=\"UNKNOWN\""), "{junit}");
}

#[test]
fn hostile_texts_stay_within_their_place() {
    if !need("python3") {
        return;
    }
    let world = World::new();
    let finding = r#"{"code":"c|<b>","severity":"error","effect":"FAIL","message":"a\n::error::x \u0001]]> | `y` <script>","hint":"h"}"#;
    let all = [finding; 12].join(",");
    let said = format!(r#"{{"outcome":"FAIL","exit":1,"commits":[],"findings":[{all}]}}"#);
    world.write("said.json", said);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("contrib/ci/report.py");
    let line = [script.to_str().unwrap(), "said.json", "out.xml"];
    let mut command = world.command("python3", &world.top, line);

    let ran = finish(command.env("GITHUB_ACTIONS", "1")).exits(0);

    let lines = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("::error"));
    assert_eq!(lines.count(), 9, "{ran}");
    assert!(
        !ran.stdout.contains("<script>\n") && ran.stdout.contains("and 3 more"),
        "{ran}"
    );
    world.tool(
        "python3",
        ["-c", "import xml.dom.minidom as x; x.parse('out.xml')"],
    );
}

#[test]
fn the_hooks_of_pre_commit_call_what_is_there() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(top.join(".pre-commit-hooks.yaml")).unwrap();
    let lefthook = fs::read_to_string(top.join("contrib/managers/lefthook.yml")).unwrap();
    let world = World::new();

    let entries = text.lines().chain(lefthook.lines());
    let entries = entries.filter_map(|line| line.trim().split_once(": git plan-audit hook "));
    let names: Vec<&str> = entries
        .map(|(_, rest)| rest.split(' ').next().unwrap())
        .collect();

    assert_eq!(names.len(), 6);
    for name in names {
        world.run(["hook", name, "-h"]).exits(0);
    }
}
