//! An audit of what is on disk in the work tree.

use super::{
    Ground, Prepared, Task, beside, conclude, demand_merged, facts_here, ready, workspace,
};
use crate::engine::bound::on_disk;
use crate::engine::events::Event;
use crate::engine::judge::Judge;
use crate::engine::place::Place;
use crate::engine::stop::Stop;
use crate::model::outcome::Outcome;
use crate::model::record::AuditPlace;

/// Audits the work tree.
pub(super) fn audit(task: &Task<'_>) -> Result<Outcome, Stop> {
    let workspace = workspace(task.world)?;
    (task.listener)(&Event::TakingState);
    let before = workspace.state()?;
    demand_merged(&before)?;
    let judge = Judge::of_workspace(task.world, before.head.as_ref())?;
    let facts = facts_here(&judge, before.branch.as_deref())?;
    let mut findings = task.findings(&judge, (&before.tree, &before.aside.trust))?;
    let plans = on_disk(workspace)?;
    let place = Place::of_state(&before);
    findings.extend(beside::others(&judge, &plans, task.only, &place)?);
    findings.extend(beside::head(task.world, &before)?);
    let ready = ready((&judge, &facts), plans, task.only, &mut findings)?;
    if ready.is_empty() {
        let (tree, state) = (before.tree, Some(before));
        return Ok(conclude::no_plan(
            AuditPlace::Worktree,
            (tree, state),
            findings,
        ));
    }
    let bounds = task.bounds(&judge, &ready, &place)?;
    let watched = workspace.watch(&before);
    let prepared = Prepared {
        ready,
        bounds,
        before,
        findings,
    };
    let ground = Ground::Worktree(workspace, task.recorder.runner, &*watched);
    task.run(&judge, ground, prepared)
}
