//! What became of the steps of a lineage so far: their latest results and their failed attempts.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::judge::{self, Judge};
use crate::engine::lineage::Seals;
use crate::engine::ports::{Noticed, Objects};
use crate::engine::stop::Stop;
use crate::model::check::{End, Met};
use crate::model::contract::Contract;
use crate::model::ids::{AttemptId, Digest, PlanName, RecordId};
use crate::model::outcome::StepEnd;
use crate::model::recompute;
use crate::model::record::{AuditBody, Kind, Record, RunBody, RunEnd, StepResult};
use crate::wire::body;

/// A contract of a lineage.
type Sealed = (PlanName, Digest);

/// One result of one step.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Past {
    end: StepEnd,
    /// The contract that it was judged by, and the content that it speaks of; none where that changed.
    about: Option<(Digest, Digest)>,
}

/// What is known of the steps of one lineage.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct History {
    /// Results that count, each after those that it has seen.
    results: BTreeMap<u64, Vec<Past>>,
    /// How each attempt at a step ended; none of one that did not live to tell.
    attempts: BTreeMap<(u64, AttemptId), Option<StepEnd>>,
}

impl History {
    /// Reads what the ledger knows of a seal's lineage, and what is written down beside it.
    pub(crate) fn read(
        judge: &Judge<'_>,
        seal: RecordId,
        noticed: &[Noticed],
    ) -> Result<Self, Stop> {
        let seals = &judge.facts.seals;
        let mut gatherer = Gatherer {
            objects: judge.world.objects,
            contracts: BTreeMap::new(),
            history: Self::default(),
        };
        for id in lineage(seals, seal) {
            if let Some(known) = seals.get(id) {
                let sealed = (known.body.plan.clone(), known.body.contract);
                let contract = seals.contract(id, judge.world.notes)?;
                gatherer.contracts.insert(sealed, contract);
            }
        }
        for record in &judge.ledger.removed {
            gatherer.take_removed(record)?;
        }
        for record in judge.ledger.in_order() {
            gatherer.take(record)?;
        }
        for each in noticed {
            let intent = &each.intent;
            let sealed = (intent.plan.clone(), intent.contract);
            gatherer.lost(&sealed, intent.attempt, &[intent.step]);
        }
        Ok(gatherer.history)
    }

    /// Returns how the step ended when it was last run or audited.
    pub(crate) fn latest(&self, step: u64) -> Option<StepEnd> {
        let past = self.results.get(&step)?;
        past.last().map(|past| past.end)
    }

    /// Says whether a step passed for a content under a contract, and did not fail for it since.
    pub(crate) fn has_passed(&self, step: u64, contract: Digest, content: Digest) -> bool {
        let past = self.results.get(&step).into_iter().flatten();
        let mut of_content = past.filter(|past| past.about == Some((contract, content)));
        of_content
            .next_back()
            .is_some_and(|past| past.end == StepEnd::Passed)
    }

    /// Counts the failed attempts at a step; one that is under way counts until it ends.
    pub(crate) fn failed(&self, step: u64) -> u64 {
        let attempts = self.attempts.iter().filter(|((of, _), _)| *of == step);
        let failed = attempts.filter(|(_, end)| end.is_none_or(StepEnd::is_failed_attempt));
        u64::try_from(failed.count()).unwrap_or(u64::MAX)
    }
}

/// Says how a step ended.
pub(crate) fn end_of(contract: &Contract, result: &StepResult) -> StepEnd {
    let own = result.outputs.iter().flat_map(|output| &output.checks);
    let own = || result.checks.iter().chain(own.clone());
    if own().any(|check| check.end == End::Interrupted) {
        return StepEnd::Interrupted;
    }
    if own().any(|check| check.end == End::Blocked) {
        return StepEnd::Blocked;
    }
    let step = contract.step(result.id);
    match step.map(|step| recompute::step(contract, step, result)) {
        Some(Met::Passed) => StepEnd::Passed,
        Some(Met::Failed | Met::Unknown) | None => StepEnd::Failed,
    }
}

/// Returns the seals of a lineage: those that a seal continues, and those that another seal of the
/// same contract does.
fn lineage(seals: &Seals, seal: RecordId) -> BTreeSet<RecordId> {
    let body = seals.get(seal).map(|seal| &seal.body);
    let same = body.map(|body| seals.of_contract(&body.plan, &body.contract));
    let same = same.into_iter().flatten().filter(|id| seals.holds(*id));
    same.chain([seal])
        .flat_map(|id| seals.lineage(id))
        .collect()
}

/// Gathers a history, record by record.
struct Gatherer<'a> {
    objects: &'a dyn Objects,
    /// The contracts of the lineage; none of one whose bytes are not here.
    contracts: BTreeMap<Sealed, Option<Contract>>,
    history: History,
}

impl Gatherer<'_> {
    /// Takes a record that counts.
    fn take(&mut self, record: &Record) -> Result<(), Stop> {
        match Kind::parse(&record.header.kind) {
            Some(Kind::Run) => match body::read_run(&record.body) {
                Ok(run) => self.run(&run),
                Err(_) => Ok(()),
            },
            Some(Kind::Audit) => match body::read_audit(&record.body) {
                Ok(audit) => self.audit(&audit),
                Err(_) => Ok(()),
            },
            Some(_) | None => Ok(()),
        }
    }

    /// Takes a record that was removed: its failures still count, and nothing else of it.
    fn take_removed(&mut self, record: &Record) -> Result<(), Stop> {
        let is_run = record.header.kind == Kind::Run.as_str();
        if !is_run {
            return Ok(());
        }
        self.take(record)?;
        self.history.results.clear();
        Ok(())
    }

    /// Takes a run.
    fn run(&mut self, run: &RunBody) -> Result<(), Stop> {
        let sealed = (run.plan.clone(), run.contract);
        let told = match &run.end {
            RunEnd::Told(told) => told,
            RunEnd::Killed(steps) => {
                self.lost(&sealed, run.attempt, steps);
                return Ok(());
            }
        };
        if !self.contracts.contains_key(&sealed) {
            return Ok(());
        }
        let steps = judge::steps(self.objects, &told.steps, told.kept.as_ref())?;
        let content = (told.before == told.after).then_some(told.after);
        for (step, end) in self.results(&sealed, &steps, content) {
            let attempt = self.history.attempts.entry((step, run.attempt));
            let told = attempt.or_insert(None);
            // Of two results of one attempt the worse one stands.
            if told.is_none_or(|told| !told.is_failed_attempt()) {
                *told = Some(end);
            }
        }
        Ok(())
    }

    /// Takes an audit: its results count, and it is no attempt (D14).
    fn audit(&mut self, audit: &AuditBody) -> Result<(), Stop> {
        let sealed = (audit.plan.clone(), audit.contract);
        if self.contracts.contains_key(&sealed) {
            let steps = judge::steps(self.objects, &audit.steps, audit.kept.as_ref())?;
            let is_steady = audit.before.content == audit.after.content;
            let content = is_steady.then_some(audit.after.content);
            self.results(&sealed, &steps, content);
        }
        Ok(())
    }

    /// Takes what did not live to tell.
    fn lost(&mut self, sealed: &Sealed, attempt: AttemptId, steps: &[u64]) {
        if self.contracts.contains_key(sealed) {
            for step in steps {
                self.history
                    .attempts
                    .entry((*step, attempt))
                    .or_insert(None);
            }
        }
    }

    /// Takes results under their contract, and says how each step ended.
    fn results(
        &mut self,
        sealed: &Sealed,
        steps: &[StepResult],
        content: Option<Digest>,
    ) -> Vec<(u64, StepEnd)> {
        let contract = self.contracts.get(sealed).and_then(Option::as_ref);
        let mut ends = Vec::new();
        for result in steps {
            // Without its contract nothing is known to have passed.
            let end = contract.map_or(StepEnd::Failed, |contract| end_of(contract, result));
            let about = content.map(|content| (sealed.1, content));
            let past = self.history.results.entry(result.id).or_default();
            past.push(Past { end, about });
            ends.push((result.id, end));
        }
        ends
    }
}
