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
use crate::model::repository::LEDGER;
use crate::model::text::{quoted, shown};

/// Of how many references a push is named whole.
const MOST_NAMED: usize = 3;

/// Publishes the ledger, and says what became of that. Where the remote has moved, both are joined.
pub(super) fn publish(
    (world, tools): (&World<'_>, &Tools<'_>),
    push: &Push,
    found: &mut Found,
) -> Result<(), Stop> {
    let ledger = ledger_line(push);
    let named = || {
        let all = tools.ways.transport.remotes();
        let is_known = ledger.is_some() && all.contains(&push.remote);
        is_known.then(|| push.remote.clone())
    };
    let Some(remote) = published(tools.ways.transport)?.or_else(named) else {
        if found.word == Word::NoPlan {
            found.findings.extend(unsent(world));
            return Ok(());
        }
        let message = "planAudit.remote is not set, so evidence stays in this clone";
        let finding = Finding::new(&rows::NOT_PUBLISHED, message);
        let hint = format!("git config planAudit.remote {}", quoted(&push.remote));
        found.findings.push(finding.hint(hint));
        return Ok(());
    };
    let ledger = ledger.filter(|_| push.remote == remote);
    send((world, tools), push, (&remote, ledger), found)?;
    if let Some(line) = ledger
        && found.word == Word::Pass
    {
        found.findings.push(beside(push, line));
        found.word = Word::Fail;
    }
    Ok(())
}

/// Sends the ledger, where the remote lacks something of it. What git was just told of the remote is
/// newer than what was seen there last.
fn send(
    (world, tools): (&World<'_>, &Tools<'_>),
    push: &Push,
    (remote, line): (&str, Option<&Line>),
    found: &mut Found,
) -> Result<(), Stop> {
    let Some(tip) = due(tools, remote, line)? else {
        return Ok(());
    };
    (tools.listener)(&Event::Publishing { remote });
    let url = (push.remote == remote).then_some(push.url.as_str());
    let transport = tools.ways.transport;
    let pushed = transport.push(remote, url, &tip);
    match pushed.map_err(Stop::broken("publish the evidence"))? {
        Pushed::Done => {
            let saw = transport.saw(remote, &tip);
            saw.map_err(Stop::broken("note down what was published"))?;
            found.findings.push(done(remote));
        }
        Pushed::Behind => return join((world, tools), remote, found),
        Pushed::Refused(why) => {
            found.findings.push(refused(remote, &why));
            found.word = Word::Fail;
        }
        Pushed::Unreachable(why) => {
            found.findings.push(unreachable(remote, &why));
            found.word = Word::Unknown;
        }
    }
    Ok(())
}

/// Returns the tip that a remote did not have when it was asked last; none where there is no more.
fn due(tools: &Tools<'_>, remote: &str, line: Option<&Line>) -> Result<Option<Oid>, Stop> {
    let tip = tools.ways.notes.tip();
    let tip = tip.map_err(|error| Stop::broken("read the ledger")(error.into()))?;
    let seen = tools.ways.transport.last_seen(remote);
    let seen = seen.map_err(Stop::broken("read what the remote had"))?;
    let seen = line.map_or(seen, |line| line.old);
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

/// Returns what the push itself does with the ledger.
fn ledger_line(push: &Push) -> Option<&Line> {
    match &push.said {
        Said::Lines(lines) => lines.iter().find(|line| line.name == LEDGER),
        Said::Nothing | Said::Unread | Said::Unreadable(_) => None,
    }
}

/// Says that a push cannot bring the ledger along. What it becomes there was fixed before the evidence
/// of this push was known, and git takes a branch though it refuses the ledger beside it.
fn beside(push: &Push, line: &Line) -> Finding {
    let what = match line.new {
        Some(id) => format!("set {LEDGER} to {}", id.short()),
        None => format!("take {LEDGER} away"),
    };
    let message = format!(
        "the evidence is at {} by now, and this push would also {what}, as it was told before",
        shown(&push.remote)
    );
    Finding::new(&rows::BESIDE, message).hint(alone(push))
}

/// Names the push of all but the ledger.
fn alone(push: &Push) -> String {
    let lines: &[Line] = match &push.said {
        Said::Lines(lines) => lines,
        Said::Nothing | Said::Unread | Said::Unreadable(_) => &[],
    };
    let others: Vec<&Line> = lines.iter().filter(|line| line.name != LEDGER).collect();
    if others.len() > MOST_NAMED || others.iter().any(|line| line.new.is_none()) {
        return format!("push once more without {LEDGER}: it goes by itself");
    }
    let of_line = |line: &&Line| {
        let new = line.new.map_or_else(String::new, |id| id.short());
        quoted(&format!("{new}:{}", line.name))
    };
    let words: Vec<String> = others.iter().map(of_line).collect();
    format!("git push {} {}", quoted(&push.remote), words.join(" "))
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
