//! What a commit of the audited tree needs beside the audit, so that nobody claims it too early.

use crate::engine::bound::BoundPlan;
use crate::engine::judge::Judge;
use crate::engine::place::Place;
use crate::engine::stop::Stop;
use crate::engine::trusting;
use crate::engine::world::World;
use crate::model::finding::{Finding, auditing as rows};
use crate::model::ids::{Oid, PlanName};
use crate::model::state::State;
use crate::model::verdict::Verdict;

/// Says which other plans bind here and are not proven for this tree.
pub(super) fn others(
    judge: &Judge<'_>,
    plans: &[BoundPlan],
    only: Option<&PlanName>,
    place: &Place,
) -> Result<Option<Finding>, Stop> {
    let Some(only) = only else { return Ok(None) };
    let (judged, _) = judge.plans(plans, place, None)?;
    let unproven = judged.iter().filter(|plan| {
        plan.name != *only && matches!(plan.verdict, Verdict::Fail | Verdict::Unknown)
    });
    let names: Vec<&str> = unproven.map(|plan| plan.name.as_str()).collect();
    let message = format!(
        "not audited now and not proven for this tree: {}",
        names.join(", ")
    );
    let hint = "git plan-audit audit runs the checks of every plan";
    Ok((!names.is_empty()).then(|| Finding::new(&rows::OTHERS, message).hint(hint)))
}

/// Says that HEAD, where it has the audited tree, cannot be judged here: it is the trust point, so
/// its parent is asked, and a shallow clone has none.
pub(super) fn head(world: &World<'_>, state: &State) -> Result<Option<Finding>, Stop> {
    let Some(head) = &state.head else {
        return Ok(None);
    };
    let commit = world.objects.commit(head);
    let commit = commit.map_err(Stop::broken("read HEAD"))?;
    if commit.is_none_or(|commit| commit.tree != state.tree) {
        return Ok(None);
    }
    match trusting::resolve(world, Some(head)) {
        Ok(_) => Ok(None),
        Err(Stop::Unknown(why)) => {
            let why = why.into_iter().next();
            let message = why.as_ref().map_or_else(String::new, |why| {
                format!(
                    "HEAD has this tree and cannot be judged here: {}",
                    why.message
                )
            });
            let mut finding = Finding::new(&rows::HEAD, message);
            finding.hint = why.and_then(|why| why.hint);
            Ok(Some(finding))
        }
        Err(stop) => Err(stop),
    }
}

/// Says that HEAD has the audited tree and is not proven, although a later commit of that tree is:
/// it is the trust point, so that its own rules are asked (its parent's), as `verify` does.
pub(super) fn head_unproven(judge: &Judge<'_>, tree: &Oid) -> Option<Finding> {
    let world = &judge.world;
    let head = world.objects.resolve("HEAD").ok().flatten()?;
    let is_tip = judge.trusting.point.as_ref().map(|point| point.commit) == Some(head.id);
    if !is_tip || head.tree != *tree {
        return None;
    }
    let judged = Judge::of_commit(world, &head, None).and_then(|own| own.commit(&head, None));
    let is_proven = judged.is_ok_and(|(judged, _)| judged.verdict == Verdict::Pass);
    let message = "HEAD has this tree, is the trust point itself and is not proven";
    (!is_proven)
        .then(|| Finding::new(&rows::HEAD_UNPROVEN, message).hint("git plan-audit verify HEAD"))
}
