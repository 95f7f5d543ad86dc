//! `preflight`.

use super::{Desk, plan_argument};
use crate::engine::preflight::{Request, preflight, verifying};
use crate::engine::stop::Stop;
use crate::model::ids::PlanName;
use crate::model::outcome::Outcome;

/// Test what plans claim about the code at a commit, before work begins
///
/// Claims are tested on git's objects alone: nothing is checked out, no program is started. The result
/// is recorded where this clone can record.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit preflight\n  \
    git plan-audit preflight origin/main --plan cache-rewrite --format json\n  \
    git plan-audit preflight --claims claims.json\n  \
    git plan-audit preflight --verify 4f2a91c0\n\n\
    Exit codes: 0 PASS, 1 blocked, 2 not a revision or no valid plan, 3 waiting, review, or nothing is claimed.\n\
    With --verify: 0 the evidence is the same, 1 it differs, 3 it is not here.")]
pub(crate) struct Args {
    /// The commit.
    #[arg(value_name = "REV", default_value = "HEAD")]
    revision: String,
    /// Only this plan.
    #[arg(long, value_name = "NAME", value_parser = plan_argument::read)]
    plan: Option<PlanName>,
    /// Test the claims of a file, a JSON list, and record nothing.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["plan", "reuse"])]
    claims: Option<String>,
    /// Take evidence of earlier commits over where all that it rests on is the same.
    #[arg(long)]
    reuse: bool,
    /// Make the evidence of a record again from git, and compare, whatever its gate.
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["plan", "claims", "reuse", "revision"])]
    verify: Option<String>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let world = desk.world()?;
        if let Some(record) = &self.verify {
            return verifying::verify(&world, record);
        }
        let claims = match &self.claims {
            Some(path) => Some((path.clone(), desk.read(path)?)),
            None => None,
        };
        let request = Request {
            revision: self.revision.clone(),
            plan: self.plan.clone(),
            claims,
            reuse: self.reuse,
        };
        let recorder = world.identity.map(|_| desk.recorder()).transpose()?;
        preflight(&world, recorder.as_ref(), &request)
    }
}
