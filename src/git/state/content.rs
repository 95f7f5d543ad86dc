//! Digests over files: the framing that `docs/format/state.md` describes.

use std::sync::Arc;

use gix::ObjectId;

use crate::model::ids::Digest;
use crate::wire::digest::{Hasher, Label, sha256};

/// What a tree has of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Placed {
    /// Its path from the top.
    pub(super) path: Arc<[u8]>,
    /// Its mode as git writes it.
    pub(super) mode: u32,
    /// Its object.
    pub(super) id: ObjectId,
}

/// One file as the state counts it: nothing but its bytes can give one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Content {
    /// Where it stands in the tree.
    pub(super) placed: Placed,
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
        hasher.framed(&file.placed.path);
        hasher.framed(&mode_text(file.placed.mode));
        hasher.update(&file.measure.length.to_be_bytes());
        hasher.update(file.measure.digest.as_bytes());
    }
    hasher.finish()
}

/// Spells a mode as git does in an index: six octal digits, which every mode has.
pub(super) fn mode_text(mode: u32) -> [u8; 6] {
    let digit = |shift: u32| b'0' | u8::try_from(mode >> shift & 7).unwrap_or_default();
    [15, 12, 9, 6, 3, 0].map(digit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_are_spelled_with_six_octal_digits() {
        for mode in [0o040_000, 0o100_644, 0o100_755, 0o120_000, 0o160_000] {
            assert_eq!(mode_text(mode).as_slice(), format!("{mode:06o}").as_bytes());
        }
    }
}
