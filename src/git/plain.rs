//! Reading the plain files that steer git, so that none of them can make us wait or swell.
//!
//! A name may lead to a FIFO or a device: every file is opened without blocking, must be a regular
//! one, and is read up to a limit.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use crate::proc::file::open_regular;

/// How much of a file that steers git is read; no honest one comes near.
pub(super) const LIMIT: u64 = 16 << 20;

/// Reads a regular file, following links; none when there is no file.
///
/// A directory, FIFO, device or a file beyond [`LIMIT`] is an error.
pub(super) fn read(path: &Path) -> io::Result<Option<Vec<u8>>> {
    Ok(read_dated(path, LIMIT)?.map(|(bytes, _)| bytes))
}

/// Reads a regular file as [`read`] does, with a limit of its own and the second in which it was
/// modified last.
pub(super) fn read_dated(path: &Path, limit: u64) -> io::Result<Option<(Vec<u8>, i64)>> {
    match open_regular(path) {
        Ok(file) => bounded(file, limit).map(Some),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Says whether an error only means that nothing is there.
fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

/// Reads an open file up to a limit, in one piece if nobody writes to it.
fn bounded(file: File, limit: u64) -> io::Result<(Vec<u8>, i64)> {
    let metadata = file.metadata()?;
    let size = metadata.len().min(limit);
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(usize::try_from(size + 1).unwrap_or_default())?;
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).is_ok_and(|length| length <= limit) {
        return Ok((bytes, metadata.mtime()));
    }
    Err(io::Error::new(io::ErrorKind::FileTooLarge, "too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fifo_is_an_error_and_not_a_wait() {
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();

        assert!(read(&fifo).is_err());
        assert!(read(dir.path()).is_err());
        assert!(read(&dir.path().join("none")).unwrap().is_none());
    }
}
