//! What git says of a push, read from the arguments of its hook and from standard input.

use std::time::Duration;

use crate::engine::stop::Stop;
use crate::model::pushed::{self, Push, Said};
use crate::proc::{Input, input};

/// How many bytes of lines are read: some hundred thousand references.
const LIMIT: usize = 32 << 20;
/// How long a line is waited for. Git writes all of them at once.
const PATIENCE: Duration = Duration::from_secs(3);

/// Reads both.
pub(super) fn read(arguments: &[String]) -> Result<Push, Stop> {
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
    Ok(Push {
        remote: argument(0),
        url: argument(1),
        said,
    })
}
