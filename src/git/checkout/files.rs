//! Writing one file of a checkout: from its blob, through the conversions that tracked attributes
//! ask for, to a name that did not exist.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;

use nix::errno::Errno;
use nix::fcntl::{OFlag, openat};
use nix::sys::stat::Mode;
use nix::unistd::symlinkat;

use super::super::state::attribute_files::Shared;
use super::super::state::attributes::{Attributes, Outside};
use super::super::state::convert::{Conversion, Settings};
use super::super::state::disk::{Barred, Disk, file_in, split};
use super::super::state::lfs::{self, Pointer};
use super::super::state::listing::Entry;
use super::super::state::objects::Blobs;
use super::super::state::part::Part;
use super::large;
use super::write::Outcome;
use crate::model::checkout::Lack;
use crate::model::text;

/// Up to this size a blob is written: it is held in memory.
const LARGEST: u64 = 1 << 30;

/// Why a file was not written.
#[derive(Debug)]
pub(super) enum Failure {
    /// The system refused.
    Broken {
        /// The file.
        path: String,
        /// Why.
        cause: String,
    },
    /// There is something under its name.
    Taken {
        /// The file.
        path: String,
    },
    /// Its blob is not here, or not what its id says.
    Missing {
        /// The file and the blob.
        object: String,
    },
    /// It cannot be written as git would.
    Unserved {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
}

/// Writes files, in one thread.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    /// What is written.
    part: &'a Part,
    /// Where it lies in the whole checkout.
    prefix: &'a [u8],
    /// The objects.
    blobs: &'a Blobs<'a>,
    /// The tracked attributes.
    attributes: Attributes<'a>,
    /// The checkout so far.
    disk: Disk,
    /// What became of it.
    pub(super) outcome: Outcome,
}

impl<'a> Writer<'a> {
    /// Begins at the top.
    pub(super) fn new(
        part: &'a Part,
        (top, prefix): (&Path, &'a [u8]),
        (outside, shared): (&Outside, &'a Shared),
        blobs: &'a Blobs<'a>,
    ) -> std::io::Result<Self> {
        Ok(Self {
            part,
            prefix,
            blobs,
            attributes: Attributes::new(outside, shared, &part.listing),
            disk: Disk::at(top)?,
            outcome: Outcome::default(),
        })
    }

    /// Says whether the system refused something: then there is no use in going on.
    pub(super) fn is_broken(&self) -> bool {
        let mut failures = self.outcome.failures.iter();
        failures.any(|failure| matches!(failure, Failure::Broken { .. }))
    }

    /// Writes one entry, or notes why not. Submodules are directories, which are there.
    pub(super) fn entry(&mut self, entry: &Entry) {
        if entry.is_gitlink() {
            return;
        }
        if let Err(failure) = self.write(entry) {
            self.outcome.failures.push(failure);
        }
    }

    /// Writes a file or link.
    fn write(&mut self, entry: &Entry) -> Result<(), Failure> {
        let blob = self.blob(entry)?;
        if !entry.is_file() {
            return self.link(entry, &blob);
        }
        let at = self.attributes.at(&entry.path, &mut self.disk, self.blobs);
        if at.tracked.filter.is_some() {
            return self.large(entry, &at.tracked, &blob);
        }
        let kind = entry.id.kind();
        let bytes = if at.tracked.is_identity() {
            Ok(blob)
        } else {
            at.tracked.to_worktree(Settings::NEUTRAL, kind, &blob)
        };
        let bytes = bytes.map_err(|_| self.unserved(entry, "its conversion is not served"))?;
        self.file(entry, &bytes)
    }

    /// Reads the blob of an entry.
    fn blob(&self, entry: &Entry) -> Result<Vec<u8>, Failure> {
        let size = self.blobs.size(&entry.id);
        if size.is_some_and(|size| size > LARGEST) {
            return Err(self.unserved(entry, "larger than 1 GiB"));
        }
        self.blobs.blob(&entry.id).ok_or_else(|| Failure::Missing {
            object: format!("{} ({})", self.shown(entry), entry.id),
        })
    }

    /// Writes a file that is kept by Git LFS, or its pointer where the file is not here.
    fn large(
        &mut self,
        entry: &Entry,
        conversion: &Conversion,
        blob: &[u8],
    ) -> Result<(), Failure> {
        let filter = text::path(conversion.filter.as_deref().unwrap_or_default());
        let is_lfs = filter == "lfs" && conversion.is_identity_but_filter();
        let is_short = u64::try_from(blob.len()).is_ok_and(|length| length <= lfs::LONGEST);
        let pointer = Pointer::parse(blob).filter(|_| is_lfs && is_short);
        let Some(pointer) = pointer else {
            return Err(self.unserved(entry, &format!("filter={filter}")));
        };
        let mut file = self.create(entry)?;
        let filled = large::write(&self.part.common_dir, &pointer, &mut file);
        if filled.map_err(|cause| self.broken(entry, &cause))? {
            return Ok(());
        }
        let path = self.shown(entry);
        self.outcome.lacks.push(Lack {
            why: format!("LFS file {path}: its bytes are not in the local store of LFS"),
            remedy: "git lfs fetch".to_owned(),
            path,
        });
        file.write_all(blob)
            .map_err(|cause| self.broken(entry, &cause))
    }

    /// Writes a file.
    fn file(&mut self, entry: &Entry, bytes: &[u8]) -> Result<(), Failure> {
        let mut file = self.create(entry)?;
        file.write_all(bytes)
            .map_err(|cause| self.broken(entry, &cause))
    }

    /// Makes a new empty file.
    fn create(&mut self, entry: &Entry) -> Result<File, Failure> {
        let (directory, name) = split(&entry.path);
        let flags =
            OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let mode = Mode::from_bits_truncate(if entry.mode == 0o100_755 {
            0o755
        } else {
            0o644
        });
        let at = self.disk.enter(directory).map_err(errno);
        let made = at.and_then(|at| openat(at, name, flags, mode));
        made.map(File::from)
            .map_err(|errno| self.refused(entry, errno))
    }

    /// Writes a link. Git writes none without text, and the system takes none with a NUL.
    fn link(&mut self, entry: &Entry, target: &[u8]) -> Result<(), Failure> {
        if target.is_empty() || target.contains(&0) {
            return Err(self.unserved(entry, "a link to nowhere"));
        }
        let (directory, name) = split(&entry.path);
        let at = self.disk.enter(directory).map_err(errno);
        let made = at.and_then(|at| symlinkat(target, at, name));
        made.map_err(|errno| self.refused(entry, errno))
    }

    /// Says that the system refused.
    fn refused(&self, entry: &Entry, errno: Errno) -> Failure {
        if matches!(errno, Errno::EEXIST | Errno::ENOTDIR) {
            let path = self.shown(entry);
            return Failure::Taken { path };
        }
        self.broken(entry, &errno.into())
    }

    /// Says that the system refused, and why.
    fn broken(&self, entry: &Entry, cause: &std::io::Error) -> Failure {
        Failure::Broken {
            path: self.shown(entry),
            cause: cause.to_string(),
        }
    }

    /// Says that a file cannot be written as git would write it.
    fn unserved(&self, entry: &Entry, why: &str) -> Failure {
        Failure::Unserved {
            path: self.shown(entry),
            why: why.to_owned(),
        }
    }

    /// Shows the path of an entry from the top of the whole checkout.
    fn shown(&self, entry: &Entry) -> String {
        text::path(&file_in(self.prefix, &entry.path))
    }
}

/// Returns what the system says of a directory that cannot be entered.
fn errno(barred: Barred) -> Errno {
    match barred {
        Barred::Missing => Errno::ENOTDIR,
        Barred::Unreadable => Errno::EACCES,
    }
}
