//! Trees that git would not write, and objects that are not what their names say.

use super::{Room, of_revision, of_tree};
use crate::git::state::tests::world::World;
use crate::model::checkout::CheckoutError;

/// Makes a tree of raw entries: mode, name, and what the name is of.
fn tree(world: &World, entries: &str) -> String {
    // `mktree` sorts and checks nothing of the names; a raw tree is not even sorted.
    let raw = "import sys,subprocess
out=b''
for line in sys.stdin.read().splitlines():
    mode,kind,name=line.split(' ',2)
    b=subprocess.run(['git','rev-parse','HEAD:'+kind],capture_output=True,check=True).stdout
    out+=mode.encode()+b' '+name.encode().decode('unicode_escape').encode('latin1')+b'\\0'+bytes.fromhex(b.decode())
r=subprocess.run(['git','hash-object','-w','-t','tree','--literally','--stdin'],input=out,capture_output=True,check=True)
print(r.stdout.decode().strip())";
    world.sh(&format!(
        "cat >../raw.py <<'E'\n{raw}\nE\nprintf '%s\\n' '{entries}' | python3 ../raw.py"
    ))
}

#[test]
fn no_tree_that_git_would_not_write_is_written() {
    let world = World::new();
    // A link that leads out, and directories to hide below it.
    world.sh("mkdir ../out; ln -s ../out out; ln -s /tmp tmp; git add -A; git commit -qm 2");
    for entries in [
        "120000 out a\n040000 d a",
        "040000 d a\n120000 out a",
        "100644 a.txt a\n100644 x.sh a",
        "100644 a.txt .git",
        "040000 d .GIT",
        "040000 d .Git",
        "100644 a.txt git~1",
        "040000 d GIT~1",
        "100644 a.txt .git.",
        "100644 a.txt .git::$INDEX_ALLOCATION",
        "100644 a.txt .g\\xe2\\x80\\x8cit",
        "120000 link .gitmodules",
        "120000 link gitmod~1",
        "100644 a.txt ..",
        "040000 d ..",
        "100644 a.txt .",
        "100644 a.txt ",
        "100644 a.txt ../out/x",
        "100644 a.txt /tmp/x",
        "100644 a.txt d/x",
        "100644 x.sh b\n100644 a.txt a",
        "100664 a.txt a",
        "140000 a.txt a",
        "100600 a.txt a",
        "40000 a.txt a",
        "0100644 a.txt a",
    ] {
        let id = tree(&world, entries);
        let room = Room::new();

        let made = of_tree(&world, &id, &room);

        let is_refused = matches!(
            made,
            Err(CheckoutError::Unfit { .. } | CheckoutError::Missing { .. })
        );
        assert!(is_refused, "{entries}: {made:?}");
        let written = std::fs::read_dir(room.top()).unwrap().count();
        assert_eq!(written, 0, "{entries}");
        assert_eq!(room.beside(), Vec::<String>::new(), "{entries}");
        assert_eq!(world.sh("ls ../out"), "", "{entries}");
    }
}

#[test]
fn an_empty_directory_is_nothing_that_git_writes() {
    let world = World::new();
    let id = world.sh(
        "e=$(git hash-object -w -t tree /dev/null); printf '040000 tree %s\\td\\n' $e | git mktree",
    );

    let made = of_tree(&world, &id, &Room::new());

    assert!(matches!(made, Err(CheckoutError::Unfit { .. })), "{made:?}");
}

#[test]
fn a_link_without_a_text_is_refused() {
    let world = World::new();
    let id = world
        .sh("b=$(git hash-object -w /dev/null); printf '120000 blob %s\\tl\\n' $b | git mktree");

    let made = of_tree(&world, &id, &Room::new());

    assert!(
        matches!(made, Err(CheckoutError::Unserved { .. })),
        "{made:?}"
    );
}

#[test]
fn files_that_git_reads_otherwise_than_they_are_written_are_refused() {
    for (name, script) in [
        (".gitattributes", "ln -s '*.w eol=crlf' .gitattributes"),
        ("d/.gitattributes", "ln -s '*.w eol=crlf' d/.gitattributes"),
        (".lfsconfig", "ln -s a.txt .lfsconfig"),
        (
            ".gitattributes",
            "printf '*.w eol=crlf\\n\\0' >.gitattributes",
        ),
        (".gitattributes", "printf '*.w%02045d\\n' 0 >.gitattributes"),
        (
            "d/.gitattributes",
            "echo 'd/.gitattributes ident' >.gitattributes; echo '*.w eol=crlf' >d/.gitattributes",
        ),
    ] {
        let world = World::new();
        world.sh(&format!("{script}; git add -A; git commit -qm 2"));

        let made = of_revision(&world, "HEAD", &Room::new());

        let Err(CheckoutError::Unserved { paths }) = made else {
            panic!("{script}: {made:?}");
        };
        let named = |path: &String| path.starts_with(&format!("{name} ("));
        assert!(paths.iter().all(named), "{script}: {paths:?}");
    }
}

#[test]
fn a_tree_that_multiplies_is_refused_before_anything_is_written() {
    let world = World::new();
    let id = world.sh(
        "t=$(git rev-parse HEAD:d); for i in 1 2 3 4 5 6 7 8 9; do
            t=$(for n in 0 1 2 3 4 5 6 7 8 9; do printf '040000 tree %s\\t%s\\n' $t $n; done | git mktree)
         done; echo $t",
    );
    let room = Room::new();
    let began = std::sync::atomic::AtomicUsize::new(0);
    // The walk asks whether to stop for each tree: here it is told to after some thousands.
    let stop = || began.fetch_add(1, std::sync::atomic::Ordering::Relaxed) > 5_000;
    let wanted = crate::model::checkout::Wanted {
        source: crate::model::checkout::Source::Tree,
        tree: crate::model::ids::Oid::parse(id.trim()).unwrap(),
        head: None,
    };

    let made = super::opened(&world).check_out(&wanted, &room.top(), &stop);

    assert!(matches!(made, Err(CheckoutError::Stopped)), "{made:?}");
    assert_eq!(std::fs::read_dir(room.top()).unwrap().count(), 0);
}

#[test]
fn objects_that_are_gone_or_forged_are_named() {
    let remove = "f=$(git rev-parse HEAD:a.txt | sed 's|^..|&/|'); rm -f .git/objects/$f";
    let forge = "f=$(git rev-parse HEAD:a.txt | sed 's|^..|&/|')
        o=$(echo evil | git hash-object -w --stdin | sed 's|^..|&/|')
        rm -f .git/objects/$f; cp .git/objects/$o .git/objects/$f";
    for script in [remove, forge] {
        let world = World::new();
        world.sh(script);

        let made = of_revision(&world, "HEAD", &Room::new());

        let Err(CheckoutError::Missing { objects }) = made else {
            panic!("{script}: {made:?}");
        };
        assert!(objects[0].starts_with("a.txt ("), "{objects:?}");
    }
}

#[test]
fn replaced_objects_are_not_followed() {
    let world = World::new();
    world.sh("git replace $(git rev-parse HEAD:a.txt) $(echo other | git hash-object -w --stdin)");
    let room = Room::new();

    let checkout = of_revision(&world, "HEAD", &room).unwrap();

    assert_eq!(std::fs::read(room.top().join("a.txt")).unwrap(), b"a\n");
    assert_eq!(checkout.before().disqualifying().count(), 1);
}
