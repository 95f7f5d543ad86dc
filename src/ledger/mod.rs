//! The ledger: from lines of notes to evidence that counts, over a small storage interface.

pub(crate) mod chains;
pub(crate) mod judged;
pub(crate) mod notes;
pub(crate) mod reading;
