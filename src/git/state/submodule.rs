//! Submodules: judged by the same rules, recursively.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use gix::ObjectId;
use gix::bstr::BString;

use super::disk::{Disk, Found};
use super::listing::{Entry, Listing};
use super::mapping::Mapping;
use super::objects::{Blobs, tree_of};
use super::part::Part;
use crate::git::open::Repository;
use crate::git::plain;
use crate::model::ids::Digest;
use crate::model::state::{Flag, Noted, State};
use crate::wire::digest::sha256;

/// How deep submodules may nest.
pub(in crate::git) const DEEPEST: usize = 8;

/// Where submodules are named.
pub(in crate::git) const GITMODULES: &[u8] = b".gitmodules";

/// How submodules are judged.
#[derive(Debug)]
pub(super) enum Submodules<'a> {
    /// By the repositories in their directories.
    Opened {
        /// What came with the command line.
        command: Vec<BString>,
        /// How deep the repository around them lies.
        depth: usize,
        /// What `.gitmodules` says.
        mapped: Mapped,
    },
    /// By the trees that were written into their directories.
    Written(&'a BTreeMap<Vec<u8>, Part>),
}

/// What the tracked `.gitmodules` of a work tree says.
#[derive(Debug)]
pub(super) struct Mapped {
    /// What it says.
    mapping: Mapping,
    /// The digest of its bytes if they came from disk.
    digest: Option<Digest>,
}

impl Mapped {
    /// Reads the file from disk, or from the index where a sparse checkout leaves it out. One that
    /// is not tracked or no regular file says nothing; nor is it read where no submodule is.
    fn read(top: &Path, listing: &Listing, blobs: &Blobs<'_>) -> std::io::Result<Self> {
        let has_any = listing.entries().iter().any(Entry::is_gitlink);
        let entry = listing.steering(GITMODULES).filter(|_| has_any);
        let Some(entry) = entry else {
            return Ok(Self::of(None));
        };
        Ok(match Disk::at(top)?.look(GITMODULES) {
            Found::File(mut file) if file.size <= plain::LIMIT => {
                let mut buffer = Vec::new();
                let bytes = file.read_into(&mut buffer).ok();
                Self {
                    digest: bytes.map(sha256),
                    ..Self::of(bytes)
                }
            }
            Found::Missing if entry.is_skipped() => Self::of(blobs.blob(&entry.id).as_deref()),
            Found::Missing
            | Found::File(_)
            | Found::Directory
            | Found::Link(_)
            | Found::Special
            | Found::Unreadable => Self::of(None),
        })
    }

    /// Takes the bytes of the file.
    fn of(bytes: Option<&[u8]>) -> Self {
        Self {
            mapping: bytes.map_or_else(Mapping::nothing, Mapping::of),
            digest: None,
        }
    }
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
    pub(super) fn of(
        repository: &Repository,
        (top, listing): (&Path, &Listing),
        depth: usize,
    ) -> std::io::Result<Self> {
        Ok(Self::Opened {
            command: repository.command.clone(),
            depth,
            mapped: Mapped::read(top, listing, &Blobs::new(&repository.gix, None))?,
        })
    }

    /// Returns the digest of the bytes of `.gitmodules` if they were read from disk.
    pub(super) fn read_from_disk(&self) -> Option<Digest> {
        match self {
            Self::Opened { mapped, .. } => mapped.digest,
            Self::Written(_) => None,
        }
    }

    /// Judges the directory of a submodule.
    pub(super) fn judge(&self, top: &Path, entry: &Entry) -> Judged {
        match self {
            Self::Opened {
                command,
                depth,
                mapped,
            } => opened(top, entry, (command, &mapped.mapping), *depth),
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
fn opened(
    top: &Path,
    entry: &Entry,
    (command, mapping): (&[BString], &Mapping),
    depth: usize,
) -> Judged {
    let dir = top.join(OsStr::from_bytes(&entry.path));
    if std::fs::symlink_metadata(dir.join(".git")).is_err() {
        return as_indexed(entry, absent(&dir));
    }
    if mapping.name(&entry.path).is_err() {
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
    let commit = repository.gix.head_id().ok()?.detach();
    let tree = tree_of(&repository.gix, &commit)?;
    let state = super::of(&repository, depth + 1).ok()?;
    Some((commit, state, tree))
}

/// Says whether a submodule is its commit and nothing else.
fn is_clean(state: &State, tree: ObjectId) -> bool {
    state.tree == crate::git::oid(&tree)
        && state.untracked.noted.count == 0
        && state.disqualifying().next().is_none()
}
