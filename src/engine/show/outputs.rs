//! What the checks of a record wrote, as far as this clone has kept it.

use crate::engine::judge;
use crate::engine::log::Reader;
use crate::engine::ports::Outputs;
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::model::check::{Check, CheckResult};
use crate::model::contract::{Contract, Step};
use crate::model::ids::Digest;
use crate::model::outcome::ShownOutput;
use crate::model::record::{Kind, OutputResult, Record, RunEnd, StepResult};
use crate::model::text::{marked, shown};
use crate::wire::body;

/// Lists what the checks of a record wrote; nothing for a record that is no audit or run.
pub(super) fn of(
    world: &World<'_>,
    reader: &Reader<'_>,
    record: &Record,
    kept: Option<&dyn Outputs>,
) -> Result<Vec<ShownOutput>, Stop> {
    let Some((digest, steps)) = results(world, record)? else {
        return Ok(Vec::new());
    };
    let contract = reader.contract(&digest)?;
    let wrote = steps.iter().flat_map(|result| {
        let labelled = labelled(contract.as_deref(), result);
        labelled.filter_map(|(label, check)| output(result.id, label, check, kept))
    });
    Ok(wrote.collect())
}

/// Reads the results of a record and the digest of its contract.
fn results(world: &World<'_>, record: &Record) -> Result<Option<(Digest, Vec<StepResult>)>, Stop> {
    let (contract, inline, kept) = match Kind::parse(&record.header.kind) {
        Some(Kind::Audit) => match body::read_audit(&record.body) {
            Ok(audit) => (audit.contract, audit.steps, audit.kept),
            Err(_) => return Ok(None),
        },
        Some(Kind::Run) => match body::read_run(&record.body).map(|run| (run.contract, run.end)) {
            Ok((contract, RunEnd::Told(told))) => (contract, told.steps, told.kept),
            Ok((_, RunEnd::Killed(_))) | Err(_) => return Ok(None),
        },
        Some(_) | None => return Ok(None),
    };
    let steps = judge::steps(world.objects, &inline, kept.as_ref())?;
    Ok(Some((contract, steps)))
}

/// Pairs every result of a step with the words of its check, where the contract has them.
fn labelled<'a>(
    contract: Option<&'a Contract>,
    result: &'a StepResult,
) -> impl Iterator<Item = (String, &'a CheckResult)> {
    let step = contract.and_then(|contract| contract.step(result.id));
    let own = named(step.map_or(&[][..], |step| &step.verify), &result.checks);
    let outputs = result.required.iter().chain(&result.outputs);
    let of_outputs = outputs.flat_map(move |output| {
        let source = contract.and_then(|contract| contract.step(output.step));
        named(checks_of(source, output), &output.checks)
    });
    own.chain(of_outputs)
}

/// Returns the checks of an output of a step.
fn checks_of<'a>(source: Option<&'a Step>, output: &OutputResult) -> &'a [Check] {
    let declared = source.into_iter().flat_map(|step| &step.outputs);
    let mut declared = declared.filter(|declared| declared.name == output.name);
    declared.next().map_or(&[], |declared| &declared.verify)
}

/// Pairs results with the words of checks, one to one.
fn named<'a>(
    checks: &'a [Check],
    results: &'a [CheckResult],
) -> impl Iterator<Item = (String, &'a CheckResult)> {
    results.iter().enumerate().map(|(place, result)| {
        let label = checks.get(place).map(|check| shown(&check.label()));
        (
            label.unwrap_or_else(|| format!("check {}", place + 1)),
            result,
        )
    })
}

/// Finds what one check wrote; none where it wrote nothing.
fn output(
    step: u64,
    label: String,
    check: &CheckResult,
    kept: Option<&dyn Outputs>,
) -> Option<ShownOutput> {
    let captured = check.output.clone().filter(|output| output.bytes > 0)?;
    let found = kept.and_then(|kept| kept.find(&captured));
    let is_whole = found.as_ref().is_some_and(|found| found.is_whole);
    Some(ShownOutput {
        step,
        label,
        captured,
        text: found.map(|found| marked(&String::from_utf8_lossy(&found.bytes))),
        is_whole,
    })
}
