//! Appending records: one lock, one commit, one signature (DESIGN 7.2).

use super::ports::{Cause, Identity};
use super::stop::causes;
use super::world::{Recorder, World};
use crate::ledger::judged::{COMPLETE, Ledger};
pub(crate) use crate::ledger::notes::Entry;
use crate::ledger::notes::{Batch, Notes, NotesError};
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::RecordId;
use crate::model::record::{Header, InstanceBody, Kind, Proof, Role};
use crate::model::text::quoted;
use crate::wire::body;
use crate::wire::record::{Draft, MAX_LINE, MAX_PREV};

mod concluded;
mod counted;
mod killed;
mod pending;
mod settle;

pub(crate) use concluded::concluded;
pub(crate) use counted::uncounted;
use killed::Killed;
use settle::{Lacking, remember, settle};

/// What was appended.
#[derive(Debug)]
pub(crate) struct Appended {
    /// The records, without an `instance` that had to come first and those of killed runs.
    pub(crate) records: Vec<RecordId>,
    /// The record of the own chain that they follow.
    after: RecordId,
    /// What else is to be told: that this clone cannot remember it, or what was found on the way.
    pub(crate) told: Vec<Finding>,
}

/// Appends records, after those of runs that were killed before.
///
/// When the append fails after the lines were proven, they wait beside the ledger (D24) and the
/// error is a finding.
pub(crate) fn append(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    entry: Entry,
) -> Result<Appended, Box<Finding>> {
    try_append(world, recorder, identity, entry).map_err(|failed| match failed {
        Failed::Unproven(cause) => not_recorded(&cause),
        Failed::Proven(finding) => finding,
    })
}

/// Appends what checks gave, as [`append`] does. When nothing could be proven, the entry itself is
/// kept outside the repository (D24): the checks are not to be run again for a signature.
pub(crate) fn append_or_keep(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    entry: &Entry,
) -> Result<Appended, Box<Finding>> {
    try_append(world, recorder, identity, entry.clone()).map_err(|failed| match failed {
        Failed::Unproven(cause) if cause.is::<TooLong>() => not_recorded(&cause),
        Failed::Unproven(cause) => match recorder.local.keep_unproven(identity, entry) {
            Ok(()) => waits(&cause),
            Err(error) => lost(&cause, &error),
        },
        Failed::Proven(finding) => finding,
    })
}

/// Why nothing is in the ledger.
enum Failed {
    /// No line was proven.
    Unproven(Cause),
    /// The lines were proven; the finding says where they wait.
    Proven(Box<Finding>),
}

/// Appends records under the lock.
fn try_append(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    mut entry: Entry,
) -> Result<Appended, Failed> {
    let _lock = recorder.local.lock_append().map_err(Failed::Unproven)?;
    let settled = settle(world, recorder, identity).map_err(Failed::Unproven)?;
    let head = settled.head;
    let count = entry.records.len();
    let killed = Killed::find(recorder, entry.role);
    drop(entry.records.splice(0..0, killed.records(recorder)));
    let batch = prove(recorder, identity, entry, head).map_err(Failed::Unproven)?;
    let ids: Vec<RecordId> = batch.iter_ids().collect();
    match world.notes.append(&batch.batch) {
        Ok(tip) => {
            let forgotten = remember(recorder, tip, &batch.batch)
                .err()
                .map(|cause| forgotten(&cause));
            killed.forget(recorder);
            Ok(Appended {
                records: ids.into_iter().rev().take(count).rev().collect(),
                after: head.unwrap_or(RecordId::NONE),
                told: settled
                    .told()
                    .into_iter()
                    .chain(forgotten)
                    .chain(unsigned(world.notes))
                    .collect(),
            })
        }
        Err(error) => {
            let cause: Cause = error.into();
            let kept = recorder.local.keep_pending(&batch.batch);
            Err(Failed::Proven(kept.map_or_else(
                |error| lost(&cause, &error),
                |()| waits(&cause),
            )))
        }
    }
}

/// Puts back what a foreign writer dropped of this clone's last appends, and appends what waits,
/// so that a decision rests on all that this clone knows. Says how much was put back, and what was
/// not believed.
pub(crate) fn restore(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
) -> Result<Vec<Finding>, Box<Finding>> {
    let _lock = recorder
        .local
        .lock_append()
        .map_err(|cause| not_recorded(&cause))?;
    // What stands in the way of an append is told before any check runs.
    let free = world.notes.demand_free();
    free.map_err(|error| not_recorded(&error.into()))?;
    let settled = settle(world, recorder, identity).map_err(|cause| not_recorded(&cause))?;
    let unsigned = unsigned(world.notes);
    Ok(settled.told().into_iter().chain(unsigned).collect())
}

/// Opens the own chain with an `instance` record, unless it is open.
///
/// Returns the record, or none when there was nothing to do. That it cannot be remembered is an
/// error here: nothing hangs on the record yet.
pub(crate) fn ensure_chain(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    reason: Option<&str>,
) -> Result<Option<RecordId>, Box<Finding>> {
    let _lock = match recorder.local.lock_append() {
        Ok(lock) => lock,
        // A repository that cannot be written to needs nothing when all is there.
        Err(_) if settle::is_open(world, recorder, identity) => return Ok(None),
        Err(cause) => return Err(not_recorded(&cause)),
    };
    if settle(world, recorder, identity)
        .map_err(|cause| not_recorded(&cause))?
        .head
        .is_some()
    {
        return Ok(None);
    }
    let entry = Entry {
        target: world.objects.empty_tree(),
        records: vec![instance(recorder, reason)],
        kept: Vec::new(),
        subject: format!("instance {}: opened", identity.instance),
        seen: Vec::new(),
        role: Role::Record,
        time: recorder.clock.now(),
    };
    let batch = prove(recorder, identity, entry, Some(RecordId::NONE))
        .map_err(|cause| not_recorded(&cause))?;
    let tip = world
        .notes
        .append(&batch.batch)
        .map_err(|error| not_recorded(&error.into()))?;
    let ids: Vec<RecordId> = batch.iter_ids().collect();
    remember(recorder, tip, &batch.batch).map_err(|cause| Box::new(forgotten(&cause)))?;
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

/// No line is as long as a record would be: no later command can write it either.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("a record would be longer than 64 KiB")]
struct TooLong;

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
    let proof = recorder.signer.prove(&last.id(), entry.role)?;
    let line = |draft: &Draft| {
        if draft.id() == last.id() {
            draft.line(&proof)
        } else {
            draft.line(&Proof::By(last.id()))
        }
    };
    let lines: Vec<String> = drafts.iter().map(line).collect();
    if lines.iter().any(|line| line.len() > MAX_LINE) {
        return Err(TooLong.into());
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
            time: entry.time,
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

/// Returns the ends of other chains that a ledger shows, for `prev`.
pub(crate) fn seen(ledger: &Ledger, recorder: &Recorder<'_>, identity: &Identity) -> Vec<RecordId> {
    let writer = recorder.signer.writer();
    let is_own = |id: &RecordId| {
        ledger.sound(*id).is_some_and(|record| {
            record.header.writer == writer && record.header.instance == identity.instance
        })
    };
    ledger.ends().filter(|id| !is_own(id)).collect()
}

/// Says that nothing is in the ledger.
fn not_recorded(cause: &Cause) -> Box<Finding> {
    let message = format!("not recorded: {}", causes(&**cause));
    let is_lacking = cause.downcast_ref::<Lacking>().is_some();
    Box::new(
        Finding::new(&rows::NOT_RECORDED, message).hint(if is_lacking {
            COMPLETE.to_owned()
        } else {
            format!("{}, then run the same command again", mend(cause))
        }),
    )
}

/// Says that nothing is in the ledger yet, and that what was to be recorded waits.
fn waits(cause: &Cause) -> Box<Finding> {
    let message = format!("not recorded: {}", causes(&**cause));
    let mend = mend(cause);
    Box::new(Finding::new(&rows::NOT_RECORDED, message).hint(format!(
        "{mend}, then run the same command again: it takes what waits first"
    )))
}

/// Says how a lock file of git that stays is taken away.
pub(super) fn lock_hint(path: &str) -> String {
    format!(
        "if no git command is at work in this repository: rm {}",
        quoted(path)
    )
}

/// Names what ends a cause, where that is one command.
fn mend(cause: &Cause) -> String {
    match cause.downcast_ref::<NotesError>() {
        Some(NotesError::Locked { path, .. }) => lock_hint(path),
        Some(
            NotesError::Read { .. }
            | NotesError::TooLarge { .. }
            | NotesError::Write { .. }
            | NotesError::Contended { .. }
            | NotesError::NotALedger { .. },
        )
        | None => "mend that".to_owned(),
    }
}

/// Says that a record is in the ledger and this clone cannot remember it.
fn forgotten(cause: &Cause) -> Finding {
    let message = format!(
        "recorded, but this clone cannot remember it: {}",
        causes(&**cause)
    );
    Finding::new(&rows::NOT_REMEMBERED, message).hint(
        "make that place writable: until then nobody would notice that the ledger was rolled back",
    )
}

/// Says that the last commit of the ledger is not signed by git's means although that is asked for.
pub(crate) fn unsigned(notes: &dyn Notes) -> Option<Finding> {
    let why = notes.unsigned()?;
    let message = format!("recorded, but the commit of the ledger is not signed: {why}");
    Some(Finding::new(&rows::NOTES_UNSIGNED, message).hint(
        "git config --show-origin --get-regexp '^(gpg|user|commit)[.]'; git config planAudit.signNotes \
         false, where it need not be",
    ))
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
