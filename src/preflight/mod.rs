//! Tests statements about the code on the objects of one commit: no checkout, no process, no network.
//!
//! Knows neither git nor the ledger: it asks a [`Tree`], and gives evidence that anybody can make
//! again. Whatever could not be looked at is a gap, and with a gap nothing is said to be absent.

mod api;
mod data;
mod kinds;
mod look;
mod packages;
mod probe;
mod reach;
mod schema;
mod scope;
mod snapshot;
mod syntax;
mod table;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod tree;

use crate::model::claim::evidence::{Evaluator, Evidence, Reason};
use crate::model::claim::statement::Statement;
use crate::wire::claim;

pub(crate) use snapshot::{Limits, Snapshot};
pub(crate) use tree::{Lack, Tree};

use probe::{Answer, Probe};

/// Tests one statement.
pub(crate) fn test(snapshot: &Snapshot<'_>, statement: &Statement) -> Evidence {
    let row = table::of(statement.kind);
    let mut probe = Probe::new(snapshot, statement);
    let answer = match row {
        Some(row) => (row.decide)(&mut probe),
        // No plan with such a claim is valid.
        None => Answer::Unknown(Reason::UnsupportedLanguage),
    };
    let version = row.map_or(0, |row| row.version);
    probe.finish(answer, version)
}

/// Takes earlier evidence over, where all that it rests on is the same at this commit; what was not
/// whole then is tested anew.
pub(crate) fn taken_over(
    snapshot: &Snapshot<'_>,
    statement: &Statement,
    earlier: &Evidence,
) -> Option<Evidence> {
    let probe = Probe::new(snapshot, statement);
    let version = table::of(statement.kind)?.version;
    let present = Evaluator {
        grammars: earlier.evaluator.grammars.clone(),
        ..probe.evaluator(version)
    };
    let scope = probe.scope();
    let are_known = earlier
        .evaluator
        .grammars
        .iter()
        .all(|grammar| syntax::is_known(grammar));
    let is_whole = are_known && earlier.scope.gaps.is_empty() && scope.gaps.is_empty();
    let is_same = earlier.claim == claim::digest(statement)
        && earlier.evaluator == present
        && earlier.scope.list == scope.list;
    (is_whole && is_same).then(|| Evidence {
        commit: snapshot.commit().id,
        ..earlier.clone()
    })
}
