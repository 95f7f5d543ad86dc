//! Walking commits: what is reachable, and where two lines of work met.
//!
//! gix walks; what it walks over is hashed here as it is read. Whoever can write the object
//! directory could else put another history under the id of a commit on the way, and with it
//! choose the fork point against which earlier contracts are judged. The commit-graph file is
//! not used for the same reason: it is an index that anybody may write. Of each commit gix is
//! shown the header alone, as git reads it.

use std::collections::BTreeSet;
use std::io;

use gix::objs::{Data, Find, Kind};
use gix::revision::plumbing::merge_base;
use gix::revwalk::Graph;
use gix::traverse::commit::Simple;
use gix::{ObjectId, oid};

use super::commit_header::Header;
use super::ids::from_gix;
use super::objects::ObjectsError;
use super::open::Repository;
use super::plain;
use crate::model::ids::Oid;
use crate::model::repository::Walk;

/// Why a walk ended early.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Commits for a walk: each is what its id says, and has no parents where the clone is cut off.
struct Commits<'a> {
    /// Where they are stored.
    repo: &'a Repository,
    /// Those whose parents are not here.
    cut: BTreeSet<ObjectId>,
}

impl<'a> Commits<'a> {
    /// Reads where the clone is cut off.
    fn of(repo: &'a Repository) -> gix::Result<Self> {
        let mut cut = BTreeSet::new();
        let listed = repo.gix.shallow_commits()?;
        // A root is listed too where the clone is as deep as that: nothing is missing there.
        for id in listed.iter().flat_map(|ids| ids.iter()) {
            let commit = repo.commit(&from_gix(id)).map_err(gix::Error::from_error)?;
            if commit.is_some_and(|commit| !commit.parents.is_empty()) {
                cut.insert(*id);
            }
        }
        Ok(Self { repo, cut })
    }

    /// Takes the parents of a commit away where the clone is cut off, as git does.
    fn seen_as(&self, id: &oid, mut header: Header) -> Header {
        if self.cut.contains(id) {
            header.parents.clear();
        }
        header
    }
}

impl Find for Commits<'_> {
    fn try_find<'b>(&self, id: &oid, buffer: &'b mut Vec<u8>) -> gix::Result<Option<Data<'b>>> {
        let found = self.repo.object(&from_gix(id));
        let Some((kind, bytes)) = found.map_err(gix::Error::from_error)? else {
            return Ok(None);
        };
        let header = Header::parse(&bytes, id.kind()).filter(|_| kind == Kind::Commit);
        *buffer = header.map_or(bytes, |header| self.seen_as(id, header).plain());
        Ok(Some(Data::new(buffer, kind, id.kind())))
    }
}

impl Repository {
    /// Lists the commits that are reachable from `tip` and not from `stop`.
    ///
    /// In a shallow clone the walk ends at the commits that are cut off and says so.
    pub(crate) fn between(&self, tip: &Oid, stop: Option<&Oid>) -> Result<Walk, Cause> {
        let commits = Commits::of(self)?;
        let stop = stop.map(|stop| ObjectId::try_from(stop.as_bytes()));
        let tip = ObjectId::try_from(tip.as_bytes())?;
        let walk = Simple::new([tip], &commits).hide(stop.transpose()?)?;
        let mut found = Walk {
            commits: Vec::new(),
            complete: true,
        };
        for commit in walk {
            let id = commit?.id;
            found.complete &= !commits.cut.contains(&id);
            found.commits.push(from_gix(&id));
        }
        Ok(found)
    }

    /// Finds the best common ancestor of two commits; none if they have none.
    pub(crate) fn merge_base(&self, one: &Oid, other: &Oid) -> Result<Option<Oid>, ObjectsError> {
        let walked = |cause| ObjectsError::History {
            one: *one,
            other: *other,
            cause,
        };
        let (first, second) = (self.must_have(one)?, self.must_have(other)?);
        let commits = Commits::of(self).map_err(walked)?;
        let bases = merge_base(first, &[second], &mut Graph::new(&commits, None));
        match bases.map_err(walked)? {
            Some(bases) => Ok(Some(from_gix(bases.first()))),
            None if commits.are_complete([first, second]) => Ok(None),
            None => Err(ObjectsError::CutOff {
                one: *one,
                other: *other,
            }),
        }
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

    /// Returns the gix id of a commit that must be here.
    fn must_have(&self, id: &Oid) -> Result<ObjectId, ObjectsError> {
        let is_here = self.commit(id)?.is_some();
        self.gix_id(id)
            .filter(|_| is_here)
            .ok_or(ObjectsError::Missing { id: *id })
    }
}

impl Commits<'_> {
    /// Says whether every ancestor of these commits is here.
    fn are_complete(&self, tips: [ObjectId; 2]) -> bool {
        let mut walk = Simple::new(tips, self);
        walk.all(|commit| commit.is_ok_and(|commit| !self.cut.contains(&commit.id)))
    }
}

#[cfg(test)]
mod tests;
