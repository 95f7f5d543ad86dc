//! `sync`: brings the evidence of a remote here and sends ours, as the union of both.
//!
//! What is joined is sent before the ref here moves, so that a race at the remote leaves no trace:
//! the loser asks again and joins anew, from where it stood.

mod meeting;
pub(super) mod remote;
mod repair;

use std::time::{Duration, Instant};

use super::append::{restore, unsigned};
use super::audit;
use super::ports::{Fetched, Pushed, Transport};
use super::stop::Stop;
use super::trusting::pinned;
use super::world::{Recorder, World};
use crate::ledger::judged::Ledger;
use crate::ledger::notes::{Join, Joins, NotesError};
use crate::ledger::reading;
use crate::model::finding::{Effect, Finding, ledger as ledger_rows, sync as rows};
use crate::model::ids::Oid;
use crate::model::outcome::{Details, Outcome, Synced, Word};
use crate::model::text::counted;
use crate::wire::record::{Line, parse};
use meeting::{Meeting, Step};

/// How long others are given way to, in all.
const PATIENCE: Duration = Duration::from_mins(2);

/// How long a remote is asked again that says it was moved, and was not.
const STUCK: Duration = Duration::from_secs(5);

/// What `sync` works with beside the world.
#[derive(Clone, Copy)]
pub(crate) struct Ways<'a> {
    /// The ledger here.
    pub(crate) notes: &'a dyn Joins,
    /// The way to remotes.
    pub(crate) transport: &'a dyn Transport,
}

/// Which ways the evidence goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Direction {
    /// Here and there.
    Both,
    /// Here alone.
    Fetch,
    /// There alone.
    Push,
}

/// What is asked of `sync`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// The remote; none for the one that stands out.
    pub(crate) remote: Option<String>,
    /// Which ways the evidence goes.
    pub(crate) direction: Direction,
    /// Whether what earlier commits of the ledger held is put back.
    pub(crate) repair: bool,
}

/// Brings and sends evidence. Without a recorder nothing of this clone's own is put back before.
pub(crate) fn sync(
    world: &World<'_>,
    recorder: Option<&Recorder<'_>>,
    ways: Ways<'_>,
    request: &Request,
) -> Result<Outcome, Stop> {
    let remote = remote::chosen(ways.transport, request.remote.as_deref())?;
    if unfinished(ways.transport)? {
        return Err(merging());
    }
    if world.identity.is_some() && request.direction != Direction::Fetch {
        // What it recorded elsewhere would go to everybody, and count for nobody.
        audit::identity(world)?;
    }
    let mut findings = restored(world, recorder)?;
    let mut sync = Sync {
        world,
        ways,
        remote: &remote,
        direction: request.direction,
        deadline: Instant::now() + PATIENCE,
        stands: None,
        done: Done::default(),
    };
    if request.repair {
        sync.exchange(Direction::Fetch)?;
        sync.done.repaired = repair::repair(ways.notes)?;
    }
    sync.exchange(request.direction)?;
    let Sync { done, .. } = sync;
    findings.extend(done.findings);
    findings.extend(unsigned(ways.notes));
    let is_through = !findings
        .iter()
        .any(|finding| finding.row.effect == Effect::Unknown);
    let synced = Synced {
        tip: ways.notes.tip().map_err(unread)?,
        there: done.there,
        received: done.received,
        sent: done.sent,
        is_joined: done.is_joined,
        repaired: done.repaired,
        ledger_findings: wrong(world)?,
        remote,
    };
    let word = if is_through { Word::Ok } else { Word::Unknown };
    Ok(Outcome::new(
        word,
        findings,
        Details::Sync(Box::new(synced)),
    ))
}

/// Puts back what was dropped of this clone's own lines, and appends what waits.
fn restored(world: &World<'_>, recorder: Option<&Recorder<'_>>) -> Result<Vec<Finding>, Stop> {
    let (Some(recorder), Some(identity)) = (recorder, world.identity) else {
        return Ok(Vec::new());
    };
    restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))
}

/// Says what is wrong with the ledger as it is now.
fn wrong(world: &World<'_>) -> Result<Vec<Finding>, Stop> {
    let trusting = super::trusting::resolve(world, None)?;
    let reading = reading::read(world.notes).map_err(unread)?;
    let ledger = Ledger::judge(&reading, &trusting.trust);
    let astray = super::ledgers::astray(world, &trusting, &ledger);
    let is_wrong = |finding: &Finding| finding.row.effect != Effect::None;
    let wrong = ledger.findings.into_iter().filter(is_wrong);
    Ok(wrong.chain(astray).collect())
}

/// What was done so far.
#[derive(Default)]
struct Done {
    there: Option<Oid>,
    received: usize,
    sent: usize,
    is_joined: bool,
    repaired: usize,
    findings: Vec<Finding>,
}

/// One exchange with one remote.
struct Sync<'a> {
    world: &'a World<'a>,
    ways: Ways<'a>,
    remote: &'a str,
    direction: Direction,
    deadline: Instant,
    /// What the remote has had all the while that it did not take ours, and since when.
    stands: Option<(Option<Oid>, Instant)>,
    done: Done,
}

/// What became of one round.
enum Round {
    /// There is no more to do.
    Over,
    /// Somebody moved the ledger meanwhile, here or there.
    Overtaken,
}

impl Sync<'_> {
    /// Goes through rounds until nobody comes between.
    fn exchange(&mut self, direction: Direction) -> Result<(), Stop> {
        self.direction = direction;
        let mut tries = 0;
        while Instant::now() < self.deadline {
            tries += 1;
            match self.round()? {
                Round::Over => return Ok(()),
                Round::Overtaken => self.ways.notes.give_way(tries),
            }
        }
        let message = format!("others moved the ledger {tries} times meanwhile");
        self.note(Finding::new(&rows::BUSY, message).hint(self.again()));
        Ok(())
    }

    /// Asks the remote, joins, sends, and takes over.
    fn round(&mut self) -> Result<Round, Stop> {
        let ours = self.ways.notes.tip().map_err(unread)?;
        if self.direction == Direction::Push {
            return self.push_only(ours);
        }
        let fetched = self.ways.transport.fetch(self.remote);
        let theirs = match fetched.map_err(Stop::broken("fetch the evidence"))? {
            Fetched::Ledger(tip) => Some(tip),
            Fetched::Nothing => None,
            Fetched::Obstructed(by) => return Ok(self.obstructed(&by)),
            Fetched::Unreachable(why) => return Ok(self.unreachable(&why)),
        };
        let has_lost = self.look_back(theirs)?;
        let met = Meeting::of(self.world, self.ways.notes, (ours, theirs))?;
        let tip = self.step(&met, (ours, theirs))?;
        let sends = self.direction == Direction::Both && tip.is_some() && tip != theirs;
        let mut there = theirs;
        let mut sent = 0;
        if sends {
            self.tell_foreign(&met.union.second_lacks.lines)?;
        }
        if let Some(tip) = tip.filter(|_| sends) {
            match self.push(&tip)? {
                Pushed::Done => {
                    there = Some(tip);
                    sent = met.sendable();
                }
                Pushed::Behind if self.is_stuck(theirs) => return Ok(self.stuck()),
                Pushed::Behind => return Ok(Round::Overtaken),
                Pushed::Refused(_) | Pushed::Unreachable(_) => {}
            }
        }
        if !self.take(ours, tip)? {
            return Ok(Round::Overtaken);
        }
        self.done.there = there;
        if !has_lost || there == tip {
            self.saw(there)?;
        }
        self.done.received += met.received();
        self.done.sent = sent;
        self.done.is_joined |= matches!(met.step, Step::Join);
        Ok(Round::Over)
    }

    /// Returns the tip that both sides are to have.
    fn step(
        &self,
        met: &Meeting,
        (ours, theirs): (Option<Oid>, Option<Oid>),
    ) -> Result<Option<Oid>, Stop> {
        match (met.step, ours, theirs) {
            (Step::Join, Some(ours), Some(theirs)) => {
                let join = Join {
                    tips: (ours, theirs),
                    notes: met.union.notes.clone(),
                    subject: format!("Join the ledger of {}", self.remote),
                };
                self.ways.notes.join(&join).map(Some).map_err(unread)
            }
            (Step::Take, _, theirs) => Ok(theirs),
            (Step::Keep | Step::Join, ours, _) => Ok(ours),
        }
    }

    /// Tells that lines are about to be sent that name another ledger than the one that counts.
    fn tell_foreign(&mut self, lines: &[Vec<u8>]) -> Result<(), Stop> {
        let pinned = pinned(self.world)?;
        let Some(own) = pinned.or(self.world.identity.map(|identity| identity.ledger)) else {
            return Ok(());
        };
        let names =
            lines.iter().filter_map(
                |line| match parse(line.strip_suffix(b"\n").unwrap_or(line)) {
                    Ok(Line::Record(record)) => Some(record.header.ledger),
                    Ok(Line::Newer(_) | Line::Continues(_)) | Err(_) => None,
                },
            );
        let count = names.filter(|name| *name != own).count();
        if count > 0 {
            let what = counted(count, "record");
            let message = format!(
                "{what} of another ledger than {own} go to {} too",
                self.remote
            );
            let hint = "git plan-audit log shows what counts; the others are noise wherever the ledger is pinned";
            self.note(Finding::new(&ledger_rows::FOREIGN_SENT, message).hint(hint));
        }
        Ok(())
    }

    /// Sends a tip, and notes why it was not taken.
    fn push(&mut self, tip: &Oid) -> Result<Pushed, Stop> {
        let pushed = self.ways.transport.push(self.remote, None, tip);
        let pushed = pushed.map_err(Stop::broken("send the evidence"))?;
        match &pushed {
            Pushed::Done | Pushed::Behind => {}
            Pushed::Refused(why) => {
                let message = format!(
                    "{} does not take refs/notes/plan-audit: {why}; the evidence is kept here",
                    self.remote
                );
                let hint = "ask who runs that server to allow refs/notes/plan-audit, then git plan-audit sync";
                self.note(Finding::new(&rows::REFUSED, message).hint(hint));
            }
            Pushed::Unreachable(why) => drop(self.unreachable(why)),
        }
        Ok(pushed)
    }

    /// Sends what is here and takes nothing.
    fn push_only(&mut self, ours: Option<Oid>) -> Result<Round, Stop> {
        let Some(tip) = ours else {
            return Ok(Round::Over);
        };
        match self.push(&tip)? {
            Pushed::Done => self.saw(Some(tip))?,
            Pushed::Behind => {
                let message = format!("{} has evidence that is not here", self.remote);
                let finding = Finding::new(&rows::AHEAD, message);
                self.note(finding.hint(format!("git plan-audit sync {}", self.remote)));
            }
            Pushed::Refused(_) | Pushed::Unreachable(_) => {}
        }
        Ok(Round::Over)
    }

    /// Moves the ref here, unless it is there; says whether nobody moved it meanwhile.
    fn take(&self, ours: Option<Oid>, tip: Option<Oid>) -> Result<bool, Stop> {
        match tip {
            Some(tip) if Some(tip) != ours => {
                let reason = format!("sync with {}", self.remote);
                let moved = self.ways.notes.advance(ours.as_ref(), &tip, &reason);
                moved.map_err(unread)
            }
            Some(_) | None => Ok(true),
        }
    }

    /// Notes down what the remote has now.
    fn saw(&mut self, tip: Option<Oid>) -> Result<(), Stop> {
        self.done.there = tip;
        let Some(tip) = tip else { return Ok(()) };
        let saw = self.ways.transport.saw(self.remote, &tip);
        saw.map_err(Stop::broken("note down what the remote has"))
    }

    /// Tells what the remote had when it was seen last and has no more, and whether that is anything.
    /// What it had is remembered until it is made good, so that it is told until then.
    fn look_back(&mut self, theirs: Option<Oid>) -> Result<bool, Stop> {
        let seen = self.ways.transport.last_seen(self.remote);
        let seen = seen.map_err(Stop::broken("read what the remote had"))?;
        let lost = meeting::lost(self.world, self.ways.notes, (seen, theirs))?;
        if lost.is_empty() {
            return Ok(false);
        }
        let message = format!(
            "the ledger of {} was rolled back: it lacks what it had: {}",
            self.remote,
            meeting::names(&lost)
        );
        let hint = match self.direction {
            Direction::Both => "they are kept here and sent again".to_owned(),
            Direction::Fetch | Direction::Push => {
                format!("git plan-audit sync {} sends them again", self.remote)
            }
        };
        self.note(Finding::new(&rows::ROLLED_BACK, message).hint(hint));
        Ok(true)
    }

    /// Says whether the remote has had the same ledger for long while it did not take ours.
    fn is_stuck(&mut self, theirs: Option<Oid>) -> bool {
        match self.stands {
            Some((seen, since)) if seen == theirs => since.elapsed() >= STUCK,
            Some(_) | None => {
                self.stands = Some((theirs, Instant::now()));
                false
            }
        }
    }

    /// Tells that the remote says it was moved, and was not.
    fn stuck(&mut self) -> Round {
        let message = format!(
            "{} does not take refs/notes/plan-audit though nobody moves it: a lock file or another \
             reference is in the way there; the evidence is kept here",
            self.remote
        );
        let hint = "ask who runs that server to look for refs/notes/plan-audit.lock, then git plan-audit sync";
        self.note(Finding::new(&rows::REFUSED, message).hint(hint));
        Round::Over
    }

    /// Tells that a reference of the remote leaves no place for the ledger.
    fn obstructed(&mut self, by: &str) -> Round {
        let message = format!(
            "{} can have no refs/notes/plan-audit: its {by} is in the way; the evidence is kept here",
            self.remote
        );
        let hint = format!("if nobody needs it: git push {} :{by}", self.remote);
        self.note(Finding::new(&rows::REFUSED, message).hint(hint));
        Round::Over
    }

    /// Tells that the remote does not answer.
    fn unreachable(&mut self, why: &str) -> Round {
        let message = format!("{} cannot be reached: {why}", self.remote);
        self.note(Finding::new(&rows::UNREACHABLE, message).hint(self.again()));
        Round::Over
    }

    /// Notes a finding once.
    fn note(&mut self, finding: Finding) {
        if !self.done.findings.contains(&finding) {
            self.done.findings.push(finding);
        }
    }

    /// Names the command that tries again.
    fn again(&self) -> String {
        format!("git plan-audit sync {}", self.remote)
    }
}

/// Says whether a merge of notes that a person began is not ended.
fn unfinished(transport: &dyn Transport) -> Result<bool, Stop> {
    let merging = transport.is_merging();
    merging.map_err(Stop::broken("look for an unfinished git notes merge"))
}

/// Refuses to join while a person does.
fn merging() -> Stop {
    let message = "a git notes merge of refs/notes/plan-audit is not finished";
    Stop::refuse(
        Finding::new(&rows::UNFINISHED, message)
            .hint("git notes --ref=plan-audit merge --abort: sync joins both sides by itself"),
    )
}

/// Says that the ledger could not be read or written.
fn unread(error: NotesError) -> Stop {
    Stop::broken("exchange the ledger")(error.into())
}
