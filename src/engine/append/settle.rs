//! Before an append: what waits goes first, what a foreign writer dropped is put back, and the
//! head of the own chain is found. The caller holds the append lock.

use super::{TooLong, pending, prove};
use crate::engine::ports::{Cause, Identity};
use crate::engine::world::{Recorder, World};
use crate::ledger::chains;
use crate::ledger::notes::{Anchor, Batch};
use crate::ledger::reading::Reading;
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::{Oid, RecordId};
use crate::model::text::{self, counted};
use crate::trust::soundness::sound;
use crate::wire::record::claimed;

/// What was settled.
pub(super) struct Settled {
    /// The last record of the own chain; none when there is no chain yet.
    pub(super) head: Option<RecordId>,
    /// How many lines were put back.
    pub(super) restored: usize,
    /// What was found where nobody but this clone should have put anything.
    pub(super) found: Vec<Finding>,
}

impl Settled {
    /// Returns what is to be told of it.
    pub(super) fn told(self) -> Vec<Finding> {
        let restored = (self.restored > 0).then(|| {
            let lines = counted(self.restored, "line");
            let message = format!("{lines} of this clone were dropped and are in the ledger again");
            Finding::new(&rows::RESTORED, message)
        });
        self.found.into_iter().chain(restored).collect()
    }

    /// Settles nothing but the head.
    const fn at(head: Option<RecordId>) -> Self {
        Self {
            head,
            restored: 0,
            found: Vec::new(),
        }
    }
}

/// The end of the own chain may be in what is not here, and a second record after the same one would
/// be taken for equivocation.
#[derive(Debug, thiserror::Error)]
pub(super) enum Lacking {
    /// A note is not in this clone.
    #[error("note {0} of the ledger is not in this clone")]
    Missing(Oid),
    /// A note is too large to be read.
    #[error("note {0} of the ledger has {1} bytes, too many to read")]
    TooLarge(Oid, u64),
}

/// Settles the ledger for an append.
pub(super) fn settle(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
) -> Result<Settled, Cause> {
    let mut settled = find_head(world, recorder, identity)?;
    pending::take(world, recorder, identity, &mut settled)?;
    take_unproven(world, recorder, identity, &mut settled)?;
    Ok(settled)
}

/// Says whether the own chain is open, as far as the ledger shows it.
pub(super) fn is_open(world: &World<'_>, recorder: &Recorder<'_>, identity: &Identity) -> bool {
    let writer = recorder.signer.writer();
    world.readings.read(world.notes).is_ok_and(|reading| {
        let sound = sound(&reading.copies, &world.settings.keyring);
        chains::last(&sound, &writer, identity.instance).is_some()
    })
}

/// Finds the head of the own chain, and puts back what was dropped of it.
fn find_head(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
) -> Result<Settled, Cause> {
    let writer = recorder.signer.writer();
    let anchor = recorder.local.anchor(&writer);
    let tip = world.notes.tip()?;
    if let Some(anchor) = anchor.as_ref().filter(|anchor| Some(anchor.tip) == tip) {
        return Ok(Settled::at(Some(anchor.head)));
    }
    let replaced = match &anchor {
        Some(anchor) => replaced(world, tip.as_ref(), &anchor.tip),
        None => None,
    };
    let mut reading = world.readings.read(world.notes)?;
    if let Some((blob, bytes)) = reading.too_large.first() {
        return Err(Lacking::TooLarge(*blob, *bytes).into());
    }
    if let Some(missing) = reading.missing.first() {
        return Err(Lacking::Missing(*missing).into());
    }
    let restored = match &anchor {
        Some(anchor) => put_back(world, anchor, &reading)?,
        None => 0,
    };
    if restored > 0 {
        reading = world.readings.read(world.notes)?;
    }
    let sound = sound(&reading.copies, &world.settings.keyring);
    // The ledger may hold more of this chain than is remembered: the memory could not be written,
    // was lost, or is another one of the same user. So its head comes from the ledger.
    // It is sought from the record that is remembered on: where a foreign writer dropped one before
    // that, the chain seems to end there too, and would be written twice. The remembered record is to be
    // gone on after also where it lacks itself: its absence is then seen.
    let remembered = anchor.as_ref();
    let remembered = remembered.map(|anchor| chains::end_from(&sound, anchor.head));
    let head = remembered.or_else(|| chains::last(&sound, &writer, identity.instance));
    if let (Some(anchor), Some(tip), Some(head)) = (anchor, reading.tip, head) {
        // The append that follows tells of a memory that cannot be written.
        drop(recorder.local.set_anchor(
            &writer,
            &Anchor {
                tip,
                head,
                ..anchor
            },
        ));
    }
    Ok(Settled {
        restored,
        found: replaced.into_iter().collect(),
        ..Settled::at(head)
    })
}

/// Says that the ledger which this clone saw last is not among the history of the present one: what
/// others wrote there is gone, and nobody but its writers could put it back.
fn replaced(world: &World<'_>, tip: Option<&Oid>, known: &Oid) -> Option<Finding> {
    // What is cut off or gone cannot be asked, and then nothing is claimed.
    let follows = tip.map_or(Ok(false), |tip| world.notes.follows(tip, known));
    if follows.unwrap_or(true) {
        return None;
    }
    let message = format!(
        "the ledger was replaced: what it held at {} is not in its history, and lines of others may be \
         gone",
        known.short()
    );
    let hint = format!("git notes --ref=plan-audit merge -s cat_sort_uniq {known}");
    Some(Finding::new(&rows::REPLACED, message).hint(hint))
}

/// Puts back the lines of the last own appends that are gone, and says how many.
fn put_back(world: &World<'_>, anchor: &Anchor, reading: &Reading) -> Result<usize, Cause> {
    let is_gone = |line: &&String| {
        claimed(line.as_bytes()).is_some_and(|(id, proof)| {
            let known = reading.copies.get(&id);
            known.is_none_or(|copies| !copies.proofs.contains(&proof))
        })
    };
    let mut count = 0;
    for batch in &anchor.recent {
        let lines: Vec<String> = batch.lines.iter().filter(is_gone).cloned().collect();
        if !lines.is_empty() {
            count += lines.len();
            let subject = format!("restored: {}", batch.subject);
            world.notes.append(&Batch {
                lines,
                subject,
                ..batch.clone()
            })?;
        }
    }
    Ok(count)
}

/// Proves and appends what an earlier command could not prove, each entry after the head that the
/// own chain has now, and moves the head. What no command can ever write is given up and told, so
/// that it is not in the way of all that follows.
///
/// They come from outside the repository: whoever can write to `.git` cannot have us sign a line.
fn take_unproven(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    identity: &Identity,
    settled: &mut Settled,
) -> Result<(), Cause> {
    for (name, entry) in recorder.local.unproven(identity)? {
        let subject = entry.subject.clone();
        match prove(recorder, identity, entry, settled.head) {
            Ok(batch) => {
                let tip = world.notes.append(&batch.batch)?;
                // The append that follows tells of a memory that cannot be written.
                drop(remember(recorder, tip, &batch.batch));
                settled.head = batch.iter_ids().last();
            }
            Err(cause) if cause.is::<TooLong>() => settled.found.push(given_up(&subject)),
            Err(cause) => return Err(cause),
        }
        recorder.local.drop_unproven(&name)?;
    }
    Ok(())
}

/// Says that a record which waited can never be written.
fn given_up(subject: &str) -> Finding {
    let subject = text::shown(subject);
    let message = format!("\"{subject}\" had waited and is longer than any record may be");
    Finding::new(&rows::GIVEN_UP, message).hint("git plan-audit audit")
}

/// Remembers an append outside the repository. The record is in the ledger already, so that an
/// error is told and is no failure of the append.
pub(super) fn remember(recorder: &Recorder<'_>, tip: Oid, batch: &Batch) -> Result<(), Cause> {
    let writer = recorder.signer.writer();
    let Some((head, _)) = batch.lines.last().and_then(|line| claimed(line.as_bytes())) else {
        return Ok(());
    };
    let mut recent = recorder
        .local
        .anchor(&writer)
        .map(|anchor| anchor.recent)
        .unwrap_or_default();
    recent.push(batch.clone());
    let anchor = Anchor { tip, head, recent };
    recorder.local.set_anchor(&writer, &anchor)
}
