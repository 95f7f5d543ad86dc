//! `fingerprint`.

use super::Desk;
use crate::engine::fingerprint;
use crate::engine::stop::Stop;
use crate::model::outcome::Outcome;

/// Show the state of the workspace: what an audit would record
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  git plan-audit fingerprint --format json")]
pub(crate) struct Args;

impl Args {
    /// Runs the command.
    pub(super) fn run(desk: &dyn Desk) -> Result<Outcome, Stop> {
        fingerprint::fingerprint(&desk.world()?)
    }
}
