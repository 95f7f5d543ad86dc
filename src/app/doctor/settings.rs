//! Settings by which evidence is lost or not fetched.

use crate::app::initialise::remotes::refspec;
use crate::app::session::Session;
use crate::model::finding::{Finding, doctor as rows, judging};
use crate::model::gate::{CommitGate, Gates, Protected};
use crate::model::repository::LEDGER;
use crate::model::text::quoted;

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
    findings.extend(not_looked_at(session));
    let rewritten = repository.values_of(|key| key == "notes.rewriteref");
    findings.extend(rewritten.into_iter().filter(|(_, value)| covers(value)).map(|(_, value)| {
        let message = format!("notes.rewriteRef is {value}: git copies evidence to commits that it does not speak of");
        let hint = format!("git config --unset --fixed-value notes.rewriteRef {}", quoted(&value));
        Finding::new(&rows::REWRITTEN, message).hint(hint)
    }));
    findings
}

/// Says what the gates pass over because a setting says so, and that settings of theirs cannot be read.
fn not_looked_at(session: &Session) -> Vec<Finding> {
    let gates = &session.configured.gates;
    let origin = |name: &str| format!("git config --show-origin --get-all {name}");
    let faults = gates.faults.iter().map(|fault| {
        Finding::new(&judging::SETTINGS_INVALID, fault.clone())
            .hint("git config --show-origin --get-regexp '^planaudit[.]'")
    });
    let commits = (gates.commit == CommitGate::Off).then(|| {
        let message = "planAudit.preCommit is off: no commit is looked at before it is made";
        Finding::new(&rows::NARROW, message).hint(origin("planAudit.preCommit"))
    });
    let branch = session.repository.branch().ok().flatten();
    let left = left_out(&gates.protected, branch.as_deref());
    let pushes = (!left.is_empty()).then(|| {
        let names = left.join(", ");
        let message = format!("planAudit.protect leaves out {names}: a push there is not judged");
        Finding::new(&rows::NARROW, message).hint(origin("planAudit.protect"))
    });
    faults.chain(commits).chain(pushes).collect()
}

/// Names what is protected where nothing else is said, and is not.
fn left_out(protected: &Protected, branch: Option<&str>) -> Vec<String> {
    let usual = Gates::default().protected;
    let named = ["refs/heads/main", "refs/heads/master"].into_iter();
    let others = [
        ("refs/heads/plan-audit-canary", "other branches"),
        ("refs/tags/plan-audit-canary", "tags"),
    ];
    let mut asked: Vec<(&str, &str)> = named.chain(branch).map(|name| (name, name)).collect();
    asked.extend(others);
    let is_left = |(name, _): &(&str, &str)| usual.covers(name) && !protected.covers(name);
    let mut left: Vec<String> = Vec::new();
    for (_, shown) in asked.into_iter().filter(is_left) {
        let shown = crate::model::text::shown(shown);
        if !left.contains(&shown) {
            left.push(shown);
        }
    }
    left
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

    #[test]
    fn what_is_left_out_of_the_protected_is_named() {
        use crate::model::settings::{Scope, Scoped, Setting};
        let of = |values: &[&str]| {
            let scoped = |value: &&str| Scoped {
                value: (*value).to_owned(),
                scope: Scope::Global,
            };
            let empty = || Setting::new(Vec::new());
            let values = Setting::new(values.iter().map(scoped).collect());
            Gates::of(&empty(), &empty(), &values).protected
        };
        let all = ["refs/heads/main", "refs/heads/master"];
        let others = ["other branches", "tags"];
        for (values, branch, expected) in [
            (vec![], Some("refs/heads/wip/x"), vec![]),
            (vec!["refs/**"], Some("refs/heads/x"), vec![]),
            (
                vec!["refs/heads/main"],
                Some("refs/heads/main"),
                vec![all[1], others[0], others[1]],
            ),
            (
                vec!["refs/heads/release/**"],
                Some("refs/heads/topic"),
                vec![all[0], all[1], "refs/heads/topic", others[0], others[1]],
            ),
            (vec!["refs/heads/**"], None, vec![others[1]]),
        ] {
            assert_eq!(left_out(&of(&values), branch), expected, "{values:?}");
        }
    }
}
