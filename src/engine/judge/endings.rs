//! Lineages that have come to their end: closed with a proof, or given up.

use super::{Judge, audits};
use crate::engine::bound::{BoundPlan, Sealable};
use crate::engine::stop::Stop;
use crate::model::finding::{Finding, lineage as rows};
use crate::model::ids::{PlanName, RecordId};
use crate::model::record::{CloseBody, Ending};
use crate::model::text::shown;
use crate::model::verdict::Verdict;
use crate::wire::contract;

/// Ends the lineages that a counting `close` names.
///
/// A close is a statement that the contract was proven: it is believed as far as the ledger holds
/// that proof. Giving up needs approval where somebody may approve.
pub(super) fn apply(judge: &mut Judge<'_>) -> Result<(), Stop> {
    let closes: Vec<(RecordId, CloseBody)> = judge
        .ledger
        .closes()
        .into_iter()
        .map(|(record, body)| (record.id, body))
        .collect();
    for (record, body) in closes {
        match unfit(judge, record, &body)? {
            None => judge.facts.seals.end(record, &body.seals, &body.ending),
            Some(finding) => judge.findings.push(finding.of_plan(&body.plan)),
        }
    }
    Ok(())
}

/// Says why a close does not count; none when it does.
fn unfit(judge: &Judge<'_>, record: RecordId, body: &CloseBody) -> Result<Option<Finding>, Stop> {
    let id = record.short();
    match &body.ending {
        Ending::Abandoned { .. } => {
            let may =
                judge.ledger.is_approved(record) || !judge.trusting.trust.signers.has_approver();
            let message = format!("{id} gives plan {} up, and nobody approved that", body.plan);
            Ok((!may).then(|| Finding::new(&rows::CLOSE_UNAPPROVED, message)))
        }
        Ending::Done { tree, .. } => {
            let plan = sealed_plan(judge, body)?;
            let is_proven = match &plan {
                Some(plan) => audits::counted(judge, plan, tree)?.verdict == Some(Verdict::Pass),
                None => false,
            };
            let message = format!(
                "{id} closes plan {} for tree {}, and no usable audit proves that",
                body.plan,
                tree.short()
            );
            Ok((!is_proven).then(|| Finding::new(&rows::CLOSE_UNPROVEN, message)))
        }
    }
}

/// Returns the plan that a close ends, as it was sealed; none where it names other seals.
fn sealed_plan(judge: &Judge<'_>, body: &CloseBody) -> Result<Option<BoundPlan>, Stop> {
    let seals = &judge.facts.seals;
    let is_named = |id: &&RecordId| {
        let seal = seals.get(**id);
        seal.is_some_and(|seal| seal.body.contract == body.contract)
    };
    let Some(seal) = body.seals.iter().find(is_named) else {
        return Ok(None);
    };
    let contract = seals.contract(*seal, judge.world.notes)?;
    Ok(contract.map(|contract| {
        let bytes = contract::write(&contract);
        BoundPlan {
            name: body.plan.clone(),
            path: body.plan.path(),
            bytes: Vec::new(),
            contract: Some(Sealable {
                contract,
                digest: body.contract,
                bytes,
            }),
            findings: Vec::new(),
        }
    }))
}

impl Judge<'_> {
    /// Says whether a contract is spent: closed, and held by the first-parent history of the trust
    /// point (DESIGN section 4). Whatever is recorded later does not bring it back.
    pub(in crate::engine) fn is_spent(
        &self,
        plan: &BoundPlan,
        seal: RecordId,
    ) -> Result<bool, Stop> {
        let is_closed = self.facts.seals.ended(seal).is_some();
        match (&self.trusting.point, &plan.contract) {
            (Some(point), Some(sealable)) if is_closed => {
                let objects = self.world.objects;
                super::super::earlier::main_line_held(
                    objects,
                    &point.commit,
                    &plan.name,
                    &sealable.digest,
                )
            }
            (_, _) => Ok(false),
        }
    }

    /// Says how the lineage of a seal ended; none while it is open.
    pub(in crate::engine) fn closed_finding(
        &self,
        plan: &PlanName,
        seal: RecordId,
    ) -> Option<Finding> {
        let message = self.end_of(plan, seal)?;
        Some(Finding::new(&rows::CLOSED, message).of_plan(plan))
    }

    /// Says that a contract which was here since the fork point has ended, and is here no more.
    pub(super) fn ended_finding(&self, plan: &PlanName, seal: RecordId) -> Option<Finding> {
        let end = self.facts.seals.ended(seal)?;
        let row = match end.ending {
            Ending::Done { .. } => &rows::ENDED_HERE,
            Ending::Abandoned { .. } => &rows::GIVEN_UP_HERE,
        };
        let message = format!(
            "{}; it was here since the fork point",
            self.end_of(plan, seal)?
        );
        let finding = Finding::new(row, message).of_plan(plan);
        Some(finding.hint(format!("git plan-audit show {}", end.record.short())))
    }

    /// Tells how the lineage of a seal ended, and by whom.
    fn end_of(&self, plan: &PlanName, seal: RecordId) -> Option<String> {
        let end = self.facts.seals.ended(seal)?;
        let author = self.author(end.record);
        Some(match &end.ending {
            Ending::Done { commit, .. } => {
                format!(
                    "plan {plan} was closed by {author} with commit {}",
                    commit.short()
                )
            }
            Ending::Abandoned { reason } => {
                format!("plan {plan} was given up by {author}: {}", shown(reason))
            }
        })
    }
}
