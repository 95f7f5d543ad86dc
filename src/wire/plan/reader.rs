//! Reads single values of a plan: kinds, texts, numbers, lists, objects, and what each may hold.

use std::ops::RangeInclusive;

use super::suggest;
use crate::model::finding::{Finding, Row, plan as row};
use crate::model::ids::PlanName;
use crate::model::pattern::{self, PathPatterns, PatternFault};
use crate::model::relative;
use crate::wire::canonical::MAX_INTEGER;
use crate::wire::strict::{Defects, Member, Node, Spot, Value, quoted};

/// How many regular expressions a plan may hold: each takes milliseconds to compile.
const MAX_EXPRESSIONS: usize = 1000;

/// What is read: the file of a person, or the normal form that a seal binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::wire) enum Dialect {
    /// A plan file.
    Plan,
    /// A contract: dependencies are effective ones, times are in milliseconds.
    Contract,
}

/// Whether a list may be empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Empty {
    Allowed,
    Refused,
}

/// Which keys an object may have.
#[derive(Debug)]
pub(super) struct Shape {
    /// What the object is, with its article.
    pub(super) what: &'static str,
    /// The keys that mean something, and those that are refused by name.
    pub(super) keys: &'static [&'static str],
    /// The keys that only a contract has.
    pub(super) contract_keys: &'static [&'static str],
    /// The keys that are read and ignored.
    pub(super) ignored: &'static [&'static str],
}

/// An object whose keys were looked at.
#[derive(Debug)]
pub(super) struct Members<'t> {
    what: &'static str,
    opening: Spot,
    list: &'t [Member],
}

impl<'t> Members<'t> {
    /// Returns a member with its key.
    pub(super) fn member(&self, key: &str) -> Option<&'t Member> {
        self.list.iter().find(|member| member.key == key)
    }

    /// Returns the value of a member.
    pub(super) fn get(&self, key: &str) -> Option<&'t Node> {
        self.member(key).map(|member| &member.node)
    }

    /// Returns the place of the opening bracket.
    pub(super) const fn opening(&self) -> &Spot {
        &self.opening
    }
}

/// What could be read of a list.
#[derive(Debug)]
pub(super) struct Items<T> {
    /// The items that could be read.
    pub(super) values: Vec<T>,
    /// Whether these are all.
    pub(super) is_complete: bool,
}

impl<T> Items<T> {
    /// A list that is not there: complete, and without items.
    pub(super) const fn none() -> Self {
        Self {
            values: Vec::new(),
            is_complete: true,
        }
    }

    /// A value that is no list.
    const fn unreadable() -> Self {
        Self {
            values: Vec::new(),
            is_complete: false,
        }
    }

    /// Returns all items, or none if one could not be read.
    pub(super) fn whole(self) -> Option<Vec<T>> {
        self.is_complete.then_some(self.values)
    }
}

/// Reads values and collects what is wrong with them.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    dialect: Dialect,
    defects: Defects<'a>,
    expressions: usize,
}

impl<'a> Reader<'a> {
    /// Goes on from the findings of the strict reader.
    pub(super) const fn new(dialect: Dialect, defects: Defects<'a>) -> Self {
        Self {
            dialect,
            defects,
            expressions: 0,
        }
    }

    /// Returns what is read.
    pub(super) const fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Says which step the findings that follow speak of.
    pub(super) const fn speak_of_step(&mut self, step: Option<u64>) {
        self.defects.speak_of_step(step);
    }

    /// Returns everything that was found.
    pub(super) fn finish(self, plan: &PlanName) -> Vec<Finding> {
        self.defects.finish(plan)
    }

    /// Adds a finding.
    pub(super) fn refuse(&mut self, row: &'static Row, spot: &Spot, message: impl Into<String>) {
        self.defects.add(row, spot, message);
    }

    /// Adds a finding with a way out.
    pub(super) fn refuse_hinted(
        &mut self,
        row: &'static Row,
        spot: &Spot,
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        self.defects.add_hinted(row, spot, message, hint);
    }

    /// Says that a value is of another kind than `wanted`.
    pub(super) fn refuse_kind(&mut self, node: &Node, wanted: &str) {
        let message = format!("{wanted} is wanted here, not {}", node.value.kind());
        let spot = match node.value {
            Value::List(_) | Value::Object(_) => node.spot.opening(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => node.spot.clone(),
        };
        self.refuse(&row::WRONG_TYPE, &spot, message);
    }

    /// Reads an object and refuses the keys that mean nothing in it.
    pub(super) fn object<'t>(&mut self, node: &'t Node, shape: &Shape) -> Option<Members<'t>> {
        let Value::Object(list) = &node.value else {
            self.refuse_kind(node, shape.what);
            return None;
        };
        for member in list {
            self.demand_known(member, shape);
        }
        Some(Members {
            what: shape.what,
            opening: node.spot.opening(),
            list,
        })
    }

    fn demand_known(&mut self, member: &Member, shape: &Shape) {
        let key = member.key.as_str();
        let is_contract_key = || match self.dialect {
            Dialect::Plan => false,
            Dialect::Contract => shape.contract_keys.contains(&key),
        };
        let is_known = shape.keys.contains(&key)
            || shape.ignored.contains(&key)
            || key.starts_with("x-")
            || is_contract_key();
        if is_known {
            return;
        }
        let nearest = suggest::nearest(key, shape.keys.iter().copied());
        let hint = nearest
            .map(|meant| format!("did you mean `{meant}`?"))
            .or_else(|| Some("a key of your own begins with `x-`".to_owned()));
        let message = format!("{} means nothing in {}", quoted(key), shape.what);
        self.refuse_hinted(&row::UNKNOWN_KEY, &member.key_spot, message, hint);
    }

    /// Returns the value of a member that must be there.
    pub(super) fn required<'t>(&mut self, of: &Members<'t>, key: &str) -> Option<&'t Node> {
        let node = of.get(key);
        if node.is_none() {
            let message = format!("{} needs `{key}`", of.what);
            self.refuse(&row::MISSING_KEY, &of.opening, message);
        }
        node
    }

    /// Reads a text of any content but U+0000.
    pub(super) fn any_text(&mut self, node: &Node) -> Option<String> {
        let Value::Text(text) = &node.value else {
            self.refuse_kind(node, "a text");
            return None;
        };
        if text.contains('\0') {
            self.refuse(
                &row::NUL_CHARACTER,
                &node.spot,
                "the text holds the character U+0000",
            );
            return None;
        }
        Some(text.clone())
    }

    /// Reads a text that says something.
    pub(super) fn text(&mut self, node: &Node) -> Option<String> {
        let text = self.any_text(node)?;
        if text.trim().is_empty() {
            self.refuse(&row::BLANK_TEXT, &node.spot, "the text is blank");
            return None;
        }
        Some(text)
    }

    /// Reads a text that is not empty.
    pub(super) fn word(&mut self, node: &Node) -> Option<String> {
        let text = self.any_text(node)?;
        if text.is_empty() {
            self.refuse(&row::BLANK_TEXT, &node.spot, "the text is empty");
            return None;
        }
        Some(text)
    }

    /// Reads a safe relative path.
    pub(super) fn path(&mut self, node: &Node) -> Option<String> {
        let path = self.text(node)?;
        let Some(fault) = relative::fault(&path) else {
            return Some(path);
        };
        let message = format!("{} is no path inside the tree: {fault}", quoted(&path));
        self.refuse(&row::PATH_UNSAFE, &node.spot, message);
        None
    }

    /// Reads a regular expression.
    pub(super) fn expression(&mut self, node: &Node) -> Option<String> {
        let text = self.word(node)?;
        self.expressions += 1;
        if self.expressions > MAX_EXPRESSIONS {
            let message = format!("a plan holds at most {MAX_EXPRESSIONS} regular expressions");
            self.refuse(&row::TOO_MANY_PATTERNS, &node.spot, message);
            return None;
        }
        let Err(fault) = pattern::text(&text) else {
            return Some(text);
        };
        let row = match fault {
            PatternFault::Unsupported => &row::REGEX_UNSUPPORTED,
            PatternFault::Invalid(_) | PatternFault::TooLarge | PatternFault::TooMany => {
                &row::REGEX_INVALID
            }
        };
        let message = format!("{} is no pattern of this tool: {fault}", quoted(&text));
        self.refuse(row, &node.spot, message);
        None
    }

    /// Reads `true` or `false`.
    pub(super) fn boolean(&mut self, node: &Node) -> Option<bool> {
        let Value::Bool(is_true) = node.value else {
            self.refuse_kind(node, "true or false");
            return None;
        };
        Some(is_true)
    }

    /// Reads an integer of a range.
    pub(super) fn integer(&mut self, node: &Node, range: RangeInclusive<i64>) -> Option<i64> {
        let Value::Number(spelling) = &node.value else {
            self.refuse_kind(node, "an integer");
            return None;
        };
        if spelling.contains(['.', 'e', 'E']) || spelling == "-0" {
            let message = format!("{} is not written as an integer", quoted(spelling));
            self.refuse(&row::NOT_AN_INTEGER, &node.spot, message);
            return None;
        }
        let number = spelling
            .parse()
            .ok()
            .filter(|number| range.contains(number));
        if number.is_none() {
            let (least, most) = (range.start(), range.end());
            let message = format!("{} is not from {least} to {most}", quoted(spelling));
            self.refuse(&row::OUT_OF_RANGE, &node.spot, message);
        }
        number
    }

    /// Reads the number of a step.
    pub(super) fn step_id(&mut self, node: &Node) -> Option<u64> {
        self.integer(node, 1..=MAX_INTEGER)
            .and_then(|id| id.try_into().ok())
    }

    /// Reads a list item by item; what cannot be read is left out.
    pub(super) fn list<T>(
        &mut self,
        node: &Node,
        empty: Empty,
        mut read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Items<T> {
        let Value::List(nodes) = &node.value else {
            self.refuse_kind(node, "a list");
            return Items::unreadable();
        };
        if nodes.is_empty() && empty == Empty::Refused {
            self.refuse(&row::EMPTY_LIST, &node.spot, "the list is empty");
            return Items::unreadable();
        }
        let values: Vec<T> = nodes.iter().filter_map(|node| read(self, node)).collect();
        Items {
            is_complete: values.len() == nodes.len(),
            values,
        }
    }

    /// Reads a list that may be absent or empty.
    pub(super) fn optional_list<T>(
        &mut self,
        of: &Members<'_>,
        key: &str,
        read: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Items<T> {
        match of.get(key) {
            Some(node) => self.list(node, Empty::Allowed, read),
            None => Items::none(),
        }
    }

    /// Reads a value that may be absent.
    pub(super) fn optional<T>(
        &mut self,
        of: &Members<'_>,
        key: &str,
        default: T,
        read: impl FnOnce(&mut Self, &Node) -> Option<T>,
    ) -> Option<T> {
        match of.get(key) {
            Some(node) => read(self, node),
            None => Some(default),
        }
    }

    /// Reads a list of path patterns that may be absent.
    pub(super) fn patterns(
        &mut self,
        of: &Members<'_>,
        key: &str,
        empty: Empty,
    ) -> Option<Vec<String>> {
        let Some(node) = of.get(key) else {
            return Some(Vec::new());
        };
        let patterns = self.list(node, empty, Self::pattern).whole()?;
        let Err(fault) = PathPatterns::new(&patterns) else {
            return Some(patterns);
        };
        let row = match fault {
            PatternFault::TooMany => &row::TOO_MANY_PATTERNS,
            PatternFault::Invalid(_) | PatternFault::TooLarge | PatternFault::Unsupported => {
                &row::PATTERN_INVALID
            }
        };
        self.refuse(row, &node.spot.opening(), fault.to_string());
        None
    }

    /// Reads one path pattern.
    fn pattern(&mut self, node: &Node) -> Option<String> {
        let text = self.text(node)?;
        let Some(fault) = pattern::path_fault(&text) else {
            return Some(text);
        };
        let message = format!("{} is no path pattern: {fault}", quoted(&text));
        self.refuse(&row::PATTERN_INVALID, &node.spot, message);
        None
    }
}
