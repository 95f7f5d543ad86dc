//! The life of a contract, for machines.

use serde_json::{Value, json};

use super::without_nulls;
use crate::model::change::Change;
use crate::model::outcome::{Became, Closed, Compared, Differing};

/// Writes one difference.
pub(super) fn change(change: &Change) -> Value {
    without_nulls(json!({
        "class": change.class.as_str(),
        "member": change.member,
        "before": change.before,
        "after": change.after,
    }))
}

/// Writes a plan beside what was sealed of it.
pub(super) fn compared(plan: &Compared) -> (String, Value) {
    let value = without_nulls(json!({
        "standing": plan.standing,
        "contract": plan.contract.map(|digest| digest.to_string()),
        "with": plan.with.iter().map(differing).collect::<Vec<_>>(),
    }));
    (plan.plan.to_string(), value)
}

/// Writes one seal and what differs from it.
fn differing(each: &Differing) -> Value {
    json!({
        "seal": each.seal.to_string(),
        "changes": each.changes.iter().map(change).collect::<Vec<_>>(),
    })
}

/// Writes what has ended.
pub(super) fn closed(closed: &Closed) -> Value {
    json!({
        "plan": closed.plan.to_string(),
        "contract": closed.contract.to_string(),
        "record": closed.record.to_string(),
        "seals": closed.seals.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "abandoned": closed.is_abandoned,
        "already": closed.became == Became::EndedBefore,
        "waiting": closed.became == Became::Waiting,
    })
}
