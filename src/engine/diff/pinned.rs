//! Pinned files that are not as they were sealed, as differences of their own.

use crate::engine::judge::Judge;
use crate::engine::lineage::Frozen;
use crate::engine::place::Place;
use crate::engine::stop::Stop;
use crate::model::change::{Change, Class};
use crate::model::contract::Contract;
use crate::model::files::File;
use crate::model::ids::RecordId;
use crate::model::pins::{PinPatterns, violations};
use crate::model::text;

/// Lists what became of the files that a seal of this contract froze: each is a weakening.
pub(in crate::engine) fn changes(
    judge: &Judge<'_>,
    (contract, seal): (&Contract, RecordId),
    place: &Place,
) -> Result<Vec<Change>, Stop> {
    let patterns = PinPatterns::new(&contract.pins);
    let frozen = judge.facts.seals.frozen(seal, judge.world.notes)?;
    let (Ok(patterns), Frozen::These(pins)) = (patterns, frozen) else {
        return Ok(Vec::new());
    };
    let now = place.files(judge.world.objects)?;
    let fork = judge.fork.files(&judge.world)?;
    let found = violations(&patterns, &pins, (now, fork)).into_iter();
    let change = found.map(|each| Change {
        class: Class::Weakening,
        member: format!("pinned {}", text::path(&each.path)),
        before: pins.get(&each.path).map(|pin| described(&pin.file)),
        after: now.get(&each.path).map(described),
    });
    Ok(change.collect())
}

/// Writes what stands at a path as git lists it.
fn described(file: &File) -> String {
    format!("{:06o} {}", file.mode, file.id)
}
