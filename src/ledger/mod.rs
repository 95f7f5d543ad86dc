//! The ledger: reading and judging lines, chains and currency, over a small storage interface.

pub(crate) mod notes;
