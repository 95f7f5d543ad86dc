//! What `audit` found, for people.

use std::fmt::Write as _;

use super::{findings, verdict};
use crate::model::check::{Met, describe};
use crate::model::finding::{Effect, Finding, Row, auditing as rows};
use crate::model::outcome::{Audited, AuditedCheck, AuditedPlan, AuditedStep, Outcome, Word};
use crate::model::record::AuditPlace;
use crate::model::text::counted;
use crate::model::verdict::Verdict;

/// Findings that the lines of the steps say already, but for a hint.
const SHOWN_WITH_STEPS: [&str; 2] = ["check-failed", "check-not-run"];

/// How many steps a plan may have for those that passed to be listed, and not only counted.
const STEPS_SHOWN: usize = 20;

/// Writes an audit: plans and steps, findings, and the verdict in the last lines.
pub(super) fn render(audited: &Audited, outcome: &Outcome) -> String {
    let mut text: String = audited.plans.iter().map(plan).collect();
    text.push_str(&findings(&untold(&outcome.findings)));
    for each in &audited.plans {
        if let Some(record) = each.record {
            let _ = writeln!(text, "recorded {} as {}", each.name, record.short());
        }
    }
    let tree = audited.tree.short();
    let word = verdict(outcome.word.as_str());
    let place = place(audited.place);
    let remark = remark(audited, outcome);
    // A last line that begins with PASS would be taken for the proof that it denies.
    let word = if remark == UNPROVEN {
        "no proof".to_owned()
    } else {
        word
    };
    let _ = writeln!(text, "{word} for tree {tree}{place}{remark}");
    text
}

/// Returns the findings that the lines of the steps do not say already.
pub(super) fn untold(all: &[Finding]) -> Vec<Finding> {
    let untold = all
        .iter()
        .filter(|finding| finding.hint.is_some() || !SHOWN_WITH_STEPS.contains(&finding.row.code));
    untold.cloned().collect()
}

/// Says where the checks ran, where that is not the usual place.
const fn place(place: AuditPlace) -> &'static str {
    match place {
        AuditPlace::Worktree => "",
        AuditPlace::Checkout => " in a private checkout",
    }
}

/// What is said where the checks passed and their record can prove no commit.
const UNPROVEN: &str =
    ": the checks passed, and no commit is proven by it; the findings above say why";

/// Says what the verdict is worth for a commit.
fn remark(audited: &Audited, outcome: &Outcome) -> &'static str {
    let has = |row: &Row| outcome.findings.iter().any(|finding| finding.row == row);
    let spoils = |finding: &Finding| finding.row.effect == Effect::DoesNotCount;
    let is_passed = audited
        .plans
        .iter()
        .all(|plan| plan.verdict == Verdict::Pass);
    let is_usable = audited.plans.iter().all(|plan| plan.usable);
    if audited.plans.is_empty() || !is_passed {
        ""
    } else if outcome.word == Word::Fail {
        ": the checks passed, and no commit is proven by that; the findings above say why"
    } else if audited.plans.iter().any(|plan| plan.record.is_none()) {
        ": nothing was recorded, so nothing is proven"
    } else if outcome.findings.iter().any(spoils) {
        UNPROVEN
    } else if outcome.word == Word::Unknown {
        ": the findings above say why"
    } else if !is_usable {
        ": it proves a commit of what is on disk, not of what is staged (git add -u)"
    } else if has(&rows::OTHERS) {
        ": it was audited in part; a commit of this tree needs the other plans too"
    } else if has(&rows::HEAD) {
        ": it proves a commit of this tree to those who have the history, which is not all here"
    } else if has(&rows::HEAD_UNPROVEN) {
        ": a later commit of this tree is proven; HEAD, which has it, is not"
    } else {
        ": a commit of this tree is proven"
    }
}

/// Writes one plan.
fn plan(plan: &AuditedPlan) -> String {
    let word = verdict(plan.verdict.as_str());
    let mut text = format!(
        "plan {}: {word} (contract {})\n",
        plan.name,
        plan.contract.short()
    );
    let is_passed = |step: &&AuditedStep| step.met == Met::Passed;
    if plan.steps.len() <= STEPS_SHOWN {
        text.extend(plan.steps.iter().map(step));
        return text;
    }
    let passed = plan.steps.iter().filter(is_passed).count();
    let _ = writeln!(text, "  {} passed", counted(passed, "step"));
    text.extend(plan.steps.iter().filter(|each| !is_passed(each)).map(step));
    text
}

/// Writes one step; what is not as expected is shown in full.
pub(crate) fn step(step: &AuditedStep) -> String {
    step_as(step, step.met.word())
}

/// Writes one step with the word for how it ended.
pub(super) fn step_as(step: &AuditedStep, word: &str) -> String {
    let title = crate::model::text::shown(&step.title);
    let mut text = format!("  step {} {title}: {}\n", step.id, verdict(word));
    let told = |check: &&AuditedCheck| check.met != Met::Passed || !check.tail.is_empty();
    for check in step.all_checks().filter(told) {
        text.push_str(&described(check));
    }
    text
}

/// Writes a check, with what is shown of its output.
fn described(check: &AuditedCheck) -> String {
    let mut text = format!("    {}: {}\n", check.label, describe(&check.result));
    for line in check.tail.lines() {
        let _ = writeln!(text, "    {}", line.trim_start());
    }
    text
}
