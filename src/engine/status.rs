//! `status`: where each plan stands and the next command.

use super::audit::{conclude::unfit_finding, facts_here, ready::reopens, workspace};
use super::bound::{BoundPlan, Sealable, on_disk};
use super::judge::{Judge, approved_by};
use super::ledgers::unsent;
use super::lineage::Frozen;
use super::own_key;
use super::place::Place;
use super::ports::Workspace;
use super::run::history::History;
use super::select::all_or;
use super::standing::Standing;
use super::stop::Stop;
use super::usable::unfit_glance;
use super::world::World;
use crate::model::contract::{Contract, Step};
use crate::model::finding::{Finding, bounds as rows, lineage as lineage_rows};
use crate::model::ids::{Oid, PlanName, RecordId};
use crate::model::outcome::{Details, JudgedPlan, Outcome, PlanStatus, Status, StepStatus, Word};
use crate::model::record::AuditPlace;
use crate::model::state::Glance;
use crate::model::verdict::Verdict;

mod unproven;

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
    let (judged, _) = judge.plans(&all, &place, None)?;
    let whole = judge.whole(&now.tree, &now.trust)?;
    let is_proven = removed.is_empty() && judge.overall(&judged, &whole) == Verdict::Pass;
    let unfit = unfit_glance(&now, &judge.demands());
    let seen = Seen {
        now: &now,
        place: &place,
        is_proven: is_proven && !is_denied(&judge, &now),
        is_unfit: !unfit.is_empty(),
    };
    let plans = all_or(all, only)?;
    let (mut lines, mut bounds) = (Vec::new(), Vec::new());
    for plan in &plans {
        let standing = facts.standing(plan, &covered);
        let own = own(&judge, (plan, standing.seal()), &place)?;
        let line = line(&judge, (plan, standing), (&judged, &own), &seen)?;
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
        unproven: unproven::commits(&judge, now.head.as_ref(), &now.tree)?,
        branch: now.branch,
        head: now.head,
        tree: now.tree,
        plans: lines,
        records: judge.ledger.counts.authenticated,
        heads: judge.ledger.heads().into_iter().collect(),
        tip: judge.ledger.tip,
        ledger_findings: judge.ledger.findings.clone(),
        trust: judge.trusting.sentence(),
    };
    let mut findings = whole;
    findings.extend(bounds);
    let seen = unfit.iter().filter(|_| !plans.is_empty());
    findings.extend(seen.map(|unfit| unfit_finding(AuditPlace::Worktree, unfit)));
    findings.extend(plans.into_iter().flat_map(|plan| plan.findings));
    findings.extend(own_key::of_clone(world, &judge));
    findings.extend(unsent(world));
    Ok(Outcome::new(
        Word::Ok,
        findings,
        Details::Status(Box::new(status)),
    ))
}

/// Says what of a sealed plan's bounds does not hold, and what it waits for.
fn own(
    judge: &Judge<'_>,
    (plan, seal): (&BoundPlan, Option<RecordId>),
    place: &Place,
) -> Result<Vec<Finding>, Stop> {
    let Some(seal) = seal else {
        return Ok(Vec::new());
    };
    let mut own = waiting(judge, plan, seal);
    own.extend(judge.bounds((plan, seal), place)?);
    Ok(own)
}

/// Says that a new generation waits for approval, so that no audit runs before.
fn waiting(judge: &Judge<'_>, plan: &BoundPlan, seal: RecordId) -> Vec<Finding> {
    let said = judge.lineage_findings(&plan.name, seal).into_iter();
    said.filter(|found| *found.row == lineage_rows::GENERATION_REFUSED)
        .collect()
}

/// What is seen of the whole, for the next command of each plan.
struct Seen<'a> {
    /// What is on disk, at a glance.
    now: &'a Glance,
    /// What is on disk, as far as pins and scopes ask for it.
    place: &'a Place,
    /// Whether a commit of it is proven by the rules of `verify`, HEAD if it has it.
    is_proven: bool,
    /// Whether something on disk keeps any audit of it from counting.
    is_unfit: bool,
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
    seen: &Seen<'_>,
) -> Result<PlanStatus, Stop> {
    let judged = judged.iter().find(|judged| judged.name == plan.name);
    let is_closed = standing
        .seal()
        .is_some_and(|seal| judge.facts.seals.ended(seal).is_some());
    let is_any = |row| bounds.iter().any(|each| each.row == row);
    let verdict = judged.map_or(Verdict::NoPlan, |judged| judged.verdict);
    let seal = standing.seal();
    let is_left_out = match seal {
        Some(seal) => judge.is_left_out(plan, seal, seen.place)?,
        None => false,
    };
    let failed = judged.filter(|_| !is_closed && !seen.is_unfit);
    let failed = failed.and_then(failed_audit);
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
        is_left_out,
        audited: judged.is_some_and(|judged| !judged.audits.is_empty()),
        unusable: judged.and_then(|judged| judged.near.clone()),
        steps,
        next: if is_closed {
            format!("nothing: it is closed; {}", reopens(&plan.name))
        } else if is_any(&lineage_rows::GENERATION_REFUSED) {
            approved_by(&plan.name)
        } else if is_any(&rows::PIN_CHANGED) {
            format!("git plan-audit diff --plan {}", plan.name)
        } else if is_left_out && verdict != Verdict::Pass {
            "nothing for it: the work here is of another plan, and a push of it leaves this one out"
                .to_owned()
        } else if let Some(failed) = failed {
            format!(
                "mend what failed (git plan-audit show {} has what it said), then {}",
                failed.short(),
                judge.world.settings.audit_command()
            )
        } else {
            next(&judge.world, plan, &standing, verdict, seen)
        },
    })
}

/// Returns the audit of what is on disk that failed; none where it passed or there is none.
fn failed_audit(judged: &JudgedPlan) -> Option<RecordId> {
    let audits = judged.audits.last();
    audits
        .filter(|_| judged.verdict == Verdict::Fail)
        .map(|audit| audit.record)
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

/// Says whether HEAD is judged by other rules than what is on disk, and not proven by them: it is the
/// trust point, so that its parent says who counts.
fn is_denied(judge: &Judge<'_>, now: &Glance) -> bool {
    let point = judge.trusting.point.as_ref().map(|point| point.commit);
    let head = now.head.filter(|head| point == Some(*head));
    let commit = head.and_then(|head| judge.world.objects.commit(&head).ok().flatten());
    commit.is_some_and(|commit| {
        let own = Judge::of_commit(&judge.world, &commit, None);
        let judged = own.and_then(|own| own.commit(&commit, None));
        !judged.is_ok_and(|(judged, _)| judged.verdict == Verdict::Pass)
    })
}

/// Names the next command for a plan; what is proven is so by the rules of `verify`.
fn next(
    world: &World<'_>,
    plan: &BoundPlan,
    standing: &Standing,
    verdict: Verdict,
    seen: &Seen<'_>,
) -> String {
    let Seen {
        now,
        is_proven,
        is_unfit,
        ..
    } = *seen;
    let name = &plan.name;
    let commit = now
        .head
        .and_then(|head| world.objects.commit(&head).ok().flatten());
    let is_committed = commit.is_some_and(|commit| commit.tree == now.tree);
    if now.is_unmerged {
        return "resolve the merge, then git add the paths".to_owned();
    }
    if *standing == Standing::Invalid {
        return format!("git plan-audit validate --plan {name}");
    }
    if world.identity.is_none() {
        let init = "git plan-audit init --no-hooks";
        return if world.settings.anchored.is_empty() {
            init.to_owned()
        } else {
            format!("{init} --new-instance --reason TEXT: what was known of this clone is gone")
        };
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
        Standing::Sealed(_) if verdict != Verdict::Pass && is_unfit => {
            format!(
                "end what the warnings name, then {}",
                world.settings.audit_command()
            )
        }
        Standing::Sealed(_) if verdict != Verdict::Pass => world.settings.audit_command(),
        Standing::Sealed(_) if now.staged_tree != Some(now.tree) => "git add -u".to_owned(),
        Standing::Sealed(_) if is_committed && is_proven => "nothing: HEAD is proven".to_owned(),
        Standing::Sealed(_) if is_committed => {
            "git plan-audit verify, which says why HEAD is not proven".to_owned()
        }
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
        is_left_out: false,
        audited: false,
        unusable: None,
        steps: Vec::new(),
        next: format!("git log -- {}", name.path()),
    }
}
