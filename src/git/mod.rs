//! Git itself, through gix: opening, objects, refs, notes, and the state of a workspace.

mod gate;
mod nested;
pub(crate) mod open;
pub(crate) mod parameters;
mod plain;
mod refusal;
pub(crate) mod settings;
mod state;

use crate::model::ids::Oid;

/// Takes an id of gix.
pub(super) fn oid(id: &gix::oid) -> Oid {
    match id.as_bytes().try_into() {
        Ok(sha1) => Oid::Sha1(sha1),
        Err(_) => Oid::Sha256(id.as_bytes().try_into().unwrap_or_default()),
    }
}
