//! Hook files of ours: put beside what is there, and taken out again without a trace.
//!
//! The file that is installed is the one in hooks/, but for the line that names this program. What was
//! there before keeps its bytes, mode and links under another name, and ours calls it.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::LocalError;
use super::file::{unreadable, unwritable};
use crate::model::hook::Hook;

/// What follows the name of a hook that was there before ours.
const KEPT: &str = ".plan-audit-kept";
/// How much of a hook of somebody else is looked at, in bytes.
const LOOKED_AT: u64 = 1 << 20;
/// How the line begins that names this program.
const PROGRAM: &str = "program='";

/// What stands in the place of a hook.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Standing {
    /// Nothing.
    Absent,
    /// Ours, naming this program.
    Ours,
    /// Ours, naming another program.
    OursElsewhere,
    /// Ours, with lines that were put in, taken out or changed.
    Edited,
    /// A hook of somebody else, with its text as far as it is looked at.
    Foreign(String),
    /// Something that is no file.
    NoFile,
}

/// Returns the file of a hook, as it is in hooks/.
const fn source(hook: Hook) -> &'static str {
    match hook {
        Hook::Commit => include_str!("../../hooks/pre-commit"),
        Hook::Merge => include_str!("../../hooks/pre-merge-commit"),
        Hook::Push => include_str!("../../hooks/pre-push"),
    }
}

/// Returns the file of a hook with the line that names a program.
pub(crate) fn text(hook: Hook, program: &str) -> String {
    let quoted = program.replace('\'', r"'\''");
    source(hook).replacen(&format!("{PROGRAM}'"), &format!("{PROGRAM}{quoted}'"), 1)
}

/// Says what stands in the place of a hook.
pub(crate) fn standing(path: &Path, hook: Hook, program: &str) -> Result<Standing, LocalError> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        // No hook can be below what is no directory, as in core.hooksPath=/dev/null.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(Standing::Absent);
        }
        Err(error) => return Err(unreadable(path, error)),
    };
    if metadata.is_symlink() {
        // Ours is never a link; where it leads may be tracked, and is not followed but to be read.
        return Ok(Standing::Foreign(glimpse(path)));
    }
    if !metadata.is_file() {
        return Ok(Standing::NoFile);
    }
    let found = glimpse(path);
    let mode = metadata.permissions().mode();
    let is_ours = without_program(&found) == without_program(source(hook));
    Ok(
        if is_ours && found == text(hook, program) && mode & 0o111 != 0 {
            Standing::Ours
        } else if is_ours {
            Standing::OursElsewhere
        } else if is_edited(&found, hook) {
            Standing::Edited
        } else {
            Standing::Foreign(found)
        },
    )
}

/// Says whether a hook is one of ours with other lines: it names itself, wherever, or it begins as ours.
fn is_edited(found: &str, hook: Hook) -> bool {
    let ours = source(hook).lines();
    let marks: Vec<&str> = ours
        .filter(|line| line.starts_with("# git-plan-audit "))
        .collect();
    let is_kept = |line: &str| line == "kept=$0.plan-audit-kept";
    found
        .lines()
        .any(|line| marks.contains(&line) || is_kept(line))
}

/// Returns a text but for the line that names a program.
fn without_program(text: &str) -> Vec<&str> {
    let lines = text.split('\n');
    lines.filter(|line| !line.starts_with(PROGRAM)).collect()
}

/// Reads the beginning of a file; what is no regular file, or cannot be read, is empty.
fn glimpse(path: &Path) -> String {
    let is_file = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() <= LOOKED_AT);
    let bytes = if is_file {
        fs::read(path).unwrap_or_default()
    } else {
        Vec::new()
    };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Returns where a hook is kept that was there before ours.
pub(crate) fn kept(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(KEPT);
    PathBuf::from(name)
}

/// Says whether a hook is kept there.
pub(crate) fn is_kept(path: &Path) -> bool {
    fs::symlink_metadata(kept(path)).is_ok()
}

/// Puts our hook in a place where there is none, or where ours stands already.
pub(crate) fn put(path: &Path, text: &str) -> Result<(), LocalError> {
    let directory = path.parent().unwrap_or_else(|| Path::new("."));
    fs::create_dir_all(directory).map_err(|error| unwritable(directory, error))?;
    place(path, directory, text).map_err(|error| unwritable(path, error))
}

/// Writes beside and renames: whoever runs the hook meanwhile runs the old one or the new one.
fn place(path: &Path, directory: &Path, text: &str) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix(".plan-audit-")
        .tempfile_in(directory)?;
    file.write_all(text.as_bytes())?;
    file.as_file()
        .set_permissions(Permissions::from_mode(0o755))?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Keeps the hook that is there and puts ours in its place. There is a hook at every moment, where the
/// file system can give one file two names.
pub(crate) fn put_before(path: &Path, text: &str) -> Result<(), LocalError> {
    let kept = kept(path);
    let failed = |error| unwritable(&kept, error);
    if is_kept(path) && !are_one(path, &kept) {
        return Err(failed(ErrorKind::AlreadyExists.into()));
    }
    if !is_kept(path) && fs::hard_link(path, &kept).is_err() {
        fs::rename(path, &kept).map_err(failed)?;
    }
    put(path, text).inspect_err(|_| {
        // Nothing is left of an attempt: the name that was given goes, or is given back.
        if are_one(path, &kept) {
            drop(fs::remove_file(&kept));
        } else if fs::symlink_metadata(path).is_err() {
            drop(fs::rename(&kept, path));
        }
    })
}

/// Says whether two names are of one file, as after an attempt that was killed.
fn are_one(one: &Path, other: &Path) -> bool {
    let of = |path: &Path| fs::symlink_metadata(path).map(|found| (found.dev(), found.ino()));
    matches!((of(one), of(other)), (Ok(one), Ok(other)) if one == other)
}

/// Takes our hook out; what was kept is there again as it was.
pub(crate) fn take_out(path: &Path) -> Result<(), LocalError> {
    let done = if is_kept(path) {
        fs::rename(kept(path), path)
    } else {
        fs::remove_file(path)
    };
    done.map_err(|error| unwritable(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM_HERE: &str = "/opt/it's here/git-plan-audit";

    fn scratch() -> (tempfile::TempDir, PathBuf) {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("hooks/pre-push");
        (scratch, path)
    }

    #[test]
    fn the_file_names_the_program_and_is_known_again() {
        for hook in Hook::ALL {
            let (_scratch, path) = scratch();
            let here = text(hook, PROGRAM_HERE);
            assert!(here.contains("program='/opt/it'\\''s here/git-plan-audit'\n"));
            assert_eq!(
                standing(&path, hook, PROGRAM_HERE).unwrap(),
                Standing::Absent
            );

            put(&path, &here).unwrap();

            let seen = |program| standing(&path, hook, program).unwrap();
            assert_eq!(seen(PROGRAM_HERE), Standing::Ours);
            assert_eq!(seen("/elsewhere"), Standing::OursElsewhere);
            for (old, new) in [
                ("exit 1", "exit 0"),
                ("#!/bin/sh\n", "#!/bin/sh\nexit 0\n"),
                ("#!/bin/sh\n# git-plan-audit", "#!/bin/sh\n# my"),
            ] {
                fs::write(&path, here.replacen(old, new, 1)).unwrap();
                assert_eq!(seen(PROGRAM_HERE), Standing::Edited, "{old:?}");
            }
            take_out(&path).unwrap();
            assert_eq!(seen(PROGRAM_HERE), Standing::Absent);
        }
    }

    #[test]
    fn one_that_lost_its_mode_is_put_anew() {
        let (_scratch, path) = scratch();
        let here = text(Hook::Push, PROGRAM_HERE);
        put(&path, &here).unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();

        let seen = standing(&path, Hook::Push, PROGRAM_HERE).unwrap();

        assert_eq!(seen, Standing::OursElsewhere);
    }

    #[test]
    fn what_was_there_comes_back_as_it_was() {
        let (_scratch, path) = scratch();
        let directory = path.parent().unwrap();
        fs::create_dir_all(directory).unwrap();
        fs::write(directory.join("real"), "#!/bin/sh\n# mine\n").unwrap();
        for is_link in [false, true] {
            if is_link {
                std::os::unix::fs::symlink("real", &path).unwrap();
            } else {
                fs::write(&path, "#!/bin/sh\n# own\n").unwrap();
                fs::set_permissions(&path, Permissions::from_mode(0o750)).unwrap();
            }
            let before = fs::symlink_metadata(&path).unwrap();
            let bytes = fs::read(&path).unwrap();

            // What an attempt left that was killed half-way is no obstacle.
            fs::hard_link(&path, kept(&path)).unwrap();
            put_before(&path, &text(Hook::Push, "")).unwrap();
            assert!(put_before(&path, "x").is_err());
            take_out(&path).unwrap();

            let after = fs::symlink_metadata(&path).unwrap();
            assert_eq!(after.permissions(), before.permissions());
            assert_eq!(after.is_symlink(), is_link);
            assert_eq!(fs::read(&path).unwrap(), bytes);
            assert_eq!(fs::read_dir(directory).unwrap().count(), 2);
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn below_what_is_no_directory_there_is_no_hook() {
        let seen = standing(Path::new("/dev/null/pre-push"), Hook::Push, "").unwrap();

        assert_eq!(seen, Standing::Absent);
    }

    #[test]
    fn what_is_no_file_is_left_alone() {
        let (_scratch, path) = scratch();
        fs::create_dir_all(&path).unwrap();

        let seen = standing(&path, Hook::Push, "").unwrap();

        assert_eq!(seen, Standing::NoFile);
    }
}
