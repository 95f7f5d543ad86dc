//! `status`: where each plan stands and the next command.

use super::audit::{with_own_branch, workspace};
use super::bound::{BoundPlan, Sealable, on_disk};
use super::judge::Judge;
use super::run::history::History;
use super::select::all_or;
use super::standing::{Facts, Standing};
use super::stop::Stop;
use super::world::World;
use crate::model::contract::Step;
use crate::model::ids::{PlanName, RecordId};
use crate::model::outcome::{Details, JudgedPlan, Outcome, PlanStatus, Status, StepStatus, Word};
use crate::model::state::{Flag, State};
use crate::model::verdict::Verdict;

/// Tells where everything stands.
pub(crate) fn status(world: &World<'_>, only: Option<&PlanName>) -> Result<Outcome, Stop> {
    let workspace = workspace(world)?;
    let state = workspace.state()?;
    let judge = Judge::of_workspace(world, state.head.as_ref())?;
    let facts = match world.identity {
        Some(identity) => with_own_branch(&judge, identity, state.branch.as_deref()),
        None => judge.facts.clone(),
    };
    let plans = all_or(on_disk(workspace)?, only)?;
    let (judged, _) = judge.plans(&plans, &state.tree, only)?;
    let lines = plans
        .iter()
        .map(|plan| line(world, &judge, &facts, plan, (&judged, &state)));
    let mut lines = lines.collect::<Result<Vec<PlanStatus>, Stop>>()?;
    let removed = facts.removed(&plans).into_iter();
    lines.extend(
        removed
            .filter(|(name, _)| only.is_none_or(|only| only == name))
            .map(|(name, standing)| removed_line(&name, &standing)),
    );
    let status = Status {
        branch: state.branch,
        head: state.head,
        plans: lines,
        records: judge.ledger.counts.authenticated,
        heads: judge.ledger.heads().into_iter().collect(),
        tip: judge.ledger.tip,
        ledger_findings: judge.ledger.findings.clone(),
        trust: judge.trusting.sentence(),
    };
    let mut findings = judge.findings.clone();
    findings.extend(plans.into_iter().flat_map(|plan| plan.findings));
    Ok(Outcome::new(
        Word::Ok,
        findings,
        Details::Status(Box::new(status)),
    ))
}

/// Tells where one plan stands.
fn line(
    world: &World<'_>,
    judge: &Judge<'_>,
    facts: &Facts,
    plan: &BoundPlan,
    (judged, state): (&[JudgedPlan], &State),
) -> Result<PlanStatus, Stop> {
    let standing = facts.standing(plan);
    let verdict = judged
        .iter()
        .find(|judged| judged.name == plan.name)
        .map_or(Verdict::NoPlan, |judged| judged.verdict);
    let seal = match &standing {
        Standing::Sealed(seal) => Some(*seal),
        Standing::Invalid
        | Standing::Draft
        | Standing::DraftAtBase
        | Standing::Edited(_)
        | Standing::Broken(_)
        | Standing::Removed(_) => None,
    };
    let steps = match seal {
        Some(seal) => steps(world, judge, plan, seal, state)?,
        None => Vec::new(),
    };
    Ok(PlanStatus {
        name: plan.name.clone(),
        path: plan.path.clone(),
        standing: standing.as_str(),
        contract: plan.contract.as_ref().map(|sealable| sealable.digest),
        seal,
        verdict,
        steps,
        next: next(world, plan, &standing, verdict, state),
    })
}

/// Tells where the steps of a sealed plan stand. What is only written down locally is left out: the
/// ledger is what counts.
fn steps(
    world: &World<'_>,
    judge: &Judge<'_>,
    plan: &BoundPlan,
    seal: RecordId,
    state: &State,
) -> Result<Vec<StepStatus>, Stop> {
    let history = History::read(world, judge, seal, &[])?;
    let of_contract = |sealable: &Sealable| {
        let status = |step: &Step| StepStatus {
            id: step.id,
            passed: history.has_passed(step.id, sealable.digest, state.content),
            failed: history.failed(step.id),
        };
        sealable.contract.steps.iter().map(status).collect()
    };
    Ok(plan.contract.as_ref().map_or_else(Vec::new, of_contract))
}

/// Names the next command for a plan.
fn next(
    world: &World<'_>,
    plan: &BoundPlan,
    standing: &Standing,
    verdict: Verdict,
    state: &State,
) -> String {
    let name = &plan.name;
    let commit = state
        .head
        .and_then(|head| world.objects.commit(&head).ok().flatten());
    let is_committed = commit.is_some_and(|commit| commit.tree == state.tree);
    if state.flags.contains_key(&Flag::Unmerged) {
        return "resolve the merge, then git add the paths".to_owned();
    }
    if world.identity.is_none() {
        return "git plan-audit init --no-hooks".to_owned();
    }
    match standing {
        Standing::Invalid => format!("git plan-audit validate --plan {name}"),
        Standing::Draft | Standing::DraftAtBase => format!("git plan-audit seal --plan {name}"),
        Standing::Edited(_) | Standing::Broken(_) | Standing::Removed(_) => {
            format!("git log -p -- {}", plan.path)
        }
        Standing::Sealed(_) if verdict != Verdict::Pass => world.settings.audit_of(name),
        Standing::Sealed(_) if state.staged_tree != Some(state.tree) => "git add -u".to_owned(),
        Standing::Sealed(_) if is_committed => "nothing: HEAD is proven".to_owned(),
        Standing::Sealed(_) => "git commit, then git plan-audit verify HEAD".to_owned(),
    }
}

/// Tells of a plan whose file is gone.
fn removed_line(name: &PlanName, standing: &Standing) -> PlanStatus {
    PlanStatus {
        name: name.clone(),
        path: name.path(),
        standing: standing.as_str(),
        contract: None,
        seal: None,
        verdict: Verdict::Fail,
        steps: Vec::new(),
        next: format!("git log -- {}", name.path()),
    }
}
