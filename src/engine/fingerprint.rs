//! `fingerprint`: the state of the workspace. Writes nothing.

use super::stop::Stop;
use super::usable::listed;
use super::world::World;
use crate::model::finding::{Finding, state as rows};
use crate::model::outcome::{Details, Outcome, Word};
use crate::model::state::{Flag, State};

/// Takes the state; where a part of it could not be read, there is none to show.
pub(crate) fn fingerprint(world: &World<'_>) -> Result<Outcome, Stop> {
    let state = super::audit::workspace(world)?.state()?;
    if let Some(finding) = unreadable(&state) {
        return Err(Stop::Unknown(vec![finding]));
    }
    Ok(Outcome::new(
        Word::Ok,
        Vec::new(),
        Details::Fingerprint(Box::new(state)),
    ))
}

/// Names what could not be read: a fingerprint without it would look like one of a smaller tree.
fn unreadable(state: &State) -> Option<Finding> {
    let noted = state.flags.get(&Flag::Unreadable)?;
    let message = format!("cannot read {}", listed(noted));
    Some(Finding::new(&rows::UNREADABLE, message).hint("ls -la"))
}
