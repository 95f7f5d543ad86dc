//! `no_references`, `only_referenced_by`: where a name is used, its definitions aside.

use std::collections::BTreeSet;

use crate::model::claim::evidence::Reason;
use crate::model::pattern::PathPatterns;
use crate::preflight::look::Entry;
use crate::preflight::probe::{Answer, Probe, TextFile, range};
use crate::preflight::syntax::{Facts, Named};

/// Decides `no_references`.
pub(in crate::preflight) fn none(probe: &mut Probe<'_>) -> Answer {
    outside(probe, None)
}

/// Decides `only_referenced_by`.
pub(in crate::preflight) fn only(probe: &mut Probe<'_>) -> Answer {
    match PathPatterns::new(probe.statement().texts("by")) {
        Ok(by) => outside(probe, Some(&by)),
        // The plan reader has compiled them.
        Err(_) => Answer::Unknown(Reason::Limit),
    }
}

/// Looks for uses in the files of the scope that are not among those which may use the name.
fn outside(probe: &mut Probe<'_>, by: Option<&PathPatterns>) -> Answer {
    let scope = probe.scope();
    let is_free = |entry: &&Entry| by.is_some_and(|by| by.matches(&entry.path));
    let (inside, outside): (Vec<&Entry>, Vec<&Entry>) = scope.entries.iter().partition(is_free);
    if look(probe, &outside, false) {
        return Answer::Fails;
    }
    // Where every file may use it, that one does is what holds; else there was nothing to look at.
    if outside.is_empty() && !inside.is_empty() && !look(probe, &inside, true) {
        return match probe.gap() {
            Some(reason) => Answer::Unknown(reason),
            None => Answer::Vacuous { holds: true },
        };
    }
    probe.absent().contrary()
}

/// Notes where files use the symbol, and where they may; says whether one does.
fn look(probe: &mut Probe<'_>, entries: &[&Entry], holds: bool) -> bool {
    let symbol = probe.statement().text("symbol");
    let mut is_used = false;
    for entry in entries {
        let Some((file, facts)) = probe.facts(entry) else {
            continue;
        };
        for used in uses(&facts, symbol) {
            is_used = true;
            let place = range(file.text(), used.range.start, used.range.end);
            probe.point(entry, Some(place), holds);
        }
        let is_open = facts.uses_open || facts.may_spell(symbol) || mentions(&file, &facts, symbol);
        if is_open && !holds {
            probe.leave_out(&entry.path, Reason::Ambiguous);
        }
    }
    is_used
}

/// Lists where code names a symbol without defining it.
fn uses<'f>(facts: &'f Facts, symbol: &'f str) -> impl Iterator<Item = &'f Named> {
    let defined: BTreeSet<usize> = facts
        .definitions
        .iter()
        .map(|definition| definition.name.start)
        .filter(|start| !facts.used_too.contains(start))
        .collect();
    facts
        .names
        .iter()
        .filter(move |used| used.name == symbol && !defined.contains(&used.range.start))
}

/// Says whether a text of a file, or what is not parsed of it, holds a name: it may be used by it.
fn mentions(file: &TextFile, facts: &Facts, symbol: &str) -> bool {
    let holds = |range: &std::ops::Range<usize>| {
        let text = file.text().get(range.clone()).unwrap_or_default();
        text.contains(symbol)
    };
    facts.texts.iter().any(holds)
}
