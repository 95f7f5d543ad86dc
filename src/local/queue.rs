//! A directory of files that wait, in the order in which they were put there.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::file::unreadable;
use super::{LocalError, random};

/// Returns the path of the next file.
pub(super) fn next(directory: &Path) -> Result<PathBuf, LocalError> {
    let last = names(directory)?.pop();
    let order = last.and_then(|name| name.split('-').next()?.parse().ok());
    let order = order.map_or(0, |order: u32| order.saturating_add(1));
    let tail = u64::from_be_bytes(random::bytes()?);
    Ok(directory.join(format!("{order:06}-{tail:016x}.json")))
}

/// Lists the names of what waits, oldest first.
pub(super) fn names(directory: &Path) -> Result<Vec<String>, LocalError> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|error| unreadable(directory, error))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| unreadable(directory, error))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.starts_with('.') {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}
