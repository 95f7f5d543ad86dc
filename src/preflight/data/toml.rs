//! TOML. The parser refuses keys that are there twice, and more than 80 levels.

use toml_edit::{Document, Item, Table, Value as Toml};

use super::{Kind, Map, Node, Value};
use crate::model::claim::evidence::Reason;

/// What the parser says of a document that is too deep.
const TOO_DEEP: [&str; 2] = ["recurse", "recursion limit"];

/// Reads a document.
pub(super) fn read(text: &str) -> Result<Node, Reason> {
    let document = Document::parse(text).map_err(|error| {
        let message = error.message();
        if TOO_DEEP.iter().any(|words| message.contains(words)) {
            Reason::Limit
        } else if message.starts_with("duplicate key") {
            Reason::Ambiguous
        } else {
            Reason::ParseError
        }
    })?;
    Ok(of_table(text, document.as_table()))
}

/// Takes over a table.
fn of_table(text: &str, table: &Table) -> Node {
    let members = table.iter().filter_map(|(key, item)| {
        let node = of_item(text, item)?;
        Some((key.to_owned(), node))
    });
    let map = Map {
        members: members.collect(),
        ..Map::default()
    };
    Node {
        span: table.span().unwrap_or_default(),
        value: Value::Map(map),
    }
}

/// Takes over an item; none where there is none.
fn of_item(text: &str, item: &Item) -> Option<Node> {
    match item {
        Item::None => None,
        Item::Value(value) => Some(of_value(text, value)),
        Item::Table(table) => Some(of_table(text, table)),
        Item::ArrayOfTables(tables) => Some(Node {
            span: tables.span().unwrap_or_default(),
            value: Value::List(tables.iter().map(|table| of_table(text, table)).collect()),
        }),
    }
}

/// Takes over a value.
fn of_value(text: &str, value: &Toml) -> Node {
    let span = value.span().unwrap_or_default();
    let spelled = text.get(span.clone()).unwrap_or_default();
    match value {
        Toml::String(found) => Node::scalar(span, Kind::Text, found.value().as_str()),
        Toml::Integer(_) | Toml::Float(_) => Node::scalar(span, Kind::Number, spelled),
        Toml::Boolean(found) => Node::scalar(span, Kind::Bool, found.value().to_string()),
        // A time is compared as it is spelt, like a text.
        Toml::Datetime(_) => Node::scalar(span, Kind::Text, spelled),
        Toml::Array(items) => Node {
            span,
            value: Value::List(items.iter().map(|item| of_value(text, item)).collect()),
        },
        Toml::InlineTable(table) => {
            let members = table.iter();
            let members = members.map(|(key, value)| (key.to_owned(), of_value(text, value)));
            let map = Map {
                members: members.collect(),
                ..Map::default()
            };
            Node {
                span,
                value: Value::Map(map),
            }
        }
    }
}
