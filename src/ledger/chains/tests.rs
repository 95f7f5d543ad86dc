//! Tests of the chains: what continues one, what breaks one, and whose lines count.

use super::*;
use crate::model::ids::{LedgerId, Oid};
use crate::model::record::{Header, Proof};
use crate::model::time::Timestamp;
use crate::trust::keyring::{Keyring, hmac_id, mac};
use crate::trust::soundness::{Copies, sound};
use crate::wire::proof::message;
use crate::wire::record::Draft;

const KEY: [u8; 32] = [7; 32];

/// A true record in the chain of one clone.
fn record(kind: Kind, instance: u8, prev: &[RecordId], body: &str) -> Record {
    let header = Header {
        kind: kind.as_str().to_owned(),
        ledger: LedgerId::new([1; 32]),
        writer: Writer::Hmac(hmac_id(&KEY)),
        instance: InstanceId::new([instance; 16]),
        prev: prev.to_vec(),
        time: Timestamp::from_seconds(0).unwrap(),
        head: Oid::Sha1([0; 20]),
        covers: 0,
    };
    let id = Draft::new(&header, body).id();
    let mac = mac(&KEY, &message(&id)).unwrap();
    let proof = Proof::Hmac {
        key: hmac_id(&KEY),
        mac,
    };
    Record {
        header,
        body: body.to_owned(),
        id,
        proof,
    }
}

fn all(records: &[&Record]) -> Sound {
    let mut keyring = Keyring::default();
    keyring.add(KEY.to_vec());
    let copies = records
        .iter()
        .map(|record| (record.id, Copies::of((*record).clone())));
    sound(&copies.collect(), &keyring)
}

#[test]
fn a_whole_chain_has_no_break_and_one_head() {
    let first = record(Kind::Instance, 1, &[RecordId::NONE], "{}");
    let second = record(Kind::Seal, 1, &[first.id], "{}");
    let third = record(Kind::Audit, 1, &[second.id], "{}");
    let sound = all(&[&third, &first, &second]);

    assert_eq!(breaks(&sound), []);
    assert_eq!(heads(&sound), BTreeSet::from([third.id]));
    assert_eq!(
        last(&sound, &first.header.writer, first.header.instance),
        Some(third.id)
    );
    assert_eq!(in_order(&sound), [first.id, second.id, third.id]);
    assert_eq!(
        ancestors(&sound, third.id),
        BTreeSet::from([RecordId::NONE, first.id, second.id])
    );
}

#[test]
fn a_record_that_is_gone_leaves_a_gap() {
    let first = record(Kind::Instance, 1, &[RecordId::NONE], "{}");
    let second = record(Kind::Seal, 1, &[first.id], "{}");
    let third = record(Kind::Audit, 1, &[second.id], "{}");

    let found = breaks(&all(&[&first, &third]));

    assert_eq!(
        found,
        [Break::Gap {
            after: third.id,
            missing: second.id
        }]
    );
}

#[test]
fn a_chain_written_twice_does_not_count_from_there_on() {
    let first = record(Kind::Instance, 1, &[RecordId::NONE], "{}");
    let left = record(Kind::Audit, 1, &[first.id], "{\"a\":1}");
    let right = record(Kind::Audit, 1, &[first.id], "{\"a\":2}");
    let later = record(Kind::Audit, 1, &[right.id], "{}");
    let sound = all(&[&first, &left, &right, &later]);

    assert_eq!(
        after_forks(&sound),
        BTreeSet::from([left.id, right.id, later.id])
    );
    assert!(matches!(breaks(&sound).as_slice(), [Break::Fork { branches }] if branches.len() == 2));
}

#[test]
fn a_chain_opens_with_an_instance() {
    let first = record(Kind::Audit, 1, &[RecordId::NONE], "{}");

    assert_eq!(
        breaks(&all(&[&first])),
        [Break::Headless { first: first.id }]
    );
}

#[test]
fn two_clones_are_two_chains() {
    let first = record(Kind::Instance, 1, &[RecordId::NONE], "{}");
    let other = record(Kind::Instance, 2, &[RecordId::NONE, first.id], "{}");
    let sound = all(&[&first, &other]);

    assert_eq!(breaks(&sound), []);
    assert_eq!(heads(&sound), BTreeSet::from([other.id]));
}

#[test]
fn a_record_of_another_chain_is_no_predecessor() {
    let first = record(Kind::Instance, 1, &[RecordId::NONE], "{}");
    let other = record(Kind::Audit, 2, &[first.id], "{}");

    let found = breaks(&all(&[&first, &other]));

    assert_eq!(
        found,
        [Break::Gap {
            after: other.id,
            missing: first.id
        }]
    );
}

#[test]
fn a_record_of_another_chain_that_was_seen_and_is_gone_is_missed() {
    let first = record(Kind::Instance, 1, &[RecordId::NONE], "{}");
    let other = record(Kind::Instance, 2, &[RecordId::NONE], "{}");
    let second = record(Kind::Audit, 1, &[first.id, other.id], "{}");

    assert_eq!(breaks(&all(&[&first, &other, &second])), []);
    assert_eq!(
        breaks(&all(&[&first, &second])),
        [Break::Unseen {
            after: second.id,
            missing: other.id
        }]
    );
}
