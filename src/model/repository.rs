//! What the engine asks of a repository and a clone, as plain data.

use super::ids::{Digest, InstanceId, LedgerId, Oid, PlanName};

/// A commit, as far as judging needs it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Commit {
    /// Its id.
    pub(crate) id: Oid,
    /// Its tree.
    pub(crate) tree: Oid,
    /// Its parents.
    pub(crate) parents: Vec<Oid>,
    /// First line of its message.
    pub(crate) subject: String,
}

/// What a tree holds under one name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TreeEntry {
    /// Its name, without directories.
    pub(crate) name: Vec<u8>,
    /// Its mode as git writes it, such as `0o100644`.
    pub(crate) mode: u32,
    /// Its object.
    pub(crate) id: Oid,
}

/// Where the trust point comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TrustRef {
    /// The revision as found or given, such as `refs/remotes/origin/main`.
    pub(crate) name: String,
    /// The commit it names.
    pub(crate) commit: Oid,
    /// Whether it is the first parent of the trust point, which is itself the judged commit.
    pub(crate) is_parent: bool,
}

/// The signers that a person accepted in a clone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Accepted {
    /// Nobody was listed.
    Nobody,
    /// This list.
    List(Digest),
}

impl Accepted {
    /// Takes what a trust point lists, by digest.
    pub(crate) fn of(list: Option<Digest>) -> Self {
        list.map_or(Self::Nobody, Self::List)
    }
}

/// Who this clone is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Identity {
    /// The ledger's id.
    pub(crate) ledger: LedgerId,
    /// This clone's id.
    pub(crate) instance: InstanceId,
}

/// Commits of a range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Walk {
    /// Their ids.
    pub(crate) commits: Vec<Oid>,
    /// Whether every parent was here (a shallow clone cuts them off).
    pub(crate) complete: bool,
}

/// Where the histories of two commits meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meeting {
    /// At this commit.
    At(Oid),
    /// Nowhere: they have no common ancestor.
    Nowhere,
    /// Not to be said here: the history is cut off before it.
    CutOff,
}

/// A plan file as found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlanFile {
    /// The plan's name.
    pub(crate) name: PlanName,
    /// Its path from the top of the tree.
    pub(crate) path: String,
    /// Its bytes, or why it cannot be a plan (a link, a directory, too large, unreadable).
    pub(crate) content: Result<Vec<u8>, String>,
}
