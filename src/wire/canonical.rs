//! Canonical JSON (RFC 8785): the one spelling of a value that digests and comparisons use.
//!
//! The scheme sends every number through a double, where 9007199254740993 and ...992 are one.
//! So whatever a double cannot hold exactly is refused before it is written (D10).

use serde_json::{Number, Value};

/// The greatest integer up to which every integer has a double of its own: 2^53-1.
pub(crate) const MAX_INTEGER: i64 = 9_007_199_254_740_991;

/// Why a value has no canonical form.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotCanonical {
    /// A number is not an integer that every reader reads alike.
    #[error("the number {number} is not an integer from -(2^53-1) to 2^53-1")]
    Number {
        /// The number as it was given.
        number: String,
    },
    /// The value could not be written.
    #[error("cannot write a value as canonical json")]
    Write {
        /// Why.
        #[source]
        cause: serde_json::Error,
    },
}

/// Writes a value in its canonical form.
///
/// Numbers in it are integers within ±(2^53-1); anything else is refused, nothing is written.
pub(crate) fn write(value: &Value) -> Result<String, NotCanonical> {
    demand_integers(value)?;
    serde_json_canonicalizer::to_string(value).map_err(|cause| NotCanonical::Write { cause })
}

/// Refuses the first number, at any depth, that is not such an integer.
fn demand_integers(value: &Value) -> Result<(), NotCanonical> {
    match value {
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
        Value::Number(number) => demand_integer(number),
        Value::Array(items) => items.iter().try_for_each(demand_integers),
        Value::Object(members) => members.values().try_for_each(demand_integers),
    }
}

/// Refuses a number that is not such an integer.
fn demand_integer(number: &Number) -> Result<(), NotCanonical> {
    match number.as_i64() {
        Some(integer) if (-MAX_INTEGER..=MAX_INTEGER).contains(&integer) => Ok(()),
        Some(_) | None => Err(NotCanonical::Number {
            number: number.to_string(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn members_are_sorted_by_utf_16_and_nothing_is_padded() {
        let value =
            json!({"\u{fb33}": 1, "\u{1f600}": 2, "b": [null, true], "a": "\u{7f}\n/\u{1}"});

        let text = write(&value).unwrap();

        let expected =
            "{\"a\":\"\u{7f}\\n/\\u0001\",\"b\":[null,true],\"\u{1f600}\":2,\"\u{fb33}\":1}";
        assert_eq!(text, expected);
    }

    #[test]
    fn integers_that_share_a_double_are_refused() {
        for number in [MAX_INTEGER, -MAX_INTEGER, 0] {
            assert_eq!(write(&json!([number])).unwrap(), format!("[{number}]"));
        }
        let beyond = [
            json!(MAX_INTEGER + 1),
            json!(-MAX_INTEGER - 1),
            json!(9_007_199_254_740_993_u64),
            json!(u64::MAX),
            json!(i64::MIN),
        ];
        for number in beyond {
            assert!(
                write(&json!({"deep": [{"n": number}]})).is_err(),
                "{number}"
            );
        }
    }

    #[test]
    fn floating_point_is_refused() {
        for number in [1.0, 0.5, -0.0, 1e300] {
            assert!(write(&json!({ "n": number })).is_err(), "{number}");
        }
    }

    proptest! {
        #[test]
        fn what_was_written_is_read_as_the_same_value(
            text in any::<String>(), number in -MAX_INTEGER..=MAX_INTEGER, key in any::<String>()
        ) {
            let value = json!({ key: [text, number] });

            let written = write(&value).unwrap();

            prop_assert_eq!(written.parse::<Value>().unwrap(), value);
        }
    }
}
