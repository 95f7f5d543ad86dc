//! `validate`: reads plan files and reports every defect. Needs no ledger and no key.

use super::bound::{BoundPlan, on_disk};
use super::ports::Workspace;
use super::seal;
use super::select::{all_or, nothing};
use super::stop::Stop;
use crate::model::contract::Contract;
use crate::model::finding::{Effect, Finding, Severity};
use crate::model::ids::PlanName;
use crate::model::outcome::{Details, Outcome, ReadPlan, Word};

/// Reads the plan files on disk.
pub(crate) fn validate(
    workspace: &dyn Workspace,
    only: Option<&PlanName>,
) -> Result<Outcome, Stop> {
    let plans = all_or(on_disk(workspace)?, only)?;
    if plans.is_empty() {
        return Err(nothing());
    }
    let mut findings = Vec::new();
    for plan in &plans {
        findings.extend(plan.findings.iter().cloned());
        findings.extend(seal::notes(workspace, plan)?);
    }
    let word = if plans.iter().all(|plan| plan.contract.is_some()) {
        Word::Ok
    } else {
        Word::Refused
    };
    let read = plans.iter().map(read_plan).collect();
    Ok(Outcome::new(word, findings, Details::Validate(read)))
}

/// Tells what a plan file holds.
pub(crate) fn read_plan(plan: &BoundPlan) -> ReadPlan {
    let contract = plan.contract.as_ref();
    ReadPlan {
        name: plan.name.clone(),
        path: plan.path.clone(),
        source: String::from_utf8_lossy(&plan.bytes).into_owned(),
        contract: contract.map(|sealable| sealable.digest),
        steps: contract.map_or(0, |sealable| sealable.contract.steps.len()),
        checks: contract.map_or(0, |sealable| count_checks(&sealable.contract)),
    }
}

/// Counts the checks of a contract, those of outputs included.
fn count_checks(contract: &Contract) -> usize {
    let of_outputs = |step: &crate::model::contract::Step| {
        step.outputs
            .iter()
            .map(|output| output.verify.len())
            .sum::<usize>()
    };
    contract
        .steps
        .iter()
        .map(|step| step.verify.len() + of_outputs(step))
        .sum()
}

/// Refuses plans of which one is not valid.
pub(crate) fn demand_valid(plans: &[BoundPlan]) -> Result<(), Stop> {
    if plans.iter().all(|plan| plan.contract.is_some()) {
        return Ok(());
    }
    let errors = plans.iter().flat_map(|plan| plan.findings.clone());
    let is_error = |finding: &Finding| {
        finding.row.severity == Severity::Error || finding.row.effect == Effect::Refused
    };
    Err(Stop::Refused(errors.filter(is_error).collect()))
}
