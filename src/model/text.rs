//! Foreign text made safe to show: what a repository holds can never move a cursor or forge a line.

/// Returns `text` with every control and direction-changing character written as an escape.
///
/// Newlines are escaped too: a shown value stays on its line.
pub(crate) fn shown(text: &str) -> String {
    text.chars()
        .map(|c| if is_safe(c) { c.to_string() } else { escape(c) })
        .collect()
}

/// What stands before each line of what a check wrote: no line of ours begins so.
const MARK: &str = "  | ";

/// Returns what a check wrote, each line behind a mark and escaped; no line break at the end.
pub(crate) fn marked(text: &str) -> String {
    let lines = text.trim_end_matches(['\n', '\r']).split('\n');
    let marked = lines.map(|line| format!("{MARK}{}", shown(line.trim_end_matches('\r'))));
    marked.collect::<Vec<_>>().join("\n")
}

/// Says whether a character can be shown as it is.
fn is_safe(c: char) -> bool {
    !c.is_control()
        && !matches!(
            c,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// Writes one character as an escape.
fn escape(c: char) -> String {
    c.escape_default().to_string()
}

/// Returns a path of a repository as text: valid UTF-8 as it is, other bytes as `\xNN`.
///
/// A backslash is doubled, so that two paths never share a text.
pub(crate) fn path(bytes: &[u8]) -> String {
    bytes
        .utf8_chunks()
        .flat_map(|chunk| {
            let valid = shown(&chunk.valid().replace('\\', "\\\\"));
            let rest = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
            std::iter::once(valid).chain(rest).collect::<Vec<_>>()
        })
        .collect()
}

/// Lists paths as text, the first ones by name and the rest by number.
pub(crate) fn listed<'a>(paths: impl ExactSizeIterator<Item = &'a [u8]>, most: usize) -> String {
    let more = paths.len().saturating_sub(most);
    let list = paths.take(most).map(path).collect::<Vec<_>>().join(", ");
    if more == 0 {
        list
    } else {
        format!("{list} and {more} more")
    }
}

/// Returns a number with what it counts, whose plural ends in `s`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}

/// Returns a word as a shell takes it apart again.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(shown("a\u{1b}[2Jb\nc\u{202e}"), "a\\u{1b}[2Jb\\nc\\u{202e}");
    }

    #[test]
    fn two_paths_never_share_a_text() {
        assert_eq!(path(b"a\xffb"), "a\\xffb");
        assert_eq!(path(b"a\\xffb"), "a\\\\xffb");
        assert_eq!(path("grün".as_bytes()), "grün");
    }
}
