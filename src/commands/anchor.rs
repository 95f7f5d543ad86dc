//! `anchor`.

use super::Desk;
use crate::engine::anchor;
use crate::engine::stop::Stop;
use crate::model::outcome::Outcome;

/// Print the trailer by which a merge commit names the ledger as it is
///
/// A protected branch that carries it reveals later that somebody rolled the ledger back at the remote: `verify` asks for
/// each tip that the first-parent history of the trust point names. Send the evidence first.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    git merge --no-ff --no-commit topic && git commit --no-edit --trailer \"$(git plan-audit anchor)\"\n  \
    git commit --amend --no-edit --trailer \"$(git plan-audit anchor)\"\n  \
    git interpret-trailers --in-place --trailer \"$(git plan-audit anchor)\" MESSAGE_FILE\n\n\
    Exit codes: 0 done, 2 refused: no ledger, something of it is missing, or not sent yet.")]
pub(crate) struct Args;

impl Args {
    /// Runs the command.
    pub(super) fn run(desk: &dyn Desk) -> Result<Outcome, Stop> {
        anchor::anchor(&desk.world()?)
    }
}
