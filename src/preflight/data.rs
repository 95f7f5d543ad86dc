//! Data formats as one tree: every value with the place where it is written.
//!
//! What a format leaves to its reader (aliases, merges, interpolation, keys that are there twice) is
//! never guessed: such a value is open, and so is what may be missing beside it.

mod dotenv;
mod ini;
mod json;
mod toml;
mod yaml;

use std::collections::BTreeSet;
use std::ops::Range;

use crate::model::claim::evidence::Reason;

/// How many levels a document has at most, as the strict JSON of plans.
const LEVELS: usize = 64;

/// A format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// TOML 1.
    Toml,
    /// YAML 1.2, core schema, one document.
    Yaml,
    /// JSON.
    Json,
    /// Sections of keys and values, in what the dialects have in common.
    Ini,
    /// Lines of names and values.
    Env,
}

impl Format {
    /// Every format with its word in claims.
    const TABLE: [(Self, &'static str); 5] = [
        (Self::Toml, "toml"),
        (Self::Yaml, "yaml"),
        (Self::Json, "json"),
        (Self::Ini, "ini"),
        (Self::Env, "env"),
    ];

    /// Reads the word of claims.
    pub(super) fn parse(word: &str) -> Option<Self> {
        let mut rows = Self::TABLE.into_iter();
        rows.find(|(_, known)| *known == word).map(|(one, _)| one)
    }

    /// Returns the format that the name of a file says.
    pub(super) fn of(path: &[u8]) -> Option<Self> {
        let name = path.rsplit(|byte| *byte == b'/').next()?;
        let name = std::str::from_utf8(name).ok()?;
        match name {
            "Cargo.lock" | "poetry.lock" | "uv.lock" | "Pipfile" => return Some(Self::Toml),
            ".editorconfig" | ".gitconfig" | ".gitmodules" | ".npmrc" => return Some(Self::Ini),
            ".env" => return Some(Self::Env),
            _ if name.starts_with(".env.") => return Some(Self::Env),
            _ => {}
        }
        match name.rsplit_once('.')?.1 {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            "ini" | "cfg" => Some(Self::Ini),
            "env" => Some(Self::Env),
            _ => None,
        }
    }
}

/// A value with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Node {
    /// Its bytes.
    pub(super) span: Range<usize>,
    /// The value.
    pub(super) value: Value,
}

/// A value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Value {
    /// One that has no parts.
    Scalar(Scalar),
    /// A list.
    List(Vec<Node>),
    /// Keys and values.
    Map(Map),
    /// One that the file leaves to its reader.
    Open,
}

/// What a value without parts is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Nothing.
    Null,
    /// True or false.
    Bool,
    /// A number.
    Number,
    /// A text, or what is written as one.
    Text,
}

/// A value without parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scalar {
    /// What it is.
    pub(super) kind: Kind,
    /// A text without its quotes and escapes; everything else as it is spelt.
    pub(super) text: String,
}

/// Keys and values; no key is twice in it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Map {
    /// The members in the order of the text.
    pub(super) members: Vec<(String, Node)>,
    /// Whether it may have more members than are written.
    pub(super) is_open: bool,
    /// Whether readers differ on the case of its keys.
    pub(super) ignores_case: bool,
}

/// What is at a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Found<'n> {
    /// This.
    Here(&'n Node),
    /// Nothing; this is the deepest that is there.
    Nothing(&'n Node),
    /// The file leaves it to its reader.
    Open,
}

impl<'n> Found<'n> {
    /// Returns what is there; nothing where nothing is, and a reason where that is open.
    pub(super) const fn here(self) -> Result<Option<&'n Node>, Reason> {
        match self {
            Self::Here(node) => Ok(Some(node)),
            Self::Nothing(_) => Ok(None),
            Self::Open => Err(Reason::Ambiguous),
        }
    }
}

impl Node {
    /// Makes a value without parts.
    fn scalar(span: Range<usize>, kind: Kind, text: impl Into<String>) -> Self {
        let text = text.into();
        let value = Value::Scalar(Scalar { kind, text });
        Self { span, value }
    }

    /// Looks at a key, part by part; an item of a list has its number from 0.
    pub(super) fn at<'n>(&'n self, key: &[impl AsRef<str>]) -> Found<'n> {
        let mut here = self;
        for part in key {
            match here.child(part.as_ref()) {
                Found::Here(node) => here = node,
                found @ (Found::Nothing(_) | Found::Open) => return found,
            }
        }
        match here.value {
            Value::Open => Found::Open,
            Value::Scalar(_) | Value::List(_) | Value::Map(_) => Found::Here(here),
        }
    }

    /// Looks at one part of a key.
    fn child<'n>(&'n self, part: &str) -> Found<'n> {
        let nothing = Found::Nothing(self);
        match &self.value {
            Value::Open => Found::Open,
            Value::Scalar(_) => nothing,
            Value::List(items) => {
                let is_plain = part == "0" || !part.starts_with('0');
                let number = part.parse::<usize>().ok().filter(|_| is_plain);
                let item = number.and_then(|number| items.get(number));
                item.map_or(nothing, Found::Here)
            }
            Value::Map(map) => match map.get(part) {
                Some(node) => Found::Here(node),
                None if map.may_have(part) => Found::Open,
                None => nothing,
            },
        }
    }

    /// Returns the members of a map.
    pub(super) const fn map(&self) -> Option<&Map> {
        match &self.value {
            Value::Map(map) => Some(map),
            Value::Scalar(_) | Value::List(_) | Value::Open => None,
        }
    }

    /// Returns the items of a list.
    pub(super) fn list(&self) -> Option<&[Self]> {
        match &self.value {
            Value::List(items) => Some(items),
            Value::Scalar(_) | Value::Map(_) | Value::Open => None,
        }
    }

    /// Returns a text.
    pub(super) fn text(&self) -> Option<&str> {
        let scalar = self.as_scalar()?;
        (scalar.kind == Kind::Text).then_some(scalar.text.as_str())
    }

    /// Returns a value without parts.
    pub(super) const fn as_scalar(&self) -> Option<&Scalar> {
        match &self.value {
            Value::Scalar(scalar) => Some(scalar),
            Value::List(_) | Value::Map(_) | Value::Open => None,
        }
    }
}

impl Map {
    /// Returns the value of a key as it is spelt.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let mut members = self.members.iter();
        members
            .find(|(known, _)| known == key)
            .map(|(_, node)| node)
    }

    /// Says whether some reader may find a key that is not written so.
    pub(super) fn may_have(&self, key: &str) -> bool {
        let mut members = self.members.iter();
        self.is_open
            || self.ignores_case && members.any(|(known, _)| known.eq_ignore_ascii_case(key))
    }
}

/// Reads a document.
pub(super) fn read(format: Format, text: &str) -> Result<Node, Reason> {
    if text.starts_with('\u{feff}') {
        return Err(Reason::Encoding);
    }
    match format {
        Format::Toml => toml::read(text),
        Format::Yaml => yaml::read(text),
        Format::Json => json::read(text),
        Format::Ini => ini::read(text),
        Format::Env => dotenv::read(text),
    }
}

/// Collects members; a key that is there twice means different things to different readers.
#[derive(Default)]
struct Members {
    map: Map,
    seen: BTreeSet<String>,
}

impl Members {
    /// Adds a member.
    fn add(&mut self, key: &str, node: Node) -> Result<(), Reason> {
        let folded = if self.map.ignores_case {
            key.to_ascii_lowercase()
        } else {
            key.to_owned()
        };
        if !self.seen.insert(folded) {
            return Err(Reason::Ambiguous);
        }
        self.map.members.push((key.to_owned(), node));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
