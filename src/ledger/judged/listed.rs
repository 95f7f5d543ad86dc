//! Every record of a ledger with what its proof is worth, for who wants to look at all of it.

use std::collections::BTreeMap;

use super::Ledger;
use crate::ledger::chains::Sound;
use crate::model::ids::{Oid, RecordId};
use crate::model::outcome::ListedRecord;
use crate::trust::soundness::Copies;

/// Lists the records without a proof that fits.
pub(super) fn unproven(copies: &BTreeMap<RecordId, Copies>, sound: &Sound) -> Vec<ListedRecord> {
    let others = copies.iter().filter(|(id, _)| !sound.contains_key(id));
    let listed = others.map(|(id, copies)| ListedRecord {
        id: *id,
        kind: copies.record.header.kind.clone(),
        writer: copies.record.header.writer.clone(),
        is_sound: false,
        counts: false,
    });
    listed.collect()
}

impl Ledger {
    /// Lists every record that hangs where it belongs, by id.
    pub(crate) fn listed(&self) -> Vec<ListedRecord> {
        let sound = self.sound.iter().map(|(id, record)| ListedRecord {
            id: *id,
            kind: record.header.kind.clone(),
            writer: record.header.writer.clone(),
            is_sound: true,
            counts: self.evidence.contains_key(id),
        });
        let mut all: Vec<ListedRecord> = sound.chain(self.unproven.iter().cloned()).collect();
        all.sort();
        all
    }

    /// Says whether a blob is the note of itself at the tip, so that whoever has the ledger has it.
    pub(crate) fn is_kept(&self, blob: &Oid) -> bool {
        self.kept.contains(blob)
    }
}
