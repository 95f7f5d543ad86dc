//! Why a command ends before its answer.

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

/// Joins an error and its sources into one line.
pub(crate) fn causes(error: &(dyn std::error::Error + 'static)) -> String {
    let chain = std::iter::successors(Some(error), |error| error.source());
    chain
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(": ")
}
