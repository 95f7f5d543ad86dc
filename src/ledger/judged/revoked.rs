//! What approved `revoke` records take back: one record, or what a key wrote that the last record of it that
//! counts has not seen.
//!
//! They are evidence themselves, so that one may take back another. One that is taken back by a revocation
//! that stands has no effect. Those that take each other back all stand: whoever can make two keys
//! accuse each other gains no evidence by it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Trust, is_approved};
use crate::ledger::chains::{self, Sound};
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::{RecordId, Writer};
use crate::model::record::{Kind, Record, RevokeBody, Revoked};
use crate::model::text::{counted, shown};
use crate::wire::body;

/// One revocation that was approved.
struct Revocation {
    body: RevokeBody,
    /// What it leaves of the key that it names.
    left: BTreeSet<RecordId>,
}

impl Revocation {
    /// Says whether it takes a record back; never itself, so that a key can be given up with itself.
    fn hits(&self, own: RecordId, (id, record): (RecordId, &Record)) -> bool {
        let is_meant = match &self.body.what {
            Revoked::Record(named) => *named == id,
            Revoked::Key { writer, .. } => {
                record.header.writer == *writer && !self.left.contains(&id)
            }
        };
        is_meant && own != id
    }
}

/// Revocations by their records.
type Revocations = BTreeMap<RecordId, Revocation>;

/// What was taken back.
pub(super) struct Taken {
    /// Says what was, and which revocations nobody approved.
    pub(super) findings: Vec<Finding>,
    /// Keys of which nothing that they write from now on counts, by the record that says so.
    pub(super) keys: BTreeMap<Writer, RecordId>,
}

/// Takes out of the records that count, and of those that a fork took, what is taken back.
pub(super) fn take_back(
    evidence: &mut Sound,
    forked: &mut Sound,
    sound: &Sound,
    trust: &Trust,
) -> Taken {
    let (approved, mut findings) = approved(evidence, sound, trust);
    let standing = standing(&approved, evidence);
    let mut taken: BTreeMap<RecordId, usize> = BTreeMap::new();
    let mut is_left = |id: &RecordId, record: &Record| {
        let mut hitting = standing.iter();
        let hit = hitting.find(|own| {
            let revocation = approved.get(own);
            revocation.is_some_and(|revocation| revocation.hits(**own, (*id, record)))
        });
        if let Some(own) = hit {
            *taken.entry(*own).or_default() += 1;
        }
        hit.is_none()
    };
    evidence.retain(|id, record| is_left(id, record));
    forked.retain(|id, record| is_left(id, record));
    let told = taken.iter().filter_map(|(own, count)| {
        let revocation = approved.get(own)?;
        Some(told(*own, &revocation.body, *count))
    });
    findings.extend(told);
    let key = |own: &RecordId| match &approved.get(own)?.body.what {
        Revoked::Key { writer, .. } => Some((writer.clone(), *own)),
        Revoked::Record(_) => None,
    };
    Taken {
        findings,
        keys: standing.iter().filter_map(key).collect(),
    }
}

/// Reads the revocations that count, and says which of them nobody approved.
fn approved(evidence: &Sound, sound: &Sound, trust: &Trust) -> (Revocations, Vec<Finding>) {
    let mut approved = Revocations::new();
    let mut findings = Vec::new();
    for (id, record) in evidence {
        let Some(body) = revocation(record) else {
            continue;
        };
        if is_approved(record, trust) || !trust.signers.has_approver() {
            let left = match &body.what {
                Revoked::Key {
                    last: Some(last), ..
                } => chains::ancestors(sound, *last)
                    .into_iter()
                    .chain([*last])
                    .collect(),
                Revoked::Key { last: None, .. } | Revoked::Record(_) => BTreeSet::new(),
            };
            approved.insert(*id, Revocation { body, left });
        } else {
            let message = format!(
                "{} takes something back, and nobody approved that",
                id.short()
            );
            findings.push(
                Finding::new(&rows::REVOKE_UNAPPROVED, message)
                    .hint("git plan-audit revoke --approve, with a key that may approve"),
            );
        }
    }
    (approved, findings)
}

/// Reads what a record takes back; none where it is of another kind, or cannot be read.
pub(super) fn revocation(record: &Record) -> Option<RevokeBody> {
    let is_revoke = record.header.kind == Kind::Revoke.as_str();
    is_revoke.then(|| body::read_revoke(&record.body).ok())?
}

/// Returns the revocations that stand: those that none takes back, then in turn those that only such
/// were against that do not stand; in the end also those that are left against each other.
fn standing(approved: &Revocations, evidence: &Sound) -> BTreeSet<RecordId> {
    let hits = |own: &RecordId, other: &RecordId| {
        let revocation = approved.get(own);
        let record = evidence.get(other);
        revocation
            .zip(record)
            .is_some_and(|(revocation, record)| revocation.hits(*own, (*other, record)))
    };
    let mut open: BTreeSet<RecordId> = approved.keys().copied().collect();
    let mut standing = BTreeSet::new();
    loop {
        let is_free = |id: &&RecordId| !open.iter().any(|other| hits(other, id));
        let free: BTreeSet<RecordId> = open.iter().filter(is_free).copied().collect();
        if free.is_empty() {
            standing.extend(open);
            return standing;
        }
        open.retain(|id| !free.contains(id) && !free.iter().any(|other| hits(other, id)));
        standing.extend(free);
    }
}

/// Says what a revocation took back.
fn told(id: RecordId, body: &RevokeBody, count: usize) -> Finding {
    let what = match &body.what {
        Revoked::Record(record) => format!("record {}", record.short()),
        Revoked::Key { writer, .. } => of_key(writer, count),
    };
    let message = format!(
        "{what} taken back by {}: {}",
        id.short(),
        shown(&body.reason)
    );
    Finding::new(&rows::REVOKED, message).hint(format!("git plan-audit show {}", id.short()))
}

/// Names records of a key.
fn of_key(writer: &Writer, count: usize) -> String {
    format!("{} of {writer}", counted(count, "record"))
}

#[cfg(test)]
mod tests {
    use super::super::Ledger;
    use crate::ledger::memory::Memory;
    use crate::ledger::reading;
    use crate::ledger::testing::{Lines, Pen, object, trust, writer};
    use crate::model::finding::Finding;
    use crate::model::ids::RecordId;
    use crate::model::record::{Kind, RevokeBody, Revoked};
    use crate::wire::body;

    /// What is written by whom: the pen's key, and a revocation or a record that says nothing.
    struct Desk {
        pens: Vec<Pen>,
        lines: Vec<String>,
    }

    impl Desk {
        fn new(keys: &[u8]) -> Self {
            let pens = keys.iter().map(|key| Pen::new(*key, *key + 1)).collect();
            let lines = Vec::new();
            Self { pens, lines }
        }

        fn write(&mut self, pen: usize, kind: Kind, text: String, seen: &[RecordId]) -> RecordId {
            let lines = self.pens[pen].write(object(1), &[(kind, text)], seen);
            self.lines.extend(lines);
            self.pens[pen].head
        }

        fn waive(&mut self, pen: usize) -> RecordId {
            self.write(pen, Kind::Waiver, "{}".to_owned(), &[])
        }

        fn revoke(&mut self, pen: usize, what: Revoked) -> RecordId {
            let body = RevokeBody {
                what,
                reason: "leaked".to_owned(),
            };
            let text = body::write_revoke(&body).unwrap();
            self.write(pen, Kind::Revoke, text, &[])
        }

        fn judged(&self) -> Ledger {
            let notes = Memory::default();
            notes.rewrite(&Lines::from([(object(1), self.lines.clone())]));
            Ledger::judge(&reading::read(&notes).unwrap(), &trust(&[0, 1, 2]))
        }
    }

    fn key(number: u8, last: Option<RecordId>) -> Revoked {
        Revoked::Key {
            writer: writer(number),
            last,
        }
    }

    fn codes(findings: &[Finding]) -> Vec<&str> {
        findings.iter().map(|finding| finding.row.code).collect()
    }

    #[test]
    fn one_record_is_taken_back_and_its_chain_goes_on() {
        let mut desk = Desk::new(&[0, 1]);
        let (bad, good) = (desk.waive(0), desk.waive(0));

        let revoke = desk.revoke(1, Revoked::Record(bad));

        let ledger = desk.judged();
        assert!(ledger.get(bad).is_none() && ledger.is_sound(bad));
        assert!(ledger.get(good).is_some() && ledger.get(revoke).is_some());
        assert_eq!(codes(&ledger.findings), ["ledger-revoked"]);
    }

    #[test]
    fn of_a_key_counts_what_the_last_record_had_seen() {
        let mut desk = Desk::new(&[0, 1]);
        let (first, last) = (desk.waive(0), desk.waive(0));
        let after = desk.waive(0);

        desk.revoke(1, key(0, Some(last)));
        let later = desk.waive(0);

        let ledger = desk.judged();
        assert!([first, last].iter().all(|id| ledger.get(*id).is_some()));
        assert!([after, later].iter().all(|id| ledger.get(*id).is_none()));
    }

    #[test]
    fn of_a_key_without_a_last_record_nothing_counts() {
        let mut desk = Desk::new(&[0, 1]);
        let first = desk.waive(0);

        desk.revoke(1, key(0, None));

        assert!(desk.judged().get(first).is_none());
        assert_eq!(desk.judged().counts.authenticated, 2);
    }

    #[test]
    fn a_key_can_be_given_up_with_itself() {
        let mut desk = Desk::new(&[0]);
        let last = desk.waive(0);
        let revoke = desk.revoke(0, key(0, Some(last)));
        let after = desk.waive(0);

        let ledger = desk.judged();

        assert!(ledger.get(last).is_some() && ledger.get(revoke).is_some());
        assert!(ledger.get(after).is_none());
    }

    #[test]
    fn a_revocation_that_is_taken_back_has_no_effect() {
        let mut desk = Desk::new(&[0, 1, 2]);
        let honest = desk.waive(0);
        let stolen = desk.revoke(1, key(0, None));

        desk.revoke(2, Revoked::Record(stolen));

        let ledger = desk.judged();
        assert!(ledger.get(honest).is_some() && ledger.get(stolen).is_none());
    }

    #[test]
    fn keys_that_accuse_each_other_are_both_taken_back() {
        let mut desk = Desk::new(&[0, 1, 2]);
        let (one, other, third) = (desk.waive(0), desk.waive(1), desk.waive(2));

        desk.revoke(0, key(1, None));
        desk.revoke(1, key(0, None));

        let ledger = desk.judged();
        assert!([one, other].iter().all(|id| ledger.get(*id).is_none()));
        assert!(ledger.get(third).is_some());
    }

    #[test]
    fn one_that_cannot_be_read_is_doubt() {
        let mut desk = Desk::new(&[0]);

        desk.write(0, Kind::Revoke, "{}".to_owned(), &[]);

        assert!(codes(&desk.judged().findings).contains(&"ledger-kind"));
    }

    #[test]
    fn one_of_a_key_that_is_not_trusted_is_noise() {
        let mut desk = Desk::new(&[0, 8]);
        let honest = desk.waive(0);

        desk.revoke(1, key(0, None));

        assert!(desk.judged().get(honest).is_some());
    }
}
