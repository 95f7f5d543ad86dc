//! What could not be appended and waits beside the ledger (D24).
//!
//! It lies where anybody who can write to the repository can write, so that of each file only what
//! this clone alone can have written is believed: lines of its own key and chain, which the ledger
//! lacks and which go on where the chain ends. An old line that was put there would make the next
//! record follow the same one twice.

use std::collections::BTreeMap;

use super::settle::{Settled, remember};
use crate::engine::ports::{Cause, Identity};
use crate::engine::world::{Recorder, World};
use crate::ledger::notes::Batch;
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::RecordId;
use crate::model::record::Record;
use crate::trust::keyring::Keyring;
use crate::trust::soundness::{Copies, sound};
use crate::wire::record::{Line, parse};

/// Appends what waits, oldest first, and moves the head; what nobody but an intruder can have put
/// there is dropped and told.
pub(super) fn take(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    settled: &mut Settled,
) -> Result<(), Cause> {
    for (name, batch) in recorder.local.pending()? {
        let records = own(world, recorder, identity, &batch);
        match records
            .as_deref()
            .and_then(|records| Some((records, records.last()?.id)))
        {
            // Whoever appended it was stopped before the file was removed; or somebody put an old line
            // there, which must not say where the chain ends, not even to a memory that is behind.
            Some((records, _)) if is_known(world, records)? => {}
            Some((records, last)) if follows(records, settled.head) => {
                let batch = plain(world, batch, records);
                let tip = world.notes.append(&batch)?;
                // The append that follows tells of a memory that cannot be written.
                drop(remember(recorder, tip, &batch));
                settled.head = Some(last);
            }
            Some(_) | None => settled.found.push(dropped(&name)),
        }
        recorder.local.drop_pending(&name)?;
    }
    Ok(())
}

/// Returns the records of a batch when each is proven, of this clone, and about its target; none
/// when anything else is in it.
fn own(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    batch: &Batch,
) -> Option<Vec<Record>> {
    let writer = recorder.signer.writer();
    let records = batch.lines.iter().map(|line| match parse(line.as_bytes()) {
        Ok(Line::Record(record)) => Some(*record),
        Ok(Line::Newer(_) | Line::Continues(_)) | Err(_) => None,
    });
    let records: Vec<Record> = records.collect::<Option<_>>()?;
    let is_own = |record: &Record| {
        let header = &record.header;
        header.writer == writer
            && header.instance == identity.instance
            && header.ledger == identity.ledger
            && header.head == batch.target
    };
    let holds = records.iter().all(is_own) && are_sound(&records, &world.settings.keyring);
    holds.then_some(records)
}

/// Says whether every record is proven, and none is there twice.
fn are_sound(records: &[Record], keyring: &Keyring) -> bool {
    let copies: BTreeMap<RecordId, Copies> = records
        .iter()
        .map(|record| (record.id, Copies::of(record.clone())))
        .collect();
    sound(&copies, keyring).len() == records.len()
}

/// Says whether records go on after the head of the own chain, each after the one before it.
fn follows(records: &[Record], head: Option<RecordId>) -> bool {
    let mut before = head.unwrap_or(RecordId::NONE);
    records.iter().all(|record| {
        let goes_on = record.header.prev.first() == Some(&before);
        before = record.id;
        goes_on
    })
}

/// Says whether the ledger holds all of these.
fn is_known(world: &World<'_>, records: &[Record]) -> Result<bool, Cause> {
    let reading = world.readings.read(world.notes)?;
    Ok(records
        .iter()
        .all(|record| reading.copies.contains_key(&record.id)))
}

/// Leaves out of a batch what its lines do not name: blobs, and a subject that anybody may have
/// written.
fn plain(world: &World<'_>, batch: Batch, records: &[Record]) -> Batch {
    let is_named = |bytes: &Vec<u8>| {
        let blob = world.notes.blob_id(bytes).to_string();
        records.iter().any(|record| record.body.contains(&blob))
    };
    let kinds: Vec<&str> = records
        .iter()
        .map(|each| each.header.kind.as_str())
        .collect();
    Batch {
        subject: format!("{}: had waited", kinds.join(", ")),
        kept: batch.kept.into_iter().filter(is_named).collect(),
        ..batch
    }
}

/// Says that what waited is not what this clone put there.
fn dropped(name: &str) -> Finding {
    let message = format!(
        "{name} in .git/plan-audit/pending is no record of this clone that goes on where its chain \
         ends; it was removed"
    );
    Finding::new(&rows::PENDING_DROPPED, message)
        .hint("find out who can write to this repository; git plan-audit log shows what counts")
}
