//! Findings about evidence on its way between clones.

use super::{Effect, Row, Severity};

/// `remote-unreachable`.
pub(crate) const UNREACHABLE: Row = Row {
    code: "remote-unreachable",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A remote could not be asked for its evidence, or did not answer in time.",
};

/// `remote-refused`.
pub(crate) const REFUSED: Row = Row {
    code: "remote-refused",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A remote answered and did not take the evidence; it is all here.",
};

/// `remote-ahead`.
pub(crate) const AHEAD: Row = Row {
    code: "remote-ahead",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "A remote holds evidence that is not here, so that what is here cannot be sent without it.",
};

/// `remote-busy`.
pub(crate) const BUSY: Row = Row {
    code: "remote-busy",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Others moved the ledger each time, here or at the remote; nothing is lost.",
};

/// `remote-rolled-back`.
pub(crate) const ROLLED_BACK: Row = Row {
    code: "remote-rolled-back",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The ledger of a remote lacks lines that it had when this clone saw it last. They are not given up here.",
};

/// `which-remote`.
pub(crate) const WHICH: Row = Row {
    code: "which-remote",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "No remote was named, and none stands out; or there is none of that name.",
};

/// `notes-merge-unfinished`.
pub(crate) const UNFINISHED: Row = Row {
    code: "notes-merge-unfinished",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "Somebody began to merge the ledger with `git notes merge` and did not end it.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &UNREACHABLE,
    &REFUSED,
    &AHEAD,
    &BUSY,
    &ROLLED_BACK,
    &WHICH,
    &UNFINISHED,
];
