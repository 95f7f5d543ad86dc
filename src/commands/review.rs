//! `review`.

use super::{Desk, plan_argument};
use crate::engine::review;
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// Tell what commits rest on, for people who must decide; runs nothing
///
/// Of each commit and plan: the verdict, who sealed and audited it with which key, what changed in
/// the contract, and requirement by requirement the steps and what their checks gave.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit review\n  \
    git plan-audit review origin/main..topic --base origin/main\n\n\
    Exit codes: 0 done, whatever the verdict; 2 refused. The gate is verify.")]
pub(crate) struct Args {
    /// The commit, or OLD..NEW: each commit of the range.
    #[arg(value_name = "RANGE", default_value = "HEAD")]
    revision: String,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// The commit whose signers and settings count.
    #[arg(long, value_name = "REV")]
    pub(super) base: Option<String>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        review::report(&desk.world()?, &self.revision, self.plan.as_ref())
    }
}
