//! Digests: plain SHA-256 of bytes, and labelled ones for everything else (D20).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::model::ids::Digest;

/// What a labelled digest speaks of; no two things that differ in kind share a digest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Label {
    /// The id of a record.
    Record,
    /// What a signature or MAC is over.
    Proof,
    /// A contract.
    Contract,
    /// The content of a workspace.
    Content,
    /// The entries of an index.
    Index,
    /// Untracked files.
    Untracked,
    /// What steers git.
    Control,
    /// What a claim states.
    Claim,
    /// The evidence for it.
    Evidence,
}

impl Label {
    /// Returns the label with its version, as docs/format names it.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Record => "git-plan-audit/record/v1",
            Self::Proof => "git-plan-audit/proof/v1",
            Self::Contract => "git-plan-audit/contract/v1",
            Self::Content => "git-plan-audit/content/v1",
            Self::Index => "git-plan-audit/index/v1",
            Self::Untracked => "git-plan-audit/untracked/v1",
            Self::Control => "git-plan-audit/control/v1",
            Self::Claim => "git-plan-audit/claim/v1",
            Self::Evidence => "git-plan-audit/evidence/v1",
        }
    }
}

/// Up to this length a piece is gathered with others: a call for each would cost more than hashing
/// it.
const SMALL: usize = 64;

/// How much is gathered before it is hashed.
const GATHERED: usize = 4096;

/// A digest in the making.
#[derive(Clone, Debug)]
pub(crate) struct Hasher {
    /// What is hashed so far.
    sha: Sha256,
    /// The small pieces that came since.
    gathered: Vec<u8>,
}

impl Hasher {
    /// Begins a plain SHA-256.
    pub(crate) fn plain() -> Self {
        Self {
            sha: Sha256::new(),
            gathered: Vec::new(),
        }
    }

    /// Begins a labelled digest: SHA-256 over label, NUL and what follows.
    pub(crate) fn labelled(label: Label) -> Self {
        let mut hasher = Self::plain();
        hasher.update(label.as_str().as_bytes());
        hasher.update(b"\0");
        hasher
    }

    /// Adds bytes.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        if bytes.len() > SMALL {
            self.hash_gathered();
            self.sha.update(bytes);
            return;
        }
        self.gathered.extend_from_slice(bytes);
        if self.gathered.len() >= GATHERED {
            self.hash_gathered();
        }
    }

    /// Hashes what was gathered.
    fn hash_gathered(&mut self) {
        self.sha.update(&self.gathered);
        self.gathered.clear();
    }

    /// Adds bytes after their length as 8 bytes big-endian, so that two lists never run together.
    pub(crate) fn framed(&mut self, bytes: &[u8]) {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.update(&length.to_be_bytes());
        self.update(bytes);
    }

    /// Ends the digest.
    pub(crate) fn finish(mut self) -> Digest {
        self.hash_gathered();
        Digest::new(self.sha.finalize().into())
    }
}

/// Returns the plain SHA-256 of bytes in base64, as a content security policy names it.
pub(crate) fn sha256_base64(bytes: &[u8]) -> String {
    STANDARD.encode(Sha256::digest(bytes))
}

/// Returns the plain SHA-256 of bytes.
pub(crate) fn sha256(bytes: &[u8]) -> Digest {
    Digest::new(Sha256::digest(bytes).into())
}

/// Returns the labelled digest of bytes.
pub(crate) fn labelled(label: Label, bytes: &[u8]) -> Digest {
    let mut hasher = Hasher::labelled(label);
    hasher.update(bytes);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plain_digest_is_sha_256() {
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(sha256(b"").to_string(), empty);
    }

    #[test]
    fn pieces_of_any_length_add_up() {
        let bytes: Vec<u8> = (0..20_000_u32).map(|n| n.to_le_bytes()[0]).collect();

        for lengths in [[1, 1, 1], [63, 64, 65], [0, 5000, 3], [64, 4096, 7]] {
            let mut hasher = Hasher::plain();
            let mut rest = bytes.as_slice();
            for length in lengths.into_iter().cycle() {
                let (piece, after) = rest.split_at(rest.len().min(length));
                hasher.update(piece);
                rest = after;
                if rest.is_empty() {
                    break;
                }
            }
            assert_eq!(hasher.finish(), sha256(&bytes), "{lengths:?}");
        }
    }

    #[test]
    fn labels_keep_kinds_apart() {
        assert_ne!(labelled(Label::Content, b"x"), labelled(Label::Index, b"x"));
        assert_eq!(
            labelled(Label::Content, b"x"),
            sha256(b"git-plan-audit/content/v1\0x")
        );
    }
}
