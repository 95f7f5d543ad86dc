//! Members of `review`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{NotABody, pins};
use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::record::{Decision, ReviewBody, ReviewedContract};
use crate::wire::text::Text;

/// The members as written; `base` is left out where there was no trust point.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Members {
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<Text<Oid>>,
    commit: Text<Oid>,
    decision: String,
    plans: Vec<Seen>,
    text: String,
    tree: Text<Oid>,
    trust: Vec<File>,
}

/// One sealed contract.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    contract: Text<Digest>,
    plan: Text<PlanName>,
    seal: Text<RecordId>,
}

/// One file that carries trust; `id` and `mode` are left out where it is gone.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Text<Oid>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    path: String,
}

impl From<&ReviewBody> for Members {
    fn from(body: &ReviewBody) -> Self {
        let plans = body.plans.iter().map(|(plan, reviewed)| Seen {
            contract: Text(reviewed.contract),
            plan: Text(plan.clone()),
            seal: Text(reviewed.seal),
        });
        let trust = body.trust.iter().map(|(path, file)| File {
            id: file.map(|(_, id)| Text(id)),
            mode: file.map(|(mode, _)| format!("{mode:06o}")),
            path: path.clone(),
        });
        Self {
            base: body.base.map(Text),
            commit: Text(body.commit),
            decision: body.decision.as_str().to_owned(),
            plans: plans.collect(),
            text: body.text.clone(),
            tree: Text(body.tree),
            trust: trust.collect(),
        }
    }
}

impl Members {
    /// Demands a decision with words, each plan and each path once and in order, and a trust point
    /// where files are named that differ from it.
    pub(super) fn into_body(self) -> Result<ReviewBody, NotABody> {
        let decision = Decision::parse(&self.decision).ok_or(NotABody)?;
        let plans = self.plans.into_iter().map(|each| {
            let (contract, seal) = (each.contract.0, each.seal.0);
            Ok((each.plan.0, ReviewedContract { contract, seal }))
        });
        let trust = self.trust.into_iter().map(|file| {
            let found = match (file.id, file.mode) {
                (Some(id), Some(mode)) => Some((pins::mode(&mode)?, id.0)),
                (None, None) => None,
                (_, _) => return Err(NotABody),
            };
            (!file.path.is_empty())
                .then_some((file.path, found))
                .ok_or(NotABody)
        });
        let (plans, trust) = (ascending(plans)?, ascending(trust)?);
        if self.text.trim().is_empty() || (self.base.is_none() && !trust.is_empty()) {
            return Err(NotABody);
        }
        Ok(ReviewBody {
            base: self.base.map(|id| id.0),
            commit: self.commit.0,
            tree: self.tree.0,
            decision,
            text: self.text,
            plans,
            trust,
        })
    }
}

/// Collects entries whose keys ascend.
fn ascending<K: Ord, V>(
    entries: impl Iterator<Item = Result<(K, V), NotABody>>,
) -> Result<BTreeMap<K, V>, NotABody> {
    let mut map = BTreeMap::new();
    for entry in entries {
        let (key, value) = entry?;
        if map.last_key_value().is_some_and(|(last, _)| *last >= key) {
            return Err(NotABody);
        }
        map.insert(key, value);
    }
    Ok(map)
}
