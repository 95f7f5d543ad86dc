//! Pins: files that a seal froze, and what became of them (DESIGN sections 3 and 4).
//!
//! A pinned file is untouched if what stands at its path is what was sealed, or what stands there
//! at the fork point: whoever merges the main line into a branch takes its files with it.

mod patterns;

use std::collections::BTreeMap;

use super::files::{File, Files};
pub(crate) use patterns::PinPatterns;

/// One file as it was sealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Pin {
    /// What stood there.
    pub(crate) file: File,
    /// Whether the fork point had a file at this path then: if it has none later, the main line
    /// removed it.
    pub(crate) at_fork: bool,
}

/// Pinned files by their paths.
pub(crate) type Pins = BTreeMap<Vec<u8>, Pin>;

/// What is wrong with a pinned path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fault {
    /// Something else stands there.
    Changed,
    /// Nothing stands there any more.
    Removed,
    /// A file that a pattern matches and that was not there.
    Added,
}

impl Fault {
    /// Returns the word for people.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Added => "new",
        }
    }
}

/// A pinned path that is not as it was sealed.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Violation {
    /// The path.
    pub(crate) path: Vec<u8>,
    /// What is wrong.
    pub(crate) fault: Fault,
}

/// Freezes every file that a pattern matches.
pub(crate) fn take(patterns: &PinPatterns, now: &Files, fork: Option<&Files>) -> Pins {
    let pin = |path: &[u8]| {
        let file = *now.get(path)?;
        let at_fork = fork.is_some_and(|fork| fork.contains_key(path));
        Some((path.to_vec(), Pin { file, at_fork }))
    };
    let matched = patterns.matched(now).into_iter();
    matched.filter_map(pin).collect()
}

/// Lists what is not as it was sealed, by path.
pub(crate) fn violations(
    patterns: &PinPatterns,
    sealed: &Pins,
    (now, fork): (&Files, Option<&Files>),
) -> Vec<Violation> {
    let is_as_at_fork =
        |path: &[u8], file: &File| fork.is_some_and(|fork| fork.get(path) == Some(file));
    let of_sealed = |(path, pin): (&Vec<u8>, &Pin)| match now.get(path) {
        Some(file) if *file == pin.file || is_as_at_fork(path, file) => None,
        Some(_) => Some(Fault::Changed),
        None if pin.at_fork && fork.is_some_and(|fork| !fork.contains_key(path)) => None,
        None => Some(Fault::Removed),
    };
    let known = sealed
        .iter()
        .filter_map(|each| Some(violation(each.0, of_sealed(each)?)));
    let new = patterns.matched(now).into_iter().filter(|path| {
        let file = now.get(*path);
        !sealed.contains_key(*path) && !file.is_some_and(|file| is_as_at_fork(path, file))
    });
    let mut found: Vec<Violation> = known
        .chain(new.map(|path| violation(path, Fault::Added)))
        .collect();
    found.sort();
    found
}

/// Lists the paths at which a later seal does not hold what an earlier one froze: its pins must be
/// copied, and of what its patterns match nothing may be added.
pub(crate) fn lost(patterns: &PinPatterns, before: &Pins, after: &Pins) -> Vec<Violation> {
    let gone = before.iter().filter_map(|(path, pin)| {
        let fault = match after.get(path) {
            Some(later) if later == pin => return None,
            Some(_) => Fault::Changed,
            None => Fault::Removed,
        };
        Some(violation(path, fault))
    });
    let fresh = after.iter().filter(|(path, _)| !before.contains_key(*path));
    let fresh: Files = fresh.map(|(path, pin)| (path.clone(), pin.file)).collect();
    let added = patterns.matched(&fresh).into_iter();
    let mut found: Vec<Violation> = gone
        .chain(added.map(|path| violation(path, Fault::Added)))
        .collect();
    found.sort();
    found
}

/// Names what is wrong with a path.
fn violation(path: &[u8], fault: Fault) -> Violation {
    Violation {
        path: path.to_vec(),
        fault,
    }
}

#[cfg(test)]
mod tests;
