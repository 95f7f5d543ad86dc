//! To what a schema refers: only to itself, by pointers.

use serde_json::Value;

use crate::model::claim::evidence::Reason;

/// References that mean something else from where they are reached.
const MOVING: [&str; 6] = [
    "$dynamicRef",
    "$recursiveRef",
    "$dynamicAnchor",
    "$recursiveAnchor",
    "$anchor",
    "$vocabulary",
];

/// Demands that a schema refers to nothing outside, and to its own parts by pointers alone.
pub(super) fn demand_own(schema: &Value) -> Result<(), Reason> {
    let is_outside = |key: &str, value: &Value| {
        let text = value.as_str().filter(|_| key == "$ref");
        text.is_some_and(|text| !text.starts_with('#'))
    };
    if any(schema, &is_outside) {
        return Err(Reason::CoverageIncomplete);
    }
    let is_moving = |key: &str, value: &Value| {
        let anchor = value.as_str().filter(|_| key == "$ref");
        let is_anchor = anchor.is_some_and(|text| text.contains('%') || pointer(text).is_none());
        MOVING.contains(&key) && !value.is_object() || is_anchor
    };
    // A part with an id of its own is a document of its own.
    let has_id = |key: &str, value: &Value| ["$id", "id"].contains(&key) && value.is_string();
    let parts = children(schema);
    if any(schema, &is_moving) || parts.iter().any(|part| any(part, &has_id)) {
        return Err(Reason::Ambiguous);
    }
    Ok(())
}

/// Returns the pointer of a reference to the document itself.
fn pointer(reference: &str) -> Option<&str> {
    let pointer = reference.strip_prefix('#')?;
    (pointer.is_empty() || pointer.starts_with('/')).then_some(pointer)
}

/// Returns the part of a schema that a reference names.
pub(super) fn target<'s>(schema: &'s Value, reference: &str) -> Option<&'s Value> {
    schema.pointer(pointer(reference)?)
}

/// Returns a part of a pointer as it is meant.
pub(super) fn unescaped(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// Lists the parts of a value.
pub(super) fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// Says whether any member at any depth is so.
pub(super) fn any(value: &Value, is_so: &dyn Fn(&str, &Value) -> bool) -> bool {
    let is_here = value
        .as_object()
        .is_some_and(|members| members.iter().any(|(key, value)| is_so(key, value)));
    is_here || children(value).into_iter().any(|child| any(child, is_so))
}
