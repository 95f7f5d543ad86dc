//! Judgements, for people.

use std::fmt::Write as _;

use super::{findings, verdict};
use crate::model::finding::Finding;
use crate::model::outcome::{
    Evidence, JudgedCommit, JudgedPlan, Outcome, PlanStatus, Status, StepStatus, UnprovenCommit,
};
use crate::model::text::{counted, shown};
use crate::model::verdict::Verdict;

/// Writes which commits lack evidence, and what makes it.
fn unproven(commits: &[UnprovenCommit]) -> String {
    if commits.is_empty() {
        return String::new();
    }
    let count = counted(commits.len(), "commit");
    let mut text = format!("{count} without usable evidence:\n");
    for each in commits {
        let (id, subject) = (each.commit.short(), shown(&each.subject));
        let _ = writeln!(text, "  {id} {subject}\n          {}", each.next);
    }
    text
}

/// Writes what is said of commits; the verdict is the last line.
pub(super) fn commits(commits: &[JudgedCommit], outcome: &Outcome) -> String {
    let all = &outcome.findings;
    let [one] = commits else {
        let mut text: String = commits.iter().map(line).collect();
        text.push_str(&findings(all));
        let word = verdict(outcome.word.as_str());
        let _ = writeln!(text, "{word} for {}", counted(commits.len(), "commit"));
        return text;
    };
    commit(one, all)
}

/// Writes the verdict of one commit of several.
fn line(commit: &JudgedCommit) -> String {
    let word = verdict(commit.verdict.as_str());
    let subject = shown(&commit.subject);
    format!("{word} commit {} {subject}\n", commit.commit.short())
}

/// Writes what is said of a commit; the verdict is the last line.
fn commit(commit: &JudgedCommit, all: &[Finding]) -> String {
    let subject = shown(&commit.subject);
    let mut text = format!("commit {} {subject}\n", commit.commit.short());
    let _ = writeln!(
        text,
        "tree {}; evidence counts from {}",
        commit.tree.short(),
        commit.trust
    );
    for each in &commit.plans {
        text.push_str(&plan(each));
    }
    text.push_str(&findings(all));
    let word = verdict(commit.verdict.as_str());
    let _ = writeln!(text, "{word} for commit {}", commit.commit.short());
    text
}

/// Writes what is said of one plan and on what it rests.
fn plan(plan: &JudgedPlan) -> String {
    let contract = plan
        .contract
        .map_or_else(|| "none".to_owned(), |digest| digest.short());
    let word = verdict(plan.word());
    let mut text = format!("plan {}: {word} (contract {contract})\n", plan.name);
    if let Some(seal) = &plan.seal {
        let _ = writeln!(text, "  sealed  {}", evidence(seal));
    }
    for audit in &plan.audits {
        let _ = writeln!(text, "  audited {}", evidence(audit));
        if let Some(facts) = &audit.audit {
            let _ = writeln!(
                text,
                "          {} in a {}, {}",
                facts.verdict.as_str(),
                facts.place,
                facts.platform
            );
            for program in &facts.programs {
                let _ = writeln!(text, "          ran {}", shown(program));
            }
            if !facts.variables.is_empty() {
                let _ = writeln!(text, "          set {}", shown(&facts.variables.join(", ")));
            }
        }
    }
    text
}

/// Writes who recorded something, and when.
pub(super) fn evidence(evidence: &Evidence) -> String {
    let who = match &evidence.principals {
        Some(name) => format!("{} ({})", shown(name), evidence.writer),
        None => evidence.writer.to_string(),
    };
    format!("{} by {who} as {}", evidence.time, evidence.record.short())
}

/// Writes where everything stands.
pub(super) fn status(status: &Status, all: &[Finding]) -> String {
    let branch = status.branch.as_deref().unwrap_or("no branch");
    let head = status
        .head
        .map_or_else(|| "no commit yet".to_owned(), |id| id.short());
    let mut text = format!("on {}, {head}\n", shown(branch));
    for each in &status.plans {
        text.push_str(&standing(each));
    }
    if status.plans.is_empty() {
        text.push_str("no plan here; git plan-audit init --no-hooks --starter writes a skeleton\n");
    }
    text.push_str(&unproven(&status.unproven));
    let that = if status.records == 1 {
        "that counts"
    } else {
        "that count"
    };
    let _ = writeln!(
        text,
        "ledger: {} {that}, evidence counts from {}",
        counted(status.records, "record"),
        status.trust
    );
    text.push_str(&findings(all));
    text
}

/// Writes where one plan stands and the next command.
fn standing(plan: &PlanStatus) -> String {
    let word = verdict(plan.verdict.as_str());
    let on_disk = match (plan.seal, plan.audited, plan.verdict) {
        (None, _, _) => String::new(),
        (Some(_), _, Verdict::Fail | Verdict::Unknown) if plan.is_left_out => {
            ", untouched by the work here".to_owned()
        }
        (Some(_), false, Verdict::Fail) if plan.unusable.is_some() => {
            let why = plan.unusable.as_deref().unwrap_or_default();
            format!(
                ", audited as it is on disk, which does not count: {}",
                shown(why)
            )
        }
        (Some(_), false, Verdict::Fail) => ", not audited yet as it is on disk".to_owned(),
        (Some(_), _, _) => format!(", state on disk {word}"),
    };
    format!(
        "plan {}: {}{on_disk}\n{}{}  next: {}\n",
        plan.name,
        plan.standing,
        bounds(plan),
        steps(&plan.steps),
        shown(&plan.next)
    )
}

/// Writes what a plan pins and what its work may touch; nothing where it says neither.
fn bounds(plan: &PlanStatus) -> String {
    let mut text = String::new();
    if !plan.pins.is_empty() {
        let count = plan
            .pinned
            .map(|count| format!(" ({} frozen)", counted(count, "file")));
        let patterns = shown(&plan.pins.join(", "));
        let _ = writeln!(text, "  pins: {patterns}{}", count.unwrap_or_default());
    }
    if !plan.scope.is_empty() {
        let _ = writeln!(text, "  scope: {}", shown(&plan.scope.join(", ")));
    }
    text
}

/// Writes the failed attempts at the steps of a plan, in one line; nothing where there are none.
fn steps(steps: &[StepStatus]) -> String {
    let failed: Vec<String> = steps
        .iter()
        .filter(|step| step.failed > 0)
        .map(|step| format!("step {} {}", step.id, step.failed))
        .collect();
    if failed.is_empty() {
        return String::new();
    }
    format!("  failed attempts: {}\n", failed.join(", "))
}
