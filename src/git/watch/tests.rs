//! What is seen of files in a work tree; those of a checkout have tests of their own.

use super::{Watch, outwait};
use crate::git::open::Repository;
use crate::git::state::tests::world::World;

/// Watches the work tree of a world from now on.
fn watched(world: &World) -> Watch {
    let repository = Repository::open(&world.top()).unwrap();
    let state = repository.state().unwrap();
    outwait(&world.top()).unwrap();
    repository.watch(&state)
}

/// Runs a script at the top of a world and returns what it touched.
fn touched(world: &World, script: &str) -> Vec<String> {
    let watch = watched(world);
    assert_eq!(watch.touched(), Vec::<Vec<u8>>::new());
    world.sh(script);
    let paths = watch.touched();
    assert_eq!(watch.touched(), Vec::<Vec<u8>>::new());
    let text = |path| String::from_utf8(path).unwrap();
    paths.into_iter().map(text).collect()
}

#[test]
fn tracked_and_untracked_files_of_a_work_tree_are_watched() {
    for (script, path) in [
        (
            "cp -p a.txt ../k; echo evil >a.txt; cp -p ../k a.txt",
            "a.txt",
        ),
        ("touch -r a.txt d/c.txt", "d/c.txt"),
        ("cp -p new ../k; rm new; cp -p ../k new", "new"),
        (
            "mv p ../k; mkdir -p p/q; echo >p/q/f; rm -r p; mv ../k p",
            "p",
        ),
    ] {
        let world = World::new();
        world.sh("mkdir -p p/q; echo >p/q/f; git add -A; git commit -qm 2; echo >new");

        let found = touched(&world, script);

        assert!(
            found.iter().any(|found| found == path),
            "{script}: {found:?}"
        );
    }
}

#[test]
fn what_is_ignored_hidden_or_read_is_not_watched() {
    for script in [
        ":",
        "cat a.txt d/*; git status; git gc -q",
        "echo 2 >d/y.o; mkdir d/z.o; rm d/old.o",
        "echo 2 >d/n.h",
    ] {
        let world = World::new();
        world.sh(
            "echo '*.o' >.gitignore; git add -A; git commit -qm 2; echo >d/old.o
            echo '*.h' >>.git/info/exclude; echo 1 >d/n.h",
        );

        assert_eq!(touched(&world, script), Vec::<String>::new(), "{script}");
    }
}

#[test]
fn a_name_that_comes_into_a_directory_whose_times_were_set_touches_nothing() {
    let world = World::new();
    world.sh("echo '*.o' >.gitignore; git add -A; git commit -qm 2; touch -d 2020-01-01 d");

    assert_eq!(touched(&world, "echo >d/y.o"), Vec::<String>::new());
}

#[test]
fn files_of_submodules_are_watched() {
    let world = World::new();
    world.sh("git init -q -b main ../lib; echo l >../lib/l; git -C ../lib add l
        git -C ../lib commit -qm 1; git -c protocol.file.allow=always submodule add -q ../lib sub 2>/dev/null
        git commit -qm sub");

    let found = touched(
        &world,
        "cp -p sub/l k; echo evil >sub/l; cp -p k sub/l; rm k",
    );

    assert_eq!(found, ["sub/l"]);
}

#[test]
fn after_the_wait_a_change_has_another_time() {
    use std::os::unix::fs::MetadataExt as _;
    let temp = tempfile::tempdir().unwrap();
    let top = temp.path().join("tree");
    std::fs::create_dir_all(&top).unwrap();
    let time = || {
        let metadata = top.metadata().unwrap();
        (metadata.ctime(), metadata.ctime_nsec())
    };
    let before = time();

    outwait(&top).unwrap();
    std::fs::write(top.join("a"), "").unwrap();

    assert!(time() > before);
    assert!(!temp.path().join("tick").exists());
}
