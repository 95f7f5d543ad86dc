//! `log`: the records that count, newest first.

use std::collections::BTreeMap;

use super::bound::on_disk;
use super::judge::{Judge, resolved};
use super::run::history::end_of;
use super::select::all_or;
use super::stop::Stop;
use super::usable::{Demands, unfit};
use super::world::World;
use crate::model::contract::Contract;
use crate::model::ids::{Digest, Oid, PlanName};
use crate::model::outcome::{Details, LogEntry, Outcome, StepEnd, Word};
use crate::model::recompute;
use crate::model::record::{AuditBody, Kind, Record, RunBody, RunEnd};
use crate::model::verdict::Verdict;
use crate::wire::{body, contract};

/// Lists the records that count; where a revision is named, those that name its commit and the
/// audits of its tree.
pub(crate) fn log(
    world: &World<'_>,
    revision: Option<&str>,
    only: Option<&PlanName>,
) -> Result<Outcome, Stop> {
    let commit = revision
        .map(|revision| resolved(world, revision))
        .transpose()?;
    let judge = Judge::of_workspace(world, None)?;
    let reader = Reader::new(&judge);
    let of_commit = |entry: &LogEntry| {
        commit
            .as_ref()
            .is_none_or(|commit| entry.head == commit.id || entry.tree == Some(commit.tree))
    };
    let is_of = |entry: &LogEntry| only.is_none() || entry.plan.as_ref() == only;
    let mut entries = Vec::new();
    for record in judge.ledger.in_order().into_iter().rev() {
        let entry = reader.entry(record)?;
        if is_of(&entry) {
            entries.push(entry);
        }
    }
    if let Some(only) = only.filter(|_| entries.is_empty()) {
        demand_here(world, only)?;
    }
    entries.retain(of_commit);
    Ok(Outcome::new(
        Word::Ok,
        judge.findings.clone(),
        Details::Log(entries),
    ))
}

/// Refuses the name of a plan of which there is neither a record nor a file.
fn demand_here(world: &World<'_>, only: &PlanName) -> Result<(), Stop> {
    let plans = world.workspace.map(on_disk).transpose()?;
    all_or(plans.unwrap_or_default(), Some(only)).map(drop)
}

/// Reads records into lines of the log.
pub(crate) struct Reader<'a> {
    world: World<'a>,
    /// What is asked of audits here.
    demands: Demands,
    /// Where the canonical bytes of each sealed contract are.
    contracts: BTreeMap<Digest, Oid>,
}

impl<'a> Reader<'a> {
    /// Remembers where the contracts of a ledger are.
    pub(crate) fn new(judge: &Judge<'a>) -> Self {
        let seals = judge.ledger.seals().into_iter();
        let contracts = seals
            .map(|(_, seal)| (seal.contract, seal.kept.blob))
            .collect();
        Self {
            world: judge.world,
            demands: judge.demands(),
            contracts,
        }
    }

    /// Reads one record.
    pub(crate) fn entry(&self, record: &Record) -> Result<LogEntry, Stop> {
        let mut entry = LogEntry {
            record: record.id,
            kind: record.header.kind.clone(),
            time: record.header.time,
            writer: record.header.writer.clone(),
            head: record.header.head,
            instance: record.header.instance,
            plan: None,
            contract: None,
            verdict: None,
            tree: None,
            steps: Vec::new(),
            usable: None,
        };
        match Kind::parse(&record.header.kind) {
            Some(Kind::Seal) => {
                if let Ok(seal) = body::read_seal(&record.body) {
                    (entry.plan, entry.contract) = (Some(seal.plan), Some(seal.contract));
                }
            }
            Some(Kind::Close) => {
                if let Ok(close) = body::read_close(&record.body) {
                    (entry.plan, entry.contract) = (Some(close.plan), Some(close.contract));
                }
            }
            Some(Kind::Audit) => {
                if let Ok(audit) = body::read_audit(&record.body) {
                    entry.verdict = self.verdict(&audit)?;
                    entry.tree = Some(audit.after.tree);
                    let reasons = unfit(&audit, &audit.after.tree, &self.demands);
                    entry.usable = Some(reasons.is_empty());
                    (entry.plan, entry.contract) = (Some(audit.plan), Some(audit.contract));
                }
            }
            Some(Kind::Review) => {
                let review = body::read_review(&record.body);
                entry.tree = review.ok().map(|review| review.tree);
            }
            Some(Kind::Run) => {
                if let Ok(run) = body::read_run(&record.body) {
                    entry.steps = self.ends(&run)?;
                    (entry.plan, entry.contract) = (Some(run.plan), Some(run.contract));
                }
            }
            Some(_) | None => {}
        }
        Ok(entry)
    }

    /// Says how the steps of a run ended; without its contract none of them passed.
    fn ends(&self, run: &RunBody) -> Result<Vec<(u64, StepEnd)>, Stop> {
        let told = match &run.end {
            RunEnd::Told(told) => told,
            RunEnd::Killed(steps) => {
                let killed = steps.iter().map(|step| (*step, StepEnd::Interrupted));
                return Ok(killed.collect());
            }
        };
        let contract = self.contract(&run.contract)?;
        let steps = super::judge::steps(self.world.objects, &told.steps, told.kept.as_ref())?;
        let end = |result| {
            contract
                .as_ref()
                .map_or(StepEnd::Failed, |contract| end_of(contract, result))
        };
        Ok(steps
            .iter()
            .map(|result| (result.id, end(result)))
            .collect())
    }

    /// Recomputes the verdict of an audit; none when its contract is not at hand.
    fn verdict(&self, audit: &AuditBody) -> Result<Option<Verdict>, Stop> {
        let Some(contract) = self.contract(&audit.contract)? else {
            return Ok(None);
        };
        let steps = super::judge::steps(self.world.objects, &audit.steps, audit.kept.as_ref())?;
        let verdict = recompute::audit(&contract, &steps);
        let is_steady = audit.place.is_steady(&audit.before, &audit.after);
        Ok(Some(if is_steady { verdict } else { Verdict::Fail }))
    }

    /// Reads a sealed contract; what does not have the digest is no contract.
    pub(crate) fn contract(&self, digest: &Digest) -> Result<Option<Contract>, Stop> {
        let Some(blob) = self.contracts.get(digest) else {
            return Ok(None);
        };
        let bytes = self
            .world
            .objects
            .blob(blob)
            .map_err(Stop::broken("read a contract"))?;
        let bytes = bytes.filter(|bytes| contract::digest(bytes) == *digest);
        Ok(bytes.and_then(|bytes| contract::read(&bytes).ok()))
    }
}
