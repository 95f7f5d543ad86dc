//! Private checkouts (DESIGN section 9): one tree written to a directory of its own from objects
//! alone, and judged by what lies there.
//!
//! No hook, no filter driver and no setting takes part: only the tracked attributes (D17). There
//! is no repository in it, so nothing that a check does there can reach the user's.

mod files;
mod large;
mod plans;
mod source;
mod submodules;
#[cfg(test)]
mod tests;
mod write;

use std::path::{Path, PathBuf};

use super::open::Repository;
use super::state::part::{Found, Part};
use super::watch::{Root, Watch, outwait};
use crate::model::checkout::{CheckoutError, Lack, Staged, Wanted};
use crate::model::files::File;
use crate::model::ids::Oid;
use crate::model::state::{Flag, State, StateError};

/// Says whether we were told to stop.
pub(crate) type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// A checkout that was written.
#[derive(Debug)]
pub(crate) struct Checkout {
    /// Its top.
    top: PathBuf,
    /// What was written.
    part: Part,
    /// The commit that the audit hangs on.
    head: Option<Oid>,
    /// Its state when it was written.
    before: State,
    /// What its tree names and it has not.
    lacks: Vec<Lack>,
    /// Its files as they were looked at last.
    watch: Watch,
}

impl Repository {
    /// Reads what is staged; nothing is written.
    pub(crate) fn staged(&self) -> Result<Staged, CheckoutError> {
        let fresh = self.reopened().map_err(CheckoutError::broken)?;
        let listing = source::of_index(&fresh)?;
        let tree = source::tree_of(&listing)?;
        let plans = plans::of(&listing, &fresh.gix);
        let asked = listing.entries().iter().filter(|_| !plans.is_empty());
        let files = asked.map(|entry| {
            let (mode, id) = (entry.mode, super::oid(&entry.id));
            (entry.path.to_vec(), File { mode, id })
        });
        Ok(Staged {
            tree: super::oid(&tree),
            files: files.collect(),
            plans,
        })
    }

    /// Writes a checkout into `top`, an empty directory that nobody else may enter.
    ///
    /// What lies there afterwards is read again and must be the tree that is wanted.
    pub(crate) fn check_out(
        &self,
        wanted: &Wanted,
        top: &Path,
        stop: Stop<'_>,
    ) -> Result<Checkout, CheckoutError> {
        let mut lacks = Vec::new();
        let part = source::part(self, wanted, &mut lacks, stop)?;
        write::whole(&part, top, &mut lacks, stop)?;
        outwait(top).map_err(CheckoutError::broken)?;
        let mut roots = Vec::new();
        Root::add_part(&mut roots, &part, top, b"");
        let watch = Watch::of(roots);
        let found = part.found(top, self, wanted.head);
        let before = as_wanted(found.map_err(CheckoutError::broken)?, wanted)?;
        lacks.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(Checkout {
            top: top.to_owned(),
            part,
            head: wanted.head,
            before,
            lacks,
            watch,
        })
    }
}

impl Checkout {
    /// Returns its state when it was written.
    pub(crate) fn before(&self) -> &State {
        &self.before
    }

    /// Takes its state now; `repository` is the one it is of.
    pub(crate) fn state(&self, repository: &Repository) -> Result<State, StateError> {
        let fresh = repository.reopened();
        let fresh = fresh.map_err(|cause| StateError::Unreadable {
            cause: cause.into(),
        })?;
        let found = self.part.found(&self.top, &fresh, self.head)?;
        Ok(found.state)
    }

    /// Returns what watches its tracked files since it was made.
    pub(crate) fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Lists what its tree names and it has not.
    pub(crate) fn lacks(&self) -> &[Lack] {
        &self.lacks
    }
}

/// Refuses a checkout that is not what was wanted, by the names of its files.
///
/// Submodules that are not here are told, and flagged in the state; they are no refusal.
fn as_wanted(found: Found, wanted: &Wanted) -> Result<State, CheckoutError> {
    let Found { state, differing } = found;
    let mut paths: Vec<String> = Vec::new();
    for (flag, noted) in state.disqualifying() {
        match flag {
            Flag::SubmoduleAbsent | Flag::SubmoduleDirty | Flag::Replace | Flag::Grafts => {}
            Flag::Absent
            | Flag::AssumeUnchanged
            | Flag::CaseCollision
            | Flag::EmptyDirectory
            | Flag::Eol
            | Flag::Filtered
            | Flag::IntentToAdd
            | Flag::LfsPointer
            | Flag::LinkOutside
            | Flag::Modes
            | Flag::Nested
            | Flag::OwnWorktree
            | Flag::Renormalise
            | Flag::SkipWorktree
            | Flag::Special
            | Flag::Touched
            | Flag::Unmerged
            | Flag::Unreadable
            | Flag::Unsupported => {
                paths.extend(noted.paths.iter().map(|path| told(path, flag.as_str())));
            }
        }
    }
    let strange = differing.iter().map(|path| {
        told(
            &crate::model::text::path(path),
            "git would not store it as it is",
        )
    });
    paths.extend(strange);
    paths.extend(state.untracked.noted.paths.iter().cloned());
    paths.sort();
    if !paths.is_empty() {
        return Err(CheckoutError::Unserved { paths });
    }
    if state.tree != wanted.tree {
        return Err(CheckoutError::broken("what was written is another tree"));
    }
    Ok(state)
}

/// Writes a path with the reason why it cannot be held.
fn told(path: &str, why: &str) -> String {
    format!("{path} ({why})")
}
