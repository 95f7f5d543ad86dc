//! The end of a lineage, in a world in memory.

use super::close::How;
use super::testing::{Fake, PLAN, plan, said};
use crate::model::finding::{Finding, Severity};
use crate::model::outcome::{Became, Details, Outcome, Word};
use crate::model::record::Role;

fn head() -> How {
    How::Proven {
        revision: "HEAD".to_owned(),
    }
}

fn given_up(role: Role) -> How {
    How::Abandoned {
        seal: None,
        reason: "too much".to_owned(),
        role,
    }
}

fn is_closed(outcome: &Outcome) -> bool {
    matches!(&outcome.details, Details::Verify(commits) if commits[0].plans.iter().all(|plan| plan.is_closed))
}

/// A world whose plan is sealed, proven and committed.
fn proven() -> Fake {
    let fake = Fake::sealed("true");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    fake
}

#[test]
fn a_proven_plan_is_closed_once() {
    let fake = proven();

    let first = fake.close(head()).unwrap();
    let second = fake.close(head()).unwrap();

    assert_eq!((first.word, second.word), (Word::Ok, Word::Ok));
    assert!(
        matches!(&second.details, Details::Close(closed) if closed.became == Became::EndedBefore)
    );
}

#[test]
fn what_is_not_proven_cannot_be_closed() {
    let fake = Fake::sealed("true");
    fake.commit();

    let (word, codes) = said(&fake.close(head()).unwrap());

    assert_eq!(word, Word::Refused);
    assert!(codes.contains(&"nothing-to-close"), "{codes:?}");
}

#[test]
fn a_closed_plan_that_is_proven_passes_until_it_is_spent() {
    let fake = proven();
    fake.close(head()).unwrap();
    let tip = fake.commit();
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Pass);

    fake.trust(tip);
    fake.write("more", "");
    fake.commit();

    let outcome = fake.verify("HEAD").unwrap();
    assert_eq!(outcome.word, Word::NoPlan, "{:?}", said(&outcome));
    assert!(is_closed(&outcome));
}

#[test]
fn work_after_the_end_needs_no_evidence_and_a_new_plan_a_new_lineage() {
    let fake = proven();
    fake.close(head()).unwrap();
    fake.write("more", "");
    fake.commit();
    assert!(is_closed(&fake.verify("HEAD").unwrap()));

    fake.write(PLAN, &plan("false"));

    assert_eq!(fake.seal().unwrap().word, Word::Ok);
}

/// Returns what is said of a plan that has come to its end.
fn ended(outcome: &Outcome) -> Option<&Finding> {
    let mut findings = outcome.findings.iter();
    findings.find(|finding| finding.row.code == "ended-here")
}

#[test]
fn a_weaker_plan_after_a_closed_one_is_told() {
    let fake = proven();
    fake.close(head()).unwrap();
    fake.write(PLAN, &plan("also"));
    fake.seal().unwrap();
    fake.audit().unwrap();
    fake.commit();

    let outcome = fake.verify("HEAD").unwrap();
    assert_eq!(outcome.word, Word::Pass);
    assert_eq!(
        ended(&outcome).map(|finding| finding.row.severity),
        Some(Severity::Info)
    );
}

#[test]
fn a_plan_that_is_open_again_is_not_said_to_have_ended() {
    let fake = Fake::sealed("also");
    fake.write(PLAN, &plan("true"));
    fake.renew(Role::Record).unwrap();
    fake.audit().unwrap();
    fake.commit();
    let record = fake.close(head()).unwrap();
    let Details::Close(closed) = &record.details else {
        panic!("{:?}", said(&record));
    };
    let id = closed.record.short();

    fake.write(PLAN, &plan("other"));
    fake.seal().unwrap();
    fake.audit().unwrap();
    fake.commit();
    let outcome = fake.verify("HEAD").unwrap();
    let hint = format!("git plan-audit show {id}");
    assert_eq!(ended(&outcome).unwrap().hint.as_deref(), Some(&*hint));

    fake.write(PLAN, &plan("true"));
    fake.renew(Role::Record).unwrap();
    fake.audit().unwrap();
    fake.commit();
    let outcome = fake.verify("HEAD").unwrap();
    assert_eq!(outcome.word, Word::Pass);
    assert_eq!(ended(&outcome), None);
}

#[test]
fn a_closed_plan_is_audited_only_when_it_is_named() {
    let fake = proven();
    fake.close(head()).unwrap();
    let before = fake.ran.borrow().len();

    assert_eq!(fake.audit().unwrap().word, Word::NoPlan);
    assert_eq!(fake.ran.borrow().len(), before);
    assert_eq!(fake.audit_of("default").unwrap().word, Word::Pass);
}

#[test]
fn a_plan_that_was_given_up_may_go() {
    let fake = Fake::sealed("false");
    fake.commit();
    fake.remove(PLAN);
    assert_eq!(said(&fake.audit().unwrap()).0, Word::Refused);

    assert_eq!(fake.close(given_up(Role::Record)).unwrap().word, Word::Ok);

    fake.commit();
    let told = (Word::NoPlan, vec!["given-up-here"]);
    assert_eq!(said(&fake.verify("HEAD").unwrap()), told);
}

#[test]
fn where_somebody_approves_giving_up_needs_approval() {
    let fake = Fake::with_approver();
    fake.write("more", "");

    fake.be(2);
    let asked = fake.close(given_up(Role::Record)).unwrap();
    assert_eq!(said(&asked), (Word::Ok, vec!["close-unapproved"]));
    assert!(matches!(&asked.details, Details::Close(closed) if closed.became == Became::Waiting));
    fake.commit();
    let (word, codes) = said(&fake.verify("HEAD").unwrap());
    assert_eq!(word, Word::Fail);
    assert!(codes.contains(&"close-unapproved"), "{codes:?}");

    fake.be(1);
    assert_eq!(fake.close(given_up(Role::Approve)).unwrap().word, Word::Ok);
    assert!(is_closed(&fake.verify("HEAD").unwrap()));
}

#[test]
fn a_shared_key_cannot_approve() {
    let fake = Fake::sealed("true");

    let outcome = fake.close(given_up(Role::Approve)).unwrap();

    assert_eq!(said(&outcome), (Word::Refused, vec!["cannot-approve"]));
}
