//! Strict JSON for files that people write: what two readers could read differently is refused.
//!
//! At most so many bytes, UTF-8 without a byte order mark, no key twice at any depth, no NaN or
//! Infinity, no half of a surrogate pair, at most 64 levels. Files that only this program writes
//! are held to more: they are written again and must come out the same.

mod defects;
mod scan;
mod source;
mod tree;

use json_syntax::Parse as _;

use crate::model::finding::{Row, plan as row};

pub(crate) use defects::{Defects, quoted};
pub(crate) use source::Source;
pub(crate) use tree::{Member, Node, Spot, Value};

/// The greatest size of a file that people write, in bytes.
pub(crate) const MAX_BYTES: usize = 2_000_000;

/// Reads a file of at most `max_bytes`.
///
/// The tree is there unless the text is no JSON at all; keys that occur twice are among the
/// defects, and the tree holds the first of them.
pub(crate) fn read<'a>(
    path: &'a str,
    bytes: &'a [u8],
    max_bytes: usize,
) -> (Option<Node>, Defects<'a>) {
    match text(bytes, max_bytes) {
        Ok(text) => parse(Source::new(path, text)),
        Err((fault, readable)) => {
            let mut defects = Defects::new(Source::new(path, readable));
            defects.add_unplaced(&fault);
            (None, defects)
        }
    }
}

/// One reason why a text is no strict JSON.
#[derive(Debug)]
struct Fault {
    row: &'static Row,
    start: usize,
    end: usize,
    message: String,
    hint: Option<&'static str>,
}

impl Fault {
    fn new(row: &'static Row, start: usize, end: usize, message: impl Into<String>) -> Self {
        Self {
            row,
            start,
            end,
            message: message.into(),
            hint: None,
        }
    }
}

/// Returns the text of a file, or why it has none and what of it can be shown.
fn text(bytes: &[u8], max_bytes: usize) -> Result<&str, (Fault, &str)> {
    if bytes.len() > max_bytes {
        let message = format!(
            "the file has {} bytes; at most {max_bytes} are read",
            bytes.len()
        );
        return Err((Fault::new(&row::JSON_TOO_LARGE, 0, 0, message), ""));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error))?;
    if text.starts_with('\u{feff}') {
        let message = "the file begins with a byte order mark";
        let fault = Fault::new(
            &row::JSON_BYTE_ORDER_MARK,
            0,
            '\u{feff}'.len_utf8(),
            message,
        );
        return Err((fault, text));
    }
    Ok(text)
}

/// Names the first byte that is not UTF-8, with the text before it.
fn not_utf8(bytes: &[u8], error: std::str::Utf8Error) -> (Fault, &str) {
    let start = error.valid_up_to();
    let (valid, rest) = bytes.split_at(start);
    let bad = rest
        .first()
        .map(|byte| format!("0x{byte:02x}"))
        .unwrap_or_default();
    let end = start + error.error_len().unwrap_or(rest.len());
    let message = format!("the byte {bad} is not UTF-8 here");
    let readable = std::str::from_utf8(valid).unwrap_or_default();
    (
        Fault::new(&row::JSON_NOT_UTF8, start, end, message),
        readable,
    )
}

/// Parses a text into a tree.
fn parse(source: Source<'_>) -> (Option<Node>, Defects<'_>) {
    let text = source.text();
    let mut defects = Defects::new(source);
    if let Some(fault) = scan::too_deep(text) {
        defects.add_unplaced(&fault);
        return (None, defects);
    }
    match json_syntax::Value::parse_str(text) {
        Ok((value, map)) => {
            let (root, duplicates) = tree::build(text, value, &map);
            for spot in duplicates {
                let message = "this key was there before in the same object";
                defects.add(&row::JSON_DUPLICATE_KEY, &spot, message);
            }
            (Some(root), defects)
        }
        Err(error) => {
            defects.add_unplaced(&scan::syntax(text, &error));
            (None, defects)
        }
    }
}

#[cfg(test)]
mod tests;
