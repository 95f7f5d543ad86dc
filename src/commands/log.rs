//! `log`.

use super::{Desk, plan_argument};
use crate::engine::log;
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// List the records that count, newest first
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit log\n  \
    git plan-audit log HEAD --format json")]
pub(crate) struct Args {
    /// Only records that name this commit.
    #[arg(value_name = "REV")]
    revision: Option<String>,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        log::log(&desk.world()?, self.revision.as_deref(), self.plan.as_ref())
    }
}
