//! What lies beside the objects: submodules and files of Git LFS, where they are here and where not.

use super::{Checkout, Room, of_revision};
use crate::git::state::tests::world::World;

/// Returns the names of the flags of a checkout.
fn flags(checkout: &Checkout) -> Vec<&'static str> {
    checkout
        .before()
        .flags
        .keys()
        .map(|flag| flag.as_str())
        .collect()
}

/// Makes a world with a submodule in a submodule, both checked out.
fn nested() -> World {
    let world = World::new();
    world.sh("for n in in out; do git init -q ../$n; done
        (cd ../in; echo i >i.txt; git add -A; git commit -qm i)
        (cd ../out; echo o >o.txt; git -c protocol.file.allow=always submodule --quiet add ../in deep/in; git add -A; git commit -qm o)
        git -c protocol.file.allow=always submodule --quiet add --name lib/out ../out out
        git -c protocol.file.allow=always submodule --quiet update --init --recursive
        git commit -qam sub");
    world
}

#[test]
fn submodules_are_filled_from_stores_of_this_clone() {
    let world = nested();
    let room = Room::new();

    let checkout = of_revision(&world, "HEAD", &room).unwrap();

    let read = |path: &str| std::fs::read_to_string(room.top().join(path)).unwrap();
    assert_eq!(read("out/o.txt"), "o\n");
    assert_eq!(read("out/deep/in/i.txt"), "i\n");
    assert!(!room.top().join("out/.git").exists());
    assert_eq!(flags(&checkout), Vec::<&str>::new());
    assert_eq!(checkout.lacks(), []);
    assert_eq!(
        checkout.before().content,
        super::opened(&world).state().unwrap().content
    );
}

#[test]
fn a_submodule_is_found_after_deinit_and_where_it_has_its_own_repository() {
    for script in [
        "git submodule --quiet deinit -f out",
        "rm -rf ../keep; cp -r .git/modules/lib/out ../keep; rm -rf .git/modules out/.git
         mv ../keep out/.git; git config -f out/.git/config --unset core.worktree",
    ] {
        let world = nested();
        world.sh(script);
        let room = Room::new();

        let checkout = of_revision(&world, "HEAD", &room).unwrap();

        assert!(room.top().join("out/o.txt").exists(), "{script}");
        assert_eq!(checkout.lacks(), [], "{script}");
        assert_eq!(flags(&checkout), Vec::<&str>::new(), "{script}");
    }
}

#[test]
fn what_a_submodule_has_in_it_beside_its_commit_takes_no_part() {
    let world = nested();
    world.sh("echo evil >out/o.txt; echo evil >out/evil; (cd out; git commit -qam evil)");
    let room = Room::new();

    let checkout = of_revision(&world, "HEAD", &room).unwrap();

    assert_eq!(std::fs::read(room.top().join("out/o.txt")).unwrap(), b"o\n");
    assert!(!room.top().join("out/evil").exists());
    assert_eq!(flags(&checkout), Vec::<&str>::new());
}

#[test]
fn an_absent_submodule_is_an_empty_directory_and_told() {
    for (script, flag, path) in [
        (
            "rm -rf .git/modules out; mkdir out",
            "submodule_absent",
            "out",
        ),
        (
            "rm -rf .git/modules/lib/out/modules out/deep/in",
            "submodule_dirty",
            "out/deep/in",
        ),
        (
            "git config -f .gitmodules submodule.lib/out.path elsewhere; rm -rf out; mkdir out
             git add .gitmodules; git commit -qm 3",
            "submodule_absent",
            "out",
        ),
        (
            "git config -f .gitmodules submodule.lib/out.update none; git commit -qam 3",
            "submodule_absent",
            "out",
        ),
        (
            "printf '[submodule \"b\"]\\npath = out\\nurl = x\\n' >>.gitmodules; git commit -qam 3",
            "submodule_absent",
            "out",
        ),
        (
            "git config -f .gitmodules --remove-section submodule.lib/out
             git add .gitmodules; git commit -qm 3",
            "submodule_absent",
            "out",
        ),
        (
            "git config -f .gitmodules --rename-section submodule.lib/out submodule.../../../../out
             rm -rf out; mkdir out; git add .gitmodules; git commit -qm 3",
            "submodule_absent",
            "out",
        ),
    ] {
        let world = nested();
        world.sh(script);
        let room = Room::new();

        let checkout = of_revision(&world, "HEAD", &room).unwrap();

        assert_eq!(flags(&checkout), [flag], "{script}");
        assert_eq!(checkout.lacks()[0].path, path, "{script}");
        assert_eq!(std::fs::read_dir(room.top().join(path)).unwrap().count(), 0);
    }
}

#[test]
fn a_change_in_a_submodule_is_seen_in_the_state_and_by_its_face() {
    let world = nested();
    let room = Room::new();
    let checkout = of_revision(&world, "HEAD", &room).unwrap();

    std::fs::write(room.top().join("out/deep/in/i.txt"), "j\n").unwrap();

    let after = checkout.state(&super::opened(&world)).unwrap();
    assert!(!after.is_same(checkout.before()));
    assert_eq!(checkout.watch().touched(), [b"out/deep/in/i.txt".to_vec()]);
}

/// Makes a world with one file of Git LFS whose bytes are `large\n`.
fn large() -> World {
    let world = World::new();
    world.sh(
        "echo '*.big filter=lfs diff=lfs merge=lfs -text' >.gitattributes
        h=$(echo large | sha256sum | cut -c1-64)
        printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize 6\\n' $h >a.big
        git add -A; git commit -qm 2
        s=.git/lfs/objects/$(echo $h | cut -c1-2)/$(echo $h | cut -c3-4); mkdir -p $s
        echo large >$s/$h; echo $s/$h >../stored",
    );
    world
}

#[test]
fn files_of_lfs_are_filled_from_the_local_store() {
    let world = large();
    let room = Room::new();

    let checkout = of_revision(&world, "HEAD", &room).unwrap();

    assert_eq!(std::fs::read(room.top().join("a.big")).unwrap(), b"large\n");
    assert_eq!(flags(&checkout), Vec::<&str>::new());
    assert_eq!(checkout.lacks(), []);
}

#[test]
fn a_file_of_lfs_that_is_not_here_or_not_true_stays_a_pointer_and_is_told() {
    for script in [
        "rm $(cat ../stored)",
        "echo wrong >$(cat ../stored)",
        "echo EVIL >>$(cat ../stored)",
        "rm $(cat ../stored); mkfifo $(cat ../stored)",
    ] {
        let world = large();
        world.sh(script);
        let room = Room::new();

        let checkout = of_revision(&world, "HEAD", &room).unwrap();

        let text = std::fs::read_to_string(room.top().join("a.big")).unwrap();
        assert!(
            text.starts_with("version ") && text.ends_with("size 6\n"),
            "{script}"
        );
        assert_eq!(flags(&checkout), ["lfs_pointer"], "{script}");
        assert_eq!(checkout.lacks()[0].path, "a.big", "{script}");
    }
}
