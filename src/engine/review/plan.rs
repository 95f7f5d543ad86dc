//! What one plan of a commit rests on: seals, differences, steps, audits, pins, claims.

use super::{signed, signed_by_id, steps};
use crate::engine::bound::{BoundPlan, in_tree};
use crate::engine::diff;
use crate::engine::judge::Judge;
use crate::engine::lineage::Frozen;
use crate::engine::place::Place;
use crate::engine::ports::Commit;
use crate::engine::standing::{Covered, Standing};
use crate::engine::stop::Stop;
use crate::model::change;
use crate::model::contract::Contract;
use crate::model::ids::{Digest, PlanName, RecordId};
use crate::model::outcome::{
    Differing, Evidence, JudgedPlan, Pinned, ReviewedPlan, Signed, SignedAudit, SignedClaims,
    SignedSeal,
};

/// Gathers what each plan that was judged rests on.
pub(super) fn all(
    judge: &Judge<'_>,
    commit: &Commit,
    judged: Vec<JudgedPlan>,
) -> Result<Vec<ReviewedPlan>, Stop> {
    let plans = in_tree(judge.world.objects, &commit.tree)?;
    let covered = judge.facts.covered(&plans);
    let place = Place::of_tree(commit.tree);
    let reviewed = judged.into_iter().map(|each| {
        let plan = plans.iter().find(|plan| plan.name == each.name);
        one(judge, (plan, &covered), &place, each)
    });
    reviewed.collect()
}

/// Gathers what one plan rests on; of one whose file is gone there is nothing but the verdict.
fn one(
    judge: &Judge<'_>,
    (plan, covered): (Option<&BoundPlan>, &Covered),
    place: &Place,
    judged: JudgedPlan,
) -> Result<ReviewedPlan, Stop> {
    let sealable = plan.and_then(|plan| Some((plan, plan.contract.as_ref()?)));
    let Some((plan, sealable)) = sealable else {
        return Ok(bare(judged));
    };
    let contract = &sealable.contract;
    let standing = judge.facts.standing(plan, covered);
    let seal = judged.seal.as_ref().map(|seal| seal.record);
    Ok(ReviewedPlan {
        task: Some(contract.task.clone()),
        seals: seals(judge, seal)?,
        changes: changes(judge, (plan, contract), &standing)?,
        requirements: contract.requirements.clone(),
        steps: steps::all(judge, contract, (seal, &judged.audits))?,
        audits: audits(judge, &judged.audits),
        pins: pinned(judge, (contract, seal), place)?,
        scope: contract.scope.clone(),
        claims: claims(judge, &plan.name, &sealable.digest),
        judged,
    })
}

/// Makes the report on a plan of which there is no contract.
const fn bare(judged: JudgedPlan) -> ReviewedPlan {
    ReviewedPlan {
        judged,
        task: None,
        seals: Vec::new(),
        changes: Vec::new(),
        requirements: Vec::new(),
        steps: Vec::new(),
        audits: Vec::new(),
        pins: None,
        scope: Vec::new(),
        claims: Vec::new(),
    }
}

/// Lists the seals of a lineage, the one that stands first, and each before what it continues.
fn seals(judge: &Judge<'_>, seal: Option<RecordId>) -> Result<Vec<SignedSeal>, Stop> {
    let Some(seal) = seal else {
        return Ok(Vec::new());
    };
    let lineage = judge.facts.seals.lineage(seal);
    let mut all = judge.ledger.seals();
    all.retain(|(record, _)| lineage.contains(&record.id));
    let told = all.into_iter().rev().map(|(record, body)| {
        let contract = judge.facts.seals.contract(record.id, judge.world.notes)?;
        Ok(SignedSeal {
            signed: signed(judge, record),
            generation: body.generation,
            changes: match &contract {
                Some(contract) => differing(judge, &body.continues, contract)?,
                None => Vec::new(),
            },
            reason: body.reason,
            branch: body.branch,
        })
    });
    told.collect()
}

/// Says what differs in a plan that is not sealed from the seals that it should continue.
fn changes(
    judge: &Judge<'_>,
    (plan, contract): (&BoundPlan, &Contract),
    standing: &Standing,
) -> Result<Vec<Differing>, Stop> {
    match standing {
        Standing::Sealed(_) | Standing::Unfounded(_) => Ok(Vec::new()),
        Standing::Invalid
        | Standing::Draft
        | Standing::DraftAtBase
        | Standing::Edited(_)
        | Standing::Broken(_)
        | Standing::RolledBack(_)
        | Standing::Removed(_) => {
            let before = diff::sealed(&judge.facts, plan, standing);
            differing(judge, before.iter(), contract)
        }
    }
}

/// Compares a contract with those of seals. One that is not here is told by the judge.
fn differing<'s>(
    judge: &Judge<'_>,
    seals: impl IntoIterator<Item = &'s RecordId>,
    contract: &Contract,
) -> Result<Vec<Differing>, Stop> {
    let mut differing = Vec::new();
    for seal in seals {
        let sealed = judge.facts.seals.contract(*seal, judge.world.notes)?;
        differing.extend(sealed.map(|sealed| Differing {
            seal: *seal,
            changes: change::compare(&sealed, contract),
        }));
    }
    Ok(differing)
}

/// Tells of the audits that the judge counted.
fn audits(judge: &Judge<'_>, counted: &[Evidence]) -> Vec<SignedAudit> {
    let told = counted.iter().filter_map(|evidence| {
        let (record, body) = judge.audit(evidence)?;
        Some(SignedAudit {
            signed: Signed {
                evidence: evidence.clone(),
                ..signed(judge, record)
            },
            tool: body.tool,
            head: body.after.head,
            branch: body.after.branch,
        })
    });
    told.collect()
}

/// Tells of the files that a contract pins, and what became of them.
fn pinned(
    judge: &Judge<'_>,
    (contract, seal): (&Contract, Option<RecordId>),
    place: &Place,
) -> Result<Option<Pinned>, Stop> {
    if contract.pins.is_empty() {
        return Ok(None);
    }
    let (mut files, mut drift) = (None, Vec::new());
    if let Some(seal) = seal {
        drift = diff::pinned::changes(judge, (contract, seal), place)?;
        files = match judge.facts.seals.frozen(seal, judge.world.notes)? {
            Frozen::These(pins) => Some(pins.len()),
            Frozen::Nothing | Frozen::Missing => None,
        };
    }
    Ok(Some(Pinned {
        patterns: contract.pins.clone(),
        files,
        drift,
    }))
}

/// Lists the tests of what a contract claims.
fn claims(judge: &Judge<'_>, plan: &PlanName, contract: &Digest) -> Vec<SignedClaims> {
    let all = judge.ledger.claims().into_iter();
    let own = all.filter(|(_, body)| body.plan == *plan && body.contract == *contract);
    let told = own.filter_map(|(record, body)| {
        Some(SignedClaims {
            signed: signed_by_id(judge, record.id)?,
            commit: body.commit,
            gate: body.gate,
        })
    });
    told.collect()
}
