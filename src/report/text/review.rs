//! What commits rest on, for people.

use std::fmt::Write as _;

use super::judged::evidence;
use super::{findings, is_first, lineage, verdict};
use crate::model::check::{Met, describe, lasted};
use crate::model::contract::Requirement;
use crate::model::outcome::{
    AuditedCheck, Decided, Differing, Pinned, Reviewed, ReviewedCommit, ReviewedPlan, ReviewedStep,
    Signed, SignedAudit, SignedClaims, SignedReview, SignedSeal,
};
use crate::model::record::{Decision, ReviewBody};
use crate::model::text::{counted, shown};

/// Writes what commits rest on; the verdict of the tip is the last line. Where it was written to files,
/// their names and the verdicts; in Markdown where that is asked for.
pub(super) fn reviewed(reviewed: &Reviewed) -> String {
    if let Some(markdown) = &reviewed.markdown {
        return markdown.clone();
    }
    let commits = reviewed.commits.iter();
    if reviewed.wrote.is_empty() {
        return commits.map(commit).collect::<Vec<_>>().join("\n");
    }
    let mut text = String::new();
    for path in &reviewed.wrote {
        let _ = writeln!(text, "wrote   {}", shown(path));
    }
    text.extend(commits.map(last_line));
    text
}

/// Writes the verdict of a commit.
fn last_line(commit: &ReviewedCommit) -> String {
    let word = verdict(commit.verdict.as_str());
    format!("{word} for commit {}\n", commit.commit.short())
}

/// Writes what one commit rests on.
fn commit(commit: &ReviewedCommit) -> String {
    let loud = commit.findings.iter().filter(|finding| is_first(finding));
    let mut text: String = loud.map(super::finding).collect();
    let short = commit.commit.short();
    let _ = writeln!(text, "commit {short} {}", shown(&commit.subject));
    let _ = writeln!(
        text,
        "tree {}; evidence counts from {}",
        commit.tree.short(),
        commit.trust
    );
    text.extend(commit.plans.iter().map(plan));
    text.extend(commit.reviews.iter().map(review));
    for waiver in &commit.waivers {
        let _ = writeln!(
            text,
            "waiver  {}: no effect in this version",
            signed(waiver)
        );
    }
    text.push_str(&findings(&commit.findings));
    text.push_str(&last_line(commit));
    text
}

/// Writes what somebody decided, and why it does not count where it does not.
fn review(review: &SignedReview) -> String {
    let body = &review.body;
    let mut text = format!(
        "review  {} {}: {}\n",
        verdict(said(body.decision)),
        signed(&review.signed),
        shown(&body.text)
    );
    if let Some(why) = review.unfit {
        let _ = writeln!(text, "        does not count: {why}");
    }
    text.push_str(&indented(&about(body)));
    text
}

/// Returns the word for a decision.
const fn said(decision: Decision) -> &'static str {
    match decision {
        Decision::Approve => "approved",
        Decision::Reject => "rejected",
    }
}

/// Writes what a decision is about, beside the tree.
fn about(body: &ReviewBody) -> String {
    let mut text = String::new();
    for (plan, seen) in &body.plans {
        let _ = writeln!(text, "  plan {plan}, contract {}", seen.contract.short());
    }
    for (path, file) in &body.trust {
        let now = match file {
            Some((mode, id)) => format!("is {mode:06o} {}", id.short()),
            None => "is gone".to_owned(),
        };
        let _ = writeln!(text, "  .plan-auditor/{} {now}", shown(path));
    }
    text
}

/// Writes what was recorded, and what is left to do.
pub(super) fn decided(decided: &Decided) -> String {
    let body = &decided.body;
    let already = if decided.already { " before" } else { "" };
    format!(
        "{}{already}: commit {}, tree {}, record {}\n{}next    git plan-audit sync\n",
        verdict(said(body.decision)),
        body.commit.short(),
        body.tree.short(),
        decided.record.short(),
        about(body)
    )
}

/// Writes what one plan rests on.
fn plan(plan: &ReviewedPlan) -> String {
    let judged = &plan.judged;
    let contract = judged
        .contract
        .map_or_else(|| "none".to_owned(), |digest| digest.short());
    let word = verdict(judged.word());
    let mut text = format!("plan {}: {word} (contract {contract})\n", judged.name);
    if let Some(task) = &plan.task {
        let _ = writeln!(text, "  task    {}", shown(task));
    }
    text.extend(plan.seals.iter().map(seal));
    text.extend(plan.audits.iter().map(audit));
    text.extend(plan.claims.iter().map(claims));
    text.extend(plan.changes.iter().map(differing));
    text.extend(plan.pins.as_ref().map(pins));
    if !plan.scope.is_empty() {
        let _ = writeln!(text, "  scope   {}", shown(&plan.scope.join(", ")));
    }
    text.extend(plan.requirements.iter().map(|each| asked(plan, each)));
    let beside: String = plan.beside().map(step).collect();
    if !beside.is_empty() {
        let _ = write!(text, "  beside what was asked for\n{beside}");
    }
    text
}

/// Writes what differs from a seal; nothing where nothing does.
fn differing(each: &Differing) -> String {
    if each.changes.is_empty() {
        return String::new();
    }
    let count = counted(each.changes.len(), "difference");
    let head = format!("  changed {count} from seal {}\n", each.seal.short());
    head + &indented(&lineage::changes(&each.changes))
}

/// Moves every line two columns to the right.
fn indented(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}\n")).collect();
    lines.concat()
}

/// Writes who recorded something, when, and in which role where that is not the usual one.
fn signed(signed: &Signed) -> String {
    let role = if signed.is_approved {
        ", in the approve role"
    } else {
        ""
    };
    format!("{}{role}", evidence(&signed.evidence))
}

/// Writes one seal.
fn seal(seal: &SignedSeal) -> String {
    let mut text = format!("  sealed  {}", signed(&seal.signed));
    if seal.generation > 1 {
        let _ = write!(text, ", generation {}", seal.generation);
    }
    if let Some(reason) = &seal.reason {
        let _ = write!(text, ": {}", shown(reason));
    }
    text.push('\n');
    text.extend(seal.changes.iter().map(differing));
    text
}

/// Writes one audit, and what is recorded of where it ran.
fn audit(audit: &SignedAudit) -> String {
    let mut text = format!("  audited {}\n", signed(&audit.signed));
    let Some(facts) = &audit.signed.evidence.audit else {
        return text;
    };
    let _ = writeln!(
        text,
        "          {} in a {}, {}, version {}",
        verdict(facts.verdict.as_str()),
        facts.place,
        shown(&facts.platform),
        shown(&audit.tool)
    );
    for program in &facts.programs {
        let _ = writeln!(text, "          ran {}", shown(program));
    }
    if !facts.variables.is_empty() {
        let _ = writeln!(text, "          set {}", shown(&facts.variables.join(", ")));
    }
    text
}

/// Writes one test of claims.
fn claims(claims: &SignedClaims) -> String {
    format!(
        "  claims  {}: {} at commit {}\n",
        signed(&claims.signed),
        claims.gate.as_str(),
        claims.commit.short()
    )
}

/// Writes the files that are frozen, and what became of them.
fn pins(pins: &Pinned) -> String {
    let files = pins
        .files
        .map(|count| format!(" ({} frozen)", counted(count, "file")));
    let drift = match pins.drift.len() {
        0 if pins.files.is_some() => ", untouched".to_owned(),
        0 => String::new(),
        count => format!(", {} not as sealed", counted(count, "file")),
    };
    let mut text = format!(
        "  pins    {}{}{drift}\n",
        shown(&pins.patterns.join(", ")),
        files.unwrap_or_default()
    );
    text.push_str(&indented(&lineage::changes(&pins.drift)));
    text
}

/// Writes what was asked for, and the steps that answer it.
fn asked(plan: &ReviewedPlan, requirement: &Requirement) -> String {
    let mut text = format!(
        "  {} ({}) {}\n",
        shown(&requirement.id),
        requirement.priority.as_str(),
        shown(&requirement.description)
    );
    let steps: String = plan.covering(requirement).map(step).collect();
    text.push_str(if steps.is_empty() {
        "    no step covers it\n"
    } else {
        &steps
    });
    text
}

/// Writes one step with what its checks gave.
fn step(step: &ReviewedStep) -> String {
    let word = verdict(step.met.map_or("not audited", Met::word));
    let mut text = format!("    step {} {}: {word}", step.id, shown(&step.title));
    if let Some(failed) = step.attempts() {
        let _ = write!(text, ", {failed}");
    }
    text.push('\n');
    if step.results.is_empty() {
        for check in &step.checks {
            let _ = writeln!(text, "      {check}");
        }
    }
    for result in &step.results {
        text.extend(result.all_checks().map(check));
    }
    text
}

/// Writes what one check gave.
fn check(check: &AuditedCheck) -> String {
    format!(
        "      {} {}: {}, {}\n",
        verdict(check.met.word()),
        check.label,
        describe(&check.result),
        lasted(check.result.duration_ms)
    )
}
