//! What `run` did, for machines.

use serde_json::{Value, json};

use super::audit::step;
use super::{members, without_nulls};
use crate::model::outcome::{RanStep, RanSteps};

/// Writes the members of `run`.
pub(super) fn ran(ran: &RanSteps) -> Value {
    without_nulls(json!({
        "plan": ran.plan.to_string(),
        "contract": ran.contract.to_string(),
        "tree": ran.tree.to_string(),
        "record": ran.record.map(|id| id.to_string()),
        "max_attempts": ran.max_attempts,
        "steps": ran.steps.iter().map(ran_step).collect::<Vec<_>>(),
        "left": ran.left,
    }))
}

/// Writes one step: as in an audit, with how it ended and its failed attempts.
fn ran_step(ran: &RanStep) -> Value {
    let mut value = members(step(&ran.step));
    value.insert("result".to_owned(), json!(ran.end.as_str()));
    value.insert("failed_attempts".to_owned(), json!(ran.failed));
    Value::Object(value)
}
