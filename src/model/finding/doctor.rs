//! Findings of `doctor`: what keeps the gate from being one.

use super::{Effect, Row, Severity};

/// `gate-silent`.
pub(crate) const SILENT: Row = Row {
    code: "gate-silent",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A push from this work tree did not ask our hook.",
};

/// `gate-open`.
pub(crate) const OPEN: Row = Row {
    code: "gate-open",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "Our hook refused a push from this work tree, and the push went on: what calls the hook throws its answer away.",
};

/// `gate-blind`.
pub(crate) const BLIND: Row = Row {
    code: "gate-blind",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A push asked our hook and did not tell it what is pushed: only HEAD is judged.",
};

/// `gate-partial`.
pub(crate) const PARTIAL: Row = Row {
    code: "gate-partial",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A push told our hook of some of its references and not of all.",
};

/// `gate-untried`.
pub(crate) const UNTRIED: Row = Row {
    code: "gate-untried",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "No push could be tried from this work tree: there is no commit yet, or the work tree is gone.",
};

/// `gate-server-silent`.
pub(crate) const SERVER_SILENT: Row = Row {
    code: "gate-server-silent",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A bare repository, which takes pushes, has no hook pre-receive or update that asks this tool.",
};

/// `gate-server-untried`.
pub(crate) const SERVER_UNTRIED: Row = Row {
    code: "gate-server-untried",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A bare repository, which takes pushes, has a hook that asks this tool. What it refuses only a push shows.",
};

/// `gate-off`.
pub(crate) const OFF: Row = Row {
    code: "gate-off",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "planAudit.prePush is off: a push asks our hook, and none is judged.",
};

/// `gate-narrow`.
pub(crate) const NARROW: Row = Row {
    code: "gate-narrow",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Commits, or branches or tags that are usually protected, pass without being looked at: planAudit.preCommit or planAudit.protect says so.",
};

/// `hook-not-run`.
pub(crate) const NOT_RUN: Row = Row {
    code: "hook-not-run",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "Git passes over a hook: it is not there, is not ours, or cannot be executed.",
};

/// `hook-edited`.
pub(crate) const EDITED: Row = Row {
    code: "hook-edited",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A hook of this tool was edited: it fires for the push that was tried, and for which others is not known.",
};

/// `hook-wrapped`.
pub(crate) const WRAPPED: Row = Row {
    code: "hook-wrapped",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A hook that this tool did not make asks it: for which pushes or commits is for its own lines to say.",
};

/// `hook-program`.
pub(crate) const PROGRAM: Row = Row {
    code: "hook-program",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The program that a hook names is gone or is another one; the one in PATH is taken, if there is one.",
};

/// `hook-advice-off`.
pub(crate) const ADVICE_OFF: Row = Row {
    code: "hook-advice-off",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Git was told not to say when it passes over a hook that is not executable.",
};

/// `hook-configured`.
pub(crate) const CONFIGURED: Row = Row {
    code: "hook-configured",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Git's configuration names hooks of its own, which git 2.54 and later run before the files.",
};

/// `refspec-overwrites`.
pub(crate) const OVERWRITES: Row = Row {
    code: "refspec-overwrites",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A refspec writes over refs/notes/plan-audit, here or at a remote: evidence that only one side has is lost.",
};

/// `refspec-missing`.
pub(crate) const NOT_FETCHED: Row = Row {
    code: "refspec-missing",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "The evidence of a remote is not fetched along with its branches.",
};

/// `notes-rewritten`.
pub(crate) const REWRITTEN: Row = Row {
    code: "notes-rewritten",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "notes.rewriteRef lets git copy notes of evidence when commits are rewritten: copies are noise, and they prove nothing.",
};

/// Every row of this file.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &SILENT,
    &OPEN,
    &BLIND,
    &PARTIAL,
    &SERVER_SILENT,
    &SERVER_UNTRIED,
    &UNTRIED,
    &OFF,
    &NARROW,
    &NOT_RUN,
    &EDITED,
    &WRAPPED,
    &PROGRAM,
    &ADVICE_OFF,
    &CONFIGURED,
    &OVERWRITES,
    &NOT_FETCHED,
    &REWRITTEN,
];
