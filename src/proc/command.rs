//! The one place that makes a `Command`.
//!
//! What is set here keeps the fast way of starting processes open (`posix_spawn`): an absolute
//! program, a group, a directory, no code between fork and exec.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::{Child, Command};

use nix::errno::Errno;

use super::StartError;

/// Begins a command with nothing but the given environment.
pub(super) fn command(program: &Path, environment: &BTreeMap<OsString, OsString>) -> Command {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that starts processes"
    )]
    let mut command = Command::new(program);
    command.env_clear().envs(environment);
    command
}

/// Starts a command and drops it, so that no copy of its pipes stays open on our side.
pub(super) fn start(mut command: Command, program: &Path) -> Result<Child, StartError> {
    command.spawn().map_err(|cause| refused(program, cause))
}

/// Tells a file that is no program from every other reason.
fn refused(program: &Path, cause: io::Error) -> StartError {
    let program = program.to_path_buf();
    if cause.raw_os_error() == Some(i32_of(Errno::ENOEXEC)) {
        StartError::NotAProgram { program }
    } else {
        StartError::Program { program, cause }
    }
}

/// Returns the number of an error.
fn i32_of(errno: Errno) -> i32 {
    io::Error::from(errno).raw_os_error().unwrap_or_default()
}
