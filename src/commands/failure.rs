//! The edge: whatever ended a command early becomes an outcome with a code.

use crate::engine::stop::{Stop, causes, remedy};
use crate::model::finding::{Finding, judging as rows};
use crate::model::outcome::{Details, Outcome, Word};

/// Turns the end of a command into its outcome.
pub(crate) fn outcome_of(result: Result<Outcome, Stop>) -> Outcome {
    result
        .or_else(Stop::into_outcome)
        .unwrap_or_else(|(doing, cause)| {
            let message = format!("cannot {doing}: {}", causes(&*cause));
            let mut finding = Finding::new(&rows::BROKEN, message);
            finding.hint = remedy(&*cause);
            Outcome::new(Word::Unknown, vec![finding], Details::None)
        })
}
