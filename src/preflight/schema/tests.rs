//! Valid, invalid, and what is never asked of the library.

use super::*;
use crate::preflight::data::Format;

/// Says what becomes of a document.
fn says(schema: &str, document: &str) -> String {
    let read = |text: &str| data::read(Format::Json, text).unwrap();
    match validate(&read(schema), &read(document)) {
        Ok(Validity::Valid) => "valid".to_owned(),
        Ok(Validity::Invalid(key)) => format!("invalid at {}", key.join(".")),
        Err(reason) => reason.as_str().to_owned(),
    }
}

#[test]
fn a_document_is_valid_or_not_at_a_place() {
    let tree = r##"{"type":"object","properties":{"n":{"type":"integer"},"next":{"$ref":"#"}},"required":["n"],"additionalProperties":false}"##;
    assert_eq!(says(tree, r#"{"n":1,"next":{"n":2}}"#), "valid");
    assert_eq!(
        says(tree, r#"{"n":1,"next":{"n":"x"}}"#),
        "invalid at next.n"
    );
    assert_eq!(says(tree, r#"{"next":{"n":1}}"#), "invalid at ");
    assert_eq!(says(r#"{"pattern":"^a+$"}"#, "\"ab\""), "invalid at ");
    assert_eq!(says("true", "1"), "valid");
    assert_eq!(says("false", "1"), "invalid at ");
}

#[test]
fn what_lies_elsewhere_or_moves_is_never_followed() {
    for (schema, said) in [
        (r#"{"$ref":"https://example.com/x"}"#, "COVERAGE_INCOMPLETE"),
        (
            r#"{"properties":{"a":{"$ref":"other.json#/x"}}}"#,
            "COVERAGE_INCOMPLETE",
        ),
        (
            r#"{"$schema":"https://example.com/mine"}"#,
            "COVERAGE_INCOMPLETE",
        ),
        (
            r##"{"$ref":"#here","$defs":{"a":{"$anchor":"here"}}}"##,
            "AMBIGUOUS",
        ),
        (r##"{"$dynamicRef":"#x"}"##, "AMBIGUOUS"),
        (
            r##"{"$defs":{"a":{"$id":"https://x/y"}},"$ref":"#/$defs/a"}"##,
            "AMBIGUOUS",
        ),
        (r##"{"$ref":"#/$defs/none"}"##, "PARSE_ERROR"),
        (r#"{"type":"nonsense"}"#, "PARSE_ERROR"),
        (r#"{"pattern":"(?=a)b"}"#, "PARSE_ERROR"),
    ] {
        assert_eq!(says(schema, "1"), said, "{schema}");
    }
}

#[test]
fn what_drafts_or_readers_decide_differently_is_open() {
    let old = r#""items":[{"type":"integer"}],"additionalItems":false"#;
    assert_eq!(says(&format!("{{{old}}}"), "[1]"), "AMBIGUOUS");
    let seven = format!(r#"{{"$schema":"http://json-schema.org/draft-07/schema#",{old}}}"#);
    assert_eq!(says(&seven, "[1]"), "valid");
    assert_eq!(says(&seven, "[1,2]"), "invalid at ");
    assert_eq!(says(r#"{"format":"ipv4"}"#, "\"1.2.3.4\""), "valid");
    assert_eq!(says(r#"{"format":"ipv4"}"#, "\"1.2.3\""), "AMBIGUOUS");
    assert_eq!(
        says(r#"{"const":0.1}"#, "0.10000000000000000555"),
        "AMBIGUOUS"
    );
    assert_eq!(says(r#"{"const":1}"#, "100000000000000000000"), "AMBIGUOUS");
    assert_eq!(says(r#"{"const":0}"#, "1e-999"), "AMBIGUOUS");
}

#[test]
fn circles_end_as_a_limit() {
    for schema in [
        r##"{"$ref":"#"}"##,
        r##"{"allOf":[{"$ref":"#"}]}"##,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{"not":{"$ref":"#/$defs/b"}},"b":{"anyOf":[{"$ref":"#/$defs/a"}]}}}"##,
        r##"{"propertyNames":{"$ref":"#/$defs/a"},"$defs":{"a":{"$ref":"#/$defs/a"}}}"##,
    ] {
        assert_eq!(says(schema, r#"{"x":1}"#), "LIMIT", "{schema}");
    }
}

/// Definitions that each refer to the next one in a way, and the last to nothing.
fn chain(length: usize, link: impl Fn(&str) -> String) -> String {
    let each = (0..length).map(|at| {
        format!(
            r#""a{at}":{}"#,
            link(&format!(r##"{{"$ref":"#/$defs/a{}"}}"##, at + 1))
        )
    });
    let each: Vec<String> = each.collect();
    format!(
        r##"{{"$ref":"#/$defs/a0","$defs":{{{},"a{length}":{{"type":"integer"}}}}}}"##,
        each.join(",")
    )
}

#[test]
fn bombs_of_references_end_as_a_limit() {
    let twice = |next: &str| format!(r#"{{"allOf":[{next},{next}]}}"#);
    assert_eq!(says(&chain(10, twice), "1"), "valid");
    assert_eq!(says(&chain(40, twice), "1"), "LIMIT");

    let deep = |next: &str| format!(r#"{{"allOf":[{next}]}}"#);
    assert_eq!(says(&chain(1000, deep), "1"), "valid");
    assert_eq!(says(&chain(9000, deep), "1"), "LIMIT");

    let down = |next: &str| {
        format!(
            r#"{{"anyOf":[{{"properties":{{"x":{next}}}}},{{"additionalProperties":{next}}}]}}"#
        )
    };
    let document = format!("{}1{}", r#"{"x":"#.repeat(40), "}".repeat(40));
    assert_eq!(says(&chain(40, down), &document), "LIMIT");
}

#[test]
fn patterns_are_bounded() {
    assert_eq!(
        says(
            r#"{"pattern":"(a+)+$"}"#,
            &format!("\"{}!\"", "a".repeat(5000))
        ),
        "invalid at "
    );
    assert_eq!(
        says(r#"{"pattern":"((a{200}){200}){200}"}"#, "\"a\""),
        "PARSE_ERROR"
    );
    let many: Vec<String> = (0..201).map(|at| format!(r#""{at}":1"#)).collect();
    assert_eq!(
        says(
            &format!(r#"{{"patternProperties":{{{}}}}}"#, many.join(",")),
            "{}"
        ),
        "LIMIT"
    );
}
