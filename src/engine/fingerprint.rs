//! `fingerprint`: the state of the workspace. Writes nothing.

use super::stop::Stop;
use super::usable::listed;
use super::world::World;
use crate::model::finding::{Finding, state as rows};
use crate::model::outcome::{Details, Outcome, Word};
use crate::model::state::Flag;

/// Takes the state.
pub(crate) fn fingerprint(world: &World<'_>) -> Result<Outcome, Stop> {
    let state = super::audit::workspace(world)?.state()?;
    let (word, findings) = match state.flags.get(&Flag::Unreadable) {
        None => (Word::Ok, Vec::new()),
        Some(noted) => {
            let message = format!("files cannot be read: {}", listed(noted));
            (
                Word::Unknown,
                vec![Finding::new(&rows::UNREADABLE, message)],
            )
        }
    };
    Ok(Outcome::new(
        word,
        findings,
        Details::Fingerprint(Box::new(state)),
    ))
}
