//! What `audit` found, for machines.

use serde_json::{Value, json};

use super::state::state;
use super::{by_name, without_nulls};
use crate::model::check::{CheckResult, End, Met};
use crate::model::outcome::{Audited, AuditedCheck, AuditedOutput, AuditedPlan, AuditedStep};

/// Writes the members of `audit`.
pub(super) fn audited(audit: &Audited) -> Value {
    without_nulls(json!({
        "place": audit.place.as_str(),
        "plans": by_name(audit.plans.iter().map(plan)),
        "state": audit.state.as_ref().map(state),
    }))
}

/// Writes the audit of one plan.
fn plan(plan: &AuditedPlan) -> (String, Value) {
    let steps: Vec<Value> = plan.steps.iter().map(step).collect();
    let value = without_nulls(json!({
        "outcome": plan.verdict.as_str(),
        "usable": plan.usable,
        "contract": plan.contract.to_string(),
        "record": plan.record.map(|id| id.to_string()),
        "steps": steps,
    }));
    (plan.name.to_string(), value)
}

/// Writes one step.
pub(super) fn step(step: &AuditedStep) -> Value {
    let outcome = match step.met {
        Met::Passed => "PASS",
        Met::Unknown => "UNKNOWN",
        Met::Failed => "FAIL",
    };
    json!({
        "id": step.id,
        "title": step.title,
        "outcome": outcome,
        "required": step.required.iter().map(output).collect::<Vec<_>>(),
        "checks": step.checks.iter().map(check).collect::<Vec<_>>(),
        "outputs": step.outputs.iter().map(output).collect::<Vec<_>>(),
    })
}

/// Writes one output.
fn output(output: &AuditedOutput) -> Value {
    json!({
        "step": output.step,
        "name": output.name,
        "checks": output.checks.iter().map(check).collect::<Vec<_>>(),
    })
}

/// Writes one check.
fn check(check: &AuditedCheck) -> Value {
    let result = &check.result;
    let program = result
        .program
        .as_ref()
        .map(|each| json!({ "path": each.path, "sha256": each.sha256.to_string() }));
    let output = result
        .output
        .as_ref()
        .map(|each| json!({ "bytes": each.bytes, "sha256": each.sha256.to_string() }));
    let (exit, signal, reason) = numbers(&result.end);
    without_nulls(json!({
        "label": check.label,
        "result": word(result, check.met),
        "exit": exit,
        "signal": signal,
        "reason": reason,
        "duration_ms": result.duration_ms,
        "matched": result.matched,
        "leaked": result.leaked,
        "program": program,
        "output": output,
        "variables": result.variables,
    }))
}

/// Splits an end into exit code, signal and reason.
fn numbers(end: &End) -> (Option<i32>, Option<i32>, Option<&str>) {
    match end {
        End::Exited(code) => (Some(*code), None, None),
        End::Signalled(signal) => (None, Some(*signal), None),
        End::CouldNotStart(why) | End::NotFound(why) => (None, None, Some(why)),
        End::AskedTerminal => (None, None, Some("asked for the terminal")),
        End::TimedOut | End::OutputLimit | End::Interrupted | End::Blocked | End::Found => {
            (None, None, None)
        }
    }
}

/// Returns the kind of a result in the words of DESIGN section 5.
fn word(result: &CheckResult, met: Met) -> &'static str {
    match (&result.end, met) {
        (End::TimedOut, _) => "timed out",
        (End::OutputLimit, _) => "output limit",
        (End::CouldNotStart(_), _) => "could not start",
        (End::Interrupted, _) => "interrupted",
        (End::Blocked, _) => "blocked",
        (
            End::Exited(_) | End::Signalled(_) | End::AskedTerminal | End::Found | End::NotFound(_),
            Met::Passed,
        ) => "passed",
        (
            End::Exited(_) | End::Signalled(_) | End::AskedTerminal | End::Found | End::NotFound(_),
            Met::Unknown | Met::Failed,
        ) => "failed",
    }
}
