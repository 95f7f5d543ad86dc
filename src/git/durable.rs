//! Objects that are on disk when we say so: gix writes them, this flushes them.
//!
//! gix never flushes, takes a zero-length leftover of a crash for the object, and loses a race
//! against `git prune-packed`, which removes a fan-out directory that is empty for a moment.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::objs::{Kind, Write as _};

use super::sharing;

/// How often a write is tried whose directory vanished under it.
const TRIES: u32 = 5;

/// Writes loose objects and flushes them together.
#[derive(Debug)]
pub(super) struct Durable<'a> {
    /// Where they go.
    repo: &'a gix::Repository,
    /// What was written since the last flush.
    written: RefCell<BTreeSet<ObjectId>>,
}

impl<'a> Durable<'a> {
    /// Begins with nothing written.
    pub(super) fn new(repo: &'a gix::Repository) -> Self {
        Self {
            repo,
            written: RefCell::default(),
        }
    }

    /// Writes an object, also over one of the same id, so that a broken leftover is healed.
    pub(super) fn write(&self, kind: Kind, bytes: &[u8]) -> gix::Result<ObjectId> {
        let mut tries = 0;
        let id = loop {
            tries += 1;
            match self.repo.objects.write_buf(kind, bytes) {
                Err(cause) if cause.is_not_found() && tries < TRIES => {}
                done => break done?,
            }
        };
        self.written.borrow_mut().insert(id);
        Ok(id)
    }

    /// Gives every object written the permissions that git would, and flushes it, each directory that holds one, and the object directory.
    ///
    /// An object that a repack has moved into a pack meanwhile counts: git flushes packs.
    pub(super) fn flush(&self) -> io::Result<()> {
        let objects = self.repo.objects.store_ref().path().to_owned();
        let sharing = sharing::of(self.repo);
        let written = self.written.take();
        let mut directories = BTreeSet::new();
        for id in &written {
            let path = loose_path(&objects, id);
            sharing::adjust(sharing, &path)?;
            directories.extend(path.parent().map(Path::to_owned));
            match flush(&path) {
                Err(cause) if is_gone(&cause) && self.repo.has_object(id) => {}
                done => done?,
            }
        }
        for directory in &directories {
            sharing::adjust(sharing, directory)?;
            match flush(directory) {
                Err(cause) if is_gone(&cause) => {}
                done => done?,
            }
        }
        flush(&objects)
    }
}

/// Flushes a file or directory.
pub(super) fn flush(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Says whether something was removed meanwhile.
fn is_gone(cause: &io::Error) -> bool {
    cause.kind() == io::ErrorKind::NotFound
}

/// Returns where a loose object lies.
fn loose_path(objects: &Path, id: &ObjectId) -> PathBuf {
    let hex = id.to_string();
    let (directory, file) = hex.split_at_checked(2).unwrap_or_default();
    objects.join(directory).join(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;

    #[test]
    fn a_zero_length_leftover_is_healed() {
        let world = World::new();
        let repo = world.repository();
        let durable = Durable::new(&repo.gix);
        let id = durable.write(Kind::Blob, b"text").unwrap();
        let path = loose_path(repo.gix.objects.store_ref().path(), &id);
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, b"").unwrap();

        durable.write(Kind::Blob, b"text").unwrap();
        durable.flush().unwrap();

        assert_eq!(world.git(&["cat-file", "-p", &id.to_string()]), "text");
    }

    #[test]
    fn what_a_repack_moved_counts_as_written() {
        let world = World::new();
        let repo = world.repository();
        let durable = Durable::new(&repo.gix);
        let id = durable.write(Kind::Blob, b"text").unwrap();
        world.git(&["update-ref", "refs/tags/keep", &id.to_string()]);
        world.git(&["repack", "-adq"]);
        world.git(&["prune-packed"]);

        durable.flush().unwrap();
    }

    #[test]
    fn what_vanished_is_an_error() {
        let world = World::new();
        let repo = world.repository();
        let durable = Durable::new(&repo.gix);
        let id = durable.write(Kind::Blob, b"text").unwrap();
        std::fs::remove_file(loose_path(repo.gix.objects.store_ref().path(), &id)).unwrap();

        assert!(durable.flush().is_err());
    }
}
