//! Conversions: what tracked attributes ask for is done as git does it, nothing else is.

use super::{Room, check, of_clone, of_revision};
use crate::git::state::tests::world::World;
use crate::model::checkout::CheckoutError;

#[test]
fn tracked_attributes_are_served_as_git_serves_them() {
    for attributes in [
        "* text=auto",
        "*.txt text eol=crlf",
        "*.txt eol=crlf",
        "* text eol=crlf",
        "*.txt text=auto eol=crlf",
        "*.txt crlf=input",
        "*.txt ident",
        "*.txt working-tree-encoding=UTF-8 ident eol=crlf",
        "[attr]w eol=crlf\n*.txt w",
        "d/*.txt eol=crlf\n*.txt -text",
    ] {
        check(&format!(
            "printf '%s\\n' '{attributes}' >.gitattributes
             printf 'one $Id$\\ntwo\\n' >d/c.txt; : >empty.txt
             printf 'x eol=crlf\\n' >d/.gitattributes; echo x >d/x
             git add -A 2>/dev/null; git commit -qm 2"
        ));
    }
}

#[test]
fn encodings_are_served_as_git_serves_them() {
    for (attributes, bytes) in [
        (
            "working-tree-encoding=UTF-16LE-BOM text",
            r"\377\376a\000\n\000",
        ),
        ("working-tree-encoding=UTF-16LE text", r"a\000\n\000"),
        ("working-tree-encoding=UTF-16BE -text", r"\000a\000\n"),
        (
            "working-tree-encoding=UTF-16 eol=crlf",
            r"\377\376a\000\r\000\n\000",
        ),
    ] {
        check(&format!(
            "echo 'n.w {attributes}' >.gitattributes; printf '{bytes}' >n.w; git add -A; git commit -qm 2"
        ));
    }
}

#[test]
fn an_attribute_file_deeper_down_speaks_for_its_directory() {
    check(
        "mkdir -p d/e f; echo '* eol=crlf' >d/.gitattributes; echo '* -text' >d/e/.gitattributes
        for x in a d/a d/e/a f/a; do echo x >$x; done; git add -A; git commit -qm 2",
    );
}

#[test]
fn settings_of_the_clone_make_no_difference() {
    let world = World::new();
    world.sh(
        "printf 'a\\nb\\n' >t.txt; printf 'a\\r\\nb\\r\\n' >w.txt; git add -A; git commit -qm 2
        echo '* eol=crlf filter=x' >.git/info/attributes; git config core.autocrlf true
        git config core.attributesFile $PWD/.git/info/attributes; git config core.eol crlf
        git config filter.x.smudge 'touch ran; cat'; git config filter.x.required true",
    );
    let (room, other) = (Room::new(), Room::new());

    let checkout = of_revision(&world, "HEAD", &room).unwrap();

    let clone = of_clone(&world, other.0.path(), "-c core.autocrlf=true");
    assert_eq!(checkout.before().content, clone.content);
    assert_eq!(std::fs::read(room.top().join("t.txt")).unwrap(), b"a\nb\n");
    assert_eq!(
        std::fs::read(room.top().join("w.txt")).unwrap(),
        b"a\r\nb\r\n"
    );
    assert!(!room.top().join("ran").exists());
}

#[test]
fn what_cannot_be_served_is_refused_by_name() {
    for (script, name) in [
        ("echo '*.txt filter=x' >.gitattributes", "a.txt (filter=x)"),
        ("echo '*.txt filter=lfs' >.gitattributes", "a.txt (filter=lfs)"),
        (
            "echo '*.txt working-tree-encoding=SHIFT-JIS' >.gitattributes",
            "a.txt (its conversion is not served)",
        ),
        (
            "printf '\\377' >a.txt; git add a.txt; echo 'a.txt working-tree-encoding=UTF-16' >.gitattributes
             git update-index --add --cacheinfo 100644,$(git hash-object -w --no-filters a.txt),a.txt",
            "a.txt (its conversion is not served)",
        ),
        (
            "printf '$Id: x $\\n' >a.txt; git add a.txt; echo '*.txt ident' >.gitattributes",
            "a.txt (its conversion is not served)",
        ),
        (
            "printf 'a\\r\\nb\\n' >a.txt; git add a.txt; echo 'a.txt eol=crlf' >.gitattributes",
            "a.txt (git would not store it as it is)",
        ),
        (
            "{ printf 'a.txt '; head -c 3000 /dev/zero | tr '\\0' x; } >.gitattributes",
            ".gitattributes (an attribute file",
        ),
        (
            "echo '.gitattributes ident' >.gitattributes",
            ".gitattributes (unsupported)",
        ),
    ] {
        let world = World::new();
        world.sh(script);
        world.sh("git add .gitattributes; git commit -qm 2");

        let made = of_revision(&world, "HEAD", &Room::new());

        let Err(CheckoutError::Unserved { paths }) = made else {
            panic!("{script}: {made:?}");
        };
        assert!(paths.iter().any(|path| path.starts_with(name)), "{script}: {paths:?}");
    }
}
