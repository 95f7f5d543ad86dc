//! `run`: runs single steps of a sealed plan in the work tree, and records them. It proves nothing (D5).

use super::append::restore;
use super::audit::ready::{of_lineage, refusal};
use super::audit::{self, Ready};
use super::bound::on_disk;
use super::events::{Event, Listener};
use super::judge::Judge;
use super::own_key;
use super::ports::Workspace;
use super::select::one;
use super::standing::{Facts, Standing};
use super::stop::Stop;
use super::validate::demand_valid;
use super::world::{Recorder, World};
use crate::model::finding::{Finding, judging as judging_rows};
use crate::model::ids::{PlanName, RecordId};
use crate::model::outcome::Outcome;
use crate::model::record::Role;
use crate::model::state::State;
use history::History;
use steps::Running;

mod conclude;
pub(crate) mod history;
mod record;
mod select;
mod steps;

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'a> {
    /// The steps; none for those that have no passing result for the present content.
    pub(crate) steps: &'a [u64],
    /// The plan; the only one, or `default`, where none is named.
    pub(crate) only: Option<&'a PlanName>,
    /// Why steps are run although their attempts are used up.
    pub(crate) forced: Option<&'a str>,
}

/// A plan whose steps are going to be run.
struct Task<'a> {
    world: &'a World<'a>,
    recorder: &'a Recorder<'a>,
    judge: &'a Judge<'a>,
    ready: &'a Ready,
    history: &'a History,
    forced: Option<&'a str>,
    listener: Listener<'a>,
}

/// Runs steps.
pub(crate) fn run(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    request: Request<'_>,
    listener: Listener<'_>,
) -> Result<Outcome, Stop> {
    let workspace = audit::workspace(world)?;
    let identity = audit::identity(world)?;
    let lock = recorder.local.lock_audit();
    let _lock = lock.map_err(|error| audit::locked(&error))?;
    let restored =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    listener(&Event::TakingState);
    let before = workspace.state()?;
    audit::demand_merged(&before)?;
    // Before the ledger is read: a step that ends meanwhile is then seen twice, and never missed.
    let noticed = recorder.local.intents();
    let noticed = noticed.map_err(Stop::broken("read which steps are under way"))?;
    let judge = Judge::of_workspace(world, before.head.as_ref())?;
    let facts = audit::facts_here(&judge, before.branch.as_deref())?;
    let (ready, seal) = sealed(workspace, &facts, request.only)?;
    let (refusals, said) = of_lineage(&judge, &ready.plan.name, seal);
    if !refusals.is_empty() {
        return Err(Stop::Refused(refusals));
    }
    audit::demand_tools(recorder.runner, std::slice::from_ref(&ready))?;
    let history = History::read(&judge, seal, &noticed)?;
    let most = judge.trusting.max_attempts;
    let chosen = select::steps(&ready, &history, before.content, (request, most))?;
    let mut findings = judge.findings.clone();
    findings.extend(said);
    findings.extend(judge.closed_finding(&ready.plan.name, seal));
    findings.extend(ready.plan.findings.iter().cloned());
    findings.extend(restored);
    findings.extend(own_key::of_recorder(&judge, recorder, Role::Record));
    let task = Task {
        world,
        recorder,
        judge: &judge,
        ready: &ready,
        history: &history,
        forced: request.forced,
        listener,
    };
    task.run(workspace, &chosen, &before, findings)
}

impl Task<'_> {
    /// Runs the chosen steps, records them, and says what became of them.
    fn run(
        &self,
        workspace: &dyn Workspace,
        chosen: &[u64],
        before: &State,
        findings: Vec<Finding>,
    ) -> Result<Outcome, Stop> {
        let mut running = Running::new(self)?;
        running.run(chosen)?;
        if running.done.is_empty() {
            return Ok(conclude::conclude(
                self,
                (running, before),
                Ok(None),
                findings,
            ));
        }
        (self.listener)(&Event::TakingState);
        let after = workspace.state()?;
        let recorded = record::append(self, &running, (before, &after)).map(Some);
        if recorded.is_ok() {
            running.close();
        }
        Ok(conclude::conclude(
            self,
            (running, &after),
            recorded,
            findings,
        ))
    }
}

/// Returns the plan that is meant with its seal; refuses one that is not sealed as it is.
fn sealed(
    workspace: &dyn Workspace,
    facts: &Facts,
    only: Option<&PlanName>,
) -> Result<(Ready, RecordId), Stop> {
    let all = on_disk(workspace)?;
    let covered = facts.covered(&all);
    let plan = one(all, only)?;
    demand_valid(std::slice::from_ref(&plan))?;
    let standing = match facts.standing(&plan, &covered) {
        // Here a draft is a draft: it was asked for.
        Standing::DraftAtBase => Standing::Draft,
        standing @ (Standing::Invalid
        | Standing::Sealed(_)
        | Standing::Draft
        | Standing::Edited(_)
        | Standing::Broken(_)
        | Standing::RolledBack(_)
        | Standing::Unfounded(_)
        | Standing::Removed(_)) => standing,
    };
    if let (Standing::Sealed(seal), Some(sealable)) = (&standing, plan.contract.clone()) {
        let seal = *seal;
        let ready = Ready {
            plan,
            sealable,
            seal,
        };
        return Ok((ready, seal));
    }
    let refusal = refusal(&plan.name, &standing);
    let refusal = refusal.unwrap_or_else(|| {
        let message = format!("{} is no valid plan", plan.path);
        Finding::new(&judging_rows::PLAN_INVALID, message)
    });
    Err(Stop::refuse(refusal))
}
