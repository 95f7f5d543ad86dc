//! How listed records have seen each other, across those that are not listed.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::ids::RecordId;
use crate::model::outcome::{LogEntry, Nearest};
use crate::model::record::Record;

/// Returns for each entry the nearest records before it that are listed too. `records` has all that
/// counts, each after what it has seen.
pub(super) fn of(records: &[&Record], entries: &[LogEntry]) -> Vec<Vec<Nearest>> {
    let listed: BTreeSet<RecordId> = entries.iter().map(|entry| entry.record).collect();
    // What is listed nearest below each record that is not; a record that is stands for itself.
    let mut below: BTreeMap<RecordId, BTreeSet<RecordId>> = BTreeMap::new();
    let mut found = BTreeMap::new();
    for record in records {
        let prev = &record.header.prev;
        let mut nearest: BTreeSet<RecordId> = BTreeSet::new();
        for id in prev {
            if listed.contains(id) {
                nearest.insert(*id);
            } else if let Some(below) = below.get(id) {
                nearest.extend(below);
            }
        }
        if listed.contains(&record.id) {
            let near = nearest.into_iter().map(|record| Nearest {
                record,
                is_direct: prev.contains(&record),
            });
            found.insert(record.id, near.collect());
        } else {
            below.insert(record.id, nearest);
        }
    }
    let of_entry = |entry: &LogEntry| found.remove(&entry.record).unwrap_or_default();
    entries.iter().map(of_entry).collect()
}
