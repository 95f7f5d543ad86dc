//! Writing the files of a checkout: first every directory, then the files, with two threads.
//!
//! Every directory is opened from its parent without following links, and every file is made anew:
//! whatever a tree holds, nothing is written through a link or over anything that is there.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use nix::errno::Errno;
use nix::sys::stat::{Mode, mkdirat};

use super::super::state::attribute_files::Shared;
use super::super::state::attributes::Outside;
use super::super::state::disk::{Barred, Disk, file_in, split};
use super::super::state::listing::{Entry, Listing};
use super::super::state::objects::Blobs;
use super::super::state::part::Part;
use super::Stop;
use super::files::{Failure, Writer};
use crate::model::checkout::{CheckoutError, Lack};
use crate::model::text;

/// How many files a thread takes at a time.
const BATCH: usize = 64;

/// Writes a part and the submodules in it.
pub(super) fn whole(
    part: &Part,
    top: &Path,
    lacks: &mut Vec<Lack>,
    stop: Stop<'_>,
) -> Result<(), CheckoutError> {
    let mut failures = Vec::new();
    below(part, (top, b""), (lacks, &mut failures), stop)?;
    refused(failures)
}

/// Writes a part that lies at `prefix`.
fn below(
    part: &Part,
    (top, prefix): (&Path, &[u8]),
    (lacks, failures): (&mut Vec<Lack>, &mut Vec<Failure>),
    stop: Stop<'_>,
) -> Result<(), CheckoutError> {
    use std::os::unix::ffi::OsStrExt as _;
    directories(&part.listing, top, prefix)?;
    let written = files(part, (top, prefix), stop)?;
    lacks.extend(written.lacks);
    failures.extend(written.failures);
    for (path, inner) in &part.submodules {
        let place = top.join(std::ffi::OsStr::from_bytes(path));
        let prefix = file_in(prefix, path);
        below(inner, (&place, &prefix), (lacks, failures), stop)?;
    }
    Ok(())
}

/// Refuses a checkout for what could not be written; the worst first.
fn refused(failures: Vec<Failure>) -> Result<(), CheckoutError> {
    let (mut unserved, mut missing) = (Vec::new(), Vec::new());
    for failure in failures {
        match failure {
            Failure::Broken { path, cause } => {
                let cause = format!("cannot write {path}: {cause}");
                return Err(CheckoutError::broken(cause));
            }
            Failure::Taken { path } => return Err(taken(&path)),
            Failure::Missing { object } => missing.push(object),
            Failure::Unserved { path, why } => unserved.push(super::told(&path, &why)),
        }
    }
    unserved.sort();
    missing.sort();
    if !missing.is_empty() {
        return Err(CheckoutError::Missing { objects: missing });
    }
    if !unserved.is_empty() {
        return Err(CheckoutError::Unserved { paths: unserved });
    }
    Ok(())
}

/// Refuses paths of which one would be written over another.
fn taken(path: &str) -> CheckoutError {
    CheckoutError::Unfit {
        what: format!("{path} and another path are one on this file system"),
    }
}

/// Makes every directory, each once: the paths of a list are in byte order, so that all files of a
/// directory follow each other.
fn directories(listing: &Listing, top: &Path, prefix: &[u8]) -> Result<(), CheckoutError> {
    let mut disk = Disk::at(top).map_err(CheckoutError::broken)?;
    let mut last: &[u8] = b"";
    for entry in listing.entries() {
        let directory = if entry.is_gitlink() {
            &*entry.path
        } else {
            split(&entry.path).0
        };
        for new in new_directories(last, directory) {
            make(&mut disk, new).map_err(|errno| {
                if matches!(errno, Errno::EEXIST | Errno::ENOTDIR) {
                    return taken(&text::path(&file_in(prefix, new)));
                }
                CheckoutError::broken(std::io::Error::from(errno))
            })?;
        }
        last = directory;
    }
    Ok(())
}

/// Lists the directories on the way to one that are not on the way to another.
fn new_directories<'a>(last: &'a [u8], directory: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let ends = (1..=directory.len()).filter(|end| matches!(directory.get(*end), None | Some(b'/')));
    ends.filter_map(|end| directory.get(..end)).filter(|new| {
        let rest = last.strip_prefix(*new);
        !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
    })
}

/// Makes a directory.
fn make(disk: &mut Disk, path: &[u8]) -> nix::Result<()> {
    let (parent, name) = split(path);
    let at = disk.enter(parent).map_err(|barred| match barred {
        Barred::Missing => Errno::ENOTDIR,
        Barred::Unreadable => Errno::EACCES,
    })?;
    mkdirat(at, name, Mode::from_bits_truncate(0o755))
}

/// What became of the files of a part.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// What is not here.
    pub(super) lacks: Vec<Lack>,
    /// What could not be written.
    pub(super) failures: Vec<Failure>,
}

/// Writes the files of a part.
fn files(
    part: &Part,
    (top, prefix): (&Path, &[u8]),
    stop: Stop<'_>,
) -> Result<Outcome, CheckoutError> {
    let outside = Outside::nothing();
    let shared = Shared::stored(&part.listing, &Blobs::new(&part.repository(), None));
    let next = AtomicUsize::new(0);
    let work = || -> std::io::Result<Outcome> {
        let gix = part.repository();
        let blobs = Blobs::new(&gix, None);
        let mut writer = Writer::new(part, (top, prefix), (&outside, &shared), &blobs)?;
        share(&mut writer, part.listing.entries(), &next, stop);
        Ok(writer.outcome)
    };
    let mut outcome = std::thread::scope(|scope| {
        let helping = scope.spawn(work);
        let mut own = work().map_err(CheckoutError::broken)?;
        let helped = helping.join();
        let helped = helped.map_err(|_| CheckoutError::broken("a writing thread broke off"))?;
        let helped = helped.map_err(CheckoutError::broken)?;
        own.lacks.extend(helped.lacks);
        own.failures.extend(helped.failures);
        Ok::<_, CheckoutError>(own)
    })?;
    if stop() {
        return Err(CheckoutError::Stopped);
    }
    outcome.failures.extend(odd(&shared, prefix));
    Ok(outcome)
}

/// Names attribute files that we would read otherwise than git.
fn odd(shared: &Shared, prefix: &[u8]) -> Vec<Failure> {
    let unserved = |path: Vec<u8>| Failure::Unserved {
        path: text::path(&file_in(prefix, &path)),
        why: "an attribute file that this version does not read as git does".to_owned(),
    };
    shared.odd().into_iter().map(unserved).collect()
}

/// Writes files, batch by batch, until all threads together have written all.
fn share(writer: &mut Writer<'_>, entries: &[Entry], next: &AtomicUsize, stop: Stop<'_>) {
    loop {
        let from = next.fetch_add(BATCH, Ordering::Relaxed);
        let rest = entries.get(from..).unwrap_or_default();
        if rest.is_empty() || stop() || writer.is_broken() {
            return;
        }
        for entry in rest.iter().take(BATCH) {
            writer.entry(entry);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_that_are_not_there_are_new() {
        let new = |last: &'static str, path: &'static str| -> Vec<&'static [u8]> {
            new_directories(last.as_bytes(), path.as_bytes()).collect()
        };

        assert_eq!(new("", ""), Vec::<&[u8]>::new());
        assert_eq!(new("", "a/b"), [b"a".as_slice(), b"a/b"]);
        assert_eq!(new("a/b/c", "a/b"), Vec::<&[u8]>::new());
        assert_eq!(new("a/b", "a/bc/d"), [b"a/bc".as_slice(), b"a/bc/d"]);
    }
}
