//! The state of a tree that was written to a directory of its own, with no repository in it.
//!
//! The same readers as for a work tree, with no setting and no attribute file but the tracked ones.
//! Ignore rules of the machine hide new files as they do in a work tree: they are told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gix::ObjectId;

use super::attribute_files::Shared;
use super::attributes::Outside;
use super::ignores::Ignores;
use super::listing::Listing;
use super::reader::Common;
use super::submodule::Submodules;
use super::taking::{self, Origin, Taken};
use super::{Cause, control, unreadable};
use crate::git::oid;
use crate::git::open::Repository;
use crate::model::ids::Oid;
use crate::model::state::{Flag, Noted, State, StateError};

/// A tree with all that is needed to write it and to judge what was written.
#[derive(Debug)]
pub(in crate::git) struct Part {
    /// Where its objects are.
    pub(in crate::git) objects: gix::ThreadSafeRepository,
    /// The directory that all work trees of that repository share.
    pub(in crate::git) common_dir: PathBuf,
    /// Its files.
    pub(in crate::git) listing: Listing,
    /// The tree that they give.
    pub(in crate::git) tree: ObjectId,
    /// Submodules that are here, by their paths.
    pub(in crate::git) submodules: BTreeMap<Vec<u8>, Self>,
}

/// Reads the ignore rules of the machine.
type Rules<'a> = &'a dyn Fn() -> Result<Ignores, Cause>;

/// What a written tree was found to be.
#[derive(Debug)]
pub(in crate::git) struct Found {
    /// Its state.
    pub(in crate::git) state: State,
    /// Tracked paths that are not what the tree has.
    pub(in crate::git) differing: Vec<Arc<[u8]>>,
}

/// What lies in the directory of a submodule.
#[derive(Debug)]
pub(super) struct Files {
    /// Whether it is the tree and nothing else.
    pub(super) is_clean: bool,
    /// Whether files are hidden in it.
    pub(super) hides: bool,
    /// What is odd about it.
    pub(super) flags: BTreeMap<Flag, Noted>,
}

impl Part {
    /// Returns a handle for reading its objects in this thread; replaced objects are not followed.
    pub(in crate::git) fn repository(&self) -> gix::Repository {
        let mut gix = self.objects.to_thread_local();
        gix.objects.ignore_replacements = true;
        gix
    }

    /// Takes the state of what was written to `top`; `head` and what steers git are those of the
    /// repository that the checkout is of.
    pub(in crate::git) fn found(
        &self,
        top: &Path,
        repository: &Repository,
        head: Option<Oid>,
    ) -> Result<Found, StateError> {
        let ignores = || Ignores::new(repository);
        let mut taken = self.settled(top, &ignores)?;
        let control = control::read(repository, &mut taken.flags).map_err(unreadable)?;
        let state = State {
            head,
            branch: None,
            tree: oid(&taken.tree),
            content: taken.content,
            index: taken.index,
            staged_tree: None,
            untracked: taken.untracked,
            hidden: taken.hidden,
            flags: taken.flags.noted(),
            control,
            aside: taken.aside,
        };
        Ok(Found {
            state,
            differing: taken.differing,
        })
    }

    /// Judges what lies in the directory of a submodule.
    pub(super) fn files_of_submodule(&self, top: &Path) -> Result<Files, StateError> {
        let taken = self.settled(top, &|| Ok(Ignores::nothing()))?;
        let flags = taken.flags.noted();
        let is_odd = flags.keys().any(|flag| flag.is_disqualifying());
        Ok(Files {
            is_clean: taken.tree == self.tree && taken.untracked.noted.count == 0 && !is_odd,
            hides: taken.hidden.count > 0,
            flags,
        })
    }

    /// Reads everything, twice if something changes meanwhile.
    fn settled(&self, top: &Path, ignores: Rules<'_>) -> Result<Taken, StateError> {
        let mut changed = String::new();
        for _ in 0..2 {
            let ignores = ignores().map_err(unreadable)?;
            match self.take(top, ignores).map_err(unreadable)? {
                Ok(taken) => return Ok(taken),
                Err(path) => changed = path,
            }
        }
        Err(StateError::Unstable { path: changed })
    }

    /// Reads everything once.
    fn take(&self, top: &Path, ignores: Ignores) -> Result<Result<Taken, String>, Cause> {
        let gix = self.repository();
        let (outside, shared) = (Outside::nothing(), Shared::default());
        let common = Common {
            top,
            listing: &self.listing,
            outside: &outside,
            shared: &shared,
            submodules: &Submodules::Written(&self.submodules),
            believes_modes: true,
            believes_links: true,
            kind: gix.object_hash(),
        };
        let origin = Origin {
            gix: &gix,
            common_dir: &self.common_dir,
            tree: Some(self.tree),
            ignores,
        };
        taking::files(origin, &common)
    }
}
