//! Reads single values of a plan: objects, lists, numbers, and what each may hold.
//!
//! Texts, paths and patterns are in `texts`.

use std::ops::RangeInclusive;

use super::members::{Empty, Items, Members, Shape};
use super::suggest;
use crate::model::finding::{Finding, Row, plan as row};
use crate::model::ids::PlanName;
use crate::wire::canonical::MAX_INTEGER;
use crate::wire::strict::{Defects, Member, Node, Spot, Value, quoted};

/// What is read: the file of a person, or the normal form that a seal binds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::wire) enum Dialect {
    /// A plan file.
    Plan,
    /// A contract: dependencies are effective ones, times are in milliseconds.
    Contract,
}

/// Reads values and collects what is wrong with them.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    dialect: Dialect,
    defects: Defects<'a>,
    expressions: usize,
    compiled: usize,
}

impl<'a> Reader<'a> {
    /// Goes on from the findings of the strict reader.
    pub(super) const fn new(dialect: Dialect, defects: Defects<'a>) -> Self {
        Self {
            dialect,
            defects,
            expressions: 0,
            compiled: 0,
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

    /// Counts one more regular expression and returns how many there were.
    pub(super) const fn count_expression(&mut self) -> usize {
        self.expressions += 1;
        self.expressions
    }

    /// Counts what compiling a pattern takes, in bytes that it has then.
    pub(super) const fn count_compiled(&mut self, bytes: usize) {
        self.compiled = self.compiled.saturating_add(bytes);
    }

    /// Returns how many bytes all patterns have that were compiled.
    pub(super) const fn compiled(&self) -> usize {
        self.compiled
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
        Some(Members::new(shape, node.spot.opening(), list))
    }

    /// Reads an object whose keys are known only as it is read.
    pub(super) fn object_of<'t>(
        &mut self,
        node: &'t Node,
        what: &'static str,
        keys: &[&'static str],
    ) -> Option<Members<'t>> {
        let Value::Object(list) = &node.value else {
            self.refuse_kind(node, what);
            return None;
        };
        for member in list {
            let key = member.key.as_str();
            if !keys.contains(&key) && !key.starts_with("x-") {
                self.refuse_key(member, what, keys);
            }
        }
        Some(Members::of(what, node.spot.opening(), list))
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
        self.refuse_key(member, shape.what, shape.keys);
    }

    /// Says that a key means nothing, and which one was probably meant.
    fn refuse_key(&mut self, member: &Member, what: &'static str, keys: &[&'static str]) {
        let key = member.key.as_str();
        let hint = match self.nearest(key, keys) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "a key of your own begins with `x-`".to_owned(),
        };
        let message = format!("{} means nothing in {what}", quoted(key));
        self.refuse_hinted(&row::UNKNOWN_KEY, &member.key_spot, message, Some(hint));
    }

    /// Looks for the key that was meant, unless nobody will see it.
    fn nearest(&self, key: &str, keys: &[&'static str]) -> Option<&'static str> {
        if self.defects.is_full() {
            return None;
        }
        suggest::nearest(key, keys.iter().copied())
    }

    /// Returns the value of a member that must be there.
    pub(super) fn required<'t>(&mut self, of: &Members<'t>, key: &str) -> Option<&'t Node> {
        let node = of.get(key);
        if node.is_none() {
            let message = format!("{} needs `{key}`", of.what());
            self.refuse(&row::MISSING_KEY, of.opening(), message);
        }
        node
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
}
