//! Walking commits.

use std::io;

use gix::revision::walk::Sorting;

use super::objects::ObjectsError;
use super::oid;
use super::open::Repository;
use super::plain;
use crate::model::ids::Oid;
use crate::model::repository::Walk;

/// Why a walk ended early.
type Cause = Box<dyn std::error::Error + Send + Sync>;

impl Repository {
    /// Lists the commits that are reachable from `tip` and not from `stop`.
    ///
    /// The commit-graph file is not used: it is a file that anybody may write. In a shallow clone
    /// the walk ends at the commits that are cut off and says so.
    pub(crate) fn between(&self, tip: &Oid, stop: Option<&Oid>) -> Result<Walk, Cause> {
        let shallow = self.gix.shallow_commits()?;
        let walk = self
            .gix
            .rev_walk([gix::ObjectId::try_from(tip.as_bytes())?])
            .sorting(Sorting::BreadthFirst)
            .use_commit_graph(false)
            .with_hidden(
                stop.map(|stop| gix::ObjectId::try_from(stop.as_bytes()))
                    .transpose()?,
            )
            .all()?;
        let mut found = Walk {
            commits: Vec::new(),
            complete: true,
        };
        for commit in walk {
            let id = commit?.id;
            let is_cut = shallow.as_ref().is_some_and(|cut| cut.contains(&id));
            if is_cut && self.has_parents(&oid(&id))? {
                found.complete = false;
            }
            found.commits.push(oid(&id));
        }
        Ok(found)
    }

    /// Lists the commits that are being merged into HEAD, as git notes them down.
    pub(crate) fn merging(&self) -> io::Result<Vec<Oid>> {
        let path = self.git_dir().join("MERGE_HEAD");
        let bytes = plain::read(&path)?.unwrap_or_default();
        let lines = bytes
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty());
        let id = |line: &[u8]| {
            let id = std::str::from_utf8(line).ok().and_then(Oid::parse);
            id.ok_or_else(|| io::Error::other("MERGE_HEAD names no commit"))
        };
        lines.map(id).collect()
    }

    /// Says whether a commit that is here names parents. A root that is listed as cut off, as in a
    /// clone of depth 1, lacks nothing.
    pub(super) fn has_parents(&self, id: &Oid) -> Result<bool, ObjectsError> {
        let commit = self.commit(id)?.ok_or(ObjectsError::Missing { id: *id })?;
        Ok(!commit.parents.is_empty())
    }
}
