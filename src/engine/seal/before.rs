//! What a new seal follows, and whether its contract may follow that.

use std::collections::BTreeSet;

use super::{Request, Sealing};
use crate::engine::diff::missing;
use crate::engine::judge::two_in_one;
use crate::engine::stop::Stop;
use crate::model::change::{self, Change, Class};
use crate::model::contract::Contract;
use crate::model::finding::{Finding, lineage as rows};
use crate::model::ids::{PlanName, RecordId};
use crate::model::text::shown;

/// What a new seal follows.
pub(super) struct Before {
    /// The seals that it continues.
    pub(super) heads: Vec<RecordId>,
    /// Their greatest generation; 0 where there is none.
    pub(super) generation: u32,
    /// What differs from each.
    pub(super) changes: Vec<Change>,
    /// Their contracts.
    pub(super) contracts: Vec<Contract>,
}

impl Before {
    /// Finds the open seals of this line of work, and compares.
    pub(super) fn find(sealing: &Sealing<'_>) -> Result<Self, Stop> {
        let seals = &sealing.facts.seals;
        let heads = heads(sealing);
        let generations = heads.iter().filter_map(|id| seals.get(*id));
        let generation = generations.map(|seal| seal.body.generation).max();
        let (mut changes, mut contracts) = (Vec::new(), Vec::new());
        for id in &heads {
            let contract = seals.contract(*id, sealing.judge.world.notes)?;
            let contract = contract.ok_or_else(|| missing(*id))?;
            changes.extend(change::compare(&contract, &sealing.sealable.contract));
            contracts.push(contract);
        }
        Ok(Self {
            heads: heads.into_iter().collect(),
            generation: generation.unwrap_or(0),
            changes,
            contracts,
        })
    }

    /// Refuses what asks for less, or for something else, unless a new generation is asked for.
    pub(super) fn demand_allowed(&self, sealing: &Sealing<'_>) -> Result<(), Stop> {
        let name = &sealing.plan.name;
        let refused = self
            .changes
            .iter()
            .filter(|change| !change.class.is_allowed());
        let mut findings: Vec<Finding> = refused
            .map(|change| finding(change).of_plan(name))
            .collect();
        if sealing.request.renewal.is_some() || findings.is_empty() {
            return Ok(());
        }
        if let Some(last) = findings.last_mut() {
            let seals = &sealing.facts.seals;
            let begun: BTreeSet<_> = self.heads.iter().map(|id| seals.first(*id)).collect();
            last.hint = Some(if begun.len() > 1 {
                format!("{}; {}", two_in_one(name), hint(name))
            } else {
                hint(name)
            });
        }
        Err(Stop::Refused(findings))
    }
}

/// Says how a seal that is refused can be had.
pub(super) fn hint(plan: &PlanName) -> String {
    format!(
        "put back what was sealed (git plan-audit diff --plan {plan}), or say why it has to be \
         another: git plan-audit seal --plan {plan} --new-generation --reason TEXT"
    )
}

/// Returns the open seals that a new one has to continue.
///
/// Those that another plan here answers for are left to it. Of a lineage that was continued twice
/// all current seals are continued, which settles that.
pub(super) fn heads(sealing: &Sealing<'_>) -> BTreeSet<RecordId> {
    let Request { from, .. } = sealing.request;
    let facts = &sealing.facts;
    let others: Vec<_> = sealing
        .all
        .iter()
        .filter(|plan| plan.path != sealing.plan.path)
        .cloned()
        .collect();
    let covered = facts.covered(&others);
    let names = [Some(&sealing.plan.name), from.as_ref()];
    let mut heads: BTreeSet<RecordId> = names
        .into_iter()
        .flatten()
        .flat_map(|name| facts.heads(name, &covered))
        .collect();
    let concurrent: Vec<RecordId> = heads
        .iter()
        .filter_map(|id| facts.seals.concurrent(*id))
        .flatten()
        .copied()
        .collect();
    heads.extend(concurrent);
    facts.seals.newest(&heads)
}

/// Says what one difference is.
pub(crate) fn finding(change: &Change) -> Finding {
    let row = match change.class {
        Class::Neutral | Class::Strengthening => &rows::STRENGTHENED,
        Class::Weakening => &rows::WEAKENED,
        Class::ScopeChange => &rows::SCOPE_CHANGED,
    };
    let member = &change.member;
    let message = match (&change.before, &change.after) {
        (Some(before), Some(after)) => {
            format!("{member}: {} became {}", shown(before), shown(after))
        }
        (Some(before), None) => format!("{member}: {} is gone", shown(before)),
        (None, Some(after)) => format!("{member}: {} is new", shown(after)),
        (None, None) => member.clone(),
    };
    Finding::new(row, message)
}
