//! `verify`.

use super::{Desk, plan_argument};
use crate::engine::judge::range::{self, Counted};
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::{Outcome, Word};

/// Judge a commit from recorded evidence alone; runs nothing, writes nothing
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit verify\n  \
    git plan-audit verify topic --base origin/main --format json\n  \
    git plan-audit verify origin/main..HEAD --each\n\n\
    Exit codes: 0 PASS, 1 FAIL, 2 not a revision, 3 UNKNOWN or NO_PLAN.")]
pub(crate) struct Args {
    /// The commit, or OLD..NEW: NEW, with all that OLD and the commits between held.
    #[arg(value_name = "REV", default_value = "HEAD")]
    revision: String,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// The commit whose signers and settings count.
    #[arg(long, value_name = "REV")]
    pub(super) base: Option<String>,
    /// Count each commit of a range, and not its tip alone; `planAudit.each` asks for it too.
    #[arg(long)]
    each: bool,
    /// End with 0 where no plan binds.
    #[arg(long)]
    allow_no_plan: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let counted = if self.each {
            Counted::Each
        } else {
            Counted::Tip
        };
        let (world, plan) = (desk.world()?, self.plan.as_ref());
        let mut outcome = range::verify(&world, &self.revision, plan, counted)?;
        if self.allow_no_plan && outcome.word == Word::NoPlan {
            outcome.exit = 0;
        }
        Ok(outcome)
    }
}
