//! `glob_count`: how many files match.

use crate::preflight::probe::{Answer, Probe};

/// Decides `glob_count`. What was found beyond `max` is enough to fail, and a gap cannot take it back.
pub(in crate::preflight) fn count(probe: &mut Probe<'_>) -> Answer {
    let scope = probe.scope();
    let statement = probe.statement();
    let count = u64::try_from(scope.entries.len()).unwrap_or(u64::MAX);
    let is_enough = statement.number("min").is_none_or(|min| count >= min);
    let is_too_many = statement.number("max").is_some_and(|max| count > max);
    let answer = match probe.gap() {
        _ if is_too_many => Answer::Fails,
        Some(_) if is_enough && statement.number("max").is_none() => Answer::Holds,
        Some(reason) => return Answer::Unknown(reason),
        None => Answer::when(is_enough),
    };
    for entry in &scope.entries {
        probe.point(entry, None, answer == Answer::Holds);
    }
    answer
}
