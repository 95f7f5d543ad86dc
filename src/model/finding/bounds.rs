//! Findings about what a seal binds beside the checks: pinned files.

use super::{Effect, Row, Severity};

/// `pin-changed`.
pub(crate) const PIN_CHANGED: Row = Row {
    code: "pin-changed",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A pinned file is neither as it was sealed nor as at the fork point, is gone, or came anew.",
};

/// `bounds-unknown`.
pub(crate) const UNKNOWN: Row = Row {
    code: "bounds-unknown",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "What the pins or the scope of a plan are judged by is not in this clone.",
};

/// `pin-matches-nothing`.
pub(crate) const IDLE: Row = Row {
    code: "pin-matches-nothing",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A pattern of `pins` matches no file, so it freezes none; a file that comes to match it is a violation.",
};

/// Every row of this file.
#[cfg(test)]
pub(super) const ALL: &[&Row] = &[&PIN_CHANGED, &UNKNOWN, &IDLE];
