//! Recording a run: one record, one append.

use super::Task;
use super::steps::Running;
use crate::engine::append::{Appended, Entry, append_or_keep, seen};
use crate::engine::audit::record::{inline_or_kept, unwritable};
use crate::engine::run_steps::result_of;
use crate::model::finding::Finding;
use crate::model::outcome::StepEnd;
use crate::model::record::{Kind, Role, RunBody, RunEnd, RunTold, StepResult};
use crate::model::state::State;
use crate::wire::body;

/// Appends what a run gave.
pub(super) fn append(
    task: &Task<'_>,
    running: &Running<'_>,
    (before, after): (&State, &State),
) -> Result<Appended, Box<Finding>> {
    let results: Vec<StepResult> = running
        .done
        .iter()
        .map(|(step, _)| result_of(step))
        .collect();
    let (kept, bytes) = inline_or_kept(task.world, &results)?.unzip();
    let told = RunTold {
        before: before.content,
        after: after.content,
        forced: task.forced.map(str::to_owned),
        steps: if kept.is_some() { Vec::new() } else { results },
        kept,
    };
    let body = RunBody {
        plan: task.ready.plan.name.clone(),
        contract: task.ready.sealable.digest,
        attempt: running.attempt,
        platform: task.recorder.platform.to_owned(),
        tool: task.recorder.tool.to_owned(),
        end: RunEnd::Told(told),
    };
    let identity = crate::engine::audit::identity(task.world).map_err(|_| unwritable())?;
    let entry = Entry {
        target: after
            .head
            .unwrap_or_else(|| task.world.objects.empty_tree()),
        records: vec![(Kind::Run, body::write_run(&body).map_err(|_| unwritable())?)],
        kept: bytes.into_iter().collect(),
        subject: subject(task, running, after),
        seen: seen(&task.judge.ledger, task.recorder, identity),
        role: Role::Record,
        time: task.recorder.clock.now(),
    };
    append_or_keep(task.world, task.recorder, identity, &entry)
}

/// Writes the subject of the commit, which names the tree that it speaks of.
fn subject(task: &Task<'_>, running: &Running<'_>, after: &State) -> String {
    let passed = running
        .done
        .iter()
        .filter(|(_, end)| *end == StepEnd::Passed);
    format!(
        "run {}: {} of {} steps passed for tree {}",
        task.ready.plan.name,
        passed.count(),
        running.done.len(),
        after.tree.short()
    )
}
