//! What happens during an audit, for whoever shows progress.

use crate::model::finding::Finding;
use crate::model::ids::PlanName;
use crate::model::outcome::AuditedStep;

/// One thing that happened.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    /// The state of the workspace is being taken.
    TakingState,
    /// Something was found before the first check that makes the audit a FAIL.
    Found(&'a Finding),
    /// A private checkout is being made.
    MakingCheckout,
    /// The ledger is being published.
    Publishing {
        /// The name of the remote.
        remote: &'a str,
    },
    /// A step begins.
    StepStarted {
        /// The plan.
        plan: &'a PlanName,
        /// The step's number.
        step: u64,
        /// What it does.
        title: &'a str,
    },
    /// A check begins.
    CheckStarted {
        /// The number of its step.
        step: u64,
        /// Whether other steps may run at the same time.
        is_beside: bool,
        /// The check as one line.
        label: &'a str,
    },
    /// A step ended.
    StepEnded {
        /// The plan.
        plan: &'a PlanName,
        /// What became of it.
        step: &'a AuditedStep,
    },
}

/// Hears of events.
pub(crate) type Listener<'a> = &'a dyn Fn(&Event<'_>);
