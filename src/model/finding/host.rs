//! Findings of agent hosts.

use super::{Effect, Row, Severity};

/// `command-denied`.
pub(crate) const DENIED: Row = Row {
    code: "command-denied",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A command that an agent is about to run would go past the gate, as far as its text says.",
};

/// `host-settings-left`.
pub(crate) const SETTINGS_LEFT: Row = Row {
    code: "host-settings-left",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The settings of an agent host are not added to: they are not what that host reads, or there is no file for them.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[&DENIED, &SETTINGS_LEFT];
