//! Watching files for what their bytes do not tell: inode, change time and mode (D7).
//!
//! A file that was rewritten, replaced, or moved away and back has another face. A directory's
//! change time tells nothing by itself, since files that are ignored may come and go in it; but
//! coming and going sets its time of writing too, and moving the directory itself does not. In memory
//! (tmpfs, ramfs) the bytes are read too, since a write through a mapping leaves no time there.

mod roots;
#[cfg(test)]
mod tests;

use std::cell::RefCell;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::os::fd::BorrowedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use nix::fcntl::{AtFlags, OFlag, openat};
use nix::sys::stat::{FileStat, Mode, fstat, fstatat, mode_t};

use super::state::disk::{Disk, split};
use crate::model::ids::Digest;
use crate::wire::digest::Hasher;
use roots::Kind;
pub(super) use roots::Root;

/// How much of a file is read at once, in bytes.
const PIECE: usize = 1 << 16;
/// How long we wait at most for the clock of the file system to move on.
const PATIENCE: Duration = Duration::from_secs(3);

/// Files and directories that are watched.
#[derive(Debug)]
pub(crate) struct Watch {
    /// What is watched.
    roots: Vec<Root>,
    /// How it looked last, in the order of the roots.
    faces: RefCell<Vec<Face>>,
}

impl Watch {
    /// Begins to watch.
    pub(super) fn of(roots: Vec<Root>) -> Self {
        let faces = RefCell::new(faces(&roots));
        Self { roots, faces }
    }

    /// Counts what is looked at.
    pub(crate) fn count(&self) -> usize {
        self.roots.iter().map(|root| root.names.len()).sum()
    }

    /// Says whether what is watched lies in memory: there a write through a mapping leaves no time.
    pub(crate) fn is_in_memory(&self) -> bool {
        self.roots.iter().any(|root| root.is_in_memory)
    }

    /// Lists the paths that are no longer what they were at the last call, or when watching began:
    /// rewritten, replaced, moved away and back, or gone.
    pub(crate) fn touched(&self) -> Vec<Vec<u8>> {
        let now = faces(&self.roots);
        let before = self.faces.replace(now.clone());
        let paths = self.roots.iter().flat_map(Root::paths);
        let pairs = now.into_iter().zip(before);
        paths
            .zip(pairs)
            .filter(|(_, (now, before))| now.differs(*before))
            .map(|(path, _)| path)
            .collect()
    }
}

/// What tells one file or directory from another with the same content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Face {
    /// It is not there.
    Gone,
    /// A file or link, and what it holds where its marks do not tell of each write.
    File(Marks, Option<Digest>),
    /// A directory, and when a name came or went in it last.
    Directory(Marks, Time),
}

/// Seconds and nanoseconds.
type Time = (i64, i64);

/// Inode, mode and time of change.
type Marks = (u64, mode_t, Time);

impl Face {
    /// Looks at a file in an open directory.
    fn of_file(at: BorrowedFd<'_>, name: &[u8], is_in_memory: bool) -> Self {
        let stat = fstatat(at, name, AtFlags::AT_SYMLINK_NOFOLLOW);
        let content = if is_in_memory {
            content(at, name)
        } else {
            None
        };
        stat.map_or(Self::Gone, |stat| Self::File(marks(&stat), content))
    }

    /// Looks at an open directory.
    fn of_directory(at: BorrowedFd<'_>) -> Self {
        fstat(at).map_or(Self::Gone, |stat| {
            Self::Directory(marks(&stat), (stat.st_mtime, stat.st_mtime_nsec))
        })
    }

    /// Says whether this is another than before.
    fn differs(self, before: Self) -> bool {
        match (self, before) {
            (
                Self::Directory((inode, mode, changed), written),
                Self::Directory((old_inode, old_mode, old_changed), _),
            ) => {
                let was_moved = changed != written && changed != old_changed;
                (inode, mode) != (old_inode, old_mode) || was_moved
            }
            (now, before) => now != before,
        }
    }
}

/// Takes what tells files apart.
fn marks(stat: &FileStat) -> Marks {
    let changed = (stat.st_ctime, stat.st_ctime_nsec);
    (stat.st_ino, stat.st_mode, changed)
}

/// Returns the digest of what a regular file holds; none of a link, and of what cannot be read.
fn content(at: BorrowedFd<'_>, name: &[u8]) -> Option<Digest> {
    let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let mut file = File::from(openat(at, name, flags, Mode::empty()).ok()?);
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let (mut hasher, mut piece) = (Hasher::plain(), vec![0; PIECE]);
    loop {
        let count = file.read(&mut piece).ok()?;
        if count == 0 {
            return Some(hasher.finish());
        }
        hasher.update(piece.get(..count)?);
    }
}

/// Looks at everything once.
fn faces(roots: &[Root]) -> Vec<Face> {
    let mut faces = Vec::new();
    for root in roots {
        let mut disk = Disk::at(&root.top).ok();
        faces.extend(root.names.iter().map(|(path, kind)| {
            let (directory, name) = match kind {
                Kind::File => split(path),
                Kind::Directory => (path.as_slice(), &b""[..]),
            };
            let at = disk.as_mut().and_then(|disk| disk.enter(directory).ok());
            match (at, kind) {
                (None, _) => Face::Gone,
                (Some(at), Kind::File) => Face::of_file(at, name, root.is_in_memory),
                (Some(at), Kind::Directory) => Face::of_directory(at),
            }
        }));
    }
    faces
}

/// Returns once a change would get another time than anything that was written before the call.
///
/// File systems take their time from a clock that stands still for some milliseconds; a file that
/// is exchanged within the same tick would keep its face.
pub(super) fn outwait(top: &Path) -> io::Result<()> {
    let probe = top.with_file_name("tick");
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&probe)?;
    let time = |file: &File| {
        let metadata = file.metadata()?;
        Ok::<_, io::Error>((metadata.ctime(), metadata.ctime_nsec()))
    };
    let began = Instant::now();
    let first = time(&file)?;
    while time(&file)? == first && began.elapsed() < PATIENCE {
        file.write_all(b".")?;
    }
    std::fs::remove_file(&probe)
}
