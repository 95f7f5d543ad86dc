//! What a hook found, for machines.

use serde_json::{Value, json};

use super::{members, without_nulls};
use crate::model::hook::{Hooked, JudgedReference};

/// Writes the members of `hook`.
pub(super) fn hooked(hooked: &Hooked) -> Value {
    let audit = hooked.audit.as_ref().map(|audit| {
        let mut value = members(super::details(&audit.details));
        value.insert("outcome".to_owned(), audit.word.as_str().into());
        value
    });
    without_nulls(json!({
        "hook": hooked.caller.as_str(),
        "references": hooked.references.iter().map(reference).collect::<Vec<_>>(),
        "audit": audit,
        "next": hooked.next,
    }))
}

/// Writes what became of one reference.
fn reference(reference: &JudgedReference) -> Value {
    without_nulls(json!({
        "name": reference.name,
        "old": reference.old.map(|id| id.to_string()),
        "commit": reference.commit.map(|id| id.to_string()),
        "result": reference.end.as_str(),
    }))
}
