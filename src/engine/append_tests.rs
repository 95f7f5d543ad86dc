//! Appending in a world in memory: what waits when it fails, and how chains go on.

use super::testing::{Fake, PLAN, Proves, plan, said};
use crate::ledger::judged::Ledger;
use crate::ledger::notes::{Batch, Entry};
use crate::ledger::reading;
use crate::ledger::testing::{Lines, object, trust};
use crate::model::outcome::{Details, Outcome, Word};
use crate::model::record::Kind;
use crate::model::state::{Flag, Noted};

/// Judges the ledger, of which the clones 1 and 2 are trusted.
fn judged(fake: &Fake) -> Ledger {
    Ledger::judge(&reading::read(&fake.notes).unwrap(), &trust(&[1, 2]))
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
fn what_no_record_can_hold_is_given_up_and_is_not_in_the_way() {
    let fake = Fake::sealed("flaky");
    fake.can_sign.set(false);
    fake.audit().unwrap();
    fake.can_sign.set(true);
    let entry = fake.unproven.borrow().first().unwrap().clone();
    let too_long = Entry {
        records: vec![(Kind::Audit, format!("{{\"x\":\"{}\"}}", "x".repeat(70_000)))],
        ..entry
    };
    fake.unproven.borrow_mut().insert(0, too_long);

    assert_eq!(said(&fake.audit().unwrap()), (Word::Pass, vec!["given-up"]));

    assert_eq!(fake.unproven.borrow().len(), 0);
    is_whole(&fake, 4);
}

#[test]
fn a_state_of_long_paths_is_recorded_all_the_same() {
    let fake = Fake::sealed("flaky");
    let paths = (0..9).map(|n| format!("{n}{}", "\u{1f600}".repeat(300)));
    let noted = Noted::of(paths.map(String::into_bytes));
    let all = Flag::TABLE
        .into_iter()
        .map(|(flag, ..)| (flag, noted.clone()));
    let all = all.filter(|(flag, _)| *flag != Flag::Unmerged);
    fake.flags.replace(all.collect());
    fake.exits.borrow_mut().extend([1]);

    let outcome = fake.audit().unwrap();

    assert_eq!(outcome.word, Word::Fail);
    is_whole(&fake, 3);
    let ledger = judged(&fake);
    let (_, body) = ledger.audits().into_iter().next().unwrap();
    assert_eq!(body.before.flags, body.after.flags);
    assert!(body.before.flags.values().all(|noted| noted.count == 9));
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

/// Puts every line of a kind of record that the ledger holds where batches wait.
fn replay(fake: &Fake, kind: &str) {
    let of_kind = format!("\"kind\":\"{kind}\"");
    for (target, lines) in fake.lines() {
        let lines = lines.into_iter().filter(|line| line.contains(&of_kind));
        fake.waiting.borrow_mut().extend(lines.map(|line| Batch {
            target,
            lines: vec![line],
            kept: Vec::new(),
            subject: "audit default: PASS for tree 0000000".to_owned(),
        }));
    }
}

#[test]
fn lines_that_the_ledger_holds_are_not_taken_again() {
    let fake = Fake::sealed("flaky");
    fake.audit().unwrap();
    replay(&fake, "audit");
    fake.exits.borrow_mut().push_back(1);

    let outcome = fake.audit().unwrap();

    assert_eq!(said(&outcome), (Word::Fail, vec!["check-failed"]));
    assert_eq!((fake.notes.commits(), fake.waiting.borrow().len()), (3, 0));
    is_whole(&fake, 4);
    fake.commit();
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Fail);
}

#[test]
fn what_waits_and_does_not_go_on_at_the_end_of_the_chain_is_dropped_and_told() {
    let fake = Fake::sealed("true");
    // A line of this clone that this ledger never held, after a record that has another successor.
    let twin = Fake::sealed("true");
    twin.write("a", "other");
    twin.audit().unwrap();
    replay(&twin, "audit");
    fake.audit().unwrap();
    fake.waiting.replace(twin.waiting.take());

    let outcome = fake.audit().unwrap();

    assert_eq!(said(&outcome), (Word::Pass, vec!["pending-dropped"]));
    assert_eq!(fake.waiting.borrow().len(), 0);
    is_whole(&fake, 4);
}

#[test]
fn what_waits_without_a_record_of_this_clone_writes_nothing() {
    let of_another = {
        let other = Fake::with(Proves::Hmac);
        other.be(2);
        other.write(PLAN, &plan("true"));
        other.seal().unwrap();
        replay(&other, "seal");
        other.waiting.take()
    };
    let empty = Batch {
        lines: Vec::new(),
        ..of_another[0].clone()
    };
    let elsewhere = {
        let other = Fake::sealed("true");
        replay(&other, "instance");
        let batch = other.waiting.take().remove(0);
        Batch {
            target: object(9),
            ..batch
        }
    };
    for batch in [of_another[0].clone(), empty, elsewhere] {
        let fake = Fake::planned("true");
        fake.waiting.borrow_mut().push(batch);

        let outcome = fake.seal().unwrap();

        assert_eq!(said(&outcome), (Word::Ok, vec!["pending-dropped"]));
        assert_eq!((fake.notes.commits(), fake.waiting.borrow().len()), (1, 0));
        is_whole(&fake, 2);
    }
}

#[test]
fn a_record_that_the_ledger_lacks_and_nobody_can_put_back_is_missed_and_not_forked() {
    let fake = Fake::sealed("true");
    fake.audit().unwrap();
    let lines = fake.lines();
    fake.forget_batches();
    let without: Lines = lines
        .into_iter()
        .map(|(target, mut lines)| {
            lines.retain(|line| !line.contains("\"kind\":\"audit\""));
            (target, lines)
        })
        .collect();
    fake.notes.rewrite(&without);
    fake.notes.forget_history();

    fake.audit().unwrap();

    let codes: Vec<&str> = judged(&fake)
        .findings
        .iter()
        .map(|each| each.row.code)
        .collect();
    assert_eq!(codes, ["ledger-gap"]);
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
