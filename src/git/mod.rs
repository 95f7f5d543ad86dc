//! Git itself, through gix: opening, objects, refs, notes, and the state of a workspace.

pub(crate) mod open;
