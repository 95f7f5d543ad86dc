//! Findings about the ledger.

use super::Row;

/// Every row of this file.
pub(crate) const ALL: &[&Row] = &[];
