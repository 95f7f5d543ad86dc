//! What git says of a push: one line for each reference (githooks(5), `pre-push`). Pure.

use super::ids::Oid;
use super::repository::LEDGER;

/// What is pushed, as the hook is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Push {
    /// The name of the remote, or its address where it has none.
    pub(crate) remote: String,
    /// Its address.
    pub(crate) url: String,
    /// The lines.
    pub(crate) said: Said,
    /// Whether `doctor` tries this push, or somebody says so: none of those passes.
    pub(crate) is_trial: bool,
}

/// How the file begins in which is noted what a hook was told of a push that `doctor` tries. What
/// follows on the line is a word that nobody knows before.
const TRIAL: &str = "plan-audit trial ";

/// Returns the first line of such a file.
pub(crate) fn trial(word: &str) -> String {
    format!("{TRIAL}{word}\n")
}

/// Returns what is to be noted in such a file, from what it holds; none where it is another one.
pub(crate) fn noted(text: &[u8], said: &Said) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let word = text.lines().next()?.strip_prefix(TRIAL)?;
    let names = match said {
        Said::Lines(lines) => lines.iter().map(|line| line.name.as_str()).collect(),
        Said::Nothing | Said::Unread | Said::Unreadable(_) => vec!["nothing"],
    };
    let lines = names.iter().map(|name| format!("{word} {name}\n"));
    Some(lines.collect())
}

/// What was to be read on standard input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Said {
    /// These lines.
    Lines(Vec<Line>),
    /// None: all is up to date, or whoever called us kept them.
    Nothing,
    /// Nobody could: a terminal, or a pipe that brought nothing and did not end.
    Unread,
    /// Something that git would not write, and why not.
    Unreadable(String),
}

/// One reference that is pushed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    /// What it becomes; none where it is deleted.
    pub(crate) new: Option<Oid>,
    /// The full name that it has at the remote.
    pub(crate) name: String,
    /// What the remote has there; none where it is new.
    pub(crate) old: Option<Oid>,
}

impl Line {
    /// Says whether the reference holds evidence, or what was fetched of it.
    pub(crate) fn is_evidence(&self) -> bool {
        let is_below = |name: &str| {
            self.name
                .strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        is_below(LEDGER) || is_below("refs/plan-audit")
    }
}

/// Reads what a server is told of a push to it (githooks(5), `pre-receive`).
pub(crate) fn received(text: &[u8]) -> Said {
    lines(text, received_line)
}

/// Makes the line of one reference of which a server is told (githooks(5), `update`): its name, its id
/// before and after.
pub(crate) fn updated(name: &str, old: &str, new: &str) -> Said {
    received(format!("{old} {new} {name}\n").as_bytes())
}

/// Reads the lines; an error says which one git would not have written.
pub(crate) fn read(text: &[u8]) -> Said {
    lines(text, line)
}

/// Reads lines of one kind.
fn lines(text: &[u8], line: fn(&str) -> Option<Line>) -> Said {
    let Ok(text) = std::str::from_utf8(text) else {
        return Said::Unreadable("they are no UTF-8".to_owned());
    };
    let lines: Option<Vec<Line>> = text.lines().map(line).collect();
    match lines {
        None => {
            let bad = text.lines().find(|each| line(each).is_none());
            let bad = super::text::shown(bad.unwrap_or_default());
            Said::Unreadable(format!("one of them is: {bad}"))
        }
        Some(lines) if lines.is_empty() => Said::Nothing,
        Some(lines) => Said::Lines(lines),
    }
}

/// Reads one line: local name, local id, remote name, remote id. The local name is any revision, so
/// nothing is made of it; a deletion has `(delete)` there.
fn line(text: &str) -> Option<Line> {
    let mut from_end = text.rsplitn(4, ' ');
    let old = Oid::parse(from_end.next()?)?;
    let name = from_end.next().filter(|name| !name.is_empty())?;
    let new = Oid::parse(from_end.next()?)?;
    from_end.next()?;
    Some(Line {
        new: named(new),
        name: name.to_owned(),
        old: named(old),
    })
}

/// Reads one line of which a server is told: old id, new id, name.
fn received_line(text: &str) -> Option<Line> {
    let mut parts = text.splitn(3, ' ');
    let old = Oid::parse(parts.next()?)?;
    let new = Oid::parse(parts.next()?)?;
    let name = parts.next().filter(|name| is_name(name))?;
    Some(Line {
        new: named(new),
        name: name.to_owned(),
        old: named(old),
    })
}

/// Says whether a text can be the name of a reference at all: what git writes holds no space.
fn is_name(name: &str) -> bool {
    let is_odd = |letter: char| letter.is_whitespace() || letter.is_control();
    !name.is_empty() && !name.contains(is_odd)
}

/// Returns what an id names: zeros, as many as the ids of the repository have digits, name nothing.
fn named(id: Oid) -> Option<Oid> {
    let names_something = id.as_bytes().iter().any(|byte| *byte != 0);
    names_something.then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_read_by_itself() {
        let (one, two) = ("1".repeat(40), "2".repeat(64));
        let (short, long) = ("0".repeat(40), "0".repeat(64));
        let (first, second) = (Oid::parse(&one), Oid::parse(&two));
        for (text, new, name, old) in [
            (
                format!("refs/heads/a {one} refs/heads/b {short}"),
                first,
                "refs/heads/b",
                None,
            ),
            (
                format!("HEAD {two} refs/heads/x {long}"),
                second,
                "refs/heads/x",
                None,
            ),
            (
                format!("main~0 {one} refs/tags/t {one}"),
                first,
                "refs/tags/t",
                first,
            ),
            (
                format!("HEAD^{{/fix it}} {one} refs/heads/y {two}"),
                first,
                "refs/heads/y",
                second,
            ),
            (
                format!("(delete) {short} refs/heads/gone {one}"),
                None,
                "refs/heads/gone",
                first,
            ),
        ] {
            let expected = Line {
                new,
                name: name.to_owned(),
                old,
            };
            assert_eq!(read(text.as_bytes()), Said::Lines(vec![expected]), "{text}");
        }
    }

    #[test]
    fn no_line_is_no_line_and_half_a_line_is_refused() {
        let one = "1".repeat(40);
        assert_eq!(read(b""), Said::Nothing);
        for text in [
            "\n".to_owned(),
            "x".to_owned(),
            format!("{one} refs/heads/b {one}"),
            format!("a {one} refs/heads/b 12"),
            format!("a {one}  {one}"),
            format!("a b {one}x refs/heads/b {one}"),
            format!("a {one} refs/heads/b {one}\nrest"),
        ] {
            let said = read(text.as_bytes());

            assert!(matches!(said, Said::Unreadable(_)), "{text:?}: {said:?}");
        }
        assert!(matches!(read(b"\xff"), Said::Unreadable(_)));
    }

    #[test]
    fn a_server_is_told_old_and_new_before_the_name() {
        let (one, none) = ("1".repeat(40), "0".repeat(40));
        let expected = |new: &str, old: &str| {
            let id = |text: &str| Oid::parse(text).and_then(named);
            Said::Lines(vec![Line {
                new: id(new),
                name: "refs/heads/main".to_owned(),
                old: id(old),
            }])
        };

        let read = |old: &str, new: &str| updated("refs/heads/main", old, new);

        assert_eq!(read(&none, &one), expected(&one, &none));
        assert_eq!(read(&one, &none), expected(&none, &one));
        assert_eq!(received(b""), Said::Nothing);
        for text in [
            format!("{one} {none}\n"),
            format!("{one} {none} \n"),
            format!("{one} {none} a b\n"),
            format!("{one} refs/heads/main {none}\n"),
        ] {
            let said = received(text.as_bytes());
            assert!(matches!(said, Said::Unreadable(_)), "{text:?}: {said:?}");
        }
    }

    #[test]
    fn only_the_file_of_a_trial_is_written_to() {
        let one = "1".repeat(40);
        let said =
            read(format!("a {one} refs/heads/a {one}\nb {one} refs/heads/b {one}").as_bytes());
        let both = "w refs/heads/a\nw refs/heads/b\n";
        for (text, expected) in [
            (trial("w").into_bytes(), Some(both)),
            ((trial("w") + "w x\n").into_bytes(), Some(both)),
            (b"".to_vec(), None),
            (b"\n".to_vec(), None),
            (b"#!/bin/sh\n".to_vec(), None),
            (("\n".to_owned() + &trial("w")).into_bytes(), None),
            (b"plan-audit trial w\n\xff".to_vec(), None),
        ] {
            assert_eq!(noted(&text, &said).as_deref(), expected, "{text:?}");
        }
        let blind = noted(trial("w").as_bytes(), &Said::Nothing);
        assert_eq!(blind.as_deref(), Some("w nothing\n"));
    }

    #[test]
    fn only_our_own_references_are_evidence() {
        for (name, expected) in [
            ("refs/notes/plan-audit", true),
            ("refs/notes/plan-audit/x", true),
            ("refs/plan-audit/remotes/origin/notes", true),
            ("refs/notes/plan-auditor", false),
            ("refs/heads/refs/notes/plan-audit", false),
            ("refs/plan-audits/x", false),
        ] {
            let line = Line {
                new: None,
                name: name.to_owned(),
                old: None,
            };

            assert_eq!(line.is_evidence(), expected, "{name}");
        }
    }
}
