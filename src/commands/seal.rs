//! `seal`.

use super::{Desk, plan_argument, reason_argument};
use crate::engine::seal::{Renewal, Request};
use crate::engine::stop::Stop;
use crate::engine::{audit, seal};
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;
use crate::model::record::Role;

/// Record that a plan's contract is approved
///
/// Nothing unsealed is ever executed. Where this line of work has a sealed contract, the new seal continues it: asking for more is welcome,
/// asking for less or for something else needs a new generation with a reason, which every report shows first.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit seal\n  \
    git plan-audit seal --plan cache-rewrite\n  \
    git plan-audit seal --new-generation --reason 'the second step cannot be done'\n  \
    git plan-audit seal --plan theirs --from default")]
pub(crate) struct Args {
    /// The plan; without it the only one, else `default`.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// Go on with the lineage of another plan under this name: two branches met in one plan file.
    #[arg(long, value_name = "OTHER", value_parser = plan_argument::read, requires = "plan")]
    from: Option<PlanName>,
    /// Begin a new generation, whose contract may ask for less or for something else.
    #[arg(long, requires = "reason")]
    new_generation: bool,
    /// Why a new generation is begun.
    #[arg(long, value_name = "TEXT", requires = "new_generation", value_parser = reason_argument::read)]
    reason: Option<String>,
    /// Sign the new generation in the approve role.
    #[arg(long, requires = "new_generation")]
    approve: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let world = desk.world()?;
        audit::workspace(&world)?;
        let role = if self.approve {
            Role::Approve
        } else {
            Role::Record
        };
        let request = Request {
            plan: self.plan.clone(),
            from: self.from.clone(),
            renewal: self.reason.clone().map(|reason| Renewal { reason, role }),
        };
        seal::seal(&world, &desk.recorder()?, &request)
    }
}
