//! Members of `seal`.

use serde::{Deserialize, Serialize};

use super::{NotABody, pins};
use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::record::{Kept, SealBody, SealedPins};
use crate::wire::text::Text;

/// The members as written; at most one of `pins` and `pins_kept` is there.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    branch: Option<String>,
    continues: Vec<Text<RecordId>>,
    contract: Contract,
    generation: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pins: Option<Vec<pins::Members>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pins_kept: Option<KeptMembers>,
    plan: Text<PlanName>,
    profile: String,
    reason: Option<String>,
}

/// The contract: its digest and where its canonical bytes are.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Contract {
    blob: Text<Oid>,
    bytes: u64,
    digest: Text<Digest>,
    sha256: Text<Digest>,
}

impl Contract {
    /// Takes a contract apart.
    pub(super) fn of(digest: Digest, kept: &Kept) -> Self {
        Self {
            blob: Text(kept.blob),
            bytes: kept.bytes,
            digest: Text(digest),
            sha256: Text(kept.sha256),
        }
    }

    /// Returns its digest and where it is kept.
    pub(super) fn into_parts(self) -> (Digest, Kept) {
        let kept = Kept {
            blob: self.blob.0,
            bytes: self.bytes,
            sha256: self.sha256.0,
        };
        (self.digest.0, kept)
    }
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
        let (listed, kept) = match &body.pins {
            None => (None, None),
            Some(SealedPins::Listed(listed)) => (Some(pins::members(listed)), None),
            Some(SealedPins::Kept(kept)) => (None, Some(KeptMembers::from(kept))),
        };
        Self {
            branch: body.branch.clone(),
            continues: body.continues.iter().copied().map(Text).collect(),
            contract: Contract::of(body.contract, &body.kept),
            generation: body.generation,
            pins: listed,
            pins_kept: kept,
            plan: Text(body.plan.clone()),
            profile: body.profile.clone(),
            reason: body.reason.clone(),
        }
    }
}

impl Members {
    /// Makes the body.
    pub(super) fn into_body(self) -> Result<SealBody, NotABody> {
        let (contract, kept) = self.contract.into_parts();
        let pins = match (self.pins, self.pins_kept) {
            (None, None) => None,
            (Some(listed), None) => Some(SealedPins::Listed(pins::pins(listed)?)),
            (None, Some(kept)) => Some(SealedPins::Kept(kept.into())),
            (Some(_), Some(_)) => return Err(NotABody),
        };
        Ok(SealBody {
            plan: self.plan.0,
            contract,
            kept,
            continues: self.continues.into_iter().map(|id| id.0).collect(),
            generation: self.generation,
            branch: self.branch,
            profile: self.profile,
            pins,
            reason: self.reason,
        })
    }
}
