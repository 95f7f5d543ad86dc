//! What git reads or checks out otherwise than the disk lets one believe.

use super::world::{Like, World, check, flags};

#[test]
fn names_that_git_does_not_check_out_are_flagged() {
    let off = "git config core.protectNTFS false; git config core.protectHFS false";
    for name in [
        "git~1",
        ".git ",
        ".git.",
        "d/GIT~1/x",
        ".g\u{200c}it",
        "a\\.git",
    ] {
        let world = World::new();
        world.sh(&format!(
            "{off}; mkdir -p \"$(dirname '{name}')\"; echo x >'{name}'; git add -A"
        ));

        let state = world.state();

        assert_eq!(flags(&state), ["unsupported"].into(), "{name}");
        let noted = &state.flags[&crate::model::state::Flag::Unsupported];
        assert_eq!(noted.paths.len(), 1, "{name}");
    }
}

#[test]
fn a_name_that_git_does_not_check_out_is_flagged_where_it_is_left_out() {
    let script = "git config core.protectNTFS false; echo x >git~1; git add -A
        git update-index --skip-worktree git~1; rm git~1";
    check(script, &["absent", "unsupported"], Like::Nothing);
}

#[test]
fn links_by_way_of_links_into_a_repository_are_special() {
    for script in [
        "ln -s . t; ln -s t/.git/evil l",
        "ln -s d/../.git/evil l",
        "git init -q d/in; ln -s d/in/.git/e l; rm -rf d/in",
    ] {
        let world = World::new();
        world.sh(&format!("{script}; git add -A"));

        assert!(flags(&world.state()).contains("special"), "{script}");
    }
}

/// The expected flags, and the script that makes the case: `crlf FILE` writes a line with CRLF.
const STEERING: &[(&[&str], &str)] = &[
    // Git takes the text of a link for attributes, in a checkout only.
    (
        &["unsupported"],
        "ln -s \"$(printf '#\\n*.txt text eol=crlf')\" .gitattributes",
    ),
    (&["unsupported"], "ln -s a.txt d/.gitattributes"),
    // It checks out no such link.
    (
        &["unsupported"],
        "echo '# x' >.gitmodules; git add .gitmodules; ln -sf a.txt .gitmodules; add() { :; }",
    ),
    (&["unsupported"], "ln -s a.txt .lfsconfig"),
    // It ends a blob at the first NUL, and reads no line of 2048 bytes.
    (
        &["unsupported"],
        "printf '*.w text eol=crlf\\n\\0\\n*.w -text\\n' >.gitattributes; crlf n.w",
    ),
    (&["unsupported"], "printf '*.w%02045d\\n' 0 >.gitattributes"),
    (
        &["unsupported"],
        "printf '*.w%02044d\\r\\n' 0 >.gitattributes",
    ),
    (&[], "printf '*.w%02044d\\n' 0 >.gitattributes"),
    // What is on disk is what the tree will have, whatever the index has.
    (
        &["eol"],
        "echo '*.w eol=crlf' >.gitattributes; echo 1 >n.w; git add -A
         b=$(git hash-object .gitattributes); git update-index --cacheinfo 120000,$b,.gitattributes
         add() { :; }",
    ),
    // A link for an ignore file is read by nobody.
    (&[], "ln -s '*.txt' .gitignore"),
];

#[test]
fn what_steers_git_otherwise_than_the_disk_says_is_flagged() {
    for (expected, script) in STEERING {
        let world = World::new();
        world.sh(&format!(
            "crlf() {{ printf '1\\r\\n' >$1; }}; add() {{ git add -A; }}; {script}; add"
        ));

        assert_eq!(
            flags(&world.state()),
            expected.iter().copied().collect(),
            "{script}"
        );
    }
}

#[test]
fn a_file_that_steers_git_and_is_kept_elsewhere_is_flagged() {
    let pointer = "p() { printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' \\
        $(sha256sum <$1 | cut -d' ' -f1) $(stat -c %s $1); }";
    for name in [
        ".gitattributes",
        "d/.gitignore",
        ".gitmodules",
        ".lfsconfig",
    ] {
        let script = format!(
            "{pointer}; echo '{name} filter=lfs -text' >.gitattributes; test -e {name} || echo '# x' >{name}
             git add .gitattributes; p {name} >../p; b=$(git hash-object -w --no-filters ../p)
             git update-index --add --cacheinfo 100644,$b,{name}; git commit -qm 2"
        );
        check(&script, &["unsupported"], Like::Head);
    }
}
