//! Each limit, at what it allows and at one more.

use crate::preflight::testing::Memory;

/// A search that finds nothing, so that all must be looked at.
const NOWHERE: &str = r#""type":"text_present","paths":["**"],"literal":"nowhere""#;

/// Three files of four bytes in two directories: five entries of trees.
fn three() -> Memory {
    Memory::of(&[("a/x", "1234"), ("a/y", "5678"), ("b/z", "90ab")])
}

#[test]
fn the_entries_of_trees_are_counted() {
    let mut memory = three();
    memory.limits.entries = 5;
    assert_eq!(memory.says(NOWHERE), "false");

    memory.limits.entries = 4;

    assert_eq!(memory.says(NOWHERE), "LIMIT");
    // What the patterns do not reach is not listed.
    let below = r#""type":"text_present","paths":["a/*"],"literal":"nowhere""#;
    assert_eq!(memory.says(below), "false");
}

#[test]
fn the_files_that_are_read_are_counted() {
    let mut memory = three();
    memory.limits.files = 3;
    assert_eq!(memory.says(NOWHERE), "false");

    memory.limits.files = 2;

    assert_eq!(memory.says(NOWHERE), "LIMIT");
}

#[test]
fn the_bytes_that_are_read_are_counted() {
    let mut memory = three();
    memory.limits.bytes = 12;
    assert_eq!(memory.says(NOWHERE), "false");

    memory.limits.bytes = 11;

    assert_eq!(memory.says(NOWHERE), "LIMIT");
}

#[test]
fn the_bytes_of_one_file_are_counted() {
    let mut memory = three();
    memory.limits.file = 4;
    assert_eq!(memory.says(NOWHERE), "false");

    memory.limits.file = 3;

    assert_eq!(memory.says(NOWHERE), "LIMIT");
}

#[test]
fn a_run_that_is_late_says_so() {
    let mut memory = three();
    memory.is_late = true;

    assert_eq!(memory.says(NOWHERE), "BUDGET");
}

#[test]
fn what_one_statement_reads_is_not_counted_for_the_next() {
    let mut memory = three();
    memory.limits.files = 3;
    let first = memory.test(NOWHERE, true);

    assert_eq!(memory.test(NOWHERE, true), first);
}
