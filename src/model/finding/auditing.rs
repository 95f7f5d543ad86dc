//! Findings of an audit, beside those of its checks and of its place.

use super::{Effect, Row, Severity};

/// `others-unproven`.
pub(crate) const OTHERS: Row = Row {
    code: "others-unproven",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Plans that were not audited bind here too and are not proven for this tree, so a commit of it is not.",
};

/// `head-unjudged`.
pub(crate) const HEAD: Row = Row {
    code: "head-unjudged",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "HEAD has the audited tree and cannot be judged in this clone: the history that says who counts is not here (shallow).",
};

/// `head-unproven`.
pub(crate) const HEAD_UNPROVEN: Row = Row {
    code: "head-unproven",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "HEAD has the audited tree and is the trust point itself, so that its parent says who counts, and by that it is not proven; a later commit of this tree is.",
};

/// `path-entries`.
pub(crate) const PATH_ENTRIES: Row = Row {
    code: "path-entries",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Entries of PATH lie in the work tree or are relative: checks do not find programs there by name.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[&OTHERS, &HEAD, &HEAD_UNPROVEN, &PATH_ENTRIES];
