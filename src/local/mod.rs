//! Durable local files that are no evidence: places, locks, identity, hints, pending lines.

pub(crate) mod accepted;
pub(crate) mod anchors;
pub(crate) mod file;
pub(crate) mod hooks;
pub(crate) mod identity;
pub(crate) mod instance;
pub(crate) mod instances;
pub(crate) mod intents;
pub(crate) mod lock;
pub(crate) mod outputs;
pub(crate) mod paths;
pub(crate) mod pending;
pub(crate) mod places;
pub(crate) mod private;
mod queue;
pub(crate) mod random;
pub(crate) mod separation;
pub(crate) mod turns;
pub(crate) mod unproven;
#[cfg(test)]
pub(crate) mod vector_tests;

/// Why a local file could not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LocalError {
    /// It could not be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: String,
        /// Why.
        #[source]
        cause: Cause,
    },
    /// It could not be written.
    #[error("cannot write {path}")]
    Write {
        /// The file.
        path: String,
        /// Why.
        #[source]
        cause: Cause,
    },
    /// Somebody holds a lock.
    #[error("the lock {path} is held by {holder}")]
    Held {
        /// The lock's file.
        path: String,
        /// Who holds it, as it wrote down.
        holder: String,
    },
    /// Somebody else could exchange what is to be private.
    #[error("{path} {why}, so nothing below it is private")]
    Unsafe {
        /// The directory.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Something else stands where a directory of ours should be.
    #[error("{path} {why}")]
    Planted {
        /// Where.
        path: String,
        /// What is wrong with it.
        why: &'static str,
    },
    /// There is no home directory to keep files in.
    #[error("neither {variable} nor HOME names an absolute directory")]
    NoHome {
        /// The variable that could name one.
        variable: &'static str,
    },
}

impl LocalError {
    /// Says whether this user may not read what is there: it is another's.
    pub(crate) fn is_denied(&self) -> bool {
        match self {
            Self::Read { cause, .. } => cause
                .downcast_ref::<std::io::Error>()
                .is_some_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied),
            Self::Write { .. }
            | Self::Held { .. }
            | Self::Unsafe { .. }
            | Self::Planted { .. }
            | Self::NoHome { .. } => false,
        }
    }
}

/// What is below an error.
pub(crate) type Cause = Box<dyn std::error::Error + Send + Sync>;
