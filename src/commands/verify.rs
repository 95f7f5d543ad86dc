//! `verify`.

use super::{Desk, plan_argument};
use crate::engine::judge;
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::{Outcome, Word};

/// Judge a commit from recorded evidence alone; runs nothing, writes nothing
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit verify\n  \
    git plan-audit verify topic --base origin/main --format json\n\n\
    Exit codes: 0 PASS, 1 FAIL, 2 not a revision, 3 UNKNOWN or NO_PLAN.")]
pub(crate) struct Args {
    /// The commit.
    #[arg(value_name = "REV", default_value = "HEAD")]
    revision: String,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// The commit whose signers and settings count.
    #[arg(long, value_name = "REV")]
    pub(super) base: Option<String>,
    /// End with 0 where no plan binds.
    #[arg(long)]
    allow_no_plan: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let mut outcome = judge::verify(&desk.world()?, &self.revision, self.plan.as_ref())?;
        if self.allow_no_plan && outcome.word == Word::NoPlan {
            outcome.exit = 0;
        }
        Ok(outcome)
    }
}
