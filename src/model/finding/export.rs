//! Findings of documents for other tools.

use super::{Effect, Row, Severity};

/// `nothing-to-state`.
pub(crate) const NOTHING_TO_STATE: Row = Row {
    code: "nothing-to-state",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "No plan binds the commit, so that no statement is made of it.",
};

/// `export-unsigned`.
pub(crate) const UNSIGNED: Row = Row {
    code: "export-unsigned",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A statement stands in a signed envelope, and the key of this clone makes no signature that outsiders could check.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[&NOTHING_TO_STATE, &UNSIGNED];
