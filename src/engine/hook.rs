//! What the hooks of git ask: whether what is about to be committed or pushed may be.

pub(crate) mod commit;
pub(crate) mod publish;
pub(crate) mod push;
pub(crate) mod receive;

use std::num::NonZeroUsize;

use super::audit::{Request, Subject, audit};
use super::events::Listener;
use super::judge::Judge;
use super::ports::Checkouts;
use super::stop::Stop;
use super::sync::Ways;
use super::usable::unfit_state;
use super::world::{Recorder, World};
use crate::model::finding::{Effect, Finding, judging as rows};
use crate::model::hook::{Caller, Hooked, JudgedReference, Ran, next};
use crate::model::ids::{Oid, PlanName};
use crate::model::outcome::{Details, Outcome, Word};

/// What a hook may use beside what is judged.
#[derive(Clone, Copy)]
pub(crate) struct Tools<'a> {
    /// Returns the ports for recording, where an audit is to be run.
    pub(crate) recorder: &'a dyn Fn() -> Result<Recorder<'a>, Stop>,
    /// What reads the index; it makes nothing.
    pub(crate) index: &'a dyn Checkouts,
    /// Returns what makes checkouts, where one is to be made: not every clone is served one.
    pub(crate) checkouts: &'a dyn Fn() -> Result<&'a dyn Checkouts, Stop>,
    /// How many steps of a plan may run at a time.
    pub(crate) jobs: NonZeroUsize,
    /// The ledger, and the way to remotes.
    pub(crate) ways: Ways<'a>,
    /// Hears of progress.
    pub(crate) listener: Listener<'a>,
}

/// What a hook found, before it becomes an outcome.
struct Found {
    caller: Caller,
    word: Word,
    findings: Vec<Finding>,
    references: Vec<JudgedReference>,
    audit: Option<Box<Outcome>>,
}

impl Found {
    /// Begins with nothing.
    const fn nothing(caller: Caller, word: Word) -> Self {
        Self {
            caller,
            word,
            findings: Vec::new(),
            references: Vec::new(),
            audit: None,
        }
    }

    /// Makes the outcome: whatever is not well refuses, in the one way that git knows.
    fn outcome(self) -> Outcome {
        let passes = matches!(self.word, Word::Pass | Word::Ok | Word::NoPlan);
        let ran = if self.audit.is_some() {
            Ran::Audit
        } else {
            Ran::Nothing
        };
        let next = (!passes).then(|| next(&self.findings, ran));
        let word = if passes { self.word } else { Word::Fail };
        let hooked = Hooked {
            caller: self.caller,
            audit: self.audit,
            references: self.references,
            next,
        };
        let mut outcome = Outcome::new(word, self.findings, Details::Hook(Box::new(hooked)));
        outcome.exit = u8::from(!passes);
        outcome
    }
}

/// Refuses where the settings of the hooks cannot be read, and names those that do not count.
fn settings(world: &World<'_>) -> Result<Vec<Finding>, Stop> {
    let gates = &world.settings.gates;
    let faults = gates.faults.iter().map(|fault| {
        Finding::new(&rows::SETTINGS_INVALID, fault.clone())
            .hint("git config --show-origin --get-regexp '^planaudit[.]'")
    });
    let faults: Vec<Finding> = faults.collect();
    if !faults.is_empty() {
        return Err(Stop::Refused(faults));
    }
    let ignored = gates.ignored.iter().map(|name| {
        let message = format!(
            "{name} in the repository's own configuration is not used: it would loosen a gate"
        );
        Finding::new(&rows::SETTING_IGNORED, message)
            .hint(format!("git config --global {name} ..., if that is meant"))
    });
    Ok(ignored.collect())
}

/// Says whether a finding keeps something from passing.
fn bears(finding: &Finding) -> bool {
    matches!(
        finding.row.effect,
        Effect::Fail | Effect::Unknown | Effect::Refused
    )
}

/// What is audited where the work tree does not do.
#[derive(Clone, Copy)]
enum Apart<'a> {
    /// What is staged, whatever lies on disk.
    Index,
    /// The commit that a revision names.
    Commit(&'a str),
}

/// Audits in the work tree where it holds exactly this tree and nothing else; else in a checkout.
fn audited(
    (world, tools): (&World<'_>, &Tools<'_>),
    judge: &Judge<'_>,
    tree: &Oid,
    (apart, only): (Apart<'_>, Option<&PlanName>),
) -> Result<Outcome, Stop> {
    let recorder = (tools.recorder)()?;
    let subject = if is_clean(world, judge, tree)? {
        Subject::Worktree
    } else {
        match apart {
            Apart::Index => Subject::Index((tools.checkouts)()?),
            Apart::Commit(revision) => Subject::Commit((tools.checkouts)()?, revision),
        }
    };
    let request = Request {
        subject,
        only,
        jobs: tools.jobs,
    };
    audit(world, &recorder, request, tools.listener)
}

/// Says whether an audit in the work tree could prove this tree.
fn is_clean(world: &World<'_>, judge: &Judge<'_>, tree: &Oid) -> Result<bool, Stop> {
    let demands = judge.demands();
    let is_elsewhere = demands.places.iter().any(|place| place != "worktree");
    let Some(workspace) = world.workspace.filter(|_| !is_elsewhere) else {
        return Ok(false);
    };
    let state = workspace.state()?;
    Ok(state.tree == *tree
        && state.staged_tree == Some(*tree)
        && unfit_state(&state, &demands).is_empty())
}
