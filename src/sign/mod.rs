//! Making proofs: SSH signatures by ssh-keygen, or MACs with a key file.

pub(crate) mod hmac;
mod keygen;
pub(crate) mod ssh;

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use self::hmac::HmacKey;
use self::ssh::SshKey;
use crate::local::file::FileError;
use crate::model::ids::{RecordId, Writer};
use crate::model::record::Proof;
use crate::wire::proof;

/// A key that proves records.
#[derive(Debug)]
pub(crate) enum Key {
    /// An SSH key.
    Ssh(SshKey),
    /// An HMAC key.
    Hmac(HmacKey),
}

impl Key {
    /// Returns the name of the key in records.
    pub(crate) fn writer(&self) -> &Writer {
        match self {
            Self::Ssh(key) => key.writer(),
            Self::Hmac(key) => key.writer(),
        }
    }

    /// Proves a record.
    pub(crate) fn prove(&self, id: &RecordId) -> Result<Proof, SignError> {
        let message = proof::message(id);
        match self {
            Self::Ssh(key) => key.sign(proof::NAMESPACE, &message).map(Proof::Ssh),
            Self::Hmac(key) => key.mac(&message),
        }
    }
}

/// Why there is no key or no proof.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SignError {
    /// OpenSSH is not installed.
    #[error("ssh-keygen is not found in PATH; it comes with OpenSSH")]
    NoKeygen,
    /// It cannot be run.
    #[error("cannot run ssh-keygen")]
    Run(#[source] io::Error),
    /// It gave up.
    #[error("ssh-keygen says: {said}")]
    Keygen {
        /// Its last words, safe to print.
        said: String,
    },
    /// It did not end.
    #[error("ssh-keygen did not end within {} s", after.as_secs())]
    Slow {
        /// How long it had.
        after: Duration,
    },
    /// Its answer is no signature, or none by this key over this record.
    #[error("what ssh-keygen gave is no signature of this record by {writer}")]
    NotASignature {
        /// The key.
        writer: Writer,
    },
    /// A file that should be a key is none.
    #[error("{place} is not an SSH key that can be used: {why}")]
    NotAKey {
        /// The file or literal.
        place: String,
        /// Why.
        why: &'static str,
    },
    /// A path begins with `~` and there is no home.
    #[error("{place} begins with ~ and HOME is not set")]
    NoHome {
        /// The path.
        place: String,
    },
    /// A key that was to be made is there already.
    #[error("{} is there already; it is left alone", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// A file of ours cannot be written.
    #[error("cannot keep the key")]
    Keep(#[source] FileError),
    /// An HMAC key file does not protect its key.
    #[error("{} cannot be an HMAC key: {why}", path.display())]
    Unsafe {
        /// The file.
        path: PathBuf,
        /// Why.
        why: &'static str,
    },
}
