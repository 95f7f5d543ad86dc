//! Which steps a `run` takes (D14).

use super::Request;
use super::history::History;
use crate::engine::audit::Ready;
use crate::engine::stop::Stop;
use crate::model::finding::{Finding, run as rows};
use crate::model::graph;
use crate::model::ids::Digest;

/// Returns the numbers of the steps to run, each after what it depends on. `most` says how often a
/// step may fail; none where nobody knows.
pub(super) fn steps(
    ready: &Ready,
    history: &History,
    content: Digest,
    (request, most): (Request<'_>, Option<u64>),
) -> Result<Vec<u64>, Stop> {
    let (plan, contract) = (&ready.plan.name, &ready.sealable.contract);
    let unknown = request
        .steps
        .iter()
        .filter(|id| contract.step(**id).is_none());
    let unknown: Vec<Finding> = unknown
        .map(|id| {
            let known: Vec<String> = contract
                .steps
                .iter()
                .map(|step| step.id.to_string())
                .collect();
            let message = format!("plan {plan} has no step {id}; it has {}", known.join(", "));
            Finding::new(&rows::UNKNOWN_STEP, message).of_plan(plan)
        })
        .collect();
    refuse(unknown)?;
    let is_wanted = |id: u64| {
        if request.steps.is_empty() {
            !history.has_passed(id, ready.sealable.digest, content)
        } else {
            request.steps.contains(&id)
        }
    };
    let order = graph::in_order(contract);
    let chosen: Vec<u64> = order
        .iter()
        .map(|step| step.id)
        .filter(|id| is_wanted(*id))
        .collect();
    if request.forced.is_none() {
        refuse(used_up(ready, history, &chosen, most))?;
    }
    Ok(chosen)
}

/// Says which of the chosen steps have used up their attempts. Where nobody knows how many there
/// are, one may be all: the least that can be set.
fn used_up(ready: &Ready, history: &History, chosen: &[u64], most: Option<u64>) -> Vec<Finding> {
    let plan = &ready.plan.name;
    let allowed = most.map_or_else(
        || {
            "how many are allowed is not known, as supervisor.json at the trust point is wrong"
                .to_owned()
        },
        |most| format!("{most} are allowed"),
    );
    let spent = chosen
        .iter()
        .filter(|id| history.failed(**id) >= most.unwrap_or(1));
    spent
        .map(|id| {
            let count = history.failed(*id);
            let message = format!("{count} attempts did not pass, and {allowed}; nothing was run");
            let hint = format!(
                "git plan-audit run {id} --plan {plan} --force --reason 'why it is worth another'"
            );
            Finding::new(&rows::ATTEMPTS_USED_UP, message)
                .hint(hint)
                .of_plan(plan)
                .of_step(*id)
        })
        .collect()
}

/// Refuses for these reasons, if there are any.
fn refuse(findings: Vec<Finding>) -> Result<(), Stop> {
    if findings.is_empty() {
        Ok(())
    } else {
        Err(Stop::Refused(findings))
    }
}
