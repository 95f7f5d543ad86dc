//! What a seal asks of claims: none may block the plan where the work begins.

use std::collections::BTreeMap;

use super::testing::{self, Known, gate_of, message};
use crate::engine::bound::BoundPlan;
use crate::engine::judge::Judge;
use crate::engine::judge::fork::Fork;
use crate::engine::ports::Commit;
use crate::engine::stop::Stop;
use crate::model::claim::gate::Gate;
use crate::model::claim::{Claim, Criticality, derived};
use crate::model::contract::Contract;
use crate::model::finding::{Finding, claims as rows};
use crate::model::ids::{Digest, Oid};
use crate::model::outcome::PreflightedPlan;
use crate::wire::claim;

/// Tests what a plan claims and none of the contracts before it claimed, or only as of less
/// criticality: the plan may have been carried out since. Refuses what blocks it; in the strict profile also what waits.
///
/// None where nothing new is claimed.
pub(in crate::engine) fn demand(
    judge: &Judge<'_>,
    (plan, before): (&BoundPlan, &[Contract]),
    head: Option<&Oid>,
) -> Result<Option<(Commit, PreflightedPlan)>, Stop> {
    let Some(sealable) = &plan.contract else {
        return Ok(None);
    };
    let known = known(before);
    let mut claims = derived::all(&sealable.contract);
    claims.retain(|one| {
        let before = known.get(&claim::digest(&one.statement));
        before.is_none_or(|before| *before < one.criticality)
    });
    if claims.is_empty() {
        return Ok(None);
    }
    let commit = begin(judge, head)?;
    let claims = testing::test((&judge.world, &commit), &claims, &Known::answered(judge))?;
    let refused: Vec<Finding> = claims
        .iter()
        .filter(|claim| is_refused(claim.gate, &judge.trusting.profile))
        .map(|claim| refusal(plan, &commit, &message(claim)))
        .collect();
    if !refused.is_empty() {
        return Err(Stop::Refused(refused));
    }
    let tested = PreflightedPlan {
        name: Some(plan.name.clone()),
        contract: Some(sealable.digest),
        gate: gate_of(&claims),
        record: None,
        claims,
    };
    Ok(Some((commit, tested)))
}

/// Lists what contracts claim, each statement with the greatest criticality that any of them gave it.
fn known(before: &[Contract]) -> BTreeMap<Digest, Criticality> {
    let mut known = BTreeMap::new();
    let all: Vec<Claim> = before.iter().flat_map(derived::all).collect();
    for one in all {
        let greatest = known
            .entry(claim::digest(&one.statement))
            .or_insert(one.criticality);
        *greatest = one.criticality.max(*greatest);
    }
    known
}

/// Says whether a result keeps a plan from being sealed.
fn is_refused(gate: Gate, profile: &str) -> bool {
    match gate {
        Gate::Blocked => true,
        Gate::Waiting => profile == "strict",
        Gate::Pass | Gate::Review => false,
    }
}

/// Says why a seal is refused.
fn refusal(plan: &BoundPlan, commit: &Commit, why: &str) -> Finding {
    let message = format!("at commit {}, {why}", commit.id.short());
    let hint = format!(
        "git plan-audit preflight {} --plan {}",
        commit.id.short(),
        plan.name
    );
    Finding::new(&rows::REFUSED, message)
        .hint(hint)
        .of_plan(&plan.name)
}

/// Finds the commit where the work begins: the fork point, or HEAD where there is none.
fn begin(judge: &Judge<'_>, head: Option<&Oid>) -> Result<Commit, Stop> {
    let id = match &judge.fork {
        Fork::At(id, _) => Some(id),
        Fork::Nowhere => head,
        Fork::CutOff => None,
    };
    let commit = match id {
        Some(id) => judge.world.objects.commit(id),
        None => Ok(None),
    };
    let commit = commit.map_err(Stop::broken("read the commit where the work begins"))?;
    commit.ok_or_else(|| {
        let message = "claims are tested at the commit where the work begins, and it is not here";
        let hint = "make a first commit, or git fetch --unshallow";
        Stop::refuse(Finding::new(&rows::NO_COMMIT, message).hint(hint))
    })
}
