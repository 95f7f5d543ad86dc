//! `symbol_signature`, `calls`: what a function takes, gives and calls.

use super::symbols::Wanted;
use crate::model::claim::evidence::Reason;
use crate::model::claim::statement::{self, Statement};
use crate::preflight::probe::{Answer, Probe, range};
use crate::preflight::syntax::{Definition, Parameter, Signature};

/// Decides `symbol_signature`.
pub(in crate::preflight) fn signature(probe: &mut Probe<'_>) -> Answer {
    let wanted = Wanted::of(probe);
    let scope = probe.scope();
    let Some(entry) = scope.entries.first() else {
        return probe.absent();
    };
    let Some((file, facts)) = probe.facts(entry) else {
        return probe.absent();
    };
    let mut found: Vec<&Definition> = facts
        .definitions
        .iter()
        .filter(|one| wanted.is_named_by(one))
        .collect();
    let answer = match found.as_slice() {
        // That a function is not there says nothing of what it takes.
        [] if wanted.is_open(&entry.path, &facts) => Answer::Unknown(Reason::Ambiguous),
        // It may be another function by then.
        [_] if wanted.is_bound(&facts) => Answer::Unknown(Reason::Ambiguous),
        [one] if wanted.is_function(one) => match &one.signature {
            Some(found) => meets(probe.statement(), found),
            None => Answer::Unknown(Reason::Ambiguous),
        },
        [one] if wanted.may_be(one, &entry.path, &facts) => Answer::Unknown(Reason::Ambiguous),
        [] | [_] => Answer::Vacuous { holds: false },
        _ => Answer::Unknown(Reason::Ambiguous),
    };
    found.retain(|one| wanted.is_function(one));
    for one in found {
        let place = range(file.text(), one.name.start, one.name.end);
        probe.point(entry, Some(place), answer == Answer::Holds);
    }
    answer
}

/// Compares what is stated with what is written.
fn meets(statement: &Statement, found: &Signature) -> Answer {
    let returns = statement.optional("returns");
    let tight = |text: &str| text.split_whitespace().collect::<String>();
    match (returns, &found.returns) {
        (Some(_), None) => return Answer::Unknown(Reason::Ambiguous),
        (Some(stated), Some(found)) if tight(stated) != *found => return Answer::Fails,
        _ => {}
    }
    let Some(stated) = statement.parameters("params") else {
        return Answer::Holds;
    };
    let Some(parameters) = &found.parameters else {
        return Answer::Unknown(Reason::Ambiguous);
    };
    let is_same = |(stated, found): (&statement::Parameter, &Parameter)| {
        stated.name == found.name
            && stated
                .optional
                .is_none_or(|optional| optional == found.is_optional)
    };
    let is_as_long = stated.len() == parameters.len();
    Answer::when(is_as_long && stated.iter().zip(parameters).all(is_same))
}

/// Decides `calls`.
pub(in crate::preflight) fn calls(probe: &mut Probe<'_>) -> Answer {
    let wanted = Wanted::of(probe);
    let scope = probe.scope();
    let Some(entry) = scope.entries.first() else {
        return probe.absent();
    };
    let Some((file, facts)) = probe.facts(entry) else {
        return probe.absent();
    };
    let bodies: Vec<&Definition> = facts
        .definitions
        .iter()
        .filter(|one| wanted.is_function(one))
        .collect();
    let name = probe.statement().text("calls");
    // In the order of the text: a place is inside if the furthest of the bodies before it ends after it.
    let mut furthest = 0;
    let ends: Vec<(usize, usize)> = bodies
        .iter()
        .map(|one| {
            furthest = furthest.max(one.whole.end);
            (one.whole.start, furthest)
        })
        .collect();
    let is_inside = |at: usize| {
        let before = ends.partition_point(|(start, _)| *start <= at);
        let last = before.checked_sub(1).and_then(|last| ends.get(last));
        last.is_some_and(|(_, end)| at < *end)
    };
    let mut is_found = false;
    for call in facts.calls.iter().filter(|call| call.name == name) {
        if is_inside(call.range.start) {
            is_found = true;
            let place = range(file.text(), call.range.start, call.range.end);
            probe.point(entry, Some(place), true);
        }
    }
    // A name that is called in no way that is read may be called in another.
    let is_named = || {
        let mut all = facts.names.iter().filter(|one| one.name == name);
        all.any(|one| is_inside(one.range.start))
    };
    let is_open = facts.said.contains(name) || facts.may_spell(name) || wanted.is_bound(&facts);
    if is_found {
        Answer::Holds
    } else if bodies.is_empty() || is_open || is_named() {
        Answer::Unknown(Reason::Ambiguous)
    } else if probe.statement().optional("syntactic").is_some() {
        Answer::Fails
    } else {
        // What is called indirectly is not written.
        Answer::Unknown(Reason::Ambiguous)
    }
}
