//! The one layout of a notes tree: the same notes give the same tree, whatever they came from.
//!
//! What is no note is carried along where it lay: nobody's file is lost by a join. Where two lie at
//! one place, the smaller one stays; what stands in the way of a note goes.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::objs::tree::{Entry, EntryKind, EntryMode};
use gix::objs::{Kind, Tree, WriteTo as _};

use super::super::durable::Durable;
use super::super::ids::from_gix;
use super::super::objects::ObjectsError;
use super::super::open::Repository;
use super::fanout::{self, FULL, PAIR, is_hex};
use crate::model::ids::Oid;

/// The deepest directory that is no part of a name of an object and is carried along.
const DEEPEST: usize = 64;

/// A tree to be written.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// Files and whole directories by their paths.
    files: BTreeMap<Vec<u8>, (EntryMode, ObjectId)>,
    /// Those of them that are notes: nothing takes their place.
    notes: BTreeSet<Vec<u8>>,
}

impl Layout {
    /// Places notes: a directory of more than so many names gets one for each pair of digits.
    pub(super) fn of(notes: &BTreeMap<String, ObjectId>) -> Self {
        let mut layout = Self::default();
        let all: Vec<(&str, ObjectId)> = notes.iter().map(|(hex, id)| (&**hex, *id)).collect();
        layout.place(&mut Vec::new(), 0, &all);
        layout
    }

    /// Places notes, sorted by name, whose first digits lead to this directory.
    fn place(&mut self, directory: &mut Vec<u8>, digits: usize, notes: &[(&str, ObjectId)]) {
        let rest = |hex: &str| hex.get(digits..).unwrap_or_default().to_owned();
        let is_flat = notes.len() <= FULL || notes.iter().any(|(hex, _)| rest(hex).len() <= PAIR);
        if is_flat {
            for (hex, id) in notes {
                let path = [directory.as_slice(), rest(hex).as_bytes()].concat();
                self.notes.insert(path.clone());
                self.files.insert(path, (EntryKind::Blob.into(), *id));
            }
            return;
        }
        let pair = |hex: &str| rest(hex).get(..PAIR).unwrap_or_default().to_owned();
        for group in notes.chunk_by(|one, other| pair(one.0) == pair(other.0)) {
            let Some((first, _)) = group.first() else {
                continue;
            };
            let length = directory.len();
            directory.extend_from_slice(pair(first).as_bytes());
            directory.push(b'/');
            self.place(directory, digits + PAIR, group);
            directory.truncate(length);
        }
    }

    /// Carries along what a tree holds beside notes.
    pub(super) fn carry(&mut self, repo: &Repository, root: &Oid) -> Result<(), ObjectsError> {
        let digits = repo.gix.object_hash().len_in_hex();
        let mut seen = BTreeSet::from([*root]);
        let mut waiting = vec![(Vec::new(), 0, *root)];
        while let Some((directory, depth, id)) = waiting.pop() {
            for entry in fanout::read(repo, &id)? {
                let rest = digits.saturating_sub(depth * PAIR);
                let path = [directory.as_slice(), &entry.filename].concat();
                let is_directory =
                    entry.mode.is_tree() && rest > PAIR && is_hex(&entry.filename, PAIR);
                let is_note = entry.mode.is_blob() && is_hex(&entry.filename, rest);
                let object = from_gix(&entry.oid);
                if is_directory && depth < DEEPEST && seen.insert(object) {
                    waiting.push(([path.as_slice(), b"/"].concat(), depth + 1, object));
                } else if !is_directory && !is_note {
                    self.add(path, (entry.mode, entry.oid));
                }
            }
        }
        Ok(())
    }

    /// Adds what is no note, unless a note or something smaller needs its place.
    fn add(&mut self, path: Vec<u8>, found: (EntryMode, ObjectId)) {
        let inside = [path.as_slice(), b"/"].concat();
        let mut after = self.files.range(inside.clone()..);
        let is_needed = after
            .next()
            .is_some_and(|(next, _)| next.starts_with(&inside));
        let mut above = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let is_below =
            above.any(|(at, _)| path.get(..at).is_some_and(|a| self.files.contains_key(a)));
        let is_smaller = |known: &(EntryMode, ObjectId)| *known <= found;
        let is_taken = self.notes.contains(&path) || self.files.get(&path).is_some_and(is_smaller);
        if !is_needed && !is_below && !is_taken {
            self.files.insert(path, found);
        }
    }

    /// Writes the trees that are not here yet, and returns the id of the top.
    pub(super) fn write(&self, repo: &Repository, durable: &Durable<'_>) -> gix::Result<ObjectId> {
        // A directory comes after the one above it, so that each is whole when it is written.
        let mut directories: BTreeMap<Vec<u8>, Vec<Entry>> = BTreeMap::from([(Vec::new(), vec![])]);
        for (path, (mode, id)) in &self.files {
            let (directory, name) = split(path);
            for above in ancestors(directory) {
                directories.entry(above.to_vec()).or_default();
            }
            directories
                .entry(directory.to_vec())
                .or_default()
                .push(entry(*mode, name, *id));
        }
        loop {
            let Some((path, entries)) = directories.pop_last() else {
                return Ok(repo.gix.object_hash().empty_tree());
            };
            let id = write(repo, durable, entries)?;
            if path.is_empty() {
                return Ok(id);
            }
            let (parent, name) = split(&path);
            let above = directories.entry(parent.to_vec()).or_default();
            above.push(entry(EntryKind::Tree.into(), name, id));
        }
    }
}

/// Makes an entry of a tree.
fn entry(mode: EntryMode, name: &[u8], oid: ObjectId) -> Entry {
    Entry {
        mode,
        filename: name.into(),
        oid,
    }
}

/// Splits a path into directory and name.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => (
            path.get(..at).unwrap_or_default(),
            path.get(at + 1..).unwrap_or_default(),
        ),
        None => (b"", path),
    }
}

/// Iterates over the directories on the way to one, itself the last.
fn ancestors(directory: &[u8]) -> impl Iterator<Item = &[u8]> {
    let slashes = directory.iter().enumerate().filter(|(_, b)| **b == b'/');
    let above = slashes.filter_map(|(at, _)| directory.get(..at));
    above.chain([directory])
}

/// Writes one tree, unless it is here whole.
fn write(
    repo: &Repository,
    durable: &Durable<'_>,
    mut entries: Vec<Entry>,
) -> gix::Result<ObjectId> {
    entries.sort();
    let mut bytes = Vec::new();
    let tree = Tree { entries };
    tree.write_to(&mut bytes).map_err(gix::Error::from_error)?;
    let id = gix::objs::compute_hash(repo.gix.object_hash(), Kind::Tree, &bytes)?;
    match repo.object(&from_gix(&id)) {
        Ok(Some(_)) => Ok(id),
        Ok(None) | Err(_) => durable.write(Kind::Tree, &bytes),
    }
}
