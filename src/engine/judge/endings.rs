//! Lineages that have come to their end: closed with a proof, or given up.

use std::collections::BTreeSet;

use super::{Judge, audits};
use crate::engine::bound::{BoundPlan, Sealable};
use crate::engine::earlier::main_line;
use crate::engine::stop::Stop;
use crate::model::finding::{Finding, lineage as rows};
use crate::model::ids::{Oid, PlanName, RecordId};
use crate::model::record::{CloseBody, Ending};
use crate::model::text::shown;
use crate::model::verdict::Verdict;
use crate::wire::contract;

/// Ends the lineages that a counting `close` names.
///
/// A close is a statement that the contract was proven: it is believed as far as the ledger holds
/// that proof, and frees what came after the tree that was proven, not what has nothing of it: a
/// commit that is made for the proof alone and thrown away would else free any other. Giving up needs approval where somebody may approve.
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

/// Names what ends the waiting of a plan that is given up for approval.
pub(in crate::engine) fn given_up_by(plan: &PlanName) -> String {
    format!(
        "git plan-audit sync; then somebody who may approve: git plan-audit sync, git plan-audit close \
         --plan {plan} --abandon --reason TEXT --approve, git plan-audit sync"
    )
}

/// Says why a close does not count; none when it does.
fn unfit(
    judge: &mut Judge<'_>,
    record: RecordId,
    body: &CloseBody,
) -> Result<Option<Finding>, Stop> {
    let id = record.short();
    match &body.ending {
        Ending::Abandoned { .. } => {
            let may =
                judge.ledger.is_approved(record) || !judge.trusting.trust.signers.has_approver();
            let message = format!("{id} gives plan {} up, and nobody approved that", body.plan);
            let hint = given_up_by(&body.plan);
            Ok((!may).then(|| Finding::new(&rows::CLOSE_UNAPPROVED, message).hint(hint)))
        }
        Ending::Done { tree, .. } => {
            let plan = sealed_plan(judge, body)?;
            let is_proven = match &plan {
                Some(plan) => audits::counted(judge, plan, tree)?.verdict == Some(Verdict::Pass),
                None => false,
            };
            let closes = format!("{id} closes plan {} for tree {}", body.plan, tree.short());
            if !is_proven {
                let message = format!("{closes}, and no usable audit proves that");
                return Ok(Some(Finding::new(&rows::CLOSE_UNPROVEN, message)));
            }
            if !binds(judge, body) || has_tree(judge, tree)? {
                return Ok(None);
            }
            let message = format!(
                "{closes}, which no commit here has since the fork point, nor the trust point"
            );
            let hint = "git plan-audit close, once a commit of this line of work is proven";
            Ok(Some(
                Finding::new(&rows::CLOSE_ELSEWHERE, message).hint(hint),
            ))
        }
    }
}

/// Says whether a plan held the contract of a close on this line of work or at the trust point.
fn binds(judge: &Judge<'_>, body: &CloseBody) -> bool {
    let earlier = judge.facts.earlier.get(&body.plan);
    earlier.is_some_and(|contracts| contracts.contains(&body.contract))
        || judge.facts.at_base.get(&body.plan) == Some(&body.contract)
}

/// Says whether a commit since the fork point, or one of the first-parent history of the trust point,
/// has a tree: a squash, a rebase and an amended commit keep it. Where history is cut off it may have
/// been there, and that is said.
fn has_tree(judge: &mut Judge<'_>, tree: &Oid) -> Result<bool, Stop> {
    let Some(tip) = &judge.tip else {
        return Ok(true);
    };
    let (objects, fork) = (judge.world.objects, judge.fork.commit());
    let walk = objects.between(tip, fork);
    let walk = walk.map_err(Stop::broken("walk the history"))?;
    let mut is_complete = walk.complete;
    for id in &walk.commits {
        match objects.commit(id).map_err(Stop::broken("read a commit"))? {
            Some(commit) if commit.tree == *tree => return Ok(true),
            Some(_) => {}
            None => is_complete = false,
        }
    }
    let point = judge.trusting.point.as_ref().map(|point| point.commit);
    let mut seen = BTreeSet::new();
    for tip in fork.copied().into_iter().chain(point) {
        for commit in main_line(objects, tip) {
            match commit? {
                Some(commit) if commit.tree == *tree => return Ok(true),
                Some(commit) if !seen.insert(commit.id) => break,
                Some(_) => {}
                None => is_complete = false,
            }
        }
    }
    if !is_complete {
        let missing = super::history_missing();
        if !judge.findings.contains(&missing) {
            judge.findings.push(missing);
        }
    }
    Ok(!is_complete)
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
