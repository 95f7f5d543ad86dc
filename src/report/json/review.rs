//! What commits rest on, for machines.

use serde_json::{Value, json};

use super::judged::evidence;
use super::{audit, by_name, lineage, members, without_nulls};
use crate::model::check::Met;
use crate::model::contract::Requirement;
use crate::model::outcome::{
    Decided, Differing, Pinned, Reviewed, ReviewedCommit, ReviewedPlan, ReviewedStep, Signed,
    SignedAudit, SignedClaims, SignedReview, SignedSeal,
};
use crate::model::record::ReviewBody;

/// Writes the members of `review`.
pub(super) fn reviewed(reviewed: &Reviewed) -> Value {
    let wrote = &reviewed.wrote;
    without_nulls(json!({
        "commits": reviewed.commits.iter().map(commit).collect::<Vec<_>>(),
        "wrote": (!wrote.is_empty()).then_some(wrote),
        "markdown": reviewed.markdown,
    }))
}

/// Writes one commit.
fn commit(commit: &ReviewedCommit) -> Value {
    json!({
        "commit": commit.commit.to_string(),
        "tree": commit.tree.to_string(),
        "subject": commit.subject,
        "outcome": commit.verdict.as_str(),
        "trust": without_nulls(json!({
            "source": commit.trust,
            "commit": commit.trust_point.map(|id| id.to_string()),
        })),
        "findings": commit.findings.iter().map(super::finding).collect::<Vec<_>>(),
        "plans": by_name(commit.plans.iter().map(plan)),
        "reviews": commit.reviews.iter().map(review).collect::<Vec<_>>(),
        "waivers": commit.waivers.iter().map(signed).collect::<Vec<_>>(),
    })
}

/// Writes what somebody decided, and whether it counts.
fn review(review: &SignedReview) -> Value {
    let mut more = members(body(&review.body));
    more.insert("counts".to_owned(), json!(review.unfit.is_none()));
    more.insert("reason".to_owned(), json!(review.unfit));
    with(&review.signed, Value::Object(more))
}

/// Writes what a decision says.
fn body(body: &ReviewBody) -> Value {
    let plans = body.plans.iter().map(|(plan, seen)| {
        json!({
            "plan": plan.to_string(),
            "contract": seen.contract.to_string(),
            "seal": seen.seal.to_string(),
        })
    });
    let trust = body.trust.iter().map(|(path, file)| {
        without_nulls(json!({
            "path": path,
            "mode": file.map(|(mode, _)| format!("{mode:06o}")),
            "id": file.map(|(_, id)| id.to_string()),
        }))
    });
    without_nulls(json!({
        "decision": body.decision.as_str(),
        "text": body.text,
        "commit": body.commit.to_string(),
        "tree": body.tree.to_string(),
        "base": body.base.map(|id| id.to_string()),
        "plans": plans.collect::<Vec<_>>(),
        "trust": trust.collect::<Vec<_>>(),
    }))
}

/// Writes what was recorded.
pub(super) fn decided(decided: &Decided) -> Value {
    let mut value = members(body(&decided.body));
    value.insert("record".to_owned(), json!(decided.record.to_string()));
    value.insert("already".to_owned(), json!(decided.already));
    json!({ "review": value })
}

/// Writes one plan.
fn plan(plan: &ReviewedPlan) -> (String, Value) {
    let judged = &plan.judged;
    let value = without_nulls(json!({
        "outcome": judged.word(),
        "contract": judged.contract.map(|digest| digest.to_string()),
        "task": plan.task,
        "near": judged.near,
        "seals": plan.seals.iter().map(seal).collect::<Vec<_>>(),
        "changes": plan.changes.iter().map(differing).collect::<Vec<_>>(),
        "requirements": plan.requirements.iter().map(|each| requirement(plan, each)).collect::<Vec<_>>(),
        "steps": plan.steps.iter().map(step).collect::<Vec<_>>(),
        "audits": plan.audits.iter().map(audited).collect::<Vec<_>>(),
        "pins": plan.pins.as_ref().map(pinned),
        "scope": plan.scope,
        "claims": plan.claims.iter().map(claims).collect::<Vec<_>>(),
    }));
    (judged.name.to_string(), value)
}

/// Writes who proved a record, and in which role.
fn signed(signed: &Signed) -> Value {
    let mut value = members(evidence(&signed.evidence));
    value.insert("role".to_owned(), json!(signed.role()));
    Value::Object(value)
}

/// Writes a record with members of its kind.
fn with(record: &Signed, more: Value) -> Value {
    let mut value = members(signed(record));
    value.append(&mut members(more));
    without_nulls(Value::Object(value))
}

/// Writes one seal.
fn seal(seal: &SignedSeal) -> Value {
    let more = json!({
        "generation": seal.generation,
        "reason": seal.reason,
        "branch": seal.branch,
        "changes": seal.changes.iter().map(differing).collect::<Vec<_>>(),
    });
    with(&seal.signed, more)
}

/// Writes one audit.
fn audited(audit: &SignedAudit) -> Value {
    let more = json!({
        "tool": audit.tool,
        "head": audit.head.map(|id| id.to_string()),
        "branch": audit.branch,
    });
    with(&audit.signed, more)
}

/// Writes one test of claims.
fn claims(claims: &SignedClaims) -> Value {
    let more = json!({ "commit": claims.commit.to_string(), "gate": claims.gate.as_str() });
    with(&claims.signed, more)
}

/// Writes one seal and what differs from it.
fn differing(each: &Differing) -> Value {
    json!({
        "seal": each.seal.to_string(),
        "changes": each.changes.iter().map(lineage::change).collect::<Vec<_>>(),
    })
}

/// Writes what was asked for, and the steps that answer it.
fn requirement(plan: &ReviewedPlan, requirement: &Requirement) -> Value {
    json!({
        "id": requirement.id,
        "description": requirement.description,
        "priority": requirement.priority.as_str(),
        "steps": plan.covering(requirement).map(|step| step.id).collect::<Vec<_>>(),
    })
}

/// Writes one step.
fn step(step: &ReviewedStep) -> Value {
    let outcome = step.met.map(|met| match met {
        Met::Passed => "PASS",
        Met::Unknown => "UNKNOWN",
        Met::Failed => "FAIL",
    });
    without_nulls(json!({
        "id": step.id,
        "title": step.title,
        "covers": step.covers,
        "outcome": outcome,
        "failed_attempts": step.failed,
        "checks": step.checks,
        "results": step.results.iter().map(audit::step).collect::<Vec<_>>(),
    }))
}

/// Writes the files that are frozen.
fn pinned(pins: &Pinned) -> Value {
    without_nulls(json!({
        "patterns": pins.patterns,
        "files": pins.files,
        "drift": pins.drift.iter().map(lineage::change).collect::<Vec<_>>(),
    }))
}
