//! What each format says, and what it leaves to its reader.

use std::fmt::Write as _;

use super::*;

/// Says what is at a key: its text and kind, `list`, `map`, `nothing`, or the reason.
fn says(format: Format, text: &str, key: &[&str]) -> String {
    let node = match read(format, text) {
        Ok(node) => node,
        Err(reason) => return reason.as_str().to_owned(),
    };
    match node.at(key) {
        Found::Nothing(_) => "nothing".to_owned(),
        Found::Open => "open".to_owned(),
        Found::Here(found) => match &found.value {
            Value::Scalar(scalar) => format!("{} {:?}", scalar.text, scalar.kind),
            Value::List(_) => "list".to_owned(),
            Value::Map(_) => "map".to_owned(),
            Value::Open => "open".to_owned(),
        },
    }
}

/// Says what stands at the place of a value.
fn place(format: Format, text: &str, key: &[&str]) -> String {
    let node = read(format, text).unwrap();
    let span = node.at(key).here().unwrap().unwrap().span.clone();
    text.get(span).unwrap().to_owned()
}

const VALUES: &[Case] = &[
    (
        Format::Toml,
        "[a.b]\nc = 1_000\n",
        &["a", "b", "c"],
        "1_000 Number",
        "1_000",
    ),
    (
        Format::Toml,
        "[[a]]\n[[a]]\nb = \"x\\ty\"\n",
        &["a", "1", "b"],
        "x\ty Text",
        "\"x\\ty\"",
    ),
    (
        Format::Toml,
        "a = { b = true }\n",
        &["a", "b"],
        "true Bool",
        "true",
    ),
    (
        Format::Toml,
        "a = 2024-01-01\n",
        &["a"],
        "2024-01-01 Text",
        "2024-01-01",
    ),
    (
        Format::Yaml,
        "é: x\na:\n  - b: 0x10\n",
        &["a", "0", "b"],
        "0x10 Number",
        "0x10",
    ),
    (Format::Yaml, "a: \"on\"\n", &["a"], "on Text", "\"on\""),
    (Format::Yaml, "a: on\n", &["a"], "on Text", "on"),
    (Format::Yaml, "a: !!str 1\n", &["a"], "1 Text", "!!str 1"),
    (Format::Yaml, "200: ok\n", &["200"], "ok Text", "ok"),
    (
        Format::Json,
        r#"{"a":[null,1.50]}"#,
        &["a", "1"],
        "1.50 Number",
        "1.50",
    ),
    (
        Format::Ini,
        "root = true\n[a]\nb=c d\n",
        &["a", "b"],
        "c d Text",
        "c d",
    ),
    (
        Format::Ini,
        "root = true\n[a]\nb=c\n",
        &["root"],
        "true Text",
        "true",
    ),
    (
        Format::Ini,
        "[a]\n\tb: c\n\td = e\n",
        &["a", "d"],
        "e Text",
        "e",
    ),
    (
        Format::Env,
        "# x\nexport A='b c'\nB=x\n",
        &["A"],
        "b c Text",
        "'b c'",
    ),
];

/// A format, a text, a key, what is there, and how it is written.
type Case = (
    Format,
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static str,
);

#[test]
fn values_are_found_with_their_places() {
    for (format, text, key, said, source) in VALUES.iter().copied() {
        assert_eq!(says(format, text, key), said, "{text}");
        assert_eq!(place(format, text, key), source, "{text}");
    }
}

#[test]
fn what_is_not_there_is_told_from_what_is_left_open() {
    for (format, text, key, said) in [
        (Format::Toml, "a = 1\n", &["b"][..], "nothing"),
        (Format::Toml, "a = 1\n", &["a", "b"], "nothing"),
        (Format::Toml, "a = [1]\n", &["a", "1"], "nothing"),
        (Format::Toml, "a = [1]\n", &["a", "00"], "nothing"),
        (Format::Yaml, "a: &x 1\nb: *x\n", &["b"], "open"),
        (Format::Yaml, "a: &x 1\nb: *x\n", &["a"], "1 Number"),
        (
            Format::Yaml,
            "a: &x {c: 1}\nb:\n  <<: *x\n  d: 2\n",
            &["b", "c"],
            "open",
        ),
        (
            Format::Yaml,
            "a: &x {c: 1}\nb:\n  <<: *x\n  d: 2\n",
            &["b", "d"],
            "2 Number",
        ),
        (
            Format::Yaml,
            "a: &x {c: 1}\nb: {\"<<\": 1}\n",
            &["b", "c"],
            "nothing",
        ),
        (Format::Yaml, "a: !secret x\n", &["a"], "open"),
        (Format::Yaml, "a: 1\n", &["b"], "nothing"),
        (Format::Yaml, "", &["b"], "nothing"),
        (Format::Ini, "[a]\nB = c\n", &["a", "b"], "open"),
        (Format::Ini, "[a]\nb = \"c\"\n", &["a", "b"], "open"),
        (Format::Ini, "[a]\nb = c ; d\n", &["a", "b"], "open"),
        (Format::Ini, "[a]\nb = %(c)s\n", &["a", "b"], "open"),
        (Format::Ini, "[a]\nb:c = d\n", &["a", "b:c"], "open"),
        (Format::Ini, "[DEFAULT]\nb = c\n[a]\n", &["a", "b"], "open"),
        (Format::Ini, "[a]\nb = c\n", &["a", "d"], "nothing"),
        (Format::Env, "A=$B\n", &["A"], "open"),
        (Format::Env, "A=\"x\\n\"\n", &["A"], "open"),
        (Format::Env, "A=x # y\n", &["A"], "open"),
        (Format::Env, "A=x\n", &["B"], "nothing"),
    ] {
        assert_eq!(says(format, text, key), said, "{text} {key:?}");
    }
}

#[test]
fn keys_that_are_there_twice_and_files_with_several_meanings_are_ambiguous() {
    for (format, text) in [
        (Format::Toml, "a = 1\na = 2\n"),
        (Format::Yaml, "a: 1\n\"a\": 2\n"),
        (Format::Yaml, "a: 1\n---\na: 2\n"),
        (Format::Yaml, "? [a]\n: 1\n"),
        (Format::Yaml, "a: !x {b: 1}\n"),
        (Format::Json, r#"{"a":1,"\u0061":2}"#),
        (Format::Ini, "[a]\nb=1\nB=2\n"),
        (Format::Ini, "[a]\nb=1\n[A]\n"),
        (Format::Ini, "[a]\nb=1\n  c\n"),
        (Format::Ini, "[a] b=1\n"),
        (Format::Env, "A=1\nexport A=2\n"),
        (Format::Env, "A=\"x\ny\"\n"),
    ] {
        assert_eq!(says(format, text, &["a"]), "AMBIGUOUS", "{text}");
    }
}

#[test]
fn what_is_malformed_or_too_deep_has_its_reason() {
    let deep = |open: &str, count: usize| open.repeat(count);
    for (format, text, reason) in [
        (Format::Toml, "a = \n".to_owned(), "PARSE_ERROR"),
        (
            Format::Toml,
            format!("a = {}{}", deep("[", 200_000), deep("]", 200_000)),
            "LIMIT",
        ),
        (
            Format::Toml,
            format!("{} = 1", deep("a.", 400_000) + "a"),
            "LIMIT",
        ),
        (Format::Yaml, "a: [\n".to_owned(), "PARSE_ERROR"),
        (Format::Yaml, "a: *none\n".to_owned(), "PARSE_ERROR"),
        (Format::Yaml, deep("[", 400_000), "LIMIT"),
        (Format::Yaml, deep("- ", 100_000), "LIMIT"),
        (Format::Yaml, deep("? ", 100_000), "LIMIT"),
        (Format::Json, "{a:1}".to_owned(), "PARSE_ERROR"),
        (Format::Json, deep("[", 400_000), "LIMIT"),
        (Format::Env, "nothing\n".to_owned(), "PARSE_ERROR"),
        (Format::Toml, "\u{feff}a = 1\n".to_owned(), "ENCODING"),
    ] {
        assert_eq!(
            says(format, &text, &["a"]),
            reason,
            "{}",
            text.chars().take(40).collect::<String>()
        );
    }
}

#[test]
fn a_bomb_of_aliases_is_never_expanded() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..40 {
        let before = level - 1;
        let items = vec![format!("*a{before}"); 9].join(", ");
        writeln!(text, "a{level}: &a{level} [{items}]").unwrap();
    }

    assert_eq!(says(Format::Yaml, &text, &["a39"]), "list");
    assert_eq!(says(Format::Yaml, &text, &["a39", "0", "0"]), "open");
    assert_eq!(says(Format::Yaml, &text, &["none"]), "nothing");
}

#[test]
fn the_name_of_a_file_says_its_format() {
    for (path, format) in [
        ("a/Cargo.lock", Some(Format::Toml)),
        ("a.yml", Some(Format::Yaml)),
        ("x/.env.test", Some(Format::Env)),
        (".editorconfig", Some(Format::Ini)),
        ("a.json", Some(Format::Json)),
        ("a.txt", None),
        ("Makefile", None),
    ] {
        assert_eq!(Format::of(path.as_bytes()), format, "{path}");
    }
}
