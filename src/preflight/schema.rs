//! JSON schemas: whether a document is valid under one, within bounds, and without asking anybody else.
//!
//! The library decides what is valid. It gives no bound on what that takes, and calls a schema that
//! refers to itself in a circle valid; so both are found out before it is asked.

mod bounds;
mod references;

use jsonschema::{Draft, PatternOptions, ValidationError};
use serde_json::{Map, Number, Value};

use super::data::{self, Kind, Node};
use crate::model::claim::evidence::Reason;

/// The room for recursion, in bytes; what the bounds let through needs a part of it.
const STACK: usize = 64 << 20;
/// How large one compiled pattern may be, as for every pattern of a plan.
const COMPILED: usize = 1 << 20;
/// How many digits a number may have that is not whole: with more, it is no longer the number that is written.
const DIGITS: usize = 15;

/// The drafts, and how they are named.
const DRAFTS: [(&str, Draft); 5] = [
    ("http://json-schema.org/draft-04/schema", Draft::Draft4),
    ("http://json-schema.org/draft-06/schema", Draft::Draft6),
    ("http://json-schema.org/draft-07/schema", Draft::Draft7),
    (
        "https://json-schema.org/draft/2019-09/schema",
        Draft::Draft201909,
    ),
    (
        "https://json-schema.org/draft/2020-12/schema",
        Draft::Draft202012,
    ),
];
/// What means something else, or nothing, in drafts before the newest.
const CHANGED: [&str; 4] = ["additionalItems", "dependencies", "divisibleBy", "extends"];

/// What became of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Validity {
    /// It is valid.
    Valid,
    /// It is not, at this key.
    Invalid(Vec<String>),
}

/// Validates a document. Formats decide nothing: where they would, it is open what is meant.
pub(super) fn validate(schema: &Node, document: &Node) -> Result<Validity, Reason> {
    let (schema, document) = (value(schema)?, value(document)?);
    let draft = draft(&schema)?;
    references::demand_own(&schema)?;
    let decide = || -> Result<Validity, Reason> {
        bounds::demand(&schema, &document)?;
        let plain = one(draft, &schema, &document, false)?;
        let strict = one(draft, &schema, &document, true)?;
        let is_valid = |validity: &Validity| *validity == Validity::Valid;
        if is_valid(&plain) == is_valid(&strict) {
            Ok(plain)
        } else {
            Err(Reason::Ambiguous)
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let running = thread.spawn_scoped(scope, decide);
        let running = running.map_err(|_| Reason::Limit)?;
        running.join().map_err(|_| Reason::Limit)?
    })
}

/// Validates once.
fn one(draft: Draft, schema: &Value, document: &Value, formats: bool) -> Result<Validity, Reason> {
    let validator = jsonschema::options()
        .with_draft(draft)
        .with_pattern_options(PatternOptions::regex().size_limit(COMPILED))
        .should_validate_formats(formats)
        .build(schema)
        .map_err(|_| Reason::ParseError)?;
    Ok(match validator.validate(document) {
        Ok(()) => Validity::Valid,
        Err(error) => Validity::Invalid(place(&error)),
    })
}

/// Returns the key at which an error was found.
fn place(error: &ValidationError<'_>) -> Vec<String> {
    let pointer = error.instance_path().to_string();
    let parts = pointer.split('/').skip(1);
    parts.map(references::unescaped).collect()
}

/// Finds out the draft; where a schema does not say it, what drafts read differently is open.
fn draft(schema: &Value) -> Result<Draft, Reason> {
    let Some(stated) = schema.get("$schema") else {
        return if references::any(schema, &differs) {
            Err(Reason::Ambiguous)
        } else {
            Ok(Draft::Draft202012)
        };
    };
    let name = stated.as_str().ok_or(Reason::ParseError)?;
    let name = name.trim_end_matches('#');
    let known = DRAFTS.into_iter().find(|(known, _)| *known == name);
    known
        .map(|(_, draft)| draft)
        .ok_or(Reason::CoverageIncomplete)
}

/// Says whether drafts read a member differently.
fn differs(key: &str, value: &Value) -> bool {
    CHANGED.contains(&key)
        || key == "items" && value.is_array()
        || key.starts_with("exclusiveM") && value.is_boolean()
}

/// Makes the value that the library reads; none where it would be another number.
pub(super) fn value(node: &Node) -> Result<Value, Reason> {
    Ok(match &node.value {
        data::Value::Open => return Err(Reason::Ambiguous),
        data::Value::List(items) => {
            Value::Array(items.iter().map(value).collect::<Result<_, _>>()?)
        }
        data::Value::Map(map) if map.is_open => return Err(Reason::Ambiguous),
        data::Value::Map(map) => {
            let mut members = Map::new();
            for (key, node) in &map.members {
                members.insert(key.clone(), value(node)?);
            }
            Value::Object(members)
        }
        data::Value::Scalar(scalar) => match scalar.kind {
            Kind::Null => Value::Null,
            Kind::Bool => Value::Bool(scalar.text.eq_ignore_ascii_case("true")),
            Kind::Text => Value::String(scalar.text.clone()),
            Kind::Number => Value::Number(number(&scalar.text)?),
        },
    })
}

/// Reads a number that keeps its value.
fn number(text: &str) -> Result<Number, Reason> {
    if let Ok(number) = text.parse::<i64>() {
        return Ok(number.into());
    }
    if let Ok(number) = text.parse::<u64>() {
        return Ok(number.into());
    }
    let digits = text.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = digits.chars().filter(char::is_ascii_digit).collect();
    let is_short = digits.trim_start_matches('0').len() <= DIGITS;
    let number = text.parse::<f64>().ok().filter(|_| is_short);
    // What is too small becomes nothing, and what is too large has no number.
    let is_kept = |number: &f64| *number != 0.0 || digits.bytes().all(|digit| digit == b'0');
    let number = number.filter(is_kept).and_then(Number::from_f64);
    number.ok_or(Reason::Ambiguous)
}

#[cfg(test)]
mod tests;
