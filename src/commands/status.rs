//! `status`.

use super::{Desk, plan_argument};
use crate::engine::status;
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// Show where each plan stands, and the next command
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  git plan-audit status")]
pub(crate) struct Args {
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        status::status(&desk.world()?, self.plan.as_ref())
    }
}
