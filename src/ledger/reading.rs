//! Reading every line of every note. Nothing is judged here: what is no record is counted.

use std::cell::RefCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::notes::{NoteEntry, Notes, NotesError};
use crate::model::ids::{Oid, RecordId};
use crate::model::record::Record;
use crate::trust::soundness::Copies;
use crate::wire::record::{Line, Newer, claimed, parse};

/// What the notes of one tip hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading {
    /// The tip; none before the first append.
    pub(crate) tip: Option<Oid>,
    /// Records by id, each with the proofs of all its copies.
    pub(crate) copies: BTreeMap<RecordId, Copies>,
    /// Blobs that are the notes of themselves: they are kept for lines that name them.
    pub(crate) kept: BTreeSet<Oid>,
    /// The objects whose notes hold each record.
    pub(crate) places: BTreeMap<RecordId, BTreeSet<Oid>>,
    /// Records of other versions, also those that an earlier commit of the ref held.
    pub(crate) newer: Vec<Newer>,
    /// How many lines are no records.
    pub(crate) malformed: u64,
    /// How many records hang on another object than the one they name.
    pub(crate) moved: u64,
    /// Records of earlier commits of the ref that are gone, or whose proof is, by id.
    pub(crate) gone: BTreeMap<RecordId, Copies>,
    /// Blobs of notes, also of earlier commits, that are not here.
    pub(crate) missing: Vec<Oid>,
    /// Whether earlier commits of the ref are not here.
    pub(crate) is_cut: bool,
    /// Blobs of notes that are too large to be read (D25), and their size in bytes.
    pub(crate) too_large: Vec<(Oid, u64)>,
    /// Blobs of notes that cannot be read, and why.
    pub(crate) unreadable: Vec<(Oid, String)>,
}

impl Reading {
    /// Returns the records that the ledger holds or ever held, with all proofs that they had.
    pub(crate) fn ever(&self) -> BTreeMap<RecordId, Copies> {
        let mut all = self.copies.clone();
        for (id, gone) in &self.gone {
            let known = all.entry(*id).or_insert_with(|| gone.clone());
            known.proofs.extend(gone.proofs.iter().cloned());
        }
        all
    }
}

/// The last readings of ledgers, so that one command reads and parses each tip once: that of this clone and
/// those that remotes had.
///
/// For commands during which no object arrives: a blob that is missing stays missing.
#[derive(Debug, Default)]
pub(crate) struct Readings {
    /// The readings, the one that was asked for last first.
    last: RefCell<Vec<Rc<Reading>>>,
    /// Whether a tip follows an earlier one, as far as that was asked.
    follows: RefCell<BTreeMap<(Oid, Oid), bool>>,
}

/// How many readings are kept.
const KEPT: usize = 3;

impl Readings {
    /// Reads the ledger at its present tip, unless that was read last.
    pub(crate) fn read(&self, notes: &dyn Notes) -> Result<Rc<Reading>, NotesError> {
        match notes.tip()? {
            Some(tip) => self.read_at(notes, tip),
            None => Ok(Rc::default()),
        }
    }

    /// Reads a ledger at a tip, unless that was read last.
    pub(crate) fn read_at(&self, notes: &dyn Notes, tip: Oid) -> Result<Rc<Reading>, NotesError> {
        let mut all = self.last.borrow_mut();
        let known = all.iter().position(|each| each.tip == Some(tip));
        let reading = match known {
            Some(place) => all.remove(place),
            None => Rc::new(read_at(notes, tip)?),
        };
        all.insert(0, Rc::clone(&reading));
        all.truncate(KEPT);
        Ok(reading)
    }

    /// Says whether the ledger at a tip follows an earlier tip, or is it; what cannot be followed is not. The
    /// history is walked once for each pair.
    pub(crate) fn follows(&self, notes: &dyn Notes, (tip, earlier): (Oid, Oid)) -> bool {
        let mut known = self.follows.borrow_mut();
        let ask = || tip == earlier || notes.follows(&tip, &earlier).unwrap_or(false);
        *known.entry((tip, earlier)).or_insert_with(ask)
    }
}

/// Reads the ledger at its present tip.
pub(crate) fn read(notes: &dyn Notes) -> Result<Reading, NotesError> {
    match notes.tip()? {
        Some(tip) => read_at(notes, tip),
        None => Ok(Reading::default()),
    }
}

/// Reads a ledger at a tip, of the ref or of another clone.
pub(crate) fn read_at(notes: &dyn Notes, tip: Oid) -> Result<Reading, NotesError> {
    let mut reading = Reading {
        tip: Some(tip),
        ..Reading::default()
    };
    // A blob that annotates itself is kept for a line that names it.
    let (kept, entries): (Vec<_>, Vec<_>) = notes
        .list(&tip)?
        .into_iter()
        .partition(|entry| entry.target == entry.blob);
    let kept: BTreeSet<Oid> = kept.into_iter().map(|entry| entry.blob).collect();
    for entry in entries {
        read_note(notes, &mut reading, &kept, entry);
    }
    let former = notes.former(&tip)?;
    reading.is_cut = former.is_cut;
    look_at_former(notes, &mut reading, &kept, former.blobs);
    reading.kept = kept;
    Ok(reading)
}

/// Looks for gone records in former blobs, and in those that the tip still keeps and that only a
/// former line leads to: who takes the line away takes all away that it led to.
fn look_at_former(
    notes: &dyn Notes,
    reading: &mut Reading,
    kept: &BTreeSet<Oid>,
    former: Vec<Oid>,
) {
    let mut seen = BTreeSet::new();
    for first in former {
        let mut todo = vec![first];
        while let Some(blob) = todo.pop() {
            if !seen.insert(blob) {
                continue;
            }
            match notes.blob(&blob) {
                Ok(Some(bytes)) => {
                    let led_to = look_for_gone(reading, &bytes).into_iter();
                    todo.extend(led_to.filter(|blob| kept.contains(blob)));
                }
                Ok(None) => reading.missing.push(blob),
                // No record is in what is too large for one: whoever may write notes may add such.
                Err(NotesError::TooLarge { .. }) => {}
                Err(error) => reading.unreadable.push((blob, why(&error))),
            }
        }
    }
}

/// Finds the records of a former blob that no note holds any more under the same proof, and returns
/// the blobs in which it went on.
///
/// A line whose proof was exchanged is as good as removed, so that the proof is looked for too.
fn look_for_gone(reading: &mut Reading, bytes: &[u8]) -> Vec<Oid> {
    let mut led_to = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some((id, proof)) = claimed(line) else {
            if let Ok(Line::Continues(blob)) = parse(line) {
                led_to.push(blob);
            }
            continue;
        };
        let is_in = |copies: &BTreeMap<RecordId, Copies>| {
            copies
                .get(&id)
                .is_some_and(|each| each.proofs.contains(&proof))
        };
        if is_in(&reading.copies) || is_in(&reading.gone) {
            continue;
        }
        match parse(line) {
            Ok(Line::Record(record)) => add(&mut reading.gone, *record),
            Ok(Line::Newer(newer)) => reading.newer.push(newer),
            Ok(Line::Continues(_)) | Err(_) => {}
        }
    }
    led_to
}

/// Adds one copy of a record.
fn add(copies: &mut BTreeMap<RecordId, Copies>, record: Record) {
    match copies.entry(record.id) {
        Entry::Occupied(mut known) => {
            known.get_mut().proofs.insert(record.proof);
        }
        Entry::Vacant(free) => {
            free.insert(Copies::of(record));
        }
    }
}

/// Reads one note with the blobs in which it goes on; each blob once, so that rings end.
///
/// Only `kept` blobs of this tip are read on: anybody may write that a note goes on in a blob
/// that nobody has, and then nothing would be missing.
fn read_note(notes: &dyn Notes, reading: &mut Reading, kept: &BTreeSet<Oid>, note: NoteEntry) {
    let mut seen = BTreeSet::new();
    let mut todo = vec![note.blob];
    while let Some(blob) = todo.pop() {
        if !seen.insert(blob) {
            continue;
        }
        match notes.blob(&blob) {
            Ok(Some(bytes)) => {
                let (more, stray): (Vec<_>, Vec<_>) = read_lines(reading, note.target, &bytes)
                    .into_iter()
                    .partition(|blob| kept.contains(blob));
                todo.extend(more);
                reading.malformed += u64::try_from(stray.len()).unwrap_or(u64::MAX);
            }
            Ok(None) => reading.missing.push(blob),
            Err(NotesError::TooLarge { bytes, .. }) => reading.too_large.push((blob, bytes)),
            Err(error) => reading.unreadable.push((blob, why(&error))),
        }
    }
}

/// Says what keeps a note from being read, and why.
fn why(error: &NotesError) -> String {
    match std::error::Error::source(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

/// Reads the lines of one blob and returns the blobs in which it goes on.
fn read_lines(reading: &mut Reading, target: Oid, bytes: &[u8]) -> Vec<Oid> {
    let mut more = Vec::new();
    for line in bytes
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        match parse(line) {
            // A copy that hangs elsewhere is noise: the note of a commit speaks of that commit.
            Ok(Line::Record(record)) if record.header.head != target => reading.moved += 1,
            Ok(Line::Record(record)) => {
                reading.places.entry(record.id).or_default().insert(target);
                add(&mut reading.copies, *record);
            }
            Ok(Line::Newer(newer)) => reading.newer.push(newer),
            Ok(Line::Continues(blob)) => more.push(blob),
            Err(_) => reading.malformed += 1,
        }
    }
    more
}

#[cfg(test)]
mod tests {
    use super::super::memory::Memory;
    use super::super::notes::Batch;
    use super::super::testing::{Pen, object};
    use super::*;

    /// Appends lines to the note of an object, with blobs that they name.
    fn append(notes: &Memory, target: Oid, lines: &[String], kept: &[&[u8]]) {
        let batch = Batch {
            target,
            lines: lines.to_vec(),
            kept: kept.iter().map(|bytes| bytes.to_vec()).collect(),
            subject: String::new(),
        };
        notes.append(&batch).unwrap();
    }

    fn continues(blob: &Oid) -> String {
        format!("{{\"continues\":\"{blob}\"}}")
    }

    #[test]
    fn a_note_goes_on_in_a_kept_blob() {
        let (notes, target) = (Memory::default(), object(1));
        let lines = Pen::new(0, 1).write(target, &[], &[]);
        let text = format!("{}\n", lines.concat());
        let blob = notes.blob_id(text.as_bytes());

        append(&notes, target, &[continues(&blob)], &[text.as_bytes()]);

        let reading = read(&notes).unwrap();
        assert_eq!((reading.copies.len(), reading.malformed), (1, 0));
        notes.lose(&blob);
        assert_eq!(read(&notes).unwrap().missing, [blob]);
    }

    #[test]
    fn a_former_blob_that_is_not_here_is_missing() {
        let (notes, target) = (Memory::default(), object(1));
        let lines = Pen::new(0, 1).write(target, &[], &[]);
        let blob = notes.blob_id(format!("{}\n", lines.concat()).as_bytes());
        append(&notes, target, &lines, &[]);

        notes.rewrite(&BTreeMap::new());
        notes.lose(&blob);

        assert_eq!(read(&notes).unwrap().missing, [blob]);
    }

    #[test]
    fn a_record_whose_note_hangs_elsewhere_now_is_gone() {
        let (notes, target) = (Memory::default(), object(1));
        let lines = Pen::new(0, 1).write(target, &[], &[]);
        append(&notes, target, &lines, &[]);

        notes.rewrite(&BTreeMap::from([(object(2), lines)]));

        let reading = read(&notes).unwrap();
        let found = (reading.copies.len(), reading.moved, reading.gone.len());
        assert_eq!(found, (0, 1, 1));
    }

    #[test]
    fn a_record_to_which_no_line_leads_any_more_is_gone_though_its_blob_is_kept() {
        let (notes, target) = (Memory::default(), object(1));
        let text = format!("{}\n", Pen::new(0, 1).write(target, &[], &[]).concat());
        let blob = notes.blob_id(text.as_bytes());
        append(&notes, target, &[continues(&blob)], &[text.as_bytes()]);

        notes.rewrite(&BTreeMap::from([(target, vec!["x".to_owned()])]));

        let reading = read(&notes).unwrap();
        assert_eq!((reading.copies.len(), reading.gone.len()), (0, 1));
    }

    #[test]
    fn a_history_that_is_cut_off_is_told() {
        let notes = Memory::default();
        append(&notes, object(1), &["x".to_owned()], &[]);

        notes.cut();

        assert!(read(&notes).unwrap().is_cut);
    }

    #[test]
    fn a_note_never_goes_on_in_a_blob_that_is_not_kept() {
        let notes = Memory::default();

        append(&notes, object(1), &[continues(&object(2))], &[]);

        let reading = read(&notes).unwrap();
        assert_eq!((reading.missing, reading.malformed), (vec![], 1));
    }

    #[test]
    fn a_tip_is_read_once_and_the_next_one_anew() {
        let (notes, readings) = (Memory::default(), Readings::default());
        let read = || readings.read(&notes).unwrap();
        assert_eq!(*read(), Reading::default());
        append(&notes, object(1), &["x".to_owned()], &[]);

        let first = read();

        assert!(Rc::ptr_eq(&first, &read()));
        append(&notes, object(1), &["y".to_owned()], &[]);
        assert_eq!((first.malformed, read().malformed), (1, 2));
    }

    #[test]
    fn a_ring_of_notes_ends() {
        let (notes, target) = (Memory::default(), object(1));
        let (one, other) = (object(2), object(3));
        let ring = [continues(&one), continues(&other)].join("\n");
        append(&notes, target, &[continues(&one)], &[]);

        // Such a ring has no true ids; a store that claims them must not hang the reader.
        notes.claim(&one, ring.as_bytes());
        notes.claim(&other, ring.as_bytes());

        assert_eq!(read(&notes).unwrap().malformed, 0);
    }

    #[test]
    fn a_line_in_the_note_of_another_object_is_moved() {
        let notes = Memory::default();
        let lines = Pen::new(0, 1).write(object(1), &[], &[]);

        append(&notes, object(2), &lines, &[]);

        let reading = read(&notes).unwrap();
        assert_eq!((reading.copies.len(), reading.moved), (0, 1));
    }

    #[test]
    fn a_line_whose_proof_was_exchanged_is_gone() {
        let (notes, target) = (Memory::default(), object(1));
        let lines = Pen::new(0, 1).write(target, &[], &[]);
        append(&notes, target, &lines, &[]);
        let (before, _) = lines[0].rsplit_once(",\"proof\":").unwrap();
        let other = format!("{before},\"proof\":{{\"by\":\"{}\"}}}}", "0".repeat(64));

        notes.rewrite(&BTreeMap::from([(target, vec![other])]));

        let reading = read(&notes).unwrap();
        assert_eq!((reading.copies.len(), reading.gone.len()), (1, 1));
        let [ever] = reading
            .ever()
            .into_values()
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        assert_eq!(ever.proofs.len(), 2);
    }
}
