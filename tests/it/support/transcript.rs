//! Transcripts: pages of Markdown in which blocks called `console` hold commands and what they say.
//!
//! A line that begins with `$ ` is a command, and lines that begin with `> ` go on with it. What follows
//! up to the next command is what it writes, standard output and error in the order in which they come;
//! an exit code other than 0 stands in a last line, `(exit 1)`. One shell runs all commands of a page.
//! Which variables were withheld from checks depends on who runs the page, and is left out.

use std::fmt::{self, Write as _};
use std::process::Stdio;

use super::World;

/// Where a command ends in what the shell writes.
const MARK: &str = "\u{1}ended\u{1}";
/// How lines begin that tell of withheld variables.
const WITHHELD: [&str; 2] = [
    "info[withheld]",
    "  hint: a check may name what it needs in",
];

/// A page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Page(Vec<Part>);

/// A part of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// Lines that are left alone.
    Text(String),
    /// A command, and what it says.
    Command {
        /// Its lines as the page has them.
        lines: Vec<String>,
        said: String,
    },
}

impl Page {
    /// Reads a page.
    pub(crate) fn read(text: &str) -> Self {
        let (mut parts, mut is_inside) = (Vec::new(), false);
        for line in text.lines() {
            let ends = line == "```";
            if is_inside && !ends {
                add(&mut parts, line);
                continue;
            }
            is_inside = line == "```console";
            parts.push(Part::Text(format!("{line}\n")));
        }
        Self(parts)
    }

    /// Runs every command in one shell, and returns the page with what they say now.
    pub(crate) fn played(&self, world: &World) -> Self {
        let mut script = "exec 2>&1\n".to_owned();
        for lines in self.commands() {
            for line in lines {
                let _ = writeln!(script, "{}", line.get(2..).unwrap_or_default());
            }
            let _ = writeln!(script, "printf '{MARK}%s\\n' $?");
        }
        let mut command = world.command("sh", &world.temp_path(), ["-c", &script]);
        let output = command.stderr(Stdio::inherit()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let text = text
            .replace(world.home().to_str().unwrap(), "/home/ada")
            .replace(world.temp_path().to_str().unwrap(), "/home/ada/src");
        let mut said = text.split_inclusive('\n').peekable();
        let parts = self.0.iter().map(|part| match part {
            Part::Text(text) => Part::Text(text.clone()),
            Part::Command { lines, .. } => Part::Command {
                lines: lines.clone(),
                said: next(&mut said),
            },
        });
        Self(parts.collect())
    }

    /// Says whether two pages differ in nothing but what changes from run to run.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        self.differences(other).is_empty()
    }

    /// Lists the commands that say something else, with both texts.
    pub(crate) fn differences(&self, other: &Self) -> Vec<(String, String)> {
        let pairs = self.0.iter().zip(&other.0);
        let differing =
            pairs.filter(|(one, other)| stable(&one.to_string()) != stable(&other.to_string()));
        differing
            .map(|(one, other)| (one.to_string(), other.to_string()))
            .collect()
    }

    /// Lists the lines of each command.
    fn commands(&self) -> impl Iterator<Item = &Vec<String>> {
        self.0.iter().filter_map(|part| match part {
            Part::Text(_) => None,
            Part::Command { lines, .. } => Some(lines),
        })
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|part| part.fmt(f))
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Command { lines, said } => write!(f, "{}\n{said}", lines.join("\n")),
        }
    }
}

/// Adds a line of a block.
fn add(parts: &mut Vec<Part>, line: &str) {
    let is_first = line.starts_with("$ ");
    match parts.last_mut() {
        Some(Part::Command { lines, said }) if !is_first => {
            if line.starts_with("> ") && said.is_empty() {
                lines.push(line.to_owned());
            } else {
                said.push_str(line);
                said.push('\n');
            }
        }
        _ if is_first => parts.push(Part::Command {
            lines: vec![line.to_owned()],
            said: String::new(),
        }),
        _ => panic!("a block begins with {line}"),
    }
}

/// Takes what the next command said, and how it ended.
fn next<'a>(lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut said = String::new();
    for line in lines {
        if let Some((last, code)) = line.split_once(MARK) {
            said.push_str(last);
            if !last.is_empty() {
                said.push('\n');
            }
            match code.trim_end() {
                "0" => {}
                code => drop(writeln!(said, "(exit {code})")),
            }
            return said;
        }
        if !WITHHELD.iter().any(|start| line.starts_with(start)) {
            said.push_str(line);
        }
    }
    said
}

/// Puts names in the place of what changes from run to run, and from machine to machine: ids, keys,
/// times, durations, platforms, programs.
fn stable(text: &str) -> String {
    let line = |line: &str| {
        let facts = line.trim_start();
        if facts.starts_with("ran ") && facts != line {
            return "ran PROGRAM\n".to_owned();
        }
        if let Some((start, last)) = line.rsplit_once(", ")
            && is_duration(last)
        {
            return format!("{}, DURATION\n", named(start).trim_end());
        }
        match line.split_once(", linux-") {
            Some((start, _)) => format!("{start}, PLATFORM\n"),
            None => named(line),
        }
    };
    text.lines().map(line).collect()
}

/// Says whether a text tells how long something took.
fn is_duration(text: &str) -> bool {
    let number = text.strip_suffix(" ms").or_else(|| text.strip_suffix(" s"));
    number.is_some_and(|number| number.parse::<f64>().is_ok())
}

/// Puts names in the place of the words of a line that change.
fn named(line: &str) -> String {
    // A slash divides the parts of a path, and is a letter of a key.
    let is_word = |c: char, word: &str| {
        let is_of_key = "+/".contains(c) && word.contains("SHA256:");
        c.is_ascii_alphanumeric() || c == ':' || is_of_key
    };
    let (mut named, mut word) = (String::new(), String::new());
    for c in line.chars().chain(['\n']) {
        if is_word(c, &word) {
            word.push(c);
        } else {
            named.push_str(name(&word));
            named.push(c);
            word.clear();
        }
    }
    named
}

/// Returns a word, or the name of its kind where it changes from run to run.
fn name(word: &str) -> &str {
    let is_hex = word.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'));
    // Of a thousand short ids one has no digit; no word of the pages is seven such letters long.
    let is_id = match word.len() {
        7 | 12.. => is_hex,
        8..=11 => is_hex && word.contains(|c: char| c.is_ascii_digit()),
        _ => false,
    };
    let is_time = word.len() == 12 && word.ends_with('Z') && word.contains('T');
    match word {
        _ if is_id => "ID",
        _ if word.contains("SHA256:") => "KEY",
        _ if is_time => "TIME",
        _ => word,
    }
}

#[test]
fn ids_keys_and_times_may_change_and_nothing_else() {
    let one =
        "PASS for tree 4f2a91c by ssh:SHA256:abc+d/e (/k/0123456789ab) at 2026-11-29T16:40:00Z\n";
    let same =
        "PASS for tree 0f2a91d by ssh:SHA256:xyz (/k/0123456789ac) at 2026-11-29T16:40:07Z\n";
    let other =
        "FAIL for tree 4f2a91c by ssh:SHA256:abc+d/e (/k/0123456789ab) at 2026-11-29T16:40:00Z\n";

    assert_eq!(
        stable("exit code 0, 1 ms\n"),
        stable("exit code 0, 2.5 s\n")
    );
    assert_eq!(stable(one), stable(same));
    assert_eq!(stable("commit dafbfbf\n"), stable("commit 0891152\n"));
    assert_ne!(stable("commit dafbfb\n"), stable("commit 089115\n"));
    assert_ne!(stable(one), stable(other));
}

#[test]
fn a_page_is_played_and_tells_how_commands_ended() {
    let page = Page::read(
        "# T\n```console\n$ cd repo && pwd\n$ cat <<E; false\n> a\n> E\n$ printf x\n```\nend\n",
    );

    let played = page.played(&World::empty(super::Proof::Ssh)).to_string();

    let expected = "# T\n```console\n$ cd repo && pwd\n/home/ada/src/repo\n$ cat <<E; false\n> a\n> E\na\n(exit 1)\n$ printf x\nx\n```\nend\n";
    assert_eq!(played, expected);
    assert!(Page::read(&played).says_the_same(&Page::read(expected)));
}
