//! What later documents break of earlier ones.

use super::*;
use crate::preflight::data::{self, Format};

/// A document with one operation, and with what its parts are given as.
fn document(parameters: &str, request: &str, response: &str) -> String {
    format!(
        r##"{{"openapi":"3.1.0","paths":{{"/refunds/{{id}}":{{"post":{{"parameters":[{parameters}],
        "requestBody":{{"content":{{"application/json":{{"schema":{request}}}}}}},
        "responses":{{"201":{{"content":{{"application/json":{{"schema":{response}}}}}}}}}}}}}}},
        "components":{{"schemas":{{"Loop":{{"$ref":"#/components/schemas/Loop"}},
        "Tree":{{"type":"object","properties":{{"next":{{"$ref":"#/components/schemas/Tree"}}}}}}}}}}}}"##
    )
}

/// Says what breaks between two documents, or why that cannot be said.
fn says(before: &str, after: &str) -> String {
    let [before, after] = [before, after].map(|text| data::read(Format::Json, text).unwrap());
    let compared = Api::of(&before).and_then(|before| breaks(before, Api::of(&after)?));
    match compared {
        Ok((rules, _)) if !rules.is_empty() => rules.join(", "),
        Err(reason) | Ok((_, Some(reason))) => reason.as_str().to_owned(),
        Ok((_, None)) => "nothing".to_owned(),
    }
}

const ID: &str = r#"{"name":"id","in":"path","required":true,"schema":{"type":"string"}}"#;
const OBJECT: &str = r#"{"type":"object","properties":{"a":{"type":"string","enum":["x","y"]},"b":{"type":"integer"}},"required":["a"]}"#;

#[test]
fn each_rule_of_the_list_is_found_and_nothing_else() {
    let old = document(ID, OBJECT, OBJECT);
    let query = |required: bool| {
        format!(
            r#"{ID},{{"name":"q","in":"query","required":{required},"schema":{{"type":"string"}}}}"#
        )
    };
    let of = |from: &str, to: &str| OBJECT.replace(from, to);
    for (new, said) in [
        (old.clone(), "nothing"),
        (old.replace("\"post\"", "\"put\""), "operation-removed"),
        (old.replace("{id}\"", "{key}\""), "AMBIGUOUS"),
        (old.replace("\"201\"", "\"200\""), "response-removed"),
        (document(&query(false), OBJECT, OBJECT), "nothing"),
        (document(&query(true), OBJECT, OBJECT), "parameter-required"),
        (document("", OBJECT, OBJECT), "parameter-removed"),
        (
            document(ID, &of(r#"["a"]"#, r#"["a","b"]"#), OBJECT),
            "property-required",
        ),
        (
            document(ID, OBJECT, &of(r#"["a"]"#, r#"["a","b"]"#)),
            "nothing",
        ),
        (document(ID, &of(r#"["a"]"#, "[]"), OBJECT), "nothing"),
        (
            document(ID, OBJECT, &of(r#"["a"]"#, "[]")),
            "property-optional",
        ),
        (
            document(ID, &of(r#""integer""#, r#""number""#), OBJECT),
            "nothing",
        ),
        (
            document(ID, OBJECT, &of(r#""integer""#, r#""number""#)),
            "type-changed",
        ),
        (
            document(ID, &of(r#"["x","y"]"#, r#"["x"]"#), OBJECT),
            "enum-changed",
        ),
        (
            document(ID, OBJECT, &of(r#"["x","y"]"#, r#"["x"]"#)),
            "nothing",
        ),
        (
            document(ID, OBJECT, &of(r#"["x","y"]"#, r#"["x","y","z"]"#)),
            "enum-changed",
        ),
        (
            document(ID, OBJECT, &of(r#","b":{"type":"integer"}"#, "")),
            "property-removed",
        ),
        (
            old.replace("\"requestBody\":{", "\"requestBody\":{\"required\":true,"),
            "body-required",
        ),
    ] {
        assert_eq!(says(&old, &new), said, "{new}");
    }
}

#[test]
fn what_cannot_be_compared_is_open_and_what_breaks_beside_it_breaks() {
    let reference = |to: &str| format!(r#"{{"$ref":"{to}"}}"#);
    let any = r#"{"oneOf":[{"type":"string"}]}"#;
    let tree = document(ID, &reference("#/components/schemas/Tree"), OBJECT);
    assert_eq!(says(&tree, &tree), "nothing");
    for (schema, said) in [
        (reference("#/components/schemas/Loop"), "LIMIT"),
        (reference("other.json#/x"), "COVERAGE_INCOMPLETE"),
        (reference("#/components/schemas/None"), "PARSE_ERROR"),
        (r#"{"oneOf":[{"type":"integer"}]}"#.to_owned(), "AMBIGUOUS"),
    ] {
        let old = document(ID, any, OBJECT);
        let new = document(ID, &schema, OBJECT);
        assert_eq!(says(&old, &new), said, "{schema}");
        let broken = new.replace("\"201\"", "\"200\"");
        assert_eq!(says(&old, &broken), "response-removed", "{schema}");
    }
    let same = document(ID, any, OBJECT);
    assert_eq!(says(&same, &same), "nothing");
    let old = same.replace("3.1.0", "2.0");
    assert_eq!(says(&old, &same), "UNSUPPORTED_LANGUAGE");
}
