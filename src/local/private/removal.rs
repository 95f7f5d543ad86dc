//! Removing a tree that somebody else filled: no link is followed, no depth is too much, and
//! directories that may not be written are made writable first.
//!
//! A directory that is not empty is moved up before it is emptied, so that two descriptors are
//! open at most, however deep it lies.

use std::ffi::CString;
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};

use nix::NixPath;
use nix::dir::Dir;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{FchmodatFlags, Mode, SFlag, fchmodat, fstatat};
use nix::unistd::{UnlinkatFlags, unlinkat};

/// How many names are tried for a directory that is moved up.
const ATTEMPTS: u64 = 1000;

/// Removes everything in `root` but the file `kept`.
pub(super) fn empty_but(root: BorrowedFd<'_>, kept: &str) -> io::Result<()> {
    let mut next = 0;
    let mut pending: Vec<CString> = names(openat(root, ".", reading(), Mode::empty())?)?;
    pending.retain(|name| name.as_bytes() != kept.as_bytes());
    while let Some(name) = pending.pop() {
        if removed(root, name.as_c_str())? {
            continue;
        }
        let inside = open_writable(root, name.as_c_str())?;
        for below in names(inside.try_clone()?)? {
            if !removed(inside.as_fd(), below.as_c_str())? {
                make_writable(inside.as_fd(), below.as_c_str())?;
                pending.push(moved_up((inside.as_fd(), &below), root, &mut next)?);
            }
        }
        unlink_directory(root, name.as_c_str())?;
    }
    Ok(())
}

/// Removes a file; one that is gone is no error.
pub(super) fn unlink<P: ?Sized + NixPath>(at: BorrowedFd<'_>, name: &P) -> io::Result<()> {
    gone(unlinkat(at, name, UnlinkatFlags::NoRemoveDir))
}

/// Removes an empty directory; one that is gone is no error.
pub(super) fn unlink_directory<P: ?Sized + NixPath>(
    at: BorrowedFd<'_>,
    name: &P,
) -> io::Result<()> {
    gone(unlinkat(at, name, UnlinkatFlags::RemoveDir))
}

/// Takes what is gone for removed.
fn gone(result: nix::Result<()>) -> io::Result<()> {
    match result {
        Ok(()) | Err(Errno::ENOENT) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Removes a name unless it is a directory with something in it; says whether it is gone.
fn removed<P: ?Sized + NixPath>(at: BorrowedFd<'_>, name: &P) -> io::Result<bool> {
    if !is_directory(at, name)? {
        return unlink(at, name).map(|()| true);
    }
    match unlinkat(at, name, UnlinkatFlags::RemoveDir) {
        Ok(()) | Err(Errno::ENOENT) => Ok(true),
        Err(Errno::ENOTEMPTY | Errno::EEXIST) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Says whether a name is a directory and no link to one; what is gone is none.
fn is_directory<P: ?Sized + NixPath>(at: BorrowedFd<'_>, name: &P) -> io::Result<bool> {
    match fstatat(at, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
        Ok(stat) => Ok(SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT == SFlag::S_IFDIR),
        Err(Errno::ENOENT) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Opens a directory after it was made writable.
fn open_writable<P: ?Sized + NixPath>(at: BorrowedFd<'_>, name: &P) -> io::Result<OwnedFd> {
    make_writable(at, name)?;
    Ok(openat(at, name, reading(), Mode::empty())?)
}

/// Gives its owner all rights on a directory.
fn make_writable<P: ?Sized + NixPath>(at: BorrowedFd<'_>, name: &P) -> io::Result<()> {
    let stat = fstatat(at, name, AtFlags::AT_SYMLINK_NOFOLLOW)?;
    if Mode::from_bits_truncate(stat.st_mode).contains(Mode::S_IRWXU) {
        return Ok(());
    }
    Ok(fchmodat(
        at,
        name,
        Mode::S_IRWXU,
        FchmodatFlags::FollowSymlink,
    )?)
}

/// Moves a directory into `root` under a name that is free; returns the name.
fn moved_up(
    (at, name): (BorrowedFd<'_>, &CString),
    root: BorrowedFd<'_>,
    next: &mut u64,
) -> io::Result<CString> {
    for _ in 0..ATTEMPTS {
        let free = CString::new(format!("moved-{next}"))?;
        *next += 1;
        match renameat(at, name.as_c_str(), root, free.as_c_str()) {
            Ok(()) => return Ok(free),
            Err(Errno::ENOTEMPTY | Errno::EEXIST | Errno::ENOTDIR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Returns how directories are opened.
fn reading() -> OFlag {
    OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC
}

/// Lists the names in a directory.
fn names(directory: OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::from_fd(directory)?.iter() {
        let name = entry?.file_name().to_owned();
        if !matches!(name.as_bytes(), b"." | b"..") {
            names.push(name);
        }
    }
    Ok(names)
}
