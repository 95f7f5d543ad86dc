//! What became of the steps of a contract, as the audits that were counted have it.

use crate::engine::judge::Judge;
use crate::engine::run::history::History;
use crate::engine::stop::Stop;
use crate::model::check::{Check, CheckResult, Met};
use crate::model::contract::{Contract, Step};
use crate::model::ids::RecordId;
use crate::model::outcome::{AuditedCheck, AuditedOutput, AuditedStep, Evidence, ReviewedStep};
use crate::model::place::Lies;
use crate::model::recompute;
use crate::model::record::{OutputResult, StepResult};
use crate::model::text::shown;

/// Tells of every step of a contract, with its failed attempts where a seal stands.
pub(super) fn all(
    judge: &Judge<'_>,
    contract: &Contract,
    (seal, counted): (Option<RecordId>, &[Evidence]),
) -> Result<Vec<ReviewedStep>, Stop> {
    let history = seal.map(|seal| History::read(judge, seal, &[]));
    let history = history.transpose()?;
    let audits = counted.iter();
    let audits = audits.filter_map(|evidence| judge.results(evidence).transpose());
    let audits: Vec<Vec<StepResult>> = audits.collect::<Result<_, _>>()?;
    let told = contract.steps.iter().map(|step| {
        let own = audits.iter().flatten().filter(|each| each.id == step.id);
        let results: Vec<AuditedStep> = own.map(|each| audited(contract, step, each)).collect();
        ReviewedStep {
            id: step.id,
            title: step.title.clone(),
            covers: step.covers.clone(),
            checks: labels(step),
            failed: history.as_ref().map(|history| history.failed(step.id)),
            met: results.iter().map(|each| each.met).max(),
            results,
        }
    });
    Ok(told.collect())
}

/// Lists the checks of a step and of its outputs, each as one line.
fn labels(step: &Step) -> Vec<String> {
    let outputs = step.outputs.iter().flat_map(|output| &output.verify);
    let checks = step.verify.iter().chain(outputs);
    checks.map(|check| shown(&check.label())).collect()
}

/// Pairs the results of a step with the words of its contract.
fn audited(contract: &Contract, step: &Step, result: &StepResult) -> AuditedStep {
    let output = |result: &OutputResult| AuditedOutput {
        step: result.step,
        name: result.name.clone(),
        checks: paired(declared(contract, result), &result.checks),
    };
    AuditedStep {
        id: step.id,
        title: step.title.clone(),
        met: recompute::step(contract, step, result),
        required: result.required.iter().map(output).collect(),
        checks: paired(&step.verify, &result.checks),
        outputs: result.outputs.iter().map(output).collect(),
    }
}

/// Returns the checks of the output that a result is of.
fn declared<'a>(contract: &'a Contract, result: &OutputResult) -> &'a [Check] {
    let source = contract.step(result.step);
    let mut outputs = source.into_iter().flat_map(|step| &step.outputs);
    let found = outputs.find(|output| output.name == result.name);
    found.map_or(&[], |output| &output.verify)
}

/// Pairs results with checks, one to one; a result of no check is a failure.
fn paired(checks: &[Check], results: &[CheckResult]) -> Vec<AuditedCheck> {
    let pair = |(place, result): (usize, &CheckResult)| {
        let check = checks.get(place);
        AuditedCheck {
            label: check.map_or_else(
                || format!("check {}", place + 1),
                |check| shown(&check.label()),
            ),
            met: check.map_or(Met::Failed, |check| check.judge(result)),
            result: result.clone(),
            tail: String::new(),
            withheld: Vec::new(),
            lies: Lies::default(),
        }
    };
    results.iter().enumerate().map(pair).collect()
}
