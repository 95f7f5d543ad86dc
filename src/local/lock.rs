//! Locks that the kernel releases when their holder dies; their files are never removed.
//!
//! So they are not called `*.lock`, which below `.git` means to people and scripts that git is at
//! work or has died.

use std::fs::{File, OpenOptions};
use std::io::{Seek as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;

use nix::errno::Errno;
use nix::fcntl::{Flock, FlockArg, OFlag};

use super::LocalError;
use super::file::{make_directory, unwritable};

/// A lock that is held until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    /// Held for what its drop does.
    _held: Flock<File>,
}

/// Takes a lock if nobody holds it.
pub(crate) fn take_now(path: &Path, purpose: &str) -> Result<Lock, LocalError> {
    match Flock::lock(open(path)?, FlockArg::LockExclusiveNonblock) {
        Ok(held) => Ok(signed(held, purpose)),
        Err((_, Errno::EWOULDBLOCK)) => Err(held_by(path)),
        Err((_, error)) => Err(unwritable(path, error.into())),
    }
}

/// Takes a lock, waiting at most so long.
///
/// The wait is the kernel's: a thread blocks in flock and the caller waits for it with a bound.
/// When the bound is over, the thread is left to end with the process.
pub(crate) fn take(path: &Path, purpose: &str, patience: Duration) -> Result<Lock, LocalError> {
    match take_now(path, purpose) {
        Err(LocalError::Held { .. }) => {}
        other => return other,
    }
    let file = open(path)?;
    let (sender, receiver) = mpsc::sync_channel(1);
    let waiter = move || drop(sender.send(wait(file)));
    std::thread::Builder::new()
        .spawn(waiter)
        .map_err(|error| unwritable(path, error))?;
    match receiver.recv_timeout(patience) {
        Ok(Ok(held)) => Ok(signed(held, purpose)),
        Ok(Err(error)) => Err(unwritable(path, error.into())),
        Err(_) => Err(held_by(path)),
    }
}

/// Blocks until the lock is ours; signals do not end the wait.
fn wait(mut file: File) -> Result<Flock<File>, Errno> {
    loop {
        match Flock::lock(file, FlockArg::LockExclusive) {
            Err((again, Errno::EINTR)) => file = again,
            Err((_, error)) => return Err(error),
            Ok(held) => return Ok(held),
        }
    }
}

/// Opens or makes the lock's file.
fn open(path: &Path) -> Result<File, LocalError> {
    make_directory(path.parent().unwrap_or_else(|| Path::new(".")))?;
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o644)
        .custom_flags(flags.bits())
        .open(path)
        .and_then(super::file::regular);
    opened.map_err(|error| unwritable(path, error))
}

/// Writes down who holds the lock, so that a waiter can name it; it is for messages only.
fn signed(mut held: Flock<File>, purpose: &str) -> Lock {
    let line = format!("process {} ({purpose})\n", std::process::id());
    let written = held.set_len(0).and_then(|()| held.rewind());
    drop(written.and_then(|()| held.write_all(line.as_bytes())));
    Lock { _held: held }
}

/// Says who holds a lock.
fn held_by(path: &Path) -> LocalError {
    let text = super::file::read(path).ok().flatten().unwrap_or_default();
    let text: String = String::from_utf8_lossy(&text).chars().take(200).collect();
    let holder = match text.trim() {
        "" => "another process".to_owned(),
        holder => crate::model::text::shown(holder),
    };
    LocalError::Held {
        path: path.display().to_string(),
        holder,
    }
}

/// The append lock of a clone.
pub(crate) fn append_path(common: &Path) -> PathBuf {
    common.join("append-lock")
}

/// The lock of `init` in a clone.
pub(crate) fn init_path(common: &Path) -> PathBuf {
    common.join("init-lock")
}

/// The audit lock of a work tree.
pub(crate) fn audit_path(git_dir: &Path) -> PathBuf {
    git_dir.join("plan-audit-audit-lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_taker_waits_and_learns_who_holds_it() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("x.lock");
        let first = take_now(&path, "first").unwrap();

        let second = take(&path, "second", Duration::from_millis(20));

        let Err(LocalError::Held { holder, .. }) = second else {
            panic!("{second:?}")
        };
        assert_eq!(holder, format!("process {} (first)", std::process::id()));
        drop(first);
        assert!(take(&path, "third", Duration::from_secs(5)).is_ok());
    }
}
