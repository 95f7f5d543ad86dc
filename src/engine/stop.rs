//! Why a command ends before its answer.

use std::io::ErrorKind;

use super::ports::{Cause, StateError};
use crate::model::finding::{Finding, state as rows};
use crate::model::outcome::{Details, Outcome, Word};

/// An early end: refused before anything was done, or an answer that cannot be given.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Nothing was done.
    Refused(Vec<Finding>),
    /// It cannot be said.
    Unknown(Vec<Finding>),
    /// Something that was needed could not be read or written.
    Broken {
        /// What could not be done.
        doing: String,
        /// Why.
        cause: Cause,
    },
}

impl Stop {
    /// Refuses for one reason.
    pub(crate) fn refuse(finding: Finding) -> Self {
        Self::Refused(vec![finding])
    }

    /// Wraps the cause of an adapter.
    pub(crate) fn broken(doing: &str) -> impl FnOnce(Cause) -> Self {
        move |cause| Self::Broken {
            doing: doing.to_owned(),
            cause,
        }
    }

    /// Turns a refusal or an unknown answer into an outcome; a broken one stays an error.
    pub(crate) fn into_outcome(self) -> Result<Outcome, (String, Cause)> {
        match self {
            Self::Refused(findings) => Ok(Outcome::refused(findings)),
            Self::Unknown(findings) => Ok(Outcome::new(Word::Unknown, findings, Details::None)),
            Self::Broken { doing, cause } => Err((doing, cause)),
        }
    }
}

impl From<StateError> for Stop {
    fn from(error: StateError) -> Self {
        match error {
            StateError::Bare => Self::refuse(
                Finding::new(&rows::BARE, error.to_string())
                    .hint("git plan-audit verify works in a bare repository"),
            ),
            StateError::Unstable { .. } => Self::Unknown(vec![
                Finding::new(&rows::UNSTABLE, error.to_string())
                    .hint("stop what writes there, then try again"),
            ]),
            StateError::Unreadable { cause } => {
                let text = format!(
                    "cannot take the state of the workspace: {}",
                    causes(&*cause)
                );
                Self::Unknown(vec![Finding::new(&rows::UNREADABLE, text)])
            }
        }
    }
}

/// What ends the refusals of a file system.
const REMEDIES: [(ErrorKind, &str); 6] = [
    (
        ErrorKind::StorageFull,
        "free space there (df names what is full)",
    ),
    (ErrorKind::QuotaExceeded, "free space there (quota)"),
    (ErrorKind::FileTooLarge, "ulimit -f unlimited"),
    (ErrorKind::ReadOnlyFilesystem, "make that place writable"),
    (ErrorKind::PermissionDenied, "make that place writable"),
    (ErrorKind::NotADirectory, "make a directory of it"),
];

/// Returns what ends an error that the file system gave, where that is known. Local files can also be
/// moved.
pub(crate) fn remedy(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let chain = std::iter::successors(Some(error), |error| error.source());
    let mut kinds = chain.filter_map(|error| error.downcast_ref::<std::io::Error>());
    let remedy = kinds.find_map(|cause| {
        let mut rows = REMEDIES.into_iter();
        rows.find(|(kind, _)| *kind == cause.kind())
    });
    remedy.map(|(_, text)| {
        format!(
            "{text}; XDG_CONFIG_HOME, XDG_STATE_HOME and XDG_CACHE_HOME say where keys, memory and \
             checkouts lie"
        )
    })
}

/// Joins an error and its sources into one line.
pub(crate) fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    chain
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_place_has_a_remedy_however_deep_it_lies() {
        #[derive(Debug, thiserror::Error)]
        #[error("cannot write it")]
        struct Outer(#[source] std::io::Error);
        let full = Outer(std::io::Error::from(ErrorKind::StorageFull));
        let absent = Outer(std::io::Error::from(ErrorKind::NotFound));

        assert!(remedy(&full).unwrap().starts_with("free space there"));
        assert_eq!(remedy(&absent), None);
    }
}
