//! Texts and patterns.

use crate::preflight::testing::Memory;

const REGULAR: u32 = 0o100_644;

/// Files of every kind that can and cannot be searched.
fn files() -> Memory {
    let mut memory = Memory::with(&[
        ("src/a.rs", REGULAR, b"fn a() {}\n// mentions refund\n"),
        ("src/b.rs", REGULAR, b"fn b() {}\n"),
        ("bin/x", REGULAR, b"refund\0"),
        ("latin/x", REGULAR, b"\xe9t\xe9"),
        (
            "lfs/x",
            REGULAR,
            b"version https://git-lfs.github.com/spec/v1\n",
        ),
        ("links/in", 0o120_000, b"../src/a.rs"),
        ("links/out", 0o120_000, b"/etc/passwd"),
        ("same/a", REGULAR, b"x"),
        ("same/b", 0o120_000, b"a"),
        ("gone/x", REGULAR, b"lost"),
        ("sub", 0o160_000, b"commit"),
        ("empty", REGULAR, b""),
        ("mark/x", REGULAR, b"\xef\xbb\xbffirst\r\nlast\r\n"),
    ]);
    memory.lose(b"lost");
    memory
}

#[test]
fn a_text_is_found_or_it_is_told_why_not() {
    let memory = files();
    for (scope, search, said) in [
        (r#""path":"src/a.rs""#, r#""literal":"refund""#, "true"),
        (r#""path":"src/b.rs""#, r#""literal":"refund""#, "false"),
        (r#""path":"src/b.rs""#, r#""regex":"fn \\w+\\(""#, "true"),
        (r#""path":"src/b.rs""#, r#""literal":"fn \\w+""#, "false"),
        (r#""paths":["src/*.rs"]"#, r#""literal":"refund""#, "true"),
        (r#""paths":["src/*.rs"]"#, r#""literal":"nothing""#, "false"),
        // The mark of the byte order is no part of a line, nor is how the line ends.
        (r#""path":"mark/x""#, r#""regex":"^first""#, "true"),
        (r#""path":"mark/x""#, r#""regex":"(?m)first$""#, "true"),
        (r#""path":"mark/x""#, r#""regex":"^last""#, "false"),
        (r#""path":"none""#, r#""literal":"x""#, "vacuously false"),
        (
            r#""paths":["none/**"]"#,
            r#""literal":"x""#,
            "vacuously false",
        ),
        (r#""path":"empty""#, r#""literal":"x""#, "false"),
        (r#""path":"src""#, r#""literal":"x""#, "COVERAGE_INCOMPLETE"),
        (r#""path":"bin/x""#, r#""literal":"refund""#, "BINARY"),
        (r#""path":"latin/x""#, r#""literal":"x""#, "ENCODING"),
        (r#""path":"lfs/x""#, r#""literal":"x""#, "LFS_POINTER"),
        (r#""path":"gone/x""#, r#""literal":"x""#, "MISSING_OBJECT"),
        (r#""path":"sub""#, r#""literal":"x""#, "SUBMODULE"),
        (r#""path":"sub/x""#, r#""literal":"x""#, "SUBMODULE"),
        (
            r#""paths":["links/*"]"#,
            r#""literal":"x""#,
            "COVERAGE_INCOMPLETE",
        ),
        (r#""paths":["same/*"]"#, r#""literal":"y""#, "false"),
        // A witness is enough, whatever else could not be searched.
        (r#""paths":["**"]"#, r#""literal":"mentions""#, "true"),
        (
            r#""paths":["**"]"#,
            r#""literal":"nowhere""#,
            "COVERAGE_INCOMPLETE",
        ),
    ] {
        let fields = format!(r#""type":"text_present",{scope},{search}"#);
        assert_eq!(memory.says(&fields), said, "{scope} {search}");
    }
}

#[test]
fn absence_is_the_contrary_of_presence() {
    let memory = files();
    for (path, said) in [
        ("src/a.rs", "false"),
        ("src/b.rs", "true"),
        ("none", "vacuously true"),
        ("bin/x", "BINARY"),
    ] {
        let fields = format!(r#""type":"text_absent","path":"{path}","literal":"refund""#);
        assert_eq!(memory.says(&fields), said, "{path}");
    }
}

#[test]
fn places_are_bytes_and_lines() {
    let evidence = files().test(
        r#""type":"text_present","path":"src/a.rs","literal":"refund""#,
        true,
    );

    let range = evidence.items[0].range.unwrap();
    assert_eq!((range.bytes, range.lines), ((22, 28), (2, 2)));
}
