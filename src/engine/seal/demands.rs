//! What a valid plan must be so that a seal can hold it.

use crate::engine::bound::{BoundPlan, Sealable};
use crate::engine::ports::Workspace;
use crate::engine::stop::Stop;
use crate::model::contract::Contract;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::PlanName;
use crate::model::state::State;

/// Refuses what a seal could not hold.
pub(super) fn demand_sealable(
    workspace: &dyn Workspace,
    plan: &BoundPlan,
    sealable: &Sealable,
) -> Result<(), Stop> {
    let mut findings: Vec<Finding> = unbuilt(sealable)
        .map(|what| {
            let message = format!("plan {} uses {what}, which is not supported yet", plan.name);
            Finding::new(&rows::NOT_BUILT, message).of_plan(&plan.name)
        })
        .collect();
    if workspace
        .ignores(&plan.path)
        .map_err(Stop::broken("ask for ignore rules"))?
    {
        let message = format!(
            "git ignores {}, so no commit could hold the plan",
            plan.path
        );
        let hint = format!("git check-ignore -v {} names the rule", plan.path);
        findings.push(
            Finding::new(&rows::IGNORED_PLAN, message)
                .hint(hint)
                .of_plan(&plan.name),
        );
    }
    if workspace
        .has_request()
        .map_err(Stop::broken("look for a request"))?
    {
        let message = ".plan-auditor/request.json is there, and requests are not supported yet";
        findings.push(Finding::new(&rows::REQUEST, message).of_plan(&plan.name));
    }
    if findings.is_empty() {
        Ok(())
    } else {
        Err(Stop::Refused(findings))
    }
}

/// Names the patterns of a plan that freeze nothing of what is on disk.
pub(super) fn idle(plan: &PlanName, contract: &Contract, state: &State) -> Vec<Finding> {
    let found = super::pinned::idle(&contract.pins, &state.files());
    found.into_iter().map(|each| each.of_plan(plan)).collect()
}

/// Says what keeps a valid plan from being sealed, for those who only read it.
pub(crate) fn notes(workspace: &dyn Workspace, plan: &BoundPlan) -> Result<Vec<Finding>, Stop> {
    let note = |what: String| {
        let message = format!("{what}; it can be read and not sealed");
        Finding::new(&rows::NOT_BUILT_NOTE, message).of_plan(&plan.name)
    };
    let parts = plan.contract.iter().flat_map(unbuilt);
    let mut notes: Vec<Finding> = parts
        .map(|part| {
            note(format!(
                "plan {} uses {part}, which is not supported yet",
                plan.name
            ))
        })
        .collect();
    let pinning = plan.contract.iter().map(|sealable| &sealable.contract);
    for contract in pinning.filter(|contract| !contract.pins.is_empty()) {
        notes.extend(idle(&plan.name, contract, &workspace.state()?));
    }
    if workspace
        .ignores(&plan.path)
        .map_err(Stop::broken("ask for ignore rules"))?
    {
        notes.push(note(format!("git ignores {}", plan.path)));
    }
    Ok(notes)
}

/// Names the parts of the format that are bound by a seal and not judged yet.
fn unbuilt(sealable: &Sealable) -> impl Iterator<Item = &'static str> {
    let contract = &sealable.contract;
    let any = |holds: fn(&crate::model::contract::Step) -> bool| contract.steps.iter().any(holds);
    [("`uses_symbol`", any(|step| !step.uses_symbol.is_empty()))]
        .into_iter()
        .filter(|(_, used)| *used)
        .map(|(name, _)| name)
}
