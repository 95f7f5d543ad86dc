//! Findings about the state.

use super::Row;

/// Every row of this file.
pub(crate) const ALL: &[&Row] = &[];
