//! What is judged: a tree, and its files once somebody asks for them.

use std::cell::OnceCell;

use super::ports::Objects;
use super::stop::Stop;
use crate::model::checkout::Staged;
use crate::model::files::Files;
use crate::model::ids::Oid;
use crate::model::state::State;

/// A tree with its files. That of a workspace is in no object store, and its files include those
/// that are not tracked.
#[derive(Debug)]
pub(crate) struct Place {
    tree: Oid,
    files: OnceCell<Files>,
}

impl Place {
    /// Takes a tree that is in the object store.
    pub(crate) const fn of_tree(tree: Oid) -> Self {
        Self {
            tree,
            files: OnceCell::new(),
        }
    }

    /// Takes the empty tree, which no repository needs to hold.
    pub(crate) fn empty(tree: Oid) -> Self {
        Self {
            tree,
            files: OnceCell::from(Files::new()),
        }
    }

    /// Takes what is staged: its tree need not be in the object store.
    pub(crate) fn of_staged(staged: Staged) -> Self {
        Self {
            tree: staged.tree,
            files: OnceCell::from(staged.files),
        }
    }

    /// Takes a state that was taken here.
    pub(crate) fn of_state(state: &State) -> Self {
        Self {
            tree: state.tree,
            files: OnceCell::from(state.files()),
        }
    }

    /// Returns the tree.
    pub(crate) const fn tree(&self) -> &Oid {
        &self.tree
    }

    /// Returns the files; they are read once.
    pub(crate) fn files(&self, objects: &dyn Objects) -> Result<&Files, Stop> {
        if let Some(files) = self.files.get() {
            return Ok(files);
        }
        let files = objects
            .files(&self.tree)
            .map_err(Stop::broken("list the files of a tree"))?;
        Ok(self.files.get_or_init(|| files))
    }
}
