//! Appending in a world in memory: what waits when it fails, and how chains go on.

use super::testing::{Fake, PLAN, said};
use crate::ledger::judged::Ledger;
use crate::ledger::reading;
use crate::ledger::testing::trust;
use crate::model::outcome::{Details, Outcome, Word};

/// Judges the ledger, of which the clones 1 and 2 are trusted.
fn judged(fake: &Fake) -> Ledger {
    Ledger::judge(reading::read(&fake.notes).unwrap(), &trust(&[1, 2]))
}

/// Demands a ledger in which nothing is odd, with so many records.
#[track_caller]
fn is_whole(fake: &Fake, records: usize) {
    let ledger = judged(fake);
    assert_eq!(ledger.findings, []);
    assert_eq!(ledger.in_order().len(), records);
}

#[test]
fn a_chain_opens_with_an_instance_and_goes_on() {
    let fake = Fake::sealed("true");
    fake.audit().unwrap();
    fake.audit().unwrap();

    is_whole(&fake, 4);
    assert_eq!(judged(&fake).heads().len(), 1);
}

#[test]
fn an_append_that_fails_keeps_its_lines_and_says_so() {
    let fake = Fake::sealed("false");
    fake.notes.stick(true);

    let outcome = fake.audit().unwrap();

    assert_eq!(
        said(&outcome),
        (Word::Unknown, vec!["check-failed", "not-recorded"])
    );
    assert_eq!((fake.notes.commits(), fake.waiting.borrow().len()), (1, 1));
}

#[test]
fn the_next_append_takes_what_waits_first() {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().push_back(1);
    fake.notes.stick(true);
    fake.audit().unwrap();
    fake.notes.stick(false);

    assert_eq!(fake.audit().unwrap().word, Word::Pass);

    assert_eq!((fake.notes.commits(), fake.waiting.borrow().len()), (3, 0));
    is_whole(&fake, 4);
    fake.commit();
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Pass);
}

#[test]
fn what_waits_counts_for_nothing_until_it_is_in_the_ledger() {
    let fake = Fake::sealed("true");
    fake.notes.stick(true);
    assert_eq!(fake.audit().unwrap().word, Word::Unknown);

    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["no-evidence"])
    );
}

#[test]
fn without_a_proof_nothing_is_recorded_and_what_the_checks_gave_is_kept() {
    let fake = Fake::sealed("false");
    fake.can_sign.set(false);

    assert_eq!(
        said(&fake.audit().unwrap()),
        (Word::Unknown, vec!["check-failed", "not-recorded"])
    );

    assert_eq!((fake.notes.commits(), fake.unproven.borrow().len()), (1, 1));
}

#[test]
fn what_was_not_proven_goes_first_once_the_key_is_back_at_the_head_of_then() {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().push_back(1);
    fake.can_sign.set(false);
    fake.audit().unwrap();
    assert_eq!(
        said(&fake.audit().unwrap()),
        (Word::Unknown, vec!["not-recorded"]),
        "nothing runs while something waits that cannot be proven"
    );
    assert_eq!(fake.ran.borrow().len(), 1);
    fake.can_sign.set(true);

    assert_eq!(fake.audit().unwrap().word, Word::Pass);

    assert_eq!((fake.notes.commits(), fake.unproven.borrow().len()), (3, 0));
    is_whole(&fake, 4);
}

#[test]
fn a_seal_that_cannot_be_proven_is_not_kept() {
    let fake = Fake::planned("true");
    fake.can_sign.set(false);

    assert_eq!(
        said(&fake.seal().unwrap()),
        (Word::Unknown, vec!["not-recorded"])
    );

    assert_eq!(fake.unproven.borrow().len(), 0);
}

#[test]
fn a_lost_hint_of_the_own_head_is_found_in_the_ledger() {
    let fake = Fake::sealed("true");
    fake.notes.stick(false);
    fake.forget();

    fake.audit().unwrap();

    is_whole(&fake, 3);
}

#[test]
fn what_cannot_be_remembered_is_told_and_forks_nothing() {
    let fake = Fake::sealed("true");
    fake.can_remember.set(false);
    let told = (Word::Pass, vec!["not-remembered"]);
    assert_eq!(said(&fake.audit().unwrap()), told);
    assert_eq!(said(&fake.audit().unwrap()), told);
    fake.can_remember.set(true);

    assert_eq!(said(&fake.audit().unwrap()), (Word::Pass, vec![]));
    assert_eq!(said(&fake.audit().unwrap()), (Word::Pass, vec![]));

    is_whole(&fake, 6);
}

#[test]
fn a_memory_that_is_behind_the_ledger_forks_nothing() {
    let fake = Fake::sealed("true");
    let behind = fake.memory();
    fake.audit().unwrap();
    fake.recall(behind);

    fake.audit().unwrap();
    fake.audit().unwrap();

    is_whole(&fake, 5);
}

#[test]
fn a_record_after_a_fork_is_not_called_proof() {
    let fake = Fake::sealed("true");
    let head = judged(&fake).heads().pop_first().unwrap();
    fake.audit().unwrap();
    fake.go_back_to(head);
    fake.write("a", "other");
    fake.audit().unwrap();

    let outcome = fake.audit().unwrap();

    assert_eq!(said(&outcome).1, ["ledger-fork", "not-counted"]);
    assert!(!usable(&outcome));
}

#[test]
fn the_record_that_forks_the_chain_is_not_called_proof() {
    let fake = Fake::sealed("true");
    let head = judged(&fake).heads().pop_first().unwrap();
    fake.audit().unwrap();
    fake.go_back_to(head);
    fake.write("a", "other");

    let outcome = fake.audit().unwrap();

    assert_eq!(said(&outcome).1, ["not-counted"]);
    assert!(!usable(&outcome));
}

/// Says whether an audit calls what it recorded proof.
fn usable(outcome: &Outcome) -> bool {
    let Details::Audit(audited) = &outcome.details else {
        panic!("{outcome:?}");
    };
    audited.plans.iter().all(|plan| plan.usable)
}

#[test]
fn two_clones_write_two_chains_that_have_seen_each_other() {
    let fake = Fake::sealed("true");
    fake.be(2);
    fake.audit().unwrap();
    fake.be(1);
    fake.audit().unwrap();

    is_whole(&fake, 5);
    assert_eq!(judged(&fake).heads().len(), 1);
}

#[test]
fn a_removed_plan_leaves_the_ledger_as_it_is() {
    let fake = Fake::sealed("true");
    fake.remove(PLAN);
    fake.audit().unwrap();

    is_whole(&fake, 2);
}
