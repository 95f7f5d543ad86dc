//! Evidence that is taken over, and evidence that is not.

use crate::model::claim::evidence::Evidence;
use crate::preflight::snapshot::Snapshot;
use crate::preflight::taken_over;
use crate::preflight::testing::{Memory, statement};

const REGULAR: u32 = 0o100_644;
const CLAIM: &str = r#""type":"text_present","paths":["src/**"],"literal":"x""#;

/// Takes evidence over to another commit of a memory.
fn over(memory: &mut Memory, files: &[(&str, u32, &[u8])], earlier: &Evidence) -> Option<Evidence> {
    let commit = memory.committed(files);
    let statement = statement(CLAIM, true);
    let is_late = || false;
    let snapshot = Snapshot::new(memory, &commit, memory.limits, &is_late);
    taken_over(&snapshot, &statement, earlier)
}

#[test]
fn what_rests_on_the_same_objects_is_the_same_evidence() {
    let mut memory = Memory::of(&[("src/a", "x"), ("docs/b", "y")]);
    let earlier = memory.test(CLAIM, true);
    let changed: [(&str, u32, &[u8]); 2] = [("src/a", REGULAR, b"x"), ("docs/b", REGULAR, b"z")];

    let taken = over(&mut memory, &changed, &earlier).unwrap();

    memory.commit = memory.committed(&changed);
    assert_eq!(taken, memory.test(CLAIM, true));
}

#[test]
fn what_changed_in_the_scope_is_tested_anew() {
    let mut memory = Memory::of(&[("src/a", "x"), ("docs/b", "y")]);
    let earlier = memory.test(CLAIM, true);
    for files in [
        &[("src/a", REGULAR, &b"xy"[..])][..],
        &[("src/a", 0o100_755, b"x")],
        &[("src/a", REGULAR, b"x"), ("src/b", REGULAR, b"x")],
        &[("src/c", REGULAR, b"x")],
    ] {
        assert_eq!(over(&mut memory, files, &earlier), None, "{files:?}");
    }
}

#[test]
fn what_was_not_whole_or_was_decided_otherwise_is_tested_anew() {
    let mut memory = Memory::of(&[("src/a", "x"), ("docs/b", "y")]);
    let earlier = memory.test(CLAIM, true);
    let same: [(&str, u32, &[u8]); 1] = [("src/a", REGULAR, b"x")];
    let mut older = earlier.clone();
    older.evaluator.version = 0;
    let mut other = earlier.clone();
    other.claim = crate::model::ids::Digest::ZERO;

    assert!(over(&mut memory, &same, &earlier).is_some());
    assert_eq!(over(&mut memory, &same, &older), None);
    assert_eq!(over(&mut memory, &same, &other), None);
}
