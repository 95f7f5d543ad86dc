//! Commits of this line of work that no usable evidence speaks of, as rebase, cherry-pick and squash make
//! them, and what makes it.

use std::collections::BTreeSet;

use crate::engine::bound::Known;
use crate::engine::judge::Judge;
use crate::engine::ports::Commit;
use crate::engine::stop::Stop;
use crate::engine::usable::unfit;
use crate::model::ids::{Digest, Oid, PlanName};
use crate::model::outcome::UnprovenCommit;

/// How many commits are looked at, from HEAD down.
const LOOKED_AT: usize = 20;

/// Lists the newest commits since the fork point that hold a sealed plan and have no usable audit of
/// it, newest first. `tree` is what is on disk: where HEAD has it, an audit in place will do.
pub(super) fn commits(
    judge: &Judge<'_>,
    head: Option<&Oid>,
    tree: &Oid,
) -> Result<Vec<UnprovenCommit>, Stop> {
    let Some(head) = head.filter(|_| judge.facts.seals.has_open()) else {
        return Ok(Vec::new());
    };
    let objects = judge.world.objects;
    let walk = objects.between(head, judge.fork.commit());
    let walk = walk.map_err(Stop::broken("walk the history"))?;
    let (proven, mut known) = (proven(judge), Known::nothing());
    let mut found = Vec::new();
    for id in walk.commits.iter().take(LOOKED_AT) {
        let commit = objects.commit(id).map_err(Stop::broken("read a commit"))?;
        let Some(commit) = commit else { continue };
        let contracts = known.contracts_in_tree(objects, &commit.tree)?.into_iter();
        let lacking = contracts.filter(|(plan, contract)| {
            let is_open = !judge.facts.seals.open(plan, contract).is_empty();
            is_open && !proven.contains(&(commit.tree, plan.clone(), *contract))
        });
        let plans: Vec<PlanName> = lacking.map(|(plan, _)| plan).collect();
        if !plans.is_empty() {
            let is_here = id == head && commit.tree == *tree;
            found.push(unproven(judge, commit, plans, is_here));
        }
    }
    Ok(found)
}

/// Lists what has a usable audit: tree, plan and contract. All audits are read once.
fn proven(judge: &Judge<'_>) -> BTreeSet<(Oid, PlanName, Digest)> {
    let demands = judge.demands();
    let audits = judge.ledger.audits().into_iter().map(|(_, body)| body);
    let usable = audits.filter(|body| unfit(body, &body.after.tree, &demands).is_empty());
    usable
        .map(|body| (body.after.tree, body.plan, body.contract))
        .collect()
}

/// Names a commit, and the command that makes evidence of it.
fn unproven(
    judge: &Judge<'_>,
    commit: Commit,
    plans: Vec<PlanName>,
    is_here: bool,
) -> UnprovenCommit {
    UnprovenCommit {
        next: if is_here {
            judge.world.settings.audit_command()
        } else {
            format!("git plan-audit audit --commit {}", commit.id.short())
        },
        commit: commit.id,
        subject: commit.subject,
        plans,
    }
}
