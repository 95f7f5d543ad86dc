//! What `run` did, for people.

use std::fmt::Write as _;

use super::{audit, findings, verdict};
use crate::model::outcome::{Outcome, RanStep, RanSteps, Word};

/// Writes a run: its steps, findings, and what it came to in the last lines.
pub(super) fn render(ran: &RanSteps, outcome: &Outcome) -> String {
    let mut text = format!("plan {} (contract {})\n", ran.plan, ran.contract.short());
    for each in &ran.steps {
        text.push_str(&step(each, ran.max_attempts));
    }
    text.push_str(&findings(&audit::untold(&outcome.findings)));
    if let Some(record) = ran.record {
        let _ = writeln!(text, "recorded as {}", record.short());
    }
    if !ran.left.is_empty() {
        let left: Vec<String> = ran.left.iter().map(ToString::to_string).collect();
        let _ = writeln!(text, "not reached: {}", left.join(", "));
    }
    let word = verdict(outcome.word.as_str());
    let _ = writeln!(text, "{word}: {}", remark(ran, outcome));
    text
}

/// Writes one step, and how often it failed.
fn step(ran: &RanStep, most: Option<u64>) -> String {
    let mut text = audit::step_as(&ran.step, ran.end.as_str());
    if ran.end.is_failed_attempt() {
        let most = most.map_or_else(String::new, |most| format!(" of {most}"));
        let _ = writeln!(text, "    failed attempts: {}{most}", ran.failed);
    }
    text
}

/// Says what the word means, and that nothing is proven by it.
fn remark(ran: &RanSteps, outcome: &Outcome) -> String {
    if outcome.word == Word::Unknown {
        return "not recorded".to_owned();
    }
    if ran.steps.is_empty() && ran.left.is_empty() {
        return "every step has passed for what is on disk; nothing was run".to_owned();
    }
    let passed = ran
        .steps
        .iter()
        .filter(|each| each.end == crate::model::outcome::StepEnd::Passed);
    format!(
        "{} of {} steps passed; only an audit proves a commit",
        passed.count(),
        ran.steps.len() + ran.left.len()
    )
}
