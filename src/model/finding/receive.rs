//! Findings of a server about what is pushed to it.

use super::{Effect, Row, Severity};

/// `ledger-deleted`.
pub(crate) const DELETED: Row = Row {
    code: "ledger-deleted",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A push would delete the ledger of the server, which is never done.",
};

/// `ledger-rewound`.
pub(crate) const REWOUND: Row = Row {
    code: "ledger-rewound",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A push would replace the ledger of the server by one that does not follow it.",
};

/// `ledger-overtaken`.
pub(crate) const OVERTAKEN: Row = Row {
    code: "ledger-overtaken",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "The ledger of the server moved while another one was pushed to it: git would refuse it and take what was judged by it.",
};

/// `ledger-shrinks`.
pub(crate) const SHRINKS: Row = Row {
    code: "ledger-shrinks",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A ledger that is pushed lacks records, or blobs they name, that it held before: a server's only gains.",
};

/// `received-unreadable`.
pub(crate) const UNREADABLE: Row = Row {
    code: "received-unreadable",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "What is pushed as the ledger is none, or cannot be read whole.",
};

/// `ledger-too-large`.
pub(crate) const TOO_LARGE: Row = Row {
    code: "ledger-too-large",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A push would add to the ledger what is larger than a server takes: a line, a note, a blob, or all of it.",
};

/// `evidence-misplaced`.
pub(crate) const MISPLACED: Row = Row {
    code: "evidence-misplaced",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A reference below refs/plan-audit/ is what a clone remembers, and one below refs/notes/plan-audit/ keeps the ledger from its place: a server takes neither.",
};

/// `protected-deleted`.
pub(crate) const PROTECTED_DELETED: Row = Row {
    code: "protected-deleted",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A push would delete a reference that the server protects; made anew, it would have forgotten what bound it.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &DELETED,
    &REWOUND,
    &OVERTAKEN,
    &SHRINKS,
    &UNREADABLE,
    &TOO_LARGE,
    &MISPLACED,
    &PROTECTED_DELETED,
];
