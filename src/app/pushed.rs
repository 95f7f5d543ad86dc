//! What git says of a push, read from the arguments of its hook and from standard input.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
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

/// Reads both.
pub(super) fn read(arguments: &[String], surroundings: &Surroundings) -> Result<Push, Stop> {
    let handed = input(std::io::stdin(), LIMIT, PATIENCE);
    let handed = handed.map_err(|error| Stop::broken("read standard input")(error.into()))?;
    let said = match handed {
        Input::Whole(bytes) => pushed::read(&bytes),
        Input::Terminal => Said::Unread,
        Input::Endless(bytes) if bytes.is_empty() => Said::Unread,
        Input::Endless(_) => Said::Unreadable("they came to no end".to_owned()),
        Input::TooMuch => Said::Unreadable("they are too many".to_owned()),
    };
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
