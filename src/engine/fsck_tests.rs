//! `fsck` in a world in memory: what the whole ledger comes to, and what is told of it.

use super::testing::{Fake, said};
use crate::ledger::notes::Batch;
use crate::ledger::testing::object;
use crate::model::outcome::{Details, ListedRecord, Outcome, Word};

/// A world whose sealed plan passed and is committed.
fn proven() -> Fake {
    let fake = Fake::sealed("true");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    fake
}

/// Lists the records that an outcome tells of.
fn records(outcome: &Outcome) -> &[ListedRecord] {
    let Details::Fsck(ledger) = &outcome.details else {
        panic!("{:?}", outcome.details);
    };
    &ledger.records
}

#[test]
fn every_record_of_an_honest_ledger_is_sound_and_counts() {
    let found = proven().fsck().unwrap();

    assert_eq!(said(&found), (Word::Ok, vec![]));
    assert_eq!(records(&found).len(), 3);
    let all = records(&found).iter();
    assert!(all.clone().all(|record| record.is_sound && record.counts));
    assert!(records(&found).is_sorted());
}

#[test]
fn a_line_that_nobody_proved_is_listed_and_is_no_fault() {
    let fake = proven();
    let mut lines = fake.lines();
    for line in lines.values_mut().flatten() {
        let Some((before, mac)) = line.split_once("\"mac\":\"") else {
            continue;
        };
        if line.contains("\"kind\":\"audit\"") {
            let other = if mac.starts_with('0') { '1' } else { '0' };
            let rest = mac.split_at(1).1;
            *line = format!("{before}\"mac\":\"{other}{rest}");
        }
    }
    fake.notes.rewrite(&lines);
    fake.notes.forget_history();
    fake.forget();

    let found = fake.fsck().unwrap();

    let bad = records(&found).iter().filter(|record| !record.is_sound);
    assert_eq!(
        bad.map(|bad| bad.kind.as_str()).collect::<Vec<_>>(),
        ["audit"]
    );
    assert_eq!(records(&found).iter().filter(|one| one.counts).count(), 2);
    assert_eq!(said(&found), (Word::Ok, vec![]));
}

#[test]
fn a_record_that_was_removed_is_unknown_and_one_that_waits_is_told() {
    let fake = proven();
    let mut lines = fake.lines();
    for each in lines.values_mut() {
        each.retain(|line| !line.contains("\"kind\":\"audit\""));
    }
    fake.notes.rewrite(&lines);
    fake.forget();
    fake.waiting.borrow_mut().push(Batch {
        target: object(1),
        lines: vec!["x".to_owned()],
        kept: Vec::new(),
        subject: String::new(),
    });

    let (word, codes) = said(&fake.fsck().unwrap());

    assert_eq!(word, Word::Unknown);
    assert_eq!(codes, ["ledger-removed", "ledger-waiting"]);
}

#[test]
fn a_contract_that_is_gone_is_unknown() {
    let fake = proven();
    let tree = fake.notes.tree();
    let kept = tree.iter().find(|(target, blob)| target == blob).unwrap();

    fake.notes.lose(kept.1);

    let (word, codes) = said(&fake.fsck().unwrap());
    assert_eq!(word, Word::Unknown);
    assert!(codes.contains(&"ledger-missing"), "{codes:?}");
}
