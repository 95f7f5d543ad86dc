//! The ledger that is pushed to a server: it only gains records, and in measure.
//!
//! `receive.denyDeletes` and `receive.denyNonFastForwards` of git protect branches alone.

use std::collections::BTreeSet;

use crate::engine::stop::{Stop, causes};
use crate::engine::world::World;
use crate::ledger::notes::{Batch, Former, NoteEntry, Notes, NotesError};
use crate::ledger::reading::{Reading, read_at};
use crate::model::finding::{Finding, receive as rows};
use crate::model::ids::{Oid, RecordId};
use crate::model::pushed::Line;
use crate::model::repository::LEDGER;
use crate::model::text::{counted, shown};

/// The largest note or blob that is taken, in bytes: notes roll over far below.
const MAX_BLOB: usize = 16 << 20;
/// How much one push may add to the tip, in bytes.
const MAX_PUSH: usize = 512 << 20;
/// How many faults of one kind are named.
const NAMED: usize = 3;

/// A ledger that a server is about to have.
pub(super) struct Received<'a> {
    notes: &'a dyn Notes,
    tip: Oid,
}

impl<'a> Received<'a> {
    /// Takes what is stored, with another tip.
    pub(super) const fn new(notes: &'a dyn Notes, tip: Oid) -> Self {
        Self { notes, tip }
    }
}

impl Notes for Received<'_> {
    fn tip(&self) -> Result<Option<Oid>, NotesError> {
        Ok(Some(self.tip))
    }

    fn list(&self, tip: &Oid) -> Result<Vec<NoteEntry>, NotesError> {
        self.notes.list(tip)
    }

    fn strays(&self, tip: &Oid) -> Result<Vec<String>, NotesError> {
        self.notes.strays(tip)
    }

    fn former(&self, tip: &Oid) -> Result<Former, NotesError> {
        self.notes.former(tip)
    }

    fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, NotesError> {
        self.notes.blob(id)
    }

    fn blob_id(&self, bytes: &[u8]) -> Oid {
        self.notes.blob_id(bytes)
    }

    fn follows(&self, tip: &Oid, earlier: &Oid) -> Result<bool, NotesError> {
        self.notes.follows(tip, earlier)
    }

    fn demand_free(&self) -> Result<(), NotesError> {
        self.notes.demand_free()
    }

    fn append(&self, batch: &Batch) -> Result<Oid, NotesError> {
        self.notes.append(batch)
    }
}

/// Says why what a line brings as evidence is not taken; nothing where it is.
pub(super) fn faults(world: &World<'_>, line: &Line) -> Result<Vec<Finding>, Stop> {
    if line.name != LEDGER {
        return Ok(vec![misplaced(line)]);
    }
    let Some(new) = line.new else {
        return Ok(vec![deleted()]);
    };
    let stored = world.notes.tip().map_err(broken)?;
    if stored != line.old {
        // Git will refuse this line and take the others, which would have been judged by it.
        return Ok(vec![overtaken()]);
    }
    if let Some(old) = stored {
        match world.notes.follows(&new, &old) {
            Ok(true) => {}
            Ok(false) => return Ok(vec![rewound(&old, &new)]),
            Err(error) => return Ok(vec![unreadable(&causes(&error))]),
        }
    }
    let before = match stored {
        Some(old) => (read_at(world.notes, old), world.notes.list(&old)),
        None => (Ok(Reading::default()), Ok(Vec::new())),
    };
    let (before, listed) = (before.0.map_err(broken)?, before.1.map_err(broken)?);
    // What is judged next is judged by it.
    let pushed = match world.readings.read_at(world.notes, new) {
        Ok(reading) => reading,
        Err(error) => return Ok(vec![unreadable(&causes(&error))]),
    };
    let now = world.notes.list(&new).map_err(broken)?;
    let mut found: Vec<Finding> = shrinks(&before, &pushed).into_iter().collect();
    found.extend(keeps_less(&listed, &now));
    found.extend(spoiled(&before, &pushed));
    found.extend(too_large(world, &listed, &now));
    Ok(found)
}

/// Says that a push would lose records: at its tip, or on the way to it.
fn shrinks(before: &Reading, pushed: &Reading) -> Option<Finding> {
    let lost_now = before
        .copies
        .keys()
        .filter(|id| !pushed.copies.contains_key(id));
    let lost_before = pushed.gone.iter().filter(|(id, copies)| {
        let known = before.gone.get(id);
        known.is_none_or(|known| known.proofs != copies.proofs)
    });
    let lost: BTreeSet<&RecordId> = lost_now.chain(lost_before.map(|(id, _)| id)).collect();
    let count = lost.len();
    let names: Vec<String> = lost.into_iter().take(NAMED).map(RecordId::short).collect();
    let message = format!(
        "the ledger that is pushed lacks {} that it held: {}{}",
        counted(count, "record"),
        names.join(", "),
        if count > NAMED { ", …" } else { "" }
    );
    let hint = "git plan-audit sync --repair puts back what was removed";
    (count > 0).then(|| Finding::new(&rows::SHRINKS, message).hint(hint))
}

/// Says that a push would take blobs out that lines of the ledger name.
fn keeps_less(before: &[NoteEntry], now: &[NoteEntry]) -> Option<Finding> {
    let kept = |all: &[NoteEntry]| -> BTreeSet<Oid> {
        let own = all.iter().filter(|entry| entry.target == entry.blob);
        own.map(|entry| entry.blob).collect()
    };
    let (before, now) = (kept(before), kept(now));
    let first = before.difference(&now).next()?;
    let message = format!(
        "the ledger that is pushed does not keep {} any more, which a line of it names",
        first.short()
    );
    let hint = "git plan-audit sync --repair puts back what was removed";
    Some(Finding::new(&rows::SHRINKS, message).hint(hint))
}

/// Says that what is pushed cannot be read whole, beyond what could not be before.
fn spoiled(before: &Reading, pushed: &Reading) -> Option<Finding> {
    let is_new = |blob: &&Oid| !before.missing.contains(blob);
    if let Some(blob) = pushed.missing.iter().find(is_new) {
        return Some(unreadable(&format!("blob {} is not there", blob.short())));
    }
    let mut others = pushed.unreadable.iter();
    if let Some((_, why)) = others.find(|each| !before.unreadable.contains(each)) {
        return Some(unreadable(why));
    }
    let mut large = pushed.too_large.iter();
    let (blob, bytes) = large.find(|each| !before.too_large.contains(each))?;
    Some(oversized(&format!(
        "blob {} has {bytes} bytes",
        blob.short()
    )))
}

/// Says that a push would add more than is taken.
fn too_large(world: &World<'_>, before: &[NoteEntry], now: &[NoteEntry]) -> Option<Finding> {
    let known: BTreeSet<&NoteEntry> = before.iter().collect();
    let mut added = 0_usize;
    for entry in now.iter().filter(|entry| !known.contains(entry)) {
        let bytes = match world.notes.blob(&entry.blob) {
            Ok(bytes) => bytes.unwrap_or_default(),
            Err(NotesError::TooLarge { bytes, .. }) => {
                return Some(oversized(&format!(
                    "blob {} has {bytes} bytes",
                    entry.blob.short()
                )));
            }
            Err(error) => return Some(unreadable(&causes(&error))),
        };
        if let Some(what) = beyond(&entry.blob, &bytes) {
            return Some(oversized(&what));
        }
        added = added.saturating_add(bytes.len());
        if added > MAX_PUSH {
            return Some(oversized("it is more than 512 MiB at once"));
        }
    }
    None
}

/// Says what of a note or blob is beyond measure. Lines that are too long for a record are not: they are
/// noise, and who carries them could not get rid of them.
fn beyond(blob: &Oid, bytes: &[u8]) -> Option<String> {
    let (blob, count) = (blob.short(), bytes.len());
    (count > MAX_BLOB).then(|| format!("blob {blob} has {count} bytes"))
}

/// Ends where the ledger of the server itself cannot be read.
fn broken(error: NotesError) -> Stop {
    Stop::broken("read the ledger of this server")(error.into())
}

/// Says that a reference is not the ledger.
fn misplaced(line: &Line) -> Finding {
    let message = format!("{} is no evidence that a server takes", shown(&line.name));
    let hint = "push branches, tags and refs/notes/plan-audit; git plan-audit sync sends evidence";
    Finding::new(&rows::MISPLACED, message).hint(hint)
}

/// Says that the ledger is not deleted.
fn deleted() -> Finding {
    let message = format!("{LEDGER} holds the evidence, and is not deleted");
    Finding::new(&rows::DELETED, message).hint("leave it out of the push")
}

/// Says that the ledger is another one by now than the push was made for.
fn overtaken() -> Finding {
    let message = format!("{LEDGER} moved here while it was pushed");
    Finding::new(&rows::OVERTAKEN, message).hint("git plan-audit sync, then push again")
}

/// Says that the ledger is not replaced.
fn rewound(old: &Oid, new: &Oid) -> Finding {
    let message = format!(
        "{LEDGER} is {} here, which {} does not follow",
        old.short(),
        new.short()
    );
    Finding::new(&rows::REWOUND, message).hint("git plan-audit sync")
}

/// Says that what is pushed is no ledger.
fn unreadable(why: &str) -> Finding {
    let message = format!(
        "what is pushed as the ledger cannot be read: {}",
        shown(why)
    );
    let hint = "git log -p refs/notes/plan-audit shows what is pushed";
    Finding::new(&rows::UNREADABLE, message).hint(hint)
}

/// Says that what is pushed is too large.
fn oversized(what: &str) -> Finding {
    let message = format!("what is pushed to the ledger is too large: {what}");
    let hint = "git log -p refs/notes/plan-audit shows what is pushed";
    Finding::new(&rows::TOO_LARGE, message).hint(hint)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::ledger::memory::Memory;
    use crate::ledger::reading::read;
    use crate::ledger::testing::{Pen, object};

    fn append(notes: &Memory, lines: &[String]) {
        let batch = Batch {
            target: object(1),
            lines: lines.to_vec(),
            kept: Vec::new(),
            subject: String::new(),
        };
        notes.append(&batch).unwrap();
    }

    #[test]
    fn a_ledger_that_gains_shrinks_by_nothing() {
        let (notes, mut pen) = (Memory::default(), Pen::new(0, 1));
        append(&notes, &pen.write(object(1), &[], &[]));
        let before = read(&notes).unwrap();

        append(&notes, &Pen::new(0, 2).write(object(1), &[], &[]));

        assert_eq!(shrinks(&before, &read(&notes).unwrap()), None);
        assert_eq!(shrinks(&Reading::default(), &before), None);
    }

    #[test]
    fn a_record_that_is_gone_is_missed_once() {
        let (notes, mut pen) = (Memory::default(), Pen::new(0, 1));
        append(&notes, &pen.write(object(1), &[], &[]));
        let before = read(&notes).unwrap();
        notes.rewrite(&BTreeMap::from([(object(1), vec!["x".to_owned()])]));
        let pushed = read(&notes).unwrap();

        let row = shrinks(&before, &pushed).map(|finding| finding.row);
        // What was gone before the push is not its fault.
        let again = shrinks(&pushed, &pushed);

        assert_eq!((row, again), (Some(&rows::SHRINKS), None));
    }

    #[test]
    fn a_kept_blob_is_missed_and_a_note_is_not_taken_for_one() {
        let entry = |target: u8, blob: u8| NoteEntry {
            target: object(target),
            blob: object(blob),
        };

        assert!(keeps_less(&[entry(1, 1)], &[entry(2, 2)]).is_some());
        assert!(keeps_less(&[entry(1, 1), entry(3, 4)], &[entry(1, 1)]).is_none());
    }

    #[test]
    fn blobs_are_measured_and_lines_are_not() {
        let bytes = |length: usize| vec![b'x'; length];

        // A line that is too long for a record is noise, and noise is carried along.
        assert_eq!(beyond(&object(2), &bytes(MAX_BLOB)), None);
        assert!(beyond(&object(2), &bytes(MAX_BLOB + 1)).is_some());
    }
}
