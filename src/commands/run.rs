//! `run`.

use super::{Desk, plan_argument, reason_argument};
use crate::engine::run::{self, Request};
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// Run single steps of a sealed plan in the work tree, and record them
///
/// Without a step it takes those that have no passing result for what is on disk. What a step
/// depends on must have passed, in this run or the last time; outputs that it needs are checked
/// again. A run proves no commit: audit does.
///
/// A step that was attempted three times, or `max_attempts` of supervisor.json at the trust point,
/// and did not pass is refused; --force with a reason, which is recorded, tries again. A run that is
/// killed counts as an attempt.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit run\n  \
    git plan-audit run 2 3 --plan cache-rewrite\n  \
    git plan-audit run 3 --force --reason 'the disk was full'\n\n\
    Exit codes: 0 every step passed, 1 one failed or is blocked, 2 refused and nothing ran, \
    3 not recorded.")]
pub(crate) struct Args {
    /// The numbers of the steps.
    #[arg(value_name = "STEP", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Vec<u64>,
    /// The plan; without it the only one, else the plan `default`.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// Run steps although their attempts are used up.
    #[arg(long, requires = "reason")]
    force: bool,
    /// Why; recorded.
    #[arg(long, value_name = "TEXT", requires = "force", value_parser = reason_argument::read)]
    reason: Option<String>,
    /// Show what every check wrote, also where it passed.
    #[arg(long, short)]
    pub(super) verbose: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let request = Request {
            steps: &self.steps,
            only: self.plan.as_ref(),
            forced: self.reason.as_deref(),
        };
        run::run(&desk.world()?, &desk.recorder()?, request, desk.listener())
    }
}
