//! `sync`.

use super::Desk;
use crate::engine::stop::Stop;
use crate::engine::sync::{self, Direction, Request};
use crate::model::outcome::Outcome;

/// Exchange the evidence with a remote: fetch its ledger, join both, send the union
///
/// Nothing is lost and nothing is forced: what either side has, both have afterwards. A ledger that
/// was rolled back at the remote is told and made good.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit sync\n  \
    git plan-audit sync --fetch-only upstream\n  \
    git plan-audit sync --repair\n\n\
    Exit codes: 0 done, 2 refused, 3 the remote is out of reach or does not take it.")]
pub(crate) struct Args {
    /// The remote; without it planAudit.remote, else the one that has a ledger, else that of the
    /// branch.
    #[arg(value_name = "REMOTE")]
    remote: Option<String>,
    /// Send nothing; works without `init`.
    #[arg(long, conflicts_with = "push_only")]
    fetch_only: bool,
    /// Take nothing; refused where the remote holds what is not here.
    #[arg(long)]
    push_only: bool,
    /// Put back what earlier commits of the ledger held and its tip lacks.
    #[arg(long, conflicts_with = "push_only")]
    repair: bool,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        let direction = match (self.fetch_only, self.push_only) {
            (true, _) => Direction::Fetch,
            (false, true) => Direction::Push,
            (false, false) => Direction::Both,
        };
        let request = Request {
            remote: self.remote.clone(),
            direction,
            repair: self.repair,
        };
        let world = desk.world()?;
        // Who has no key has nothing of their own to put back.
        let recorder = world.identity.and_then(|_| desk.recorder().ok());
        desk.exchange(&|ways| sync::sync(&world, recorder.as_ref(), ways, &request))
    }
}
