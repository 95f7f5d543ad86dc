//! Who could exchange a directory: every ancestor must belong to the user or to root, and may be
//! writable by others only with the sticky bit.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use crate::local::LocalError;
use crate::local::file::unreadable;

/// Refuses a path, with all links resolved, below a directory that others may change.
pub(super) fn demand_safe(real: &Path) -> Result<(), LocalError> {
    for at in real.ancestors() {
        let found = at.symlink_metadata();
        let found = found.map_err(|error| unreadable(at, error))?;
        if !found.is_dir() {
            return Err(unreadable(at, io::ErrorKind::NotADirectory.into()));
        }
        if let Some(why) = flaw(found.uid(), found.mode()) {
            return Err(LocalError::Unsafe {
                path: at.display().to_string(),
                why,
            });
        }
    }
    Ok(())
}

/// Refuses a path, with all links resolved, that lies in a work tree.
pub(super) fn demand_outside(real: &Path, work_trees: &[PathBuf]) -> Result<(), LocalError> {
    if work_trees.iter().any(|top| real.starts_with(top)) {
        return Err(LocalError::Unsafe {
            path: real.display().to_string(),
            why: "lies in a work tree",
        });
    }
    Ok(())
}

/// Says why a directory with this owner and mode is not safe; none if it is.
fn flaw(owner: u32, mode: u32) -> Option<&'static str> {
    const OTHERS_WRITE: u32 = 0o022;
    const STICKY: u32 = 0o1000;
    if owner != 0 && owner != nix::unistd::geteuid().as_raw() {
        return Some("belongs to somebody else");
    }
    (mode & OTHERS_WRITE != 0 && mode & STICKY == 0).then_some("is writable by others")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_owner_is_not_safe_whatever_the_mode() {
        let us = nix::unistd::geteuid().as_raw();

        assert_eq!(flaw(us + 1, 0o700), Some("belongs to somebody else"));
        assert_eq!(flaw(us, 0o40_755), None);
        assert_eq!(flaw(0, 0o41_777), None);
        assert_eq!(flaw(us, 0o40_775), Some("is writable by others"));
    }
}
