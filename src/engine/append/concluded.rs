//! A command that ends with the record of one decision: what it comes to, in the ledger or not.

use super::{Entry, append};
use crate::engine::judge::Judge;
use crate::engine::own_key;
use crate::engine::ports::Identity;
use crate::engine::world::Recorder;
use crate::model::finding::Finding;
use crate::model::ids::RecordId;
use crate::model::outcome::{Details, Outcome, Word};

/// Appends an entry and makes the outcome of its last record, with what is to be told by then. What could
/// not be appended is UNKNOWN, and the findings say where it is.
pub(crate) fn concluded(
    judge: &Judge<'_>,
    (recorder, identity): (&Recorder<'_>, &Identity),
    (entry, mut findings): (Entry, Vec<Finding>),
    done: impl FnOnce(RecordId, Vec<Finding>) -> Outcome,
) -> Outcome {
    let role = entry.role;
    match append(&judge.world, recorder, identity, entry) {
        Ok(appended) => {
            let record = appended.records.last().copied().unwrap_or(RecordId::NONE);
            findings.extend(own_key::told(judge, (recorder, role), appended));
            done(record, findings)
        }
        Err(finding) => {
            findings.push(*finding);
            Outcome::new(Word::Unknown, findings, Details::None)
        }
    }
}
