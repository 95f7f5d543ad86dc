//! What counts: sound records of trusted keys in unbroken chains of this project's ledger.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::chains::{self, Break, Sound};
use super::reading::Reading;
use crate::model::claim::answer::{AnswerBody, QuestionBody};
use crate::model::finding::{Finding, Severity, ledger as rows};
use crate::model::ids::{Digest, LedgerId, Oid, PlanName, RecordId, Writer};
use crate::model::outcome::{Counts, ListedRecord};
use crate::model::record::{
    AuditBody, ClaimsBody, CloseBody, Header, Kind, Record, ReviewBody, RevokeBody, Role, SealBody,
};
use crate::trust::keyring::Keyring;
use crate::trust::signers::Signers;
use crate::trust::soundness::{Verified, sound};
use crate::wire::body;

mod listed;
mod revoked;

/// Kinds that can take evidence back, and that this version cannot weigh or that a fork took.
const UNWEIGHED: [Kind; 2] = [Kind::Request, Kind::Revoke];

/// What ends that records of somebody do not count.
const LIST_KEYS: &str = "if they are to count, list the keys in .plan-auditor/allowed_signers at the trust point: one \
     line each, NAME and the line of the public key file";

/// Whose evidence counts in a judgement.
#[derive(Clone, Debug)]
pub(crate) struct Trust {
    /// HMAC keys at hand.
    pub(crate) keyring: Keyring,
    /// Keys that are trusted.
    pub(crate) signers: Signers,
    /// The ledger's id, where the trust point pins it.
    pub(crate) pin: Option<LedgerId>,
}

/// A ledger under one trust.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    /// The tip that was read.
    pub(crate) tip: Option<Oid>,
    /// What a reader should know; several are UNKNOWN for every judgement.
    pub(crate) findings: Vec<Finding>,
    /// How many lines there are.
    pub(crate) counts: Counts,
    /// The ledgers that trusted records name beside the one that counts.
    pub(crate) foreign: BTreeSet<LedgerId>,
    /// Records that would count, were they not removed from the tip.
    pub(crate) removed: Vec<Record>,
    /// Records that count.
    evidence: Sound,
    /// Their order, once it is asked for: it is asked for often, and dear in a long ledger.
    order: OnceCell<Vec<RecordId>>,
    /// Records that would count, had their chain not been written twice.
    forked: Sound,
    /// Keys of which nothing that they write from now on counts, by the record that says so.
    revoked_keys: std::collections::BTreeMap<Writer, RecordId>,
    /// Those among the records that count that were approved.
    approved: BTreeSet<RecordId>,
    /// All sound records: chains are continued from these.
    sound: Sound,
    /// Records without a proof that fits.
    unproven: Vec<ListedRecord>,
    /// Blobs that are notes of themselves.
    kept: BTreeSet<Oid>,
    /// Where records hang.
    places: std::collections::BTreeMap<RecordId, BTreeSet<Oid>>,
}

impl Ledger {
    /// Judges every record of a reading.
    pub(crate) fn judge(reading: &Reading, trust: &Trust) -> Self {
        let sound = sound(&reading.copies, &trust.keyring);
        let ever = ever_sound(reading, &sound, trust);
        let removed = removed(&ever, &sound, trust);
        let unproven = listed::unproven(&reading.copies, &sound);
        let mut counts = Counts {
            unproven: unproven.len(),
            malformed: reading.malformed,
            moved: reading.moved,
            ..Counts::default()
        };
        let mut findings = completeness(reading);
        let trusted = sound.iter().filter(|(_, record)| {
            let holds = is_trusted(record, trust);
            counts.untrusted += usize::from(!holds);
            holds
        });
        let mut own: Sound = trusted.map(|(id, record)| (*id, record.clone())).collect();
        findings.extend(newer(reading, trust));
        findings.extend(ambiguous(&ever, trust));
        let foreign = drop_foreign(&mut own, trust.pin);
        counts.foreign = foreign.len();
        let looked_at = match &ever {
            Cow::Borrowed(present) => vec![*present],
            Cow::Owned(ever) => vec![&sound, ever],
        };
        let (mut evidence, mut forked) = unbroken(own, (&looked_at, reading), trust, &mut findings);
        let taken = revoked::take_back(&mut evidence, &mut forked, &sound, trust);
        findings.extend(taken.findings);
        let is_read = |record: &&Verified<Record>| revoked::revocation(record).is_none();
        findings.extend(unweighed(
            evidence.values().filter(is_read).chain(forked.values()),
        ));
        findings.extend(unreadable_bodies(&evidence));
        counts.authenticated = evidence.len();
        let approved = evidence
            .iter()
            .filter(|(_, record)| is_approved(record, trust));
        findings.extend(noise(&counts));
        Self {
            tip: reading.tip,
            foreign: foreign
                .into_values()
                .map(|record| record.header.ledger)
                .collect(),
            removed,
            findings,
            counts,
            approved: approved.map(|(id, _)| *id).collect(),
            evidence,
            order: OnceCell::new(),
            forked,
            revoked_keys: taken.keys,
            sound,
            unproven,
            kept: reading.kept.clone(),
            places: reading.places.clone(),
        }
    }

    /// Returns the records that count, each after all that it has seen.
    pub(crate) fn in_order(&self) -> Vec<&Record> {
        let order = self.order.get_or_init(|| chains::in_order(&self.evidence));
        order
            .iter()
            .filter_map(|id| self.evidence.get(id))
            .map(|record| &**record)
            .collect()
    }

    /// Returns one record that counts.
    pub(crate) fn get(&self, id: RecordId) -> Option<&Record> {
        self.evidence.get(&id).map(|record| &**record)
    }

    /// Says whether what is chained onto a record counts beyond doubt: the record counts, nothing
    /// follows it yet, and nothing is wrong with the ledger.
    pub(crate) fn goes_on_at(&self, id: RecordId) -> bool {
        let follows = |record: &Verified<Record>| record.header.prev.first() == Some(&id);
        let is_odd = |finding: &Finding| finding.row.severity == Severity::Error;
        self.evidence.contains_key(&id)
            && !self.sound.values().any(follows)
            && !self.findings.iter().any(is_odd)
    }

    /// Returns the record that says that nothing counts which a key writes from now on; none where
    /// that is not so.
    pub(crate) fn key_revoked(&self, key: &Writer) -> Option<RecordId> {
        self.revoked_keys.get(key).copied()
    }

    /// Says whether a record is proven by the key that it names, trusted or not.
    pub(crate) fn is_sound(&self, id: RecordId) -> bool {
        self.sound.contains_key(&id)
    }

    /// Returns a record that is proven by the key that it names, trusted or not.
    pub(crate) fn sound(&self, id: RecordId) -> Option<&Record> {
        self.sound.get(&id).map(|record| &**record)
    }

    /// Returns the objects whose notes hold a record.
    pub(crate) fn places(&self, id: RecordId) -> impl Iterator<Item = &Oid> {
        self.places.get(&id).into_iter().flatten()
    }

    /// Returns the records that count and that no other one names.
    pub(crate) fn heads(&self) -> BTreeSet<RecordId> {
        chains::heads(&self.evidence)
    }

    /// Returns what a new record names beside the end of its own chain: heads, and then the ends of
    /// what does not count because a chain was written twice, so that it is seen and can be settled.
    pub(crate) fn ends(&self) -> impl Iterator<Item = RecordId> {
        let forked = chains::heads(&self.forked);
        self.heads().into_iter().chain(forked)
    }

    /// Returns everything that a record has seen, whether it counts or not.
    pub(crate) fn seen_by(&self, id: RecordId) -> BTreeSet<RecordId> {
        chains::ancestors(&self.sound, id)
    }

    /// Returns the records that do not count because their chain was written twice: who wrote one of
    /// them meant it, so that none of them may be missed silently.
    pub(crate) fn forked(&self) -> impl Iterator<Item = &Record> {
        self.forked.values().map(|record| &**record)
    }

    /// Returns everything that a record has seen.
    pub(crate) fn ancestors(&self, id: RecordId) -> BTreeSet<RecordId> {
        chains::ancestors(&self.evidence, id)
    }

    /// Returns every seal that counts, in order.
    pub(crate) fn seals(&self) -> Vec<(&Record, SealBody)> {
        self.of_kind(Kind::Seal, body::read_seal)
    }

    /// Returns a seal of a contract by a key that does not count, or no more.
    pub(crate) fn strange_seal(&self, plan: &PlanName, contract: &Digest) -> Option<&Record> {
        let strange = self.sound.values().filter(|record| {
            let is_seal = record.header.kind == Kind::Seal.as_str();
            is_seal && !self.evidence.contains_key(&record.id)
        });
        let mut seals = strange.filter(|record| {
            body::read_seal(&record.body)
                .is_ok_and(|body| body.plan == *plan && body.contract == *contract)
        });
        seals.next().map(|record| &**record)
    }

    /// Returns every revocation that counts, in order.
    pub(crate) fn revocations(&self) -> impl Iterator<Item = (&Record, RevokeBody)> {
        self.of_kind(Kind::Revoke, body::read_revoke).into_iter()
    }

    /// Returns every decision of a person that counts as a record, in order.
    pub(crate) fn reviews(&self) -> Vec<(&Record, ReviewBody)> {
        self.of_kind(Kind::Review, body::read_review)
    }

    /// Returns the decisions that are proven by keys, or in chains, that do not count here.
    pub(crate) fn strange_reviews(&self) -> impl Iterator<Item = (&Record, ReviewBody)> {
        let strange = self.sound.values().filter(|record| {
            record.header.kind == Kind::Review.as_str() && !self.evidence.contains_key(&record.id)
        });
        strange.filter_map(|record| Some((&**record, body::read_review(&record.body).ok()?)))
    }

    /// Returns every end of a lineage that counts, in order.
    pub(crate) fn closes(&self) -> Vec<(&Record, CloseBody)> {
        self.of_kind(Kind::Close, body::read_close)
    }

    /// Says whether a record that counts was proven in the approve role by a key that may approve.
    pub(crate) fn is_approved(&self, id: RecordId) -> bool {
        self.approved.contains(&id)
    }

    /// Returns every audit that counts, in order.
    pub(crate) fn audits(&self) -> Vec<(&Record, AuditBody)> {
        self.of_kind(Kind::Audit, body::read_audit)
    }

    /// Returns every test of claims that counts, in order.
    pub(crate) fn claims(&self) -> Vec<(&Record, ClaimsBody)> {
        self.of_kind(Kind::Claims, body::read_claims)
    }

    /// Returns every question that counts, in order.
    pub(crate) fn questions(&self) -> Vec<(&Record, QuestionBody)> {
        self.of_kind(Kind::Question, body::read_question)
    }

    /// Returns every answer that counts, in order.
    pub(crate) fn answers(&self) -> Vec<(&Record, AnswerBody)> {
        self.of_kind(Kind::Answer, body::read_answer)
    }

    /// Returns the records of a kind whose bodies can be read, in order.
    fn of_kind<T, E>(&self, kind: Kind, read: fn(&str) -> Result<T, E>) -> Vec<(&Record, T)> {
        let is_of = |record: &Record| record.header.kind == kind.as_str();
        // Many ledgers have none, and putting all of a long one in order takes its time.
        if !self.evidence.values().any(|record| is_of(record)) {
            return Vec::new();
        }
        self.in_order()
            .into_iter()
            .filter(|record| is_of(record))
            .filter_map(|record| read(&record.body).ok().map(|body| (record, body)))
            .collect()
    }
}

/// Returns the records that are sound or were, before something was removed from the ledger.
fn ever_sound<'a>(reading: &Reading, present: &'a Sound, trust: &Trust) -> Cow<'a, Sound> {
    if reading.gone.is_empty() {
        Cow::Borrowed(present)
    } else {
        Cow::Owned(sound(&reading.ever(), &trust.keyring))
    }
}

/// Returns the records of trusted keys that were sound in the ledger and are not at its tip: they
/// are gone, or their proof is, or the record that vouched for them.
fn removed(ever: &Sound, present: &Sound, trust: &Trust) -> Vec<Record> {
    let is_own = |record: &Verified<Record>| {
        is_trusted(record, trust) && trust.pin.is_none_or(|pin| record.header.ledger == pin)
    };
    ever.iter()
        .filter(|(id, record)| !present.contains_key(id) && is_own(record))
        .map(|(_, record)| (**record).clone())
        .collect()
}

/// Says whether a sound record is by a key that counts in the role in which it was proven.
fn is_trusted(record: &Verified<Record>, trust: &Trust) -> bool {
    let header = &record.header;
    let is_decision = Kind::parse(&header.kind).is_some_and(Kind::is_decision);
    let recorded = record.is_in(Role::Record) && trust.signers.trusts(&header.writer, header.time);
    recorded || (is_decision && is_approved(record, trust))
}

/// Says whether a record was proven in the approve role by a key that may approve.
fn is_approved(record: &Verified<Record>, trust: &Trust) -> bool {
    let header = &record.header;
    record.is_in(Role::Approve) && trust.signers.approves(&header.writer, header.time)
}

/// Says what of the ledger is not here.
fn completeness(reading: &Reading) -> Vec<Finding> {
    let mut findings = Vec::new();
    let count = reading.missing.len();
    if let Some(first) = reading.missing.first() {
        let message = format!("{count} notes of the ledger are not in this clone, first {first}");
        findings.push(missing(message));
    }
    if reading.is_cut {
        let message = "the ledger's history is cut off here: what was removed cannot be told";
        findings.push(missing(message.to_owned()));
    }
    for (blob, bytes) in &reading.too_large {
        let message = format!("note {blob} has {bytes} bytes, more than 64 MiB");
        findings.push(
            Finding::new(&rows::TOO_LARGE, message)
                .hint("git log --stat refs/notes/plan-audit tells who wrote it"),
        );
    }
    for (blob, why) in &reading.unreadable {
        let message = format!("note {blob}: {why}");
        findings.push(
            Finding::new(&rows::UNREADABLE, message).hint(
                "git fsck tells what is wrong with it; fetch the ledger from where it is whole",
            ),
        );
    }
    findings
}

/// How to get what a shallow or partial clone lacks of the ledger.
pub(crate) const COMPLETE: &str = "git fetch --unshallow; in a partial clone: \
    git fetch --no-filter --refetch origin refs/notes/plan-audit:refs/notes/plan-audit";

/// Says that objects are missing, and how to get them.
fn missing(message: String) -> Finding {
    Finding::new(&rows::MISSING, message).hint(COMPLETE)
}

/// Says which trusted keys wrote records of other versions.
fn newer(reading: &Reading, trust: &Trust) -> Vec<Finding> {
    let counts = |line: &&crate::wire::record::Newer| {
        let role = trust.keyring.role(&line.writer, &line.id, &line.proof);
        trust.signers.knows(&line.writer) && role == Some(Role::Record)
    };
    let message = |line: &crate::wire::record::Newer| {
        format!("{} wrote a record of version {}", line.writer, line.version)
    };
    let found: BTreeSet<String> = reading.newer.iter().filter(counts).map(message).collect();
    found
        .into_iter()
        .map(|text| Finding::new(&rows::NEWER, text).hint("install a newer git-plan-audit"))
        .collect()
}

/// Takes out records of other ledgers where one is pinned, and returns them.
fn drop_foreign(own: &mut Sound, pin: Option<LedgerId>) -> Sound {
    let is_foreign = |record: &Verified<Record>| pin.is_some_and(|pin| record.header.ledger != pin);
    let (foreign, kept) = std::mem::take(own)
        .into_iter()
        .partition(|(_, record)| is_foreign(record));
    *own = kept;
    foreign
}

/// Says that trusted records are or were of several ledgers, where none is pinned.
fn ambiguous(ever: &Sound, trust: &Trust) -> Option<Finding> {
    let of_trusted = ever.values().filter(|record| is_trusted(record, trust));
    let ids: BTreeSet<LedgerId> = of_trusted.map(|record| record.header.ledger).collect();
    if trust.pin.is_some() || ids.len() < 2 {
        return None;
    }
    let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
    let message = format!("trusted records name several ledgers: {}", ids.join(", "));
    let hint = "pin one as \"ledger\" in .plan-auditor/supervisor.json at the trust point";
    Some(Finding::new(&rows::AMBIGUOUS, message).hint(hint))
}

/// Takes out what broken chains keep from counting, and returns what is left and what a fork took.
///
/// What is there is looked at, and what ever was: taking the other branch of a fork away, or the
/// record after a gap, mends nothing.
fn unbroken(
    mut own: Sound,
    (looked_at, reading): (&[&Sound], &Reading),
    trust: &Trust,
    findings: &mut Vec<Finding>,
) -> (Sound, Sound) {
    let known: BTreeSet<RecordId> = looked_at
        .iter()
        .copied()
        .flatten()
        .filter(|(_, record)| is_trusted(record, trust))
        .filter(|(_, record)| trust.pin.is_none_or(|pin| record.header.ledger == pin))
        .map(|(id, _)| *id)
        .collect();
    let breaks: BTreeSet<Break> = looked_at
        .iter()
        .flat_map(|all| chains::breaks(all))
        .collect();
    for found in breaks {
        match found {
            Break::Gap { after, missing } if known.contains(&after) => {
                findings.push(gap(after, missing));
            }
            Break::Unseen { after, missing }
                if known.contains(&after) && is_lacking(missing, (looked_at, reading), trust) =>
            {
                findings.push(gap(after, missing));
            }
            Break::Headless { first } if known.contains(&first) => {
                let message = format!("record {} opens a chain without an instance", first.short());
                findings.push(Finding::new(&rows::HEADLESS, message).hint(format!(
                    "git plan-audit show {} names its key; what it tells is to be recorded again",
                    first.short()
                )));
                own.remove(&first);
            }
            Break::Fork { branches } if branches.iter().any(|id| known.contains(id)) => {
                findings.push(fork(&branches));
            }
            Break::Gap { .. }
            | Break::Unseen { .. }
            | Break::Headless { .. }
            | Break::Fork { .. } => {}
        }
    }
    let late: BTreeSet<RecordId> = looked_at
        .iter()
        .flat_map(|all| chains::after_forks(all))
        .collect();
    own.into_iter().partition(|(id, _)| !late.contains(id))
}

/// Says whether a record that another one has seen is missed: nobody names a record that was not
/// proven then.
///
/// One that was removed is told as such. One that is there and not proven counts for nothing where
/// its key does not; a key that was trusted once may not be at hand here.
fn is_lacking(id: RecordId, (looked_at, reading): (&[&Sound], &Reading), trust: &Trust) -> bool {
    let copies = reading.copies.get(&id).or_else(|| reading.gone.get(&id));
    let counts = |header: &Header| {
        let signers = &trust.signers;
        signers.knows(&header.writer) || signers.approves(&header.writer, header.time)
    };
    !looked_at.iter().any(|all| all.contains_key(&id))
        && copies.is_none_or(|copies| counts(&copies.record.header))
}

/// Says that a record is missing.
fn gap(after: RecordId, missing: RecordId) -> Finding {
    let message = format!(
        "record {} names {}, which is gone",
        after.short(),
        missing.short()
    );
    Finding::new(&rows::GAP, message).hint(
        "git log -p refs/notes/plan-audit shows who removed it; fetch the ledger from where it is whole",
    )
}

/// Says that a chain was written twice.
fn fork(branches: &[RecordId]) -> Finding {
    let ids: Vec<String> = branches.iter().map(RecordId::short).collect();
    Finding::new(
        &rows::FORK,
        format!("records {} follow the same record", ids.join(" and ")),
    )
    .hint(
        "git plan-audit init --no-hooks --new-instance --reason 'the chain was written twice', \
         then git plan-audit seal and audit again",
    )
}

/// Says which records can take evidence back and cannot be weighed.
fn unweighed<'a>(records: impl Iterator<Item = &'a Verified<Record>>) -> Vec<Finding> {
    records
        .filter(|record| {
            UNWEIGHED
                .iter()
                .any(|kind| kind.as_str() == record.header.kind)
        })
        .map(|record| {
            let message = format!("record {} is a {}", record.id.short(), record.header.kind);
            Finding::new(&rows::KIND, message).hint("install a newer git-plan-audit")
        })
        .collect()
}

/// Says which records have bodies that this version cannot read: they do not count.
fn unreadable_bodies(evidence: &Sound) -> Vec<Finding> {
    let is_read = |record: &Record| match Kind::parse(&record.header.kind) {
        Some(Kind::Answer) => body::read_answer(&record.body).is_ok(),
        Some(Kind::Audit) => body::read_audit(&record.body).is_ok(),
        Some(Kind::Claims) => body::read_claims(&record.body).is_ok(),
        Some(Kind::Close) => body::read_close(&record.body).is_ok(),
        Some(Kind::Instance) => body::read_instance(&record.body).is_ok(),
        Some(Kind::Question) => body::read_question(&record.body).is_ok(),
        Some(Kind::Review) => body::read_review(&record.body).is_ok(),
        Some(Kind::Run) => body::read_run(&record.body).is_ok(),
        Some(Kind::Seal) => body::read_seal(&record.body).is_ok(),
        Some(_) | None => true,
    };
    evidence
        .values()
        .filter(|record| !is_read(record))
        .map(|record| {
            let message = format!(
                "the body of {} is no {}",
                record.id.short(),
                record.header.kind
            );
            Finding::new(&rows::BODY, message).hint(format!(
                "git plan-audit show {}: record it again with the tool",
                record.id.short()
            ))
        })
        .collect()
}

/// Says how much noise there is.
fn noise(counts: &Counts) -> Vec<Finding> {
    let unproven = u64::try_from(counts.unproven).unwrap_or(u64::MAX);
    let untrusted = u64::try_from(counts.untrusted).unwrap_or(u64::MAX);
    let foreign = u64::try_from(counts.foreign).unwrap_or(u64::MAX);
    [
        (
            &rows::MALFORMED,
            counts.malformed,
            ["line is no record", "lines are no records"],
        ),
        (
            &rows::MOVED,
            counts.moved,
            [
                "record hangs on another object than the one it names",
                "records hang on another object than the one they name",
            ],
        ),
        (
            &rows::UNSOUND,
            unproven,
            [
                "record without a proof that fits",
                "records without a proof that fits",
            ],
        ),
        (
            &rows::UNTRUSTED,
            untrusted,
            [
                "record of a key that is not trusted here",
                "records of keys that are not trusted here",
            ],
        ),
        (
            &rows::FOREIGN,
            foreign,
            ["record of another ledger", "records of another ledger"],
        ),
    ]
    .into_iter()
    .filter(|(_, count, _)| *count > 0)
    .map(|(row, count, [one, many])| {
        let what = if count == 1 { one } else { many };
        let finding = Finding::new(row, format!("{count} {what}"));
        if *row == rows::UNTRUSTED {
            finding.hint(LIST_KEYS)
        } else {
            finding
        }
    })
    .collect()
}
