//! Members of `audit`.

use serde::{Deserialize, Serialize};

use super::seal::KeptMembers;
use super::{NotABody, check, state};
use crate::model::ids::{Digest, PlanName};
use crate::model::record::{AuditBody, AuditPlace, OutputResult, StepResult};
use crate::wire::text::Text;

/// The members as written; exactly one of `steps` and `kept` is there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    after: state::Members,
    before: state::Members,
    contract: Text<Digest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<KeptMembers>,
    place: String,
    plan: Text<PlanName>,
    platform: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Step>>,
    tool: String,
}

/// What became of one step.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    checks: Vec<check::Members>,
    id: u64,
    outputs: Vec<Output>,
    required: Vec<Output>,
}

/// What became of the checks of one output.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Output {
    checks: Vec<check::Members>,
    name: String,
    step: u64,
}

impl From<&AuditBody> for Members {
    fn from(body: &AuditBody) -> Self {
        let steps = body.steps.iter().map(Step::from).collect();
        Self {
            after: (&body.after).into(),
            before: (&body.before).into(),
            contract: Text(body.contract),
            kept: body.kept.as_ref().map(KeptMembers::from),
            place: body.place.as_str().to_owned(),
            plan: Text(body.plan.clone()),
            platform: body.platform.clone(),
            steps: body.kept.is_none().then_some(steps),
            tool: body.tool.clone(),
        }
    }
}

impl Members {
    /// Makes the body.
    pub(super) fn into_body(self) -> Result<AuditBody, NotABody> {
        if self.kept.is_some() == self.steps.is_some() {
            return Err(NotABody);
        }
        let place = match self.place.as_str() {
            "worktree" => AuditPlace::Worktree,
            "checkout" => AuditPlace::Checkout,
            _ => return Err(NotABody),
        };
        let steps = self
            .steps
            .unwrap_or_default()
            .into_iter()
            .map(Step::into_result);
        Ok(AuditBody {
            plan: self.plan.0,
            contract: self.contract.0,
            place,
            platform: self.platform,
            tool: self.tool,
            before: self.before.into_state()?,
            after: self.after.into_state()?,
            steps: steps.collect::<Result<_, _>>()?,
            kept: self.kept.map(Into::into),
        })
    }
}

impl From<&StepResult> for Step {
    fn from(step: &StepResult) -> Self {
        Self {
            checks: step.checks.iter().map(check::Members::from).collect(),
            id: step.id,
            outputs: step.outputs.iter().map(Output::from).collect(),
            required: step.required.iter().map(Output::from).collect(),
        }
    }
}

impl Step {
    /// Makes the result.
    pub(super) fn into_result(self) -> Result<StepResult, NotABody> {
        Ok(StepResult {
            id: self.id,
            required: outputs(self.required)?,
            checks: checks(self.checks)?,
            outputs: outputs(self.outputs)?,
        })
    }
}

impl From<&OutputResult> for Output {
    fn from(output: &OutputResult) -> Self {
        Self {
            checks: output.checks.iter().map(check::Members::from).collect(),
            name: output.name.clone(),
            step: output.step,
        }
    }
}

/// Makes the results of checks.
fn checks(members: Vec<check::Members>) -> Result<Vec<crate::model::check::CheckResult>, NotABody> {
    members
        .into_iter()
        .map(check::Members::into_result)
        .collect()
}

/// Makes the results of outputs.
fn outputs(members: Vec<Output>) -> Result<Vec<OutputResult>, NotABody> {
    let result = |output: Output| {
        Ok(OutputResult {
            step: output.step,
            name: output.name,
            checks: checks(output.checks)?,
        })
    };
    members.into_iter().map(result).collect()
}
