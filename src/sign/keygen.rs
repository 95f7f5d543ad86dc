//! Running ssh-keygen: one place, bounded in time, with exactly the environment handed in.

use std::io::{self, Write as _};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::SignError;
use crate::local::places::Environment;
use crate::model::text;

/// How long it may take: somebody may have to type a passphrase or touch a key.
const PATIENCE: Duration = Duration::from_mins(2);

/// How much of what it says is passed on.
const SAID: usize = 300;

/// Runs ssh-keygen with arguments and standard input, and returns its standard output.
pub(super) fn run(
    arguments: &[&std::ffi::OsStr],
    input: &[u8],
    environment: &Environment,
) -> Result<Vec<u8>, SignError> {
    let mut child = spawn(arguments, environment)?;
    if let Some(mut stdin) = child.stdin.take() {
        match stdin.write_all(input) {
            // It may end before it has read everything; its exit status tells why.
            Err(cause) if cause.kind() == io::ErrorKind::BrokenPipe => {}
            done => done.map_err(SignError::Run)?,
        }
    }
    let output = wait(child)?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(SignError::Keygen {
            said: said(&output.stderr),
        })
    }
}

/// Starts it.
fn spawn(arguments: &[&std::ffi::OsStr], environment: &Environment) -> Result<Child, SignError> {
    #[expect(clippy::disallowed_methods, reason = "the only process of this layer")]
    let mut command = Command::new("ssh-keygen");
    command
        .args(arguments)
        .env_clear()
        .envs(environment)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command.spawn().map_err(|cause| {
        if cause.kind() == io::ErrorKind::NotFound {
            SignError::NoKeygen
        } else {
            SignError::Run(cause)
        }
    })
}

/// Waits for its end, and ends it when it takes too long.
fn wait(child: Child) -> Result<Output, SignError> {
    let id = i32::try_from(child.id()).map(Pid::from_raw);
    let (sender, receiver) = mpsc::channel();
    let waiter = std::thread::Builder::new();
    waiter
        .spawn(move || drop(sender.send(child.wait_with_output())))
        .map_err(SignError::Run)?;
    if let Ok(output) = receiver.recv_timeout(PATIENCE) {
        return output.map_err(SignError::Run);
    }
    // Nobody has reaped it: the waiter would have told.
    if let Ok(id) = id {
        let _ = kill(id, Signal::SIGKILL);
    }
    Err(SignError::Slow { after: PATIENCE })
}

/// Returns its last words, safe to print.
fn said(stderr: &[u8]) -> String {
    let all = String::from_utf8_lossy(stderr);
    let last = all.lines().rfind(|line| !line.trim().is_empty());
    let shown = text::shown(last.unwrap_or("nothing").trim());
    shown.chars().take(SAID).collect()
}
