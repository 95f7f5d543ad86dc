//! The work tree as it lies on disk, read so that nothing can lead elsewhere or make us wait.
//!
//! Every directory is opened from its parent without following links, every file without blocking:
//! a path whose parent became a link counts as gone, as git has it.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat, readlinkat};
use nix::sys::stat::{FileStat, Mode, SFlag, fstat, fstatat};

/// How deep directories may nest; each level holds a descriptor open.
pub(in crate::git) const DEEPEST: usize = 512;

/// From this size on, holes are looked at.
const HOLLOW: i64 = 256 << 20;

/// What is on disk at a path.
#[derive(Debug)]
pub(super) enum Found {
    /// Nothing.
    Missing,
    /// A directory.
    Directory,
    /// A regular file, open.
    File(OpenFile),
    /// A link, by its text.
    Link(Vec<u8>),
    /// A FIFO, socket or device.
    Special,
    /// Something that may not be read.
    Unreadable,
}

/// A regular file, open and not yet read.
#[derive(Debug)]
pub(super) struct OpenFile {
    /// The descriptor.
    file: File,
    /// Its size when it was opened.
    pub(super) size: u64,
    /// Whether its owner may execute it.
    pub(super) is_executable: bool,
    /// Whether its mode is none that git can hold: execute bits of others alone, or set-id bits.
    pub(super) has_odd_mode: bool,
    /// Whether it claims far more than the disk holds of it.
    pub(super) is_hollow: bool,
}

/// Why a file could not be read to its end.
#[derive(Debug)]
pub(super) enum Reading {
    /// It changed meanwhile.
    Changed,
    /// It cannot be read.
    Unreadable,
}

/// A cursor into the work tree that keeps the directories on its way open.
#[derive(Debug)]
pub(in crate::git) struct Disk {
    /// The top.
    top: OwnedFd,
    /// The open directories below it, the deepest last.
    open: Vec<(Vec<u8>, OwnedFd)>,
    /// The last directory that was not there, so that its files are not asked for one by one.
    missing: Option<Vec<u8>>,
}

/// Why a directory cannot be entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::git) enum Barred {
    /// It is not there, or no directory.
    Missing,
    /// It may not be entered.
    Unreadable,
}

impl Disk {
    /// Opens the top of a work tree.
    pub(in crate::git) fn at(top: &Path) -> io::Result<Self> {
        let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_CLOEXEC;
        let top = nix::fcntl::open(top, flags, Mode::empty())?;
        Ok(Self {
            top,
            open: Vec::new(),
            missing: None,
        })
    }

    /// Looks at a path and opens what is there.
    pub(super) fn look(&mut self, path: &[u8]) -> Found {
        let (directory, name) = split(path);
        match self.enter(directory) {
            Ok(at) => look_in(at, name),
            Err(Barred::Missing) => Found::Missing,
            Err(Barred::Unreadable) => Found::Unreadable,
        }
    }

    /// Asks for the stat data of a path, of a link's own; none if there is none to have.
    pub(super) fn stat(&mut self, path: &[u8]) -> Option<FileStat> {
        let (directory, name) = split(path);
        let at = self.enter(directory).ok()?;
        fstatat(at, name, AtFlags::AT_SYMLINK_NOFOLLOW).ok()
    }

    /// Opens a directory by its path from the top.
    pub(in crate::git) fn enter(&mut self, directory: &[u8]) -> Result<BorrowedFd<'_>, Barred> {
        if self
            .missing
            .as_deref()
            .is_some_and(|m| is_at_or_below(directory, m))
        {
            return Err(Barred::Missing);
        }
        self.leave_to(directory);
        let mut reached = self.open.iter().map(|(name, _)| name.len() + 1).sum();
        while reached < directory.len() {
            let rest = directory.get(reached..).unwrap_or_default();
            let name = rest.split(|byte| *byte == b'/').next().unwrap_or_default();
            let end = reached + name.len();
            if let Err(barred) = self.step(name) {
                if barred == Barred::Missing {
                    self.missing = directory.get(..end).map(<[u8]>::to_vec);
                }
                return Err(barred);
            }
            reached = end + 1;
        }
        Ok(self.current())
    }

    /// Closes directories until what is open is a way to `directory`.
    fn leave_to(&mut self, directory: &[u8]) {
        let mut names = directory.split(|byte| *byte == b'/');
        let shared = self
            .open
            .iter()
            .take_while(|(name, _)| names.next() == Some(name))
            .count();
        self.open.truncate(shared);
    }

    /// Opens one directory below the current one.
    fn step(&mut self, name: &[u8]) -> Result<(), Barred> {
        if self.open.len() >= DEEPEST {
            return Err(Barred::Unreadable);
        }
        let opened = open_directory(self.current(), name)?;
        self.open.push((name.to_vec(), opened));
        Ok(())
    }

    /// Returns the deepest open directory.
    fn current(&self) -> BorrowedFd<'_> {
        self.open
            .last()
            .map_or(self.top.as_fd(), |(_, fd)| fd.as_fd())
    }
}

/// Splits a path into its directory, without the slash, and its name.
pub(in crate::git) fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => {
            let (directory, name) = path.split_at(slash);
            (directory, name.get(1..).unwrap_or_default())
        }
        None => (&[], path),
    }
}

/// Names a file in a directory.
pub(in crate::git) fn file_in(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if directory.is_empty() {
        name.to_vec()
    } else {
        [directory, b"/", name].concat()
    }
}

/// Says whether a path is a directory or lies below it.
fn is_at_or_below(path: &[u8], directory: &[u8]) -> bool {
    path.strip_prefix(directory)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

/// Opens a directory from its parent, never through a link.
pub(super) fn open_directory(at: BorrowedFd<'_>, name: &[u8]) -> Result<OwnedFd, Barred> {
    let flags = OFlag::O_RDONLY | OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
    openat(at, name, flags, Mode::empty()).map_err(|errno| {
        if [Errno::ENOENT, Errno::ENOTDIR, Errno::ELOOP].contains(&errno) {
            Barred::Missing
        } else {
            Barred::Unreadable
        }
    })
}

/// Looks at a name in an open directory.
pub(super) fn look_in(at: BorrowedFd<'_>, name: &[u8]) -> Found {
    let flags = OFlag::O_RDONLY
        | OFlag::O_NOFOLLOW
        | OFlag::O_NONBLOCK
        | OFlag::O_NOCTTY
        | OFlag::O_CLOEXEC;
    match openat(at, name, flags, Mode::empty()) {
        Ok(fd) => opened(fd),
        Err(Errno::ENOENT | Errno::ENOTDIR) => Found::Missing,
        Err(Errno::ELOOP) => link(at, name),
        Err(_) => closed(at, name),
    }
}

/// Says what an open descriptor is.
fn opened(fd: OwnedFd) -> Found {
    let Ok(stat) = fstat(&fd) else {
        return Found::Unreadable;
    };
    match kind(&stat) {
        SFlag::S_IFREG => Found::File(OpenFile {
            file: File::from(fd),
            size: u64::try_from(stat.st_size).unwrap_or_default(),
            is_executable: Mode::from_bits_truncate(stat.st_mode).contains(Mode::S_IXUSR),
            has_odd_mode: has_odd_mode(Mode::from_bits_truncate(stat.st_mode)),
            is_hollow: is_hollow(&stat),
        }),
        SFlag::S_IFDIR => Found::Directory,
        _ => Found::Special,
    }
}

/// Says whether a mode is none that a checkout gives: somebody may execute it whom git would not
/// let, or it runs as somebody else.
pub(super) fn has_odd_mode(mode: Mode) -> bool {
    let others = Mode::S_IXGRP | Mode::S_IXOTH;
    let set_id = Mode::S_ISUID | Mode::S_ISGID;
    (mode.intersects(others) && !mode.contains(Mode::S_IXUSR)) || mode.intersects(set_id)
}

/// Says whether a file is large and almost all hole, which costs its maker nothing and a reader
/// hours.
fn is_hollow(stat: &FileStat) -> bool {
    stat.st_size > HOLLOW && stat.st_blocks.saturating_mul(512 * 64) < stat.st_size
}

/// Reads the text of a link.
fn link(at: BorrowedFd<'_>, name: &[u8]) -> Found {
    match readlinkat(at, name) {
        Ok(text) => Found::Link(OsString::into_vec(text)),
        Err(Errno::ENOENT) => Found::Missing,
        Err(_) => Found::Unreadable,
    }
}

/// Says what something is that cannot be opened.
fn closed(at: BorrowedFd<'_>, name: &[u8]) -> Found {
    match fstatat(at, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
        Ok(stat) => match kind(&stat) {
            SFlag::S_IFDIR => Found::Directory,
            SFlag::S_IFREG | SFlag::S_IFLNK => Found::Unreadable,
            _ => Found::Special,
        },
        Err(Errno::ENOENT | Errno::ENOTDIR) => Found::Missing,
        Err(_) => Found::Unreadable,
    }
}

/// Returns the type bits of a file.
pub(super) fn kind(stat: &FileStat) -> SFlag {
    SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT
}

impl OpenFile {
    /// Reads the whole file into a buffer that is used again and again; returns its bytes.
    ///
    /// A size other than at the opening means that somebody writes to it.
    pub(super) fn read_into<'b>(&mut self, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Reading> {
        let size = usize::try_from(self.size).map_err(|_| Reading::Unreadable)?;
        let wanted = size + 1;
        if buffer.len() < wanted {
            let more = wanted - buffer.len();
            buffer.try_reserve(more).map_err(|_| Reading::Unreadable)?;
            buffer.resize(wanted, 0);
        }
        let mut filled = 0;
        while let Some(rest) = buffer.get_mut(filled..wanted).filter(|r| !r.is_empty()) {
            match self.file.read(rest) {
                Ok(0) => break,
                // A regular file gives all it has at once: what fits exactly is the whole.
                Ok(n) if filled == 0 && n == size => {
                    filled = n;
                    break;
                }
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Reading::Unreadable),
            }
        }
        if filled != size {
            return Err(Reading::Changed);
        }
        buffer.get(..size).ok_or(Reading::Changed)
    }

    /// Reads the file piece by piece, each handed to `eat`.
    pub(super) fn stream(&mut self, mut eat: impl FnMut(&[u8])) -> Result<(), Reading> {
        let mut piece = vec![0; 1 << 20];
        let mut total = 0_u64;
        loop {
            match self.file.read(&mut piece) {
                Ok(0) if total == self.size => return Ok(()),
                Ok(0) => return Err(Reading::Changed),
                Ok(n) => {
                    total += u64::try_from(n).unwrap_or(u64::MAX);
                    if total > self.size {
                        return Err(Reading::Changed);
                    }
                    eat(piece.get(..n).unwrap_or_default());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return Err(Reading::Unreadable),
            }
        }
    }
}
