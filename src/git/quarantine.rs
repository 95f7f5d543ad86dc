//! Objects that came with a push and are not in the repository yet.
//!
//! git-receive-pack(1), "Quarantine Environment": until a hook has agreed, they lie in a directory of
//! their own, which the environment names. gix reads the repository alone, so that the directory is
//! opened beside it. What is read there is hashed as everything is.

use std::fmt;
use std::path::{Path, PathBuf};

use gix::objs::{Find as _, FindHeader as _, Kind};
use gix::{ObjectId, odb};

use super::open::ALLOC_LIMIT_BYTES;

/// Directories of objects beside those of the repository.
pub(super) struct Quarantine(Vec<odb::Handle>);

impl fmt::Debug for Quarantine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Quarantine").field(&self.0.len()).finish()
    }
}

impl Quarantine {
    /// Opens nothing.
    pub(super) const fn none() -> Self {
        Self(Vec::new())
    }

    /// Opens directories of objects; relative ones are found from `base`.
    pub(super) fn open(
        directories: &[PathBuf],
        base: &Path,
        hash: gix::hash::Kind,
    ) -> std::io::Result<Self> {
        let open = |directory: &PathBuf| {
            let options = odb::store::init::Options {
                alloc_limit_bytes: Some(ALLOC_LIMIT_BYTES),
                ..odb::store::init::Options::default()
            };
            odb::at_opts(base.join(directory), hash, None, options)
        };
        directories
            .iter()
            .map(open)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Returns the kind and size of an object that is here.
    pub(super) fn header(&self, id: &ObjectId) -> gix::Result<Option<(Kind, u64)>> {
        for store in &self.0 {
            if let Some(header) = store.try_header(id)? {
                return Ok(Some((header.kind, header.size)));
            }
        }
        Ok(None)
    }

    /// Reads an object that is here.
    pub(super) fn object(&self, id: &ObjectId) -> gix::Result<Option<(Kind, Vec<u8>)>> {
        for store in &self.0 {
            let mut buffer = Vec::new();
            if let Some(found) = store.try_find(id, &mut buffer)? {
                let kind = found.kind;
                return Ok(Some((kind, buffer)));
            }
        }
        Ok(None)
    }
}
