//! Files that are made to hurt a parser, and scopes of which not all can be parsed.

use std::time::{Duration, Instant};

use crate::preflight::testing::Memory;

const ABSENT: &str = r#""type":"symbol_absent","paths":["**"],"symbol":"refund""#;

#[test]
fn a_file_that_cannot_be_parsed_proves_no_absence_and_takes_no_witness_away() {
    let memory = Memory::of(&[("a.rs", "fn refund() {}"), ("b.rs", "fn ( {")]);

    assert_eq!(memory.says(ABSENT), "false");
    let other = ABSENT.replace("refund", "ghost");
    assert_eq!(memory.says(&other), "PARSE_ERROR");
}

#[test]
fn a_language_that_nobody_reads_proves_no_absence() {
    let memory = Memory::of(&[("a.rs", "fn a() {}"), ("b.cobol", "REFUND.")]);

    assert_eq!(memory.says(ABSENT), "UNSUPPORTED_LANGUAGE");
}

#[test]
fn deep_nesting_ends_soon_and_says_nothing() {
    for (path, piece) in [
        ("a.rs", "("),
        ("a.py", "["),
        ("a.ts", "{"),
        ("a.js", "("),
        ("a.go", "("),
        ("a.java", "("),
        ("a.c", "("),
    ] {
        let memory = Memory::of(&[(path, &piece.repeat(400_000))]);
        let begun = Instant::now();

        let said = memory.says(ABSENT);

        assert!(
            ["PARSE_ERROR", "LIMIT"].contains(&said.as_str()),
            "{path}: {said}"
        );
        assert!(begun.elapsed() < Duration::from_secs(20), "{path}");
    }
}

#[test]
fn deep_nesting_that_is_valid_is_walked_without_recursion() {
    let deep = format!(
        "fn a() {{ let x = {}1{}; }}",
        "(".repeat(20_000),
        ")".repeat(20_000)
    );
    let memory = Memory::of(&[("a.rs", &deep)]);

    let said = memory.says(ABSENT);

    assert!(["true", "LIMIT"].contains(&said.as_str()), "{said}");
}

#[test]
fn a_parse_has_a_deadline() {
    let long = "fn a() { let x = 1 + 2 + 3; }\n".repeat(30_000);
    let mut memory = Memory::of(&[("a.rs", &long)]);
    memory.limits.parse = 0;

    assert_eq!(memory.says(ABSENT), "LIMIT");
}

#[test]
fn a_line_of_four_megabytes_is_beyond_the_limit_of_a_file() {
    let memory = Memory::of(&[("a.rs", &"x".repeat(4 << 20))]);

    assert_eq!(memory.says(ABSENT), "LIMIT");
}

#[test]
fn a_comment_that_mentions_a_symbol_changes_nothing() {
    for (path, source, comment) in [
        ("a.rs", "fn a() {}\n", "// refund()\n"),
        ("a.py", "def a(): pass\n", "# refund()\n"),
        ("a.ts", "function a() {}\n", "/* refund() */\n"),
        ("a.go", "package a\n", "// refund()\n"),
        ("a.java", "class A {}\n", "// refund()\n"),
        ("a.c", "int a;\n", "// refund()\n"),
    ] {
        let plain = Memory::of(&[(path, source)]);
        let commented = Memory::of(&[(path, &format!("{source}{comment}"))]);
        let unused = r#""type":"no_references","paths":["**"],"symbol":"refund""#;

        assert_eq!(plain.says(ABSENT), "true", "{path}");
        assert_eq!(commented.says(ABSENT), "true", "{path}");
        assert_eq!(commented.says(unused), "true", "{path}");
    }
}
