//! Members of `run`.

use serde::{Deserialize, Serialize};

use super::NotABody;
use super::audit::Step;
use super::seal::KeptMembers;
use crate::model::ids::{AttemptId, Digest, PlanName};
use crate::model::record::{RunBody, RunEnd, RunTold, StepResult};
use crate::wire::text::Text;

/// The members as written: either `interrupted`, or `after`, `before` and one of `steps` and `kept`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<Text<Digest>>,
    attempt: Text<AttemptId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<Text<Digest>>,
    contract: Text<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forced: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupted: Option<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<KeptMembers>,
    plan: Text<PlanName>,
    platform: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Step>>,
    tool: String,
}

impl From<&RunBody> for Members {
    fn from(body: &RunBody) -> Self {
        let (told, interrupted) = match &body.end {
            RunEnd::Told(told) => (Some(told), None),
            RunEnd::Killed(steps) => (None, Some(steps.clone())),
        };
        let inline = told.filter(|told| told.kept.is_none());
        Self {
            after: told.map(|told| Text(told.after)),
            attempt: Text(body.attempt),
            before: told.map(|told| Text(told.before)),
            contract: Text(body.contract),
            forced: told.and_then(|told| told.forced.clone()),
            interrupted,
            kept: told
                .and_then(|told| told.kept.as_ref())
                .map(KeptMembers::from),
            plan: Text(body.plan.clone()),
            platform: body.platform.clone(),
            steps: inline.map(|told| told.steps.iter().map(Step::from).collect()),
            tool: body.tool.clone(),
        }
    }
}

impl Members {
    /// Makes the body.
    pub(super) fn into_body(self) -> Result<RunBody, NotABody> {
        let told = (self.after, self.before, self.steps, self.kept);
        let end = match (told, self.forced, self.interrupted) {
            ((Some(after), Some(before), steps, kept), forced, None) => RunEnd::Told(RunTold {
                before: before.0,
                after: after.0,
                forced,
                steps: results(steps, kept.is_some())?,
                kept: kept.map(Into::into),
            }),
            ((None, None, None, None), None, Some(steps)) => RunEnd::Killed(ascending(steps)?),
            (_, _, _) => return Err(NotABody),
        };
        Ok(RunBody {
            plan: self.plan.0,
            contract: self.contract.0,
            attempt: self.attempt.0,
            platform: self.platform,
            tool: self.tool,
            end,
        })
    }
}

/// Makes the results; a run that tells nothing is none.
fn results(steps: Option<Vec<Step>>, are_kept: bool) -> Result<Vec<StepResult>, NotABody> {
    match (steps, are_kept) {
        (None, true) => Ok(Vec::new()),
        (Some(steps), false) if !steps.is_empty() => {
            steps.into_iter().map(Step::into_result).collect()
        }
        (_, _) => Err(NotABody),
    }
}

/// Demands that steps are named once each and in order, and that there is one.
fn ascending(steps: Vec<u64>) -> Result<Vec<u64>, NotABody> {
    let is_ascending = steps.is_sorted_by(|one, next| one < next);
    if is_ascending && !steps.is_empty() {
        Ok(steps)
    } else {
        Err(NotABody)
    }
}
