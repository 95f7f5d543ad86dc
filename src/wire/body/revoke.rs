//! Members of `revoke`.

use serde::{Deserialize, Serialize};

use super::NotABody;
use crate::model::ids::{RecordId, Writer};
use crate::model::record::{RevokeBody, Revoked};
use crate::wire::text::Text;

/// The members as written: `key`, with `last` where anything of it counts, or `record`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<Text<Writer>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Text<RecordId>>,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<Text<RecordId>>,
}

impl From<&RevokeBody> for Members {
    fn from(body: &RevokeBody) -> Self {
        let (key, last, record) = match &body.what {
            Revoked::Key { writer, last } => (Some(Text(writer.clone())), last.map(Text), None),
            Revoked::Record(id) => (None, None, Some(Text(*id))),
        };
        Self {
            key,
            last,
            reason: body.reason.clone(),
            record,
        }
    }
}

impl Members {
    /// Demands the members of a key or of a record.
    pub(super) fn into_body(self) -> Result<RevokeBody, NotABody> {
        let what = match (self.key, self.last, self.record) {
            (Some(writer), last, None) => Revoked::Key {
                writer: writer.0,
                last: last.map(|last| last.0),
            },
            (None, None, Some(id)) => Revoked::Record(id.0),
            (_, _, _) => return Err(NotABody),
        };
        Ok(RevokeBody {
            what,
            reason: self.reason,
        })
    }
}
