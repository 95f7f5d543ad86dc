//! The steps of a plan, with what became of their checks.

use maud::{Markup, html};

use super::parts::{code, foreign, mark, of_met, table};
use crate::model::check::{Met, describe, lasted};
use crate::model::outcome::{AuditedCheck, AuditedStep, ReviewedStep, SignedAudit};
use crate::model::text::shown;

/// Writes one step: its checks, once for each audit that was counted.
pub(super) fn step(step: &ReviewedStep, audits: &[SignedAudit]) -> Markup {
    html! {
        p {
            (mark(of_met(step.met))) " step " (step.id) ", " (foreign(&step.title))
            @if let Some(failed) = step.attempts() { " (" (failed) ")" }
        }
        @if step.results.is_empty() { (unproven(step)) }
        @for (place, result) in step.results.iter().enumerate() {
            (checks(step, result, audits.get(place).filter(|_| audits.len() > 1)))
        }
    }
}

/// Lists the checks that would prove a step.
fn unproven(step: &ReviewedStep) -> Markup {
    html! {
        p.soft { "What would prove it:" }
        ul { @for each in &step.checks { li { (code(each)) } } }
    }
}

/// Writes the checks of a step as one audit has them.
fn checks(step: &ReviewedStep, result: &AuditedStep, audit: Option<&SignedAudit>) -> Markup {
    let of = audit.map_or_else(String::new, |audit| {
        format!(", audit {}", audit.signed.evidence.record.short())
    });
    let caption = format!("Checks of step {}{of}", step.id);
    let required = result.required.iter().map(|output| {
        let what = format!("needs {} of step {}", output.name, output.step);
        (what, output.checks.as_slice())
    });
    let own = [(String::new(), result.checks.as_slice())];
    let outputs = result
        .outputs
        .iter()
        .map(|output| (format!("makes {}", output.name), output.checks.as_slice()));
    let rows = html! {
        colgroup { col.result; col.check; col; col.time; }
        thead {
            tr {
                th scope="col" { "Result" } th scope="col" { "Check" } th scope="col" { "How it ended" }
                th.number scope="col" { "Time" }
            }
        }
        tbody {
            @for (what, checks) in required.chain(own).chain(outputs) {
                @for each in checks { (check(each, &what)) }
            }
        }
    };
    table(&shown(&caption), &rows)
}

/// Writes one check.
fn check(check: &AuditedCheck, what: &str) -> Markup {
    let result = &check.result;
    let has_more =
        result.program.is_some() || result.output.is_some() || !result.variables.is_empty();
    html! {
        tr {
            td.word-cell { (mark(of_met(Some(check.met)))) }
            th scope="row" {
                code { bdi { (check.label) } }
                @if !what.is_empty() { p.hint { (foreign(what)) } }
                @if has_more { (more(check)) }
            }
            td {
                (foreign(&describe(result)))
                @if result.leaked { p.hint { "A child that it left behind was ended." } }
            }
            td.number { (lasted(result.duration_ms)) }
        }
    }
}

/// Writes what is recorded beside the result; in full view where it is not as expected.
fn more(check: &AuditedCheck) -> Markup {
    let result = &check.result;
    html! {
        details open[check.met != Met::Passed] {
            summary { "As recorded" }
            dl {
                @if let Some(program) = &result.program {
                    dt { "Program" } dd { (code(&program.path)) br; code { "sha256:" (program.sha256) } }
                }
                @if let Some(output) = &result.output {
                    dt { "Output" } dd { (output.bytes) " bytes, " code { "sha256:" (output.sha256) } }
                }
                @if !result.variables.is_empty() {
                    dt { "Variables" } dd { (code(&result.variables.join(", "))) }
                }
            }
        }
    }
}
