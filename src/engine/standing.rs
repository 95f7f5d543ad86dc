//! Where each plan stands: sealed, draft, edited, removed. A pure decision over facts.

use std::collections::{BTreeMap, BTreeSet};

use super::bound::BoundPlan;
use super::lineage::Seals;
use crate::model::ids::{Digest, PlanName, RecordId};

/// Where one plan stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The file is no valid plan.
    Invalid,
    /// Its contract has a seal, which continues whatever else was sealed on this line of work.
    Sealed(RecordId),
    /// It has no seal, nor had the plan earlier.
    Draft,
    /// It has no seal, and the trust point holds the same contract.
    DraftAtBase,
    /// It has no seal; another contract of this plan is sealed.
    Edited(Digest),
    /// It has a seal; so has another contract of this plan, which it does not continue.
    Broken(Digest),
    /// It has a seal, and a later contract of its lineage was here before it.
    RolledBack(Digest),
    /// Its seal follows others and is neither stronger than they nor a new generation.
    Unfounded(RecordId),
    /// The file is gone; this contract is sealed.
    Removed(Digest),
}

impl Standing {
    /// Returns one word for people and machines.
    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::Sealed(_) => "sealed",
            Self::Draft => "draft",
            Self::DraftAtBase => "draft-at-base",
            Self::Edited(_) => "edited",
            Self::Broken(_) | Self::Unfounded(_) => "seal-broken",
            Self::RolledBack(_) => "rolled-back",
            Self::Removed(_) => "removed",
        }
    }

    /// Returns the seal that stands; none where none does.
    pub(crate) const fn seal(&self) -> Option<RecordId> {
        match self {
            Self::Sealed(seal) => Some(*seal),
            Self::Invalid
            | Self::Draft
            | Self::DraftAtBase
            | Self::Edited(_)
            | Self::Broken(_)
            | Self::RolledBack(_)
            | Self::Unfounded(_)
            | Self::Removed(_) => None,
        }
    }
}

/// What is known beside the plans themselves.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Facts {
    /// Seals that count.
    pub(crate) seals: Seals,
    /// Contracts that the plans held earlier on this line of work.
    pub(crate) earlier: BTreeMap<PlanName, BTreeSet<Digest>>,
    /// Contracts that the trust point holds.
    pub(crate) at_base: BTreeMap<PlanName, Digest>,
}

/// Seals that plans still answer for: their own and all that those continue.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Covered(BTreeSet<RecordId>);

impl Facts {
    /// Finds the seals that these plans answer for.
    ///
    /// A contract that moved to another plan (`seal --from`) is answered for there.
    pub(crate) fn covered(&self, plans: &[BoundPlan]) -> Covered {
        let chosen = plans.iter().filter_map(|plan| self.seal_of(plan).ok()?);
        Covered(chosen.flat_map(|id| self.seals.lineage(id)).collect())
    }

    /// Returns the seal of a plan's contract: the newest whose lineage holds; one that does not
    /// hold is the error.
    fn seal_of(&self, plan: &BoundPlan) -> Result<Option<RecordId>, RecordId> {
        let Some(sealable) = &plan.contract else {
            return Ok(None);
        };
        let found = self.seals.of_contract(&plan.name, &sealable.digest);
        let holding = found.iter().rev().find(|id| self.seals.holds(**id));
        match (holding, found.last()) {
            (Some(id), _) => Ok(Some(*id)),
            (None, Some(id)) => Err(*id),
            (None, None) => Ok(None),
        }
    }

    /// Lists the contracts with an open seal that a plan held earlier and no plan answers for.
    fn unanswered(&self, plan: &PlanName, covered: &Covered) -> impl Iterator<Item = Digest> {
        let earlier = self.earlier.get(plan).into_iter().flatten();
        earlier.copied().filter(|contract| {
            let open = self.seals.open(plan, contract);
            !open.is_empty() && !open.iter().any(|id| covered.0.contains(id))
        })
    }

    /// Lists the seals of contracts that a plan held earlier, whose lineages have ended and for
    /// which no plan answers: something else may stand in their place. One seal for each record that
    /// ended some; none where a contract of that lineage was sealed again, so that it is open.
    pub(crate) fn ended(&self, plan: &PlanName, covered: &Covered) -> Vec<RecordId> {
        let contracts = self.earlier.get(plan).into_iter().flatten();
        let seals = contracts.filter_map(|contract| {
            let all = self.seals.of_contract(plan, contract);
            let is_answered = all.iter().any(|id| covered.0.contains(id));
            let has_ended = all.iter().all(|id| self.seals.ended(*id).is_some());
            all.last().copied().filter(|_| has_ended && !is_answered)
        });
        let mut by_end = BTreeMap::new();
        for seal in seals {
            let end = self.seals.ended(seal).map(|end| end.record);
            by_end.entry(end).or_insert(seal);
        }
        let mut open = covered
            .0
            .iter()
            .filter(|id| self.seals.ended(**id).is_none());
        let open: BTreeSet<Digest> = open
            .by_ref()
            .filter_map(|id| self.seals.get(*id))
            .map(|seal| seal.body.contract)
            .collect();
        by_end.retain(|end, _| {
            !end.is_some_and(|end| self.seals.ended_by(end).any(|it| open.contains(&it)))
        });
        by_end.into_values().collect()
    }

    /// Says where one plan file stands among those that are here.
    pub(crate) fn standing(&self, plan: &BoundPlan, covered: &Covered) -> Standing {
        let Some(sealable) = &plan.contract else {
            return Standing::Invalid;
        };
        let contract = sealable.digest;
        let mut others = self.unanswered(&plan.name, covered);
        let other = others.find(|earlier| *earlier != contract);
        match (self.seal_of(plan), other) {
            (Err(seal), _) => Standing::Unfounded(seal),
            (Ok(Some(seal)), None) => Standing::Sealed(seal),
            (Ok(Some(seal)), Some(other)) if self.is_before(plan, seal, &other) => {
                Standing::RolledBack(other)
            }
            (Ok(Some(_)), Some(other)) => Standing::Broken(other),
            (Ok(None), Some(other)) => Standing::Edited(other),
            // A plan of this name that was sealed anywhere is more than a draft of the base.
            (Ok(None), None)
                if self.at_base.get(&plan.name) == Some(&contract)
                    && !self.seals.knows(&plan.name) =>
            {
                Standing::DraftAtBase
            }
            (Ok(None), None) => Standing::Draft,
        }
    }

    /// Says whether a seal of another contract of the plan continues this one.
    fn is_before(&self, plan: &BoundPlan, seal: RecordId, other: &Digest) -> bool {
        let later = self.seals.open(&plan.name, other).into_iter();
        later
            .map(|id| self.seals.lineage(id))
            .any(|lineage| lineage.contains(&seal))
    }

    /// Lists the open seals of earlier contracts of a plan that no plan answers for and that none
    /// of them continues: what a new seal has to continue.
    pub(crate) fn heads(&self, plan: &PlanName, covered: &Covered) -> BTreeSet<RecordId> {
        let contracts = self.unanswered(plan, covered);
        let open = contracts.flat_map(|contract| self.seals.open(plan, &contract));
        self.seals.newest(&open.collect())
    }

    /// Returns the plans that had a file earlier on this line of work and have none now.
    pub(crate) fn gone<'a>(&'a self, plans: &'a [BoundPlan]) -> impl Iterator<Item = &'a PlanName> {
        let is_here = |name: &PlanName| plans.iter().any(|plan| plan.name == *name);
        let is_sealed = |name: &PlanName| {
            let contracts = self.earlier.get(name).into_iter().flatten();
            let mut seals = contracts.flat_map(|each| self.seals.of_contract(name, each));
            seals.next().is_some()
        };
        self.earlier
            .keys()
            .filter(move |name| !is_here(name) && !is_sealed(name))
    }

    /// Returns the plans whose file is gone although a contract of theirs is sealed and open; a plan that
    /// went on under another name which is gone too is named by that one alone.
    pub(crate) fn removed(
        &self,
        plans: &[BoundPlan],
        covered: &Covered,
    ) -> Vec<(PlanName, Standing)> {
        let is_gone = |name: &&PlanName| !plans.iter().any(|plan| plan.name == **name);
        let gone = self.earlier.keys().filter(is_gone);
        let gone: Vec<(&PlanName, Digest)> = gone
            .filter_map(|name| Some((name, self.unanswered(name, covered).next()?)))
            .collect();
        let heads = |name: &PlanName| self.heads(name, covered);
        let goes_on_as = |name: &PlanName, other: &PlanName| {
            let (own, others) = (heads(name), heads(other));
            let lineages: BTreeSet<RecordId> = others
                .iter()
                .flat_map(|id| self.seals.lineage(*id))
                .collect();
            own.is_disjoint(&others) && own.is_subset(&lineages)
        };
        let is_last = |(name, _): &&(&PlanName, Digest)| {
            let mut others = gone.iter().filter(|(other, _)| other != name);
            !others.any(|(other, _)| goes_on_as(name, other))
        };
        let last = gone.iter().filter(is_last);
        last.map(|(name, contract)| ((*name).clone(), Standing::Removed(*contract)))
            .collect()
    }
}

#[cfg(test)]
mod tests;
