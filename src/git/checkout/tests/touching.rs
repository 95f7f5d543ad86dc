//! What was touched since the checkout was written (D7), and what may come and go.

use super::{Room, of_revision};
use crate::git::state::tests::world::World;

/// Runs a script in a checkout and returns what was touched.
fn touched(script: &str) -> Vec<String> {
    let world = World::new();
    world.sh("echo '*.o' >.gitignore; mkdir -p p/q; echo >p/q/f; git add -A; git commit -qm 2");
    let room = Room::new();
    let checkout = of_revision(&world, "HEAD", &room).unwrap();
    let watch = checkout.watch();
    assert_eq!(watch.touched(), Vec::<Vec<u8>>::new());
    let (ok, out) = world.try_sh(&room.top(), script);
    assert!(ok, "{script}: {out}");
    let paths = watch.touched();
    assert_eq!(watch.touched(), Vec::<Vec<u8>>::new());
    paths
        .into_iter()
        .map(|path| String::from_utf8(path).unwrap())
        .collect()
}

#[test]
fn a_file_that_was_swapped_and_restored_is_touched() {
    for (script, path) in [
        (
            "cp -p a.txt ../k; echo evil >a.txt; cp -p ../k a.txt",
            "a.txt",
        ),
        ("mv a.txt ../k; echo evil >a.txt; mv ../k a.txt", "a.txt"),
        ("chmod +x d/c.txt; chmod -x d/c.txt", "d/c.txt"),
        ("touch -r a.txt d/c.txt", "d/c.txt"),
        ("rm link; ln -s a.txt link", "link"),
        ("rm a.txt", "a.txt"),
        ("mv d k.o; mkdir d; mv k.o/* d", "d"),
        (
            "mv d ../k; mkdir d; echo evil >d/c.txt; rm -r d; mv ../k d",
            "d",
        ),
        ("chmod 700 d", "d"),
        (
            "mv p ../k; mkdir -p p/q; echo evil >p/q/f; rm -r p; mv ../k p",
            "p",
        ),
    ] {
        let found = touched(script);
        assert!(
            found.iter().any(|found| found == path),
            "{script}: {found:?}"
        );
    }
}

#[test]
fn what_is_ignored_may_come_and_go() {
    for script in [
        ":",
        "cat a.txt d/*; ls -la",
        "echo 1 >x.o; echo 2 >d/y.o; mkdir d/z.o; echo 3 >d/z.o/a",
        "echo 1 >d/y.o; rm d/y.o",
        "cp a.txt d/a.o; cp -r d ../elsewhere",
    ] {
        assert_eq!(touched(script), Vec::<String>::new(), "{script}");
    }
}

#[test]
fn new_files_are_untracked_unless_a_tracked_rule_ignores_them() {
    let world = World::new();
    world.sh("echo '*.o' >.gitignore; git add -A; git commit -qm 2");
    let room = Room::new();
    let checkout = of_revision(&world, "HEAD", &room).unwrap();
    let repository = super::opened(&world);
    let state = |script: &str| {
        let (ok, out) = world.try_sh(&room.top(), script);
        assert!(ok, "{script}: {out}");
        checkout.state(&repository).unwrap()
    };

    assert!(state("echo >x.o").is_same(checkout.before()));
    let new = state("echo >new");
    assert_eq!(new.untracked.noted.paths, ["new"]);
    assert!(!new.is_same(checkout.before()));
}
