//! `diff`.

use super::{Desk, plan_argument};
use crate::engine::diff::{self, Against};
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::{Details, Outcome};

/// Show what differs between plans on disk and their sealed contracts
///
/// Each difference stands in its class: `neutral` and `strengthening` may be sealed, `weakening`
/// and `scope change` need a new generation. A pinned file that is not as it was sealed, nor as at
/// the fork point, is a weakening too.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit diff\n  \
    git plan-audit diff --plan cache-rewrite --lineage\n\n\
    Exit codes: 0 done, 1 with --exit-code and differences, 2 not a valid plan.")]
pub(crate) struct Args {
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// Compare with the first seal of the lineage.
    #[arg(long)]
    lineage: bool,
    /// End with 1 where something differs.
    #[arg(long)]
    exit_code: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let against = if self.lineage {
            Against::First
        } else {
            Against::Present
        };
        let mut outcome = diff::diff(&desk.world()?, self.plan.as_ref(), against)?;
        if self.exit_code && differs(&outcome) {
            outcome.exit = 1;
        }
        Ok(outcome)
    }
}

/// Says whether any plan differs from a seal.
fn differs(outcome: &Outcome) -> bool {
    let Details::Diff(compared) = &outcome.details else {
        return false;
    };
    let mut with = compared.iter().flat_map(|plan| &plan.with);
    with.any(|each| !each.changes.is_empty())
}
