//! Conversions: what git stores, and what a checkout under tracked attributes alone would write.

use super::world::{Like, World, check, flags};

/// What the scripts below begin with: `crlf FILE` writes two lines with CRLF.
const CRLF: &str = "crlf() { printf '1\\r\\n2\\r\\n' >$1; }; ";

/// The expected flags, and the script that makes the case.
const CONVERSIONS: &[(&[&str], &str)] = &[
    (
        &["eol"],
        "echo '*.txt text eol=crlf' >.gitattributes; git add .; touch a.txt",
    ),
    (
        &[],
        "echo '*.w text eol=crlf' >.gitattributes; crlf n.w; git add -A",
    ),
    (
        &["eol"],
        "echo '*.w text eol=crlf' >.gitattributes; echo 1 >n.w; git add -A",
    ),
    (
        &["eol"],
        "echo '*.w text' >.gitattributes; crlf n.w; git add -A",
    ),
    (
        &["eol"],
        "echo '* text=auto' >.gitattributes; crlf n.w; printf '\\0\\r\\n' >b; git add -A",
    ),
    (
        &["eol"],
        "echo '* text=auto eol=lf' >.gitattributes; crlf n.w; git add -A",
    ),
    (
        &["eol"],
        "echo '*.w crlf=input' >.gitattributes; crlf n.w; git add -A",
    ),
    (
        &[],
        "echo '*.w -text' >.gitattributes; crlf n.w; git add -A",
    ),
    (
        &[],
        "echo '[attr]dos text eol=crlf\n*.w dos' >.gitattributes; crlf n.w; git add -A",
    ),
    (
        &[],
        "mkdir s; echo '*.w eol=crlf' >s/.gitattributes; crlf s/n.w; crlf n.w; git add -A",
    ),
    (
        &[],
        "git config core.safecrlf true; echo '*.w eol=crlf' >.gitattributes; crlf n.w; git add -A",
    ),
    (
        &["eol"],
        "echo '*.w eol=crlf' >.gitattributes; crlf n.w; git add n.w",
    ),
    // Identifiers.
    (
        &[],
        "echo '*.w ident' >.gitattributes; echo '$Id$' >n.w; git add -A; rm n.w; git checkout -q n.w",
    ),
    (
        &["eol"],
        "echo '*.w ident' >.gitattributes; echo '$Id: other $' >n.w; git add -A",
    ),
    // Encodings.
    (
        &[],
        "echo '*.w text working-tree-encoding=UTF-16' >.gitattributes
         printf '\\377\\376a\\0\\n\\0' >n.w; git add -A; printf '\\377\\376b\\0\\n\\0' >n.w",
    ),
    (
        &["eol"],
        "echo '*.w text working-tree-encoding=UTF-16' >.gitattributes
         printf '\\376\\377\\0a\\0\\n' >n.w; git add -A",
    ),
    (
        &[],
        "echo '*.w working-tree-encoding=UTF-16LE' >.gitattributes; printf 'a\\0' >n.w; git add -A",
    ),
    // Settings and files that are not tracked.
    (
        &["eol"],
        "crlf t.txt; git config core.autocrlf true; git add -A",
    ),
    (
        &["eol"],
        "crlf t.txt; git config core.autocrlf input; git add -A",
    ),
    (
        &[],
        "crlf t.txt; git add -A; git config core.autocrlf true; printf '3\\r\\n' >>t.txt",
    ),
    (
        &["eol"],
        "crlf t.txt; echo 't.txt text' >.git/info/attributes; git add -A",
    ),
    (
        &["eol"],
        "mkdir s; crlf s/t.txt; echo '*.txt -text' >s/.gitattributes
         echo '*.txt text' >.git/info/attributes; git add -A",
    ),
    (
        &["eol"],
        "crlf t.txt; echo '*.txt text' >../g; git config core.attributesFile \"$PWD/../g\"; git add -A",
    ),
];

#[test]
fn conversions_give_gits_tree() {
    for (expected, script) in CONVERSIONS {
        check(&format!("{CRLF}{script}"), expected, Like::GitTree);
    }
}

#[test]
fn rules_that_are_gone_hold_no_more() {
    let script = "echo '*.w eol=crlf' >.gitattributes; crlf n.w; git add -A; rm .gitattributes";
    check(&format!("{CRLF}{script}"), &[], Like::GitAfresh);
}

#[test]
fn rules_that_a_checkout_would_read_otherwise_are_not_believed() {
    let utf16 = "printf '*.py eol=crlf\\n' | iconv -t UTF-16LE >.gitattributes
        echo '.gitattributes working-tree-encoding=UTF-16LE' >.git/info/attributes; git add -A";
    check(utf16, &["eol", "unsupported"], Like::Nothing);
    let long = "printf '*.w%03000d eol=crlf\\n' 0 >.gitattributes; git add -A";
    check(long, &["unsupported"], Like::Nothing);
}

#[test]
fn bytes_that_are_the_blob_keep_it_whatever_attributes_say() {
    let world = World::new();
    world.sh("printf '1\\r\\n' >x.md; git add x.md; git commit -qm 2; echo '*.md text eol=lf' >.gitattributes
        git add .gitattributes; git commit -qm 3");
    let before = world.state();
    world.sh("touch x.md");
    let after = world.state();

    assert_eq!(before, after);
    assert_eq!(
        before.tree.to_string(),
        world.sh("git rev-parse HEAD^{tree}").trim()
    );
    assert_eq!(flags(&before), ["renormalise"].into());
}

#[test]
fn no_filter_is_run() {
    let setup = "git config filter.f.clean 'touch ../ran; cat'; git config filter.f.smudge 'touch ../ran; cat'
        git config filter.f.process 'touch ../ran; cat'; git config filter.f.required true";
    for place in [".gitattributes", ".git/info/attributes"] {
        let world = World::new();
        world.sh(&format!(
            "{setup}; echo '*.txt filter=f' >{place}; echo z >a.txt"
        ));
        let state = world.state();
        assert_eq!(flags(&state), ["filtered"].into(), "{place}");
        assert!(!world.top().join("../ran").exists(), "{place}");
    }
}

#[test]
fn files_of_lfs_are_known_by_their_pointer() {
    let pointer = "p() { printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' \\
        $(sha256sum <$1 | cut -d' ' -f1) $(stat -c %s $1); }";
    let commit = format!(
        "{pointer}; echo '*.bin filter=lfs -text' >.gitattributes; echo data >../d; p ../d >x.bin
         git add -A; git commit -qm 2"
    );
    let case = |script: &str, expected: &[&str]| {
        check(&format!("{commit}; {script}"), expected, Like::Head);
    };
    case("cp ../d x.bin", &[]);
    case("true", &["lfs_pointer"]);
    check(
        &format!("{commit}; echo other >x.bin"),
        &["filtered"],
        Like::Nothing,
    );
    let local = "git rm -q .gitattributes; git commit -qm 3; echo '*.bin filter=lfs' >.git/info/attributes; cp ../d x.bin";
    check(&format!("{commit}; {local}"), &["filtered"], Like::Nothing);
}

#[test]
fn an_encoding_that_is_not_served_is_not_guessed() {
    let script =
        "echo '*.w working-tree-encoding=SHIFT-JIS' >.gitattributes; echo a >n.w; git add -A";
    check(script, &["unsupported"], Like::Nothing);
}
