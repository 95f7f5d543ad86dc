//! The tree of a JSON text: every value with its byte range and its path.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;
use std::slice::Iter;

use json_syntax::CodeMap;
use json_syntax::code_map::Entry;

use super::defects::shortened;

/// The longest key that a path shows whole, in characters.
const MAX_KEY: usize = 40;

/// Where a value stands in its text.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// Its bytes.
    pub(crate) span: Range<usize>,
    /// How it is reached from the root.
    pub(crate) path: Rc<Path>,
}

impl Spot {
    /// Returns the spot of the first byte alone: the opening bracket of a list or an object.
    pub(crate) fn opening(&self) -> Self {
        let start = self.span.start;
        Self {
            span: start..start + 1,
            path: Rc::clone(&self.path),
        }
    }
}

/// How a value is reached from the root. Written as a JSON path; long keys are cut.
#[derive(Debug)]
pub(crate) enum Path {
    /// The root itself.
    Root,
    /// A member of an object.
    Member {
        /// The object.
        of: Rc<Self>,
        /// The key, fit to be shown.
        key: String,
    },
    /// An item of a list.
    Item {
        /// The list.
        of: Rc<Self>,
        /// Its number, from 0.
        index: usize,
    },
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("$"),
            Self::Member { of, key } if is_plain(key) => write!(f, "{of}.{key}"),
            Self::Member { of, key } => write!(f, "{of}['{}']", key.replace('\'', "\\'")),
            Self::Item { of, index } => write!(f, "{of}[{index}]"),
        }
    }
}

/// Says whether a key can follow a dot in a path.
fn is_plain(key: &str) -> bool {
    let mut bytes = key.bytes();
    bytes
        .next()
        .is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// A value with its place.
#[derive(Debug)]
pub(crate) struct Node {
    /// Its place.
    pub(crate) spot: Spot,
    /// The value.
    pub(crate) value: Value,
}

/// A JSON value.
#[derive(Debug)]
pub(crate) enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it is spelt.
    Number(String),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// An object; no key is twice in it.
    Object(Vec<Member>),
}

impl Value {
    /// Names the kind of the value, for a person.
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "true or false",
            Self::Number(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Object(_) => "an object",
        }
    }
}

/// A member of an object.
#[derive(Debug)]
pub(crate) struct Member {
    /// Its key.
    pub(crate) key: String,
    /// The place of the key.
    pub(crate) key_spot: Spot,
    /// Its value.
    pub(crate) node: Node,
}

/// Makes the tree of a parsed text; also returns the keys that were in their object before.
pub(super) fn build(text: &str, value: json_syntax::Value, map: &CodeMap) -> (Node, Vec<Spot>) {
    let mut builder = Builder {
        text,
        entries: map.as_slice().iter(),
        duplicates: Vec::new(),
    };
    let root = builder.node(value, Rc::new(Path::Root));
    (root, builder.duplicates)
}

/// Walks a value and its code map side by side: the map lists every fragment in document order.
struct Builder<'a> {
    text: &'a str,
    entries: Iter<'a, Entry>,
    duplicates: Vec<Spot>,
}

impl Builder<'_> {
    fn next_span(&mut self) -> Range<usize> {
        self.entries
            .next()
            .map_or(0..0, |entry| entry.span.start()..entry.span.end())
    }

    fn node(&mut self, value: json_syntax::Value, path: Rc<Path>) -> Node {
        let span = self.next_span();
        let spot = Spot { span, path };
        let value = match value {
            json_syntax::Value::Null => Value::Null,
            json_syntax::Value::Boolean(is_true) => Value::Bool(is_true),
            json_syntax::Value::Number(number) => Value::Number(number.as_str().to_owned()),
            json_syntax::Value::String(text) => Value::Text(text.into_string()),
            json_syntax::Value::Array(items) => Value::List(self.items(items, &spot.path)),
            json_syntax::Value::Object(object) if object.is_empty() => {
                return self.empty_object(spot);
            }
            json_syntax::Value::Object(object) => Value::Object(self.members(object, &spot.path)),
        };
        Node { spot, value }
    }

    /// The code map of the parser knows only where an empty object begins.
    fn empty_object(&self, spot: Spot) -> Node {
        let start = spot.span.start;
        let length = self
            .text
            .get(start..)
            .and_then(|rest| rest.find('}'))
            .unwrap_or(0);
        let spot = Spot {
            span: start..start + length + 1,
            ..spot
        };
        Node {
            spot,
            value: Value::Object(Vec::new()),
        }
    }

    fn items(&mut self, items: Vec<json_syntax::Value>, of: &Rc<Path>) -> Vec<Node> {
        let path = |index| {
            Rc::new(Path::Item {
                of: Rc::clone(of),
                index,
            })
        };
        let numbered = items.into_iter().enumerate();
        numbered
            .map(|(index, item)| self.node(item, path(index)))
            .collect()
    }

    fn members(&mut self, object: json_syntax::Object, of: &Rc<Path>) -> Vec<Member> {
        let mut seen = BTreeSet::new();
        let mut members = Vec::new();
        for entry in object {
            let member = self.member(entry.key.into_string(), entry.value, of);
            if seen.insert(member.key.clone()) {
                members.push(member);
            } else {
                self.duplicates.push(member.key_spot);
            }
        }
        members
    }

    fn member(&mut self, key: String, value: json_syntax::Value, of: &Rc<Path>) -> Member {
        // The map has an entry for the whole member, then one for the key, then the value's.
        self.next_span();
        let span = self.next_span();
        let shown = shortened(&key, MAX_KEY);
        let path = Rc::new(Path::Member {
            of: Rc::clone(of),
            key: shown,
        });
        let node = self.node(value, Rc::clone(&path));
        Member {
            key,
            key_spot: Spot { span, path },
            node,
        }
    }
}
