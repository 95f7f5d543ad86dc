//! Spellings that a compiler reads otherwise than a grammar.

/// Says whether a carriage return ends a line alone: to some languages it ends a comment, and to no
/// grammar.
pub(super) fn has_lone_return(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\r');
    at.any(|(at, _)| bytes.get(at + 1) != Some(&b'\n'))
}

/// What an escape in a text may spell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spelt {
    /// Nothing of a name.
    Nothing,
    /// A part of a name that is not ASCII.
    Wide,
    /// A part of any name.
    Any,
}

/// Says what an escape may spell.
pub(super) fn spelt(escape: &str) -> Spelt {
    let body = escape.strip_prefix('\\').unwrap_or(escape);
    let code = match body.chars().next() {
        Some('x' | 'u' | 'U') => {
            let digits = body.get(1..).unwrap_or_default();
            u32::from_str_radix(digits.trim_matches(['{', '}']), 16)
        }
        Some('0'..='7') => u32::from_str_radix(body, 8),
        // A line that goes on, or a character by its name.
        Some('\n' | '\r' | 'N') | None => return Spelt::Any,
        Some('a' | 'b' | 'e' | 'f' | 'n' | 'r' | 't' | 'v') => return Spelt::Nothing,
        // What needs no escape stands for itself.
        Some(other) => return of_char(other),
    };
    // Half of a pair, or no number, is part of something that is not ASCII.
    code.ok()
        .and_then(char::from_u32)
        .map_or(Spelt::Wide, of_char)
}

/// Says what a character may spell.
const fn of_char(found: char) -> Spelt {
    match found {
        '_' | '$' => Spelt::Any,
        found if found.is_ascii_alphanumeric() => Spelt::Any,
        found if found.is_ascii() => Spelt::Nothing,
        _ => Spelt::Wide,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carriage_return_ends_a_line_only_with_a_line_feed() {
        for (text, is_lone) in [
            ("a\r\nb", false),
            ("a\rb", true),
            ("a\r", true),
            ("a\n", false),
        ] {
            assert_eq!(has_lone_return(text), is_lone, "{text:?}");
        }
    }

    #[test]
    fn escapes_spell_names_or_not() {
        for (escape, found) in [
            (r"\n", Spelt::Nothing),
            (r"\x1b", Spelt::Nothing),
            (r"\x6f", Spelt::Any),
            (r"\u{6f}", Spelt::Any),
            (r"\157", Spelt::Any),
            (r"\u00e9", Spelt::Wide),
            (r"\ud83d", Spelt::Wide),
            (r"\N{LATIN SMALL LETTER O}", Spelt::Any),
            (r"\o", Spelt::Any),
            ("\\\n", Spelt::Any),
        ] {
            assert_eq!(spelt(escape), found, "{escape}");
        }
    }
}
