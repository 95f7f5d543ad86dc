//! Git itself, through gix: opening, objects, refs, notes, and the state of a workspace.

mod durable;
mod ids;
pub(crate) mod notes;
pub(crate) mod objects;
pub(crate) mod open;
mod remotes;
#[cfg(test)]
mod testing;
