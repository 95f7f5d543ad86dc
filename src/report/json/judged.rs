//! Judgements, for machines.

use serde_json::{Value, json};

use super::{by_name, without_nulls};
use crate::model::outcome::{
    Evidence, JudgedCommit, JudgedPlan, PlanStatus, Status, UnprovenCommit,
};

/// Writes the members of `verify`.
pub(super) fn verified(commits: &[JudgedCommit]) -> Value {
    let judged = commits.iter().map(|commit| {
        json!({
            "commit": commit.commit.to_string(),
            "tree": commit.tree.to_string(),
            "outcome": commit.verdict.as_str(),
            "plans": by_name(commit.plans.iter().map(plan)),
        })
    });
    // The last one is the tip, which the others lead to.
    let trust = commits.last().map(|commit| {
        without_nulls(json!({
            "source": commit.trust,
            "commit": commit.trust_point.map(|id| id.to_string()),
        }))
    });
    json!({ "commits": judged.collect::<Vec<_>>(), "trust": trust })
}

/// Writes what is said of one plan.
fn plan(plan: &JudgedPlan) -> (String, Value) {
    let value = without_nulls(json!({
        "outcome": plan.word(),
        "contract": plan.contract.map(|digest| digest.to_string()),
        "seal": plan.seal.as_ref().map(|seal| seal.record.to_string()),
        "evidence": plan.audits.iter().map(evidence).collect::<Vec<_>>(),
    }));
    (plan.name.to_string(), value)
}

/// Writes a record that a judgement rests on.
pub(super) fn evidence(evidence: &Evidence) -> Value {
    let audit = evidence.audit.as_ref();
    without_nulls(json!({
        "record": evidence.record.to_string(),
        "writer": evidence.writer.to_string(),
        "principals": evidence.principals,
        "time": evidence.time.to_string(),
        "outcome": audit.map(|audit| audit.verdict.as_str()),
        "place": audit.map(|audit| audit.place),
        "platform": audit.map(|audit| audit.platform.as_str()),
        "programs": audit.map(|audit| audit.programs.clone()),
        "variables": audit.map(|audit| audit.variables.clone()),
    }))
}

/// Writes the members of `status`.
pub(super) fn status(status: &Status) -> Value {
    json!({
        "head": status.head.map(|id| id.to_string()),
        "branch": status.branch,
        "tree": status.tree.to_string(),
        "plans": by_name(status.plans.iter().map(standing)),
        "unproven": status.unproven.iter().map(unproven).collect::<Vec<_>>(),
        "ledger": {
            "records": status.records,
            "heads": status.heads.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "tip": status.tip.map(|id| id.to_string()),
            "findings": status.ledger_findings.iter().map(super::finding).collect::<Vec<_>>(),
        },
        "trust": { "source": status.trust },
    })
}

/// Writes a commit without evidence.
fn unproven(commit: &UnprovenCommit) -> Value {
    json!({
        "commit": commit.commit.to_string(),
        "subject": commit.subject,
        "plans": commit.plans.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "next": commit.next,
    })
}

/// Writes where one plan stands.
fn standing(plan: &PlanStatus) -> (String, Value) {
    let steps = plan.steps.iter();
    let steps: Vec<Value> = steps
        .map(|step| json!({ "id": step.id, "failed_attempts": step.failed }))
        .collect();
    let value = without_nulls(json!({
        "path": plan.path,
        "standing": plan.standing,
        "sealed": plan.seal.is_some(),
        "contract": plan.contract.map(|digest| digest.to_string()),
        "seal": plan.seal.map(|id| id.to_string()),
        "outcome": plan.verdict.as_str(),
        "left_out": plan.is_left_out,
        "audited": plan.audited,
        "unusable": plan.unusable,
        "pins": (!plan.pins.is_empty()).then_some(&plan.pins),
        "pinned": plan.pinned,
        "scope": (!plan.scope.is_empty()).then_some(&plan.scope),
        "steps": (!steps.is_empty()).then_some(steps),
        "next": plan.next,
    }));
    (plan.name.to_string(), value)
}
