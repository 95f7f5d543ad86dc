//! `seal` in a world in memory: what it records and what it refuses.

use super::testing::{Fake, PLAN, plan, said};
use crate::model::claim::evidence::{Reason, Tested};
use crate::model::outcome::{Details, Outcome, Word};
use crate::model::record::Role;
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
fn a_plan_that_asks_for_less_is_refused_with_what_differs() {
    let fake = Fake::sealed("true");

    fake.write(PLAN, &plan("false"));

    let outcome = fake.seal().unwrap();
    assert_eq!(said(&outcome), refused(&["weakened"]));
    assert!(outcome.findings[0].message.contains("true became false"));
    assert_eq!(fake.notes.commits(), 1);
}

#[test]
fn a_plan_that_asks_for_something_else_is_refused() {
    let fake = Fake::sealed("true");

    fake.write(
        PLAN,
        &plan("true").replacen("\"task\":\"", "\"task\":\"another ", 1),
    );

    assert_eq!(said(&fake.seal().unwrap()), refused(&["scope-changed"]));
}

/// The plan of one check with one more.
fn stronger() -> String {
    let check = "{\"type\":\"run\",\"argv\":[\"more\"]}";
    plan("true").replacen("\"verify\":[", &format!("\"verify\":[{check},"), 1)
}

#[test]
fn a_plan_that_asks_for_more_continues_the_seal() {
    let fake = Fake::sealed("true");
    fake.commit();

    fake.write(PLAN, &stronger());

    let outcome = fake.seal().unwrap();
    let Details::Seal(sealed) = &outcome.details else {
        panic!("{outcome:?}")
    };
    assert_eq!((sealed.generation, sealed.continues.len()), (1, 1));
    assert_eq!(sealed.changes.len(), 1);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
}

#[test]
fn an_earlier_contract_does_not_come_back() {
    let fake = Fake::sealed("true");
    fake.audit().unwrap();
    fake.commit();
    fake.write(PLAN, &stronger());
    fake.seal().unwrap();
    fake.commit();

    fake.write(PLAN, &plan("true"));
    fake.commit();

    let (word, codes) = said(&fake.verify("HEAD").unwrap());
    assert_eq!((word, codes), (Word::Fail, vec!["contract-rolled-back"]));
    assert_eq!(
        said(&fake.audit().unwrap()),
        refused(&["contract-rolled-back"])
    );
    assert_eq!(said(&fake.seal().unwrap()), refused(&["weakened"]));
}

#[test]
fn a_new_generation_may_ask_for_less_and_is_told_first() {
    let fake = Fake::sealed("true");
    fake.commit();
    fake.write(PLAN, &plan("also"));

    let outcome = fake.renew(Role::Record).unwrap();

    assert!(matches!(&outcome.details, Details::Seal(sealed) if sealed.generation == 2));
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    let told = (Word::Pass, vec!["generation-unapproved"]);
    assert_eq!(said(&fake.verify("HEAD").unwrap()), told);
}

#[test]
fn all_generations_that_nobody_approved_are_told_in_one_line() {
    let fake = Fake::sealed("true");
    for argv in ["also", "third", "fourth"] {
        fake.write(PLAN, &plan(argv));
        fake.renew(Role::Record).unwrap();
    }
    fake.audit().unwrap();
    fake.commit();

    let outcome = fake.verify("HEAD").unwrap();

    assert_eq!(said(&outcome), (Word::Pass, vec!["generation-unapproved"]));
    let told = &outcome.findings[0].message;
    assert!(told.contains("generation 4"), "{told}");
    assert!(
        told.ends_with("(2 generations before it likewise)"),
        "{told}"
    );
}

#[test]
fn where_somebody_approves_a_new_generation_needs_approval() {
    let fake = Fake::with_approver();
    fake.write(PLAN, &plan("also"));

    fake.be(2);
    fake.renew(Role::Record).unwrap();
    assert_eq!(
        said(&fake.audit().unwrap()),
        refused(&["generation-not-approved"])
    );

    fake.be(1);
    fake.renew(Role::Approve).unwrap();
    assert_eq!(said(&fake.audit().unwrap()), (Word::Pass, vec![]));
}

#[test]
fn an_approved_generation_counts_where_somebody_approves() {
    let fake = Fake::with_approver();
    fake.write(PLAN, &plan("also"));

    fake.renew(Role::Approve).unwrap();

    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
}

#[test]
fn a_seal_by_hand_of_a_weaker_contract_is_broken() {
    let fake = Fake::sealed("true");
    fake.commit();
    let Details::Seal(first) = fake.seal().unwrap().details else {
        panic!()
    };
    fake.write(PLAN, &plan("false"));

    fake.seal_by_hand(&[first.record], 1, None);
    fake.audit().unwrap();
    fake.commit();

    let (word, codes) = said(&fake.verify("HEAD").unwrap());
    assert_eq!((word, codes), (Word::Fail, vec!["seal-broken"]));
}

#[test]
fn a_new_generation_by_hand_needs_a_reason() {
    let fake = Fake::sealed("true");
    fake.commit();
    let Details::Seal(first) = fake.seal().unwrap().details else {
        panic!()
    };
    fake.write(PLAN, &plan("false"));

    fake.seal_by_hand(&[first.record], 2, Some("  "));
    fake.commit();

    assert_eq!(said(&fake.verify("HEAD").unwrap()).1, ["seal-broken"]);
}

#[test]
fn two_clones_that_continue_one_seal_are_settled_by_a_third() {
    let fake = Fake::sealed("true");
    fake.commit();
    let before = fake.lines();
    fake.write(PLAN, &stronger());
    fake.seal().unwrap();
    let with_one = fake.lines();
    fake.notes.rewrite(&before);
    fake.notes.forget_history();
    fake.be(2);
    fake.write(PLAN, &stronger().replace("more", "other"));
    fake.seal().unwrap();
    let mut both = fake.lines();
    for (target, texts) in with_one {
        both.entry(target).or_default().extend(texts);
    }
    fake.notes.rewrite(&both);
    assert_eq!(said(&fake.audit().unwrap()), refused(&["concurrent-seals"]));

    let more = "{\"type\":\"run\",\"argv\":[\"more\"]},";
    let other = more.replace("more", "other");
    let joined = plan("true").replacen("\"verify\":[", &format!("\"verify\":[{more}{other}"), 1);
    fake.write(PLAN, &joined);

    let outcome = fake.seal().unwrap();
    assert!(matches!(&outcome.details, Details::Seal(sealed) if sealed.continues.len() == 2));
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
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
fn what_a_step_touches_is_tested_and_blocks_what_rests_on_it() {
    for (member, tested, is_sealed) in [
        ("modifies", Tested::Verified, true),
        ("modifies", Tested::Disproved, false),
        ("deletes", Tested::Disproved, false),
        ("creates", Tested::Disproved, true),
        ("modifies", Tested::Inconclusive(Reason::Limit), true),
    ] {
        let fake = Fake::planned("true");
        fake.commit();
        fake.tested.set(tested);
        let with = format!("\"{member}\":[\"a\"],\"title\"");
        fake.write(PLAN, &plan("true").replacen("\"title\"", &with, 1));

        let outcome = fake.seal().unwrap();

        assert_eq!(outcome.word == Word::Ok, is_sealed, "{member} {tested:?}");
        if !is_sealed {
            assert_eq!(said(&outcome), refused(&["claims-refuse-seal"]));
        }
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
