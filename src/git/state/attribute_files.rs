//! Attribute files of the work tree: read once per directory for all threads, without following
//! links or waiting.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use gix::bstr::ByteSlice as _;

use super::disk::{Disk, Found, file_in, split};
use super::listing::{Entry, Listing};
use super::objects::Blobs;
use crate::git::plain;

/// The longest line that git reads for attributes.
const LONGEST_LINE: usize = 2048;

/// An attribute file of one directory.
#[derive(Debug, Default)]
pub(in crate::git) struct Rules {
    /// What git goes by: the file on disk, else the one in the index.
    pub(super) here: Option<Vec<u8>>,
    /// What a checkout would go by.
    pub(super) tracked: Option<Vec<u8>>,
    /// Whether the bytes came from disk.
    is_from_disk: bool,
    /// Whether there is a file that was not read as git would.
    is_odd: bool,
}

/// The attribute files of the work tree, read once for all threads.
#[derive(Debug, Default)]
pub(in crate::git) struct Shared(Mutex<BTreeMap<Vec<u8>, Arc<Rules>>>);

impl Shared {
    /// Takes every attribute file from its blob, so that none is read from disk.
    pub(in crate::git) fn stored(listing: &Listing, blobs: &Blobs<'_>) -> Self {
        let mut files = BTreeMap::new();
        for entry in listing.entries().iter().filter(|entry| entry.is_file()) {
            if let (directory, b".gitattributes") = split(&entry.path) {
                files.insert(directory.to_vec(), Arc::new(from_blob(entry, blobs)));
            }
        }
        Self(Mutex::new(files))
    }

    /// Returns the file of one directory, reading it if nobody has.
    pub(super) fn rules(
        &self,
        directory: &[u8],
        disk: &mut Disk,
        (listing, blobs): (&Listing, &Blobs<'_>),
    ) -> Arc<Rules> {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(rules) = files.get(directory) {
            return Arc::clone(rules);
        }
        let path = file_in(directory, b".gitattributes");
        let rules = Arc::new(read(disk.look(&path), listing.steering(&path), blobs));
        files.insert(directory.to_vec(), Arc::clone(&rules));
        rules
    }

    /// Lists the attribute files that were read from disk, with their bytes.
    pub(super) fn read_from_disk(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut read = Vec::new();
        for (directory, rules) in files.iter() {
            if let (true, Some(bytes)) = (rules.is_from_disk, &rules.here) {
                read.push((file_in(directory, b".gitattributes"), bytes.clone()));
            }
        }
        read
    }

    /// Says whether any file has a line that git would not read as we do.
    pub(in crate::git) fn odd(&self) -> Vec<Vec<u8>> {
        let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let odd = files.iter().filter(|(_, rules)| rules.is_odd);
        odd.map(|(directory, _)| file_in(directory, b".gitattributes"))
            .collect()
    }
}

/// Takes an attribute file from disk, else from the index.
fn read(found: Found, entry: Option<&Entry>, blobs: &Blobs<'_>) -> Rules {
    match on_disk(found) {
        OnDisk::Bytes(bytes) => Rules {
            tracked: entry.is_some().then(|| bytes.clone()),
            is_odd: is_odd(&bytes),
            here: Some(bytes),
            is_from_disk: true,
        },
        OnDisk::Odd => Rules {
            is_odd: true,
            ..Rules::default()
        },
        OnDisk::None => entry.map_or_else(Rules::default, |entry| from_index(entry, blobs)),
    }
}

/// An attribute file as found on disk.
enum OnDisk {
    /// Its bytes.
    Bytes(Vec<u8>),
    /// Nothing that git would read.
    None,
    /// Something that git would read or fail on, and we did not read.
    Odd,
}

/// Reads an attribute file on disk.
fn on_disk(found: Found) -> OnDisk {
    match found {
        Found::File(mut file) if file.size <= plain::LIMIT => {
            let mut buffer = Vec::new();
            match file.read_into(&mut buffer) {
                Ok(bytes) => OnDisk::Bytes(bytes.to_vec()),
                Err(_) => OnDisk::Odd,
            }
        }
        Found::Missing | Found::Link(_) | Found::Directory => OnDisk::None,
        Found::File(_) | Found::Special | Found::Unreadable => OnDisk::Odd,
    }
}

/// Takes an attribute file from the index where a sparse checkout leaves it out.
///
/// One that is gone otherwise is deleted, and speaks no more: so git has it too, once it commits.
fn from_index(entry: &Entry, blobs: &Blobs<'_>) -> Rules {
    if entry.is_skipped() {
        from_blob(entry, blobs)
    } else {
        Rules::default()
    }
}

/// Takes an attribute file from the blob that is stored.
fn from_blob(entry: &Entry, blobs: &Blobs<'_>) -> Rules {
    let here = blobs.blob(&entry.id);
    Rules {
        is_odd: here.as_deref().is_none_or(is_odd),
        tracked: here.clone(),
        here,
        is_from_disk: false,
    }
}

/// Says whether git reads a file in more ways than one: a line is longer than it reads, or a byte
/// order mark stands first, which it skips on disk and not in the index.
fn is_odd(bytes: &[u8]) -> bool {
    bytes.starts_with("\u{feff}".as_bytes()) || bytes.lines().any(|line| line.len() > LONGEST_LINE)
}
