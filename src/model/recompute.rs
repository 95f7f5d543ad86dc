//! The verdict of an audit, recomputed from its results and the contract; it is never read.

use super::check::{Check, CheckResult, Met};
use super::contract::{Contract, Output, Step};
use super::record::{OutputResult, StepResult};
use super::verdict::Verdict;

/// Recomputes the verdict of a whole audit: FAIL if a check failed, else UNKNOWN if one could not
/// start or was not run to its end. Results that do not match the contract one to one are FAIL.
pub(crate) fn audit(contract: &Contract, steps: &[StepResult]) -> Verdict {
    let met = paired(&contract.steps, steps, |step, result| {
        self::step(contract, step, result)
    });
    match met {
        Met::Passed => Verdict::Pass,
        Met::Unknown => Verdict::Unknown,
        Met::Failed => Verdict::Fail,
    }
}

/// Recomputes whether one step is met.
pub(crate) fn step(contract: &Contract, step: &Step, result: &StepResult) -> Met {
    if step.id != result.id || !names_required(step, result) {
        return Met::Failed;
    }
    let own = checks(&step.verify, &result.checks);
    let required = result
        .required
        .iter()
        .map(|output| required(contract, output));
    let outputs = paired(&step.outputs, &result.outputs, |output, result| {
        declared(step.id, output, result)
    });
    worst(required.chain([own, outputs]))
}

/// Says whether the required outputs that were rechecked are those of the contract, in order.
fn names_required(step: &Step, result: &StepResult) -> bool {
    let asked = step
        .requires_outputs
        .iter()
        .map(|output| (output.step, output.name.as_str()));
    asked.eq(result
        .required
        .iter()
        .map(|output| (output.step, output.name.as_str())))
}

/// Recomputes a required output by the checks of the step that declares it.
fn required(contract: &Contract, result: &OutputResult) -> Met {
    let source = contract.step(result.step);
    let output = source.and_then(|step| {
        step.outputs
            .iter()
            .find(|output| output.name == result.name)
    });
    output.map_or(Met::Failed, |output| checks(&output.verify, &result.checks))
}

/// Recomputes a declared output.
fn declared(step: u64, output: &Output, result: &OutputResult) -> Met {
    if result.step == step && result.name == output.name {
        checks(&output.verify, &result.checks)
    } else {
        Met::Failed
    }
}

/// Recomputes a list of checks.
fn checks(checks: &[Check], results: &[CheckResult]) -> Met {
    paired(checks, results, Check::judge)
}

/// Judges two lists one to one; lists of different length do not match.
fn paired<A, B>(asked: &[A], given: &[B], judge: impl Fn(&A, &B) -> Met) -> Met {
    if asked.len() != given.len() {
        return Met::Failed;
    }
    worst(
        asked
            .iter()
            .zip(given)
            .map(|(asked, given)| judge(asked, given)),
    )
}

/// Returns the worst of all.
fn worst(all: impl IntoIterator<Item = Met>) -> Met {
    all.into_iter().max().unwrap_or(Met::Passed)
}

#[cfg(test)]
mod tests;
