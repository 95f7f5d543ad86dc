//! The corpus of each language: what is true, false, not to be said, and hostile.

mod attacks;
mod c;
mod go;
mod hostile;
mod java;
mod javascript;
mod python;
mod rust;
mod typescript;

use crate::preflight::testing::Memory;

/// Tests rows of a claim's fields and what becomes of it, on one file.
#[track_caller]
fn check(path: &str, source: &str, rows: &[(&str, &str)]) {
    for (fields, expected) in rows {
        assert_eq!(said(path, source, fields), *expected, "{fields}");
    }
}

/// Says what becomes of a claim about one file.
#[track_caller]
fn said(path: &str, source: &str, fields: &str) -> String {
    let memory = Memory::of(&[(path, source)]);
    let (kind, rest) = fields.split_once(' ').unwrap();
    let is_listed = ["no_references", "only_referenced_by"].contains(&kind);
    let scope = if is_listed {
        format!(r#""paths":["{path}"]"#)
    } else {
        format!(r#""path":"{path}""#)
    };
    memory.says(&format!(r#""type":"{kind}",{scope},{rest}"#))
}
