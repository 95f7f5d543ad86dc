//! Patterns of a plan: globs on paths, and regular expressions on text.
//!
//! A pattern that passed here compiles everywhere: both are made in this file only.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use globset::{GlobBuilder, GlobSetBuilder};
use regex::RegexBuilder;

/// The longest pattern, in bytes: what is longer was not written by a person.
const MAX_LENGTH: usize = 4096;
/// How many path patterns one list may hold.
const MAX_PATTERNS: usize = 1000;
/// The sizes of compiled regular expressions that are told apart, in bytes; the last is the greatest.
const SIZES: [usize; 4] = [16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// What compiling a regular expression takes that is refused as too large: as much as the greatest.
pub(crate) const TOO_LARGE: usize = 1 << 20;
/// What compiling a path pattern takes, counted as that many bytes of a regular expression.
pub(crate) const GLOB: usize = 4 << 10;

/// Path patterns that compile together.
#[derive(Clone, Debug)]
pub(crate) struct PathPatterns {
    set: globset::GlobSet,
}

impl PathPatterns {
    /// Compiles path patterns: `*` and `?` stay inside a part, `**` crosses parts, `\` escapes.
    ///
    /// A pattern that could never match a path as git writes it is refused too, for it would
    /// freeze or bound nothing without a word.
    pub(crate) fn new(patterns: &[String]) -> Result<Self, PatternFault> {
        if patterns.len() > MAX_PATTERNS {
            return Err(PatternFault::TooMany);
        }
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            set.add(glob(pattern)?);
        }
        // Each pattern was read, so the only fault left is the size of all.
        let set = set.build().map_err(|_| PatternFault::TooLarge)?;
        Ok(Self { set })
    }

    /// Says whether a path from the top of the tree, with `/` between parts, matches one of them.
    pub(crate) fn matches(&self, path: &[u8]) -> bool {
        self.set.is_match(Path::new(OsStr::from_bytes(path)))
    }

    /// Lists the patterns, by their places, that a path matches.
    pub(crate) fn matching(&self, path: &[u8]) -> Vec<usize> {
        self.set.matches(Path::new(OsStr::from_bytes(path)))
    }
}

/// Says why a path pattern is refused; none if it is not.
pub(crate) fn path_fault(pattern: &str) -> Option<PatternFault> {
    glob(pattern).err()
}

/// Reads one glob.
fn glob(pattern: &str) -> Result<globset::Glob, PatternFault> {
    refuse_dead(pattern)?;
    let mut builder = GlobBuilder::new(pattern);
    builder.literal_separator(true).backslash_escape(true);
    builder
        .build()
        .map_err(|error| PatternFault::Invalid(error.kind().to_string()))
}

/// Refuses a pattern that cannot match any path, and one of no reasonable length.
fn refuse_dead(pattern: &str) -> Result<(), PatternFault> {
    if pattern.len() > MAX_LENGTH {
        return Err(PatternFault::TooLarge);
    }
    let dead = |why: &str| Err(PatternFault::Invalid(why.to_owned()));
    if pattern.trim().is_empty() {
        return dead("it is blank");
    }
    if pattern.starts_with('/') {
        return dead("paths of the tree do not begin with `/`");
    }
    if pattern.ends_with('/') {
        return dead("it ends with `/` and matches no file; `dir/**` matches all files below");
    }
    let is_dead = |part: &str| matches!(part, "" | "." | "..");
    if pattern.split('/').any(is_dead) {
        return dead("paths of the tree have no empty, `.` or `..` part");
    }
    if escapes_a_letter(pattern) {
        return dead("`\\` escapes the character after it; parts are divided by `/`");
    }
    Ok(())
}

/// Says whether a backslash stands before a letter or digit, where it was meant to divide parts.
fn escapes_a_letter(pattern: &str) -> bool {
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        if c == '\\' && chars.next().is_some_and(char::is_alphanumeric) {
            return true;
        }
    }
    false
}

/// Reads a regular expression of a plan, and returns how many bytes it has at most once it is
/// compiled, which tells how long that takes. It is searched in linear time.
pub(crate) fn text(pattern: &str) -> Result<usize, PatternFault> {
    if pattern.len() > MAX_LENGTH {
        return Err(PatternFault::TooLarge);
    }
    for size in SIZES {
        match RegexBuilder::new(pattern).size_limit(size).build() {
            Ok(_) => return Ok(size),
            Err(regex::Error::CompiledTooBig(_)) => {}
            Err(error) => return Err(regex_fault(&error)),
        }
    }
    Err(PatternFault::TooLarge)
}

/// Sorts an error of the regex crate.
fn regex_fault(error: &regex::Error) -> PatternFault {
    match error {
        regex::Error::CompiledTooBig(_) => PatternFault::TooLarge,
        regex::Error::Syntax(report) => {
            let line = report.lines().find_map(|line| line.strip_prefix("error: "));
            let reason = line.unwrap_or("it cannot be read");
            if reason.contains("look-around") || reason.contains("backreference") {
                PatternFault::Unsupported
            } else {
                PatternFault::Invalid(reason.to_owned())
            }
        }
        other => PatternFault::Invalid(other.to_string()),
    }
}

/// Why a pattern is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum PatternFault {
    /// It cannot be read, and why.
    Invalid(String),
    /// It is too long, or too large once compiled.
    TooLarge,
    /// There are too many in one list.
    TooMany,
    /// It uses look-around or back-references.
    Unsupported,
}

impl fmt::Display for PatternFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(why) => f.write_str(why),
            Self::TooLarge => f.write_str("too long, or too large once compiled"),
            Self::TooMany => write!(f, "a list holds at most {MAX_PATTERNS} patterns"),
            Self::Unsupported => f.write_str(
                "look-around and back-references are not supported: patterns are searched in linear time",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        PathPatterns::new(&[pattern.to_owned()])
            .unwrap()
            .matches(path.as_bytes())
    }

    #[test]
    fn a_star_stays_inside_a_part() {
        assert!(matches("src/*.rs", "src/a.rs"));
        assert!(!matches("src/*.rs", "src/b/a.rs"));
        assert!(matches("src/**", "src/b/a.rs"));
        assert!(matches("**/a.rs", "a.rs"));
        assert!(matches("{a,b}/[!x]?", "b/yz"));
        assert!(!matches("a?b", "a/b"));
        assert!(matches("a\\*", "a*"));
    }

    #[test]
    fn patterns_that_match_nothing_are_refused() {
        let long = "a".repeat(5000);
        for pattern in [
            "", " ", "/a", "a/", "./a", "a//b", "a/../b", "[", "{a", "a\\", &long,
        ] {
            assert!(
                PathPatterns::new(&[pattern.to_owned()]).is_err(),
                "{pattern}"
            );
        }
    }

    #[test]
    fn a_list_of_patterns_is_bounded() {
        let mut patterns = vec!["?a".to_owned(); MAX_PATTERNS];
        assert!(PathPatterns::new(&patterns).is_ok());

        patterns.push("?a".to_owned());

        assert_eq!(
            PathPatterns::new(&patterns).unwrap_err(),
            PatternFault::TooMany
        );
    }

    #[test]
    fn unbounded_features_of_regular_expressions_are_named() {
        for pattern in ["(?=a)", "(?!a)b", "(?<=a)b", "(?<!a)b", r"(a)\1"] {
            assert_eq!(
                text(pattern).unwrap_err(),
                PatternFault::Unsupported,
                "{pattern}"
            );
        }
    }

    #[test]
    fn the_size_of_what_is_compiled_is_known() {
        for (pattern, size) in [
            ("passed", SIZES[0]),
            (r"(?im)^\w+\s+\d{1,3} passed$", SIZES[2]),
            (r"\pL{18}", SIZES[3]),
        ] {
            assert_eq!(text(pattern), Ok(size), "{pattern}");
        }
    }

    #[test]
    fn what_is_no_regular_expression_is_refused() {
        assert!(matches!(text("(").unwrap_err(), PatternFault::Invalid(_)));
        assert_eq!(text(r"\w{1000}").unwrap_err(), PatternFault::TooLarge);
        assert_eq!(text(&"a".repeat(5000)).unwrap_err(), PatternFault::TooLarge);
        assert!(text(r"(?im)^\w+\s+\d{1,3} passed$").is_ok());
    }
}
