//! What one plan of a commit rests on.

use maud::{Markup, html};

use super::findings;
use super::parts::{changes, code, foreign, mark, of_verdict, prose, table, time, who};
use super::steps;
use crate::model::finding::Finding;
use crate::model::outcome::{
    Differing, Pinned, ReviewedPlan, Signed, SignedAudit, SignedClaims, SignedSeal,
};

/// Writes one plan, with the findings that are of it.
pub(super) fn section(plan: &ReviewedPlan, its: &[&Finding], commit: &str) -> Markup {
    let judged = &plan.judged;
    let id = format!("{commit}-plan-{}", judged.name);
    html! {
        section.plan aria-labelledby=(id) {
            h3 #(id) { (mark(of_verdict(judged.word()))) " Plan " (judged.name) }
            @if let Some(task) = &plan.task { p { (prose(task)) } }
            dl {
                @if let Some(contract) = &judged.contract {
                    dt { "Contract" } dd { code { (contract) } }
                }
                @if !plan.scope.is_empty() {
                    dt { "Scope" } dd { (code(&plan.scope.join(", "))) }
                }
                @if let Some(pins) = &plan.pins { dt { "Pins" } dd { (pinned(pins)) } }
                @if let Some(near) = &judged.near {
                    dt { "The last audit" } dd { "does not count: " (foreign(near)) }
                }
            }
            (findings(its))
            (requirements(plan))
            (differences(plan))
            (records(plan))
        }
    }
}

/// Tells of the files that are frozen.
fn pinned(pins: &Pinned) -> Markup {
    html! {
        (code(&pins.patterns.join(", ")))
        @if let Some(files) = pins.frozen() { " (" (files) ")" }
    }
}

/// Writes what was asked for, each with the steps that answer it.
fn requirements(plan: &ReviewedPlan) -> Markup {
    html! {
        @if !plan.requirements.is_empty() {
            h4 { "What was asked for" }
            @for each in &plan.requirements {
                h5 { (foreign(&each.id)) " (" (each.priority.as_str()) "): " (prose(&each.description)) }
                @if plan.covering(each).next().is_none() { p { "No step covers it." } }
                @for step in plan.covering(each) { (steps::step(step, &plan.audits)) }
            }
        }
        @if plan.beside().next().is_some() {
            h4 { "Beside what was asked for" }
            @for step in plan.beside() { (steps::step(step, &plan.audits)) }
        }
    }
}

/// Writes who recorded what of it.
fn records(plan: &ReviewedPlan) -> Markup {
    let rows = html! {
        thead {
            tr {
                th scope="col" { "What" } th scope="col" { "Who, with which key" } th scope="col" { "When" }
                th scope="col" { "Role" } th scope="col" { "What it says" }
            }
        }
        tbody {
            @for each in &plan.seals { (row("sealed", &each.signed, &seal(each))) }
            @for each in &plan.audits { (row("audited", &each.signed, &audit(each))) }
            @for each in &plan.claims { (row("claims tested", &each.signed, &claims(each))) }
        }
    };
    html! {
        @if !(plan.seals.is_empty() && plan.audits.is_empty() && plan.claims.is_empty()) {
            h4 { "Who recorded it" }
            (table("Seals, audits and tests of claims", &rows))
        }
    }
}

/// Writes one record.
fn row(what: &str, signed: &Signed, says: &Markup) -> Markup {
    let evidence = &signed.evidence;
    html! {
        tr {
            th scope="row" { (what) }
            td { (who(evidence)) }
            td { (time(evidence)) }
            td { (signed.role()) }
            td { (says) p.hint { "record " code { (evidence.record.short()) } } }
        }
    }
}

/// Tells what a seal is in its lineage.
fn seal(seal: &SignedSeal) -> Markup {
    html! {
        "generation " (seal.generation)
        @if let Some(branch) = &seal.branch { " on " (code(branch)) }
        @if let Some(reason) = &seal.reason { ": " (prose(reason)) }
    }
}

/// Tells where an audit ran, and with what.
fn audit(audit: &SignedAudit) -> Markup {
    let Some(facts) = &audit.signed.evidence.audit else {
        return html! {};
    };
    let place = if facts.place == "checkout" {
        "in a private checkout"
    } else {
        "in a work tree"
    };
    html! {
        (mark(of_verdict(facts.verdict.as_str()))) " " (place)
        details {
            summary { "Where it ran" }
            dl {
                dt { "Platform" } dd { (foreign(&facts.platform)) }
                dt { "Version" } dd { (foreign(&audit.tool)) }
                @if let Some(head) = &audit.head { dt { "Checked out" } dd { code { (head) } } }
                @if let Some(branch) = &audit.branch { dt { "Branch" } dd { (code(branch)) } }
                @for each in &facts.programs { dt { "Program" } dd { (code(each)) } }
                @if !facts.variables.is_empty() {
                    dt { "Variables" } dd { (code(&facts.variables.join(", "))) }
                }
            }
        }
    }
}

/// Tells what claims added up to.
fn claims(claims: &SignedClaims) -> Markup {
    html! { (claims.gate.as_str()) " at commit " code { (claims.commit.short()) } }
}

/// Writes what changed in the contract over its lineage, and in the files that it freezes.
fn differences(plan: &ReviewedPlan) -> Markup {
    let drift = plan.pins.as_ref().map_or(&[][..], |pins| &pins.drift);
    let seals = plan.seals.iter().flat_map(|seal| {
        let by = seal.signed.evidence.record.short();
        let changes = seal.changes.iter();
        changes.map(move |each| (format!("Seal {by} against {}", each.seal.short()), each))
    });
    let open = plan.changes.iter().map(|each| {
        let caption = format!(
            "The plan, which is not sealed, against seal {}",
            each.seal.short()
        );
        (caption, each)
    });
    let all: Vec<(String, &Differing)> = seals
        .chain(open)
        .filter(|(_, each)| !each.changes.is_empty())
        .collect();
    html! {
        @if !(all.is_empty() && drift.is_empty()) {
            h4 { "What changed" }
            @for (caption, each) in &all { (changes(&each.changes, caption)) }
            @if !drift.is_empty() { (changes(drift, "Pinned files that are not as sealed")) }
        }
    }
}
