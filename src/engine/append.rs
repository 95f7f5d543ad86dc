//! Appending records: one lock, one commit, one signature (DESIGN 7.2).

use super::ports::{Cause, Identity};
use super::stop::causes;
use super::world::{Recorder, World};
use crate::ledger::judged::Ledger;
use crate::ledger::notes::Batch;
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::{Oid, RecordId};
use crate::model::record::{Header, InstanceBody, Kind, Proof};
use crate::wire::body;
use crate::wire::record::{Draft, MAX_LINE, MAX_PREV};

mod killed;
mod settle;

use killed::Killed;
use settle::{remember, settle};

/// Records to append.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// The object whose note gains them: HEAD, or the empty tree before the first commit.
    pub(crate) target: Oid,
    /// Kinds and bodies, in order.
    pub(crate) records: Vec<(Kind, String)>,
    /// Blobs that they name.
    pub(crate) kept: Vec<Vec<u8>>,
    /// Subject of the commit.
    pub(crate) subject: String,
    /// Heads of other chains that were seen.
    pub(crate) seen: Vec<RecordId>,
}

/// Appends records and returns their ids, without those of an `instance` that had to come first and
/// of runs that were killed before.
///
/// When the append fails after the lines were proven, they wait beside the ledger (D24) and the
/// error is a finding.
pub(crate) fn append(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    mut entry: Entry,
) -> Result<Vec<RecordId>, Box<Finding>> {
    let _lock = recorder
        .local
        .lock_append()
        .map_err(|cause| not_recorded(&cause))?;
    let head = settle(world, recorder, identity)
        .map_err(|cause| not_recorded(&cause))?
        .head;
    let count = entry.records.len();
    let killed = Killed::find(recorder);
    drop(entry.records.splice(0..0, killed.records(recorder)));
    let batch = prove(recorder, identity, entry, head).map_err(|cause| not_recorded(&cause))?;
    let ids: Vec<RecordId> = batch.iter_ids().collect();
    match world.notes.append(&batch.batch) {
        Ok(tip) => {
            remember(recorder, tip, &batch.batch);
            killed.forget(recorder);
            Ok(ids.into_iter().rev().take(count).rev().collect())
        }
        Err(error) => {
            let cause: Cause = error.into();
            let kept = recorder.local.keep_pending(&batch.batch);
            Err(kept.map_or_else(|error| lost(&cause, &error), |()| not_recorded(&cause)))
        }
    }
}

/// Puts back what a foreign writer dropped of this clone's last appends, and appends what waits,
/// so that a decision rests on all that this clone knows. Says how much was put back.
pub(crate) fn restore(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
) -> Result<Option<Finding>, Box<Finding>> {
    let _lock = recorder
        .local
        .lock_append()
        .map_err(|cause| not_recorded(&cause))?;
    let settled = settle(world, recorder, identity).map_err(|cause| not_recorded(&cause))?;
    Ok((settled.restored > 0).then(|| {
        let message = format!(
            "{} lines that were dropped are in the ledger again",
            settled.restored
        );
        Finding::new(&rows::RESTORED, message)
    }))
}

/// Opens the own chain with an `instance` record, unless it is open.
///
/// Returns the record, or none when there was nothing to do.
pub(crate) fn ensure_chain(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    reason: Option<&str>,
) -> Result<Option<RecordId>, Box<Finding>> {
    let _lock = recorder
        .local
        .lock_append()
        .map_err(|cause| not_recorded(&cause))?;
    let settled = settle(world, recorder, identity).map_err(|cause| not_recorded(&cause))?;
    if settled.head.is_some() {
        return Ok(None);
    }
    let entry = Entry {
        target: world.objects.empty_tree(),
        records: vec![instance(recorder, reason)],
        kept: Vec::new(),
        subject: format!("instance {}: opened", identity.instance),
        seen: Vec::new(),
    };
    let batch = prove(recorder, identity, entry, Some(RecordId::NONE))
        .map_err(|cause| not_recorded(&cause))?;
    let tip = world
        .notes
        .append(&batch.batch)
        .map_err(|error| not_recorded(&error.into()))?;
    let ids: Vec<RecordId> = batch.iter_ids().collect();
    remember(recorder, tip, &batch.batch);
    Ok(ids.last().copied())
}

/// A batch whose lines are proven.
struct Proven {
    batch: Batch,
    drafts: Vec<Draft>,
}

impl Proven {
    /// Returns the ids of its records, in order.
    fn iter_ids(&self) -> impl Iterator<Item = RecordId> {
        self.drafts.iter().map(Draft::id)
    }
}

/// Drafts the records after the head of the own chain and proves the last, which vouches for the
/// others. Without a head an `instance` comes first.
fn prove(
    recorder: &Recorder<'_>,
    identity: &Identity,
    mut entry: Entry,
    head: Option<RecordId>,
) -> Result<Proven, Cause> {
    if head.is_none() {
        entry.records.insert(0, instance(recorder, None));
    }
    let drafts = draft(recorder, identity, &entry, head.unwrap_or(RecordId::NONE));
    let last = drafts.last().ok_or("there is nothing to append")?;
    let proof = recorder.signer.prove(&last.id())?;
    let line = |draft: &Draft| {
        if draft.id() == last.id() {
            draft.line(&proof)
        } else {
            draft.line(&Proof::By(last.id()))
        }
    };
    let lines: Vec<String> = drafts.iter().map(line).collect();
    if lines.iter().any(|line| line.len() > MAX_LINE) {
        return Err("a record would be longer than 64 KiB".into());
    }
    let Entry {
        target,
        kept,
        subject,
        ..
    } = entry;
    Ok(Proven {
        batch: Batch {
            target,
            lines,
            kept,
            subject,
        },
        drafts,
    })
}

/// Drafts the records of an entry, each after the one before it.
fn draft(
    recorder: &Recorder<'_>,
    identity: &Identity,
    entry: &Entry,
    head: RecordId,
) -> Vec<Draft> {
    let time = recorder.clock.now();
    let writer = recorder.signer.writer();
    let count = entry.records.len();
    let mut drafts: Vec<Draft> = Vec::with_capacity(count);
    for (index, (kind, body)) in entry.records.iter().enumerate() {
        let before = drafts.last().map_or(head, Draft::id);
        let mut prev = vec![before];
        if index == 0 {
            prev.extend(
                entry
                    .seen
                    .iter()
                    .filter(|id| **id != before)
                    .take(MAX_PREV - 1),
            );
        }
        let covers = if index + 1 == count {
            u32::try_from(index).unwrap_or(u32::MAX)
        } else {
            0
        };
        let header = Header {
            kind: kind.as_str().to_owned(),
            ledger: identity.ledger,
            writer: writer.clone(),
            instance: identity.instance,
            prev,
            time,
            head: entry.target,
            covers,
        };
        drafts.push(Draft::new(&header, body));
    }
    drafts
}

/// Makes the record that opens a chain.
fn instance(recorder: &Recorder<'_>, reason: Option<&str>) -> (Kind, String) {
    let body = InstanceBody {
        reason: reason.map(str::to_owned),
        tool: recorder.tool.to_owned(),
    };
    // A body of two strings always has a canonical form.
    (
        Kind::Instance,
        body::write_instance(&body).unwrap_or_default(),
    )
}

/// Returns the heads of other chains that a ledger shows, for `prev`.
pub(crate) fn seen(ledger: &Ledger, recorder: &Recorder<'_>, identity: &Identity) -> Vec<RecordId> {
    let writer = recorder.signer.writer();
    let is_own = |id: &RecordId| {
        ledger.get(*id).is_some_and(|record| {
            record.header.writer == writer && record.header.instance == identity.instance
        })
    };
    ledger
        .heads()
        .into_iter()
        .filter(|id| !is_own(id))
        .collect()
}

/// Says that nothing is in the ledger yet.
fn not_recorded(cause: &Cause) -> Box<Finding> {
    let message = format!("not recorded: {}", causes(&**cause));
    Box::new(
        Finding::new(&rows::NOT_RECORDED, message)
            .hint("mend that, then run the same command again: it takes what waits first"),
    )
}

/// Says that the lines could not even be kept beside the ledger.
fn lost(cause: &Cause, second: &Cause) -> Box<Finding> {
    let message = format!(
        "not recorded: {}; nor could the lines be kept: {}",
        causes(&**cause),
        causes(&**second)
    );
    Box::new(
        Finding::new(&rows::NOT_RECORDED, message)
            .hint("mend that, then run the same command again"),
    )
}
