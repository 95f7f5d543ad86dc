//! `questions`.

use super::{Desk, plan_argument};
use crate::engine::preflight::questions;
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// List what plans wait for: claims that keep them from beginning, and what was answered
///
/// Each question is answered with `answer`, by the id that it has here.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit questions\n  \
    git plan-audit questions origin/main --plan cache-rewrite --format json\n\n\
    Exit codes: 0 listed, 2 not a revision or no valid plan.")]
pub(crate) struct Args {
    /// The commit.
    #[arg(value_name = "REV", default_value = "HEAD")]
    revision: String,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        questions::questions(&desk.world()?, &self.revision, self.plan.as_ref())
    }
}
