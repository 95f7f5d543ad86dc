//! Foreign text that stays text: no markup, no link, no mention of anybody, whatever a site makes of
//! Markdown after it was read.
//!
//! References to characters keep the reader of Markdown from taking them for markup. They do not keep a
//! site from looking for `@name`, `#1` or `http:` in what comes out, so that a space without width
//! parts these. Code is left alone by both.

use crate::model::text::shown;

/// Where code stands: in a table a bar would begin the next cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Where {
    /// In a cell of a table.
    Cell,
    /// Anywhere else.
    Line,
}

/// A space without width, as a reference.
const PART: &str = "&#8203;";

/// Writes foreign text in one line.
pub(super) fn prose(text: &str) -> String {
    let shown = shown(text.trim());
    let mut written = String::new();
    let mut before = [' '; 2];
    for c in shown.chars() {
        written.push_str(&escaped(c));
        let is_issue = c == '-' && before.iter().collect::<String>().eq_ignore_ascii_case("gh");
        if matches!(c, '@' | '#' | ':' | '/' | '.') || is_issue {
            written.push_str(PART);
        }
        before = [before[1], c];
    }
    written
}

/// Writes one character so that it means itself.
fn escaped(c: char) -> String {
    let is_plain = !c.is_ascii_punctuation() || matches!(c, ',' | ';' | '\'' | '(' | '?' | '%');
    if is_plain {
        c.to_string()
    } else {
        format!("&#{};", u32::from(c))
    }
}

/// Writes foreign text as code, between more backticks than it holds in a row.
pub(super) fn code(text: &str, place: Where) -> String {
    let shown = shown(text);
    let runs = shown.split(|c| c != '`').map(str::len);
    let fence = "`".repeat(runs.max().unwrap_or(0) + 1);
    let text = match place {
        Where::Cell => shown.replace('|', "\\|"),
        Where::Line => shown,
    };
    let pad = if text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) || text.is_empty() {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads references to characters as a reader of Markdown does.
    fn read(text: &str) -> String {
        let mut parts = text.split("&#");
        let mut read = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (number, rest) = part.split_once(';').unwrap();
            read.push(char::from_u32(number.parse().unwrap()).unwrap());
            read.push_str(rest);
        }
        read
    }

    #[test]
    fn nothing_in_foreign_text_is_markup() {
        let hostile = "*a* _b_ `c` [d](http://e) <script>f</script> | ~~g~~ #1 @h &amp; ![i](j) $k$ \\l <!-- m";

        let written = prose(hostile);

        let markup = |c: char| "*_`[]<>|~!$\\{}\"@".contains(c);
        assert!(!written.contains(markup), "{written}");
        assert!(!written.replace("&#", "").contains(['#', '&']), "{written}");
        assert_eq!(read(&written).replace('\u{200b}', ""), hostile);
    }

    #[test]
    fn a_line_begins_nothing_but_itself() {
        for line in [
            "- a", "---", "1) a", "1. a", "# a", "> a", "===", "+ a", "    a",
        ] {
            let written = prose(line);

            let is_begun = |start: &str| written.starts_with(start);
            assert!(
                !["-", "1)", "1.", "#", ">", "=", "+", " "]
                    .into_iter()
                    .any(is_begun),
                "{written}"
            );
        }
    }

    #[test]
    fn what_a_site_would_look_for_is_parted() {
        let text = "@ada ada@example.com #12 owner/name#3 GH-4 http://x.test www.x.test :tada:";

        let read = read(&prose(text));

        for found in ["@a", "@e", "#1", "#3", "GH-4", "://", "www.x", ":t"] {
            assert!(!read.contains(found), "{found} in {read}");
        }
    }

    #[test]
    fn what_moves_a_cursor_or_turns_text_is_an_escape() {
        let read = read(&prose("a\u{202e}b\nc\u{1b}"));

        assert_eq!(read.replace('\u{200b}', ""), "a\\u{202e}b\\nc\\u{1b}");
    }

    #[test]
    fn code_ends_where_it_is_meant_to() {
        assert_eq!(code("a|b", Where::Line), "`a|b`");
        assert_eq!(code("a|b", Where::Cell), "`a\\|b`");
        assert_eq!(code("a``b`", Where::Line), "``` a``b` ```");
        assert_eq!(code("", Where::Line), "`  `");
    }
}
