//! The tree of a notes ref: names of objects, split into directories of two digits at any depth.
//!
//! Git reads every mixture of depths; so does this. What is added goes where the tree already has
//! a directory for it, and into a new one once a level holds [`FULL`] names.

use std::collections::{BTreeMap, BTreeSet};

use gix::ObjectId;
use gix::objs::tree::{Entry, EntryKind};
use gix::objs::{Kind, Tree, TreeRef, WriteTo as _};

use super::super::durable::Durable;
use super::super::ids::from_gix;
use super::super::objects::ObjectsError;
use super::super::open::Repository;
use crate::ledger::notes::NoteEntry;
use crate::model::ids::Oid;

/// How many entries a level holds before new names get directories.
pub(super) const FULL: usize = 256;

/// How many entries one directory may hold to be read; git splits long before.
const MOST_IN_ONE: usize = 400_000;

/// How many notes a ledger may hold, and how many blobs and trees its history, to be read at all.
pub(super) const MOST: usize = 4_000_000;

/// How often directories are read under a further name: honest ledgers have none such, and a tree of
/// a few objects can hold itself more often than anybody can read.
const MOST_TWINS: usize = 1_000;

/// How many digits name a directory.
pub(super) const PAIR: usize = 2;

/// A notes tree in memory, read as far as needed.
#[derive(Debug)]
pub(super) struct Fanout<'a> {
    /// Where it is read from.
    repo: &'a Repository,
    /// The tree that it was, or is since it was written.
    top: ObjectId,
    /// The levels read so far, by the digits that lead to them.
    levels: BTreeMap<String, Level>,
}

/// One directory of the tree.
#[derive(Debug, Default)]
struct Level {
    /// What it holds, foreign things too: they are carried along.
    entries: Vec<Entry>,
    /// Whether it differs from what is stored.
    changed: bool,
}

impl<'a> Fanout<'a> {
    /// Begins with a stored tree, or with an empty one.
    pub(super) fn new(repo: &'a Repository, root: Option<&Oid>) -> Result<Self, ObjectsError> {
        let level = match root {
            Some(root) => Level {
                entries: read(repo, root)?,
                changed: false,
            },
            None => Level {
                entries: Vec::new(),
                changed: true,
            },
        };
        let top = root.and_then(|root| repo.gix_id(root));
        Ok(Self {
            repo,
            top: top.unwrap_or_else(|| repo.gix.object_hash().empty_tree()),
            levels: BTreeMap::from([(String::new(), level)]),
        })
    }

    /// Finds the note of an object, wherever it is.
    pub(super) fn find(&mut self, target: &Oid) -> Result<Option<Oid>, ObjectsError> {
        let hex = target.to_string();
        let found = self.place(&hex)?;
        Ok(found.note.map(|id| from_gix(&id)))
    }

    /// Makes a blob the note of an object, where its note is or where one belongs.
    pub(super) fn put(&mut self, target: &Oid, blob: ObjectId) -> Result<(), ObjectsError> {
        let hex = target.to_string();
        let place = self.place(&hex)?;
        let level = self.levels.entry(place.prefix).or_default();
        level.set(&place.name, EntryKind::Blob, blob);
        Ok(())
    }

    /// Writes what changed, innermost first, and returns the id of the top.
    pub(super) fn write(&mut self, durable: &Durable<'_>) -> gix::Result<ObjectId> {
        let mut prefixes: Vec<String> = self.levels.keys().cloned().collect();
        prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
        for prefix in prefixes {
            let Some(level) = self.levels.get_mut(&prefix).filter(|level| level.changed) else {
                continue;
            };
            let id = level.write(durable)?;
            match split_last(&prefix) {
                Some((parent, name)) => {
                    let parent = self.levels.entry(parent.to_owned()).or_default();
                    parent.set(name, EntryKind::Tree, id);
                }
                None => self.top = id,
            }
        }
        Ok(self.top)
    }

    /// Finds where the note of an object is, or where it belongs.
    fn place(&mut self, hex: &str) -> Result<Place, ObjectsError> {
        let mut prefix = String::new();
        loop {
            let rest = hex.get(prefix.len()..).unwrap_or_default().to_owned();
            let level = self.levels.entry(prefix.clone()).or_default();
            let note = level.blob(&rest);
            let pair = rest.get(..PAIR).unwrap_or_default().to_owned();
            let below = level.directory(&pair).filter(|_| rest.len() > PAIR);
            let next = format!("{prefix}{pair}");
            match (note, below) {
                (None, Some(id)) => self.load(&next, id)?,
                (None, None) if level.wants_directories() && rest.len() > PAIR => {
                    let name = rest.get(PAIR..).unwrap_or_default().to_owned();
                    return Ok(Place {
                        prefix: next,
                        name,
                        note,
                    });
                }
                (Some(_), _) | (None, None) => {
                    return Ok(Place {
                        prefix,
                        name: rest,
                        note,
                    });
                }
            }
            prefix = next;
        }
    }

    /// Reads a level unless it is here.
    fn load(&mut self, prefix: &str, id: ObjectId) -> Result<(), ObjectsError> {
        if !self.levels.contains_key(prefix) {
            let level = Level {
                entries: read(self.repo, &from_gix(&id))?,
                changed: false,
            };
            self.levels.insert(prefix.to_owned(), level);
        }
        Ok(())
    }
}

/// Where a note is or belongs.
#[derive(Debug)]
struct Place {
    /// The digits of the directories that lead to it.
    prefix: String,
    /// Its name there.
    name: String,
    /// The note that is there.
    note: Option<ObjectId>,
}

impl Level {
    /// Returns the blob of this name.
    fn blob(&self, name: &str) -> Option<ObjectId> {
        self.entries
            .iter()
            .find(|entry| entry.filename == name && entry.mode.is_blob())
            .map(|entry| entry.oid)
    }

    /// Returns the directory of this name.
    fn directory(&self, name: &str) -> Option<ObjectId> {
        self.entries
            .iter()
            .find(|entry| entry.filename == name && entry.mode.is_tree())
            .map(|entry| entry.oid)
    }

    /// Says whether a new name gets a directory here: directories are in use, or it is full.
    fn wants_directories(&self) -> bool {
        let is_pair = |entry: &Entry| entry.mode.is_tree() && is_hex(&entry.filename, PAIR);
        self.entries.len() >= FULL || self.entries.iter().any(is_pair)
    }

    /// Makes an object the only one of a name.
    fn set(&mut self, name: &str, kind: EntryKind, oid: ObjectId) {
        let same =
            |entry: &Entry| entry.filename == name && entry.oid == oid && entry.mode.kind() == kind;
        if self.entries.iter().any(same) {
            return;
        }
        self.entries.retain(|entry| entry.filename != name);
        self.entries.push(Entry {
            mode: kind.into(),
            filename: name.into(),
            oid,
        });
        self.entries.sort();
        self.changed = true;
    }

    /// Writes the level as a tree.
    fn write(&self, durable: &Durable<'_>) -> gix::Result<ObjectId> {
        let tree = Tree {
            entries: self.entries.clone(),
        };
        let mut bytes = Vec::new();
        tree.write_to(&mut bytes).map_err(gix::Error::from_error)?;
        durable.write(Kind::Tree, &bytes)
    }
}

/// Lists the notes below a tree, in the order of targets.
///
/// Names that are no object ids and entries that are no blobs are left out. A directory that
/// occurs twice is read once: that never happens in an honest ledger, and a tree that holds
/// itself over and over would be read without end.
pub(super) fn list(repo: &Repository, root: &Oid) -> Result<Vec<NoteEntry>, ObjectsError> {
    list_at_most(repo, root, MOST)
}

/// Lists the notes below a tree that holds at most so many, in all.
///
/// A directory that hangs under two names holds the notes of both, as for git; one that hangs under
/// very many is left out at some of them, which [`super::former`] tells.
fn list_at_most(
    repo: &Repository,
    root: &Oid,
    most: usize,
) -> Result<Vec<NoteEntry>, ObjectsError> {
    let digits = repo.gix.object_hash().len_in_hex();
    let mut notes = Vec::new();
    let mut seen = BTreeSet::from([*root]);
    let mut waiting = vec![(String::new(), *root)];
    let mut twins = Vec::new();
    let mut left = MOST_TWINS;
    while let Some((prefix, id)) = waiting.pop().or_else(|| twin(&mut twins, &mut left)) {
        if notes.len() + waiting.len() + twins.len() > most {
            return Err(ObjectsError::TooMany { id: *root, most });
        }
        for entry in read(repo, &id)? {
            let object = from_gix(&entry.oid);
            match Named::of(&prefix, &entry, digits) {
                Named::Directory(below) if seen.insert(object) => waiting.push((below, object)),
                Named::Directory(below) => twins.push((below, object)),
                Named::Note(target) => notes.push(NoteEntry {
                    target,
                    blob: object,
                }),
                Named::Nothing => {}
            }
        }
    }
    notes.sort();
    Ok(notes)
}

/// Takes a directory that was read elsewhere already, as often as that is done.
fn twin(twins: &mut Vec<(String, Oid)>, left: &mut usize) -> Option<(String, Oid)> {
    *left = left.checked_sub(1)?;
    twins.pop()
}

/// What an entry is by its name, below the digits that lead to its directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Named {
    /// A further directory, and the digits that lead to it.
    Directory(String),
    /// The note of an object.
    Note(Oid),
    /// Nobody's note, nor does one lie below it.
    Nothing,
}

impl Named {
    /// Says what an entry is, where ids have so many digits.
    pub(super) fn of(prefix: &str, entry: &Entry, digits: usize) -> Self {
        let rest = digits.saturating_sub(prefix.len());
        let name = format!("{prefix}{}", entry.filename);
        if entry.mode.is_tree() && rest > PAIR && is_hex(&entry.filename, PAIR) {
            return Self::Directory(name);
        }
        let is_note = entry.mode.is_blob() && is_hex(&entry.filename, rest);
        let target = is_note.then(|| Oid::parse(&name)).flatten();
        target.map_or(Self::Nothing, Self::Note)
    }
}

/// Says whether a name is so many lower-case hex digits.
pub(super) fn is_hex(name: &[u8], digits: usize) -> bool {
    name.len() == digits && name.iter().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// Splits the last pair of digits off a prefix; none for the top.
fn split_last(prefix: &str) -> Option<(&str, &str)> {
    prefix.split_at_checked(prefix.len().checked_sub(PAIR)?)
}

/// Reads the entries of a tree that must be here.
pub(super) fn read(repo: &Repository, id: &Oid) -> Result<Vec<Entry>, ObjectsError> {
    let (kind, bytes) = repo.object(id)?.ok_or(ObjectsError::Missing { id: *id })?;
    if kind != Kind::Tree {
        let (found, wanted) = (kind, Kind::Tree);
        return Err(ObjectsError::Kind {
            id: *id,
            found,
            wanted,
        });
    }
    let tree = TreeRef::from_bytes(&bytes, repo.gix.object_hash());
    let tree = tree.map_err(|cause| ObjectsError::Read { id: *id, cause })?;
    if tree.entries.len() > MOST_IN_ONE {
        let most = MOST_IN_ONE;
        return Err(ObjectsError::TooMany { id: *id, most });
    }
    Ok(tree.into_owned().entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;

    /// Makes a tree of so many notes, and returns its id.
    fn tree(world: &World, names: usize) -> Oid {
        let blob = world.git(&["rev-parse", "HEAD:file"]);
        let lines = (0..names).map(|n| format!("100644 blob {}\t{n:040x}\n", blob.trim()));
        std::fs::write(world.path("lines"), lines.collect::<String>()).unwrap();
        Oid::parse(world.git_from("lines", &["mktree"]).trim()).unwrap()
    }

    #[test]
    fn a_tree_of_too_many_names_is_an_error() {
        let world = World::new();
        let (some, many) = (tree(&world, 3), tree(&world, MOST_IN_ONE + 1));
        let repo = world.repository();

        assert_eq!(list(&repo, &some).unwrap().len(), 3);
        let error = list(&repo, &many).unwrap_err();

        assert!(matches!(error, ObjectsError::TooMany { .. }), "{error}");
    }

    #[test]
    fn trees_that_hold_too_many_notes_together_are_an_error() {
        let world = World::new();
        let digits = "0".repeat(37);
        let blob = world.git(&["rev-parse", "HEAD:file"]);
        let level = |n: usize| {
            let names = (0..n).map(|n| format!("100644 blob {}\t{n:x}{digits}\n", blob.trim()));
            std::fs::write(world.path("lines"), names.collect::<String>()).unwrap();
            world.git_from("lines", &["mktree"]).trim().to_owned()
        };
        let lines = format!(
            "040000 tree {}\t00\n040000 tree {}\t01\n",
            level(3),
            level(4)
        );
        std::fs::write(world.path("lines"), lines).unwrap();
        let top = Oid::parse(world.git_from("lines", &["mktree"]).trim()).unwrap();
        let repo = world.repository();

        assert_eq!(list_at_most(&repo, &top, 7).unwrap().len(), 7);

        assert!(list_at_most(&repo, &top, 2).is_err());
    }

    /// Makes a tree that holds objects under names.
    fn tree_of(world: &World, entries: &[(&str, &str, &str)]) -> String {
        let line = |(kind, id, name): &(&str, &str, &str)| {
            let mode = if *kind == "tree" { "040000" } else { "100644" };
            format!("{mode} {kind} {}\t{name}\n", id.trim())
        };
        let lines = entries.iter().map(line).collect::<String>();
        std::fs::write(world.path("lines"), lines).unwrap();
        world.git_from("lines", &["mktree"]).trim().to_owned()
    }

    #[test]
    fn a_directory_under_two_names_holds_the_notes_of_both() {
        let world = World::new();
        let blob = world.git(&["rev-parse", "HEAD:file"]);
        let rest = "1".repeat(38);
        let level = tree_of(&world, &[("blob", &blob, &rest)]);
        let top = tree_of(&world, &[("tree", &level, "00"), ("tree", &level, "d3")]);
        let repo = world.repository();

        let notes = list(&repo, &Oid::parse(&top).unwrap()).unwrap();

        let targets: Vec<String> = notes.iter().map(|note| note.target.to_string()).collect();
        assert_eq!(targets, [format!("00{rest}"), format!("d3{rest}")]);
    }
}
