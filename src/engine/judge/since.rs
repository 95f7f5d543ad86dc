//! What became of a line of work since one of its commits: files, plans and seals.

use std::collections::{BTreeMap, BTreeSet};

use super::World;
use crate::engine::bound::in_tree;
use crate::engine::earlier::earlier;
use crate::engine::place::Place;
use crate::engine::stop::Stop;
use crate::model::ids::{Digest, Oid, PlanName};

/// A commit, and what the commits since then held.
#[derive(Debug)]
pub(super) struct Since {
    /// The commit.
    from: Oid,
    /// The files of the commit.
    pub(super) place: Place,
    /// The contracts that it held itself.
    at: BTreeMap<PlanName, Digest>,
    /// The contracts that plans held at it and since then.
    held: BTreeMap<PlanName, BTreeSet<Digest>>,
    /// The commits since then.
    commits: BTreeSet<Oid>,
}

impl Since {
    /// Looks at what led from a commit to a tip; none where that is not all here.
    pub(super) fn of(
        world: &World<'_>,
        tip: Option<&Oid>,
        from: &Oid,
    ) -> Result<Option<Self>, Stop> {
        let Some(tip) = tip else { return Ok(None) };
        let objects = world.objects;
        let commit = objects
            .commit(from)
            .map_err(Stop::broken("read a commit"))?;
        let Some(commit) = commit else {
            return Ok(None);
        };
        let walk = objects
            .between(tip, Some(from))
            .map_err(Stop::broken("walk the history"))?;
        let held = earlier(objects, Some(tip), Some(from))?;
        if !walk.complete || !held.complete {
            return Ok(None);
        }
        let at = in_tree(objects, &commit.tree)?.into_iter();
        let at = at.filter_map(|plan| Some((plan.name, plan.contract?.digest)));
        Ok(Some(Self {
            from: *from,
            place: Place::of_tree(commit.tree),
            at: at.collect(),
            held: held.contracts,
            commits: walk.commits.into_iter().collect(),
        }))
    }

    /// Says whether a plan had the same contract at the commit and ever since.
    pub(super) fn has_kept(&self, plan: &PlanName, contract: &Digest) -> bool {
        let held = self.held.get(plan);
        let is_kept = held.is_some_and(|held| held.iter().all(|each| each == contract));
        self.at.get(plan) == Some(contract) && (is_kept || self.commits.is_empty())
    }

    /// Says whether a commit is that commit, or came since then.
    pub(super) fn spans(&self, commit: &Oid) -> bool {
        self.from == *commit || self.has(commit)
    }

    /// Says whether a commit came since then.
    pub(super) fn has(&self, commit: &Oid) -> bool {
        self.commits.contains(commit)
    }
}
