//! Findings about running single steps.

use super::{Effect, Row, Severity};

/// `unknown-step`.
pub(crate) const UNKNOWN_STEP: Row = Row {
    code: "unknown-step",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The plan has no step of the number that was given.",
};

/// `attempts-used-up`.
pub(crate) const ATTEMPTS_USED_UP: Row = Row {
    code: "attempts-used-up",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A step was attempted as often as is allowed and did not pass; `run` takes it again only with a reason.",
};

/// `step-blocked`.
pub(crate) const STEP_BLOCKED: Row = Row {
    code: "step-blocked",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A step was not begun, because what it needs has not passed; that is no attempt.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[&UNKNOWN_STEP, &ATTEMPTS_USED_UP, &STEP_BLOCKED];
