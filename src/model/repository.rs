//! What the engine asks of a repository and a clone, as plain data.

use super::ids::{Digest, InstanceId, LedgerId, Oid, PlanName};

/// The reference of the ledger, here and at a remote.
pub(crate) const LEDGER: &str = "refs/notes/plan-audit";

/// Names what a remote had of the ledger when it was asked last.
pub(crate) fn ledger_of(remote: &str) -> String {
    format!("refs/plan-audit/remotes/{remote}/notes")
}

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
    /// The tips of the ledger that trailers of its message name.
    pub(crate) anchors: Vec<Oid>,
}

/// The key of the trailer that names a tip of the ledger (DESIGN 7.3).
pub(crate) const ANCHOR: &str = "Plan-Audit-Ledger";

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
    /// How certain it is that the project means this one.
    pub(crate) certainty: Certainty,
}

/// How certain it is that a trust point is the one that a project means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Certainty {
    /// The user named it, or the remote named its default branch when this clone was made.
    Named,
    /// It is the only branch with a usual name. Whoever may push a new branch can make one where
    /// the project has none.
    Usual,
    /// There are two branches with usual names, and nothing says which.
    Torn,
}

/// What a person accepted in a clone of all that carries trust at the trust point: signers,
/// settings, policies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Accepted {
    /// There was nothing, and so nobody was listed.
    Nothing,
    /// What has this digest.
    Files(Digest),
}

impl Accepted {
    /// Takes what a trust point carries, by digest.
    pub(crate) fn of(files: Option<Digest>) -> Self {
        files.map_or(Self::Nothing, Self::Files)
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
