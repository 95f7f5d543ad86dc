//! What is looked at beside the parser: depth before it runs, and what its errors mean.

use json_syntax::parse::Error;

use super::{Fault, quoted};
use crate::model::finding::plan as row;

/// How deep lists and objects may be nested.
const MAX_DEPTH: usize = 64;

/// Finds the first bracket that is nested too deep.
///
/// It runs before the parser, whose values are dropped by recursion and would overflow the stack.
pub(super) fn too_deep(text: &str) -> Option<Fault> {
    let mut depth = 0_usize;
    let mut bytes = text.bytes().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => skip_string(&mut bytes),
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            let message = format!("lists and objects are nested more than {MAX_DEPTH} deep");
            return Some(Fault::new(&row::JSON_TOO_DEEP, at, at + 1, message));
        }
    }
    None
}

/// Goes behind the closing quote of a text.
fn skip_string(bytes: &mut impl Iterator<Item = (usize, u8)>) {
    while let Some((_, byte)) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
}

/// Says what a parse error means, and where exactly.
pub(super) fn syntax(text: &str, error: &Error) -> Fault {
    match error {
        Error::Unexpected(at, Some(found)) => unexpected(text, *at, *found),
        Error::Unexpected(at, None) => Fault::new(
            &row::JSON_SYNTAX,
            *at,
            *at,
            "the file ends before the JSON text does",
        ),
        // The parser points at the `u` of an escape; a bad second half means that the first is alone.
        Error::InvalidLowSurrogate(span, ..) => surrogate(span.start().saturating_sub(7)),
        Error::MissingLowSurrogate(span, _) | Error::InvalidUnicodeCodePoint(span, _) => {
            surrogate(span.start().saturating_sub(1))
        }
        Error::Stream(at, _) | Error::InvalidUtf8(at) => {
            Fault::new(&row::JSON_NOT_UTF8, *at, *at, "the text is not UTF-8 here")
        }
    }
}

/// Names an escape that is half of a pair.
fn surrogate(start: usize) -> Fault {
    let message = "this escape is half of a surrogate pair and names no character";
    Fault::new(
        &row::JSON_LONE_SURROGATE,
        start,
        start + r"\ud800".len(),
        message,
    )
}

/// Names a character that cannot stand where it is.
fn unexpected(text: &str, at: usize, found: char) -> Fault {
    let (before, rest) = text.split_at_checked(at).unwrap_or((text, ""));
    if let Some((start, name)) = not_finite(before, rest) {
        let message = format!("{name} is no number of JSON");
        return Fault::new(&row::JSON_NOT_FINITE, start, start + name.len(), message);
    }
    let message = format!("{} cannot stand here", quoted(&found.to_string()));
    let fault = Fault::new(&row::JSON_SYNTAX, at, at + found.len_utf8(), message);
    Fault {
        hint: hint(before, found),
        ..fault
    }
}

/// Recognises the numbers that other tools write and JSON does not have.
fn not_finite(before: &str, rest: &str) -> Option<(usize, &'static str)> {
    if rest.starts_with("NaN") {
        return Some((before.len(), "NaN"));
    }
    if !rest.starts_with("Infinity") {
        return None;
    }
    match before.strip_suffix('-') {
        Some(sign_before) => Some((sign_before.len(), "-Infinity")),
        None => Some((before.len(), "Infinity")),
    }
}

/// Says what people mean most often by a character that JSON does not have there.
fn hint(before: &str, found: char) -> Option<&'static str> {
    match found {
        '}' | ']' if before.trim_end().ends_with(',') => Some("take the comma before it away"),
        '\'' => Some("texts and keys stand in double quotes"),
        '/' | '#' => Some("JSON has no comments; a key that begins with `x-` can hold one"),
        '"' | '{' | '[' => Some("a comma or a colon may be missing before it"),
        c if c.is_control() => Some("write it as an escape, such as \\n"),
        _ => None,
    }
}
