//! `seal`.

use super::{Desk, plan_argument};
use crate::engine::stop::Stop;
use crate::engine::{audit, seal};
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// Record that a plan's contract is approved
///
/// Nothing unsealed is ever executed. A contract that differs from one that is sealed on this line of work is refused.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit seal\n  \
    git plan-audit seal --plan cache-rewrite")]
pub(crate) struct Args {
    /// The plan; without it the only one, else `default`.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let world = desk.world()?;
        audit::workspace(&world)?;
        seal::seal(&world, &desk.recorder()?, self.plan.as_ref())
    }
}
