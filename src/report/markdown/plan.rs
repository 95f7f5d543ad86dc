//! What one plan of a commit rests on, as Markdown.

use std::fmt::Write as _;

use super::escape::{Where, code, prose};
use super::{Detail, word};
use crate::model::change::Change;
use crate::model::check::{Met, describe, lasted};
use crate::model::contract::Requirement;
use crate::model::outcome::{AuditedStep, Pinned, ReviewedPlan, ReviewedStep, Signed};

/// Writes one plan.
pub(super) fn section(plan: &ReviewedPlan, detail: Detail) -> String {
    let judged = &plan.judged;
    let mut text = format!("\n#### {} plan `{}`\n", word(judged.word()), judged.name);
    if let Some(task) = &plan.task {
        let lines: Vec<String> = task.trim().lines().map(prose).collect();
        let _ = write!(text, "\n> {}\n", lines.join("\n> "));
    }
    text.push_str(&requirements(plan));
    text.push_str(&changes(plan));
    text.extend(plan.pins.as_ref().map(pinned));
    if !plan.scope.is_empty() {
        let _ = write!(
            text,
            "\nScope: {}.\n",
            code(&plan.scope.join(", "), Where::Line)
        );
    }
    if detail == Detail::Whole {
        text.push_str(&folded("Checks", &checks(plan)));
        text.push_str(&folded("Who recorded it", &records(plan)));
    }
    text
}

/// Folds a table away; nothing where it has no rows.
fn folded(summary: &str, table: &str) -> String {
    if table.is_empty() {
        return String::new();
    }
    format!("\n<details><summary>{summary}</summary>\n\n{table}\n</details>\n")
}

/// Writes what was asked for, each with the steps that answer it.
fn requirements(plan: &ReviewedPlan) -> String {
    let mut rows = String::new();
    for each in &plan.requirements {
        let steps: Vec<&ReviewedStep> = plan.covering(each).collect();
        if steps.is_empty() {
            let _ = writeln!(rows, "| {} | no step covers it | ➖ |", asked(each));
        }
        for step in steps {
            let _ = writeln!(rows, "| {} | {} |", asked(each), answer(step));
        }
    }
    for step in plan.beside() {
        let _ = writeln!(rows, "| | {} |", answer(step));
    }
    if rows.is_empty() {
        return rows;
    }
    format!("\n| What was asked for | Step | Result |\n|---|---|---|\n{rows}")
}

/// Writes what was asked for.
fn asked(requirement: &Requirement) -> String {
    let (id, text) = (prose(&requirement.id), prose(&requirement.description));
    format!("**{id}** ({}) {text}", requirement.priority.as_str())
}

/// Writes a step and its result, as two cells.
fn answer(step: &ReviewedStep) -> String {
    let failed = step.attempts();
    let failed = failed.map_or_else(String::new, |failed| format!(", {failed}"));
    let result = word(step.met.map_or("not audited", Met::word));
    format!("{} {} | {result}{failed}", step.id, prose(&step.title))
}

/// Writes what changed in the contract over its lineage, and in the files that it freezes.
fn changes(plan: &ReviewedPlan) -> String {
    let seals = plan.seals.iter().flat_map(|seal| &seal.changes);
    let drift = plan.pins.iter().flat_map(|pins| &pins.drift);
    let all = seals.chain(&plan.changes).flat_map(|each| &each.changes);
    let rows: String = all.chain(drift).map(change).collect();
    if rows.is_empty() {
        return rows;
    }
    format!("\n| What changed | Where | Before | After |\n|---|---|---|---|\n{rows}")
}

/// Writes one difference.
fn change(change: &Change) -> String {
    let side = |text: &Option<String>| {
        let text = text.as_deref().map(|text| code(text, Where::Cell));
        text.unwrap_or_default()
    };
    format!(
        "| {} | {} | {} | {} |\n",
        word(change.class.as_str()),
        prose(&change.member),
        side(&change.before),
        side(&change.after)
    )
}

/// Tells of the files that are frozen.
fn pinned(pins: &Pinned) -> String {
    let files = pins.frozen();
    let files = files.map_or_else(String::new, |files| format!(" ({files})"));
    let patterns = code(&pins.patterns.join(", "), Where::Line);
    format!("\nPins: {patterns}{files}.\n")
}

/// Writes the checks of every step.
fn checks(plan: &ReviewedPlan) -> String {
    let mut rows = String::new();
    for step in &plan.steps {
        for check in step.results.iter().flat_map(AuditedStep::all_checks) {
            let _ = writeln!(
                rows,
                "| {} | {} | {} | {} | {} |",
                step.id,
                code(&check.label, Where::Cell),
                word(check.met.word()),
                prose(&describe(&check.result)),
                lasted(check.result.duration_ms)
            );
        }
        for check in step.checks.iter().filter(|_| step.results.is_empty()) {
            let label = code(check, Where::Cell);
            let _ = writeln!(rows, "| {} | {label} | ➖ not audited | | |", step.id);
        }
    }
    if rows.is_empty() {
        return rows;
    }
    format!("| Step | Check | Result | How it ended | Time |\n|---|---|---|---|---|\n{rows}")
}

/// Writes who recorded what.
fn records(plan: &ReviewedPlan) -> String {
    let mut rows = String::new();
    for seal in &plan.seals {
        let mut says = format!("generation {}", seal.generation);
        if let Some(reason) = &seal.reason {
            let _ = write!(says, ", {}", prose(reason));
        }
        rows.push_str(&record("sealed", &seal.signed, &says));
    }
    for audit in &plan.audits {
        let facts = audit.signed.evidence.audit.iter();
        let says = facts.map(|facts| {
            let platform = prose(&facts.platform);
            format!(
                "{} in a {}, {platform}",
                word(facts.verdict.as_str()),
                facts.place
            )
        });
        rows.push_str(&record("audited", &audit.signed, &says.collect::<String>()));
    }
    for claims in &plan.claims {
        let commit = claims.commit.short();
        let says = format!("{} at commit `{commit}`", claims.gate.as_str());
        rows.push_str(&record("claims tested", &claims.signed, &says));
    }
    if rows.is_empty() {
        return rows;
    }
    format!("| What | Who | What it says |\n|---|---|---|\n{rows}")
}

/// Writes one record as a row.
fn record(what: &str, signed: &Signed, says: &str) -> String {
    format!("| {what} | {} | {says} |\n", who(signed))
}

/// Writes who recorded something, with which key, when, and in which role.
pub(super) fn who(signed: &Signed) -> String {
    let evidence = &signed.evidence;
    let name = evidence.principals.as_deref().map(prose);
    format!(
        "{} `{}` {}, in the role of {} as `{}`",
        name.unwrap_or_default(),
        evidence.writer,
        evidence.time,
        signed.role(),
        evidence.record.short()
    )
}
