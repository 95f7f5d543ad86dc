//! Differences of claims: one more asks for more, one less for less.

use super::lists::{Classes, by_key};
use super::{Change, Class};
use crate::model::claim::Claim;

/// Claims as a list: their order decides nothing.
const CLAIMS: Classes = Classes {
    added: Class::Strengthening,
    removed: Class::Weakening,
    reordered: Class::Neutral,
};

/// Lists the differences of claims, by their ids.
pub(super) fn compare(before: &[Claim], after: &[Claim]) -> Vec<Change> {
    let key = |claim: &Claim| claim.id.clone();
    let (mut changes, paired) = by_key("claims", (before, after), CLAIMS, key, Claim::line);
    changes.extend(
        paired
            .into_iter()
            .filter_map(|(old, new)| replaced(old, new)),
    );
    changes
}

/// Says what became of one claim.
fn replaced(old: &Claim, new: &Claim) -> Option<Change> {
    if old == new {
        return None;
    }
    let class = if old.statement != new.statement
        || new.criticality < old.criticality
        || old.hold && !new.hold
    {
        Class::Weakening
    } else if old.steps != new.steps || old.because != new.because {
        Class::ScopeChange
    } else {
        Class::Strengthening
    };
    Some(Change {
        class,
        member: format!("claim {}", old.id),
        before: Some(old.line()),
        after: Some(new.line()),
    })
}
