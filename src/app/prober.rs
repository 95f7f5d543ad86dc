//! Claims are tested on the objects of the repository.

use std::rc::Rc;
use std::time::{Duration, Instant};

use super::session::Session;
use crate::engine::ports::{Commit, Meeting, Objects, Prober, Question, Taken, TreeEntry};
use crate::git::laid::Laid;
use crate::git::objects::ObjectsError;
use crate::git::open::Repository;
use crate::model::claim::evidence::Evidence;
use crate::model::files::Files;
use crate::model::ids::Oid;
use crate::preflight::{self, Lack, Limits, Snapshot, Tree};
use crate::proc::Interrupts;

/// How long one run may take (PREFLIGHT section 7).
const RUN: Duration = Duration::from_mins(2);

/// Tests claims until somebody tells this process to stop.
pub(super) struct ProberPort {
    repository: Rc<Repository>,
    interrupts: Interrupts,
}

impl ProberPort {
    /// Makes the port of a session.
    pub(super) fn of(session: &Session, interrupts: &Interrupts) -> Self {
        Self {
            repository: Rc::clone(&session.repository),
            interrupts: interrupts.clone(),
        }
    }
}

impl Prober for ProberPort {
    fn is_stopped(&self) -> bool {
        self.interrupts.came().is_some()
    }

    fn test(&self, commit: &Commit, questions: &[Question<'_>]) -> Vec<(Evidence, Taken)> {
        test(&*self.repository, commit, questions, &|| self.is_stopped())
    }

    fn test_files(
        &self,
        commit: &Commit,
        files: &Files,
        questions: &[Question<'_>],
    ) -> Vec<(Evidence, Taken)> {
        let repository = &*self.repository;
        let laid = Laid::of(repository, files);
        let tree = laid.as_ref().map_or(commit.tree, |laid| laid.top);
        let commit = Commit {
            tree,
            ..commit.clone()
        };
        let staged = Staged { repository, laid };
        test(&staged, &commit, questions, &|| self.is_stopped())
    }
}

/// Tests statements; once it is told to stop, it looks at no further file.
fn test(
    tree: &dyn Tree,
    commit: &Commit,
    questions: &[Question<'_>],
    is_stopped: &dyn Fn() -> bool,
) -> Vec<(Evidence, Taken)> {
    let begun = Instant::now();
    let is_late = || begun.elapsed() > RUN || is_stopped();
    let snapshot = Snapshot::new(tree, commit, Limits::USUAL, &is_late);
    let one = |question: &Question<'_>| {
        let earlier = question.earlier;
        let over = earlier
            .and_then(|earlier| preflight::taken_over(&snapshot, question.statement, earlier));
        match over {
            Some(evidence) => (evidence, Taken::Over),
            None => (preflight::test(&snapshot, question.statement), Taken::Anew),
        }
    };
    questions.iter().map(one).collect()
}

/// The repository, with trees that it does not hold yet.
struct Staged<'r> {
    repository: &'r Repository,
    laid: Option<Laid>,
}

impl Tree for Staged<'_> {
    fn entries(&self, tree: &Oid) -> Result<Vec<TreeEntry>, Lack> {
        match self.laid.as_ref().and_then(|laid| laid.entries(tree)) {
            Some(entries) => Ok(entries.to_vec()),
            None => Tree::entries(self.repository, tree),
        }
    }

    fn blob(&self, id: &Oid, most: u64) -> Result<Vec<u8>, Lack> {
        Tree::blob(self.repository, id, most)
    }

    fn commit(&self, id: &Oid) -> Result<Commit, Lack> {
        Tree::commit(self.repository, id)
    }

    fn is_ancestor(&self, older: &Oid, newer: &Oid) -> Result<bool, Lack> {
        Tree::is_ancestor(self.repository, older, newer)
    }
}

impl Tree for Repository {
    fn entries(&self, tree: &Oid) -> Result<Vec<TreeEntry>, Lack> {
        let entries = Self::entries(self, tree, "").map_err(|error| lack(&error))?;
        entries.ok_or(Lack::Missing)
    }

    fn blob(&self, id: &Oid, most: u64) -> Result<Vec<u8>, Lack> {
        let blob = self.blob_within(id, most).map_err(|error| lack(&error))?;
        blob.ok_or(Lack::Missing)
    }

    fn commit(&self, id: &Oid) -> Result<Commit, Lack> {
        let commit = Self::commit(self, id).map_err(|error| lack(&error))?;
        commit.ok_or(Lack::Missing)
    }

    fn is_ancestor(&self, older: &Oid, newer: &Oid) -> Result<bool, Lack> {
        if older == newer {
            return Ok(true);
        }
        Tree::commit(self, older)?;
        match Objects::merge_base(self, older, newer) {
            Ok(Meeting::At(base)) if base == *older => Ok(true),
            // Where the history is cut off, another base may hide a better one.
            Ok(Meeting::At(_) | Meeting::Nowhere) => {
                let walk = Objects::between(self, newer, None).map_err(|_| Lack::Unreadable)?;
                match (walk.commits.contains(older), walk.complete) {
                    (true, _) => Ok(true),
                    (false, true) => Ok(false),
                    (false, false) => Err(Lack::Missing),
                }
            }
            Ok(Meeting::CutOff) => Err(Lack::Missing),
            Err(_) => Err(Lack::Unreadable),
        }
    }
}

/// Says what an error of the repository means for a statement.
fn lack(error: &ObjectsError) -> Lack {
    match error {
        ObjectsError::Missing { .. } | ObjectsError::CutOff { .. } => Lack::Missing,
        ObjectsError::TooLarge { .. } | ObjectsError::TooMany { .. } => Lack::TooLarge,
        ObjectsError::Read { .. }
        | ObjectsError::Forged { .. }
        | ObjectsError::Kind { .. }
        | ObjectsError::Commit { .. }
        | ObjectsError::Tree { .. }
        | ObjectsError::Obstacle(_)
        | ObjectsError::Revision { .. }
        | ObjectsError::Uncertain { .. }
        | ObjectsError::Several(_)
        | ObjectsError::Ambiguous { .. }
        | ObjectsError::Reference { .. }
        | ObjectsError::Loop { .. }
        | ObjectsError::History { .. } => Lack::Unreadable,
    }
}
