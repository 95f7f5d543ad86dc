//! What a seal binds beside the checks: the files that it pins, and the scope. Judged from objects (D2).

use super::Judge;
use super::fork::Fork;
use crate::engine::bound::BoundPlan;
use crate::engine::lineage::Frozen;
use crate::engine::place::Place;
use crate::engine::stop::Stop;
use crate::model::contract::Contract;
use crate::model::finding::{Effect, Finding, bounds as rows, judging as judging_rows};
use crate::model::ids::{PlanName, RecordId};
use crate::model::pins::{PinPatterns, Violation, violations};
use crate::model::text;
use crate::model::verdict::Verdict;

/// How many paths a finding lists.
const LISTED: usize = 20;

/// Returns what findings on pins and scope make of a verdict.
pub(in crate::engine) fn weighed<'a>(
    verdict: Verdict,
    findings: impl IntoIterator<Item = &'a Finding>,
) -> Verdict {
    let effects = findings
        .into_iter()
        .filter_map(|finding| match finding.row.effect {
            Effect::Fail => Some(Verdict::Fail),
            Effect::Unknown => Some(Verdict::Unknown),
            Effect::None | Effect::DoesNotCount | Effect::Refused => None,
        });
    Verdict::join(effects.chain([verdict]))
}

impl Judge<'_> {
    /// Says what of a sealed plan's bounds does not hold in a place.
    pub(in crate::engine) fn bounds(
        &self,
        (plan, seal): (&BoundPlan, RecordId),
        place: &Place,
    ) -> Result<Vec<Finding>, Stop> {
        let Some(sealable) = &plan.contract else {
            return Ok(Vec::new());
        };
        let seals = self.facts.seals.pinning(&plan.name, &sealable.digest, seal);
        let mut findings = Vec::new();
        for id in seals {
            findings.extend(self.pins(&plan.name, (&sealable.contract, id), place)?);
        }
        findings.extend(self.scope(&plan.name, (sealable, seal), place)?);
        findings.extend(self.held(&sealable.contract, place)?);
        let of_plan = findings.into_iter().map(|each| each.of_plan(&plan.name));
        Ok(of_plan.collect())
    }

    /// Says what became of the files that one seal froze; nothing while they are untouched.
    fn pins(
        &self,
        plan: &PlanName,
        (contract, seal): (&Contract, RecordId),
        place: &Place,
    ) -> Result<Option<Finding>, Stop> {
        let sealed = match self.facts.seals.frozen(seal, self.world.notes)? {
            Frozen::Nothing if contract.pins.is_empty() => return Ok(None),
            Frozen::These(_) | Frozen::Missing if contract.pins.is_empty() => {
                return Ok(Some(unfit(
                    seal,
                    "lists pinned files, and the contract pins none",
                )));
            }
            Frozen::Nothing => {
                return Ok(Some(unfit(
                    seal,
                    "does not list the files that the contract pins",
                )));
            }
            Frozen::Missing => return Ok(Some(missing(seal))),
            Frozen::These(pins) => pins,
        };
        let Ok(patterns) = PinPatterns::new(&contract.pins) else {
            return Ok(Some(unfit(seal, "has patterns that cannot be compiled")));
        };
        let now = place.files(self.world.objects)?;
        let fork = self.fork.files(&self.world)?;
        let found = violations(&patterns, &sealed, (now, fork));
        Ok((!found.is_empty()).then(|| match self.fork {
            Fork::At(..) | Fork::Nowhere => changed(plan, &found),
            Fork::CutOff => cut_off(&found),
        }))
    }
}

/// Lists paths, and what is wrong with each.
pub(in crate::engine) fn listed(violations: &[Violation]) -> String {
    let one = |each: &Violation| format!("{} ({})", text::path(&each.path), each.fault.as_str());
    let texts = violations.iter().take(LISTED).map(one);
    let mut list = texts.collect::<Vec<_>>().join(", ");
    let more = violations.len().saturating_sub(LISTED);
    if more > 0 {
        list = format!("{list} and {more} more");
    }
    list
}

/// Says that pinned files are not as they were sealed.
fn changed(plan: &PlanName, violations: &[Violation]) -> Finding {
    let message = format!(
        "{} of plan {plan} not as sealed, nor as at the fork point: {}",
        text::counted(violations.len(), "pinned file"),
        listed(violations)
    );
    Finding::new(&rows::PIN_CHANGED, message).hint(format!(
        "git plan-audit diff --plan {plan}; put the files back, or say why they have to be others: git \
         plan-audit seal --plan {plan} --new-generation --reason TEXT"
    ))
}

/// Says that pinned files are not as they were sealed, and may be as at the fork point.
fn cut_off(violations: &[Violation]) -> Finding {
    let message = format!(
        "pinned files are not as sealed, and the fork point is not here: {}",
        listed(violations)
    );
    Finding::new(&rows::UNKNOWN, message).hint("git fetch --unshallow")
}

/// Says that what a seal froze is not here.
fn missing(seal: RecordId) -> Finding {
    let message = format!(
        "the list of files that seal {} pins is not in this clone",
        seal.short()
    );
    Finding::new(&rows::UNKNOWN, message).hint("git fetch --no-filter --refetch")
}

/// Says that a seal is none that this tool makes of its contract.
fn unfit(seal: RecordId, what: &str) -> Finding {
    let message = format!("seal {} {what}", seal.short());
    let hint = format!("git plan-audit show {}", seal.short());
    Finding::new(&judging_rows::SEAL_BROKEN, message).hint(hint)
}
