//! Before a commit: the plan files as they are staged, and the contracts that were sealed.
//!
//! Nothing is run and nothing is written, unless `planAudit.preCommit` asks for an audit.

use super::{Apart, Found, Tools, audited, bears, settings};
use crate::engine::audit::checkout::stop;
use crate::engine::audit::facts_here;
use crate::engine::bound::{BoundPlan, in_tree, of_files, on_disk};
use crate::engine::diff::since;
use crate::engine::judge::{Judge, standing_finding};
use crate::engine::place::Place;
use crate::engine::seal::before::finding as difference;
use crate::engine::standing::{Covered, Facts, Standing};
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::model::finding::{Finding, bounds as bound_rows, hook as rows};
use crate::model::gate::CommitGate;
use crate::model::hook::{Caller, Hook};
use crate::model::ids::{Oid, PlanName};
use crate::model::outcome::{JudgedPlan, Outcome, Word};
use crate::model::verdict::Verdict;

/// Judges what is staged.
pub(crate) fn commit(world: &World<'_>, tools: &Tools<'_>, hook: Hook) -> Result<Outcome, Stop> {
    let mut found = Found::nothing(Caller::Clone(hook), Word::Ok);
    found.findings = settings(world)?;
    let gate = world.settings.gates.commit;
    if gate == CommitGate::Off {
        return Ok(found.outcome());
    }
    let staged = tools.index.staged().map_err(stop)?;
    let plans = of_files(staged.plans.clone());
    let place = Place::of_staged(staged);
    let head = world.objects.resolve("HEAD");
    let head = head.map_err(Stop::broken("resolve HEAD"))?;
    let before = match &head {
        Some(commit) => in_tree(world.objects, &commit.tree)?,
        None => Vec::new(),
    };
    if plans.is_empty() && before.is_empty() && world.settings.merging.is_empty() {
        found.word = Word::NoPlan;
        return Ok(found.outcome());
    }
    let judge = Judge::of_workspace(world, head.as_ref().map(|commit| &commit.id))?;
    found.findings.extend(contracts(&judge, &plans, &place)?);
    if found.findings.iter().any(bears) {
        found.word = Word::Fail;
    } else if gate == CommitGate::Audit {
        evidence((world, tools), (&judge, &plans), &place, &mut found)?;
    }
    Ok(found.outcome())
}

/// Says what is the matter with the plans that are staged.
fn contracts(judge: &Judge<'_>, plans: &[BoundPlan], place: &Place) -> Result<Vec<Finding>, Stop> {
    let branch = judge.world.objects.branch();
    let branch = branch.map_err(Stop::broken("read HEAD"))?;
    let facts = facts_here(judge, branch.as_deref())?;
    let covered = facts.covered(plans);
    let mut findings = Vec::new();
    for plan in plans {
        findings.extend(plan.findings.iter().cloned());
        let standing = facts.standing(plan, &covered);
        findings.extend(of_standing((judge, &facts), (plan, plans), &standing)?);
        if let Standing::Sealed(seal) = standing {
            // What lies out of scope may still go before a push; a pinned file is not to be touched.
            let bounds = judge.bounds((plan, seal), place)?;
            findings.extend(
                bounds
                    .into_iter()
                    .filter(|found| found.row != &bound_rows::OUT_OF_SCOPE),
            );
        }
    }
    for (name, standing) in facts.removed(plans, &covered) {
        findings.extend(of_removed(judge, &name, &standing));
    }
    Ok(findings)
}

/// Says what is the matter with where a plan stands. A draft may be committed; so may an edit that
/// only asks for more, which has to be sealed before it is pushed.
fn of_standing(
    (judge, facts): (&Judge<'_>, &Facts),
    (plan, all): (&BoundPlan, &[BoundPlan]),
    standing: &Standing,
) -> Result<Vec<Finding>, Stop> {
    let name = &plan.name;
    match standing {
        Standing::Invalid | Standing::Sealed(_) | Standing::Draft | Standing::DraftAtBase => {
            Ok(Vec::new())
        }
        Standing::Edited(_) => edited((judge, facts), plan, &facts.covered(all)),
        Standing::Broken(_)
        | Standing::RolledBack(_)
        | Standing::Unfounded(_)
        | Standing::Removed(_) => Ok(standing_finding(name, standing).into_iter().collect()),
    }
}

/// Says in what an edit asks for less, or for something else, than what was sealed.
fn edited(
    (judge, facts): (&Judge<'_>, &Facts),
    plan: &BoundPlan,
    covered: &Covered,
) -> Result<Vec<Finding>, Stop> {
    let name = &plan.name;
    let mut findings = Vec::new();
    for seal in facts.heads(name, covered) {
        let (_, changes) = since((judge, facts), seal, plan)?;
        let refused = changes.iter().filter(|change| !change.class.is_allowed());
        findings.extend(refused.map(|change| {
            let hint = format!(
                "git plan-audit diff --plan {name}; put the sealed text back and stage it, or say why \
                 it has to be another one: git plan-audit seal --plan {name} --new-generation \
                 --reason TEXT"
            );
            difference(change).hint(hint).of_plan(name)
        }));
    }
    if findings.is_empty() {
        let message = format!("plan {name} asks for more than was sealed, and is not sealed yet");
        let finding = Finding::new(&rows::EDIT_UNSEALED, message);
        findings.push(
            finding
                .hint(format!("git plan-audit seal --plan {name}"))
                .of_plan(name),
        );
    }
    Ok(findings)
}

/// Says that a sealed plan is not staged. One that no commit here held and that lies on disk was only
/// not added yet.
fn of_removed(judge: &Judge<'_>, name: &PlanName, standing: &Standing) -> Option<Finding> {
    let was_committed = judge.facts.earlier.contains_key(name);
    let on_disk = judge.world.workspace.and_then(|there| on_disk(there).ok());
    let lies_there = on_disk.is_some_and(|plans| plans.iter().any(|plan| plan.name == *name));
    if was_committed || !lies_there {
        return standing_finding(name, standing);
    }
    let message = format!("plan {name} is sealed and not in what is about to be committed");
    let finding = Finding::new(&rows::PLAN_UNSTAGED, message);
    Some(finding.hint("git add .plan-auditor").of_plan(name))
}

/// Demands evidence for what is staged, and runs the audits that are missing.
fn evidence(
    (world, tools): (&World<'_>, &Tools<'_>),
    (judge, plans): (&Judge<'_>, &[BoundPlan]),
    place: &Place,
    found: &mut Found,
) -> Result<(), Stop> {
    let (judged, _) = judge.plans(plans, place, None)?;
    for plan in judged.iter().filter(|plan| is_unproven(plan)) {
        let what = (Apart::Index, Some(&plan.name));
        let outcome = audited((world, tools), judge, place.tree(), what)?;
        let has_passed = outcome.word == Word::Pass;
        found.findings.extend(outcome.findings.iter().cloned());
        found.audit = Some(Box::new(outcome));
        if !has_passed {
            found.word = Word::Fail;
            return Ok(());
        }
    }
    let again = Judge::of_workspace(world, judge_head(world)?.as_ref())?;
    let (judged, findings) = again.plans(plans, place, None)?;
    if judged.iter().any(is_unproven) {
        found.findings.extend(findings);
        found.word = Word::Fail;
    } else if judged.iter().any(|plan| plan.verdict == Verdict::Pass) {
        found.word = Word::Pass;
    }
    Ok(())
}

/// Returns the commit that is checked out.
fn judge_head(world: &World<'_>) -> Result<Option<Oid>, Stop> {
    let head = world.objects.resolve("HEAD");
    let head = head.map_err(Stop::broken("resolve HEAD"))?;
    Ok(head.map(|commit| commit.id))
}

/// Says whether a plan is sealed, open, and not proven.
fn is_unproven(plan: &JudgedPlan) -> bool {
    plan.seal.is_some() && !plan.is_closed && plan.verdict != Verdict::Pass
}
