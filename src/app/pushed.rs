//! What git says of a push, read from the arguments of its hook and from standard input.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
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
