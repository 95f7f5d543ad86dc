//! Which plans a command is about (D13).

use super::bound::BoundPlan;
use super::stop::Stop;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::PlanName;

/// Keeps the plan that is named, or all.
pub(crate) fn all_or(
    plans: Vec<BoundPlan>,
    only: Option<&PlanName>,
) -> Result<Vec<BoundPlan>, Stop> {
    let Some(name) = only else { return Ok(plans) };
    if !plans.iter().any(|plan| plan.name == *name) {
        return Err(unknown(name, &plans));
    }
    Ok(plans
        .into_iter()
        .filter(|plan| plan.name == *name)
        .collect())
}

/// Keeps the plan that is named, else the only one, else `default`.
pub(crate) fn one(plans: Vec<BoundPlan>, only: Option<&PlanName>) -> Result<BoundPlan, Stop> {
    let names = names(&plans);
    let wanted = match (only, names.as_slice()) {
        (Some(name), _) => name.clone(),
        (None, []) => return Err(nothing()),
        (None, [single]) => single.clone(),
        (None, _) => PlanName::default_plan(),
    };
    let is_there = plans.iter().any(|plan| plan.name == wanted);
    match only {
        Some(name) if !is_there => return Err(unknown(name, &plans)),
        None if !is_there => return Err(several(&names)),
        Some(_) | None => {}
    }
    plans
        .into_iter()
        .find(|plan| plan.name == wanted)
        .ok_or_else(nothing)
}

/// Returns the names of plans.
fn names(plans: &[BoundPlan]) -> Vec<PlanName> {
    plans.iter().map(|plan| plan.name.clone()).collect()
}

/// Joins names for a message.
fn joined(names: &[PlanName]) -> String {
    let names: Vec<&str> = names.iter().map(PlanName::as_str).collect();
    if names.is_empty() {
        "none".to_owned()
    } else {
        names.join(", ")
    }
}

/// Refuses a name that no plan has.
pub(crate) fn unknown(name: &PlanName, plans: &[BoundPlan]) -> Stop {
    let message = format!(
        "no plan is called {name}; plans here: {}",
        joined(&names(plans))
    );
    Stop::refuse(Finding::new(&rows::UNKNOWN_PLAN, message).hint("git plan-audit status"))
}

/// Refuses to choose among several.
fn several(names: &[PlanName]) -> Stop {
    let message = format!(
        "there are several plans and none is `default`: {}",
        joined(names)
    );
    Stop::refuse(Finding::new(&rows::MANY_PLANS, message).hint("name one with --plan NAME"))
}

/// Refuses where there is no plan.
pub(crate) fn nothing() -> Stop {
    let message =
        "there is no plan here: neither .plan-auditor/plan.json nor .plan-auditor/plans/*.json";
    Stop::refuse(
        Finding::new(&rows::UNKNOWN_PLAN, message).hint("git plan-audit init --no-hooks --starter"),
    )
}
