//! Findings about the state of a workspace.

use super::{Effect, Row, Severity};

/// `untracked-files`.
pub(crate) const UNTRACKED: Row = Row {
    code: "untracked-files",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "Untracked files are in the work tree: no commit has this state.",
};

/// `unstaged-changes`.
pub(crate) const UNSTAGED: Row = Row {
    code: "unstaged-changes",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "What is staged differs from what is on disk: the audit proves what is on disk.",
};

/// `hidden-files`.
pub(crate) const HIDDEN: Row = Row {
    code: "hidden-files",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Files take part in checks and in no state: hidden only by rules that are not tracked (info/exclude, core.excludesFile, an untracked .gitignore), or the state of plan-auditor.",
};

/// `state-flag`.
pub(crate) const FLAG: Row = Row {
    code: "state-flag",
    severity: Severity::Warning,
    effect: Effect::DoesNotCount,
    meaning: "The workspace has an oddity that keeps a record of it from being usable.",
};

/// `state-note`.
pub(crate) const FLAG_INFO: Row = Row {
    code: "state-note",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The workspace has an oddity that a reader should know.",
};

/// `files-touched`.
pub(crate) const TOUCHED: Row = Row {
    code: "files-touched",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Files of the work tree were rewritten or replaced while the checks ran, even if they hold the same bytes again; in a checkout that is `touched`.",
};

/// `unmerged`.
pub(crate) const UNMERGED: Row = Row {
    code: "unmerged",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A merge is not resolved.",
};

/// `state-unstable`.
pub(crate) const UNSTABLE: Row = Row {
    code: "state-unstable",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "Files kept changing while the state was taken.",
};

/// `state-unreadable`.
pub(crate) const UNREADABLE: Row = Row {
    code: "state-unreadable",
    severity: Severity::Error,
    effect: Effect::Unknown,
    meaning: "The state of the workspace could not be taken.",
};

/// `bare`.
pub(crate) const BARE: Row = Row {
    code: "bare",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The repository is bare: it has no workspace.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &UNTRACKED,
    &UNSTAGED,
    &HIDDEN,
    &FLAG,
    &FLAG_INFO,
    &TOUCHED,
    &UNMERGED,
    &UNSTABLE,
    &UNREADABLE,
    &BARE,
];
