//! Putting back what earlier commits of the ledger held and its tip lacks.

use std::collections::BTreeMap;

use super::unread;
use crate::engine::stop::Stop;
use crate::ledger::notes::{Batch, Joins};
use crate::ledger::reading;
use crate::model::ids::Oid;
use crate::wire::record::{Line, claimed, parse};

/// Puts back every record that is gone under the proof that it had, with the blobs that it names, and
/// says how many lines that were. What is no record is nobody's evidence and stays away.
pub(super) fn repair(notes: &dyn Joins) -> Result<usize, Stop> {
    let Some(tip) = notes.tip().map_err(unread)? else {
        return Ok(0);
    };
    let present = reading::read(notes).map_err(unread)?.copies;
    let former = notes.former(&tip).map_err(unread)?.blobs;
    let mut gone: BTreeMap<Oid, Batch> = BTreeMap::new();
    let mut texts = BTreeMap::new();
    for blob in former {
        // What is too large for a note, or not here, holds no line that could be put back.
        texts.extend(notes.blob(&blob).ok().flatten().map(|text| (blob, text)));
    }
    for line in texts
        .values()
        .flat_map(|text| text.split(|byte| *byte == b'\n'))
    {
        let is_here = claimed(line).is_none_or(|(id, proof)| {
            let known = present.get(&id);
            known.is_some_and(|copies| copies.proofs.contains(&proof))
        });
        if let (false, Ok(Line::Record(record))) = (is_here, parse(line)) {
            let batch = gone.entry(record.header.head).or_insert_with(|| Batch {
                target: record.header.head,
                lines: Vec::new(),
                kept: Vec::new(),
                subject: "restored: what the ledger held before".to_owned(),
            });
            let line = String::from_utf8_lossy(line).into_owned();
            if !batch.lines.contains(&line) {
                batch.lines.push(line);
            }
        }
    }
    let mut count = 0;
    for mut batch in gone.into_values() {
        let is_named = |blob: &Oid| {
            let id = blob.to_string();
            batch.lines.iter().any(|line| line.contains(&id))
        };
        let kept = texts.iter().filter(|(blob, _)| is_named(blob));
        batch.kept = kept.map(|(_, text)| text.clone()).collect();
        count += batch.lines.len();
        notes.append(&batch).map_err(unread)?;
    }
    Ok(count)
}
