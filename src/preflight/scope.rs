//! The files that a statement speaks of, listed from trees alone.

use super::look::{DIRECTORY, Entry, Found, below, look};
use super::reach::reaches;
use super::snapshot::Snapshot;
use crate::model::claim::evidence::{Gap, Reason};
use crate::model::files::SUBMODULE;
use crate::model::ids::{Digest, Oid};
use crate::model::pattern::PathPatterns;
use crate::wire::digest::Hasher;

/// What is in a scope.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scoped {
    /// The paths or patterns.
    pub(super) globs: Vec<String>,
    /// What they name, by path: files, links and submodules; a single path may be a directory.
    pub(super) entries: Vec<Entry>,
    /// What could not be listed.
    pub(super) gaps: Vec<Gap>,
    /// The digest over all that was found, and over what was not there.
    pub(super) list: Digest,
}

/// Lists what stands at single paths.
pub(super) fn of_paths(snapshot: &Snapshot<'_>, paths: &[&str]) -> Scoped {
    let (mut entries, mut gaps) = (Vec::new(), Vec::new());
    let mut hasher = Hasher::plain();
    for path in paths {
        match look(snapshot, &snapshot.commit().tree, path) {
            Ok(Found::Here(entry)) => {
                hash(&mut hasher, b"here", &entry);
                entries.push(entry);
            }
            Ok(Found::Nothing(nearest)) => hash(&mut hasher, b"nothing", &nearest),
            Err(reason) => {
                // Nothing that is open is ever taken over from an earlier commit.
                hasher.framed(snapshot.commit().id.as_bytes());
                let path = super::look::plain(path);
                gaps.push(Gap { path, reason });
            }
        }
    }
    Scoped {
        globs: paths.iter().map(|path| (*path).to_owned()).collect(),
        entries,
        gaps,
        list: hasher.finish(),
    }
}

/// Lists nothing: the statement speaks of nothing that is in a commit.
pub(super) fn of_nothing() -> Scoped {
    Scoped {
        globs: Vec::new(),
        entries: Vec::new(),
        gaps: Vec::new(),
        list: Hasher::plain().finish(),
    }
}

/// Lists nothing: the statement speaks of the commit itself.
pub(super) fn of_commit(snapshot: &Snapshot<'_>) -> Scoped {
    let mut hasher = Hasher::plain();
    hasher.framed(snapshot.commit().id.as_bytes());
    Scoped {
        globs: Vec::new(),
        entries: Vec::new(),
        gaps: Vec::new(),
        list: hasher.finish(),
    }
}

/// Lists what path patterns match.
pub(super) fn of_globs(snapshot: &Snapshot<'_>, globs: &[String]) -> Scoped {
    let mut listing = Listing {
        snapshot,
        globs,
        entries: Vec::new(),
        gaps: Vec::new(),
        seen: 0,
    };
    match PathPatterns::new(globs) {
        Ok(patterns) => listing.list(&patterns),
        // The plan reader has compiled them.
        Err(_) => listing.leave_out(b"", Reason::Limit),
    }
    listing.entries.sort();
    listing.gaps.sort();
    let mut hasher = Hasher::plain();
    for entry in &listing.entries {
        hash(&mut hasher, b"here", entry);
    }
    if !listing.gaps.is_empty() {
        hasher.framed(snapshot.commit().id.as_bytes());
    }
    Scoped {
        globs: globs.to_vec(),
        entries: listing.entries,
        gaps: listing.gaps,
        list: hasher.finish(),
    }
}

/// Adds an entry to a digest.
fn hash(hasher: &mut Hasher, how: &[u8], entry: &Entry) {
    hasher.framed(how);
    hasher.framed(&entry.path);
    hasher.update(&entry.mode.to_be_bytes());
    hasher.framed(entry.id.as_bytes());
}

/// A listing under way.
struct Listing<'l, 's> {
    snapshot: &'l Snapshot<'s>,
    globs: &'l [String],
    entries: Vec<Entry>,
    gaps: Vec<Gap>,
    /// How many entries of trees were seen.
    seen: usize,
}

impl Listing<'_, '_> {
    /// Walks the directories that the patterns reach, by a list and no recursion: a tree may be of
    /// any depth.
    fn list(&mut self, patterns: &PathPatterns) {
        let mut pending = vec![(Vec::new(), self.snapshot.commit().tree)];
        while let Some((directory, id)) = pending.pop() {
            if !self.enter(patterns, (&directory, &id), &mut pending) {
                return;
            }
        }
    }

    /// Lists one directory; says whether to go on.
    fn enter(
        &mut self,
        patterns: &PathPatterns,
        (directory, id): (&[u8], &Oid),
        pending: &mut Vec<(Vec<u8>, Oid)>,
    ) -> bool {
        let entries = self.snapshot.entries(id);
        let entries = match entries.as_ref() {
            Ok(entries) => entries,
            Err(lack) => {
                self.leave_out(directory, lack.reason());
                return true;
            }
        };
        // The walk goes from the last directory to the first, so that its order is always the same.
        for entry in entries {
            self.seen += 1;
            if self.seen > self.snapshot.limits().entries {
                self.leave_out(directory, Reason::Limit);
                return false;
            }
            let path = below(directory, &entry.name);
            if entry.mode == DIRECTORY {
                if self.globs.iter().any(|glob| reaches(glob, &path)) {
                    pending.push((path, entry.id));
                }
                continue;
            }
            if entry.mode == SUBMODULE && self.globs.iter().any(|glob| reaches(glob, &path)) {
                self.leave_out(&path, Reason::Submodule);
            }
            if patterns.matches(&path) {
                let (mode, id) = (entry.mode, entry.id);
                self.entries.push(Entry { path, mode, id });
            }
        }
        true
    }

    /// Notes what could not be listed.
    fn leave_out(&mut self, path: &[u8], reason: Reason) {
        let path = if path.is_empty() { b"." } else { path };
        self.gaps.push(Gap {
            path: path.to_vec(),
            reason,
        });
    }
}
