//! What a run comes to, and what a person must know of it.

use super::Task;
use super::steps::Running;
use crate::engine::append::Appended;
use crate::engine::audit::conclude::check_finding;
use crate::engine::audit::withheld;
use crate::engine::own_key::told;
use crate::model::finding::{Finding, run as rows};
use crate::model::outcome::{AuditedStep, Details, Outcome, RanStep, RanSteps, StepEnd, Word};
use crate::model::record::Role;
use crate::model::state::State;

/// Makes the outcome of a run.
pub(super) fn conclude(
    task: &Task<'_>,
    (running, state): (Running<'_>, &State),
    recorded: Result<Option<Appended>, Box<Finding>>,
    mut findings: Vec<Finding>,
) -> Outcome {
    let plan = &task.ready.plan.name;
    for (step, end) in &running.done {
        findings.extend(step_findings(task, step, *end));
    }
    let steps: Vec<AuditedStep> = running.done.iter().map(|(step, _)| step.clone()).collect();
    findings.extend(withheld::findings(&steps));
    let has_passed =
        running.left.is_empty() && running.done.iter().all(|(_, end)| *end == StepEnd::Passed);
    let word = match (&recorded, has_passed) {
        (Err(_), _) => Word::Unknown,
        (Ok(_), true) => Word::Ok,
        (Ok(_), false) => Word::Fail,
    };
    let appended = recorded.unwrap_or_else(|finding| {
        findings.push(*finding);
        None
    });
    let record = appended.and_then(|appended| {
        let record = appended.records.last().copied();
        findings.extend(told(task.judge, (task.recorder, Role::Record), appended));
        record
    });
    let ran = |(step, end): (AuditedStep, StepEnd)| RanStep {
        failed: failed(task, step.id, end),
        step,
        end,
    };
    let details = RanSteps {
        plan: plan.clone(),
        contract: task.ready.sealable.digest,
        tree: state.tree,
        record,
        max_attempts: task.judge.trusting.max_attempts,
        steps: running.done.into_iter().map(ran).collect(),
        left: running.left,
    };
    Outcome::new(word, findings, Details::Run(Box::new(details)))
}

/// Counts the failed attempts at a step, the one that just ended included.
fn failed(task: &Task<'_>, step: u64, end: StepEnd) -> u64 {
    task.history.failed(step) + u64::from(end.is_failed_attempt())
}

/// Says what became of a step that did not pass.
fn step_findings(task: &Task<'_>, step: &AuditedStep, end: StepEnd) -> Vec<Finding> {
    let plan = &task.ready.plan.name;
    let found = step
        .all_checks()
        .filter_map(|check| check_finding(check, None));
    let mut found: Vec<Finding> = found
        .map(|finding| finding.of_plan(plan).of_step(step.id))
        .collect();
    if end == StepEnd::Blocked {
        found.push(blocked(task, step));
    }
    found
}

/// Says why a step was not begun.
fn blocked(task: &Task<'_>, step: &AuditedStep) -> Finding {
    let plan = &task.ready.plan.name;
    let contract = &task.ready.sealable.contract;
    let depends = contract.step(step.id).into_iter();
    let mut depends = depends.flat_map(|step| &step.depends_on);
    // Where the settings are wrong, no step that failed is taken again.
    let most = task.judge.trusting.max_attempts.unwrap_or(1);
    let is_used_up = depends.any(|id| task.history.failed(*id) >= most);
    let force = if is_used_up {
        " --force --reason 'why it is worth another'"
    } else {
        ""
    };
    let needed: Vec<String> = contract
        .step(step.id)
        .into_iter()
        .flat_map(|step| &step.depends_on)
        .map(ToString::to_string)
        .collect();
    let needed = needed.join(" ");
    let message = "not begun, and no attempt: a step that it depends on has not passed, or an output \
                   that it needs does not hold";
    Finding::new(&rows::STEP_BLOCKED, message)
        .hint(format!(
            "git plan-audit run {needed} {} --plan {plan}{force}",
            step.id
        ))
        .of_plan(plan)
        .of_step(step.id)
}
