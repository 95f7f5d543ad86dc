//! The ledger: from lines of notes to evidence that counts, over a small storage interface.

pub(crate) mod chains;
pub(crate) mod judged;
#[cfg(test)]
pub(crate) mod memory;
pub(crate) mod notes;
#[cfg(test)]
pub(crate) mod property_tests;
pub(crate) mod reading;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod union;
