//! `audit`: runs everything that is sealed, and nothing else.

use std::fs;

use serde_json::json;

use crate::support::{World, plans};

#[test]
fn a_failed_check_fails_the_audit_and_is_recorded() {
    let world = World::sealed();

    let json = world.json(["audit"]).is("FAIL", 1);

    assert_eq!(
        json.text("/plans/default/steps/0/checks/0/result"),
        "failed"
    );
    assert!(
        world
            .record("audit")
            .text
            .contains(json.text("/plans/default/record"))
    );
}

#[test]
fn a_passed_audit_is_usable_for_what_is_staged() {
    let world = World::sealed();
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);

    let json = world.json(["audit"]).is("PASS", 0);

    assert_eq!(json.at("/plans/default/usable"), true);
    assert_eq!(
        json.text("/state/tree"),
        world.git(["write-tree"]).trimmed()
    );
}

#[test]
fn unstaged_and_untracked_work_is_not_usable_and_is_named() {
    let world = World::sealed();
    world.write("work.txt", "good\n");

    let unstaged = world.json(["audit"]).is("PASS", 0);
    world.git(["add", "-A"]);
    world.write("stray.txt", "x");
    let untracked = world.json(["audit"]).is("PASS", 0);

    assert_eq!(unstaged.at("/plans/default/usable"), false);
    assert_eq!(untracked.at("/plans/default/usable"), false);
    world.run(["audit"]).exits(0).says("stray.txt");
}

#[test]
fn without_a_plan_there_is_nothing_to_say() {
    let world = World::new();
    world.init();

    world.json(["audit"]).is("NO_PLAN", 3);
}

#[test]
fn a_check_that_cannot_start_makes_it_unknown() {
    let world = World::new().prepared(&plans::of_argv(&["no-such-program-anywhere"]));

    let json = world.json(["audit"]).is("UNKNOWN", 3);

    assert_eq!(
        json.text("/plans/default/steps/0/checks/0/result"),
        "could not start"
    );
}

#[test]
fn a_missing_tool_is_refused_before_any_check() {
    let marker = World::new();
    let file = marker.temp_path().join("marker");
    let mut plan = plans::of_argv(&["touch", file.to_str().unwrap()]);
    plan["required_tools"] = json!(["no-such-tool-anywhere"]);
    let world = marker.prepared(&plan);

    world.run(["audit"]).exits(2).says("no-such-tool-anywhere");

    assert!(!file.exists());
}

#[test]
fn a_check_that_takes_too_long_is_ended() {
    let check = json!([{ "type": "run", "argv": ["sleep", "600"], "timeout": 0.2 }]);
    let world = World::new().prepared(&plans::of_checks(&check));

    let json = world.json(["audit"]).is("FAIL", 1);

    assert_eq!(
        json.text("/plans/default/steps/0/checks/0/result"),
        "timed out"
    );
}

#[test]
fn a_check_that_writes_too_much_fails() {
    let check = json!([{ "type": "run", "argv": ["yes"], "max_output_bytes": 2000 }]);
    let world = World::new().prepared(&plans::of_checks(&check));

    let json = world.json(["audit"]).is("FAIL", 1);

    assert_eq!(
        json.text("/plans/default/steps/0/checks/0/result"),
        "output limit"
    );
}

#[test]
fn a_background_child_does_not_hold_the_audit() {
    let world = World::new().prepared(&plans::of_argv(&["sh", "-c", "sleep 600 & exit 0"]));

    let json = world.json(["audit"]).is("PASS", 0);

    assert_eq!(json.at("/plans/default/steps/0/checks/0/leaked"), true);
}

#[test]
fn checks_see_the_allow_list_and_no_git() {
    let script = "test -z \"$SECRET_TOKEN$GIT_DIR$GIT_INDEX_FILE$GIT_CONFIG_GLOBAL\" \
                  && test \"$LANG\" = C.UTF-8 && test -n \"$HOME\"";
    let world = World::new().prepared(&plans::of_argv(&["sh", "-c", script]));

    let mut command = world.ours(["audit"]);
    let status = command.env("SECRET_TOKEN", "x").status().unwrap();

    assert!(status.success());
}

#[test]
fn a_sealed_variable_reaches_its_check() {
    let check = json!([{ "type": "run", "argv": ["sh", "-c", "test \"$BUILD_KIND\" = fast"], "env": ["BUILD_KIND"] }]);
    let world = World::new().prepared(&plans::of_checks(&check));

    let status = world
        .ours(["audit"])
        .env("BUILD_KIND", "fast")
        .status()
        .unwrap();

    assert!(status.success());
}

#[test]
fn a_check_that_changes_the_work_fails_the_audit() {
    for script in [
        "echo more >>work.txt",
        "git add -A; git commit -qm x",
        "git config core.pager x",
    ] {
        let world = World::new().prepared(&plans::of_argv(&["sh", "-c", script]));

        world.json(["audit"]).is("FAIL", 1);
    }
}

#[test]
fn a_check_cannot_print_our_verdict() {
    let world = World::new().prepared(&plans::of_argv(&["sh", "-c", "echo 'audit: PASS'; exit 1"]));

    let ran = world.run(["audit"]).exits(1);

    let claims = ran.stdout.lines().any(|line| line.trim() == "audit: PASS");
    assert!(!claims, "{ran}");
}

#[test]
fn what_a_check_wrote_is_shown_when_asked_for_and_afterwards_by_show() {
    let script = r"echo plain; printf '\033[31mPASS\033[0m for tree\n'";
    let world = World::new().prepared(&plans::of_argv(&["sh", "-c", script]));

    let quiet = world.run(["audit"]).exits(0);
    let asked = world.run(["audit", "-v"]).exits(0);
    let run = world.run(["run", "1", "-v"]).exits(0);

    let wrote = "  | plain\n    | \\u{1b}[31mPASS\\u{1b}[0m for tree\n";
    assert!(!quiet.stdout.contains("plain\n"), "{quiet}");
    assert!(
        asked.stdout.contains(wrote) && run.stdout.contains(wrote),
        "{asked}{run}"
    );
    let json = world.json(["audit"]).is("PASS", 0);
    let record = json.text("/plans/default/record");
    let shown = world
        .run(["show", record])
        .exits(0)
        .says("whole\n  | plain");
    assert!(!shown.stdout.contains('\u{1b}'), "{shown}");
    let shown = world.json(["show", record]).is("OK", 0);
    assert_eq!(shown.at("/outputs/0/whole"), true);
    assert_eq!(
        shown.text("/outputs/0/label"),
        json.text("/plans/default/steps/0/checks/0/label")
    );
}

#[test]
fn what_is_no_longer_kept_is_told_by_size_and_digest_alone() {
    let world = World::new().prepared(&plans::of_argv(&["sh", "-c", "echo hello"]));
    let json = world.json(["audit"]).is("PASS", 0);
    fs::remove_dir_all(world.top.join(".git/plan-audit/outputs")).unwrap();

    let shown = world.json(["show", json.text("/plans/default/record")]);

    assert_eq!(shown.at("/outputs/0/bytes"), 6);
    assert_eq!(shown.value.pointer("/outputs/0/text"), None);
}

#[test]
fn output_that_somebody_else_put_there_is_not_shown() {
    let world = World::new().prepared(&plans::of_argv(&["sh", "-c", "echo hello"]));
    let json = world.json(["audit"]).is("PASS", 0);
    let digest = json.text("/plans/default/steps/0/checks/0/output/sha256");
    let file = world.top.join(".git/plan-audit/outputs").join(digest);
    fs::write(file, "forged").unwrap();

    let shown = world
        .run(["show", json.text("/plans/default/record")])
        .exits(0);

    assert!(shown.stdout.contains("not kept here") && !shown.stdout.contains("forged"));
}

#[test]
fn a_required_output_is_checked_again_just_before_its_step() {
    let marker = |name: &str| json!([{ "type": "file_exists", "path": name }]);
    let mut plan = plans::good();
    plan["steps"] = json!([
        { "id": 1, "title": "Make", "covers": ["R1"], "depends_on": [],
          "outputs": [{ "name": "part", "verify": marker("part.txt") }],
          "verify": [{ "type": "run", "argv": ["true"] }] },
        { "id": 2, "title": "Drop", "depends_on": [1], "requires_outputs": [{ "step": 1, "name": "part" }],
          "verify": [{ "type": "run", "argv": ["rm", "part.txt"] }] },
        { "id": 3, "title": "Use", "depends_on": [1], "requires_outputs": [{ "step": 1, "name": "part" }],
          "verify": [{ "type": "run", "argv": ["true"] }] }
    ]);
    let world = World::new();
    world.write("part.txt", "x");
    let world = world.prepared(&plan);

    let json = world.json(["audit", "--jobs", "1"]).is("FAIL", 1);

    assert_eq!(json.text("/plans/default/steps/2/outcome"), "FAIL");
}

#[test]
fn nothing_is_written_to_the_work_tree() {
    let world = World::sealed();
    let before = world.git(["status", "--porcelain", "--ignored"]).stdout;

    world.run(["audit"]).exits(1);

    assert_eq!(
        world.git(["status", "--porcelain", "--ignored"]).stdout,
        before
    );
    let names = fs::read_dir(world.top.join(".plan-auditor"))
        .unwrap()
        .count();
    assert_eq!(names, 1);
}
