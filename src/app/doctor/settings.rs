//! Settings by which evidence is lost or not fetched.

use crate::app::initialise::remotes::refspec;
use crate::app::session::Session;
use crate::model::finding::{Finding, doctor as rows};
use crate::model::text::quoted;

/// What must not be written over.
const LEDGER: &str = "refs/notes/plan-audit";

/// Looks at them.
pub(super) fn examine(session: &Session) -> Vec<Finding> {
    let repository = &session.repository;
    let ends =
        |end: &'static str| move |key: &str| key.starts_with("remote.") && key.ends_with(end);
    let refspecs = [".fetch", ".push"]
        .into_iter()
        .flat_map(|end| repository.values_of(ends(end)));
    let overwriting = refspecs.filter(|(_, value)| overwrites(value));
    let mut findings: Vec<Finding> = overwriting
        .map(|(key, value)| {
            let message = format!("{key} is {value}: it writes over {LEDGER} by force");
            let hint = format!(
                "git config --unset --fixed-value {} {}",
                quoted(&key),
                quoted(&value)
            );
            Finding::new(&rows::OVERWRITES, message).hint(hint)
        })
        .collect();
    let mirrors = repository.values_of(ends(".mirror"));
    findings.extend(
        mirrors
            .into_iter()
            .filter(|(_, value)| value != "false")
            .map(|(key, _)| {
                let message = format!("{key}: a push takes away what is not here, evidence too");
                let hint = format!("git config --unset {}", quoted(&key));
                Finding::new(&rows::OVERWRITES, message).hint(hint)
            }),
    );
    findings.extend(not_fetched(session));
    let rewritten = repository.values_of(|key| key == "notes.rewriteref");
    findings.extend(rewritten.into_iter().filter(|(_, value)| covers(value)).map(|(_, value)| {
        let message = format!("notes.rewriteRef is {value}: git copies evidence to commits that it does not speak of");
        let hint = format!("git config --unset --fixed-value notes.rewriteRef {}", quoted(&value));
        Finding::new(&rows::REWRITTEN, message).hint(hint)
    }));
    findings
}

/// Names the remotes whose evidence is not fetched.
fn not_fetched(session: &Session) -> Option<Finding> {
    let remotes = session.configured.remotes.iter();
    let without = remotes
        .filter(|remote| remote.url.is_some() && !remote.fetch.contains(&refspec(&remote.name)));
    let names: Vec<&str> = without.map(|remote| remote.name.as_str()).collect();
    let message = format!(
        "the evidence of {} is not fetched with its branches",
        names.join(", ")
    );
    (!names.is_empty())
        .then(|| Finding::new(&rows::NOT_FETCHED, message).hint("git plan-audit init"))
}

/// Says whether a refspec writes over the ledger by force.
fn overwrites(refspec: &str) -> bool {
    let Some(plain) = refspec.strip_prefix('+') else {
        return false;
    };
    let target = plain.split_once(':').map_or(plain, |(_, to)| to);
    covers(target)
}

/// Says whether a name, with at most one `*`, is that of the ledger.
fn covers(name: &str) -> bool {
    match name.split_once('*') {
        None => name == LEDGER,
        Some((before, after)) => {
            LEDGER.len() >= before.len() + after.len()
                && LEDGER.starts_with(before)
                && LEDGER.ends_with(after)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refspec_that_writes_over_the_ledger_is_known() {
        for (refspec, expected) in [
            ("+refs/*:refs/*", true),
            ("+refs/notes/*:refs/notes/*", true),
            ("+refs/notes/plan-audit:refs/notes/plan-audit", true),
            ("+refs/notes/plan-audit", true),
            ("refs/notes/*:refs/notes/*", false),
            ("+refs/heads/*:refs/remotes/origin/*", false),
            (
                "+refs/notes/plan-audit*:refs/plan-audit/remotes/origin/notes*",
                false,
            ),
            (
                "+refs/notes/plan-audit-not*:refs/notes/plan-audit-not*",
                false,
            ),
        ] {
            assert_eq!(overwrites(refspec), expected, "{refspec}");
        }
    }
}
