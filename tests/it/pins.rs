//! Pinned files through the binary: every way to put something else in their place.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::support::{Key, World, plans};

/// The plan of every world, with its tests and a library pinned.
fn pinning() -> Value {
    let mut plan = plans::good();
    plan["pins"] = json!(["tests/**", "lib/tests/*"]);
    plan
}

/// A world whose main line has tests, and whose branch has a sealed plan that pins them.
fn pinned() -> World {
    let world = World::new();
    world.init();
    world.git(["init", "-q", "../lib"]);
    world.git(["-C", "../lib", "commit", "-q", "--allow-empty", "-m", "one"]);
    world.git(["-C", "../lib", "commit", "-q", "--allow-empty", "-m", "two"]);
    let allowed = "protocol.file.allow=always";
    world.git([
        "-c",
        allowed,
        "submodule",
        "--quiet",
        "add",
        "../lib",
        "lib",
    ]);
    world.write("tests/a.rs", "assert one\n");
    world.write("other.txt", "other\n");
    world.commit("tests/b.rs", "assert two\n");
    world.git(["add", "-A"]);
    let key = Key::own(&world);
    key.listed(&world);
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    world
        .run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);
    world.git(["switch", "-q", "-c", "work"]);
    world.with_plan(&pinning());
    world.seal();
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Do the work"]);
    world
}

/// Demands that what is on disk fails for these pins where it is audited and once it is committed,
/// then puts everything back.
#[track_caller]
fn demand_found(world: &World, what: &str) {
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Try it"]);

    for line in [
        ["audit", "--commit", "HEAD"].as_slice(),
        &["verify", "HEAD"],
    ] {
        let told = world.run(line).exits(1);
        let says = told.stdout.contains("pin-changed") && told.stdout.contains(what);
        assert!(says, "{told}");
    }
    world.git(["reset", "-q", "--hard", "HEAD^"]);
    world.git(["clean", "-qfd"]);
}

#[test]
fn whatever_takes_the_place_of_a_pinned_file_is_found() {
    let world = pinned();
    world.json(["verify", "HEAD"]).is("PASS", 0);

    world.write("tests/a.rs", "assert nothing\n");
    world.json(["seal"]).is("REFUSED", 2);
    let status = world.json(["status"]).is("OK", 0);
    let plan = status.at("/plans/default");
    assert_eq!(
        (&plan["outcome"], &plan["pinned"]),
        (&json!("FAIL"), &json!(3))
    );
    assert_eq!(plan["next"], "git plan-audit diff --plan default");
    let diff = world.json(["diff"]).is("OK", 0);
    let change = diff.at("/plans/default/with/0/changes/0");
    assert_eq!(change["class"], "weakening");
    assert_eq!(change["member"], "pinned tests/a.rs");
    let told = world.run(["status"]).exits(0).stdout;
    assert!(
        told.contains("  pins: tests/**, lib/tests/* (3 files frozen)\n"),
        "{told}"
    );
    let shown = world
        .json(["show", status.text("/plans/default/seal")])
        .is("OK", 0);
    let pin = shown.at("/pins/1");
    assert_eq!(
        (&pin["path"], &pin["mode"], &pin["fork"]),
        (&json!("tests/a.rs"), &json!("100644"), &json!(true))
    );
    let audit = world.run(["audit"]).exits(1);
    let told = audit.stderr.find("pin-changed").unwrap();
    assert!(told < audit.stderr.find("step 1").unwrap(), "{audit}");
    demand_found(&world, "tests/a.rs (changed)");

    world.git(["mv", "tests/a.rs", "tests/A.rs"]);
    demand_found(&world, "tests/A.rs (new), tests/a.rs (removed)");

    let exchanged = |target: &str| {
        std::fs::remove_file(world.top.join("tests/a.rs")).unwrap();
        symlink(target, world.top.join("tests/a.rs")).unwrap();
    };
    exchanged("../other.txt");
    demand_found(&world, "tests/a.rs (changed)");

    world.git(["mv", "tests", "moved"]);
    symlink("moved", world.top.join("tests")).unwrap();
    demand_found(
        &world,
        "tests (new), tests/a.rs (removed), tests/b.rs (removed)",
    );

    world.git(["-C", "lib", "checkout", "-q", "HEAD^"]);
    demand_found(&world, "lib (changed)");
    world.git(["submodule", "--quiet", "update"]);

    world.write("Tests/c.rs", "assert three\n");
    let audit = world.json(["audit"]).is("FAIL", 1);
    assert!(audit.codes().contains(&"pin-changed"), "{}", audit.ran);
    demand_found(&world, "Tests/c.rs (new)");
}

#[test]
fn the_main_line_may_change_what_is_pinned_and_nobody_else() {
    let world = pinned();
    world.git(["switch", "-q", "main"]);
    world.write("tests/a.rs", "assert more\n");
    world.git(["rm", "-q", "tests/b.rs"]);
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Test more"]);
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    world.git(["switch", "-q", "work"]);

    world.git(["checkout", "main", "--", "tests/a.rs"]);
    demand_found(&world, "tests/a.rs (changed)");
    world.git(["merge", "-q", "--no-commit", "--no-ff", "main"]);
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Merge"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);
    let (bare, base) = (world.bare(), world.rev("origin/main"));
    bare.json(["verify", "work", "--base", &base]).is("PASS", 0);

    world.write("tests/a.rs", "assert one\n");
    world.write("tests/b.rs", "assert other\n");
    demand_found(&world, ": tests/b.rs (changed)");

    // An object that replaces the fork point is not looked at.
    world.write("tests/a.rs", "assert nothing\n");
    world.git(["add", "-A"]);
    let tree = world.git(["write-tree"]).trimmed();
    let forged = world.git(["commit-tree", "-m", "Forged", &tree]).trimmed();
    world.git(["replace", &base, &forged]);
    world.git(["commit", "-qm", "Weaken a test"]);
    let verified = world.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(
        verified.codes().contains(&"pin-changed"),
        "{}",
        verified.ran
    );
}
