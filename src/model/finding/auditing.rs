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

/// `separation`.
pub(crate) const SEPARATION: Row = Row {
    code: "separation",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "Checks are to run as another user, and that is not possible, or would keep nothing from them: the repository or a key is open to others than root.",
};

/// `program-place`.
pub(crate) const PROGRAM_PLACE: Row = Row {
    code: "program-place",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A check ran a program in whose place another one could be put: everybody may write there, it is a place for temporary files, or it lies in the work tree and is not tracked.",
};

/// `program-differs`.
pub(crate) const PROGRAM_DIFFERS: Row = Row {
    code: "program-differs",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A check ran another program (path or content) by the same name than the audit before it of this lineage on this platform did.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &OTHERS,
    &HEAD,
    &HEAD_UNPROVEN,
    &PATH_ENTRIES,
    &SEPARATION,
    &PROGRAM_PLACE,
    &PROGRAM_DIFFERS,
];
