//! Claims, for people.

use std::fmt::Write as _;

use super::{findings, painted, verdict};
use crate::model::claim::evidence::{Evidence, Tested};
use crate::model::claim::gate::Gate;
use crate::model::claim::types::{Field, Need, Type};
use crate::model::outcome::{
    ExplainedType, GivenAnswer, LintedPlan, Outcome, Preflighted, PreflightedPlan, ShownPlace,
    ShownQuestion, TestedClaim, Word,
};
use crate::model::text::{counted, path, shown};

/// Writes what `preflight` found; what it adds up to is the last line.
pub(super) fn preflighted(found: &Preflighted, outcome: &Outcome) -> String {
    let subject = shown(&found.subject);
    let mut text = format!("commit {} {subject}\n", found.commit.short());
    for each in &found.plans {
        text.push_str(&plan(each));
    }
    text.push_str(&findings(&outcome.findings));
    let gate = found.gate.map_or("nothing is claimed", Gate::as_str);
    let commit = found.commit.short();
    let _ = if found.is_comparison {
        // Of the gate this says nothing: what blocks a plan blocks it still.
        let word = if outcome.word == Word::Pass {
            painted("SAME", 32)
        } else {
            painted("DIFFERS", 31)
        };
        writeln!(
            text,
            "{word} for commit {commit}: evidence made again and compared; its gate is {gate}"
        )
    } else {
        let word = verdict(outcome.word.as_str());
        writeln!(text, "{word} for commit {commit}: {gate}")
    };
    text
}

/// Writes what became of one plan.
fn plan(plan: &PreflightedPlan) -> String {
    let name = plan
        .name
        .as_ref()
        .map_or_else(|| "claims".to_owned(), |name| format!("plan {name}"));
    let gate = plan.gate.map_or("nothing is claimed", Gate::as_str);
    let mut text = format!("{name}: {gate}, {}", counted(plan.claims.len(), "claim"));
    if let Some(record) = plan.record {
        let _ = write!(text, ", record {}", record.short());
    }
    text.push('\n');
    text + &plan.claims.iter().map(claim).collect::<String>()
}

/// Writes what became of one statement, and the places that it rests on.
fn claim(claim: &TestedClaim) -> String {
    let evidence = &claim.evidence;
    let over = if claim.is_taken_over {
        ", taken over"
    } else {
        ""
    };
    let mut text = format!(
        "  {} {} ({}{over}): {}\n",
        word(claim.tested()),
        shown(&claim.ids.join(", ")),
        claim.criticality.as_str(),
        shown(&claim.line)
    );
    text.push_str(&answer(claim));
    for each in &claim.places {
        text.push_str(&place(each));
    }
    if evidence.more_items > 0 {
        let _ = writeln!(text, "      and {} more", evidence.more_items);
    }
    text + &gaps(evidence)
}

/// Writes what was answered, apart from what code says.
fn answer(claim: &TestedClaim) -> String {
    let Some(answer) = &claim.answer else {
        return String::new();
    };
    let by = answer.by.as_deref().unwrap_or("an approver");
    let until = answer.decision.until();
    let until = until.map(|until| format!(" until {until}"));
    let why = answer.reason.as_deref();
    let why = why.map(|why| format!(": {}", shown(why)));
    format!(
        "      answered by {}: {}{}{} (record {})\n",
        shown(by),
        answer.decision.as_str(),
        until.unwrap_or_default(),
        why.unwrap_or_default(),
        answer.record.short()
    )
}

/// Writes what plans wait for, and what was answered.
pub(super) fn questions(questions: &[ShownQuestion]) -> String {
    if questions.is_empty() {
        return "no plan waits for an answer\n".to_owned();
    }
    questions.iter().map(question).collect()
}

/// Writes one question.
fn question(question: &ShownQuestion) -> String {
    let claim = &question.claim;
    let id = question
        .record
        .map_or_else(|| "not recorded".to_owned(), |id| id.short());
    let state = if question.is_open { "open" } else { "answered" };
    let who = claim.authority.as_deref();
    let who = who.map(|who| format!(", for {}", shown(who)));
    format!(
        "{id} {state}{}: plan {}, claim {} ({}, {}): {}\n{}",
        who.unwrap_or_default(),
        question.plan,
        shown(&claim.ids.join(", ")),
        claim.criticality.as_str(),
        claim.tested().as_str(),
        shown(&claim.line),
        answer(claim)
    )
}

/// Writes what was answered.
pub(super) fn answered(given: &GivenAnswer) -> String {
    let already = if given.already { " (already)" } else { "" };
    format!(
        "{} {}: {}, record {}{already}\n",
        given.question.short(),
        given.decision.as_str(),
        shown(&given.line),
        given.record.short()
    )
}

/// Paints the word of a result.
fn word(tested: Tested) -> String {
    let code = match tested {
        Tested::Verified => 32,
        Tested::Disproved => 31,
        Tested::Inconclusive(_) | Tested::HumanRequired => 33,
    };
    let word = painted(tested.as_str(), code);
    match tested.reason() {
        Some(reason) => format!("{word} {}", reason.as_str()),
        None => word,
    }
}

/// Writes a place as path and line, with the line of the source.
fn place(place: &ShownPlace) -> String {
    let line = place
        .line
        .map(|line| format!(":{line}"))
        .unwrap_or_default();
    match (&place.text, place.line) {
        (Some(text), _) => format!("      {}{line}: {}\n", place.path, shown(text)),
        (None, Some(_)) => format!(
            "      {}{line}: (not shown: it may hold a secret)\n",
            place.path
        ),
        (None, None) => format!("      {}\n", place.path),
    }
}

/// Writes what was not looked at, where that decided.
fn gaps(evidence: &Evidence) -> String {
    let mut text = String::new();
    for gap in &evidence.scope.gaps {
        let reason = gap.reason.as_str();
        let _ = writeln!(text, "      not looked at: {} ({reason})", path(&gap.path));
    }
    if evidence.scope.more_gaps > 0 {
        let more = evidence.scope.more_gaps;
        let _ = writeln!(text, "      not looked at: {more} more");
    }
    text
}

/// Writes what the prose of plans says and no claim covers.
pub(super) fn linted(plans: &[LintedPlan]) -> String {
    let mut text = String::new();
    for plan in plans {
        let _ = writeln!(
            text,
            "plan {}: {}",
            plan.name,
            counted(plan.claims, "claim")
        );
        for step in plan.steps.iter().filter(|step| step.words > 0) {
            let who = step
                .step
                .map_or_else(|| "task".to_owned(), |id| format!("step {id}"));
            let covered = step.words.saturating_sub(step.uncovered.len());
            let _ = writeln!(
                text,
                "  {who}: claims speak of {covered} of {}",
                counted(step.words, "path")
            );
        }
    }
    text
}

/// Writes one type in full, or all in a line each.
pub(super) fn explained(types: &[ExplainedType]) -> String {
    match types {
        [one] => explanation(one.kind),
        several => several.iter().map(|each| line(each.kind)).collect(),
    }
}

/// Writes a type in one line.
fn line(kind: &Type) -> String {
    let not = if kind.is_built() {
        ""
    } else {
        " (not supported yet)"
    };
    format!(
        "{:<22} {}{not}: {}\n",
        kind.name,
        kind.layer.as_str(),
        kind.states
    )
}

/// Writes a type in full.
fn explanation(kind: &Type) -> String {
    let mut text = format!("{} ({})\n", kind.name, kind.layer.as_str());
    if !kind.is_built() {
        text.push_str("This version does not support it: a plan that uses it is refused.\n");
    }
    let _ = writeln!(text, "\nStates: {}", kind.states);
    let _ = writeln!(text, "INCONCLUSIVE: {}\n\nFields:", kind.abstains);
    for each in kind.fields {
        let _ = writeln!(text, "  {:<10} {}", each.name, field(each));
    }
    let _ = writeln!(
        text,
        "\nExample:\n  {{\"id\":\"C1\",\"type\":\"{}\",\"criticality\":\"high\",\"expect\":true,\n   {}}}",
        kind.name, kind.example
    );
    text
}

/// Writes what a field means and whether it must be there.
fn field(field: &Field) -> String {
    let need = match field.need {
        Need::Must => "",
        Need::May => " (may be left out)",
        Need::OneOf(_) => " (exactly one of these)",
        Need::SomeOf(_) => " (at least one of these)",
    };
    format!("{}: {}{need}", field.about, field.form.describe())
}
