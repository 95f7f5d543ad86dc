//! The questions that are asked of a repository.

use crate::model::claim::evidence::Reason;
use crate::model::ids::Oid;
use crate::model::repository::{Commit, TreeEntry};

/// Why an object cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lack {
    /// It is not here: the clone is shallow or partial, or it was lost.
    Missing,
    /// It is larger than what was asked for.
    TooLarge,
    /// It is here and is not what it should be.
    Unreadable,
}

impl Lack {
    /// Returns what that means for a statement.
    pub(crate) const fn reason(self) -> Reason {
        match self {
            Self::Missing => Reason::MissingObject,
            Self::TooLarge => Reason::Limit,
            Self::Unreadable => Reason::CoverageIncomplete,
        }
    }
}

/// Git's objects, read only. What is given was hashed, so that it is what its id names.
pub(crate) trait Tree {
    /// Lists the entries of a tree, in the order of git.
    fn entries(&self, tree: &Oid) -> Result<Vec<TreeEntry>, Lack>;
    /// Reads a blob of at most so many bytes; its size is known before it is inflated.
    fn blob(&self, id: &Oid, most: u64) -> Result<Vec<u8>, Lack>;
    /// Reads a commit.
    fn commit(&self, id: &Oid) -> Result<Commit, Lack>;
    /// Says whether a commit is another one or an ancestor of it.
    fn is_ancestor(&self, older: &Oid, newer: &Oid) -> Result<bool, Lack>;
}
