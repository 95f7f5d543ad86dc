//! Programs that make hooks themselves: what they make is not written to, their own files are.

use std::path::{Path, PathBuf};

use super::by_hand::{self, Written};
use crate::model::hook::Hook;

/// How much of a file is looked at, in bytes.
const LOOKED_AT: u64 = 1 << 20;

/// The files in which lefthook reads what it is to do.
const LEFTHOOK: [&str; 8] = [
    "lefthook.yml",
    "lefthook.yaml",
    "lefthook.toml",
    "lefthook.json",
    ".lefthook.yml",
    ".lefthook.yaml",
    ".config/lefthook.yml",
    ".config/lefthook.yaml",
];

/// A program that makes the hooks of a repository.
pub(super) enum Manager {
    /// husky: git calls what lies in `_`, and that calls the files beside it.
    Husky {
        /// The directory of the files that people write.
        directory: PathBuf,
    },
    /// lefthook: whatever installs packages writes the hooks anew.
    Lefthook {
        /// The file in which it reads what to do.
        file: PathBuf,
    },
}

impl Manager {
    /// Finds out who makes the hooks. pre-commit and git-lfs are none of these: their hooks are files
    /// that can be kept and called.
    pub(super) fn of(directory: &Path, top: Option<&Path>) -> Option<Self> {
        let is_named = |path: &Path, name: &str| path.file_name().is_some_and(|own| own == name);
        let is_made = directory.join("h").exists() || directory.join("husky.sh").exists();
        let is_husky = is_named(directory, "_")
            && (is_made
                || directory
                    .parent()
                    .is_some_and(|above| is_named(above, ".husky")));
        if is_husky {
            let directory = directory.parent()?.to_owned();
            return Some(Self::Husky { directory });
        }
        let mut files = LEFTHOOK
            .into_iter()
            .filter_map(|file| Some(top?.join(file)));
        let file = files.find(|file| file.is_file())?;
        Some(Self::Lefthook { file })
    }

    /// Returns its name.
    pub(super) const fn as_str(&self) -> &'static str {
        match self {
            Self::Husky { .. } => "husky",
            Self::Lefthook { .. } => "lefthook",
        }
    }

    /// Says whether its own files call us.
    pub(super) fn calls(&self, hook: Hook) -> bool {
        match self {
            Self::Husky { directory } => calls(&text(&directory.join(hook.as_str())), hook),
            Self::Lefthook { file } => calls(&text(file), hook),
        }
    }

    /// Returns the file to which lines are to be added, and how.
    pub(super) fn place(&self, hook: Hook) -> (String, Written) {
        match self {
            Self::Husky { directory } => {
                let file = directory.join(hook.as_str());
                let (file, written) = by_hand::place(&file);
                match written {
                    Written::Alone => (file, Written::Sourced),
                    Written::Before | Written::Sourced | Written::Lefthook => (file, written),
                }
            }
            Self::Lefthook { file } => (file.display().to_string(), Written::Lefthook),
        }
    }
}

/// Reads a file as far as it is looked at.
fn text(path: &Path) -> String {
    let is_small = path
        .metadata()
        .is_ok_and(|found| found.is_file() && found.len() <= LOOKED_AT);
    let bytes = is_small.then(|| std::fs::read(path).unwrap_or_default());
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

/// Says whether a script, or a file of a manager, has a line that calls our hook.
pub(in crate::app) fn calls(text: &str, hook: Hook) -> bool {
    let call = format!("plan-audit hook {}", hook.as_str());
    let is_call = |line: &str| {
        let mut parts = line.split(&call).skip(1);
        !line.trim_start().starts_with('#')
            && parts.any(|after| !after.starts_with(|c: char| c == '-' || c.is_alphanumeric()))
    };
    text.lines().any(is_call)
}

/// Says whether a script looks at the name under which it was called: under another one it would not
/// do what it did.
pub(super) fn asks_its_name(text: &str) -> bool {
    ["basename", "##*/", "BASH_ARGV0", "PROGRAM_NAME"]
        .into_iter()
        .any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_a_line_of_its_own_and_no_remark() {
        for (text, hook, expected) in [
            ("git plan-audit hook pre-push \"$@\"\n", Hook::Push, true),
            (
                "/opt/git-plan-audit hook pre-commit || exit",
                Hook::Commit,
                true,
            ),
            (
                "run: git plan-audit hook pre-merge-commit\n",
                Hook::Merge,
                true,
            ),
            ("# git plan-audit hook pre-push\n", Hook::Push, false),
            ("git plan-audit hook pre-pushed\n", Hook::Push, false),
            ("git plan-audit hook pre-commit\n", Hook::Push, false),
        ] {
            assert_eq!(calls(text, hook), expected, "{text}");
        }
    }

    #[test]
    fn a_script_that_asks_for_its_own_name_is_known() {
        assert!(asks_its_name("hook=$(basename \"$0\")"));
        assert!(asks_its_name("hook=${0##*/}"));
        assert!(!asks_its_name("here=$(dirname \"$0\")"));
    }
}
