//! Types that git's objects decide.

use crate::model::claim::evidence::Side;
use crate::preflight::testing::{Memory, id};

const REGULAR: u32 = 0o100_644;

/// A commit with one of each kind of entry.
fn every_kind() -> Memory {
    Memory::with(&[
        ("a/b/file.rs", REGULAR, b"x"),
        ("run.sh", 0o100_755, b"#!/bin/sh"),
        ("link", 0o120_000, b"a"),
        ("sub", 0o160_000, b"commit"),
    ])
}

#[test]
fn what_stands_at_a_path_is_told() {
    let memory = every_kind();
    let exists = |path: &str, kind: &str| {
        memory.says(&format!(
            r#""type":"path_exists","path":"{path}","kind":"{kind}""#
        ))
    };

    for (path, kind, said) in [
        ("a/b/file.rs", "file", "true"),
        ("./a//b/file.rs", "file", "true"),
        ("a/b/file.rs", "exec", "false"),
        ("run.sh", "exec", "true"),
        ("run.sh", "file", "true"),
        ("link", "symlink", "true"),
        ("link", "dir", "false"),
        ("sub", "submodule", "true"),
        ("a/b", "dir", "true"),
        (".", "dir", "true"),
        ("a/b/other.rs", "file", "false"),
        ("a/b/file.rs/below", "file", "false"),
        ("A/b/file.rs", "file", "false"),
        ("sub/file", "file", "SUBMODULE"),
        ("link/b", "dir", "COVERAGE_INCOMPLETE"),
    ] {
        assert_eq!(exists(path, kind), said, "{path} {kind}");
    }
}

#[test]
fn absence_is_the_contrary_of_being_there() {
    let memory = every_kind();
    for (path, said) in [
        ("a/b/file.rs", "false"),
        ("a/x", "true"),
        ("sub/x", "SUBMODULE"),
        ("link/x", "COVERAGE_INCOMPLETE"),
    ] {
        let found = memory.says(&format!(r#""type":"path_absent","path":"{path}""#));
        assert_eq!(found, said, "{path}");
    }
}

#[test]
fn a_directory_that_is_not_here_proves_no_absence() {
    let mut memory = every_kind();
    memory.lose_directory("b");

    let said = memory.says(r#""type":"path_absent","path":"a/b/other""#);

    assert_eq!(said, "MISSING_OBJECT");
}

#[test]
fn the_place_of_what_is_absent_is_the_nearest_directory() {
    let evidence = every_kind().test(r#""type":"path_absent","path":"a/x/y""#, true);

    let [item] = evidence.items.as_slice() else {
        panic!("{evidence:?}");
    };
    assert_eq!(
        (item.path.as_slice(), item.side),
        (&b"a"[..], Side::Supports)
    );
}

#[test]
fn the_bytes_of_a_file_are_compared() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
    let mut memory = Memory::with(&[
        ("a", REGULAR, b"x"),
        ("big", REGULAR, pointer),
        ("gone", REGULAR, b"y"),
        ("link", 0o120_000, b"x"),
    ]);
    memory.lose(b"y");
    let sha = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    let (right, wrong) = (id(b"x").to_string(), "1".repeat(64));

    for (path, field, value, said) in [
        ("a", "blob", right.as_str(), "true"),
        ("a", "blob", &wrong, "false"),
        ("link", "blob", &right, "false"),
        ("a", "sha256", sha, "true"),
        ("a", "sha256", &wrong, "false"),
        ("none", "sha256", sha, "vacuously false"),
        ("big", "sha256", sha, "LFS_POINTER"),
        ("gone", "sha256", sha, "MISSING_OBJECT"),
    ] {
        let fields = format!(r#""type":"blob_equals","path":"{path}","{field}":"{value}""#);
        assert_eq!(memory.says(&fields), said, "{path} {field}");
    }
}

#[test]
fn what_changed_since_a_commit_is_told() {
    let mut memory = every_kind();
    let old = memory.committed(&[
        ("a/b/file.rs", REGULAR, b"x"),
        ("run.sh", REGULAR, b"#!/bin/sh"),
        ("was", REGULAR, b"z"),
    ]);
    let (old, unknown) = (old.id.to_string(), "1".repeat(64));

    for (kind, path, commit, said) in [
        ("file_unchanged_since", "a/b/file.rs", &old, "true"),
        ("file_unchanged_since", "run.sh", &old, "false"),
        ("file_unchanged_since", "was", &old, "false"),
        ("file_unchanged_since", "a/b", &old, "vacuously false"),
        ("file_unchanged_since", "never", &old, "vacuously false"),
        ("tree_unchanged_since", "a", &old, "true"),
        ("tree_unchanged_since", ".", &old, "false"),
        (
            "tree_unchanged_since",
            "a/b/file.rs",
            &old,
            "vacuously false",
        ),
        (
            "file_unchanged_since",
            "a/b/file.rs",
            &unknown,
            "MISSING_OBJECT",
        ),
        ("file_unchanged_since", "sub/x", &old, "SUBMODULE"),
    ] {
        let fields = format!(r#""type":"{kind}","path":"{path}","commit":"{commit}""#);
        assert_eq!(memory.says(&fields), said, "{kind} {path}");
    }
}

#[test]
fn ancestors_are_known() {
    let mut memory = every_kind();
    let other = memory.committed(&[("x", REGULAR, b"x")]).id.to_string();
    let own = memory.commit.id.to_string();

    for (commit, said) in [
        (own, "true"),
        (other, "false"),
        ("1".repeat(64), "MISSING_OBJECT"),
    ] {
        let fields = format!(r#""type":"commit_ancestor","commit":"{commit}""#);
        assert_eq!(memory.says(&fields), said);
    }
}

#[test]
fn what_matches_is_counted() {
    let memory = every_kind();
    for (glob, bounds, said) in [
        ("a/**", r#""min":1"#, "true"),
        ("a/**", r#""min":1,"max":1"#, "true"),
        ("a/**", r#""min":2"#, "false"),
        ("none/**", r#""max":0"#, "true"),
        ("{run.sh,link}", r#""min":2,"max":2"#, "true"),
        // A pattern that may match inside a submodule is not counted to the end.
        ("**", r#""min":9"#, "SUBMODULE"),
        ("**", r#""min":4"#, "true"),
        ("**", r#""max":3"#, "false"),
        ("**", r#""max":9"#, "SUBMODULE"),
        ("*", r#""max":9"#, "true"),
    ] {
        let fields = format!(r#""type":"glob_count","paths":["{glob}"],{bounds}"#);
        assert_eq!(memory.says(&fields), said, "{glob} {bounds}");
    }
}
