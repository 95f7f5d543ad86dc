//! Objects that the state leans on, believed only if they hash to their name.
//!
//! gix does not recompute the id of what it reads, and a loose object is a file that anybody may
//! write: a forged one would vouch for bytes that no checkout writes.

use gix::ObjectId;
use gix::objs::{self, Find as _, Kind, TreeRefIter, compute_hash};

/// Reads objects of one repository, in one thread.
#[derive(Debug)]
pub(in crate::git) struct Blobs<'a> {
    /// The repository.
    repository: &'a gix::Repository,
    /// The tree of HEAD.
    head: Option<ObjectId>,
}

impl<'a> Blobs<'a> {
    /// Reads from a repository whose HEAD has this tree.
    pub(in crate::git) fn new(repository: &'a gix::Repository, head: Option<ObjectId>) -> Self {
        Self { repository, head }
    }

    /// Reads a blob; none if it is not here or not what its name says.
    pub(in crate::git) fn blob(&self, id: &ObjectId) -> Option<Vec<u8>> {
        object(self.repository, id, Kind::Blob)
    }

    /// Returns the size that is claimed for an object, without reading it.
    pub(in crate::git) fn size(&self, id: &ObjectId) -> Option<u64> {
        let header = self.repository.find_header(*id).ok()?;
        Some(header.size())
    }

    /// Finds the blob of HEAD at a path.
    pub(super) fn in_head(&self, path: &[u8]) -> Option<ObjectId> {
        let mut id = self.head?;
        let mut names = path.split(|byte| *byte == b'/').peekable();
        while let Some(name) = names.next() {
            let tree = object(self.repository, &id, Kind::Tree)?;
            let mut entries = TreeRefIter::from_bytes(&tree, id.kind()).filter_map(Result::ok);
            let entry = entries.find(|entry| entry.filename == name)?;
            let fits = entry.mode.is_tree() == names.peek().is_some();
            id = entry.oid.to_owned();
            if !fits {
                return None;
            }
        }
        Some(id)
    }
}

/// Reads an object of a kind; none if it is not here or not what its name says.
pub(in crate::git) fn object(
    repository: &gix::Repository,
    id: &ObjectId,
    kind: Kind,
) -> Option<Vec<u8>> {
    let mut buffer = Vec::new();
    let found = repository.objects.try_find(id, &mut buffer).ok()??;
    let is_true = found.kind == kind
        && compute_hash(id.kind(), kind, found.data).is_ok_and(|computed| computed == *id);
    is_true.then_some(buffer)
}

/// Returns the tree that a commit names; none if the commit cannot be believed.
pub(in crate::git) fn tree_of(repository: &gix::Repository, commit: &ObjectId) -> Option<ObjectId> {
    let bytes = object(repository, commit, Kind::Commit)?;
    objs::CommitRefIter::from_bytes(&bytes, commit.kind())
        .tree_id()
        .ok()
}
