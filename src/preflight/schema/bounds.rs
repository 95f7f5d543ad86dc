//! What validating a document takes, counted before it is done.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::references::{any, children, target};
use crate::model::claim::evidence::Reason;

/// How often a part of a schema may be applied.
const MOST: u64 = 2_000_000;
/// How many pairs of a part of the schema and a part of the document may meet.
const PAIRS: usize = 200_000;
/// How deep the parts of a schema that refer to each other may be, all together.
const DEPTH: usize = 10_000;
/// How many patterns a schema may have.
const PATTERNS: usize = 200;
/// Keywords with a list of schemas for the same value.
const LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// Keywords with one schema for the same value.
const SINGLE: [&str; 4] = ["not", "if", "then", "else"];
/// Keywords with named schemas for the same value.
const NAMED: [&str; 2] = ["dependentSchemas", "dependencies"];

/// Demands that a schema is bounded for a document, and refers to itself in no circle on the way.
pub(super) fn demand(schema: &Value, document: &Value) -> Result<(), Reason> {
    if reach(schema) > DEPTH || patterns(schema) > PATTERNS {
        return Err(Reason::Limit);
    }
    let mut count = Count {
        root: schema,
        name: Value::String(String::new()),
        known: BTreeMap::new(),
    };
    let cost = count.of(schema, document)?;
    if cost > MOST {
        return Err(Reason::Limit);
    }
    Ok(())
}

/// Adds up the depths of the schema and of every part that is referred to: the compiler may go down
/// all of them, one below the other.
fn reach(schema: &Value) -> usize {
    let mut names = BTreeSet::new();
    let mut pending = vec![schema];
    while let Some(value) = pending.pop() {
        names.extend(value.get("$ref").and_then(Value::as_str));
        pending.extend(children(value));
    }
    let parts = names.into_iter().filter_map(|name| target(schema, name));
    parts.map(depth).sum::<usize>() + depth(schema)
}

/// Returns how deep a value is; the reader has bounded that.
fn depth(value: &Value) -> usize {
    1 + children(value).into_iter().map(depth).max().unwrap_or(0)
}

/// Counts the patterns of a schema.
fn patterns(schema: &Value) -> usize {
    let found = std::cell::Cell::new(0);
    any(schema, &|key, value| {
        let more = match (key, value) {
            ("pattern", Value::String(_)) => 1,
            ("patternProperties", Value::Object(members)) => members.len(),
            (_, _) => 0,
        };
        found.set(found.get() + more);
        false
    });
    found.get()
}

/// A part of a schema and a part of a document. Both live as long as the count, so that where they
/// stand tells them apart.
type Pair = (*const Value, *const Value);

/// A count under way.
struct Count<'v> {
    root: &'v Value,
    /// Stands for every name of a member.
    name: Value,
    /// What is known of pairs; nothing of one that is being counted.
    known: BTreeMap<Pair, Option<u64>>,
}

impl Count<'_> {
    /// Counts how often parts of a schema are applied to parts of a value.
    fn of(&mut self, schema: &Value, value: &Value) -> Result<u64, Reason> {
        let Value::Object(members) = schema else {
            return Ok(1);
        };
        let pair = (std::ptr::from_ref(schema), std::ptr::from_ref(value));
        match self.known.get(&pair) {
            Some(Some(count)) => return Ok(*count),
            // The same schema for the same value, again: that never ends.
            Some(None) => return Err(Reason::Limit),
            None if self.known.len() >= PAIRS => return Err(Reason::Limit),
            None => drop(self.known.insert(pair, None)),
        }
        let mut count = 1_u64;
        for (keyword, inside) in members {
            let more = self.keyword((keyword, inside), value)?;
            count = count.saturating_add(more);
        }
        // What is left over is found by looking at the rest again.
        if members.keys().any(|key| key.starts_with("unevaluated")) {
            count = count.saturating_mul(2);
        }
        self.known.insert(pair, Some(count));
        Ok(count)
    }

    /// Counts what one keyword applies.
    fn keyword(&mut self, (keyword, inside): (&str, &Value), value: &Value) -> Result<u64, Reason> {
        if keyword == "$ref" {
            let reference = inside.as_str().unwrap_or_default();
            let part = target(self.root, reference).ok_or(Reason::ParseError)?;
            return self.of(part, value);
        }
        if SINGLE.contains(&keyword) {
            return self.of(inside, value);
        }
        if LISTS.contains(&keyword) || NAMED.contains(&keyword) {
            return self.all(children(inside).into_iter().map(|part| (part, value)));
        }
        match value {
            Value::Object(members) => self.of_object((keyword, inside), members),
            Value::Array(items) => self.of_list((keyword, inside), items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Ok(0),
        }
    }

    /// Counts what a keyword applies to the members of an object.
    fn of_object(
        &mut self,
        (keyword, inside): (&str, &Value),
        members: &Map<String, Value>,
    ) -> Result<u64, Reason> {
        match keyword {
            "properties" => {
                let parts = inside.as_object().into_iter().flatten();
                let pairs = parts.filter_map(|(key, part)| Some((part, members.get(key)?)));
                self.all(pairs)
            }
            "patternProperties" => {
                let parts = children(inside).into_iter();
                let pairs = parts.flat_map(|part| members.values().map(move |each| (part, each)));
                self.all(pairs)
            }
            "additionalProperties" | "unevaluatedProperties" => {
                self.all(members.values().map(|each| (inside, each)))
            }
            "propertyNames" => {
                let name = std::mem::take(&mut self.name);
                let once = self.of(inside, &name);
                self.name = name;
                let names = u64::try_from(members.len()).unwrap_or(u64::MAX);
                Ok(once?.saturating_mul(names))
            }
            _ => Ok(0),
        }
    }

    /// Counts what a keyword applies to the items of a list.
    fn of_list(
        &mut self,
        (keyword, inside): (&str, &Value),
        items: &[Value],
    ) -> Result<u64, Reason> {
        match (keyword, inside) {
            ("items" | "prefixItems", Value::Array(parts)) => self.all(parts.iter().zip(items)),
            ("items" | "additionalItems" | "unevaluatedItems" | "contains", _) => {
                self.all(items.iter().map(|each| (inside, each)))
            }
            (_, _) => Ok(0),
        }
    }

    /// Counts several.
    fn all<'a>(
        &mut self,
        pairs: impl Iterator<Item = (&'a Value, &'a Value)>,
    ) -> Result<u64, Reason> {
        let mut count = 0_u64;
        for (schema, value) in pairs {
            count = count.saturating_add(self.of(schema, value)?);
        }
        Ok(count)
    }
}
