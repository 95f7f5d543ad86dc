//! `export`: the judgement that `verify` makes of a commit, with the results it rests on.
//!
//! Nothing is judged a second time: the verdicts are the judge's, and the results are those of the
//! audits that it counted.

use super::bound::{BoundPlan, in_tree};
use super::judge::{Judge, resolved};
use super::stop::Stop;
use super::world::World;
use crate::model::check::{Check, CheckResult, describe};
use crate::model::contract::{Contract, Step};
use crate::model::export::{Exported, ExportedCheck, ExportedPlan};
use crate::model::finding::{Finding, export as rows};
use crate::model::ids::PlanName;
use crate::model::outcome::{Evidence, JudgedPlan};
use crate::model::record::{OutputResult, StepResult};
use crate::model::time::Timestamp;
use crate::model::verdict::Verdict;
use crate::wire::digest::sha256;

/// Judges a commit and gathers what the judgement rests on.
pub(crate) fn exported(
    world: &World<'_>,
    revision: &str,
    only: Option<&PlanName>,
    now: Timestamp,
) -> Result<Exported, Stop> {
    let commit = resolved(world, revision)?;
    let judge = Judge::of_commit(world, &commit, None)?;
    let (judged, findings) = judge.commit(&commit, only)?;
    let files = in_tree(world.objects, &commit.tree)?;
    let plans = judged.plans.iter().map(|plan| {
        let file = files.iter().find(|file| file.name == plan.name);
        rests_on(&judge, plan, file)
    });
    Ok(Exported {
        plans: plans.collect::<Result<_, _>>()?,
        judged,
        findings,
        now,
    })
}

/// Refuses to make a statement of a commit on which no plan binds: nothing was tested.
pub(crate) fn demand_bound(exported: &Exported) -> Result<(), Stop> {
    if exported.judged.verdict != Verdict::NoPlan {
        return Ok(());
    }
    let commit = exported.judged.commit.short();
    let message = format!("no plan binds commit {commit}: there is nothing to state");
    Err(Stop::refuse(
        Finding::new(&rows::NOTHING_TO_STATE, message)
            .hint(format!("git plan-audit verify {commit}")),
    ))
}

/// Gathers what the judgement of a plan rests on.
fn rests_on(
    judge: &Judge<'_>,
    plan: &JudgedPlan,
    file: Option<&BoundPlan>,
) -> Result<ExportedPlan, Stop> {
    let sealable = file.and_then(|file| file.contract.as_ref());
    let records = plan.seal.iter().chain(&plan.audits);
    Ok(ExportedPlan {
        contract: sealable.map(|sealable| sha256(&sealable.bytes)),
        records: records.map(|evidence| evidence.record).collect(),
        checks: match sealable {
            Some(sealable) => checks(&sealable.contract, &results(judge, plan)?),
            None => Vec::new(),
        },
    })
}

/// Returns the results of the audit that decides: one that is no PASS, where there is one.
fn results(judge: &Judge<'_>, plan: &JudgedPlan) -> Result<Vec<StepResult>, Stop> {
    let verdict = |evidence: &&Evidence| evidence.audit.as_ref().map(|audit| audit.verdict);
    let deciding = plan.audits.iter().max_by_key(verdict);
    let results = deciding
        .map(|evidence| judge.results(evidence))
        .transpose()?;
    Ok(results.flatten().unwrap_or_default())
}

/// Pairs every check of a contract with its result.
fn checks(contract: &Contract, results: &[StepResult]) -> Vec<ExportedCheck> {
    let of_step = |step: &Step| {
        let result = results.iter().find(|result| result.id == step.id);
        let needed = step
            .requires_outputs
            .iter()
            .enumerate()
            .flat_map(|(at, needed)| {
                let source = contract.step(needed.step);
                let mut outputs = source.into_iter().flat_map(|source| &source.outputs);
                let output = outputs.find(|output| output.name == needed.name);
                let place = format!("needs {}/{}", needed.step, needed.name);
                let found = result.and_then(|result| result.required.get(at));
                paired(
                    step,
                    &place,
                    output.map_or(&[], |output| &output.verify),
                    of(found),
                )
            });
        let own = paired(
            step,
            "",
            &step.verify,
            result.map(|result| result.checks.as_slice()),
        );
        let made = step.outputs.iter().enumerate().flat_map(|(at, output)| {
            let found = result.and_then(|result| result.outputs.get(at));
            let place = format!("makes {}", output.name);
            paired(step, &place, &output.verify, of(found))
        });
        needed.chain(own).chain(made).collect::<Vec<_>>()
    };
    contract.steps.iter().flat_map(of_step).collect()
}

/// Returns the results of an output.
fn of(output: Option<&OutputResult>) -> Option<&[CheckResult]> {
    output.map(|output| output.checks.as_slice())
}

/// Pairs checks with results, one to one.
fn paired(
    step: &Step,
    place: &str,
    checks: &[Check],
    results: Option<&[CheckResult]>,
) -> Vec<ExportedCheck> {
    let one = |(at, check): (usize, &Check)| {
        let result = results.and_then(|results| results.get(at));
        let number = at + 1;
        let place = if place.is_empty() {
            String::new()
        } else {
            format!(" {place}")
        };
        ExportedCheck {
            step: step.id,
            title: step.title.clone(),
            name: format!("{}{place}/{number} {}", step.id, check.label()),
            met: result.map(|result| check.judge(result)),
            ended: result.map_or_else(|| "no audit that counts tells".to_owned(), describe),
            duration_ms: result.map_or(0, |result| result.duration_ms),
        }
    };
    checks.iter().enumerate().map(one).collect()
}
