//! `anchor`: the trailer that names the ledger as it is, for a commit of the protected branch.

use super::judge::Judge;
use super::ledgers::unsent;
use super::stop::Stop;
use super::world::World;
use crate::model::finding::{Effect, Finding, ledger as rows};
use crate::model::outcome::{Anchored, Details, Outcome, Word};
use crate::model::repository::ANCHOR;

/// Names the ledger's tip. Refused where it would name what others cannot find, or what is known to
/// lack something: whoever judges later would be asked for it in vain.
pub(crate) fn anchor(world: &World<'_>) -> Result<Outcome, Stop> {
    let judge = Judge::of_workspace(world, None)?;
    let Some(tip) = judge.ledger.tip else {
        let message = "there is no ledger here that a trailer could name";
        let hint = "git plan-audit sync --fetch-only, or git plan-audit init";
        let finding = Finding::new(&rows::ANCHOR_UNSOUND, message);
        return Err(Stop::refuse(finding.hint(hint)));
    };
    let is_lacking = |finding: &&Finding| finding.row.effect == Effect::Unknown;
    let mut lacking: Vec<Finding> = judge.findings.iter().filter(is_lacking).cloned().collect();
    if let Some(unsent) = unsent(world) {
        lacking.push(unsent);
    }
    if !lacking.is_empty() {
        let message = "the ledger is not named in a trailer as it is";
        lacking.push(Finding::new(&rows::ANCHOR_UNSOUND, message).hint("git plan-audit sync"));
        return Ok(Outcome::refused(lacking));
    }
    let line = format!("{ANCHOR}: {tip}");
    let anchored = Anchored { tip, line };
    Ok(Outcome::new(
        Word::Ok,
        judge.findings.clone(),
        Details::Anchor(anchored),
    ))
}
