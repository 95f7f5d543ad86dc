//! What a valid plan must be so that a seal can hold it.

use crate::engine::bound::BoundPlan;
use crate::engine::ports::Workspace;
use crate::engine::stop::Stop;
use crate::model::contract::Contract;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::PlanName;
use crate::model::state::State;

/// Refuses what a seal could not hold.
pub(super) fn demand_sealable(workspace: &dyn Workspace, plan: &BoundPlan) -> Result<(), Stop> {
    let mut findings = Vec::new();
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
    let mut notes = Vec::new();
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
