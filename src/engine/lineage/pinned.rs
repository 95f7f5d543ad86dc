//! The files that seals froze, and what of them a later seal must hold.

use super::{Contracts, Seals, Stop, read_kept};
use crate::ledger::notes::Notes;
use crate::model::ids::{Digest, PlanName, RecordId};
use crate::model::pins::{PinPatterns, Pins, lost};
use crate::model::record::{SealBody, SealedPins};
use crate::wire::body;

/// What a seal says of the files that its contract pins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Frozen {
    /// Nothing: that is right only for a contract that pins nothing.
    Nothing,
    /// These.
    These(Pins),
    /// A list that is not in this clone, or is another one than was sealed.
    Missing,
}

impl Seals {
    /// Reads the files that a seal froze.
    pub(crate) fn frozen(&self, id: RecordId, notes: &dyn Notes) -> Result<Frozen, Stop> {
        match self.records.get(&id) {
            Some(seal) => frozen(&seal.body, notes),
            None => Ok(Frozen::Missing),
        }
    }

    /// Returns the seals whose pins bind where `chosen` stands for its contract: itself, and every
    /// open seal of the same contract whose lineage holds and that none of these continues.
    ///
    /// Else a second first seal of a contract would take fresh pins, and nobody would have said why.
    pub(crate) fn pinning(
        &self,
        plan: &PlanName,
        contract: &Digest,
        chosen: RecordId,
    ) -> Vec<RecordId> {
        let open = self.open(plan, contract).into_iter();
        let holding = open.filter(|id| self.holds(*id)).chain([chosen]);
        self.newest(&holding.collect()).into_iter().collect()
    }
}

impl Contracts<'_> {
    /// Says whether a seal holds all that another one froze; none where that is not here.
    ///
    /// Both contracts were compared before, so they are read.
    pub(super) fn keeps_pins(
        &self,
        before: &SealBody,
        after: &SealBody,
    ) -> Result<Option<bool>, Stop> {
        let contract = self.read.get(&before.contract).and_then(Option::as_ref);
        let Some(contract) = contract else {
            return Ok(None);
        };
        if contract.pins.is_empty() {
            return Ok(Some(true));
        }
        // A contract that was read holds patterns that compile.
        let Ok(patterns) = PinPatterns::new(&contract.pins) else {
            return Ok(Some(false));
        };
        let pair = (frozen(before, self.notes)?, frozen(after, self.notes)?);
        Ok(match pair {
            (Frozen::Missing, _) | (_, Frozen::Missing) => None,
            (Frozen::Nothing, _) | (_, Frozen::Nothing) => Some(false),
            (Frozen::These(before), Frozen::These(after)) => {
                Some(lost(&patterns, &before, &after).is_empty())
            }
        })
    }
}

/// Reads the files that a seal froze, from the line or from the blob that it names.
fn frozen(seal: &SealBody, notes: &dyn Notes) -> Result<Frozen, Stop> {
    let kept = match &seal.pins {
        None => return Ok(Frozen::Nothing),
        Some(SealedPins::Listed(pins)) => return Ok(Frozen::These(pins.clone())),
        Some(SealedPins::Kept(kept)) => kept,
    };
    let bytes = read_kept(notes, kept, "read which files were sealed")?;
    let pins = bytes.and_then(|bytes| body::read_pins(&bytes).ok());
    Ok(pins.map_or(Frozen::Missing, Frozen::These))
}
