//! The terminal: what goes to standard output and standard error, and how.

pub(crate) mod live;
pub(crate) mod progress;
pub(crate) mod pulse;
pub(crate) mod screen;
