//! The scope of a plan: which paths its work may touch, and whether a line of work is its work at all.

use std::collections::BTreeSet;

use super::Judge;
use super::fork::Fork;
use super::since::Since;
use crate::engine::bound::{BoundPlan, Sealable};
use crate::engine::place::Place;
use crate::engine::stop::Stop;
use crate::model::contract::Contract;
use crate::model::files::{Files, differing};
use crate::model::finding::{Finding, bounds as rows};
use crate::model::ids::{Oid, PlanName, RecordId};
use crate::model::pattern::PathPatterns;
use crate::model::pins::PinPatterns;
use crate::model::text;
use crate::wire::plan::plan_name_of;

/// How many paths a finding lists.
const LISTED: usize = 20;

impl Judge<'_> {
    /// Says which paths outside of a plan's scope changed since the fork point; without one, since the
    /// commit of the lineage's first seal (D2).
    ///
    /// A line of work that leaves the plan and all that it speaks of alone is the work of another plan.
    pub(super) fn scope(
        &self,
        plan: &PlanName,
        (sealable, seal): (&Sealable, RecordId),
        place: &Place,
    ) -> Result<Option<Finding>, Stop> {
        let contract = &sealable.contract;
        if contract.scope.is_empty() {
            return Ok(None);
        }
        let now = place.files(self.world.objects)?;
        let begun;
        let before = match &self.fork {
            Fork::At(_, fork) => {
                if let Some(since) = self.since_fork()?
                    && self.is_elsewhere((sealable, plan, seal), since, now)?
                {
                    return Ok(None);
                }
                fork
            }
            Fork::Nowhere => match self.begin(seal)? {
                Some(place) => {
                    begun = place;
                    &begun
                }
                None => return Ok(Some(unknown(plan, "the commit of its first seal"))),
            },
            Fork::CutOff => return Ok(Some(unknown(plan, "the fork point"))),
        };
        let outside = outside(contract, before.files(self.world.objects)?, now);
        if outside.is_empty() {
            return Ok(None);
        }
        let finding = self.out_of_scope(plan, &outside);
        Ok(Some(match self.first_merge()? {
            Some(merge) => finding.hint(one_at_a_time(&merge)),
            None => finding,
        }))
    }

    /// Finds the first of several merges that the line of work made since the fork point: it brings
    /// the work of several plans, and each plan is judged on all of it (D2).
    fn first_merge(&self) -> Result<Option<Oid>, Stop> {
        let (Some(tip), Some(fork)) = (self.tip, self.fork.commit()) else {
            return Ok(None);
        };
        let mut merges = Vec::new();
        let mut next = Some(tip).filter(|tip| tip != fork);
        while let Some(id) = next {
            let commit = self.world.objects.commit(&id);
            let Some(commit) = commit.map_err(Stop::broken("read a commit"))? else {
                return Ok(None);
            };
            merges.extend((commit.parents.len() > 1).then_some(id));
            next = commit
                .parents
                .first()
                .copied()
                .filter(|parent| parent != fork);
        }
        Ok(merges.pop().filter(|_| !merges.is_empty()))
    }

    /// Says whether an update is no work of a sealed plan: it neither seals nor changes it, nor
    /// touches a path of its scope or pins.
    ///
    /// Nor may the line of work that the update goes on with: who pushes it piece by piece would else
    /// leave the plan out as soon as its own part has arrived.
    pub(super) fn is_untouched(
        &self,
        plan: &BoundPlan,
        seal: RecordId,
        place: &Place,
    ) -> Result<bool, Stop> {
        match (&self.update, &plan.contract) {
            (Some(since), Some(sealable)) if !sealable.contract.scope.is_empty() => {
                let now = place.files(self.world.objects)?;
                let plan = (sealable, &plan.name, seal);
                Ok(self.is_elsewhere(plan, since, now)? && self.is_other_work(plan, since, now)?)
            }
            (_, _) => Ok(false),
        }
    }

    /// Says whether work has begun since the fork point, and none of it is of this plan: the update that
    /// comes of it will leave the plan out. Where that cannot be told, it is no.
    pub(in crate::engine) fn is_left_out(
        &self,
        plan: &BoundPlan,
        seal: RecordId,
        place: &Place,
    ) -> Result<bool, Stop> {
        let sealable = plan.contract.as_ref();
        let Some(sealable) = sealable.filter(|sealable| !sealable.contract.scope.is_empty()) else {
            return Ok(false);
        };
        let Some(since) = self.since_fork()? else {
            return Ok(false);
        };
        let objects = self.world.objects;
        let now = place.files(objects)?;
        let has_begun = !differing(since.place.files(objects)?, now).is_empty();
        Ok(has_begun && self.is_elsewhere((sealable, &plan.name, seal), since, now)?)
    }

    /// Says whether nothing since the fork point is of a plan, where an update began after it.
    fn is_other_work(
        &self,
        plan: (&Sealable, &PlanName, RecordId),
        update: &Since,
        now: &Files,
    ) -> Result<bool, Stop> {
        match &self.fork {
            Fork::At(id, _) if update.spans(id) => return Ok(true),
            Fork::Nowhere => return Ok(true),
            Fork::At(..) | Fork::CutOff => {}
        }
        match self.since_fork()? {
            Some(since) => self.is_elsewhere(plan, since, now),
            None => Ok(false),
        }
    }

    /// Looks at what came since the fork point, once for all plans; none where there is no fork point, or not
    /// all since then is here.
    fn since_fork(&self) -> Result<Option<&Since>, Stop> {
        if let Some(known) = self.since_fork.get() {
            return Ok(known.as_ref());
        }
        let since = match self.fork.commit() {
            Some(fork) => Since::of(&self.world, self.tip.as_ref(), fork)?,
            None => None,
        };
        Ok(self.since_fork.get_or_init(|| since).as_ref())
    }

    /// Says whether nothing since a commit is of a plan.
    fn is_elsewhere(
        &self,
        (sealable, plan, seal): (&Sealable, &PlanName, RecordId),
        since: &Since,
        now: &Files,
    ) -> Result<bool, Stop> {
        let head = |id: RecordId| self.ledger.get(id).map(|record| record.header.head);
        let mut lineage = self.facts.seals.lineage(seal).into_iter();
        let is_sealed_since = lineage.any(|id| head(id).is_none_or(|head| since.has(&head)));
        if is_sealed_since || !since.has_kept(plan, &sealable.digest) {
            return Ok(false);
        }
        let before = since.place.files(self.world.objects)?;
        Ok(!touches(&sealable.contract, before, now))
    }

    /// Finds the commit of a lineage's first seal; none where it is not here.
    fn begin(&self, seal: RecordId) -> Result<Option<Place>, Stop> {
        let objects = self.world.objects;
        let Some(first) = self.facts.seals.first(seal) else {
            return Ok(None);
        };
        let Some(head) = self.ledger.get(first).map(|record| record.header.head) else {
            return Ok(None);
        };
        // Before the first commit a record names the empty tree.
        if head == objects.empty_tree() {
            return Ok(Some(Place::empty(head)));
        }
        let commit = objects
            .commit(&head)
            .map_err(Stop::broken("read the commit of a seal"))?;
        Ok(commit.map(|commit| Place::of_tree(commit.tree)))
    }

    /// Says that work left the scope; in the light profile that is a warning.
    fn out_of_scope(&self, plan: &PlanName, outside: &BTreeSet<&[u8]>) -> Finding {
        let row = match self.trusting.profile.as_str() {
            "light" => &rows::OUT_OF_SCOPE_LIGHT,
            _ => &rows::OUT_OF_SCOPE,
        };
        let message = format!(
            "changed outside of the scope of plan {plan}: {}",
            text::listed(outside.iter().copied(), LISTED)
        );
        Finding::new(row, message).hint(format!(
            "put them back, or say why the scope has to be wider: git plan-audit seal --plan {plan} \
             --new-generation --reason TEXT"
        ))
    }
}

/// Says how several merges pass that are each in the scope of their own plan.
fn one_at_a_time(merge: &Oid) -> String {
    format!(
        "if these are the works of several plans, merged one after the other: let them go one at a time, \
         the first by git plan-audit audit --commit {merge} && git push origin {merge}:BRANCH; else put them \
         back, or widen the scope by a new generation"
    )
}

/// Lists changed paths that the scope of a contract does not hold. Plan files are left out: their
/// own seals say what may become of them.
fn outside<'a>(contract: &Contract, before: &'a Files, now: &'a Files) -> BTreeSet<&'a [u8]> {
    let scope = PathPatterns::new(&contract.scope);
    let is_within = |path: &[u8]| scope.as_ref().is_ok_and(|scope| scope.matches(path));
    let mut changed = differing(before, now);
    changed.retain(|path| !is_within(path) && !is_plan(path));
    changed
}

/// Says whether a path is that of a plan file.
fn is_plan(path: &[u8]) -> bool {
    let text = std::str::from_utf8(path);
    text.is_ok_and(|text| matches!(plan_name_of(text), Ok(Some(_))))
}

/// Says whether a changed path is in the scope or among the pins of a contract. What cannot be
/// compiled is taken for touched.
fn touches(contract: &Contract, before: &Files, now: &Files) -> bool {
    let patterns = (
        PathPatterns::new(&contract.scope),
        PinPatterns::new(&contract.pins),
    );
    let (Ok(scope), Ok(pins)) = patterns else {
        return true;
    };
    let changed = differing(before, now);
    let (pinned_before, pinned_now) = (pins.matched(before), pins.matched(now));
    changed.into_iter().any(|path| {
        scope.matches(path) || pinned_before.contains(path) || pinned_now.contains(path)
    })
}

/// Says that what a scope is judged by is not here.
fn unknown(plan: &PlanName, what: &str) -> Finding {
    let message = format!("the scope of plan {plan} cannot be judged: {what} is not in this clone");
    Finding::new(&rows::UNKNOWN, message)
        .hint("git fetch --unshallow; in a partial clone: git fetch --refetch")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::File;

    #[test]
    fn plan_files_are_in_every_scope_and_what_says_who_counts_is_not() {
        for (path, is_free) in [
            (".plan-auditor/plan.json", true),
            (".plan-auditor/plans/a.json", true),
            (".plan-auditor/plans/default.json", false),
            (".plan-auditor/allowed_signers", false),
            (".plan-auditor/supervisor.json", false),
            ("plan.json", false),
        ] {
            assert_eq!(is_plan(path.as_bytes()), is_free, "{path}");
        }
    }

    #[test]
    fn a_path_that_goes_or_comes_is_changed() {
        let file = File {
            mode: 0o100_644,
            id: Oid::Sha1([1; 20]),
        };
        let files = |paths: &[&str]| -> Files {
            paths
                .iter()
                .map(|path| (path.as_bytes().to_vec(), file))
                .collect()
        };
        let plan =
            crate::engine::testing::plan("true").replacen('{', "{\"scope\":[\"src/**\"],", 1);
        let name = PlanName::default_plan();
        let contract = crate::wire::plan::read(&name, "plan.json", plan.as_bytes())
            .contract
            .unwrap();

        let (before, now) = (files(&["src/a", "b"]), files(&["src/c", "d", "Src/e"]));

        let found: Vec<&[u8]> = outside(&contract, &before, &now).into_iter().collect();
        assert_eq!(found, [&b"Src/e"[..], b"b", b"d"]);
    }
}
