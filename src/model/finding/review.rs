//! Findings about what people decided.

use super::{Effect, Row, Severity};

/// `trust-approved`.
pub(crate) const TRUST_APPROVED: Row = Row {
    code: "trust-approved",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Keys, settings or policies differ from those at the trust point, and somebody who may approve did so.",
};

/// `reviewed`.
pub(crate) const REVIEWED: Row = Row {
    code: "reviewed",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "As many people as `planAudit.requireReviews` asks for approved this tree and contract.",
};

/// `reviews-missing`.
pub(crate) const MISSING: Row = Row {
    code: "reviews-missing",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A plan is proven, and fewer people approved this tree and contract than `planAudit.requireReviews` asks for; who sealed it does not count.",
};

/// `review-rejected`.
pub(crate) const REJECTED: Row = Row {
    code: "review-rejected",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Somebody who may approve rejected this tree and contract, or this change of who is trusted.",
};

/// `review-idle`.
pub(crate) const IDLE: Row = Row {
    code: "review-idle",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The decision would count for nothing: no plan of the commit is sealed, or the same person sealed each, and no change of trust waits.",
};

/// `review-range`.
pub(crate) const RANGE: Row = Row {
    code: "review-range",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A person decides on one commit at a time, and a range was named.",
};

/// `review-file`.
pub(crate) const FILE: Row = Row {
    code: "review-file",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The file that a report was to be written to cannot be written.",
};

/// Every row of this file.
#[cfg(test)]
pub(super) const ALL: &[&Row] = &[
    &TRUST_APPROVED,
    &REVIEWED,
    &MISSING,
    &REJECTED,
    &IDLE,
    &RANGE,
    &FILE,
];
