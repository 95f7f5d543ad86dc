//! What a check wrote, made safe to show: all that is kept of it, or its last lines.

use crate::model::text::{marked, shown};
use crate::proc::Output;

/// What stands for lines that are left out.
const GAP: &str = "…";
/// How many lines are shown.
const LINES: usize = 20;
/// How many characters of a line are shown.
const LONGEST: usize = 300;
/// How many bytes are looked at.
const BYTES: usize = 4096;

/// Returns the last lines of output, each behind a mark and escaped; no line break at the end.
pub(super) fn shown_tail(output: &Output) -> String {
    let last = output.last(BYTES);
    let text = String::from_utf8_lossy(&last);
    let lines: Vec<&str> = text.trim_end_matches(['\n', '\r']).split('\n').collect();
    let (earlier, lines) = lines.split_at(lines.len().saturating_sub(LINES));
    let is_cut = !earlier.is_empty() || output.total > u64::try_from(last.len()).unwrap_or(0);
    let gap = is_cut.then_some(GAP);
    if output.total == 0 {
        return String::new();
    }
    let lines = lines
        .iter()
        .map(|line| beginning(line.trim_end_matches('\r')));
    let lines: Vec<String> = gap.map(str::to_owned).into_iter().chain(lines).collect();
    marked(&lines.join("\n"))
}

/// Returns all that is kept of output, in the same form.
pub(super) fn shown_whole(output: &Output) -> String {
    if output.total == 0 {
        return String::new();
    }
    let (head, tail) = output.ends();
    let mut text = String::from_utf8_lossy(head).into_owned();
    if !output.is_whole() {
        text.extend(["\n", GAP, "\n"]);
    }
    text.push_str(&String::from_utf8_lossy(tail));
    marked(&text)
}

/// Returns the beginning of a line: as much of it as is short when it is escaped.
fn beginning(line: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    for character in line.chars() {
        if width >= LONGEST {
            text.push_str(GAP);
            break;
        }
        width += shown(character.encode_utf8(&mut [0; 4])).chars().count();
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::digest::sha256;

    fn tail_of(text: &[u8]) -> String {
        shown_tail(&Output {
            head: text.to_vec(),
            tail: Vec::new(),
            total: u64::try_from(text.len()).unwrap(),
            sha256: sha256(text),
        })
    }

    /// What stands before each line.
    const MARK: &str = "  | ";

    #[test]
    fn all_that_is_kept_is_shown_and_the_gap_is_marked() {
        let output = |total| Output {
            head: b"a\n\x1b[2K".to_vec(),
            tail: b"z\n".to_vec(),
            total,
            sha256: sha256(b""),
        };

        let escape = "\\u{1b}[2K";
        assert_eq!(shown_whole(&output(8)), format!("  | a\n  | {escape}z"));
        assert_eq!(
            shown_whole(&output(9)),
            format!("  | a\n  | {escape}\n  | …\n  | z")
        );
        assert_eq!(shown_whole(&output(0)), "");
    }

    #[test]
    fn no_line_of_a_check_stands_alone() {
        let tail = tail_of(b"PASS\n\rPASS\x1b[2K\x1b[1APASS\n\xe2\x80\xa8PASS\x85\n");

        assert!(tail.lines().all(|line| line.starts_with(MARK)), "{tail}");
        assert!(!tail.contains(['\u{1b}', '\r', '\u{2028}']), "{tail}");
    }

    #[test]
    fn nothing_is_shown_of_nothing() {
        assert_eq!(tail_of(b""), "");
    }

    #[test]
    fn only_the_last_lines_are_shown_and_the_gap_is_marked() {
        let lines: Vec<String> = (0..100).map(|line| line.to_string()).collect();
        let text = lines.join("\n");

        let tail = tail_of(text.as_bytes());

        assert!(tail.starts_with("  | …\n  | 80\n"), "{tail}");
        assert!(tail.ends_with("  | 99"), "{tail}");
    }

    #[test]
    fn one_long_line_is_shown_in_part() {
        let tail = tail_of("x".repeat(100_000).as_bytes());

        assert!(tail.starts_with("  | …\n  | x") && tail.ends_with("x…"));
        assert!(tail.chars().count() < 320, "{tail}");
    }

    #[test]
    fn bytes_that_are_no_text_fill_no_screen() {
        let bytes: Vec<u8> = (0..4096u32)
            .map(|n| u8::try_from(n * 7 % 31).unwrap())
            .collect();

        let tail = tail_of(&bytes);

        assert!(tail.chars().count() < 21 * 320, "{}", tail.len());
    }
}
