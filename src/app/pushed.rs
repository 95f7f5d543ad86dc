//! What git says of a push, read from the arguments of its hook and from standard input.

use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::session::local;
use super::surroundings::Surroundings;
use crate::engine::stop::Stop;
use crate::local::file;
use crate::model::pushed::{self, Push, Said};
use crate::proc::{Input, input};

/// The variable by which `doctor` names the file in which is noted what a hook was told.
pub(super) const CANARY: &str = "PLAN_AUDIT_CANARY";
/// How many bytes of lines are read: some hundred thousand references.
const LIMIT: usize = 32 << 20;
/// How long a line is waited for. Git writes all of them at once.
const PATIENCE: Duration = Duration::from_secs(3);

/// Reads what a server is told of a push to it.
pub(super) fn received() -> Result<Said, Stop> {
    said(pushed::received)
}

/// Names the directories in which the objects of a push lie, beside those of the repository: what git
/// says to a hook of a server (git(1), `GIT_OBJECT_DIRECTORY`).
pub(super) fn incoming(surroundings: &Surroundings) -> Vec<PathBuf> {
    let own = surroundings.path("GIT_OBJECT_DIRECTORY");
    let others = surroundings.variable("GIT_ALTERNATE_OBJECT_DIRECTORIES");
    let others = others.map_or(&[][..], OsStr::as_bytes);
    let others = others.split(|byte| *byte == b':').map(unquoted);
    let others = others.filter(|path| path.is_dir());
    own.map(Path::to_path_buf)
        .into_iter()
        .chain(others)
        .collect()
}

/// Returns a path as it is meant: git quotes one that begins with a quote or holds a colon.
fn unquoted(path: &[u8]) -> PathBuf {
    let path = gix::bstr::BStr::new(path);
    let plain = gix::quote::ansi_c::undo(path);
    let plain = plain.map_or_else(|_| path.to_vec(), |(plain, _)| plain.to_vec());
    PathBuf::from(OsString::from_vec(plain))
}

/// Reads standard input as lines of one kind.
fn said(lines: impl Fn(&[u8]) -> Said) -> Result<Said, Stop> {
    let handed = input(std::io::stdin(), LIMIT, PATIENCE);
    let handed = handed.map_err(|error| Stop::broken("read standard input")(error.into()))?;
    Ok(match handed {
        Input::Whole(bytes) => lines(&bytes),
        Input::Terminal => Said::Unread,
        Input::Endless(bytes) if bytes.is_empty() => Said::Unread,
        Input::Endless(_) => Said::Unreadable("they came to no end".to_owned()),
        Input::TooMuch => Said::Unreadable("they are too many".to_owned()),
    })
}

/// Reads both.
pub(super) fn read(arguments: &[String], surroundings: &Surroundings) -> Result<Push, Stop> {
    let said = said(pushed::read)?;
    let argument = |place: usize| arguments.get(place).cloned().unwrap_or_default();
    let trial = surroundings.path(CANARY);
    if let Some(file) = trial {
        note(file, &said)?;
    }
    Ok(Push {
        remote: argument(0),
        url: argument(1),
        said,
        is_trial: trial.is_some(),
    })
}

/// Notes what was said of a push that `doctor` tries, in the file that it made. No other file is
/// written to, and whatever becomes of it, the push does not pass.
fn note(path: &Path, said: &Said) -> Result<(), Stop> {
    let text = file::read(path).map_err(local)?.unwrap_or_default();
    let Some(lines) = pushed::noted(&text, said) else {
        return Ok(());
    };
    let opened = OpenOptions::new().append(true).open(path);
    let written = opened.and_then(|mut file| file.write_all(lines.as_bytes()));
    written.map_err(|error| Stop::broken("note what the hook was told")(error.into()))
}
