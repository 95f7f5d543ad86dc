//! YAML, from the events of the parser: nothing that an alias or a merge stands for is ever expanded.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

use super::{Kind, LEVELS, Members, Node, Value};
use crate::model::claim::evidence::Reason;

/// The key that merges another map, in YAML 1.1 and what follows it.
const MERGE: &str = "<<";

/// Reads the one document of a text.
pub(super) fn read(text: &str) -> Result<Node, Reason> {
    let mut builder = Builder {
        places: Places::of(text),
        open: Vec::new(),
        root: None,
        documents: 0,
    };
    for event in Parser::new_from_str(text) {
        // The scanner gives up at 255 levels of brackets: these are too deep, and not malformed.
        let (event, span) = event.map_err(|error| match error.info() {
            "recursion limit exceeded" => Reason::Limit,
            _ => Reason::ParseError,
        })?;
        builder.take(event, span)?;
    }
    let nothing = Node::scalar(0..0, Kind::Null, "");
    Ok(builder.root.unwrap_or(nothing))
}

/// A list or a map whose end has not come yet.
enum Open {
    List(usize, Vec<Node>),
    Map(usize, Members, Option<Key>),
}

/// A key whose value has not come yet.
struct Key {
    text: String,
    is_merge: bool,
}

/// Builds the tree without recursion.
struct Builder {
    places: Places,
    open: Vec<Open>,
    root: Option<Node>,
    documents: usize,
}

impl Builder {
    /// Takes the next event.
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Reason> {
        let span = self.places.range(span);
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                // Which of several documents is meant is not said.
                if self.documents > 1 {
                    return Err(Reason::Ambiguous);
                }
                Ok(())
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
            Event::Alias(_) => {
                let value = Value::Open;
                self.put(Node { span, value }, None)
            }
            Event::Scalar(text, style, _, tag) => {
                let is_plain = style == ScalarStyle::Plain;
                let key = Key {
                    is_merge: is_plain && text == MERGE,
                    text: text.to_string(),
                };
                self.put(scalar(span, &text, is_plain, tag.as_deref()), Some(key))
            }
            Event::SequenceStart(_, tag) => {
                self.enter(Open::List(span.start, Vec::new()), tag.as_deref())
            }
            Event::MappingStart(_, tag) => {
                let members = Members::default();
                self.enter(Open::Map(span.start, members, None), tag.as_deref())
            }
            Event::SequenceEnd | Event::MappingEnd => self.leave(span.end),
        }
    }

    /// Begins a list or a map.
    fn enter(&mut self, open: Open, tag: Option<&Tag>) -> Result<(), Reason> {
        if self.open.len() >= LEVELS {
            return Err(Reason::Limit);
        }
        // A tag may turn it into anything; which one is not asked.
        if tag.is_some() {
            return Err(Reason::Ambiguous);
        }
        self.open.push(open);
        Ok(())
    }

    /// Ends the innermost list or map.
    fn leave(&mut self, end: usize) -> Result<(), Reason> {
        let (start, value) = match self.open.pop() {
            Some(Open::List(start, items)) => (start, Value::List(items)),
            Some(Open::Map(start, members, _)) => (start, Value::Map(members.map)),
            None => return Err(Reason::ParseError),
        };
        let span = start..end.max(start);
        self.put(Node { span, value }, None)
    }

    /// Puts a value where it belongs; `key` is what it says where a key is due.
    fn put(&mut self, node: Node, key: Option<Key>) -> Result<(), Reason> {
        match self.open.last_mut() {
            None => self.root = Some(node),
            Some(Open::List(_, items)) => items.push(node),
            Some(Open::Map(_, members, due)) => match due.take() {
                Some(key) if key.is_merge => members.map.is_open = true,
                Some(key) => members.add(&key.text, node)?,
                // A key that is an alias, a list or a map has no name.
                None => *due = Some(key.ok_or(Reason::Ambiguous)?),
            },
        }
        Ok(())
    }
}

/// Makes a value without parts, by the core schema.
fn scalar(span: Range<usize>, text: &str, is_plain: bool, tag: Option<&Tag>) -> Node {
    let kind = match tag {
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix == "str" => Kind::Text,
        Some(_) => {
            let value = Value::Open;
            return Node { span, value };
        }
        None if is_plain => kind(text),
        None => Kind::Text,
    };
    Node::scalar(span, kind, text)
}

/// Says what a plain text stands for (YAML 1.2, 10.3.2).
fn kind(text: &str) -> Kind {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Kind::Null,
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => Kind::Bool,
        _ if is_number(text) => Kind::Number,
        _ => Kind::Text,
    }
}

/// Says whether a plain text is a number of the core schema.
fn is_number(text: &str) -> bool {
    let of = |digits: &str, is_digit: fn(&char) -> bool| {
        !digits.is_empty() && digits.chars().all(|sign| is_digit(&sign))
    };
    if let Some(digits) = text.strip_prefix("0x") {
        return of(digits, char::is_ascii_hexdigit);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return of(digits, |sign| ('0'..='7').contains(sign));
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if [".inf", ".Inf", ".INF"].contains(&unsigned) || [".nan", ".NaN", ".NAN"].contains(&text) {
        return true;
    }
    let starts = unsigned
        .trim_start_matches('.')
        .starts_with(|sign: char| sign.is_ascii_digit());
    starts && unsigned.parse::<f64>().is_ok()
}

/// Where the characters of a text stand: the parser counts these, and not bytes.
struct Places {
    /// The byte of each character, and the end; none where all are of one byte.
    starts: Option<Vec<usize>>,
    length: usize,
}

impl Places {
    fn of(text: &str) -> Self {
        let starts = || text.char_indices().map(|(at, _)| at).collect();
        Self {
            starts: (!text.is_ascii()).then(starts),
            length: text.len(),
        }
    }

    fn range(&self, span: Span) -> Range<usize> {
        let byte = |index: usize| match &self.starts {
            Some(starts) => starts.get(index).copied().unwrap_or(self.length),
            None => index.min(self.length),
        };
        byte(span.start.index())..byte(span.end.index())
    }
}
