//! `doctor`.

use super::Desk;
use crate::engine::doctor;
use crate::engine::stop::Stop;
use crate::model::finding::Effect;
use crate::model::outcome::{Details, Outcome, Word};

/// Prove that the gate fires: examine hooks, settings and trust, and try a push
///
/// From every work tree two references are pushed into a temporary repository, as a dry run and
/// through the user's own hooks: all of them run, as with any push. Our hook notes what it was told
/// and refuses: a trial that goes through shows that its refusals are thrown away.
#[derive(clap::Args, Debug)]
#[command(after_help = "Example:\n  git plan-audit doctor\n\n\
    Exit codes: 0 the gate fires, 1 it does not, 2 refused.")]
pub(crate) struct Args;

impl Args {
    /// Runs the command.
    pub(super) fn run(desk: &dyn Desk) -> Result<Outcome, Stop> {
        let (mut examined, mut findings) = desk.examiner()?.examine()?;
        let is_open = findings
            .iter()
            .any(|finding| finding.row.effect == Effect::Fail);
        let (trust, more) = doctor::trust(&desk.world()?);
        examined.trust = trust;
        findings.extend(more);
        let word = if is_open { Word::Fail } else { Word::Ok };
        let details = Details::Doctor(Box::new(examined));
        Ok(Outcome::new(word, findings, details))
    }
}
