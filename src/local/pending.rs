//! Lines that could not be appended after the checks ran (D24): nothing that was done is lost.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::file::{self, Access, Existing, FileError};
use super::places::Places;
use crate::wire::own::{self, OwnError};

/// The directory below the common git directory.
const DIRECTORY: &str = "plan-audit/pending";

/// How many appends may wait.
const MOST: u32 = 9_999;

/// What one append would have added.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pending {
    /// Lines without their newline, in order.
    pub(crate) lines: Vec<String>,
    /// Blobs that the lines name; they are JSON, so they are text.
    pub(crate) kept: Vec<String>,
}

/// One append that waits.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// Its file.
    path: PathBuf,
    /// What it would have added.
    pub(crate) what: Pending,
}

/// Why what waits cannot be kept or told.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PendingError {
    /// A file cannot be read or written.
    #[error("cannot use the lines that wait to be recorded")]
    File(#[source] FileError),
    /// A file is not ours.
    #[error("{} is damaged; it is left alone", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: OwnError,
    },
    /// Too many wait already.
    #[error("{MOST} appends wait to be recorded already")]
    TooMany,
}

/// Keeps what could not be appended, after what waits already.
pub(crate) fn keep(places: &Places, what: &Pending) -> Result<(), PendingError> {
    let directory = file::directory(places.common_git_dir(), Path::new(DIRECTORY));
    let directory = directory.map_err(PendingError::File)?;
    let bytes = match own::write(what) {
        Ok(bytes) => bytes,
        Err(cause) => {
            let path = directory;
            return Err(PendingError::Damaged { path, cause });
        }
    };
    let last = numbers(&directory).map_err(PendingError::File)?.pop();
    for number in last.map_or(1, |last| last + 1)..=MOST {
        let path = path(&directory, number);
        match file::write(&path, &bytes, Access::Private, Existing::Refuse) {
            Err(FileError::Write { cause, .. }) if cause.kind() == io::ErrorKind::AlreadyExists => {
            }
            done => return done.map_err(PendingError::File),
        }
    }
    Err(PendingError::TooMany)
}

/// Lists what waits, in the order it was kept.
pub(crate) fn list(places: &Places) -> Result<Vec<Waiting>, PendingError> {
    let directory = places.common_git_dir().join(DIRECTORY);
    let mut waiting = Vec::new();
    for number in numbers(&directory).map_err(PendingError::File)? {
        let path = path(&directory, number);
        let Some(bytes) = file::read(&path).map_err(PendingError::File)? else {
            continue;
        };
        match own::read(&bytes) {
            Ok(what) => waiting.push(Waiting { path, what }),
            Err(cause) => return Err(PendingError::Damaged { path, cause }),
        }
    }
    Ok(waiting)
}

/// Removes what waits no more, because it was appended.
pub(crate) fn remove(waiting: &Waiting) -> Result<(), PendingError> {
    file::remove(&waiting.path).map_err(PendingError::File)
}

/// Returns the file of a number; names sort as numbers do.
fn path(directory: &Path, number: u32) -> PathBuf {
    directory.join(format!("{number:04}.json"))
}

/// Returns the numbers in use, sorted; foreign names are left out.
fn numbers(directory: &Path) -> Result<Vec<u32>, FileError> {
    let entries = match std::fs::read_dir(directory) {
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|cause| FileError::Read {
            path: directory.to_owned(),
            cause,
        })?,
    };
    let number = |entry: io::Result<std::fs::DirEntry>| {
        let name = entry.ok()?.file_name().into_string().ok()?;
        let digits = name
            .strip_suffix(".json")
            .filter(|digits| digits.len() == 4)?;
        digits.parse().ok()
    };
    let mut numbers: Vec<u32> = entries.filter_map(number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::places::Environment;

    fn pending(line: &str) -> Pending {
        Pending {
            lines: vec![line.to_owned()],
            kept: vec!["{\"steps\":[]}".to_owned()],
        }
    }

    #[test]
    fn what_waits_comes_back_in_order_until_it_is_removed() {
        let temp = tempfile::tempdir().unwrap();
        let places = Places::new(temp.path(), temp.path(), &Environment::new());
        assert!(list(&places).unwrap().is_empty());

        for line in ["a", "b", "c"] {
            keep(&places, &pending(line)).unwrap();
        }
        remove(&list(&places).unwrap()[0]).unwrap();
        keep(&places, &pending("d")).unwrap();

        let left: Vec<_> = list(&places)
            .unwrap()
            .into_iter()
            .map(|one| one.what)
            .collect();
        assert_eq!(left, [pending("b"), pending("c"), pending("d")]);
    }

    #[test]
    fn a_damaged_file_is_named_and_left() {
        let temp = tempfile::tempdir().unwrap();
        let places = Places::new(temp.path(), temp.path(), &Environment::new());
        keep(&places, &pending("a")).unwrap();
        let path = temp.path().join(DIRECTORY).join("0001.json");
        std::fs::write(&path, "{").unwrap();

        assert!(matches!(list(&places), Err(PendingError::Damaged { .. })));
        assert!(path.exists());
    }
}
