//! The state of a workspace (DESIGN section 6): every byte read once, nothing written, no process
//! started.

pub(super) mod attribute_files;
pub(super) mod attributes;
mod content;
mod control;
mod control_keys;
pub(super) mod convert;
pub(super) mod disk;
pub(super) mod encoding;
mod file;
mod flags;
mod ignores;
pub(super) mod index;
pub(super) mod lfs;
pub(super) mod listing;
pub(super) mod objects;
mod own;
pub(super) mod part;
mod reader;
mod remarks;
pub(super) mod submodule;
mod taking;
mod tree;
mod view;
mod walk;

#[cfg(test)]
pub(super) mod tests;

use super::open::Repository;
use crate::model::state::{State, StateError};

/// A cause below an error.
type Cause = Box<dyn std::error::Error + Send + Sync>;

impl Repository {
    /// Takes the state of the work tree.
    ///
    /// The configuration is read anew, so that two states tell what changed between them. A file
    /// that changes while it is read is given a second chance, then there is no state.
    pub(crate) fn state(&self) -> Result<State, StateError> {
        let fresh = self
            .reopened()
            .map_err(|cause| unreadable(Box::new(cause)))?;
        of(&fresh, 0)
    }
}

/// Takes the state of a repository that lies `depth` submodules deep.
fn of(repository: &Repository, depth: usize) -> Result<State, StateError> {
    if repository.is_bare() {
        return Err(StateError::Bare);
    }
    let mut changed = String::new();
    for _ in 0..2 {
        match taking::take(repository, depth).map_err(unreadable)? {
            Ok(state) => return Ok(state),
            Err(path) => changed = path,
        }
    }
    Err(StateError::Unstable { path: changed })
}

/// Makes the error for what could not be read.
fn unreadable(cause: Cause) -> StateError {
    StateError::Unreadable { cause }
}
