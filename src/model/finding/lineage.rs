//! Findings about the life of a contract: changes, generations, ends.

use super::{Effect, Row, Severity};

/// `contract-rolled-back`.
pub(crate) const ROLLED_BACK: Row = Row {
    code: "contract-rolled-back",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A plan holds an earlier contract of its lineage than a commit before it held.",
};

/// `new-generation`.
pub(crate) const GENERATION: Row = Row {
    code: "new-generation",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A plan was sealed anew, with a reason, and that was approved.",
};

/// `generation-unapproved`.
pub(crate) const GENERATION_UNAPPROVED: Row = Row {
    code: "generation-unapproved",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A plan was sealed anew without approval, and nobody is listed who could approve.",
};

/// `generation-not-approved`.
pub(crate) const GENERATION_REFUSED: Row = Row {
    code: "generation-not-approved",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A plan was sealed anew, and nobody who may approve did.",
};

/// `concurrent-seals`.
pub(crate) const CONCURRENT: Row = Row {
    code: "concurrent-seals",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "Two seals of a lineage have not seen each other: a further seal that continues both settles it.",
};

/// `closed`.
pub(crate) const CLOSED: Row = Row {
    code: "closed",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The lineage of a plan has ended: it does not count.",
};

/// `spent`.
pub(crate) const SPENT: Row = Row {
    code: "spent",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "A plan is closed and the trust point has held its contract: no audit brings it back, only a new generation.",
};

/// `ended-here`.
pub(crate) const ENDED_HERE: Row = Row {
    code: "ended-here",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A contract that was held since the fork point was closed with a proof, and is here no more: what stands in its place is judged alone.",
};

/// `given-up-here`.
pub(crate) const GIVEN_UP_HERE: Row = Row {
    code: "given-up-here",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A contract that was held since the fork point was given up, and is here no more: what stands in its place is judged alone.",
};

/// `close-unproven`.
pub(crate) const CLOSE_UNPROVEN: Row = Row {
    code: "close-unproven",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "A record closes a plan, and no usable audit proves the tree that it names.",
};

/// `close-elsewhere`.
pub(crate) const CLOSE_ELSEWHERE: Row = Row {
    code: "close-elsewhere",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "A record closes a plan by a tree that no commit of this line of work and none of the trust point has.",
};

/// `close-unapproved`.
pub(crate) const CLOSE_UNAPPROVED: Row = Row {
    code: "close-unapproved",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "A record gives a plan up, and nobody who may approve did.",
};

/// `nothing-to-close`.
pub(crate) const NOT_CLOSABLE: Row = Row {
    code: "nothing-to-close",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "There is no open seal to close, or the plan is not proven.",
};

/// `weakened`.
pub(crate) const WEAKENED: Row = Row {
    code: "weakened",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A plan asks for less than its sealed contract.",
};

/// `scope-changed`.
pub(crate) const SCOPE_CHANGED: Row = Row {
    code: "scope-changed",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A plan asks for something else than its sealed contract.",
};

/// `strengthened`.
pub(crate) const STRENGTHENED: Row = Row {
    code: "strengthened",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A plan asks for the same as its sealed contract, or more.",
};

/// `cannot-approve`.
pub(crate) const CANNOT_APPROVE: Row = Row {
    code: "cannot-approve",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The key of this clone cannot approve: it is an HMAC key, or not listed for that at the trust point.",
};

/// Every row of this file.
#[cfg(test)]
pub(super) const ALL: &[&Row] = &[
    &ROLLED_BACK,
    &GENERATION,
    &GENERATION_UNAPPROVED,
    &GENERATION_REFUSED,
    &CONCURRENT,
    &CLOSED,
    &SPENT,
    &ENDED_HERE,
    &GIVEN_UP_HERE,
    &CLOSE_UNPROVEN,
    &CLOSE_ELSEWHERE,
    &CLOSE_UNAPPROVED,
    &NOT_CLOSABLE,
    &WEAKENED,
    &SCOPE_CHANGED,
    &STRENGTHENED,
    &CANNOT_APPROVE,
];
