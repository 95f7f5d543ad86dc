//! The state of a workspace (DESIGN section 6): every byte read once, nothing written, no process
//! started. Beside it the glance, which is no state and may believe stat data.

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
mod glance;
mod ignores;
pub(super) mod index;
pub(super) mod lfs;
pub(super) mod listing;
pub(super) mod mapping;
pub(super) mod names;
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
use crate::model::state::{Glance, State, StateError};

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

    /// Glances at the work tree: what git saw unchanged is believed and not read.
    pub(crate) fn glance(&self) -> Result<Glance, StateError> {
        let fresh = self
            .reopened()
            .map_err(|cause| unreadable(Box::new(cause)))?;
        settled(&fresh, || glance::take(&fresh))
    }
}

/// Takes the state of a repository that lies `depth` submodules deep.
fn of(repository: &Repository, depth: usize) -> Result<State, StateError> {
    settled(repository, || taking::take(repository, depth))
}

/// Looks twice if a file changes meanwhile, whose path comes instead.
fn settled<T>(
    repository: &Repository,
    take: impl Fn() -> Result<Result<T, String>, Cause>,
) -> Result<T, StateError> {
    if repository.is_bare() {
        return Err(StateError::Bare);
    }
    let mut changed = String::new();
    for _ in 0..2 {
        match take().map_err(unreadable)? {
            Ok(taken) => return Ok(taken),
            Err(path) => changed = path,
        }
    }
    Err(StateError::Unstable { path: changed })
}

/// Makes the error for what could not be read.
fn unreadable(cause: Cause) -> StateError {
    StateError::Unreadable { cause }
}
