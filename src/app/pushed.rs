//! What git says of a push, read from the arguments of its hook and from standard input.

use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::surroundings::Surroundings;
use crate::engine::stop::Stop;
use crate::model::pushed::{self, Canary, Push, Said};
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
    let url = argument(1);
    let canary = match surroundings.path(CANARY) {
        Some(file) => Some(noted(file, &said, &url)?),
        None => None,
    };
    Ok(Push {
        remote: argument(0),
        url,
        said,
        canary,
    })
}

/// Notes what was said of a push that `doctor` tries, in the file that it made.
fn noted(file: &Path, said: &Said, url: &str) -> Result<Canary, Stop> {
    let names = match said {
        Said::Lines(lines) => lines.iter().map(|line| line.name.as_str()).collect(),
        Said::Nothing | Said::Unread | Said::Unreadable(_) => vec!["nothing"],
    };
    let text = format!("{}\n", names.join("\n"));
    let opened = OpenOptions::new().append(true).open(file);
    let written = opened.and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| Stop::broken("note what the hook was told")(error.into()))?;
    let expected = file.parent().map(|parent| parent.join("remote.git"));
    Ok(if expected.as_deref() == Some(Path::new(url)) {
        Canary::Ours
    } else {
        Canary::Elsewhere
    })
}
