//! Repositories inside a work tree: what their `.git` names, without waiting on anything.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::open::canonical;
use super::plain;

/// Returns the git directory that a `.git` directory or file names, if it looks like one.
pub(super) fn git_dir_of(dot_git: &Path) -> Option<PathBuf> {
    let git_dir = if dot_git.is_dir() {
        dot_git.to_owned()
    } else {
        target(dot_git)?
    };
    let common_dir = common_dir_of(&git_dir);
    let has_head = std::fs::symlink_metadata(git_dir.join("HEAD"))
        .is_ok_and(|head| head.is_file() || head.is_symlink());
    (has_head && common_dir.join("objects").is_dir() && common_dir.join("refs").is_dir())
        .then(|| canonical(&git_dir))
}

/// Returns the common directory of a git directory: what `commondir` names, or itself.
pub(super) fn common_dir_of(git_dir: &Path) -> PathBuf {
    match plain::read(&git_dir.join("commondir")) {
        Ok(Some(line)) => git_dir.join(OsStr::from_bytes(named(&line))),
        Ok(None) | Err(_) => git_dir.to_owned(),
    }
}

/// Says whether the directory is a work tree that this repository itself made.
///
/// Both ways must agree: `.git` names a directory below `worktrees/` of ours, and that one names
/// this `.git`. Else a file with one line would hide a whole directory.
pub(super) fn is_own_worktree(common_dir: &Path, dot_git: &Path) -> bool {
    let Some(git_dir) = target(dot_git).map(|path| canonical(&path)) else {
        return false;
    };
    let is_ours = git_dir.parent() == Some(&canonical(common_dir).join("worktrees"));
    is_ours
        && plain::read(&git_dir.join("gitdir"))
            .ok()
            .flatten()
            .is_some_and(|line| {
                let named = git_dir.join(OsStr::from_bytes(line.trim_ascii_end()));
                canonical(&named) == canonical(dot_git)
            })
}

/// Reads what a `.git` file names.
pub(super) fn target(dot_git: &Path) -> Option<PathBuf> {
    let text = plain::read(dot_git).ok().flatten()?;
    let named = named(text.strip_prefix(b"gitdir: ")?);
    let base = dot_git.parent()?;
    (!named.is_empty()).then(|| base.join(OsStr::from_bytes(named)))
}

/// Returns the path in a file that names a directory, as git takes it: blanks belong to the name,
/// line ends do not, and nothing after a NUL is seen.
fn named(text: &[u8]) -> &[u8] {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let length = text.iter().rposition(|byte| !is_end(byte));
    let line = text.get(..=length.unwrap_or_default()).unwrap_or_default();
    let line = if length.is_none() { b"" } else { line };
    line.split(|byte| *byte == 0).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_named_as_git_reads_it() {
        for (text, name) in [
            ("dir\n", "dir"),
            ("dir\r\n\n", "dir"),
            ("dir \n", "dir "),
            (" dir\t", " dir\t"),
            ("dir\nx\n", "dir\nx"),
            ("dir\0x\n", "dir"),
            ("\n", ""),
            ("", ""),
        ] {
            assert_eq!(named(text.as_bytes()), name.as_bytes(), "{text:?}");
        }
    }
}
