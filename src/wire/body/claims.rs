//! Members of `claims`.

use serde::{Deserialize, Serialize};

use super::NotABody;
use super::seal::{Contract, KeptMembers};
use crate::model::claim::gate::Gate;
use crate::model::ids::{Oid, PlanName};
use crate::model::record::ClaimsBody;
use crate::wire::text::Text;

/// The members as written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    commit: Text<Oid>,
    contract: Contract,
    evidence: KeptMembers,
    gate: String,
    plan: Text<PlanName>,
    tool: String,
}

impl From<&ClaimsBody> for Members {
    fn from(body: &ClaimsBody) -> Self {
        Self {
            commit: Text(body.commit),
            contract: Contract::of(body.contract, &body.kept),
            evidence: KeptMembers::from(&body.evidence),
            gate: body.gate.as_str().to_owned(),
            plan: Text(body.plan.clone()),
            tool: body.tool.clone(),
        }
    }
}

impl Members {
    /// Makes the body.
    pub(super) fn into_body(self) -> Result<ClaimsBody, NotABody> {
        let (contract, kept) = self.contract.into_parts();
        Ok(ClaimsBody {
            plan: self.plan.0,
            contract,
            kept,
            commit: self.commit.0,
            gate: Gate::parse(&self.gate).ok_or(NotABody)?,
            evidence: self.evidence.into(),
            tool: self.tool,
        })
    }
}
