//! Members of `instance`.

use serde::{Deserialize, Serialize};

use crate::model::record::InstanceBody;

/// The members as written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    reason: Option<String>,
    tool: String,
}

impl From<&InstanceBody> for Members {
    fn from(body: &InstanceBody) -> Self {
        Self {
            reason: body.reason.clone(),
            tool: body.tool.clone(),
        }
    }
}

impl From<Members> for InstanceBody {
    fn from(members: Members) -> Self {
        Self {
            reason: members.reason,
            tool: members.tool,
        }
    }
}
