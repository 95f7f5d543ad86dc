//! Where each plan stands: sealed, draft, edited, removed. A pure decision over facts.

use std::collections::{BTreeMap, BTreeSet};

use super::bound::BoundPlan;
use crate::ledger::judged::Ledger;
use crate::model::ids::{Digest, PlanName, RecordId};

/// Where one plan stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// The file is no valid plan.
    Invalid,
    /// Its contract has a seal, and no other contract of this plan is sealed on this line of work.
    Sealed(RecordId),
    /// It has no seal, nor had the plan earlier.
    Draft,
    /// It has no seal, and the trust point holds the same contract.
    DraftAtBase,
    /// It has no seal; another contract of this plan is sealed.
    Edited(Digest),
    /// It has a seal; so has another contract of this plan, which it does not continue.
    Broken(Digest),
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
            Self::Broken(_) => "seal-broken",
            Self::Removed(_) => "removed",
        }
    }
}

/// Seals that count, by plan and contract.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Seals(BTreeMap<PlanName, BTreeMap<Digest, RecordId>>);

impl Seals {
    /// Takes the seals of a ledger; of several for one contract the first stands.
    pub(crate) fn of(ledger: &Ledger) -> Self {
        let mut seals = Self::default();
        for (record, body) in ledger.seals() {
            seals.add(body.plan, body.contract, record.id);
        }
        seals
    }

    /// Adds one seal.
    pub(crate) fn add(&mut self, plan: PlanName, contract: Digest, record: RecordId) {
        self.0
            .entry(plan)
            .or_default()
            .entry(contract)
            .or_insert(record);
    }

    /// Says whether any contract of a plan is sealed.
    fn knows(&self, plan: &PlanName) -> bool {
        self.0.contains_key(plan)
    }

    /// Returns the seal of a contract.
    pub(crate) fn get(&self, plan: &PlanName, contract: &Digest) -> Option<RecordId> {
        self.0.get(plan)?.get(contract).copied()
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

impl Facts {
    /// Returns the sealed contracts that a plan held earlier.
    fn sealed_earlier(&self, plan: &PlanName) -> impl Iterator<Item = Digest> {
        let earlier = self.earlier.get(plan).into_iter().flatten();
        earlier
            .copied()
            .filter(|contract| self.seals.get(plan, contract).is_some())
    }

    /// Says where one plan file stands.
    pub(crate) fn standing(&self, plan: &BoundPlan) -> Standing {
        let Some(sealable) = &plan.contract else {
            return Standing::Invalid;
        };
        let contract = sealable.digest;
        let other = self
            .sealed_earlier(&plan.name)
            .find(|earlier| *earlier != contract);
        match (self.seals.get(&plan.name, &contract), other) {
            (Some(seal), None) => Standing::Sealed(seal),
            (Some(_), Some(other)) => Standing::Broken(other),
            (None, Some(other)) => Standing::Edited(other),
            // A plan of this name that was sealed anywhere is more than a draft of the base.
            (None, None)
                if self.at_base.get(&plan.name) == Some(&contract)
                    && !self.seals.knows(&plan.name) =>
            {
                Standing::DraftAtBase
            }
            (None, None) => Standing::Draft,
        }
    }

    /// Returns the plans that had a file earlier on this line of work and have none now.
    pub(crate) fn gone<'a>(&'a self, plans: &'a [BoundPlan]) -> impl Iterator<Item = &'a PlanName> {
        let is_here = |name: &PlanName| plans.iter().any(|plan| plan.name == *name);
        let sealed = |name: &PlanName| self.sealed_earlier(name).next().is_some();
        self.earlier
            .keys()
            .filter(move |name| !is_here(name) && !sealed(name))
    }

    /// Returns the plans whose file is gone although a contract of theirs is sealed.
    pub(crate) fn removed(&self, plans: &[BoundPlan]) -> Vec<(PlanName, Standing)> {
        let is_gone = |name: &&PlanName| !plans.iter().any(|plan| plan.name == **name);
        self.earlier
            .keys()
            .filter(is_gone)
            .filter_map(|name| {
                let contract = self.sealed_earlier(name).next()?;
                Some((name.clone(), Standing::Removed(contract)))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::bound::Sealable;
    use crate::model::contract::Contract;

    fn digest(n: u8) -> Digest {
        Digest::new([n; 32])
    }

    fn name() -> PlanName {
        PlanName::default_plan()
    }

    fn plan(contract: Option<u8>) -> BoundPlan {
        let empty = Contract {
            task: String::new(),
            created: String::new(),
            requirements: Vec::new(),
            required_tools: Vec::new(),
            pins: Vec::new(),
            scope: Vec::new(),
            steps: Vec::new(),
        };
        let sealable = |n| Sealable {
            contract: empty,
            bytes: Vec::new(),
            digest: digest(n),
        };
        BoundPlan {
            name: name(),
            path: name().path(),
            bytes: Vec::new(),
            contract: contract.map(sealable),
            findings: Vec::new(),
        }
    }

    fn facts(sealed: &[u8], earlier: &[u8], at_base: Option<u8>) -> Facts {
        let mut facts = Facts::default();
        for n in sealed {
            facts
                .seals
                .add(name(), digest(*n), RecordId::new(digest(*n)));
        }
        facts
            .earlier
            .insert(name(), earlier.iter().copied().map(digest).collect());
        facts.at_base.extend(at_base.map(|n| (name(), digest(n))));
        facts
    }

    #[test]
    fn every_case_has_its_standing() {
        let seal = Standing::Sealed(RecordId::new(digest(1)));
        for (sealed, earlier, at_base, expected) in [
            (&[1][..], &[1][..], None, seal.clone()),
            (&[1], &[], None, seal.clone()),
            (&[1], &[2, 1], None, seal),
            (&[], &[1], None, Standing::Draft),
            (&[], &[1, 2], None, Standing::Draft),
            (&[], &[], Some(1), Standing::DraftAtBase),
            (&[], &[], Some(2), Standing::Draft),
            (&[3], &[], Some(1), Standing::Draft),
            (&[2], &[2], Some(1), Standing::Edited(digest(2))),
            (&[1, 2], &[2], None, Standing::Broken(digest(2))),
        ] {
            assert_eq!(
                facts(sealed, earlier, at_base).standing(&plan(Some(1))),
                expected
            );
        }
        assert_eq!(
            facts(&[1], &[1], None).standing(&plan(None)),
            Standing::Invalid
        );
    }

    #[test]
    fn a_sealed_plan_whose_file_is_gone_is_removed() {
        let removed = facts(&[1], &[1], None).removed(&[]);

        assert_eq!(removed, [(name(), Standing::Removed(digest(1)))]);
        assert_eq!(facts(&[1], &[1], None).removed(&[plan(Some(3))]), []);
        assert_eq!(facts(&[], &[1], None).removed(&[]), []);
    }
}
