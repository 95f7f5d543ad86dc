//! `deinit`.

use super::Desk;
use crate::engine::stop::Stop;
use crate::model::outcome::{Details, Outcome, Word};

/// Take out the hooks and settings that `init` put into this clone
///
/// A hook that was there before is back as it was. Keys, evidence and what this clone knows of
/// itself are left, and named.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  git plan-audit deinit")]
pub(crate) struct Args;

impl Args {
    /// Runs the command.
    pub(super) fn run(desk: &dyn Desk) -> Result<Outcome, Stop> {
        let (done, findings) = desk.initialiser()?.deinitialise()?;
        let details = Details::Deinit(Box::new(done));
        Ok(Outcome::new(Word::Ok, findings, details))
    }
}
