//! Findings about claims (PREFLIGHT).

use super::{Effect, Row, Severity};

/// Blocks the plan.
pub(crate) static BLOCKS: Row = Row {
    code: "claim-blocks",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A claim on which much rests does not hold at the commit, or the most critical ones cannot be told to.",
};

/// Waits for an answer.
pub(crate) static WAITS: Row = Row {
    code: "claim-waits",
    severity: Severity::Warning,
    effect: Effect::Unknown,
    meaning: "A claim that only a person can confirm is not answered.",
};

/// Wants a look.
pub(crate) static REVIEW: Row = Row {
    code: "claim-review",
    severity: Severity::Warning,
    effect: Effect::Unknown,
    meaning: "A claim does not hold, or cannot be told to, and somebody should look at it before the work begins.",
};

/// Is noted.
pub(crate) static NOTE: Row = Row {
    code: "claim-note",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A claim on which little rests does not hold, or cannot be told to.",
};

/// Nothing is claimed.
pub(crate) static NONE: Row = Row {
    code: "no-claims",
    severity: Severity::Info,
    effect: Effect::Unknown,
    meaning: "The plan claims nothing about the code, so nothing was tested.",
};

/// Evidence that git does not give again.
pub(crate) static DIFFERS: Row = Row {
    code: "claims-evidence-differs",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "Evidence of a `claims` record is not what testing the same claim at the same commit gives.",
};

/// Evidence that cannot be made again here.
pub(crate) static NOT_HERE: Row = Row {
    code: "claims-not-here",
    severity: Severity::Warning,
    effect: Effect::Unknown,
    meaning: "What a `claims` record rests on is not in this clone.",
};

/// A seal is refused.
pub(crate) static REFUSED: Row = Row {
    code: "claims-refuse-seal",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "A claim does not let the plan be sealed at the commit where the work begins.",
};

/// There is no commit to test claims at.
pub(crate) static NO_COMMIT: Row = Row {
    code: "claims-no-commit",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "Claims are tested at a commit, and there is none yet, or where the work began is cut off.",
};

/// The result was not recorded.
pub(crate) static NOT_RECORDED: Row = Row {
    code: "claims-not-recorded",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The result of a preflight is shown only: this clone cannot record.",
};

/// Words of the prose that no claim covers.
pub(crate) static UNCOVERED: Row = Row {
    code: "claims-uncovered",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "The prose of a plan names what looks like a path, and no claim speaks of it.",
};

/// It was told to stop.
pub(crate) static STOPPED: Row = Row {
    code: "preflight-stopped",
    severity: Severity::Warning,
    effect: Effect::Unknown,
    meaning: "The preflight was told to stop before every claim was tested; nothing was recorded.",
};

/// A claim that is to hold on does not.
pub(crate) static NOT_HELD: Row = Row {
    code: "claim-not-held",
    severity: Severity::Error,
    effect: Effect::Fail,
    meaning: "A claim that says `hold` does not hold in what is judged.",
};

/// Whether a claim holds on cannot be told.
pub(crate) static HOLD_OPEN: Row = Row {
    code: "claim-hold-open",
    severity: Severity::Warning,
    effect: Effect::Unknown,
    meaning: "It cannot be told whether a claim that says `hold` holds in what is judged.",
};

/// Claims that do not hold here.
pub(crate) static NO_LONGER: Row = Row {
    code: "claims-no-longer",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "Claims of the plan do not hold in what was audited: often that is what the plan is for.",
};

/// A question that does not exist.
pub(crate) static QUESTION_UNKNOWN: Row = Row {
    code: "question-unknown",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The question that is answered is not one, or no plan here makes the claim that it asks about.",
};

/// A question that nobody can answer yet.
pub(crate) static QUESTION_UNASKED: Row = Row {
    code: "question-unasked",
    severity: Severity::Info,
    effect: Effect::None,
    meaning: "A claim keeps a plan from beginning, and its question is not recorded: `preflight` records it.",
};

/// An answer is refused.
pub(crate) static ANSWER_REFUSED: Row = Row {
    code: "answer-refused",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "Somebody else is asked, the code decides it, it was answered otherwise before, or the date is over.",
};

/// Answers that differ.
pub(crate) static ANSWERS_DIFFER: Row = Row {
    code: "answers-differ",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "A claim has answers that say different things; none of them counts.",
};

/// A risk was accepted.
pub(crate) static RISK_ACCEPTED: Row = Row {
    code: "risk-accepted",
    severity: Severity::Warning,
    effect: Effect::None,
    meaning: "Somebody accepted up to a date that a claim does not hold, or cannot be told to.",
};

/// The file of `--claims` cannot be read.
pub(crate) static FILE: Row = Row {
    code: "claims-file",
    severity: Severity::Error,
    effect: Effect::Refused,
    meaning: "The file that `--claims` names cannot be read.",
};

/// Every row of this area.
#[cfg(test)]
pub(crate) const ALL: &[&Row] = &[
    &BLOCKS,
    &WAITS,
    &REVIEW,
    &NOTE,
    &NONE,
    &DIFFERS,
    &NOT_HERE,
    &REFUSED,
    &NO_COMMIT,
    &NOT_RECORDED,
    &UNCOVERED,
    &STOPPED,
    &NOT_HELD,
    &HOLD_OPEN,
    &NO_LONGER,
    &QUESTION_UNKNOWN,
    &QUESTION_UNASKED,
    &ANSWER_REFUSED,
    &ANSWERS_DIFFER,
    &RISK_ACCEPTED,
    &FILE,
];
