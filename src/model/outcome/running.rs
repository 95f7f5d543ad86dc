//! What came of steps that were run by themselves, and what checks wrote.

use super::AuditedStep;
use crate::model::check::Captured;
use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::verdict::Verdict;

/// How a step ended that was run by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepEnd {
    /// Everything in it gave the expected result.
    Passed,
    /// Something did not, or could not be started.
    Failed,
    /// We were told to stop while it ran.
    Interrupted,
    /// It was not begun: what it needs has not passed.
    Blocked,
}

impl StepEnd {
    /// Says whether it counts against the step.
    pub(crate) const fn is_failed_attempt(self) -> bool {
        match self {
            Self::Failed | Self::Interrupted => true,
            Self::Passed | Self::Blocked => false,
        }
    }

    /// Returns what it says of the step.
    pub(crate) const fn verdict(self) -> Verdict {
        match self {
            Self::Passed => Verdict::Pass,
            Self::Failed => Verdict::Fail,
            Self::Interrupted | Self::Blocked => Verdict::Unknown,
        }
    }

    /// Returns the word for people and machines.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::Blocked => "blocked",
        }
    }
}

/// What `run` did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RanSteps {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// The digest of its contract.
    pub(crate) contract: Digest,
    /// The tree after the last step.
    pub(crate) tree: Oid,
    /// The record; none when nothing was run, or it could not be appended.
    pub(crate) record: Option<RecordId>,
    /// How often a step may fail; none where the settings that say so are wrong.
    pub(crate) max_attempts: Option<u64>,
    /// What became of the steps that were taken, in their order.
    pub(crate) steps: Vec<RanStep>,
    /// Steps that were chosen and not reached, because we were told to stop.
    pub(crate) left: Vec<u64>,
}

/// What became of one step that was run by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RanStep {
    /// Its checks.
    pub(crate) step: AuditedStep,
    /// How it ended.
    pub(crate) end: StepEnd,
    /// Its failed attempts so far, this one included.
    pub(crate) failed: u64,
}

/// Where one step stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct StepStatus {
    /// The step's number.
    pub(crate) id: u64,
    /// Its failed attempts.
    pub(crate) failed: u64,
}

/// What one check wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ShownOutput {
    /// The step.
    pub(crate) step: u64,
    /// The check as one line.
    pub(crate) label: String,
    /// Length and digest.
    pub(crate) captured: Captured,
    /// What is kept of it, safe to print; none where nothing is.
    pub(crate) text: Option<String>,
    /// Whether that is all of it, as the digest says.
    pub(crate) is_whole: bool,
}
