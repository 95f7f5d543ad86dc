//! Contracts that plan files held earlier on a line of work, from the fork point on.

use std::collections::{BTreeMap, BTreeSet};

use super::bound::{Known, in_tree};
use super::ports::{Commit, Objects};
use super::stop::Stop;
use crate::ledger::judged::Ledger;
use crate::model::ids::{Digest, InstanceId, Oid, PlanName};

/// What plan files held earlier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Earlier {
    /// Digests of the valid contracts of each plan.
    pub(crate) contracts: BTreeMap<PlanName, BTreeSet<Digest>>,
    /// Whether every commit was here to be read.
    pub(crate) complete: bool,
}

impl Earlier {
    /// Adds what was found from another commit on.
    pub(crate) fn extend(&mut self, other: Self) {
        for (plan, contracts) in other.contracts {
            self.contracts.entry(plan).or_default().extend(contracts);
        }
        self.complete &= other.complete;
    }
}

/// Reads the plan files of the fork point and of every commit from there to `tip`.
///
/// Without a fork point the search starts at the root (DESIGN section 8).
pub(crate) fn earlier(
    objects: &dyn Objects,
    tip: Option<&Oid>,
    fork: Option<&Oid>,
) -> Result<Earlier, Stop> {
    let mut found = Earlier {
        contracts: BTreeMap::new(),
        complete: true,
    };
    let Some(tip) = tip else { return Ok(found) };
    let walk = objects
        .between(tip, fork)
        .map_err(Stop::broken("walk the history"))?;
    found.complete = walk.complete;
    let mut seen = BTreeSet::new();
    let mut known = Known::nothing();
    for id in walk.commits.iter().chain(fork) {
        let commit = objects.commit(id).map_err(Stop::broken("read a commit"))?;
        let Some(commit) = commit else {
            found.complete = false;
            continue;
        };
        let directory = plan_directory(objects, &commit.tree)?;
        if directory.is_some_and(|id| seen.insert(id)) {
            for (name, contract) in known.contracts_in_tree(objects, &commit.tree)? {
                found.contracts.entry(name).or_default().insert(contract);
            }
        }
    }
    Ok(found)
}

/// Adds the contracts that this clone sealed on a branch, under any of its instances: whoever moves
/// the trust point, or the file that says who this clone is, cannot make them forgotten here.
pub(crate) fn add_own_branch(
    ledger: &Ledger,
    instances: &BTreeSet<InstanceId>,
    branch: &str,
    contracts: &mut BTreeMap<PlanName, BTreeSet<Digest>>,
) {
    for (record, body) in ledger.seals() {
        let is_own = instances.contains(&record.header.instance);
        if is_own && body.branch.as_deref() == Some(branch) {
            contracts
                .entry(body.plan)
                .or_default()
                .insert(body.contract);
        }
    }
}

/// Says whether a commit of the first-parent history of `tip` holds a contract of a plan.
pub(crate) fn main_line_held(
    objects: &dyn Objects,
    tip: &Oid,
    plan: &PlanName,
    contract: &Digest,
) -> Result<bool, Stop> {
    let mut seen = BTreeSet::new();
    for commit in main_line(objects, *tip) {
        let Some(commit) = commit? else {
            return Ok(false);
        };
        let directory = plan_directory(objects, &commit.tree)?;
        if directory.is_some_and(|id| seen.insert(id)) {
            let plans = in_tree(objects, &commit.tree)?;
            let holds = |bound: &super::bound::BoundPlan| {
                let sealable = bound.contract.as_ref();
                bound.name == *plan && sealable.is_some_and(|found| found.digest == *contract)
            };
            if plans.iter().any(holds) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Iterates over the first-parent history of a commit, itself first; none at the end stands for one
/// that is not here.
pub(super) fn main_line(
    objects: &dyn Objects,
    tip: Oid,
) -> impl Iterator<Item = Result<Option<Commit>, Stop>> {
    let read = |id: Oid| objects.commit(&id).map_err(Stop::broken("read a commit"));
    std::iter::successors(Some(read(tip)), move |last| {
        let commit = last.as_ref().ok()?.as_ref()?;
        commit.parents.first().map(|parent| read(*parent))
    })
}

/// Returns the object of the plan directory of a tree: where it is the same, so are the plans.
fn plan_directory(objects: &dyn Objects, tree: &Oid) -> Result<Option<Oid>, Stop> {
    let entries = objects
        .entries(tree, "")
        .map_err(Stop::broken("read a tree"))?;
    let found = entries
        .into_iter()
        .flatten()
        .find(|entry| entry.name == b".plan-auditor");
    Ok(found.map(|entry| entry.id))
}
