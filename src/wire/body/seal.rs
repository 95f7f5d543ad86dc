//! Members of `seal`.

use serde::{Deserialize, Serialize};

use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::record::{Kept, SealBody};
use crate::wire::text::Text;

/// The members as written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    branch: Option<String>,
    continues: Vec<Text<RecordId>>,
    contract: Contract,
    generation: u32,
    plan: Text<PlanName>,
    profile: String,
    reason: Option<String>,
}

/// The contract: its digest and where its canonical bytes are.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contract {
    blob: Text<Oid>,
    bytes: u64,
    digest: Text<Digest>,
    sha256: Text<Digest>,
}

/// A blob that the ledger keeps.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct KeptMembers {
    blob: Text<Oid>,
    bytes: u64,
    sha256: Text<Digest>,
}

impl From<&Kept> for KeptMembers {
    fn from(kept: &Kept) -> Self {
        Self {
            blob: Text(kept.blob),
            bytes: kept.bytes,
            sha256: Text(kept.sha256),
        }
    }
}

impl From<KeptMembers> for Kept {
    fn from(members: KeptMembers) -> Self {
        Self {
            blob: members.blob.0,
            bytes: members.bytes,
            sha256: members.sha256.0,
        }
    }
}

impl From<&SealBody> for Members {
    fn from(body: &SealBody) -> Self {
        Self {
            branch: body.branch.clone(),
            continues: body.continues.iter().copied().map(Text).collect(),
            contract: Contract {
                blob: Text(body.kept.blob),
                bytes: body.kept.bytes,
                digest: Text(body.contract),
                sha256: Text(body.kept.sha256),
            },
            generation: body.generation,
            plan: Text(body.plan.clone()),
            profile: body.profile.clone(),
            reason: body.reason.clone(),
        }
    }
}

impl From<Members> for SealBody {
    fn from(members: Members) -> Self {
        let Contract {
            blob,
            bytes,
            digest,
            sha256,
        } = members.contract;
        Self {
            plan: members.plan.0,
            contract: digest.0,
            kept: Kept {
                blob: blob.0,
                bytes,
                sha256: sha256.0,
            },
            continues: members.continues.into_iter().map(|id| id.0).collect(),
            generation: members.generation,
            branch: members.branch,
            profile: members.profile,
            reason: members.reason,
        }
    }
}
