//! Locks between processes: `flock` on files that are never removed.
//!
//! The kernel frees a lock when its holder ends, however it ends, so no lock can go stale.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag};

use super::file::{self, FileError};
use super::places::Places;
use crate::model::text;

/// How long the append lock is waited for.
const APPEND_WAIT: Duration = Duration::from_mins(1);

/// How much of a holder's line is shown.
const HOLDER: u64 = 200;

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    /// The locked file; closing it frees the lock.
    _file: Flock<File>,
}

/// Why a lock was not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LockError {
    /// Somebody else holds it.
    #[error("{holder} holds {}", path.display())]
    Held {
        /// The lock file.
        path: PathBuf,
        /// Who, as they wrote it: `process 123 (audit)`.
        holder: String,
    },
    /// The file cannot be locked.
    #[error("cannot lock {}", path.display())]
    Unlockable {
        /// The lock file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// There is no place for it.
    #[error("there is no place for a lock")]
    Place(#[source] FileError),
}

/// Takes the lock under which this clone appends, waiting a bounded time.
pub(crate) fn append(places: &Places, command: &str) -> Result<Lock, LockError> {
    append_within(places, command, APPEND_WAIT)
}

/// Takes the append lock, waiting at most so long.
pub(crate) fn append_within(
    places: &Places,
    command: &str,
    wait: Duration,
) -> Result<Lock, LockError> {
    let directory = file::directory(places.common_git_dir(), Path::new("plan-audit"));
    let directory = directory.map_err(LockError::Place)?;
    take(&directory.join("lock"), command, wait)
}

/// Takes the lock of audits in this worktree without waiting.
pub(crate) fn audit(places: &Places, command: &str) -> Result<Lock, LockError> {
    let directory = file::directory(places.git_dir(), Path::new("plan-audit"));
    let directory = directory.map_err(LockError::Place)?;
    take(&directory.join("audit.lock"), command, Duration::ZERO)
}

/// Takes a lock and writes who holds it.
fn take(path: &Path, command: &str, wait: Duration) -> Result<Lock, LockError> {
    let deadline = Instant::now() + wait;
    let unlockable = |cause| LockError::Unlockable {
        path: path.to_owned(),
        cause,
    };
    loop {
        let file = open(path).map_err(unlockable)?;
        let left = deadline.saturating_duration_since(Instant::now());
        let locked = flock(file, left).map_err(unlockable)?;
        let Some(mut file) = locked else {
            return Err(LockError::Held {
                path: path.to_owned(),
                holder: holder(path),
            });
        };
        // Somebody may have removed the file while we waited: then another one is the lock.
        if is_at(&file, path) {
            sign(&mut file, command).map_err(unlockable)?;
            return Ok(Lock { _file: file });
        }
    }
}

/// Opens a lock file, not through a link.
fn open(path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .custom_flags(flags.bits())
        .open(path)
}

/// Locks a file; none when the time is over.
///
/// The kernel has no lock with a deadline, and polling starves the unlucky. So a thread waits in
/// the kernel's queue; when nobody waits for it any more, it gives the lock back at once.
fn flock(file: File, wait: Duration) -> io::Result<Option<Flock<File>>> {
    let file = match Flock::lock(file, FlockArg::LockExclusiveNonblock) {
        Ok(locked) => return Ok(Some(locked)),
        Err((file, Errno::EWOULDBLOCK)) => file,
        Err((_, errno)) => return Err(errno.into()),
    };
    if wait.is_zero() {
        return Ok(None);
    }
    let (sender, receiver) = mpsc::channel();
    std::thread::Builder::new().spawn(move || drop(sender.send(queue(file))))?;
    match receiver.recv_timeout(wait) {
        Ok(locked) => locked.map(Some),
        Err(_) => Ok(None),
    }
}

/// Waits in the kernel's queue.
fn queue(mut file: File) -> io::Result<Flock<File>> {
    loop {
        match Flock::lock(file, FlockArg::LockExclusive) {
            Ok(locked) => return Ok(locked),
            Err((again, Errno::EINTR)) => file = again,
            Err((_, errno)) => return Err(errno.into()),
        }
    }
}

/// Says whether the open file is the one that the path names.
fn is_at(file: &File, path: &Path) -> bool {
    let same = |open: std::fs::Metadata, named: std::fs::Metadata| {
        open.dev() == named.dev() && open.ino() == named.ino()
    };
    let named = path.symlink_metadata();
    file.metadata()
        .is_ok_and(|open| named.is_ok_and(|named| same(open, named)))
}

/// Writes who holds the lock, for the one who waits.
fn sign(file: &mut File, command: &str) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {} ({command})", std::process::id())
}

/// Reads who holds the lock, for a message only.
fn holder(path: &Path) -> String {
    let mut line = String::new();
    let read = open(path).and_then(|file| file.take(HOLDER).read_to_string(&mut line));
    match read {
        Ok(_) if !line.trim().is_empty() => text::shown(line.trim()),
        Ok(_) | Err(_) => "another process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::places::Environment;

    fn places(directory: &Path) -> Places {
        Places::new(directory, directory, &Environment::new())
    }

    #[test]
    fn a_waiter_gets_the_lock_when_it_is_dropped() {
        let temp = tempfile::tempdir().unwrap();
        let held = append(&places(temp.path()), "one").unwrap();

        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| append(&places(temp.path()), "two").map(drop));
            drop(held);

            waiter.join().unwrap().unwrap();
        });
        assert!(temp.path().join("plan-audit/lock").exists());
    }

    #[test]
    fn a_waiter_gives_up_in_time_and_names_the_holder() {
        let temp = tempfile::tempdir().unwrap();
        let held = append(&places(temp.path()), "audit").unwrap();
        let wait = Duration::from_millis(50);

        let error = append_within(&places(temp.path()), "seal", wait).unwrap_err();

        let expected = format!("process {} (audit) holds ", std::process::id());
        assert!(error.to_string().starts_with(&expected), "{error}");
        drop(held);
        append(&places(temp.path()), "seal").unwrap();
    }

    #[test]
    fn the_audit_lock_is_not_waited_for_and_is_per_worktree() {
        let temp = tempfile::tempdir().unwrap();
        let (one, two) = (temp.path().join("one"), temp.path().join("two"));
        for directory in [&one, &two] {
            std::fs::create_dir_all(directory).unwrap();
        }
        let held = audit(&places(&one), "audit").unwrap();

        assert!(matches!(
            audit(&places(&one), "audit"),
            Err(LockError::Held { .. })
        ));
        audit(&places(&two), "audit").unwrap();
        drop(held);
    }

    #[test]
    fn what_a_holder_wrote_cannot_move_the_cursor() {
        let temp = tempfile::tempdir().unwrap();
        let held = append(&places(temp.path()), "x\u{1b}[2J").unwrap();

        let error = append_within(&places(temp.path()), "y", Duration::ZERO).unwrap_err();

        assert!(error.to_string().contains("x\\u{1b}[2J"), "{error}");
        drop(held);
    }

    #[test]
    fn a_lock_file_that_was_replaced_is_not_the_lock() {
        let temp = tempfile::tempdir().unwrap();
        let held = append(&places(temp.path()), "one").unwrap();
        std::fs::remove_file(temp.path().join("plan-audit/lock")).unwrap();
        let other = append(&places(temp.path()), "two").unwrap();
        drop(held);

        let wait = Duration::from_millis(20);
        assert!(append_within(&places(temp.path()), "three", wait).is_err());
        drop(other);
    }

    #[test]
    fn a_link_in_place_of_the_lock_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        let victim = temp.path().join("victim");
        std::fs::write(&victim, "precious").unwrap();
        std::fs::create_dir_all(temp.path().join("plan-audit")).unwrap();
        std::os::unix::fs::symlink(&victim, temp.path().join("plan-audit/lock")).unwrap();

        assert!(append(&places(temp.path()), "x").is_err());
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
    }
}
