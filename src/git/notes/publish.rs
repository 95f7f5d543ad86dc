//! Moving the ref: compare-and-swap under git's own lock file, flushed before and after.

use std::error::Error as StdError;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use gix::ObjectId;
use gix::actor::Signature;
use gix::date::parse::TimeBuf;
use gix::lock::acquire::Fail;
use gix::refs::file::transaction::prepare::{MustNotExist, ReferenceOutOfDate};
use gix::refs::transaction::{PreviousValue, RefEdit};
use gix::refs::{FullName, Target};

use super::super::durable::{Durable, flush};
use super::super::open::Repository;
use super::super::sharing;
use super::REF;

/// A move of the ref.
#[derive(Debug)]
pub(super) struct Move<'a> {
    /// What it must name before; none if it must not exist.
    pub(super) from: Option<ObjectId>,
    /// What it names afterwards.
    pub(super) to: ObjectId,
    /// What the reflog says.
    pub(super) reason: &'a str,
    /// Who moves it.
    pub(super) by: &'a Signature,
    /// What must be on disk before the ref names it.
    pub(super) objects: &'a Durable<'a>,
    /// How long a lock file of somebody else is waited for.
    pub(super) patience: Duration,
}

/// What a first move makes beside the ref.
const MADE: [&str; 6] = [
    "refs/notes",
    "logs",
    "logs/refs",
    "logs/refs/notes",
    "logs/refs/notes/plan-audit",
    "refs/notes/plan-audit",
];

/// What became of a move.
#[derive(Debug)]
pub(super) enum Moved {
    /// The ref names the new commit, and that is on disk.
    Done,
    /// Somebody else moved it first.
    Lost,
    /// A lock file of somebody else stayed.
    Locked(PathBuf),
}

/// Why a move was not made.
pub(super) type MoveError = Box<dyn StdError + Send + Sync>;

impl Move<'_> {
    /// Makes the move.
    ///
    /// The objects are flushed under the lock, not before it: the time between reading the tip
    /// and taking the lock is when others win the race, and flushing is most of the work.
    pub(super) fn make(&self, repo: &Repository) -> Result<Moved, MoveError> {
        let refs = repo.refs();
        let common = repo.gix.common_dir();
        let fail = Fail::from(self.patience);
        let prepared = match refs.transaction().prepare([self.edit()?], fail, fail) {
            Ok(prepared) => prepared,
            Err(cause) => return refusal(common, cause),
        };
        self.objects.flush()?;
        let sharing = sharing::of(&repo.gix);
        sharing::adjust(sharing, &lock_path(common))?;
        flush(&lock_path(common))?;
        let mut time = TimeBuf::default();
        if let Err(cause) = prepared.commit(self.by.to_ref(&mut time)) {
            // What failed may have come after the rename; the ref itself is the judge.
            if repo.reference(REF)? != Some(Target::Object(self.to)) {
                return Err(Box::new(cause));
            }
        }
        for made in MADE {
            sharing::adjust(sharing, &common.join(made))?;
        }
        self.flush_directories(common)?;
        Ok(Moved::Done)
    }

    /// Returns the edit for gix.
    fn edit(&self) -> Result<RefEdit, MoveError> {
        let expected = match self.from {
            Some(from) => PreviousValue::MustExistAndMatch(Target::Object(from)),
            None => PreviousValue::MustNotExist,
        };
        let name = FullName::try_from(REF)?;
        Ok(RefEdit::update(name, self.to, expected, self.reason))
    }

    /// Flushes the directory of the ref, and the one above where it may be new.
    fn flush_directories(&self, common: &Path) -> io::Result<()> {
        flush(&common.join("refs").join("notes"))?;
        if self.from.is_none() {
            flush(&common.join("refs"))?;
        }
        Ok(())
    }
}

/// Tells a lost race and a lock in the way from what is broken.
fn refusal(common: &Path, cause: gix::Error) -> Result<Moved, MoveError> {
    let is_lost = cause.downcast_any_ref::<ReferenceOutOfDate>().is_some()
        || cause.downcast_any_ref::<MustNotExist>().is_some();
    if is_lost {
        return Ok(Moved::Lost);
    }
    let is_exists = |error: &(dyn StdError + 'static)| {
        let io = error.downcast_ref::<io::Error>();
        io.is_some_and(|io| io.kind() == io::ErrorKind::AlreadyExists)
    };
    if !cause.iter_errors().any(is_exists) {
        return Err(Box::new(cause));
    }
    Ok(standing(common).map_or(Moved::Lost, Moved::Locked))
}

/// Returns the lock file that keeps the ref from being moved now.
///
/// While `packed-refs.lock` is there, nobody can tell what the file beside it is about to say.
pub(super) fn standing(common: &Path) -> Option<PathBuf> {
    let mut locks = [lock_path(common), common.join("packed-refs.lock")].into_iter();
    locks.find(|lock| lock.symlink_metadata().is_ok())
}

/// Returns the path of the ref's lock file.
fn lock_path(common: &Path) -> PathBuf {
    common.join(format!("{REF}.lock"))
}
