//! `audit`.

use std::num::NonZeroUsize;

use super::{Desk, plan_argument};
use crate::engine::audit::{self, Request, Subject};
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// Run every check of every sealed plan afresh, judge, and record
///
/// The checks run in the work tree, with no shell, a bounded time and a bare environment. The
/// record proves every commit whose tree is what is on disk now.
///
/// Steps whose plan says what each depends on run side by side where they are independent; one that
/// is `exclusive` runs alone. What is recorded and printed has the order of the plan all the same.
///
/// With --checkout they run in a private checkout of what is staged, with --commit in one of that
/// commit: without ignored files, without .git, written from objects alone, removed afterwards.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit audit\n  \
    git plan-audit audit --plan cache-rewrite --format json\n  \
    git plan-audit audit --commit HEAD~1\n\n\
    Exit codes: 0 PASS, 1 FAIL, 2 refused and nothing ran, 3 UNKNOWN, NO_PLAN or not recorded.")]
pub(crate) struct Args {
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// Run the checks in a private checkout of what is staged.
    #[arg(long)]
    checkout: bool,
    /// Run the checks in a private checkout of this commit; also in a bare repository.
    #[arg(long, value_name = "REV")]
    commit: Option<String>,
    /// Run so many steps at a time that do not depend on each other; default: one for each core.
    #[arg(long, short, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Show what every check wrote, also where it passed.
    #[arg(long, short)]
    pub(super) verbose: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let world = desk.world()?;
        let subject = match (&self.commit, self.checkout) {
            (Some(revision), _) => Subject::Commit(desk.checkouts()?, revision),
            (None, true) => Subject::Staged(desk.checkouts()?),
            (None, false) => {
                audit::workspace(&world)?;
                Subject::Worktree
            }
        };
        let request = Request {
            subject,
            only: self.plan.as_ref(),
            jobs: self.jobs.unwrap_or_else(|| desk.cores()),
        };
        audit::audit(&world, &desk.recorder()?, request, desk.listener())
    }
}
