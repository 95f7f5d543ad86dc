//! Ignore rules: the tracked ones alone, and all of those that git goes by here.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use gix::bstr::ByteSlice as _;
use gix::glob::pattern::Case;
use gix::ignore::Search;
use gix::ignore::search::Ignore as Dialect;

use super::attributes::case;
use super::disk::file_in;
use crate::git::open::Repository;
use crate::git::plain;

/// The dialect of git: `$` is a letter like others.
const DIALECT: Dialect = Dialect {
    support_precious: false,
};

/// What becomes of an untracked path, the mildest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Seen {
    /// Git shows it.
    Shown,
    /// Only rules that are not tracked hide it.
    Hidden,
    /// A tracked rule ignores it.
    Ignored,
}

/// An ignore file of one directory.
#[derive(Debug)]
pub(super) struct Rules {
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// Whether its path is in the index.
    pub(super) is_tracked: bool,
}

/// The rules in force in one directory.
#[derive(Debug)]
pub(super) struct Ignores {
    /// The tracked files on the way, the deepest last.
    tracked: Search,
    /// All files on the way, the deepest last.
    all: Search,
    /// `core.excludesFile` and, stronger, `info/exclude`.
    outside: Search,
    /// How git matches here.
    case: Case,
}

impl Ignores {
    /// Begins with what stands outside of the work tree.
    pub(super) fn new(
        repository: &Repository,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let snapshot = repository.gix.config_snapshot();
        let set = snapshot.trusted_path("core.excludesFile")?;
        let file = set.or_else(|| gix::path::env::xdg_config("ignore", &mut gix::path::env::var));
        let info = repository.common_dir().join("info/exclude");
        let mut outside = Search::default();
        for path in file.into_iter().chain([info]) {
            // Git takes a file that it cannot read for none; so what it hides is shown here.
            if let Ok(Some(bytes)) = plain::read(&path) {
                outside.add_patterns_buffer(&lines(&bytes), path, None, DIALECT)?;
            }
        }
        Ok(Self {
            tracked: Search::default(),
            all: Search::default(),
            outside,
            case: case(repository),
        })
    }

    /// Begins with nothing.
    pub(super) fn nothing() -> Self {
        Self {
            tracked: Search::default(),
            all: Search::default(),
            outside: Search::default(),
            case: Case::Sensitive,
        }
    }

    /// Puts the file of a directory in force.
    pub(super) fn push(&mut self, directory: &[u8], rules: &Rules) {
        add(&mut self.all, directory, &rules.bytes);
        let bytes = if rules.is_tracked {
            rules.bytes.as_slice()
        } else {
            b""
        };
        add(&mut self.tracked, directory, bytes);
    }

    /// Ends the force of the file that was pushed last.
    pub(super) fn pop(&mut self) {
        drop(self.all.patterns.pop());
        drop(self.tracked.patterns.pop());
    }

    /// Says what becomes of a path whose directory is shown.
    ///
    /// Tracked rules are matched by exact case, whatever `core.ignoreCase` says.
    pub(super) fn verdict(&self, path: &[u8], is_directory: bool) -> Seen {
        let by = |search: &Search, case| {
            let found =
                search.pattern_matching_relative_path(path.as_bstr(), Some(is_directory), case);
            found.map(|found| !found.pattern.is_negative())
        };
        if by(&self.tracked, Case::Sensitive) == Some(true) {
            return Seen::Ignored;
        }
        let all = by(&self.all, self.case).or_else(|| by(&self.outside, self.case));
        if all == Some(true) {
            Seen::Hidden
        } else {
            Seen::Shown
        }
    }
}

impl Ignores {
    /// Names the rule that git goes by for a path whose directory is shown, as `FILE:LINE`.
    pub(super) fn rule(&self, path: &[u8], is_directory: bool) -> Option<Vec<u8>> {
        let by = |search: &'_ Search| {
            let is_directory = Some(is_directory);
            let found =
                search.pattern_matching_relative_path(path.as_bstr(), is_directory, self.case)?;
            let file = found.source?.as_os_str().as_bytes();
            Some([file, b":", found.sequence_number.to_string().as_bytes()].concat())
        };
        by(&self.all).or_else(|| by(&self.outside))
    }
}

/// Ends each line at its first NUL, as git does, for which a line is a text of C.
fn lines(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.contains(&0) {
        return Cow::Borrowed(bytes);
    }
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').map(|line| {
        let end = line.find_byte(0).unwrap_or(line.len());
        let text = line.get(..end).unwrap_or_default();
        let newline: &[u8] = if end < line.len() { b"\n" } else { b"" };
        [text, newline].concat()
    });
    Cow::Owned(lines.collect::<Vec<_>>().concat())
}

/// Adds the rules of one directory.
fn add(search: &mut Search, directory: &[u8], bytes: &[u8]) {
    let file = file_in(directory, b".gitignore");
    let source = PathBuf::from(OsStr::from_bytes(&file));
    // Adding a buffer fails only for a file without a parent directory, which a path always has.
    drop(search.add_patterns_buffer(&lines(bytes), source, Some(Path::new("")), DIALECT));
}
