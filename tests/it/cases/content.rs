//! `content` of a clean clone is that of its commit, which a script computes from objects alone.

use serde_json::{Value, json};

use super::{folder, noted, sh, state};
use crate::support::{Layout, Proof, World};

/// How a clone is made of the repository `repo`.
const PLAIN: &str = "git clone -q repo clone";

/// Commits what a script makes, clones it, and demands that the state of the clone is clean, has
/// these flags and no others, and the content that its objects give.
#[track_caller]
fn comes_from_objects(make: &str, clone: &str, flags: &Value) {
    of(&World::new(), make, clone, flags);
}

/// Does the same in a repository that is there already.
#[track_caller]
fn of(world: &World, make: &str, clone: &str, flags: &Value) {
    sh(world, &format!("{make}\ngit add -A; git commit -qm work"));
    sh(world, &format!("cd ..; {clone}"));
    let clone = world.at(&world.temp_path().join("clone"));
    let script = folder().join("content.sh");

    let expected = clone.tool("sh", [script.as_os_str()]).trimmed();
    let json = state(&clone);

    assert_eq!(json.text("/content"), expected, "{}", json.ran);
    assert_eq!(json.text("/tree"), clone.rev("HEAD^{tree}"));
    assert_eq!(json.at("/untracked/count"), 0);
    assert_eq!(json.at("/flags"), flags);
}

/// Files of many kinds.
const KINDS: &str = "echo a >a; : >empty; printf 'no end' >n; head -c 70000 /dev/zero >zero
    mkdir -p d/e; printf '1\\n2\\n' >d/e/t.txt; echo x >d.x; echo x >d0; ln -s d/e link; ln -s no where
    printf '#!/bin/sh\\n' >run.sh; chmod +x run.sh; ln -s \"$(printf 'n\\377')\" odd";

#[test]
fn files_links_and_modes_count_as_their_objects_do() {
    comes_from_objects(KINDS, PLAIN, &json!({}));
}

#[test]
fn line_ends_that_a_clone_converts_count_as_committed() {
    comes_from_objects(
        "printf '1\\n2\\n' >t.txt; printf '1\\n\\0\\n' >binary",
        "git -c core.autocrlf=true clone -q -c core.autocrlf=true repo clone",
        &json!({ "eol": noted(["sub/deep/start.txt", "t.txt"]) }),
    );
}

#[test]
fn what_a_sparse_checkout_leaves_out_counts_as_committed() {
    for index in ["--no-sparse-index", "--sparse-index"] {
        comes_from_objects(
            "mkdir -p in out/deep; echo i >in/i; echo o >out/o; echo p >out/deep/p; ln -s o out/l",
            &format!(
                "git clone -q --no-checkout repo clone; cd clone
                 git sparse-checkout set --cone {index} in; git checkout -q"
            ),
            &json!({ "absent": noted(["out/deep/p", "out/l", "out/o", "sub/deep/start.txt"]) }),
        );
    }
}

#[test]
fn line_ends_that_tracked_attributes_ask_for_count_as_committed() {
    comes_from_objects(
        "printf '*.crlf eol=crlf\\n*.lf eol=lf\\n*.auto text=auto\\n*.raw -text\\n' >.gitattributes
         for e in crlf lf auto raw; do printf '1\\n2\\n' >t.$e; done; printf '1\\r\\n' >r.raw
         mkdir d; echo '* text eol=crlf' >d/.gitattributes; printf '3\\n' >d/f",
        PLAIN,
        &json!({}),
    );
}

#[test]
fn idents_count_as_committed() {
    comes_from_objects(
        "echo '*.id ident' >.gitattributes; printf 'a $Id$ b\\n$Id$\\n' >f.id; printf '$Id$\\n' >f.no",
        PLAIN,
        &json!({}),
    );
}

#[test]
fn encodings_count_as_committed() {
    comes_from_objects(
        "echo '*.w text working-tree-encoding=UTF-16' >.gitattributes
         printf '\\377\\376h\\000\\351\\000\\n\\000' >t.w",
        PLAIN,
        &json!({}),
    );
}

#[test]
fn pointers_of_lfs_count_as_committed() {
    comes_from_objects(
        "echo '*.bin filter=lfs -text' >.gitattributes
         printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%064d\\nsize 12\\n' 0 >f.bin",
        PLAIN,
        &json!({ "lfs_pointer": noted(["f.bin"]) }),
    );
}

#[test]
fn submodules_count_by_their_commit() {
    comes_from_objects(
        "git init -q -b main ../lib; cd ../lib; echo l >l; git add l; git commit -qm l; cd ../repo
         git -c protocol.file.allow=always submodule --quiet add ../lib module",
        "git -c protocol.file.allow=always clone -q --recurse-submodules repo clone",
        &json!({}),
    );
}

#[test]
fn long_ids_change_nothing() {
    let world = World::with(Layout::Sha256, Proof::Ssh);

    of(&world, KINDS, PLAIN, &json!({}));
}

#[test]
fn names_of_any_bytes_count_byte_by_byte() {
    comes_from_objects(
        "for n in 'n\\377' 'n\\376x' 'new\\nline' 'tab\\tq\"uote' '-rf' ' lead' 'back\\\\slash'; do
            echo \"$n\" >\"./$(printf -- \"$n\")\"; done
         mkdir \"$(printf 'd\\nd')\"; echo x >\"$(printf 'd\\nd')/x\"",
        PLAIN,
        &json!({}),
    );
}
