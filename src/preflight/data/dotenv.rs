//! `.env` files, in what their readers have in common: `NAME=value`, `export`, comments, plain quotes.

use super::{Kind, Members, Node, Value};
use crate::model::claim::evidence::Reason;

/// What readers expand, strip or take for the beginning of a comment, each in its own way.
const SPECIAL: [char; 8] = ['$', '`', '\\', '"', '\'', '#', ' ', '\t'];

/// Reads a file.
pub(super) fn read(text: &str) -> Result<Node, Reason> {
    let mut members = Members::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if let Some((name, node)) = of_line(line, start)? {
            members.add(name, node)?;
        }
        start += line.len();
    }
    Ok(Node {
        span: 0..text.len(),
        value: Value::Map(members.map),
    })
}

/// Reads one line; none where it says nothing.
fn of_line(line: &str, start: usize) -> Result<Option<(&str, Node)>, Reason> {
    let body = line.trim();
    if body.is_empty() || body.starts_with('#') {
        return Ok(None);
    }
    let (before, value) = body.split_once('=').ok_or(Reason::ParseError)?;
    let name = before.strip_prefix("export ").unwrap_or(before).trim();
    let is_name = |sign: char| sign.is_ascii_alphanumeric() || "_.-".contains(sign);
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(Reason::ParseError);
    }
    let value = value.trim();
    let end = start + line.trim_end().len();
    let span = end - value.len()..end;
    let node = match plain(value)? {
        Some(plain) => Node::scalar(span, Kind::Text, plain),
        None => Node {
            span,
            value: Value::Open,
        },
    };
    Ok(Some((name, node)))
}

/// Returns a value that every reader reads alike; none where they do not.
fn plain(value: &str) -> Result<Option<&str>, Reason> {
    for quote in ['"', '\''] {
        let Some(rest) = value.strip_prefix(quote) else {
            continue;
        };
        // What is not ended on its line goes on in the next ones, for some.
        let (inside, after) = rest.split_once(quote).ok_or(Reason::Ambiguous)?;
        let is_plain = after.is_empty() && !inside.contains(['$', '`', '\\']);
        return Ok(is_plain.then_some(inside));
    }
    Ok((!value.contains(SPECIAL)).then_some(value))
}
