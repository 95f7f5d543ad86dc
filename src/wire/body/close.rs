//! Members of `close`.

use serde::{Deserialize, Serialize};

use super::NotABody;
use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::record::{CloseBody, Ending};
use crate::wire::text::Text;

/// The members as written: `commit` and `tree`, or `reason`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<Text<Oid>>,
    contract: Text<Digest>,
    plan: Text<PlanName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    seals: Vec<Text<RecordId>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Text<Oid>>,
}

impl From<&CloseBody> for Members {
    fn from(body: &CloseBody) -> Self {
        let (commit, tree, reason) = match &body.ending {
            Ending::Done { commit, tree } => (Some(Text(*commit)), Some(Text(*tree)), None),
            Ending::Abandoned { reason } => (None, None, Some(reason.clone())),
        };
        Self {
            commit,
            contract: Text(body.contract),
            plan: Text(body.plan.clone()),
            reason,
            seals: body.seals.iter().copied().map(Text).collect(),
            tree,
        }
    }
}

impl Members {
    /// Demands the members of one ending, and at least one seal.
    pub(super) fn into_body(self) -> Result<CloseBody, NotABody> {
        let ending = match (self.commit, self.tree, self.reason) {
            (Some(commit), Some(tree), None) => Ending::Done {
                commit: commit.0,
                tree: tree.0,
            },
            (None, None, Some(reason)) => Ending::Abandoned { reason },
            (_, _, _) => return Err(NotABody),
        };
        if self.seals.is_empty() {
            return Err(NotABody);
        }
        Ok(CloseBody {
            plan: self.plan.0,
            contract: self.contract.0,
            seals: self.seals.into_iter().map(|id| id.0).collect(),
            ending,
        })
    }
}
