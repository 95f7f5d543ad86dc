//! `status`: where each plan stands and the next command.

use super::audit::{facts_here, workspace};
use super::bound::{BoundPlan, Sealable, on_disk};
use super::judge::Judge;
use super::lineage::Frozen;
use super::place::Place;
use super::ports::Workspace;
use super::run::history::History;
use super::select::all_or;
use super::standing::Standing;
use super::stop::Stop;
use super::world::World;
use crate::model::contract::{Contract, Step};
use crate::model::finding::{Finding, bounds as rows};
use crate::model::ids::{Oid, PlanName, RecordId};
use crate::model::outcome::{Details, JudgedPlan, Outcome, PlanStatus, Status, StepStatus, Word};
use crate::model::state::Glance;
use crate::model::verdict::Verdict;

/// Tells where everything stands.
pub(crate) fn status(world: &World<'_>, only: Option<&PlanName>) -> Result<Outcome, Stop> {
    let workspace = workspace(world)?;
    let now = workspace.glance()?;
    let judge = Judge::of_workspace(world, now.head.as_ref())?;
    let facts = facts_here(&judge, now.branch.as_deref())?;
    let all = on_disk(workspace)?;
    let covered = facts.covered(&all);
    let removed = facts.removed(&all, &covered);
    let place = place(workspace, &all, now.tree)?;
    let (judged, _) = judge.plans(&all, &place, only)?;
    let plans = all_or(all, only)?;
    let (mut lines, mut bounds) = (Vec::new(), Vec::new());
    for plan in &plans {
        let standing = facts.standing(plan, &covered);
        let own = match standing.seal() {
            Some(seal) => judge.bounds((plan, seal), &place)?,
            None => Vec::new(),
        };
        let line = line(&judge, (plan, standing), (&judged, &own), &now)?;
        if line.standing != "closed" {
            bounds.extend(own);
        }
        lines.push(line);
    }
    lines.extend(
        removed
            .into_iter()
            .filter(|(name, _)| only.is_none_or(|only| only == name))
            .map(|(name, standing)| removed_line(&name, &standing)),
    );
    let status = Status {
        branch: now.branch,
        head: now.head,
        plans: lines,
        records: judge.ledger.counts.authenticated,
        heads: judge.ledger.heads().into_iter().collect(),
        tip: judge.ledger.tip,
        ledger_findings: judge.ledger.findings.clone(),
        trust: judge.trusting.sentence(),
    };
    let mut findings = judge.findings.clone();
    findings.extend(bounds);
    findings.extend(plans.into_iter().flat_map(|plan| plan.findings));
    Ok(Outcome::new(
        Word::Ok,
        findings,
        Details::Status(Box::new(status)),
    ))
}

/// Returns what is on disk. Pins and scopes ask for every file, tracked or not, so for them each is read.
fn place(workspace: &dyn Workspace, plans: &[BoundPlan], tree: Oid) -> Result<Place, Stop> {
    let mut contracts = plans.iter().filter_map(|plan| plan.contract.as_ref());
    let is_bounded = |contract: &Contract| !contract.pins.is_empty() || !contract.scope.is_empty();
    if contracts.any(|sealable| is_bounded(&sealable.contract)) {
        Ok(Place::of_state(&workspace.state()?))
    } else {
        Ok(Place::of_tree(tree))
    }
}

/// Tells where one plan stands.
fn line(
    judge: &Judge<'_>,
    (plan, standing): (&BoundPlan, Standing),
    (judged, bounds): (&[JudgedPlan], &[Finding]),
    now: &Glance,
) -> Result<PlanStatus, Stop> {
    let judged = judged.iter().find(|judged| judged.name == plan.name);
    let is_closed = judged.is_some_and(|judged| judged.is_closed);
    let verdict = judged.map_or(Verdict::NoPlan, |judged| judged.verdict);
    let seal = standing.seal();
    let steps = match seal {
        Some(seal) => steps(judge, plan, seal)?,
        None => Vec::new(),
    };
    let contract = plan.contract.as_ref().map(|sealable| &sealable.contract);
    Ok(PlanStatus {
        name: plan.name.clone(),
        path: plan.path.clone(),
        pins: contract.map_or_else(Vec::new, |contract| contract.pins.clone()),
        pinned: pinned(judge, seal)?,
        scope: contract.map_or_else(Vec::new, |contract| contract.scope.clone()),
        standing: if is_closed {
            "closed"
        } else {
            standing.as_str()
        },
        contract: plan.contract.as_ref().map(|sealable| sealable.digest),
        seal,
        verdict,
        audited: judged.is_some_and(|judged| !judged.audits.is_empty()),
        steps,
        next: if is_closed {
            "nothing: it is closed".to_owned()
        } else if bounds.iter().any(|each| *each.row == rows::PIN_CHANGED) {
            format!("git plan-audit diff --plan {}", plan.name)
        } else {
            next(&judge.world, plan, &standing, verdict, now)
        },
    })
}

/// Counts the files that a seal froze; none where it froze none or the list is not here.
fn pinned(judge: &Judge<'_>, seal: Option<RecordId>) -> Result<Option<usize>, Stop> {
    let Some(seal) = seal else { return Ok(None) };
    Ok(match judge.facts.seals.frozen(seal, judge.world.notes)? {
        Frozen::These(pins) => Some(pins.len()),
        Frozen::Nothing | Frozen::Missing => None,
    })
}

/// Tells how often the steps of a sealed plan failed, as the ledger knows it. Whether one passed for
/// what is on disk is not told: that hangs on bytes which a glance does not read.
fn steps(judge: &Judge<'_>, plan: &BoundPlan, seal: RecordId) -> Result<Vec<StepStatus>, Stop> {
    let history = History::read(judge, seal, &[])?;
    let of_contract = |sealable: &Sealable| {
        let status = |step: &Step| StepStatus {
            id: step.id,
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
    now: &Glance,
) -> String {
    let name = &plan.name;
    let commit = now
        .head
        .and_then(|head| world.objects.commit(&head).ok().flatten());
    let is_committed = commit.is_some_and(|commit| commit.tree == now.tree);
    if now.is_unmerged {
        return "resolve the merge, then git add the paths".to_owned();
    }
    if world.identity.is_none() {
        return "git plan-audit init --no-hooks".to_owned();
    }
    match standing {
        Standing::Invalid => format!("git plan-audit validate --plan {name}"),
        Standing::Draft | Standing::DraftAtBase if is_ignored(world, plan) => {
            format!(
                "git check-ignore -v {} names the rule that hides it",
                plan.path
            )
        }
        Standing::Draft | Standing::DraftAtBase => format!("git plan-audit seal --plan {name}"),
        Standing::Edited(_) => format!("git plan-audit diff --plan {name}"),
        Standing::Broken(_)
        | Standing::RolledBack(_)
        | Standing::Unfounded(_)
        | Standing::Removed(_) => format!("git log -p -- {}", plan.path),
        Standing::Sealed(_) if verdict != Verdict::Pass => world.settings.audit_command(),
        Standing::Sealed(_) if now.staged_tree != Some(now.tree) => "git add -u".to_owned(),
        Standing::Sealed(_) if is_committed => "nothing: HEAD is proven".to_owned(),
        Standing::Sealed(_) => "git commit, then git plan-audit verify HEAD".to_owned(),
    }
}

/// Says whether git ignores a plan, so that no commit could hold it; what cannot be asked is no.
fn is_ignored(world: &World<'_>, plan: &BoundPlan) -> bool {
    let workspace = world.workspace;
    workspace.is_some_and(|workspace| workspace.ignores(&plan.path).unwrap_or(false))
}

/// Tells of a plan whose file is gone.
fn removed_line(name: &PlanName, standing: &Standing) -> PlanStatus {
    PlanStatus {
        name: name.clone(),
        path: name.path(),
        standing: standing.as_str(),
        contract: None,
        pins: Vec::new(),
        pinned: None,
        scope: Vec::new(),
        seal: None,
        verdict: Verdict::Fail,
        audited: false,
        steps: Vec::new(),
        next: format!("git log -- {}", name.path()),
    }
}
