//! `audit`.

use super::{Desk, plan_argument};
use crate::engine::audit;
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// Run every check of every sealed plan afresh, judge, and record
///
/// The checks run in the work tree, with no shell, a bounded time and a bare environment. The
/// record proves every commit whose tree is what is on disk now.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit audit\n  \
    git plan-audit audit --plan cache-rewrite --format json\n\n\
    Exit codes: 0 PASS, 1 FAIL, 2 refused and nothing ran, 3 UNKNOWN, NO_PLAN or not recorded.")]
pub(crate) struct Args {
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let world = desk.world()?;
        audit::workspace(&world)?;
        audit::audit(
            &world,
            &desk.recorder()?,
            self.plan.as_ref(),
            desk.listener(),
        )
    }
}
