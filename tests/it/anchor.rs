//! What a clone knows of its own records: rollbacks are noticed, dropped lines are put back.

use crate::support::World;

/// The ledger.
const LEDGER: &str = "refs/notes/plan-audit";

#[test]
fn a_ledger_that_was_rolled_back_proves_nothing() {
    let world = World::proven();

    world.git(["update-ref", LEDGER, &format!("{LEDGER}~1")]);

    let json = world.json(["verify", "HEAD"]).is("UNKNOWN", 3);
    assert!(json.codes().contains(&"ledger-rolled-back"), "{}", json.ran);
}

#[test]
fn the_next_audit_puts_dropped_lines_back() {
    let world = World::proven();
    let before = world.lines().len();
    world.git(["update-ref", LEDGER, &format!("{LEDGER}~2")]);

    let json = world.json(["audit"]).is("PASS", 0);

    assert!(json.codes().contains(&"restored"), "{}", json.ran);
    assert_eq!(world.lines().len(), before + 1);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

/// Copies what the tool remembers outside the repository.
fn copy_memory(world: &World, from: &str, to: &str) {
    let at = |name: &str| world.home().join(".local/state").join(name);
    drop(std::fs::remove_dir_all(at(to)));
    let (from, to) = (at(from), at(to));
    world.tool("cp", ["-a", from.to_str().unwrap(), to.to_str().unwrap()]);
}

#[test]
fn a_memory_that_is_behind_the_ledger_forks_nothing() {
    let world = World::sealed();
    copy_memory(&world, "git-plan-audit", "before");
    world.json(["audit"]).is("FAIL", 1);
    copy_memory(&world, "before", "git-plan-audit");

    let world = world.finished();

    let json = world.json(["status"]).is("OK", 0);
    assert!(!json.codes().contains(&"ledger-fork"), "{}", json.ran);
}

#[test]
fn a_memory_that_is_lost_forks_nothing() {
    let world = World::sealed();
    world.json(["audit"]).is("FAIL", 1);
    std::fs::remove_dir_all(world.home().join(".local/state/git-plan-audit")).unwrap();
    world.json(["audit"]).is("REFUSED", 2);
    world.init();

    let world = world.finished();

    let json = world.json(["status"]).is("OK", 0);
    assert!(!json.codes().contains(&"ledger-fork"), "{}", json.ran);
}

#[test]
fn a_memory_that_cannot_be_written_is_told() {
    let world = World::sealed();
    let anchors = world.home().join(".local/state/git-plan-audit/anchors");
    std::fs::remove_dir_all(&anchors).unwrap();
    // Nobody can make a file there, whoever runs the tests.
    std::os::unix::fs::symlink("/proc/self/fdinfo", &anchors).unwrap();

    let json = world.json(["audit"]).is("FAIL", 1);

    assert!(json.codes().contains(&"not-remembered"), "{}", json.ran);
    world.seal();
    std::fs::remove_file(&anchors).unwrap();
    world.finished();
}

#[test]
fn a_record_of_a_chain_that_was_written_twice_is_not_called_proof() {
    let world = World::sealed();
    let behind = world.rev(LEDGER);
    copy_memory(&world, "git-plan-audit", "before");
    world.json(["audit"]).is("FAIL", 1);
    let other = world.rev(LEDGER);
    // As a restored backup of the whole home does it; then the branches meet.
    copy_memory(&world, "before", "git-plan-audit");
    world.git(["update-ref", LEDGER, &behind]);
    // Another state, or both records might be the same, byte for byte.
    world.write("work.txt", "worse\n");
    world.json(["audit"]).is("FAIL", 1);
    world.merge_notes("cat_sort_uniq", &other);
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);

    let json = world.json(["audit"]);

    assert!(json.codes().contains(&"not-counted"), "{}", json.ran);
    assert_eq!(json.at("/plans/default/usable"), false);
    world.run(["audit"]).says("no commit is proven by it");
}

#[test]
fn a_deleted_ledger_does_not_let_a_weaker_plan_be_sealed() {
    let world = World::sealed();
    let plan = std::fs::read_to_string(world.top.join(".plan-auditor/plan.json")).unwrap();
    world.git(["update-ref", "-d", LEDGER]);
    world.write(".plan-auditor/plan.json", plan.replace("grep", "true"));

    let json = world.json(["seal"]).is("REFUSED", 2);

    assert!(json.codes().contains(&"weakened"), "{}", json.ran);
}

#[test]
fn a_clone_that_was_moved_keeps_its_evidence() {
    let world = World::proven();
    let moved = world.temp_path().join("moved");
    std::fs::rename(&world.top, &moved).unwrap();

    world.at(&moved).json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_clone_that_was_copied_is_told_so() {
    let world = World::proven();
    let copy = world.temp_path().join("copy");
    world.tool(
        "cp",
        ["-a", world.top.to_str().unwrap(), copy.to_str().unwrap()],
    );
    let copy = world.at(&copy);

    let json = copy.json(["verify", "HEAD"]).is("UNKNOWN", 3);
    assert!(json.codes().contains(&"clone-moved"), "{}", json.ran);
    copy.run(["init", "--no-hooks"]).exits(0);
    copy.json(["seal"]).is("OK", 0);
    copy.json(["audit"]).is("PASS", 0);
}

#[test]
fn a_forgotten_instance_is_not_begun_anew_without_a_reason() {
    let world = World::proven();
    std::fs::remove_dir_all(world.top.join(".git/plan-audit")).unwrap();

    world.run(["init", "--no-hooks"]).exits(2);

    let line = [
        "init",
        "--no-hooks",
        "--new-instance",
        "--reason",
        "lost it",
    ];
    world.run(line).exits(0);
}

#[test]
fn missing_evidence_is_never_no_plan() {
    let world = World::proven();
    let bare = world.bare();
    let clone = world.temp_path().join("clone");
    world.tool(
        "git",
        [
            "clone",
            "-q",
            bare.top.to_str().unwrap(),
            clone.to_str().unwrap(),
        ],
    );
    let clone = world.at(&clone);
    clone.commit("work.txt", "worse\n");

    clone
        .json(["verify", "HEAD", "--allow-no-plan"])
        .is("UNKNOWN", 3);
}

#[test]
fn a_ledger_that_was_cut_off_is_unknown() {
    let world = World::proven();
    let tip = world.rev(LEDGER);

    world.write(".git/shallow", format!("{tip}\n"));

    let json = world.json(["verify", "HEAD"]).is("UNKNOWN", 3);
    assert!(json.codes().contains(&"ledger-missing"), "{}", json.ran);
}

#[test]
fn the_name_of_no_plan_is_refused() {
    let world = World::proven();

    let line = ["verify", "HEAD", "--plan", "typo", "--allow-no-plan"];
    let json = world.json(line).is("REFUSED", 2);

    assert!(json.codes().contains(&"unknown-plan"), "{}", json.ran);
}
