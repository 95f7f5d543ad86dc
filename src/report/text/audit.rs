//! What `audit` found, for people.

use std::fmt::Write as _;

use super::{findings, verdict};
use crate::model::check::{Met, describe};
use crate::model::outcome::{Audited, AuditedCheck, AuditedPlan, AuditedStep, Outcome, Word};
use crate::model::record::AuditPlace;
use crate::model::verdict::Verdict;

/// Findings that the lines of the steps say already, but for a hint.
const SHOWN_WITH_STEPS: [&str; 2] = ["check-failed", "check-not-run"];

/// Findings that keep an audit that passed from proving any commit.
const UNPROVEN: [&str; 4] = [
    "untracked-files",
    "state-flag",
    "key-unlisted",
    "not-counted",
];

/// Writes an audit: plans and steps, findings, and the verdict in the last lines.
pub(super) fn render(audited: &Audited, outcome: &Outcome) -> String {
    let mut text: String = audited.plans.iter().map(plan).collect();
    let told = outcome
        .findings
        .iter()
        .filter(|finding| finding.hint.is_some() || !SHOWN_WITH_STEPS.contains(&finding.row.code));
    text.push_str(&findings(&told.cloned().collect::<Vec<_>>()));
    for each in &audited.plans {
        if let Some(record) = each.record {
            let _ = writeln!(text, "recorded {} as {}", each.name, record.short());
        }
    }
    let tree = audited.tree.short();
    let word = verdict(outcome.word.as_str());
    let place = place(audited.place);
    let remark = remark(audited, outcome);
    let _ = writeln!(text, "{word} for tree {tree}{place}{remark}");
    text
}

/// Says where the checks ran, where that is not the usual place.
const fn place(place: AuditPlace) -> &'static str {
    match place {
        AuditPlace::Worktree => "",
        AuditPlace::Checkout => " in a private checkout",
    }
}

/// Says what the verdict is worth for a commit.
fn remark(audited: &Audited, outcome: &Outcome) -> &'static str {
    let has = |code: &str| {
        outcome
            .findings
            .iter()
            .any(|finding| finding.row.code == code)
    };
    let is_passed = audited
        .plans
        .iter()
        .all(|plan| plan.verdict == Verdict::Pass);
    if audited.plans.is_empty() || !is_passed || outcome.word == Word::Fail {
        ""
    } else if outcome.word == Word::Pass && audited.plans.iter().all(|plan| plan.usable) {
        ": a commit of this tree is proven"
    } else if audited.plans.iter().any(|plan| plan.record.is_none()) {
        ": nothing was recorded, so nothing is proven"
    } else if UNPROVEN.iter().any(|code| has(code)) {
        ": no commit is proven by it; the findings above say why"
    } else if outcome.word == Word::Unknown {
        ": the findings above say why"
    } else {
        ": it proves a commit of what is on disk, not of what is staged (git add -u)"
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
    for each in &plan.steps {
        text.push_str(&step(each));
    }
    text
}

/// Writes one step; what is not as expected is shown in full.
pub(crate) fn step(step: &AuditedStep) -> String {
    let title = crate::model::text::shown(&step.title);
    let mut text = format!("  step {} {title}: {}\n", step.id, verdict(word(step.met)));
    for check in step.all_checks().filter(|check| check.met != Met::Passed) {
        text.push_str(&failed(check));
    }
    text
}

/// Returns the word for whether something is met.
const fn word(met: Met) -> &'static str {
    match met {
        Met::Passed => "passed",
        Met::Unknown => "not run",
        Met::Failed => "failed",
    }
}

/// Writes a check that did not give its expected result, with the end of its output.
fn failed(check: &AuditedCheck) -> String {
    let mut text = format!("    {}: {}\n", check.label, describe(&check.result));
    for line in check.tail.lines() {
        let _ = writeln!(text, "    {}", line.trim_start());
    }
    text
}
