//! `symbol_exists`, `symbol_absent`, `symbol_unique`, `test_exists`: what files define.

use crate::model::claim::evidence::Reason;
use crate::preflight::probe::{Answer, Probe, range};
use crate::preflight::syntax::{self, Definition, Facts, Kind, UNREAD};

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

    /// Returns the last of its names.
    pub(super) fn last(&self) -> &'s str {
        self.parts.last().copied().unwrap_or_default()
    }

    /// Says whether a definition is it: its last names are those of the claim.
    pub(super) fn is(&self, definition: &Definition) -> bool {
        let is_of_kind = self
            .kind
            .is_none_or(|kind| definition.kind.as_str() == kind);
        is_of_kind && self.is_named_by(definition)
    }

    /// Says whether a definition has its name, whatever it is.
    pub(super) fn is_named_by(&self, definition: &Definition) -> bool {
        let path = definition.path.iter().map(String::as_str);
        let start = definition.path.len().checked_sub(self.parts.len());
        start.is_some_and(|start| path.skip(start).eq(self.parts.iter().copied()))
    }

    /// Says whether a definition of a file may be it: something that may hold a function or a type, or
    /// one in a container whose name is not read, or that is around the file.
    pub(super) fn may_be(&self, definition: &Definition, path: &[u8], facts: &Facts) -> bool {
        if self.is_named_by(definition) {
            return !self.is(definition) && definition.kind == Kind::Constant;
        }
        let names = &definition.path;
        if names.last().map(String::as_str) != Some(self.last()) {
            return false;
        }
        let containers = names.split_last().map_or(&[][..], |(_, around)| around);
        let is_unread = |name: &String| name == UNREAD || facts.aliases.contains(name);
        let outside = self.parts.len().checked_sub(names.len());
        let (outside, inside) = self.parts.split_at(outside.unwrap_or(0));
        let is_around = |name: &&str| {
            let is_of_path = path
                .split(|byte| b"/.".contains(byte))
                .any(|part| part == name.as_bytes());
            is_of_path || *name == "crate" || facts.packages.contains(*name)
        };
        let is_inside = names.iter().map(String::as_str).eq(inside.iter().copied());
        containers.iter().any(is_unread) || (is_inside && outside.last().is_some_and(is_around))
    }

    /// Says whether a file may define it in a way that is not read.
    pub(super) fn is_open(&self, path: &[u8], facts: &Facts) -> bool {
        let mut all = facts.definitions.iter();
        self.is_bound(facts) || facts.defines_open || all.any(|one| self.may_be(one, path, facts))
    }

    /// Says whether its name stands where it may be defined, or may be spelt otherwise.
    pub(super) fn is_bound(&self, facts: &Facts) -> bool {
        facts.bound.contains(self.last()) || facts.may_spell(self.last())
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
    let (mut count, mut said) = (0, Vec::new());
    let scope = probe.scope();
    for entry in &scope.entries {
        let Some((file, facts)) = probe.facts(entry) else {
            continue;
        };
        for definition in facts.definitions.iter().filter(|one| wanted.is(one)) {
            count += 1;
            let name = &definition.name;
            let place = range(file.text(), name.start, name.end);
            probe.point(entry, Some(place), holds);
        }
        if wanted.is_open(&entry.path, &facts) {
            probe.leave_out(&entry.path, Reason::Ambiguous);
        } else if facts.said.contains(wanted.last()) {
            said.push(&entry.path);
        }
    }
    // A text that says its name may become one; what is defined is so whatever texts say.
    for path in said.into_iter().filter(|_| count == 0) {
        probe.leave_out(path, Reason::Ambiguous);
    }
    count
}

/// Decides `test_exists`.
pub(in crate::preflight) fn test(probe: &mut Probe<'_>) -> Answer {
    let name = probe.statement().text("name");
    let mut is_found = false;
    for entry in &probe.scope().entries {
        let Some((file, facts)) = probe.facts(entry) else {
            continue;
        };
        let may_hold = syntax::may_hold_tests(&entry.path);
        for test in facts
            .tests
            .iter()
            .filter(|test| may_hold && test.name == name)
        {
            is_found = true;
            let place = range(file.text(), test.range.start, test.range.end);
            probe.point(entry, Some(place), true);
        }
        if may_be_test(&facts, name) {
            probe.leave_out(&entry.path, Reason::Ambiguous);
        }
    }
    if is_found {
        Answer::Holds
    } else {
        probe.absent()
    }
}

/// Says whether a file may have a test of a name that is not read as one.
fn may_be_test(facts: &Facts, name: &str) -> bool {
    // A variable may hold a function that a test runner takes.
    let is_held = |one: &Definition| {
        one.kind == Kind::Constant && one.path.last().is_some_and(|last| last == name)
    };
    facts.tests_open
        || facts.defines_open
        || facts.may_spell(name)
        || facts.maybe_tests.contains(name)
        || facts.bound.contains(name)
        || facts.said.contains(name)
        || facts.definitions.iter().any(is_held)
}
