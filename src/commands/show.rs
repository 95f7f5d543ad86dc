//! `show`.

use super::Desk;
use crate::engine::show;
use crate::engine::stop::Stop;
use crate::model::outcome::Outcome;

/// Show one record, whole, and whether it counts here
///
/// What its checks wrote is shown as long as this clone has kept it: a month at most, and of long
/// output the beginning and the end. It is no evidence.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  git plan-audit show 4f2a91c0")]
pub(crate) struct Args {
    /// The first digits of the record's id, at least four.
    #[arg(value_name = "ID")]
    id: String,
}

impl Args {
    /// Runs the command.
    pub(super) fn run(&self, desk: &dyn Desk) -> Result<Outcome, Stop> {
        show::show(&desk.world()?, desk.outputs(), &self.id)
    }
}
