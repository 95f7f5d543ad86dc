//! Reading and writing whole files so that a crash leaves the old text or the new one.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read as _, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::Path;

use nix::fcntl::OFlag;

use super::LocalError;

/// How much of a local file is read; none that we write comes near.
const LIMIT: u64 = 64 << 20;

/// Who may read a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Readers {
    /// Whoever the user's mask allows.
    Usual,
    /// Its owner alone.
    Owner,
    /// Whoever could read it before; of a new one, whoever the user's mask allows.
    Same,
}

/// Reads a regular file without following a link; none when there is no file. One beyond the limit
/// is an error: a part of it would say something else.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<u8>>, LocalError> {
    match open(path) {
        Ok(file) => bounded(file)
            .map(Some)
            .map_err(|error| unreadable(path, error)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, error)),
    }
}

/// Opens a regular file without blocking.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
    OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits())
        .open(path)
        .and_then(regular)
}

/// Demands that an open file is a regular one: a pipe would keep its reader waiting.
pub(super) fn regular(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    Err(io::Error::new(
        io::ErrorKind::InvalidInput,
        "not a regular file",
    ))
}

/// Reads an open file up to the limit.
fn bounded(file: File) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::new(io::ErrorKind::FileTooLarge, "too large");
    if file.metadata()?.len() > LIMIT {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let read = file.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if u64::try_from(read).is_ok_and(|read| read <= LIMIT) {
        Ok(bytes)
    } else {
        Err(too_large())
    }
}

/// Replaces a file: its new text is on disk under its name when this returns.
///
/// The text is written under a random name beside it and renamed, so that a link planted at
/// either name is never written through.
pub(crate) fn write(path: &Path, bytes: &[u8], readers: Readers) -> Result<(), LocalError> {
    let directory = path.parent().unwrap_or_else(|| Path::new("."));
    make_directory(directory)?;
    replace(path, directory, bytes, readers).map_err(|error| unwritable(path, error))
}

/// Writes beside, flushes, renames, flushes the directory.
fn replace(path: &Path, directory: &Path, bytes: &[u8], readers: Readers) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix(".new-")
        .tempfile_in(directory)?;
    file.write_all(bytes)?;
    let mode = match readers {
        Readers::Owner => None,
        Readers::Usual => Some(0o644),
        // What only some may read stays so.
        Readers::Same => Some(fs::metadata(path).map_or(0o644, |found| found.mode() & 0o777)),
    };
    if let Some(mode) = mode {
        file.as_file()
            .set_permissions(Permissions::from_mode(mode))?;
    }
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    File::open(directory)?.sync_all()
}

/// Makes a file in a directory of our own that nobody else reads.
pub(crate) fn write_plain(path: &Path, bytes: &[u8]) -> Result<(), LocalError> {
    fs::write(path, bytes).map_err(|error| unwritable(path, error))
}

/// Makes a directory and those above it, readable by their owner alone.
pub(crate) fn make_directory(path: &Path) -> Result<(), LocalError> {
    let mut builder = fs::DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(path);
    made.map_err(|error| unwritable(path, error))
}

/// Removes a file; one that is gone is no error.
pub(crate) fn remove(path: &Path) -> Result<(), LocalError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(path, error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Says that a file could not be read.
pub(super) fn unreadable(path: &Path, error: io::Error) -> LocalError {
    LocalError::Read {
        path: path.display().to_string(),
        cause: error.into(),
    }
}

/// Says that a file could not be written.
pub(super) fn unwritable(path: &Path, error: io::Error) -> LocalError {
    LocalError::Write {
        path: path.display().to_string(),
        cause: error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_comes_back_and_an_absent_one_is_none() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("a/b");

        write(&path, b"text", Readers::Owner).unwrap();

        assert_eq!(read(&path).unwrap(), Some(b"text".to_vec()));
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        assert_eq!(read(&scratch.path().join("c")).unwrap(), None);
    }

    #[test]
    fn a_file_beyond_the_limit_is_an_error_and_never_a_part_of_it() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("large");
        let file = File::create(&path).unwrap();
        file.set_len(LIMIT + 1).unwrap();
        assert!(read(&path).is_err());

        file.set_len(1024).unwrap();

        assert_eq!(read(&path).unwrap().map(|bytes| bytes.len()), Some(1024));
    }

    #[test]
    fn a_planted_link_is_replaced_and_never_followed() {
        let scratch = tempfile::tempdir().unwrap();
        let (victim, path) = (scratch.path().join("victim"), scratch.path().join("link"));
        fs::write(&victim, "mine").unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        assert!(read(&path).is_err());

        write(&path, b"text", Readers::Usual).unwrap();

        assert_eq!(fs::read(&victim).unwrap(), b"mine");
        assert_eq!(read(&path).unwrap(), Some(b"text".to_vec()));
    }
}
