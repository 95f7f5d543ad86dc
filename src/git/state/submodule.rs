//! Submodules: judged by the same rules, recursively.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use gix::ObjectId;
use gix::bstr::BString;
use gix::config::file::init::Options;

use super::listing::Entry;
use super::objects::tree_of;
use crate::git::open::Repository;
use crate::git::plain;
use crate::model::state::{Flag, State};

/// How deep submodules may nest.
const DEEPEST: usize = 8;

/// How submodules are judged.
#[derive(Clone, Debug)]
pub(super) struct Submodules {
    /// What came with the command line.
    pub(super) command: Vec<BString>,
    /// How deep the repository itself lies.
    pub(super) depth: usize,
}

/// What a submodule is to the repository around it.
#[derive(Debug)]
pub(super) struct Judged {
    /// The commit that git would record.
    pub(super) commit: ObjectId,
    /// What is odd about it.
    pub(super) flag: Option<Flag>,
    /// Its path, if it hides files.
    pub(super) hidden: Option<Vec<u8>>,
}

impl Submodules {
    /// Judges the directory of a submodule.
    pub(super) fn judge(&self, top: &Path, entry: &Entry) -> Judged {
        let dir = top.join(OsStr::from_bytes(&entry.path));
        let as_indexed = |flag| Judged {
            commit: entry.id,
            flag: Some(flag),
            hidden: None,
        };
        if std::fs::symlink_metadata(dir.join(".git")).is_err() {
            // Git sees no file in the place of an absent submodule, so one that is there is hidden.
            let is_empty = std::fs::read_dir(&dir).is_ok_and(|mut names| names.next().is_none());
            return as_indexed(if is_empty {
                Flag::SubmoduleAbsent
            } else {
                Flag::SubmoduleDirty
            });
        }
        if !is_mapped(top, &entry.path) {
            // No clone would fill it, whatever lies here.
            return as_indexed(Flag::SubmoduleAbsent);
        }
        match self.look(&dir) {
            Some((commit, state, tree)) => Judged {
                commit,
                flag: (commit != entry.id || !is_clean(&state, tree))
                    .then_some(Flag::SubmoduleDirty),
                hidden: (state.hidden.count > 0).then(|| [entry.path.as_slice(), b"/"].concat()),
            },
            None => as_indexed(Flag::SubmoduleDirty),
        }
    }

    /// Reads the commit, the state and the commit's tree of a submodule; none if anything cannot be
    /// read.
    fn look(&self, dir: &Path) -> Option<(ObjectId, State, ObjectId)> {
        if self.depth >= DEEPEST {
            return None;
        }
        let repository = Repository::open_submodule(dir, &self.command).ok()?;
        let commit = repository.gix.head_id().ok()?.detach();
        let tree = tree_of(&repository.gix, &commit)?;
        let state = super::of(&repository, self.depth + 1).ok()?;
        Some((commit, state, tree))
    }
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
