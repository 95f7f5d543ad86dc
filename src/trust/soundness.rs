//! Which records are sound: proven by the key that they name (D3).
//!
//! A [`Verified`] record can only be made here.

use std::collections::{BTreeMap, BTreeSet};

use super::keyring::Keyring;
use crate::model::ids::RecordId;
use crate::model::record::{Proof, Record, Role};

/// Something whose proof was checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verified<T> {
    /// What was proven.
    value: T,
    /// The roles in which it was; at least one.
    roles: BTreeSet<Role>,
}

impl<T> Verified<T> {
    /// Says whether it was proven in a role.
    pub(crate) fn is_in(&self, role: Role) -> bool {
        self.roles.contains(&role)
    }
}

impl<T> std::ops::Deref for Verified<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// All copies of one record: the same id, so the same bytes, under any number of proofs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Copies {
    /// The record, with the proof of its first copy.
    pub(crate) record: Record,
    /// The proofs of all copies.
    pub(crate) proofs: BTreeSet<Proof>,
}

impl Copies {
    /// Takes the first copy of a record.
    pub(crate) fn of(record: Record) -> Self {
        let proofs = BTreeSet::from([record.proof.clone()]);
        Self { record, proofs }
    }
}

/// Returns the sound ones: one valid proof among the copies is enough.
pub(crate) fn sound(
    copies: &BTreeMap<RecordId, Copies>,
    keyring: &Keyring,
) -> BTreeMap<RecordId, Verified<Record>> {
    let mut sound: BTreeMap<RecordId, Verified<Record>> = BTreeMap::new();
    let mut add = |record: &Record, roles: &BTreeSet<Role>| {
        let known = sound.entry(record.id).or_insert_with(|| Verified {
            value: record.clone(),
            roles: BTreeSet::new(),
        });
        known.roles.extend(roles);
    };
    for (id, each) in copies {
        let writer = &each.record.header.writer;
        let proofs = each.proofs.iter();
        let roles = proofs.filter_map(|proof| keyring.role(writer, id, proof));
        let roles: BTreeSet<Role> = roles.collect();
        if !roles.is_empty() {
            add(&each.record, &roles);
            for covered in vouched(copies, &each.record) {
                add(covered, &roles);
            }
        }
    }
    sound
}

/// Returns the records that a proven one vouches for: exactly the `covers` before it in its
/// chain, each of which names it as its proof; the first that does not ends the row.
fn vouched<'a>(
    copies: &'a BTreeMap<RecordId, Copies>,
    last: &'a Record,
) -> impl Iterator<Item = &'a Record> {
    let before = |record: &Record| {
        record
            .header
            .prev
            .first()
            .and_then(|id| copies.get(id))
            .filter(|each| {
                let header = &each.record.header;
                header.writer == last.header.writer
                    && header.instance == last.header.instance
                    && header.ledger == last.header.ledger
                    && each.proofs.contains(&Proof::By(last.id))
            })
    };
    let count = usize::try_from(last.header.covers).unwrap_or(usize::MAX);
    std::iter::successors(before(last), move |each| before(&each.record))
        .map(|each| &each.record)
        .take(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ids::{InstanceId, LedgerId, Oid, Writer};
    use crate::model::record::Header;
    use crate::model::time::Timestamp;
    use crate::trust::keyring::{hmac_id, mac};
    use crate::wire::proof::message;
    use crate::wire::record::{Draft, Line, parse};

    const KEY: [u8; 32] = [7; 32];

    fn record(prev: RecordId, covers: u32, instance: u8, proof: Option<Proof>) -> Record {
        let header = Header {
            kind: "audit".to_owned(),
            ledger: LedgerId::new([1; 32]),
            writer: Writer::Hmac(hmac_id(&KEY)),
            instance: InstanceId::new([instance; 16]),
            prev: vec![prev],
            time: Timestamp::from_seconds(0).unwrap(),
            head: Oid::Sha1([0; 20]),
            covers,
        };
        let draft = Draft::new(&header, "{}");
        let mac = mac(&KEY, &message(&draft.id())).unwrap();
        let proof = proof.unwrap_or(Proof::Hmac {
            key: hmac_id(&KEY),
            mac,
        });
        let Ok(Line::Record(record)) = parse(draft.line(&proof).as_bytes()) else {
            panic!()
        };
        *record
    }

    fn by(record: &Record, id: RecordId) -> Record {
        Record {
            proof: Proof::By(id),
            ..record.clone()
        }
    }

    fn sound_ids(records: &[&Record]) -> Vec<RecordId> {
        let mut keyring = Keyring::default();
        keyring.add(KEY.to_vec());
        let copies = records
            .iter()
            .map(|record| (record.id, Copies::of((*record).clone())));
        sound(&copies.collect(), &keyring).into_keys().collect()
    }

    #[test]
    fn a_signed_record_vouches_for_exactly_the_ones_before_it() {
        let nobody = Some(Proof::By(RecordId::NONE));
        let first = record(RecordId::NONE, 0, 1, nobody.clone());
        let second = record(first.id, 0, 1, nobody.clone());
        let third = record(second.id, 0, 1, nobody);
        let last = record(third.id, 2, 1, None);
        let (first, second, third) = (
            by(&first, last.id),
            by(&second, last.id),
            by(&third, last.id),
        );

        let mut expected = vec![second.id, third.id, last.id];
        expected.sort();

        assert_eq!(sound_ids(&[&first, &second, &third, &last]), expected);
    }

    #[test]
    fn a_record_that_no_one_covers_is_not_sound() {
        let stray = record(RecordId::NONE, 0, 1, Some(Proof::By(RecordId::NONE)));
        let other_clone = record(RecordId::NONE, 0, 2, Some(Proof::By(RecordId::NONE)));
        let last = record(other_clone.id, 1, 1, None);

        let stray = by(&stray, last.id);
        let other_clone = by(&other_clone, last.id);

        assert_eq!(sound_ids(&[&stray, &other_clone, &last]), [last.id]);
    }
}
