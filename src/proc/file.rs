//! Files that are opened without the risk of waiting for ever: a FIFO or a terminal that took the
//! place of a file is refused, not read.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use nix::unistd::{AccessFlags, access};

/// Opens a regular file for reading; links are followed. Anything else is an error, at once.
pub(crate) fn open_regular(path: &Path) -> io::Result<File> {
    let flags = OFlag::O_NONBLOCK | OFlag::O_NOCTTY;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags.bits())
        .open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ))
    }
}

/// Says whether a path names a regular file that we may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    path.is_file() && access(path, AccessFlags::X_OK).is_ok()
}

/// Finds the first program of this name along directories; a name with a slash is never found.
pub(crate) fn find<'a>(
    name: &str,
    directories: impl IntoIterator<Item = &'a PathBuf>,
) -> Option<PathBuf> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    directories
        .into_iter()
        .map(|directory| directory.join(name))
        .find(|path| is_executable(path))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_fifo_in_the_place_of_a_file_is_refused_at_once() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("fifo");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();

        assert!(open_regular(&path).is_err());
    }

    #[test]
    fn only_an_executable_regular_file_is_a_program() {
        let home = tempfile::tempdir().unwrap();
        let [plain, program, directory] =
            ["plain", "program", "directory"].map(|name| home.path().join(name));
        std::fs::write(&plain, "x").unwrap();
        std::fs::write(&program, "x").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::create_dir_all(&directory).unwrap();
        let path = [home.path().to_path_buf()];

        assert_eq!(find("program", &path), Some(program));
        for name in ["plain", "directory", "missing", "./program", ""] {
            assert_eq!(find(name, &path), None, "{name}");
        }
    }
}
