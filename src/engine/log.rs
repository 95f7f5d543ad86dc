//! `log`: the records that count, newest first.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::bound::on_disk;
use super::judge::{Judge, resolved};
use super::ports::Commit;
use super::run::history::end_of;
use super::select::all_or;
use super::stop::Stop;
use super::usable::{Demands, unfit};
use super::world::World;
use crate::model::contract::Contract;
use crate::model::ids::{Digest, Oid, PlanName};
use crate::model::outcome::{Details, Log, LogEntry, LogFilter, Outcome, StepEnd, Word};
use crate::model::recompute;
use crate::model::record::{AuditBody, Kind, Record, RunBody, RunEnd, StepResult};
use crate::model::verdict::Verdict;
use crate::wire::{body, contract};

mod graph;

/// Whether the graph of what is listed is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Drawing {
    /// A list is enough.
    List,
    /// How records have seen each other is asked for.
    Graph,
}

/// Lists the records that count and pass a filter. What a record says in its header is asked before
/// its body is read, so that a narrow question is answered quickly in a long ledger.
pub(crate) fn log(
    world: &World<'_>,
    filter: &LogFilter,
    drawing: Drawing,
) -> Result<Outcome, Stop> {
    let commit = filter
        .revision
        .as_deref()
        .map(|revision| resolved(world, revision))
        .transpose()?;
    let judge = Judge::of_workspace(world, None)?;
    let records = judge.ledger.in_order();
    let reader = Reader::new(&judge);
    let mut entries = Vec::new();
    let (mut is_known, most) = (false, filter.most.unwrap_or(usize::MAX));
    for record in records
        .iter()
        .rev()
        .filter(|record| header_passes(record, filter))
    {
        if entries.len() >= most {
            break;
        }
        let entry = reader.entry(record)?;
        is_known |= entry.plan == filter.plan;
        if entry.says(filter) && commit.as_ref().is_none_or(|commit| is_of(&entry, commit)) {
            entries.push(entry);
        }
    }
    if let Some(plan) = filter.plan.as_ref().filter(|_| !is_known) {
        demand_here(&judge, plan)?;
    }
    let graph = (drawing == Drawing::Graph).then(|| graph::of(&records, &entries));
    let log = Log { entries, graph };
    Ok(Outcome::new(
        Word::Ok,
        judge.findings.clone(),
        Details::Log(Box::new(log)),
    ))
}

/// Says whether the header of a record passes a filter.
fn header_passes(record: &Record, filter: &LogFilter) -> bool {
    let header = &record.header;
    let is_of_kind = |kind: &Kind| header.kind == kind.as_str();
    (filter.kinds.is_empty() || filter.kinds.iter().any(is_of_kind))
        && filter
            .writer
            .as_ref()
            .is_none_or(|writer| header.writer == *writer)
        && filter.since.is_none_or(|since| header.time >= since)
}

/// Says whether a record names a commit, or is an audit of its tree.
fn is_of(entry: &LogEntry, commit: &Commit) -> bool {
    entry.head == commit.id || entry.tree == Some(commit.tree)
}

/// Refuses the name of a plan of which there is neither a record nor a file.
fn demand_here(judge: &Judge<'_>, only: &PlanName) -> Result<(), Stop> {
    let records = judge.ledger.in_order();
    let mut named = records.into_iter().filter_map(plan_of);
    if named.any(|plan| plan == *only) {
        return Ok(());
    }
    let world = &judge.world;
    let plans = world.workspace.map(on_disk).transpose()?;
    all_or(plans.unwrap_or_default(), Some(only)).map(drop)
}

/// Returns the plan that a record speaks of.
fn plan_of(record: &Record) -> Option<PlanName> {
    let text = &record.body;
    match Kind::parse(&record.header.kind)? {
        Kind::Seal => body::read_seal(text).ok().map(|seal| seal.plan),
        Kind::Close => body::read_close(text).ok().map(|close| close.plan),
        Kind::Audit => body::read_audit(text).ok().map(|audit| audit.plan),
        Kind::Run => body::read_run(text).ok().map(|run| run.plan),
        Kind::Claims => body::read_claims(text).ok().map(|claims| claims.plan),
        Kind::Answer
        | Kind::Import
        | Kind::Instance
        | Kind::Question
        | Kind::Request
        | Kind::Review
        | Kind::Revoke
        | Kind::Waiver => None,
    }
}

/// How steps ended.
type Ends = Vec<(u64, StepEnd)>;

/// Reads records into lines of the log.
pub(crate) struct Reader<'a> {
    world: World<'a>,
    /// What is asked of audits here.
    demands: Demands,
    /// Where the canonical bytes of each sealed contract are.
    contracts: BTreeMap<Digest, Oid>,
    /// Those that were read already: a contract has many records.
    read: RefCell<BTreeMap<Digest, Option<Rc<Contract>>>>,
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
            read: RefCell::default(),
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
            prev: record.header.prev.clone(),
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
                    (entry.verdict, entry.steps) = self.judged(&audit)?;
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
            Some(Kind::Claims) => {
                if let Ok(claims) = body::read_claims(&record.body) {
                    (entry.plan, entry.contract) = (Some(claims.plan), Some(claims.contract));
                }
            }
            Some(_) | None => {}
        }
        Ok(entry)
    }

    /// Says how the steps of a run ended; without its contract none of them passed.
    fn ends(&self, run: &RunBody) -> Result<Ends, Stop> {
        let told = match &run.end {
            RunEnd::Told(told) => told,
            RunEnd::Killed(steps) => {
                let killed = steps.iter().map(|step| (*step, StepEnd::Interrupted));
                return Ok(killed.collect());
            }
        };
        let steps = super::judge::steps(self.world.objects, &told.steps, told.kept.as_ref())?;
        Ok(ends(self.contract(&run.contract)?.as_deref(), &steps))
    }

    /// Recomputes the verdict of an audit, none when its contract is not at hand, and how each of its
    /// steps ended.
    fn judged(&self, audit: &AuditBody) -> Result<(Option<Verdict>, Ends), Stop> {
        let steps = super::judge::steps(self.world.objects, &audit.steps, audit.kept.as_ref())?;
        let contract = self.contract(&audit.contract)?;
        let is_steady = audit.place.is_steady(&audit.before, &audit.after);
        let verdict = contract.as_deref().map(|contract| {
            let verdict = recompute::audit(contract, &steps);
            if is_steady { verdict } else { Verdict::Fail }
        });
        Ok((verdict, ends(contract.as_deref(), &steps)))
    }

    /// Reads a sealed contract; what does not have the digest is no contract.
    pub(crate) fn contract(&self, digest: &Digest) -> Result<Option<Rc<Contract>>, Stop> {
        if let Some(known) = self.read.borrow().get(digest) {
            return Ok(known.clone());
        }
        let read = self.read_contract(digest)?.map(Rc::new);
        self.read.borrow_mut().insert(*digest, read.clone());
        Ok(read)
    }

    /// Reads a sealed contract from its blob.
    fn read_contract(&self, digest: &Digest) -> Result<Option<Contract>, Stop> {
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

/// Says how steps ended; without their contract none of them passed.
fn ends(contract: Option<&Contract>, steps: &[StepResult]) -> Ends {
    let end = |result| contract.map_or(StepEnd::Failed, |contract| end_of(contract, result));
    steps
        .iter()
        .map(|result| (result.id, end(result)))
        .collect()
}
