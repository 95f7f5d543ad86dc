//! Tests of the strict reader.

use proptest::prelude::*;

use super::defects::MAX_FINDINGS;
use super::*;
use crate::model::finding::Finding;
use crate::model::ids::PlanName;

fn findings(bytes: &[u8]) -> Vec<Finding> {
    read("f", bytes, MAX_BYTES)
        .1
        .finish(&PlanName::default_plan())
}

/// Returns code, line, column and marked text of the only finding.
fn only(text: &str) -> (&'static str, usize, usize, &str) {
    let found = findings(text.as_bytes());
    let [finding] = found.as_slice() else {
        panic!("{found:?}")
    };
    let place = finding.place.as_ref().unwrap();
    (
        finding.row.code,
        place.line,
        place.column,
        text.get(place.start..place.end).unwrap(),
    )
}

fn collect<'a>(node: &'a Node, text: &'a str, into: &mut Vec<(String, &'a str)>) {
    into.push((
        node.spot.path.to_string(),
        text.get(node.spot.span.clone()).unwrap(),
    ));
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| collect(item, text, into)),
        Value::Object(members) => {
            for member in members {
                let key = text.get(member.key_spot.span.clone()).unwrap();
                into.push((format!("key {}", member.key_spot.path), key));
                collect(&member.node, text, into);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) => {}
    }
}

#[test]
fn every_value_and_key_has_its_bytes_and_path() {
    let text = "{ \"a\" : { } , \"b\\n c\":[ ] ,\"ü\": [{}, [ {} ,-1.5e3 ], \"\\u00fc\"] }";

    let (root, _) = read("f", text.as_bytes(), MAX_BYTES);
    let mut all = Vec::new();
    collect(root.as_ref().unwrap(), text, &mut all);

    let expected = [
        ("$", text),
        ("key $.a", "\"a\""),
        ("$.a", "{ }"),
        ("key $['b\\n c']", "\"b\\n c\""),
        ("$['b\\n c']", "[ ]"),
        ("key $['ü']", "\"ü\""),
        ("$['ü']", "[{}, [ {} ,-1.5e3 ], \"\\u00fc\"]"),
        ("$['ü'][0]", "{}"),
        ("$['ü'][1]", "[ {} ,-1.5e3 ]"),
        ("$['ü'][1][0]", "{}"),
        ("$['ü'][1][1]", "-1.5e3"),
        ("$['ü'][2]", "\"\\u00fc\""),
    ];
    let expected: Vec<_> = expected.map(|(path, text)| (path.to_owned(), text)).into();
    assert_eq!(all, expected);
}

#[test]
fn syntax_errors_have_their_exact_place() {
    let cases = [
        ("", ("json-syntax", 1, 1, "")),
        ("{\"a\":1,\n}", ("json-syntax", 2, 1, "}")),
        ("[1,\n  'x']", ("json-syntax", 2, 3, "'")),
        ("[1] x", ("json-syntax", 1, 5, "x")),
        ("[\"ü\" 2]", ("json-syntax", 1, 6, "2")),
        ("[01]", ("json-syntax", 1, 3, "1")),
        ("[\"a\nb\"]", ("json-syntax", 1, 4, "\n")),
        ("[1,", ("json-syntax", 1, 4, "")),
        ("[\u{a0}1]", ("json-syntax", 1, 2, "\u{a0}")),
        ("[ NaN]", ("json-not-finite", 1, 3, "NaN")),
        ("[-Infinity]", ("json-not-finite", 1, 2, "-Infinity")),
        ("[Infinity]", ("json-not-finite", 1, 2, "Infinity")),
        (r#"["a\ud800b"]"#, ("json-lone-surrogate", 1, 4, r"\ud800")),
        (r#"["a\ud800"]"#, ("json-lone-surrogate", 1, 4, r"\ud800")),
        (r#"["a\ud800\n"]"#, ("json-lone-surrogate", 1, 4, r"\ud800")),
        (
            r#"["a\ud800\u0041"]"#,
            ("json-lone-surrogate", 1, 4, r"\ud800"),
        ),
        (r#"["a\uDFFF"]"#, ("json-lone-surrogate", 1, 4, r"\uDFFF")),
        (
            r#"{"\ud83d\ud83d":1}"#,
            ("json-lone-surrogate", 1, 3, r"\ud83d"),
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(only(text), expected, "{text}");
    }
}

#[test]
fn whole_pairs_and_other_escapes_are_read() {
    let text = r#"["\ud83d\ude00\u0041\/\b"]"#;

    let (root, _) = read("f", text.as_bytes(), MAX_BYTES);

    let Value::List(items) = root.unwrap().value else {
        panic!()
    };
    let Value::Text(read) = &items[0].value else {
        panic!()
    };
    assert_eq!(read, "😀A/\u{8}");
}

#[test]
fn a_key_twice_is_found_at_any_depth_and_in_any_spelling() {
    let text = r#"{"a":[{"b":1,"\u0062":2,"b":3}],"a":{"c":1,"c":1}}"#;

    let found = findings(text.as_bytes());

    let places: Vec<_> = found
        .iter()
        .map(|finding| (finding.row.code, finding.place.as_ref().unwrap()))
        .map(|(code, place)| (code, place.column, place.json_path.as_str()))
        .collect();
    let expected = [
        ("json-duplicate-key", 14, "$.a[0].b"),
        ("json-duplicate-key", 25, "$.a[0].b"),
        ("json-duplicate-key", 33, "$.a"),
        ("json-duplicate-key", 44, "$.a.c"),
    ];
    assert_eq!(places, expected);
}

#[test]
fn sixty_four_levels_are_read_and_one_more_is_not() {
    let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));

    assert_eq!(findings(nested(64).as_bytes()), []);
    assert_eq!(only(&nested(65)), ("json-too-deep", 1, 65, "["));
    assert_eq!(only(&"[{\"a\":".repeat(300_000)).0, "json-too-deep");
    assert_eq!(
        findings(format!("[\"\\\"{}\"]", "[".repeat(99)).as_bytes()),
        []
    );
}

#[test]
fn the_bound_of_size_is_exact() {
    let mut text = "[]".to_owned();
    text.push_str(&" ".repeat(MAX_BYTES - 2));
    assert_eq!(findings(text.as_bytes()), []);

    text.push(' ');

    assert_eq!(only(&text), ("json-too-large", 1, 1, ""));
}

#[test]
fn bytes_that_are_no_text_have_their_exact_place() {
    for (bytes, column, end) in [
        (&b"[\"\xc3\xbc\xff\"]"[..], 4, 5),
        (b"[\"a\xed\xa0\x80\"]", 4, 4),
        (b"[\"ab\xc3", 5, 5),
    ] {
        let found = findings(bytes);
        let place = found[0].place.as_ref().unwrap();
        assert_eq!(
            (found[0].row.code, place.column, place.end),
            ("json-not-utf8", column, end)
        );
    }
    assert_eq!(
        only("\u{feff}{}"),
        ("json-byte-order-mark", 1, 1, "\u{feff}")
    );
}

#[test]
fn a_file_with_a_million_faults_is_read_in_bounds() {
    let text = format!("{{{}\"a\":1}}", "\"a\":1,".repeat(300_000));

    let found = findings(text.as_bytes());

    assert_eq!(found.len(), MAX_FINDINGS + 1);
    assert_eq!(found[MAX_FINDINGS].row.code, "too-many-findings");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        findings(&bytes);
    }

    #[test]
    fn no_near_json_makes_it_panic(text in r#"[\[\]{}",:\\ud89acNIe0-9.\-ntf ü\n]{0,80}"#) {
        for finding in findings(text.as_bytes()) {
            let place = finding.place.unwrap();
            prop_assert!(text.get(place.start..place.end).is_some());
        }
    }
}
