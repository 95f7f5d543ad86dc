//! Text views of what was found.

pub(crate) mod diagnostic;
