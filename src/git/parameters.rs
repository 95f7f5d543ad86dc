//! What `git -c key=value` hands down: `GIT_CONFIG_PARAMETERS`, which gix does not read.
//!
//! It is read exactly as git reads it: what git calls bogus is refused, never guessed at.

use gix::bstr::{BString, ByteSlice as _};

/// Reads the variable's bytes into `key=value` lines for [`super::open::Repository::open_with`].
///
/// Git writes `'key'='value'`, and `'key'=` for a key without a value; of old it wrote
/// `'key=value'`. None if git would not read it, and for a key with `=` in it, which gix would
/// take for another one. Both sides of the first `=` are trimmed by the reader of the lines.
pub(crate) fn read(text: &[u8]) -> Option<Vec<BString>> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = pair(rest)?;
        lines.push(line);
        rest = after.trim_start_with(is_space);
    }
    Some(lines)
}

/// Reads one pair, and returns what is after it: nothing, or what begins with a space.
fn pair(text: &[u8]) -> Option<(BString, &[u8])> {
    let (mut line, rest) = quoted(text)?;
    if ends(rest) {
        let key = line.find_byte(b'=').and_then(|at| line.get(..at));
        return is_key(key.unwrap_or(&line).trim()).then_some((line, rest));
    }
    let value = rest.strip_prefix(b"=")?;
    if !is_key(&line) || line.contains(&b'=') {
        return None;
    }
    if ends(value) {
        return Some((line, value));
    }
    let (value, rest) = quoted(value)?;
    line.push(b'=');
    line.extend_from_slice(&value);
    ends(rest).then_some((line, rest))
}

/// Reads a text in single quotes. Outside of them only `\'` and `\!` may stand, between two parts.
fn quoted(text: &[u8]) -> Option<(BString, &[u8])> {
    let mut rest = text.strip_prefix(b"'")?;
    let mut value = BString::default();
    loop {
        let end = rest.find_byte(b'\'')?;
        value.extend_from_slice(rest.get(..end)?);
        rest = rest.get(end + 1..)?;
        match rest {
            [b'\\', escaped @ (b'\'' | b'!'), b'\'', after @ ..] => {
                value.push(*escaped);
                rest = after;
            }
            _ => return Some((value, rest)),
        }
    }
}

/// Says whether a pair ends here.
fn ends(rest: &[u8]) -> bool {
    rest.first().is_none_or(|byte| is_space(char::from(*byte)))
}

/// Says whether git takes a character for space.
const fn is_space(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}

/// Says whether git takes a name for the key of a setting: a section, perhaps a subsection of any
/// characters but the end of a line, and a name that begins with a letter.
fn is_key(key: &[u8]) -> bool {
    let is_word = |word: &[u8]| word.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'-');
    let (Some(first), Some(last)) = (key.find_byte(b'.'), key.rfind_byte(b'.')) else {
        return false;
    };
    let section = key.get(..first).unwrap_or_default();
    let name = key.get(last + 1..).unwrap_or_default();
    !section.is_empty()
        && is_word(section)
        && is_word(name)
        && name.first().is_some_and(u8::is_ascii_alphabetic)
        && !key.contains(&b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::{World, command};

    /// Texts, and the lines that they give; none where git refuses them.
    const TEXTS: &[(&str, Option<&[&str]>)] = &[
        ("", Some(&[])),
        ("'plan.base'='a b'", Some(&["plan.base=a b"])),
        (r"'core.x'='it'\''s'", Some(&["core.x=it's"])),
        (r"'core.x'='so'\!''", Some(&["core.x=so!"])),
        ("'core.x=a=b'", Some(&["core.x=a=b"])),
        ("'core.x'", Some(&["core.x"])),
        ("'core.x'=", Some(&["core.x"])),
        ("'core.x'= 'a.b'", Some(&["core.x", "a.b"])),
        (
            "'core.x'='1'\t 'a.b.c'='2' ",
            Some(&["core.x=1", "a.b.c=2"]),
        ),
        ("'a.B c/.d'='2'", Some(&["a.B c/.d=2"])),
        ("'a..d'='2'", Some(&["a..d=2"])),
        (" 'core.x'", None),
        ("'core.x", None),
        ("core.x=1", None),
        ("\"core.x\"=\"1\"", None),
        ("'core.x'=1", None),
        ("'core.x'='1", None),
        ("'core.x'='1'x", None),
        ("'core.x''=1'", None),
        (r"'core.x'='a'\b'c'", None),
        (r"'core.x'='a'\'", None),
        ("'core.x'#", None),
        ("''", None),
        ("'x'='1'", None),
        ("'.x'='1'", None),
        ("'core.'='1'", None),
        ("'core.1x'='1'", None),
        ("'co_re.x'='1'", None),
        ("'core.x y'='1'", None),
        ("'a.b\nc.d'='1'", None),
    ];

    #[test]
    fn each_text_is_read_as_git_reads_it() {
        for (text, expected) in TEXTS {
            let lines = read(text.as_bytes());

            let expected = expected.map(|lines| lines.iter().map(|line| BString::from(*line)));
            assert_eq!(lines, expected.map(Iterator::collect), "{text}");
        }
    }

    #[test]
    fn git_refuses_exactly_what_is_refused_here() {
        let world = World::new();
        for (text, expected) in TEXTS {
            let mut git = command("git", &world.path("home"));
            git.env("GIT_CONFIG_PARAMETERS", text);
            let listed = git.args(["config", "--list", "--null"]).output().unwrap();

            assert_eq!(listed.status.success(), expected.is_some(), "{text}");
        }
    }

    #[test]
    fn a_key_that_gix_would_take_for_another_is_refused() {
        assert!(read(b"'planAudit.base=x.y'='z'").is_none());
        assert_eq!(read(b"'a.b'='\xff'").unwrap(), [&b"a.b=\xff"[..]]);
    }
}
