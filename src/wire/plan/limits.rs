//! Reads how the program of a check is run and judged.

use super::members::Members;
use super::reader::{Dialect, Reader};
use super::row;
use crate::model::check::{self as rule, Limits};
use crate::model::variables::may_be_named;
use crate::wire::strict::{Node, Value, quoted};

/// Reads how a program is run and judged.
pub(super) fn read(reader: &mut Reader<'_>, check: &Members<'_>) -> Option<Limits> {
    let expect_exit = reader.optional(check, "expect_exit", 0, expect_exit);
    let timeout_ms = timeout_ms(reader, check);
    let max = rule::DEFAULT_MAX_BYTES;
    let max_output_bytes = reader.optional(check, "max_output_bytes", max, max_bytes);
    let output_regex = check
        .get("output_regex")
        .filter(|node| !stands_for_none(reader, node));
    let output_regex = output_regex.map(|node| reader.expression(node));
    let env = reader.optional_list(check, "env", variable).whole();
    Some(Limits {
        expect_exit: expect_exit?,
        timeout_ms: timeout_ms?,
        max_output_bytes: max_output_bytes?,
        output_regex: output_regex.map_or(Some(None), |read| read.map(Some))?,
        env: env?,
    })
}

/// Says whether a value is the `null` that a contract writes where a plan leaves the key out.
fn stands_for_none(reader: &Reader<'_>, node: &Node) -> bool {
    match reader.dialect() {
        Dialect::Plan => false,
        Dialect::Contract => matches!(node.value, Value::Null),
    }
}

fn expect_exit(reader: &mut Reader<'_>, node: &Node) -> Option<i32> {
    reader.integer(node, -255..=255)?.try_into().ok()
}

/// Reads how many bytes are taken in.
pub(super) fn max_bytes(reader: &mut Reader<'_>, node: &Node) -> Option<u64> {
    let least = i64::try_from(rule::MIN_MAX_BYTES).ok()?;
    let most = i64::try_from(rule::MAX_MAX_BYTES).ok()?;
    reader.integer(node, least..=most)?.try_into().ok()
}

/// Reads the time that a program may take.
fn timeout_ms(reader: &mut Reader<'_>, check: &Members<'_>) -> Option<u64> {
    let default = rule::DEFAULT_TIMEOUT_MS;
    match reader.dialect() {
        Dialect::Plan => reader.optional(check, "timeout", default, seconds),
        Dialect::Contract => reader.optional(check, "timeout_ms", default, |reader, node| {
            let most = i64::try_from(rule::MAX_TIMEOUT_MS).ok()?;
            reader.integer(node, 1..=most)?.try_into().ok()
        }),
    }
}

/// Reads seconds with at most three places, as milliseconds.
fn seconds(reader: &mut Reader<'_>, node: &Node) -> Option<u64> {
    let Value::Number(spelling) = &node.value else {
        reader.refuse_kind(node, "a number of seconds");
        return None;
    };
    let (whole, places) = spelling.split_once('.').unwrap_or((spelling, ""));
    if spelling.contains(['e', 'E']) || places.len() > 3 {
        let message = format!(
            "{} is no decimal with at most three places",
            quoted(spelling)
        );
        reader.refuse(&row::NOT_AN_INTEGER, &node.spot, message);
        return None;
    }
    let milliseconds = format!("{whole}{places:0<3}").parse().ok();
    let milliseconds = milliseconds.filter(|time| (1..=rule::MAX_TIMEOUT_MS).contains(time));
    if milliseconds.is_none() {
        let most = rule::MAX_TIMEOUT_MS / 1000;
        let message = format!("{} seconds are not from 0.001 to {most}", quoted(spelling));
        reader.refuse(&row::OUT_OF_RANGE, &node.spot, message);
    }
    milliseconds
}

/// Reads the name of an environment variable that a check may see.
fn variable(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let name = reader.text(node)?;
    let Some(why) = variable_fault(&name) else {
        return Some(name);
    };
    let message = format!("{} {why}", quoted(&name));
    reader.refuse(&row::ENV_REFUSED, &node.spot, message);
    None
}

/// Says why a variable is not handed on: it cannot be one, or it would hand out keys or move git.
fn variable_fault(name: &str) -> Option<&'static str> {
    let mut bytes = name.bytes();
    let is_first = |b: u8| b.is_ascii_alphabetic() || b == b'_';
    let is_rest = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if !(bytes.next().is_some_and(is_first) && bytes.all(is_rest)) {
        return Some("is no name of an environment variable");
    }
    (!may_be_named(name)).then_some("is never handed to checks, or always the same for them")
}
