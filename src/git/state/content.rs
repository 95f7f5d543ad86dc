//! Digests over files: the framing that `docs/format/state.md` describes.

use gix::ObjectId;

use crate::model::ids::Digest;
use crate::wire::digest::{Hasher, Label, sha256};

/// One file as the state counts it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Content {
    /// Its path from the top.
    pub(super) path: Vec<u8>,
    /// Its mode as git writes it.
    pub(super) mode: u32,
    /// Its object.
    pub(super) id: ObjectId,
    /// Its bytes as git stores them.
    pub(super) measure: Measure,
}

/// Length and digest of what git stores of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Measure {
    /// How many bytes.
    pub(super) length: u64,
    /// Their plain SHA-256.
    pub(super) digest: Digest,
}

impl Measure {
    /// Measures bytes.
    pub(super) fn of(bytes: &[u8]) -> Self {
        Self {
            length: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            digest: sha256(bytes),
        }
    }

    /// Stands for a submodule: the text of its commit's id.
    pub(super) fn of_commit(id: &ObjectId) -> Self {
        Self::of(id.to_string().as_bytes())
    }

    /// Stands for a file that was not read: no file has this length.
    pub(super) fn unread(id: &ObjectId) -> Self {
        Self {
            length: u64::MAX,
            digest: sha256(format!("unread {id}").as_bytes()),
        }
    }
}

/// Returns the digest over files, which are in byte order of their paths.
pub(super) fn digest<'a>(label: Label, files: impl IntoIterator<Item = &'a Content>) -> Digest {
    let mut hasher = Hasher::labelled(label);
    for file in files {
        hasher.framed(&file.path);
        hasher.framed(format!("{:06o}", file.mode).as_bytes());
        hasher.update(&file.measure.length.to_be_bytes());
        hasher.update(file.measure.digest.as_bytes());
    }
    hasher.finish()
}
