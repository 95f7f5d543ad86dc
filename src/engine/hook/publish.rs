//! Evidence goes before the branch: one that arrives alone is harmless, a branch without it is not.

use super::{Found, Tools};
use crate::engine::events::Event;
use crate::engine::ledgers::unsent;
use crate::engine::ports::Pushed;
use crate::engine::stop::Stop;
use crate::engine::sync::remote::published;
use crate::engine::sync::{Direction, Request, sync};
use crate::engine::world::World;
use crate::model::finding::{Finding, hook as rows};
use crate::model::ids::Oid;
use crate::model::outcome::Word;
use crate::model::pushed::{Line, Push, Said};
use crate::model::text::{quoted, shown};

/// Publishes the ledger, and says what became of that. Where the remote has moved, both are joined.
pub(super) fn publish(
    (world, tools): (&World<'_>, &Tools<'_>),
    push: &Push,
    found: &mut Found,
) -> Result<(), Stop> {
    let Some(remote) = published(tools.ways.transport)? else {
        if found.word == Word::NoPlan {
            found.findings.extend(unsent(world.settings));
            return Ok(());
        }
        let message = "planAudit.remote is not set, so evidence stays in this clone";
        let finding = Finding::new(&rows::NOT_PUBLISHED, message);
        let hint = format!("git config planAudit.remote {}", quoted(&push.remote));
        found.findings.push(finding.hint(hint));
        return Ok(());
    };
    // Git itself is about to push it there, and would be refused if it had moved meanwhile.
    let comes_anyway = push.remote == remote && holds_the_ledger(push);
    let due = if comes_anyway {
        None
    } else {
        due(tools, &remote)?
    };
    let Some(tip) = due else { return Ok(()) };
    (tools.listener)(&Event::Publishing { remote: &remote });
    let url = (push.remote == remote).then_some(push.url.as_str());
    let transport = tools.ways.transport;
    let pushed = transport.push(&remote, url, &tip);
    match pushed.map_err(Stop::broken("publish the evidence"))? {
        Pushed::Done => {
            let saw = transport.saw(&remote, &tip);
            saw.map_err(Stop::broken("note down what was published"))?;
            found.findings.push(done(&remote));
        }
        Pushed::Behind => return join((world, tools), &remote, found),
        Pushed::Refused(why) => {
            found.findings.push(refused(&remote, &why));
            found.word = Word::Fail;
        }
        Pushed::Unreachable(why) => {
            found.findings.push(unreachable(&remote, &why));
            found.word = Word::Unknown;
        }
    }
    Ok(())
}

/// Returns the tip that a remote did not have when it was asked last; none where there is no more.
fn due(tools: &Tools<'_>, remote: &str) -> Result<Option<Oid>, Stop> {
    let tip = tools.ways.notes.tip();
    let tip = tip.map_err(|error| Stop::broken("read the ledger")(error.into()))?;
    let seen = tools.ways.transport.last_seen(remote);
    let seen = seen.map_err(Stop::broken("read what the remote had"))?;
    Ok(tip.filter(|_| tip != seen))
}

/// Joins the ledger with that of the remote, and sends the union.
fn join(
    (world, tools): (&World<'_>, &Tools<'_>),
    remote: &str,
    found: &mut Found,
) -> Result<(), Stop> {
    let request = Request {
        remote: Some(remote.to_owned()),
        direction: Direction::Both,
        repair: false,
    };
    let outcome = sync(world, None, tools.ways, &request)?;
    let is_through = outcome.word == Word::Ok;
    found.findings.extend(outcome.findings);
    if is_through {
        found.findings.push(done(remote));
    } else {
        found.word = Word::Unknown;
    }
    Ok(())
}

/// Says that the evidence is where it belongs.
fn done(remote: &str) -> Finding {
    let message = format!("the evidence is at {}", shown(remote));
    Finding::new(&rows::PUBLISHED, message)
}

/// Says whether the push itself brings the ledger.
fn holds_the_ledger(push: &Push) -> bool {
    let is_ledger = |line: &Line| line.name == "refs/notes/plan-audit" && line.new.is_some();
    match &push.said {
        Said::Lines(lines) => lines.iter().any(is_ledger),
        Said::Nothing | Said::Unread | Said::Unreadable(_) => false,
    }
}

/// Says that the remote does not take the ledger.
fn refused(remote: &str, why: &str) -> Finding {
    let message = format!(
        "{} does not take the evidence: {}",
        shown(remote),
        shown(why)
    );
    let hint = "ask who runs that server to allow refs/notes/plan-audit, or git config --unset \
                planAudit.remote";
    Finding::new(&rows::REFUSED, message).hint(hint)
}

/// Says that the remote did not answer.
fn unreachable(remote: &str, why: &str) -> Finding {
    let message = format!(
        "the evidence could not be published to {}: {}",
        shown(remote),
        shown(why)
    );
    let hint = format!("git plan-audit sync {}, then push again", quoted(remote));
    Finding::new(&rows::UNREACHABLE, message).hint(hint)
}
