//! Findings of hooks: of what they gate, and of how they are installed.

use super::{Effect, Row, Severity};

/// `edit-unsealed`.
pub(crate) const EDIT_UNSEALED: Row = Row {
    code: "edit-unsealed",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A plan that is about to be committed asks for more than its sealed contract and is not sealed yet: the commit passes, a push will not.",
};

/// `plan-unstaged`.
pub(crate) const PLAN_UNSTAGED: Row = Row {
    code: "plan-unstaged",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A plan was sealed on this branch, and its file is on disk and not in what is about to be committed.",
};

/// `push-unread`.
pub(crate) const UNREAD: Row = Row {
    code: "push-unread",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "No line said what is pushed, so HEAD was judged as a push to its upstream.",
};

/// `push-unreadable`.
pub(crate) const UNREADABLE: Row = Row {
    code: "push-unreadable",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "What the hook was handed over is not what git writes: nothing of it was judged.",
};

/// `pushed-missing`.
pub(crate) const MISSING: Row = Row {
    code: "pushed-missing",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "The object that is pushed is not in this clone, or is a tag of too many tags.",
};

/// `pushed-no-commit`.
pub(crate) const NO_COMMIT: Row = Row {
    code: "pushed-no-commit",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "What is pushed leads to no commit: no plan binds it.",
};

/// `old-unknown`.
pub(crate) const OLD_UNKNOWN: Row = Row {
    code: "old-unknown",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "The commit that the remote has there is not in this clone, so what it binds cannot be told.",
};

/// `evidence-kept`.
pub(crate) const NOT_PUBLISHED: Row = Row {
    code: "evidence-kept",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "planAudit.remote is not set, so evidence was not published.",
};

/// `evidence-published`.
pub(crate) const PUBLISHED: Row = Row {
    code: "evidence-published",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The ledger was pushed to planAudit.remote before the push.",
};

/// `evidence-refused`.
pub(crate) const REFUSED: Row = Row {
    code: "evidence-refused",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "planAudit.remote does not take the evidence: nothing was published.",
};

/// `evidence-unreachable`.
pub(crate) const UNREACHABLE: Row = Row {
    code: "evidence-unreachable",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "The evidence could not be published: planAudit.remote did not answer, or names no remote.",
};

/// `evidence-beside`.
pub(crate) const BESIDE: Row = Row {
    code: "evidence-beside",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "The push moves refs/notes/plan-audit too: the evidence was sent before it, and what git was told of it is not what is there now.",
};

/// `hook-by-hand`.
pub(crate) const BY_HAND: Row = Row {
    code: "hook-by-hand",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A hook could not be installed, because its place is not ours to write to, or something stands there: it is said what to do.",
};

/// `hook-left`.
pub(crate) const LEFT: Row = Row {
    code: "hook-left",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A hook calls this tool and was not put there by it as it is: `deinit` leaves it.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &EDIT_UNSEALED,
    &PLAN_UNSTAGED,
    &UNREAD,
    &UNREADABLE,
    &MISSING,
    &NO_COMMIT,
    &OLD_UNKNOWN,
    &NOT_PUBLISHED,
    &PUBLISHED,
    &REFUSED,
    &UNREACHABLE,
    &BESIDE,
    &BY_HAND,
    &LEFT,
];
