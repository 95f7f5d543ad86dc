//! `diff`: what differs between a plan on disk and what was sealed of it. Reads only.

use std::collections::BTreeSet;

use super::audit::{facts_here, workspace};
use super::bound::{BoundPlan, on_disk};
use super::judge::Judge;
use super::place::Place;
use super::select::all_or;
use super::standing::{Facts, Standing};
use super::stop::Stop;
use super::validate::demand_valid;
use super::world::World;
use crate::model::change::{self, Change};
use crate::model::contract::Contract;
use crate::model::finding::{Finding, ledger as ledger_rows};
use crate::model::ids::{PlanName, RecordId};
use crate::model::outcome::{Compared, Details, Differing, Outcome, Word};

pub(super) mod pinned;

/// What a plan is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Against {
    /// The seal that stands on this line of work.
    Present,
    /// The first seal of its lineage.
    First,
}

/// Compares the plan that is named, or all.
pub(crate) fn diff(
    world: &World<'_>,
    only: Option<&PlanName>,
    against: Against,
) -> Result<Outcome, Stop> {
    let workspace = workspace(world)?;
    let all = on_disk(workspace)?;
    let state = workspace.state()?;
    let judge = Judge::of_workspace(world, state.head.as_ref())?;
    let facts = facts_here(&judge, state.branch.as_deref())?;
    let mut compared = Vec::new();
    let plans = all_or(all.clone(), only)?;
    demand_valid(&plans)?;
    let place = Place::of_state(&state);
    for plan in &plans {
        compared.push(one((&judge, &place), &facts, (plan, &all), against)?);
    }
    let mut findings = judge.findings.clone();
    findings.extend(plans.into_iter().flat_map(|plan| plan.findings));
    Ok(Outcome::new(Word::Ok, findings, Details::Diff(compared)))
}

/// Compares one plan.
fn one(
    (judge, place): (&Judge<'_>, &Place),
    facts: &Facts,
    (plan, all): (&BoundPlan, &[BoundPlan]),
    against: Against,
) -> Result<Compared, Stop> {
    let standing = facts.standing(plan, &facts.covered(all));
    let mut seals = sealed(facts, plan, &standing);
    if against == Against::First {
        seals = seals.into_iter().flat_map(|id| firsts(facts, id)).collect();
    }
    let mut differing = Vec::new();
    for seal in seals {
        let (sealed, mut changes) = since((judge, facts), seal, plan)?;
        if against == Against::Present {
            changes.extend(pinned::changes(judge, (&sealed, seal), place)?);
        }
        differing.push(Differing { seal, changes });
    }
    Ok(Compared {
        plan: plan.name.clone(),
        standing: standing.as_str(),
        contract: plan.contract.as_ref().map(|sealable| sealable.digest),
        with: differing,
    })
}

/// Returns the seals that a plan has to be compared with: its own, else those that it should
/// continue.
pub(super) fn sealed(facts: &Facts, plan: &BoundPlan, standing: &Standing) -> BTreeSet<RecordId> {
    match standing {
        Standing::Sealed(seal) | Standing::Unfounded(seal) => BTreeSet::from([*seal]),
        Standing::Invalid
        | Standing::Draft
        | Standing::DraftAtBase
        | Standing::Edited(_)
        | Standing::Broken(_)
        | Standing::RolledBack(_)
        | Standing::Removed(_) => facts.heads(&plan.name, &facts.covered(&[])),
    }
}

/// Returns the first seals of a lineage.
fn firsts(facts: &Facts, seal: RecordId) -> Vec<RecordId> {
    let begins = |id: &RecordId| {
        let seal = facts.seals.get(*id);
        seal.is_some_and(|seal| seal.body.continues.is_empty())
    };
    facts
        .seals
        .lineage(seal)
        .into_iter()
        .filter(begins)
        .collect()
}

/// Returns a sealed contract, and what became of it in a plan; nothing where the plan is invalid.
pub(super) fn since(
    (judge, facts): (&Judge<'_>, &Facts),
    seal: RecordId,
    plan: &BoundPlan,
) -> Result<(Contract, Vec<Change>), Stop> {
    let sealed = facts.seals.contract(seal, judge.world.notes)?;
    let sealed = sealed.ok_or_else(|| missing(seal))?;
    let present = plan.contract.as_ref();
    let changes = present.map(|sealable| change::compare(&sealed, &sealable.contract));
    Ok((sealed, changes.unwrap_or_default()))
}

/// Says that a sealed contract is not here to be compared with.
pub(super) fn missing(seal: RecordId) -> Stop {
    let message = format!("the contract of seal {} is not in this clone", seal.short());
    Stop::Unknown(vec![
        Finding::new(&ledger_rows::MISSING, message).hint("git fetch --refetch"),
    ])
}
