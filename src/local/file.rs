//! Reading and writing small files so that a crash leaves the old or the new one, never a half.

use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;

/// The greatest local file that is read.
pub(crate) const MAX: u64 = 16 * 1024 * 1024;

/// Who may read a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// The owner only.
    Private,
    /// Everybody whom the directory lets in.
    Shared,
}

/// Whether a file may be there already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Existing {
    /// It is replaced.
    Replace,
    /// It is an error.
    Refuse,
}

/// Why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FileError {
    /// It cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// It cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// It is not a regular file, or too large for one of ours.
    #[error("{} is not a file that this tool wrote", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A directory of ours is something else, such as a link to elsewhere.
    #[error("{} is not a directory; it is left alone", path.display())]
    NotADirectory {
        /// The path.
        path: PathBuf,
    },
}

/// Makes `below`, a path of directories inside `base`, and returns it.
///
/// New directories are for the owner only. Nothing below `base` may be a link: whoever planted
/// it would choose where we write.
pub(crate) fn directory(base: &Path, below: &Path) -> Result<PathBuf, FileError> {
    let mut path = base.to_owned();
    for component in below.components() {
        path.push(component);
        let made = DirBuilder::new().mode(0o700).create(&path);
        if let Err(cause) = made {
            if cause.kind() != io::ErrorKind::AlreadyExists {
                return Err(FileError::Write { path, cause });
            }
            let is_directory = path.symlink_metadata().is_ok_and(|found| found.is_dir());
            if !is_directory {
                return Err(FileError::NotADirectory { path });
            }
        } else {
            let above = path.parent().unwrap_or(&path);
            flush_directory(above).map_err(|cause| FileError::Write {
                path: above.to_owned(),
                cause,
            })?;
        }
    }
    Ok(path)
}

/// Writes a file durably and at once; a link in its place is replaced, never followed.
pub(crate) fn write(
    path: &Path,
    bytes: &[u8],
    access: Access,
    existing: Existing,
) -> Result<(), FileError> {
    write_io(path, bytes, access, existing).map_err(|cause| FileError::Write {
        path: path.to_owned(),
        cause,
    })
}

/// Writes a file durably and at once.
fn write_io(path: &Path, bytes: &[u8], access: Access, existing: Existing) -> io::Result<()> {
    let directory = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let mode = match access {
        Access::Private => 0o600,
        Access::Shared => 0o644,
    };
    let mut file = tempfile::Builder::new()
        .prefix(".new-")
        .permissions(Permissions::from_mode(mode))
        .tempfile_in(directory)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    let kept = match existing {
        Existing::Replace => file.persist(path),
        Existing::Refuse => file.persist_noclobber(path),
    };
    drop(kept.map_err(|failed| failed.error)?);
    flush_directory(directory)
}

/// Reads a regular file, not through a link; none if there is none.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    let unreadable = |cause| FileError::Read {
        path: path.to_owned(),
        cause,
    };
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits())
        .open(path);
    let file = match file {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(unreadable)?,
    };
    let found = file.metadata().map_err(unreadable)?;
    if !found.is_file() || found.len() > MAX {
        return Err(FileError::Foreign {
            path: path.to_owned(),
        });
    }
    let mut bytes = Vec::new();
    let read = file.take(MAX).read_to_end(&mut bytes);
    read.map_err(unreadable)?;
    Ok(Some(bytes))
}

/// Removes a file, durably; one that is gone already is no error.
pub(crate) fn remove(path: &Path) -> Result<(), FileError> {
    let removed = match std::fs::remove_file(path) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(()),
        removed => removed.and_then(|()| path.parent().map_or(Ok(()), flush_directory)),
    };
    removed.map_err(|cause| FileError::Write {
        path: path.to_owned(),
        cause,
    })
}

/// Flushes a directory.
fn flush_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn what_was_written_is_read_and_is_private_when_asked() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("file");

        write(&path, b"one", Access::Private, Existing::Refuse).unwrap();
        assert!(write(&path, b"two", Access::Private, Existing::Refuse).is_err());
        assert_eq!(read(&path).unwrap().unwrap(), b"one");
        write(&path, b"two", Access::Private, Existing::Replace).unwrap();

        assert_eq!(read(&path).unwrap().unwrap(), b"two");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(temp.path()).unwrap().count(), 1);
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert_eq!(read(&path).unwrap(), None);
    }

    #[test]
    fn a_planted_link_is_neither_read_nor_written_through() {
        let temp = tempfile::tempdir().unwrap();
        let victim = temp.path().join("victim");
        std::fs::write(&victim, "precious").unwrap();
        let path = temp.path().join("file");
        symlink(&victim, &path).unwrap();

        assert!(read(&path).is_err());
        write(&path, b"ours", Access::Private, Existing::Replace).unwrap();

        assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
        assert_eq!(read(&path).unwrap().unwrap(), b"ours");
    }

    #[test]
    fn a_planted_directory_link_is_refused() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(temp.path().join("elsewhere")).unwrap();
        symlink("elsewhere", temp.path().join("ours")).unwrap();

        let result = directory(temp.path(), Path::new("ours/heads"));

        assert!(
            matches!(result, Err(FileError::NotADirectory { .. })),
            "{result:?}"
        );
        assert_eq!(
            std::fs::read_dir(temp.path().join("elsewhere"))
                .unwrap()
                .count(),
            0
        );
    }

    #[test]
    fn a_pipe_is_refused_at_once() {
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("pipe");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();

        assert!(matches!(read(&path), Err(FileError::Foreign { .. })));
    }
}
