//! Making proofs: SSH signatures through ssh-keygen, HMACs with a key file.

pub(crate) mod hmac_file;
pub(crate) mod key;
pub(crate) mod keygen;

/// What is below an error.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// Why a proof or key could not be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SignError {
    /// An HMAC says who, not for what.
    #[error("an HMAC key cannot approve: use an SSH key")]
    NoNamespace,
    /// There is no ssh-keygen.
    #[error("ssh-keygen is not found in PATH (package openssh-client)")]
    NoKeygen,
    /// ssh-keygen could not be run.
    #[error("cannot run ssh-keygen")]
    Run {
        /// Why.
        #[source]
        cause: Cause,
    },
    /// ssh-keygen refused.
    #[error("ssh-keygen cannot {doing}: {said}")]
    Keygen {
        /// What it was asked for.
        doing: String,
        /// What it wrote.
        said: String,
    },
    /// A signature does not check.
    #[error("the signature that ssh-keygen made does not check")]
    Unsound {
        /// Why.
        #[source]
        cause: crate::trust::sshsig::Unsound,
    },
    /// The key is not the one that this clone uses.
    #[error("the key at {location} is {found}, and this clone uses {expected}")]
    OtherKey {
        /// Where the key is.
        location: String,
        /// Its name.
        found: String,
        /// The name that was expected.
        expected: String,
    },
    /// A key file cannot be used.
    #[error("the key file {path} {why}")]
    File {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// A local file could not be written or read.
    #[error(transparent)]
    Local(#[from] crate::local::LocalError),
}
