//! Which remote the evidence goes to and comes from.

use crate::engine::ports::Transport;
use crate::engine::stop::Stop;
use crate::model::finding::{Finding, sync as rows};
use crate::model::text::shown;

/// Returns the remote that is named, else the one that is configured, else the one that has a
/// ledger, else that of the branch, else the only one.
pub(super) fn chosen(transport: &dyn Transport, named: Option<&str>) -> Result<String, Stop> {
    let all = transport.remotes();
    if let Some(name) = named.map(str::to_owned).or_else(|| transport.chosen()) {
        return if all.contains(&name) {
            Ok(name)
        } else {
            Err(unknown(&name, &all))
        };
    }
    let with_ledger = with_ledger(transport)?;
    let upstream = transport.upstream().filter(|name| all.contains(name));
    match (with_ledger.as_slice(), upstream, all.as_slice()) {
        ([one], _, _) | (_, None, [one]) => Ok(one.clone()),
        (_, Some(name), _) => Ok(name),
        (_, None, _) => Err(undecided(&all)),
    }
}

/// Returns the remote that evidence is published to without being asked for: the one that is
/// configured, else the one that has a ledger.
pub(in crate::engine) fn published(transport: &dyn Transport) -> Result<Option<String>, Stop> {
    if let Some(name) = transport.chosen() {
        return Ok(Some(name));
    }
    let mut with_ledger = with_ledger(transport)?.into_iter();
    Ok(with_ledger.next().filter(|_| with_ledger.next().is_none()))
}

/// Lists the remotes that had a ledger when they were asked last.
fn with_ledger(transport: &dyn Transport) -> Result<Vec<String>, Stop> {
    let mut found = Vec::new();
    for name in transport.remotes() {
        let seen = transport.last_seen(&name);
        let seen = seen.map_err(Stop::broken("read what a remote had"))?;
        found.extend(seen.map(|_| name));
    }
    Ok(found)
}

/// Refuses a name that no remote has.
fn unknown(name: &str, all: &[String]) -> Stop {
    let message = format!("there is no remote called {}", shown(name));
    Stop::refuse(Finding::new(&rows::WHICH, message).hint(hint(all)))
}

/// Refuses to choose.
fn undecided(all: &[String]) -> Stop {
    let message = if all.is_empty() {
        "this repository has no remote".to_owned()
    } else {
        format!("several remotes could be meant: {}", all.join(", "))
    };
    Stop::refuse(Finding::new(&rows::WHICH, message).hint(hint(all)))
}

/// Names the command that ends the doubt.
fn hint(all: &[String]) -> String {
    match all.first() {
        Some(first) => format!("git plan-audit sync {first}"),
        None => "git remote add origin URL".to_owned(),
    }
}
