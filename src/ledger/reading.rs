//! Reading every line of every note. Nothing is judged here: what is no record is counted.

use std::collections::{BTreeMap, BTreeSet};

use super::notes::{Notes, NotesError};
use crate::model::ids::{Oid, RecordId};
use crate::trust::soundness::Copies;
use crate::wire::record::{Line, Newer, id_at_end, parse};

/// What the notes of one tip hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading {
    /// The tip; none before the first append.
    pub(crate) tip: Option<Oid>,
    /// Records by id, each with the proofs of all its copies.
    pub(crate) copies: BTreeMap<RecordId, Copies>,
    /// The objects whose notes hold each record.
    pub(crate) places: BTreeMap<RecordId, BTreeSet<Oid>>,
    /// Records of other versions.
    pub(crate) newer: Vec<Newer>,
    /// How many lines are no records.
    pub(crate) malformed: u64,
    /// How many records hang on another object than the one they name.
    pub(crate) moved: u64,
    /// Records that an earlier commit of the ref held and that are gone, by id.
    pub(crate) gone: BTreeMap<RecordId, Copies>,
    /// Blobs of notes that are not here.
    pub(crate) missing: Vec<Oid>,
    /// Blobs of notes that cannot be read, and why.
    pub(crate) unreadable: Vec<(Oid, String)>,
}

/// Reads the ledger at its present tip.
pub(crate) fn read(notes: &dyn Notes) -> Result<Reading, NotesError> {
    let Some(tip) = notes.tip()? else {
        return Ok(Reading::default());
    };
    let mut reading = Reading {
        tip: Some(tip),
        ..Reading::default()
    };
    for entry in notes.list(&tip)? {
        // A blob that annotates itself is kept for a line that names it.
        if entry.target != entry.blob {
            read_note(notes, &mut reading, entry.target, entry.blob);
        }
    }
    for blob in notes.former(&tip)? {
        // What is gone and cannot be read any more cannot be told from noise.
        if let Ok(Some(bytes)) = notes.blob(&blob) {
            look_for_gone(&mut reading, &bytes);
        }
    }
    Ok(reading)
}

/// Finds the records of a former blob that no note holds any more.
fn look_for_gone(reading: &mut Reading, bytes: &[u8]) {
    for line in bytes.split(|byte| *byte == b'\n') {
        if id_at_end(line).is_none_or(|id| reading.copies.contains_key(&id)) {
            continue;
        }
        if let Ok(Line::Record(record)) = parse(line) {
            let proof = record.proof.clone();
            let entry = reading.gone.entry(record.id);
            let copies = entry.or_insert_with(|| Copies {
                record: *record,
                proofs: Vec::new(),
            });
            copies.proofs.push(proof);
        }
    }
}

/// Reads one note with the blobs in which it goes on; each blob once, so that rings end.
fn read_note(notes: &dyn Notes, reading: &mut Reading, target: Oid, first: Oid) {
    let mut seen = BTreeSet::new();
    let mut todo = vec![first];
    while let Some(blob) = todo.pop() {
        if !seen.insert(blob) {
            continue;
        }
        match notes.blob(&blob) {
            Ok(Some(bytes)) => todo.extend(read_lines(reading, target, &bytes)),
            Ok(None) => reading.missing.push(blob),
            Err(error) => reading.unreadable.push((blob, error.to_string())),
        }
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
                let proof = record.proof.clone();
                let copies = reading.copies.entry(record.id).or_insert_with(|| Copies {
                    record: *record,
                    proofs: Vec::new(),
                });
                if !copies.proofs.contains(&proof) {
                    copies.proofs.push(proof);
                }
            }
            Ok(Line::Newer(newer)) => reading.newer.push(newer),
            Ok(Line::Continues(blob)) => more.push(blob),
            Err(_) => reading.malformed += 1,
        }
    }
    more
}
