//! `audit` in a world in memory: what it refuses before anything runs, and what it records.

use super::testing::{Fake, PLAN, plan, said};
use crate::model::outcome::{Details, Word};
use crate::model::state::{Flag, Noted};

/// Demands that an audit is refused for a reason and that nothing ran.
#[track_caller]
fn is_refused(fake: &Fake, code: &'static str) {
    let commits = fake.notes.commits();

    let outcome = fake.audit().unwrap();

    assert_eq!(said(&outcome), (Word::Refused, vec![code]));
    assert_eq!(fake.ran.borrow().as_slice(), [""; 0]);
    assert_eq!(fake.notes.commits(), commits);
}

#[test]
fn an_unsealed_plan_is_refused() {
    is_refused(&Fake::planned("true"), "unsealed");
}

#[test]
fn a_plan_sealed_by_a_key_that_does_not_count_is_refused() {
    let fake = Fake::planned("true");
    fake.be(3);
    assert_eq!(fake.seal().unwrap().word, Word::Ok);

    fake.be(1);

    is_refused(&fake, "unsealed");
}

#[test]
fn an_edited_plan_is_refused() {
    let fake = Fake::sealed("true");
    fake.write(PLAN, &plan("false"));

    is_refused(&fake, "edited-after-seal");
}

#[test]
fn a_removed_plan_is_refused() {
    let fake = Fake::sealed("true");
    fake.remove(PLAN);

    is_refused(&fake, "plan-removed");
}

#[test]
fn a_draft_beside_a_sealed_plan_is_refused() {
    let fake = Fake::sealed("true");
    fake.write(".plan-auditor/plans/other.json", &plan("true"));

    is_refused(&fake, "unsealed");
}

#[test]
fn an_unresolved_merge_is_refused() {
    let fake = Fake::sealed("true");
    fake.flags
        .borrow_mut()
        .insert(Flag::Unmerged, Noted::of(["a"]));

    is_refused(&fake, "unmerged");
}

#[test]
fn a_missing_tool_is_refused() {
    let fake = Fake::planned("true");
    let text = plan("true").replacen("\"task\"", "\"required_tools\":[\"cc\"],\"task\"", 1);
    fake.write(PLAN, &text);
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.absent.borrow_mut().insert("cc".to_owned());

    is_refused(&fake, "tool-missing");
}

#[test]
fn a_second_audit_at_the_same_time_is_refused() {
    let fake = Fake::sealed("true");
    fake.is_locked.set(true);

    is_refused(&fake, "audit-running");
}

#[test]
fn an_audit_without_a_plan_is_no_plan() {
    let outcome = Fake::planned("true");
    outcome.remove(PLAN);

    assert_eq!(outcome.audit().unwrap().word, Word::NoPlan);
}

#[test]
fn every_outcome_is_recorded_as_what_it_is() {
    for (argv, word, code) in [
        ("true", Word::Pass, None),
        ("false", Word::Fail, Some("check-failed")),
        ("gone", Word::Unknown, Some("check-not-run")),
    ] {
        let fake = Fake::sealed(argv);

        let outcome = fake.audit().unwrap();

        assert_eq!(said(&outcome), (word, code.into_iter().collect()), "{argv}");
        let Details::Audit(audited) = &outcome.details else {
            panic!("{outcome:?}")
        };
        assert!(audited.plans[0].record.is_some(), "{argv}");
        assert_eq!(fake.notes.commits(), 2, "{argv}");
        fake.commit();
        let verdict = if word == Word::Pass {
            Word::Pass
        } else {
            Word::Fail
        };
        assert_eq!(fake.verify("HEAD").unwrap().word, verdict, "{argv}");
    }
}

#[test]
fn a_change_during_the_audit_is_fail_and_proves_nothing() {
    let fake = Fake::sealed("write other text");

    let outcome = fake.audit().unwrap();

    assert_eq!(said(&outcome), (Word::Fail, vec!["changed-during-audit"]));
    fake.commit();
    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["no-evidence"])
    );
}

#[test]
fn an_odd_state_is_audited_and_proves_nothing() {
    let fake = Fake::sealed("true");
    fake.flags
        .borrow_mut()
        .insert(Flag::Filtered, Noted::of(["a"]));

    let outcome = fake.audit().unwrap();

    assert_eq!(outcome.word, Word::Pass);
    let Details::Audit(audited) = &outcome.details else {
        panic!("{outcome:?}")
    };
    assert!(!audited.plans[0].usable);
    fake.commit();
    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["no-evidence"])
    );
}

/// Audits a good plan of one step that touches one of so many files; returns what is said of it.
fn told_of_touching(count: usize) -> Vec<(Option<u64>, String)> {
    let fake = Fake::sealed("true");
    fake.touching.set((count, "a.txt"));

    let outcome = fake.audit().unwrap();

    assert_eq!(outcome.word, Word::Pass);
    let Details::Audit(audited) = &outcome.details else {
        panic!("not an audit");
    };
    assert!(audited.plans.iter().all(|plan| plan.usable));
    let state = audited.state.as_ref().unwrap();
    assert_eq!(state.flags[&Flag::Touched].paths, ["a.txt"]);
    let found = outcome.findings.iter();
    let found = found.filter(|finding| finding.row.code == "files-touched");
    found
        .map(|finding| (finding.step, finding.message.clone()))
        .collect()
}

#[test]
fn files_that_are_touched_are_told_with_the_step() {
    let told = told_of_touching(500_000);

    assert_eq!(told.len(), 2);
    assert_eq!(told[0].0, Some(1));
    assert!(
        told[0]
            .1
            .contains("while step 1 of plan default ran: a.txt")
    );
    assert!(told[1].1.contains("after the last step"), "{told:?}");
}

#[test]
fn too_many_files_to_look_at_after_each_step_are_looked_at_once() {
    let told = told_of_touching(500_001);

    assert_eq!(told.len(), 1);
    assert_eq!(told[0].0, None);
    assert!(told[0].1.contains("too many files"), "{told:?}");
}
