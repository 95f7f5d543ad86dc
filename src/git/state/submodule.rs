//! Submodules: judged by the same rules, recursively.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use gix::ObjectId;
use gix::bstr::BString;
use gix::config::file::init::Options;

use super::listing::Entry;
use super::objects::tree_of;
use super::part::Part;
use crate::git::open::Repository;
use crate::git::plain;
use crate::model::state::{Flag, Noted, State};

/// How deep submodules may nest.
pub(in crate::git) const DEEPEST: usize = 8;

/// How submodules are judged.
#[derive(Debug)]
pub(super) enum Submodules<'a> {
    /// By the repositories in their directories.
    Opened {
        /// What came with the command line.
        command: Vec<BString>,
        /// How deep the repository around them lies.
        depth: usize,
    },
    /// By the trees that were written into their directories.
    Written(&'a BTreeMap<Vec<u8>, Part>),
}

/// What a submodule is to the repository around it.
#[derive(Debug)]
pub(super) struct Judged {
    /// The commit that git would record.
    pub(super) commit: ObjectId,
    /// What is odd about it.
    pub(super) flag: Option<Flag>,
    /// Whether it hides files.
    pub(super) hides: bool,
    /// What takes part in it and is in no tree.
    pub(super) beside: Vec<Flag>,
}

/// What takes part in checks and is in no tree.
const BESIDE: [Flag; 2] = [Flag::EmptyDirectory, Flag::LinkOutside];

/// Picks what takes part and is in no tree.
fn beside(flags: &BTreeMap<Flag, Noted>) -> Vec<Flag> {
    let met = BESIDE.into_iter().filter(|flag| flags.contains_key(flag));
    met.collect()
}

impl Submodules<'_> {
    /// Judges those of a repository that lies `depth` submodules deep.
    pub(super) fn of(repository: &Repository, depth: usize) -> Self {
        Self::Opened {
            command: repository.command.clone(),
            depth,
        }
    }

    /// Judges the directory of a submodule.
    pub(super) fn judge(&self, top: &Path, entry: &Entry) -> Judged {
        match self {
            Self::Opened { command, depth } => opened(top, entry, command, *depth),
            Self::Written(parts) => written(top, entry, parts),
        }
    }
}

/// Takes the commit that the index has for a submodule that cannot be read.
fn as_indexed(entry: &Entry, flag: Flag) -> Judged {
    Judged {
        commit: entry.id,
        flag: Some(flag),
        hides: false,
        beside: Vec::new(),
    }
}

/// Judges a submodule by the tree that was written into its directory; none is an absent one.
fn written(top: &Path, entry: &Entry, parts: &BTreeMap<Vec<u8>, Part>) -> Judged {
    let dir = top.join(OsStr::from_bytes(&entry.path));
    let Some(part) = parts.get(&*entry.path) else {
        return as_indexed(entry, absent(&dir));
    };
    match part.files_of_submodule(&dir) {
        Ok(files) => Judged {
            commit: entry.id,
            flag: (!files.is_clean).then_some(Flag::SubmoduleDirty),
            hides: files.hides,
            beside: beside(&files.flags),
        },
        Err(_) => as_indexed(entry, Flag::SubmoduleDirty),
    }
}

/// Flags the directory of a submodule that is not there.
///
/// Git sees no file in the place of an absent submodule, so one that is there is hidden.
fn absent(dir: &Path) -> Flag {
    let is_empty = std::fs::read_dir(dir).is_ok_and(|mut names| names.next().is_none());
    if is_empty {
        Flag::SubmoduleAbsent
    } else {
        Flag::SubmoduleDirty
    }
}

/// Judges a submodule by the repository in its directory.
fn opened(top: &Path, entry: &Entry, command: &[BString], depth: usize) -> Judged {
    let dir = top.join(OsStr::from_bytes(&entry.path));
    if std::fs::symlink_metadata(dir.join(".git")).is_err() {
        return as_indexed(entry, absent(&dir));
    }
    if !is_mapped(top, &entry.path) {
        // No clone would fill it, whatever lies here.
        return as_indexed(entry, Flag::SubmoduleAbsent);
    }
    match look(&dir, command, depth) {
        Some((commit, state, tree)) => Judged {
            commit,
            flag: (commit != entry.id || !is_clean(&state, tree)).then_some(Flag::SubmoduleDirty),
            hides: state.hidden.count > 0,
            beside: beside(&state.flags),
        },
        None => as_indexed(entry, Flag::SubmoduleDirty),
    }
}

/// Reads the commit, the state and the commit's tree of a submodule; none if anything cannot be
/// read.
fn look(dir: &Path, command: &[BString], depth: usize) -> Option<(ObjectId, State, ObjectId)> {
    if depth >= DEEPEST {
        return None;
    }
    let repository = Repository::open_submodule(dir, command).ok()?;
    let commit = repository.gix_id(&repository.follow("HEAD").ok()??)?;
    let tree = tree_of(&repository.gix, &commit)?;
    let state = super::of(&repository, depth + 1).ok()?;
    Some((commit, state, tree))
}

/// Says whether `.gitmodules` names a submodule at a path. An untracked one is an untracked file.
fn is_mapped(top: &Path, path: &[u8]) -> bool {
    let Ok(Some(bytes)) = plain::read(&top.join(".gitmodules")) else {
        return false;
    };
    let metadata = gix::config::file::Metadata::api();
    let Ok(file) = gix::config::File::from_bytes_no_includes(&bytes, metadata, Options::default())
    else {
        return false;
    };
    let mut sections = file.sections_by_name("submodule").into_iter().flatten();
    sections.any(|section| {
        section
            .value("path")
            .is_some_and(|value| value.as_slice() == path)
    })
}

/// Says whether a submodule is its commit and nothing else.
fn is_clean(state: &State, tree: ObjectId) -> bool {
    state.tree == crate::git::oid(&tree)
        && state.untracked.noted.count == 0
        && state.disqualifying().next().is_none()
}
