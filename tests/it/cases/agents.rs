//! What agents do, by mistake or not.

use std::process::Stdio;

use serde_json::json;

use super::{made, messages, plan, plan_of, sh};
use crate::support::finish;

#[test]
fn what_a_message_claims_is_no_evidence() {
    let world = made("C-122-claims-done-failing");
    plan_of(&world, "checks/t.sh", 10);

    let audit = world.run(["audit"]).exits(1);
    let verdict = world.json(["verify", "HEAD"]).is("FAIL", 1);

    audit.says("checks/t.sh").says("7 of 4992 FAILED");
    assert!(verdict.codes().contains(&"audit-failed"), "{}", verdict.ran);
}

#[test]
fn a_tick_is_no_file() {
    let world = made("C-124-ticks-without-file");
    let checks = json!([
        { "type": "file_exists", "path": "src/outcomeTypes.ts" },
        { "type": "run", "argv": ["true"] }
    ]);
    plan(&world, &checks);

    let audit = world.json(["audit"]).is("FAIL", 1);

    assert!(
        messages(&audit, "check-failed").contains("src/outcomeTypes.ts"),
        "{}",
        audit.ran
    );
    world.json(["verify", "HEAD"]).is("FAIL", 1);
}

#[test]
fn evidence_of_commits_that_were_reset_away_proves_nothing_of_what_replaced_them() {
    let world = made("C-130-history-rewritten");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    for task in ["one", "two"] {
        world.commit("task.txt", task);
        world.json(["audit"]).is("PASS", 0);
    }
    let gone = world.rev("HEAD");

    sh(&world, "git reset -q --hard HEAD~2");
    world.commit("task.txt", "two again");

    world.json(["verify", "HEAD"]).is("FAIL", 1);
    world.json(["verify", &gone]).is("PASS", 0);
}

#[test]
fn an_edit_by_another_agent_during_the_audit_is_a_failure_that_names_it() {
    let world = made("C-132-parallel-edit-during-audit");
    plan_of(&world, "checks/slow.sh", 20);
    let mut other = world.command("sh", &world.top, ["../other-agent.sh"]);
    let mut other = other.stdout(Stdio::null()).spawn().unwrap();

    let audit = world.json(["audit"]);
    other.wait().unwrap();

    let audit = audit.is("FAIL", 1);
    let said = messages(&audit, "changed-during-audit");
    assert!(said.contains("a.txt"), "{said}");
    assert_eq!(audit.at("/plans/default/usable"), false);
    assert_ne!(world.json(["verify", "HEAD"]).ran.code, 0);
}

#[test]
fn evidence_that_is_copied_to_another_commit_proves_nothing() {
    let world = made("C-134-evidence-copied");
    plan(
        &world,
        &json!([{ "type": "run", "argv": ["test", "-e", "good.txt"] }]),
    );
    world.commit("good.txt", "x");
    world.json(["audit"]).is("PASS", 0);
    let good = world.rev("HEAD");
    world.git(["rm", "-q", "good.txt"]);
    world.git(["commit", "-qm", "Bad"]);

    world.git(["notes", "--ref=plan-audit", "copy", "-f", &good, "HEAD"]);

    let verdict = world.json(["verify", "main"]).is("FAIL", 1);
    assert!(verdict.codes().contains(&"no-evidence"), "{}", verdict.ran);
    verdict.ran.says("another object");
    world.json(["verify", &good]).is("PASS", 0);
}

#[test]
fn a_seal_is_found_after_everything_ignored_and_every_other_work_tree_is_gone() {
    let world = made("C-135-state-dir-deleted");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    let linked = world.linked("side2");
    linked.json(["audit"]).is("PASS", 0);

    world.git(["clean", "-fdxq"]);
    world.git([
        "worktree",
        "remove",
        "--force",
        linked.top.to_str().unwrap(),
    ]);
    world.git([
        "worktree",
        "add",
        "-q",
        linked.top.to_str().unwrap(),
        "side2",
    ]);

    for place in [&world, &linked] {
        place.json(["audit"]).is("PASS", 0);
        place.json(["verify", "HEAD"]).is("PASS", 0);
    }
}

#[test]
fn a_ledger_that_was_deleted_is_put_back_before_anything_is_judged() {
    let world = made("C-135-state-dir-deleted");
    let marker = world.temp_path().join("marker");
    plan(
        &world,
        &json!([{ "type": "run", "argv": ["touch", marker] }]),
    );
    world.git(["update-ref", "-d", "refs/notes/plan-audit"]);

    let ran = finish(&mut world.ours(["audit"]));

    ran.exits(0).says("restored");
    assert!(marker.exists());
}
