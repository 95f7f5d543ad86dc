//! `symbol_exists`, `symbol_absent`, `symbol_unique`, `test_exists`: what files define.

use crate::model::claim::evidence::Reason;
use crate::preflight::probe::{Answer, Probe, range};
use crate::preflight::syntax::{Definition, Facts, Kind};

/// A symbol as a claim names it.
pub(super) struct Wanted<'s> {
    parts: Vec<&'s str>,
    kind: Option<&'s str>,
}

impl<'s> Wanted<'s> {
    /// Reads what a claim names.
    pub(super) fn of(probe: &Probe<'s>) -> Self {
        let statement = probe.statement();
        Self {
            parts: statement.text("symbol").split('.').collect(),
            kind: statement.optional("kind"),
        }
    }

    /// Says whether a definition is it: its last names are those of the claim.
    pub(super) fn is(&self, definition: &Definition) -> bool {
        let is_of_kind = self
            .kind
            .is_none_or(|kind| definition.kind.as_str() == kind);
        let path = definition.path.iter().map(String::as_str);
        let start = definition.path.len().checked_sub(self.parts.len());
        is_of_kind && start.is_some_and(|start| path.skip(start).eq(self.parts.iter().copied()))
    }

    /// Says whether a definition is it and a function.
    pub(super) fn is_function(&self, definition: &Definition) -> bool {
        definition.kind == Kind::Function && self.is(definition)
    }
}

/// Decides `symbol_exists`.
pub(in crate::preflight) fn exists(probe: &mut Probe<'_>) -> Answer {
    match count(probe, true) {
        0 => probe.absent(),
        _ => Answer::Holds,
    }
}

/// Decides `symbol_absent`.
pub(in crate::preflight) fn absent(probe: &mut Probe<'_>) -> Answer {
    match count(probe, false) {
        0 => probe.absent().contrary(),
        _ => Answer::Fails,
    }
}

/// Decides `symbol_unique`. Two definitions are enough to fail, and a gap cannot take them back.
pub(in crate::preflight) fn unique(probe: &mut Probe<'_>) -> Answer {
    match (count(probe, true), probe.gap()) {
        (0, _) => probe.absent(),
        (1, None) => Answer::Holds,
        (1, Some(reason)) => Answer::Unknown(reason),
        (_, _) => Answer::Fails,
    }
}

/// Counts the definitions in the scope, and notes each; notes too where some may not be written.
fn count(probe: &mut Probe<'_>, holds: bool) -> usize {
    let wanted = Wanted::of(probe);
    let mut count = 0;
    for entry in &probe.scope().entries {
        let Some((file, facts)) = probe.facts(entry) else {
            continue;
        };
        for definition in facts.definitions.iter().filter(|one| wanted.is(one)) {
            count += 1;
            let name = &definition.name;
            let place = range(file.text(), name.start, name.end);
            probe.point(entry, Some(place), holds);
        }
        leave_open(probe, &entry.path, &facts);
    }
    count
}

/// Notes that a file may define what it does not write.
fn leave_open(probe: &mut Probe<'_>, path: &[u8], facts: &Facts) {
    if facts.defines_open || facts.names_open {
        probe.leave_out(path, Reason::Ambiguous);
    }
}

/// Decides `test_exists`.
pub(in crate::preflight) fn test(probe: &mut Probe<'_>) -> Answer {
    let name = probe.statement().text("name");
    let mut is_found = false;
    for entry in &probe.scope().entries {
        let Some((file, facts)) = probe.facts(entry) else {
            continue;
        };
        for test in facts.tests.iter().filter(|test| test.name == name) {
            is_found = true;
            let place = range(file.text(), test.range.start, test.range.end);
            probe.point(entry, Some(place), true);
        }
        leave_open(probe, &entry.path, &facts);
    }
    if is_found {
        Answer::Holds
    } else {
        probe.absent()
    }
}
