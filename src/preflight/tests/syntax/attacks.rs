//! Claims that an adversary found VERIFIED though they are not so, and such as must stay decidable.

use super::said;

/// One claim on a line: what it shows, the file's name, its text with escapes, the claim, and what becomes
/// of it and its contrary.
const CORPUS: &str = include_str!("attacks.tsv");

/// Puts line ends, tabs and other signs back.
fn unescaped(text: &str) -> String {
    let signs = [("\\r", "\r"), ("\\n", "\n"), ("\\t", "\t")];
    let parts = text.split("\\\\").map(|part| {
        let replaced = |text: String, (from, to): (&str, &str)| text.replace(from, to);
        signs.into_iter().fold(part.to_owned(), replaced)
    });
    parts.collect::<Vec<_>>().join("\\")
}

#[test]
fn what_is_not_so_is_never_verified() {
    let mut wrong = Vec::new();
    for line in CORPUS.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [what, path, source, claim, expected] = cells.as_slice() else {
            panic!("{line}")
        };
        let found = said(path, &unescaped(source), claim);
        if found != *expected {
            wrong.push(format!("{found} {what}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
