//! Main lists somebody else, or sets something, while branches are open.

use crate::support::{Key, World};

/// The list of signers.
const SIGNERS: &str = ".plan-auditor/allowed_signers";

/// A world with a remote whose main listed one key, then two, and a branch `old` that left between;
/// the work tree is on the branch.
fn moved() -> World {
    let world = World::new();
    let (one, two) = (Key::make(&world, "one"), Key::make(&world, "two"));
    world.commit(SIGNERS, one.signers());
    world.with_remote();
    world.git(["remote", "set-head", "origin", "main"]);
    world.git(["switch", "-qc", "old"]);
    world.commit("work.txt", "work\n");
    world.git(["switch", "-q", "main"]);
    world.commit(SIGNERS, one.signers() + &two.signers());
    world.git(["push", "-q", "origin", "main"]);
    world.git(["switch", "-q", "old"]);
    world
}

#[test]
fn a_branch_that_is_behind_and_touched_nothing_does_not_fail() {
    let world = moved();

    let json = world.json(["verify", "HEAD"]).is("NO_PLAN", 3);
    assert!(json.codes().contains(&"trust-behind"), "{}", json.ran);
    let of_range = world.json(["verify", "HEAD^..HEAD"]).is("NO_PLAN", 3);
    assert!(
        of_range.codes().contains(&"trust-behind"),
        "{}",
        of_range.ran
    );

    // As an update of main it would take back what main has.
    let update = world.json(["verify", "origin/main..HEAD"]).is("FAIL", 1);
    let ends = update.hint("trust-changed");
    assert!(ends.starts_with("git merge origin/HEAD "), "{ends}");
    world.git(["merge", "-q", "--no-edit", "origin/main"]);
    world.json(["verify", "origin/main..HEAD"]).is("NO_PLAN", 3);
}

#[test]
fn what_could_bring_other_files_of_trust_fails() {
    let world = moved();
    let fails = |what: &str| {
        let json = world.json(["verify", "HEAD"]);
        assert!(
            json.codes().contains(&"trust-changed"),
            "{what}: {}",
            json.ran
        );
        json.is("FAIL", 1);
    };
    let old = std::fs::read_to_string(world.top.join(SIGNERS)).unwrap();
    let branch = |name: &str| world.git(["switch", "-qc", name, "old"]);

    branch("changes");
    world.commit(SIGNERS, old.replace("ci@", "me@"));
    fails("another list");
    assert!(
        world
            .json(["verify", "HEAD"])
            .hint("trust-changed")
            .contains("--no-verify")
    );
    world.commit(SIGNERS, &old);
    fails("a change that was taken back");

    branch("adds");
    world.commit(".plan-auditor/supervisor.json", "{\"profile\":\"light\"}");
    fails("settings");

    branch("merges");
    world.git(["merge", "-q", "--no-commit", "--no-ff", "origin/main"]);
    world.commit(SIGNERS, &old);
    fails("a merge that keeps the older list");

    // Main has merged the branch as it was: now there are two merge bases.
    world.git(["switch", "-q", "main"]);
    world.git(["merge", "-q", "--no-edit", "old"]);
    world.git(["push", "-q", "origin", "main"]);
    world.git(["switch", "-q", "merges"]);
    fails("a merge across");

    world.git(["switch", "-q", "--orphan", "root"]);
    world.commit(SIGNERS, &old);
    fails("a root of its own");
}
