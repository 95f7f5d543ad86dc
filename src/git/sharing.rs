//! Giving what we make below a git directory the permissions that git would give it.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::model::sharing::Sharing;

/// The setting.
const KEY: &str = "core.sharedRepository";

/// Reads what a repository asks for; a value that git refuses counts as none.
pub(super) fn of(repository: &gix::Repository) -> Sharing {
    let config = repository.config_snapshot();
    match config.string(KEY) {
        Some(value) => Sharing::parse(&value.to_string()).unwrap_or_default(),
        // A key without a value is a yes.
        None if config.boolean(KEY) == Some(true) => Sharing::GROUP,
        None => Sharing::Mask,
    }
}

/// Gives a file or directory the permissions that are asked for. What belongs to somebody else is
/// left as its owner made it, and what is gone is no error.
pub(crate) fn adjust(sharing: Sharing, path: &Path) -> io::Result<()> {
    if sharing == Sharing::Mask {
        return Ok(());
    }
    let changed = fs::symlink_metadata(path).and_then(|metadata| {
        let old = metadata.permissions().mode() & 0o7777;
        let new = sharing.mode(old, metadata.is_dir());
        if metadata.is_symlink() || new == old {
            return Ok(());
        }
        fs::set_permissions(path, Permissions::from_mode(new))
    });
    match changed {
        Err(error) if is_harmless(&error) => Ok(()),
        done => done,
    }
}

/// Says whether an error only means that the path is not ours, or gone.
fn is_harmless(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound
    )
}
