//! What steers a clone: attribute files, `.gitmodules`, names and links. What a clone would not
//! write proves nothing, in the work tree and in a checkout.

use std::fs;
use std::os::unix::fs::symlink;

use crate::support::{World, plans};

/// A world whose sealed check is a line of shell.
fn checked_by(line: &str) -> World {
    World::new().prepared(&plans::of_argv(&["sh", "-c", line]))
}

/// Audits what is staged in both places and commits it; neither audit may prove the commit.
#[track_caller]
fn neither_proves(world: &World) {
    let audits = [&["audit"][..], &["audit", "--checkout"]].map(|words| world.run(words));
    world.git(["commit", "-qm", "Work"]);

    let json = world.json(["verify", "HEAD"]);

    let [here, checkout] = audits;
    assert_ne!(json.ran.code, 0, "after\n{here}\n{checkout}\n{}", json.ran);
    assert_ne!(json.text("/outcome"), "PASS", "after\n{here}\n{checkout}");
}

#[test]
fn a_name_that_git_does_not_check_out_proves_nothing() {
    for name in ["git~1", ".git ", ".git.", ".g\u{200c}it"] {
        let world = checked_by("true");
        world.git(["config", "core.protectNTFS", "false"]);
        world.git(["config", "core.protectHFS", "false"]);
        world.write(name, "x");
        world.git(["add", "-A"]);

        neither_proves(&world);
    }
}

#[test]
fn a_link_by_way_of_a_link_into_the_git_directory_proves_nothing() {
    let world = checked_by("grep -qx good l");
    fs::write(world.top.join(".git/evil"), "good\n").unwrap();
    symlink(".", world.top.join("d")).unwrap();
    symlink("d/.git/evil", world.top.join("l")).unwrap();
    world.git(["add", "-A"]);

    neither_proves(&world);
}
