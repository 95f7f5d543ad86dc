//! Findings about private checkouts.

use super::{Effect, Row, Severity};

/// `checkout-place`.
pub(crate) const PLACE: Row = Row {
    code: "checkout-place",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "There is no private place for a checkout: somebody else could exchange a directory on the way, or it lies in the work tree.",
};

/// `checkout-in-memory`.
pub(crate) const IN_MEMORY: Row = Row {
    code: "checkout-in-memory",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The checkout lies on a file system in memory: what a check writes through a mapping and takes back within its step is not seen there.",
};

/// `checkout-unclean`.
pub(crate) const UNCLEAN: Row = Row {
    code: "checkout-unclean",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A checkout holds what is staged, and there is something else on disk.",
};

/// `checkout-unserved`.
pub(crate) const UNSERVED: Row = Row {
    code: "checkout-unserved",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A checkout cannot hold files as git would write them: a filter driver, an encoding that is not served, or a tree that git would not write.",
};

/// `checkout-missing`.
pub(crate) const MISSING: Row = Row {
    code: "checkout-missing",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Objects of the tree are not in this clone (partial), or not what their ids say.",
};

/// `checkout-stopped`.
pub(crate) const STOPPED: Row = Row {
    code: "checkout-stopped",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "No check ran: the checkout could not be made to its end.",
};

/// `checkout-lacks`.
pub(crate) const LACKS: Row = Row {
    code: "checkout-lacks",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The checkout lacks a submodule or a file of Git LFS that is not in this clone.",
};

/// `checkout-left`.
pub(crate) const LEFT: Row = Row {
    code: "checkout-left",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The checkout could not be removed; every later command tries again.",
};

/// `touched`.
pub(crate) const TOUCHED: Row = Row {
    code: "touched",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "Tracked files of a checkout were rewritten or replaced while the checks ran, even if they hold the same bytes again.",
};

/// `other-place`.
pub(crate) const OTHER_PLACE: Row = Row {
    code: "other-place",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "planAudit.place asks for another place than the one in which the checks ran.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &PLACE,
    &IN_MEMORY,
    &UNCLEAN,
    &UNSERVED,
    &MISSING,
    &STOPPED,
    &LACKS,
    &LEFT,
    &TOUCHED,
    &OTHER_PLACE,
];
