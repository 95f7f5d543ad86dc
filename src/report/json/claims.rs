//! Claims, for machines.

use serde_json::{Value, json};

use super::without_nulls;
use crate::model::claim::answer::Answered;
use crate::model::claim::evidence::{Gap, Reason};
use crate::model::claim::gate::Gate;
use crate::model::claim::types::{Field, Need};
use crate::model::outcome::{
    ExplainedType, GivenAnswer, LintedPlan, LintedStep, Preflighted, PreflightedPlan, ShownPlace,
    ShownQuestion, TestedClaim,
};
use crate::model::text;

/// Writes the members of `preflight`.
pub(super) fn preflighted(found: &Preflighted) -> Value {
    without_nulls(json!({
        "commit": found.commit.to_string(),
        "gate": found.gate.map(Gate::as_str),
        "plans": found.plans.iter().map(plan).collect::<Vec<_>>(),
    }))
}

/// Writes what became of one plan.
fn plan(plan: &PreflightedPlan) -> Value {
    without_nulls(json!({
        "plan": plan.name.as_ref().map(ToString::to_string),
        "contract": plan.contract.map(|digest| digest.to_string()),
        "gate": plan.gate.map(Gate::as_str),
        "record": plan.record.map(|id| id.to_string()),
        "claims": plan.claims.iter().map(claim).collect::<Vec<_>>(),
    }))
}

/// Writes what became of one statement.
fn claim(claim: &TestedClaim) -> Value {
    let evidence = &claim.evidence;
    without_nulls(json!({
        "ids": claim.ids,
        "steps": claim.steps,
        "type": evidence.evaluator.name,
        "criticality": claim.criticality.as_str(),
        "outcome": claim.tested().as_str(),
        "reason": evidence.tested.reason().map(Reason::as_str),
        "basis": basis(claim),
        "answer": claim.answer.as_ref().map(answer),
        "gate": claim.gate.as_str(),
        "reused": claim.is_taken_over,
        "claim_digest": evidence.claim.to_string(),
        "evidence": claim.id.to_string(),
        "places": claim.places.iter().map(place).collect::<Vec<_>>(),
        "more_places": evidence.more_items,
        "files": evidence.scope.files,
        "bytes": evidence.scope.bytes,
        "skipped": evidence.scope.gaps.iter().map(gap).collect::<Vec<_>>(),
        "more_skipped": evidence.scope.more_gaps,
    }))
}

/// Says on what a result rests: `CODE`, or `HUMAN` where somebody confirmed or rejected it.
fn basis(claim: &TestedClaim) -> &'static str {
    if claim.tested() == claim.evidence.tested {
        "CODE"
    } else {
        "HUMAN"
    }
}

/// Writes an answer.
fn answer(answer: &Answered) -> Value {
    without_nulls(json!({
        "decision": answer.decision.as_str(),
        "until": answer.decision.until().map(|until| until.to_string()),
        "reason": answer.reason,
        "by": answer.by,
        "record": answer.record.to_string(),
    }))
}

/// Writes the members of `questions`.
pub(super) fn questions(questions: &[ShownQuestion]) -> Value {
    let one = |question: &ShownQuestion| {
        let claim = &question.claim;
        without_nulls(json!({
            "question": question.record.map(|id| id.to_string()),
            "open": question.is_open,
            "plan": question.plan.to_string(),
            "ids": claim.ids,
            "criticality": claim.criticality.as_str(),
            "statement": claim.line,
            "outcome": claim.tested().as_str(),
            "reason": claim.evidence.tested.reason().map(Reason::as_str),
            "gate": claim.gate.as_str(),
            "claim_digest": claim.evidence.claim.to_string(),
            "authority": claim.authority,
            "answer": claim.answer.as_ref().map(answer),
        }))
    };
    json!({ "questions": questions.iter().map(one).collect::<Vec<_>>() })
}

/// Writes the members of `answer`.
pub(super) fn answered(given: &GivenAnswer) -> Value {
    without_nulls(json!({
        "question": given.question.to_string(),
        "record": given.record.to_string(),
        "decision": given.decision.as_str(),
        "until": given.decision.until().map(|until| until.to_string()),
        "statement": given.line,
        "already": given.already,
    }))
}

/// Writes a place.
fn place(place: &ShownPlace) -> Value {
    without_nulls(json!({
        "path": place.path,
        "line": place.line,
        "text": place.text,
        "role": place.side.as_str(),
    }))
}

/// Writes a file that was not looked at.
fn gap(gap: &Gap) -> Value {
    json!({ "path": text::path(&gap.path), "reason": gap.reason.as_str() })
}

/// Writes the members of `claims lint`.
pub(super) fn linted(plans: &[LintedPlan]) -> Value {
    let plan = |plan: &LintedPlan| {
        json!({
            "plan": plan.name.to_string(),
            "claims": plan.claims,
            "steps": plan.steps.iter().map(step).collect::<Vec<_>>(),
        })
    };
    json!({ "plans": plans.iter().map(plan).collect::<Vec<_>>() })
}

/// Writes what the prose of a step says.
fn step(step: &LintedStep) -> Value {
    without_nulls(json!({
        "step": step.step,
        "words": step.words,
        "uncovered": step.uncovered,
    }))
}

/// Writes the members of `claims explain`.
pub(super) fn explained(types: &[ExplainedType]) -> Value {
    let one = |each: &ExplainedType| {
        let kind = each.kind;
        json!({
            "type": kind.name,
            "layer": kind.layer.as_str(),
            "supported": kind.is_built(),
            "states": kind.states,
            "abstains": kind.abstains,
            "fields": kind.fields.iter().map(field).collect::<Vec<_>>(),
            "example": kind.example,
        })
    };
    json!({ "types": types.iter().map(one).collect::<Vec<_>>() })
}

/// Writes a field.
fn field(field: &Field) -> Value {
    let (need, group) = match field.need {
        Need::Must => ("must", None),
        Need::May => ("may", None),
        Need::OneOf(group) => ("one of", Some(group)),
        Need::SomeOf(group) => ("some of", Some(group)),
    };
    without_nulls(json!({
        "name": field.name,
        "form": field.form.describe(),
        "need": need,
        "group": group,
        "about": field.about,
    }))
}
