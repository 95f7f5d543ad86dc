//! `seal` in a world in memory: what it records and what it refuses.

use super::testing::{Fake, PLAN, plan, said};
use crate::model::outcome::{Details, Outcome, Word};
use crate::model::state::{Flag, Noted};

fn refused(codes: &[&'static str]) -> (Word, Vec<&'static str>) {
    (Word::Refused, codes.to_vec())
}

fn is_already(outcome: &Outcome) -> bool {
    matches!(&outcome.details, Details::Seal(sealed) if sealed.already)
}

#[test]
fn a_valid_plan_is_sealed_once() {
    let fake = Fake::planned("true");

    let first = fake.seal().unwrap();
    let second = fake.seal().unwrap();

    assert_eq!((first.word, is_already(&first)), (Word::Ok, false));
    assert_eq!((second.word, is_already(&second)), (Word::Ok, true));
    assert_eq!(fake.notes.commits(), 1);
}

#[test]
fn another_spelling_of_a_sealed_plan_is_sealed_already() {
    let fake = Fake::sealed("true");

    fake.write(PLAN, &format!("  {}\n", plan("true")));

    assert!(is_already(&fake.seal().unwrap()));
}

#[test]
fn an_edited_plan_is_refused() {
    let fake = Fake::sealed("true");

    fake.write(PLAN, &plan("false"));

    assert_eq!(said(&fake.seal().unwrap()), refused(&["edited-after-seal"]));
}

#[test]
fn a_plan_that_was_removed_cannot_be_sealed() {
    let fake = Fake::sealed("true");

    fake.remove(PLAN);

    assert_eq!(said(&fake.seal().unwrap()), refused(&["unknown-plan"]));
}

#[test]
fn an_invalid_plan_is_refused() {
    let fake = Fake::planned("true");

    fake.write(PLAN, "{");

    assert_eq!(fake.seal().unwrap().word, Word::Refused);
}

#[test]
fn an_ignored_plan_is_refused() {
    let fake = Fake::planned("true");

    fake.ignored.borrow_mut().insert(PLAN.to_owned());

    assert_eq!(said(&fake.seal().unwrap()), refused(&["plan-ignored"]));
}

#[test]
fn what_this_version_cannot_judge_is_refused_by_name() {
    for part in [
        "\"pins\":[\"a\"]",
        "\"scope\":[\"a\"]",
        "\"modifies\":[\"a\"]",
        "\"creates\":[\"a\"]",
        "\"deletes\":[\"a\"]",
        "\"uses_symbol\":[\"a\"]",
    ] {
        let fake = Fake::planned("true");
        let of_plan = part.starts_with("\"pins") || part.starts_with("\"scope");
        let (at, with) = if of_plan {
            ("\"task\"", format!("{part},\"task\""))
        } else {
            ("\"title\"", format!("{part},\"title\""))
        };

        fake.write(PLAN, &plan("true").replacen(at, &with, 1));

        assert_eq!(
            said(&fake.seal().unwrap()),
            refused(&["not-supported"]),
            "{part}"
        );
        assert_eq!(fake.notes.commits(), 0);
    }
}

#[test]
fn a_request_is_refused() {
    let fake = Fake::planned("true");

    fake.write(".plan-auditor/request.json", "{}");

    assert_eq!(
        said(&fake.seal().unwrap()),
        refused(&["request-unsupported"])
    );
}

#[test]
fn an_unresolved_merge_is_refused() {
    let fake = Fake::planned("true");

    fake.flags
        .borrow_mut()
        .insert(Flag::Unmerged, Noted::of(["a"]));

    assert_eq!(said(&fake.seal().unwrap()), refused(&["unmerged"]));
}

#[test]
fn a_seal_that_cannot_be_recorded_is_unknown_and_waits() {
    let fake = Fake::planned("true");

    fake.notes.stick(true);

    assert_eq!(
        said(&fake.seal().unwrap()),
        (Word::Unknown, vec!["not-recorded"])
    );
    assert_eq!((fake.notes.commits(), fake.waiting.borrow().len()), (0, 1));
}
