//! `claims lint`: what the prose of a plan says about paths and no claim covers. A hint, no verdict.

use std::collections::BTreeSet;

use crate::engine::bound::on_disk;
use crate::engine::ports::Workspace;
use crate::engine::select::{all_or, nothing};
use crate::engine::stop::Stop;
use crate::engine::validate::demand_valid;
use crate::model::claim::Claim;
use crate::model::claim::derived;
use crate::model::contract::Contract;
use crate::model::finding::{Finding, claims as rows};
use crate::model::ids::PlanName;
use crate::model::outcome::{Details, LintedPlan, LintedStep, Outcome, Word};
use crate::model::pattern::PathPatterns;
use crate::model::prose::paths_in;

/// Lists the words of plans that look like paths and that no claim speaks of.
pub(crate) fn lint(workspace: &dyn Workspace, only: Option<&PlanName>) -> Result<Outcome, Stop> {
    let plans = all_or(on_disk(workspace)?, only)?;
    if plans.is_empty() {
        return Err(nothing());
    }
    demand_valid(&plans)?;
    let (mut linted, mut findings) = (Vec::new(), Vec::new());
    for plan in &plans {
        let Some(sealable) = &plan.contract else {
            continue;
        };
        let one = of_plan(&plan.name, &sealable.contract);
        findings.extend(one.steps.iter().flat_map(|step| found(&plan.name, step)));
        linted.push(one);
    }
    Ok(Outcome::new(Word::Ok, findings, Details::Lint(linted)))
}

/// Looks over one plan.
fn of_plan(name: &PlanName, contract: &Contract) -> LintedPlan {
    let claims = derived::all(contract);
    let texts = contract.requirements.iter().map(|one| &one.description);
    let whole: Vec<&str> = std::iter::once(&contract.task)
        .chain(texts)
        .map(String::as_str)
        .collect();
    let mut steps = vec![covered(None, &whole, &claims)];
    for step in &contract.steps {
        steps.push(covered(Some(step.id), &[&step.title], &claims));
    }
    LintedPlan {
        name: name.clone(),
        claims: claims.len(),
        steps,
    }
}

/// Sorts the words of texts that look like paths by whether a claim speaks of them.
fn covered(step: Option<u64>, texts: &[&str], claims: &[Claim]) -> LintedStep {
    let words: BTreeSet<&str> = texts.iter().flat_map(|text| paths_in(text)).collect();
    let uncovered = words
        .iter()
        .filter(|word| !claims.iter().any(|claim| speaks_of(claim, word)))
        .map(|word| (*word).to_owned())
        .collect();
    LintedStep {
        step,
        words: words.len(),
        uncovered,
    }
}

/// Says whether a claim speaks of a path.
fn speaks_of(claim: &Claim, path: &str) -> bool {
    let statement = &claim.statement;
    let is_named = ["path", "schema"]
        .iter()
        .any(|field| statement.optional(field) == Some(path));
    let globs = statement.texts("paths");
    is_named || PathPatterns::new(globs).is_ok_and(|patterns| patterns.matches(path.as_bytes()))
}

/// Says what no claim speaks of.
fn found(plan: &PlanName, step: &LintedStep) -> Vec<Finding> {
    let each = step.uncovered.iter().map(|word| {
        let message = format!("no claim speaks of {word}");
        let finding = Finding::new(&rows::UNCOVERED, message).of_plan(plan);
        match step.step {
            Some(step) => finding.of_step(step),
            None => finding,
        }
    });
    each.collect()
}
