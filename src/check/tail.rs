//! The last lines of a check's output, made safe to show.

use crate::model::text::shown;
use crate::proc::Output;

/// What stands before each line: no line of ours begins so, and none of a check's does otherwise.
const MARK: &str = "  | ";
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
    let gap = is_cut.then(|| format!("{MARK}…"));
    let marked = lines
        .iter()
        .map(|line| format!("{MARK}{}", beginning(line.trim_end_matches('\r'))));
    if output.total == 0 {
        return String::new();
    }
    gap.into_iter().chain(marked).collect::<Vec<_>>().join("\n")
}

/// Shows the beginning of a line; an escape is never cut.
fn beginning(line: &str) -> String {
    let mut text = String::new();
    for character in line.chars() {
        if text.chars().count() >= LONGEST {
            text.push('…');
            break;
        }
        text.push_str(&shown(character.encode_utf8(&mut [0; 4])));
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
