//! `fsck`.

use super::Desk;
use crate::engine::fsck;
use crate::engine::stop::Stop;
use crate::model::outcome::Outcome;

/// Examine the whole ledger: each finding with its code, its effect and what ends it
///
/// Every record is read and its proof checked, also what waits beside the ledger. Nothing runs and
/// nothing is written. `--format json` lists every record with what its proof is worth.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git plan-audit fsck\n  \
    git plan-audit fsck --format json | jq -r '.records[] | select(.proof == \"BAD\").id'\n\n\
    Exit codes: 0 nothing is wrong, 1 something does not hold or does not count, 2 refused, 3 something \
    is missing or was removed.")]
pub(crate) struct Args {
    /// The commit whose signers and settings count.
    #[arg(long, value_name = "REV")]
    pub(super) base: Option<String>,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(desk: &dyn Desk) -> Result<Outcome, Stop> {
        fsck::fsck(&desk.world()?, desk.local())
    }
}
