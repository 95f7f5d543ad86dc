//! JSON, by the strict reader of plans.

use super::{Kind, Map, Node, Value};
use crate::model::claim::evidence::Reason;
use crate::model::finding::plan as rows;
use crate::wire::strict;

/// Reads a document.
pub(super) fn read(text: &str) -> Result<Node, Reason> {
    let (node, defects) = strict::read("", text.as_bytes(), usize::MAX);
    if defects.has(&rows::JSON_TOO_DEEP) {
        return Err(Reason::Limit);
    }
    if defects.has(&rows::JSON_DUPLICATE_KEY) {
        return Err(Reason::Ambiguous);
    }
    match node {
        Some(node) if defects.is_empty() => Ok(converted(node)),
        Some(_) | None => Err(Reason::ParseError),
    }
}

/// Takes over a value; the strict reader has bounded its depth.
fn converted(node: strict::Node) -> Node {
    let span = node.spot.span;
    let value = match node.value {
        strict::Value::Null => return Node::scalar(span, Kind::Null, "null"),
        strict::Value::Bool(is_true) => return Node::scalar(span, Kind::Bool, is_true.to_string()),
        strict::Value::Number(number) => return Node::scalar(span, Kind::Number, number),
        strict::Value::Text(text) => return Node::scalar(span, Kind::Text, text),
        strict::Value::List(items) => Value::List(items.into_iter().map(converted).collect()),
        strict::Value::Object(members) => {
            let members = members.into_iter();
            Value::Map(Map {
                members: members
                    .map(|member| (member.key, converted(member.node)))
                    .collect(),
                ..Map::default()
            })
        }
    };
    Node { span, value }
}
