//! `validate`.

use super::{Desk, plan_argument};
use crate::engine::stop::Stop;
use crate::engine::{audit, validate};
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// Read plan files and report every defect at once, each with its place
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit validate\n  \
    git plan-audit validate --plan cache-rewrite --format json")]
pub(crate) struct Args {
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        validate::validate(audit::workspace(&desk.world()?)?, self.plan.as_ref())
    }
}
