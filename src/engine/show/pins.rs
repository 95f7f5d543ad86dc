//! The files that a seal pins.

use crate::engine::judge::Judge;
use crate::engine::lineage::Frozen;
use crate::engine::stop::Stop;
use crate::model::ids::RecordId;
use crate::model::outcome::ShownPin;
use crate::model::text;

/// Lists the files that a seal pins, where it counts and the list is here.
pub(super) fn of(judge: &Judge<'_>, id: RecordId) -> Result<Vec<ShownPin>, Stop> {
    let pins = match judge.facts.seals.frozen(id, judge.world.notes)? {
        Frozen::These(pins) => pins,
        Frozen::Nothing | Frozen::Missing => return Ok(Vec::new()),
    };
    let shown = pins.into_iter().map(|(path, pin)| ShownPin {
        path: text::path(&path),
        mode: format!("{:06o}", pin.file.mode),
        id: pin.file.id,
        at_fork: pin.at_fork,
    });
    Ok(shown.collect())
}
