//! Findings about what a seal binds beside the checks: pinned files, and the scope.

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

/// `out-of-scope`.
pub(crate) const OUT_OF_SCOPE: Row = Row {
    code: "out-of-scope",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "The work touched paths outside of the scope of its plan.",
};

/// `out-of-scope-light`.
pub(crate) const OUT_OF_SCOPE_LIGHT: Row = Row {
    code: "out-of-scope-light",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The work touched paths outside of the scope of its plan, which the light profile allows.",
};

/// `untouched`.
pub(crate) const UNTOUCHED: Row = Row {
    code: "untouched",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "An update neither seals nor changes a plan, nor touches a path of its scope or pins, and neither does the line of work that it goes on with: the plan does not count.",
};

/// Every row of this file.
#[cfg(test)]
pub(super) const ALL: &[&Row] = &[
    &PIN_CHANGED,
    &UNKNOWN,
    &IDLE,
    &OUT_OF_SCOPE,
    &OUT_OF_SCOPE_LIGHT,
    &UNTOUCHED,
];
