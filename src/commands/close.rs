//! `close`.

use super::{Desk, plan_argument, reason_argument};
use crate::engine::close::{self, How, Request};
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;
use crate::model::record::Role;

/// End the lineage of a plan: with the proof of a commit, or by giving it up
///
/// A closed plan no longer counts once the trust point has held it. A plan that is given up binds
/// no more; where somebody is listed as an approver, only with their approval.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit close\n  \
    git plan-audit close --commit main --plan cache-rewrite\n  \
    git plan-audit close --abandon --reason 'the feature was dropped'\n\n\
    Exit codes: 0 done, 2 nothing to close or not proven, 3 not recorded.")]
pub(crate) struct Args {
    /// The plan; without it the only one, else `default`.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// The commit that proves it.
    #[arg(
        long,
        value_name = "REV",
        default_value = "HEAD",
        conflicts_with = "abandon"
    )]
    commit: String,
    /// Give up the seal that stands, or the one whose id begins so.
    #[arg(long, value_name = "SEAL", num_args = 0..=1, default_missing_value = "", requires = "reason")]
    abandon: Option<String>,
    /// Why it is given up.
    #[arg(long, value_name = "TEXT", requires = "abandon", value_parser = reason_argument::read)]
    reason: Option<String>,
    /// Sign the giving up in the approve role.
    #[arg(long, requires = "abandon")]
    approve: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let how = match (&self.abandon, &self.reason) {
            (Some(seal), Some(reason)) => How::Abandoned {
                seal: Some(seal.clone()).filter(|seal| !seal.is_empty()),
                reason: reason.clone(),
                role: if self.approve {
                    Role::Approve
                } else {
                    Role::Record
                },
            },
            (_, _) => How::Proven {
                revision: self.commit.clone(),
            },
        };
        let request = Request {
            plan: self.plan.clone(),
            how,
        };
        close::close(&desk.world()?, &desk.recorder()?, &request)
    }
}
