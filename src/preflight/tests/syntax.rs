//! The corpus of each language: what is true, false, not to be said, and hostile.

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
    let memory = Memory::of(&[(path, source)]);
    for (fields, said) in rows {
        let (kind, rest) = fields.split_once(' ').unwrap();
        let is_listed = ["no_references", "only_referenced_by"].contains(&kind);
        let scope = if is_listed {
            format!(r#""paths":["{path}"]"#)
        } else {
            format!(r#""path":"{path}""#)
        };
        let found = memory.says(&format!(r#""type":"{kind}",{scope},{rest}"#));
        assert_eq!(found, *said, "{fields}");
    }
}
