//! What a hook says to whoever commits or pushes: nothing where nothing is to be said, else the verdict
//! and the next command in the last lines.

use std::fmt::Write as _;

use super::{findings, verdict};
use crate::model::finding::{Finding, Severity};
use crate::model::hook::{Hooked, JudgedReference, ReferenceEnd};
use crate::model::outcome::{Outcome, Word};
use crate::model::text::shown;
use crate::model::verdict::Verdict;

/// Writes what a hook found.
pub(super) fn render(hooked: &Hooked, outcome: &Outcome) -> String {
    let mut text = hooked
        .audit
        .as_deref()
        .map_or_else(String::new, super::body);
    let is_loud = |finding: &&Finding| finding.row.severity != Severity::Info;
    let was_told = |finding: &&Finding| {
        let audit = hooked.audit.as_ref();
        audit.is_some_and(|audit| audit.findings.contains(finding))
    };
    let loud = outcome.findings.iter().filter(is_loud);
    let loud: Vec<Finding> = loud.filter(|each| !was_told(each)).cloned().collect();
    text.push_str(&findings(&loud));
    let spoken = hooked.references.iter().filter(|each| is_spoken_of(each));
    text.extend(spoken.map(reference));
    if outcome.word == Word::Fail {
        let what = hooked.caller.gated();
        let _ = writeln!(
            text,
            "plan-audit: {} the {what} is refused",
            verdict("FAIL")
        );
        if let Some(next) = &hooked.next {
            let _ = writeln!(text, "next: {}", shown(next));
        }
    }
    text
}

/// Says whether a reference is worth a line: one that no plan binds, or that is not gated, is not.
fn is_spoken_of(reference: &JudgedReference) -> bool {
    match reference.end {
        ReferenceEnd::Judged(verdict) => verdict != Verdict::NoPlan,
        ReferenceEnd::Refused => true,
        ReferenceEnd::Deleted | ReferenceEnd::Evidence | ReferenceEnd::Unprotected => false,
    }
}

/// Writes the line of a reference.
fn reference(reference: &JudgedReference) -> String {
    let name = shown(&reference.name);
    let old = reference
        .old
        .map_or_else(|| "new".to_owned(), |id| id.short());
    let new = reference.commit.map_or_else(String::new, |id| id.short());
    let word = verdict(reference.end.as_str());
    format!("plan-audit: {word} {name} {old}..{new}\n")
}
