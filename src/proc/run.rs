//! Runs one program of somebody else to its end, whatever it does, and leaves nothing behind.
//!
//! The program leads a group of its own. Its output comes through one pipe. It ends when its direct
//! child ends; then the whole group is ended, and with it what holds the pipe. No wait is without
//! an end.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::unistd::Pid;

use super::group::Group;
use super::orphans::{self, Watch};
use super::output::{Keep, Keeper, Output};
use super::pipe;
use super::running::Running;
use super::waiter::Waiter;
use super::{Interrupts, StartError, command};
use crate::model::check_user::CheckUser;

/// A time that no program is waited for.
pub(super) const FOREVER: Duration = Duration::from_hours(365 * 24);

/// What to run, and within which bounds.
#[derive(Clone, Debug)]
pub(crate) struct Spec {
    /// The program; an absolute path.
    pub(crate) program: PathBuf,
    /// The name by which the program is told it was called.
    pub(crate) called: OsString,
    /// Its arguments.
    pub(crate) args: Vec<OsString>,
    /// Where it runs.
    pub(crate) directory: PathBuf,
    /// All that it sees, but for the mark by which it is found again.
    pub(crate) environment: BTreeMap<OsString, OsString>,
    /// As whom it runs; none for who we are.
    pub(crate) user: Option<CheckUser>,
    /// Time that it may take.
    pub(crate) timeout: Duration,
    /// What it may write, in bytes.
    pub(crate) max_output: u64,
    /// How much of that is kept.
    pub(crate) keep: Keep,
}

/// How a program ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ended {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal, which was not ours.
    Signalled(i32),
    /// It took too long.
    TimedOut,
    /// It wrote too much.
    OutputLimit,
    /// We were told to stop.
    Interrupted,
    /// It stopped to ask the terminal.
    AskedTerminal,
    /// The system could not say how.
    Lost,
}

/// What became of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Finished {
    /// How it ended.
    pub(crate) ended: Ended,
    /// Time that it took.
    pub(crate) took: Duration,
    /// What it wrote.
    pub(crate) output: Output,
    /// Whether it left something behind that had to be ended.
    pub(crate) leaked: bool,
}

/// Runs a program to its end.
///
/// On return neither it nor, as far as the system lets us know them, any process that it started
/// is alive or unreaped. An error means that it did not run. `hear` is called with what it writes.
pub(crate) fn run(
    spec: &Spec,
    interrupts: &Interrupts,
    hear: &dyn Fn(&[u8]),
) -> Result<Finished, StartError> {
    let began = Instant::now();
    let keeper = Keeper::new(spec.keep, spec.max_output);
    if interrupts.came().is_some() {
        return Ok(Finished {
            ended: Ended::Interrupted,
            took: Duration::ZERO,
            output: keeper.finish(),
            leaked: false,
        });
    }
    let unwatched = |cause| StartError::Watch {
        program: spec.program.clone(),
        cause,
    };
    let (reader, writer) = pipe::watched().map_err(unwatched)?;
    let mark = mark(&reader).map_err(unwatched)?;
    let orphans = Watch::begin();
    let child = start(spec, writer, &mark)?;
    let leader = leader_of(&child);
    let watched = Waiter::of(leader).map(|waiter| {
        let deadline = began + spec.timeout.min(FOREVER);
        let mut running = Running::new(waiter, reader, keeper, Group::of(leader), deadline);
        running.watch(interrupts, hear);
        running
    });
    match watched {
        Ok(running) => Ok(running.close(child, &orphans, &mark, began)),
        Err(cause) => {
            abandon(child, &orphans, &mark);
            Err(unwatched(cause))
        }
    }
}

/// Returns what no other run on this machine is marked with while this one lasts.
fn mark(pipe: &PipeReader) -> io::Result<String> {
    let inode = nix::sys::stat::fstat(pipe.as_fd())?.st_ino;
    Ok(format!("{}-{inode}", std::process::id()))
}

/// Starts the program as the leader of a new group.
fn start(spec: &Spec, output: PipeWriter, mark: &str) -> Result<Child, StartError> {
    let errors = output.try_clone().map_err(|cause| StartError::Watch {
        program: spec.program.clone(),
        cause,
    })?;
    let mut command = command::command(&spec.program, &spec.environment);
    command
        .arg0(&spec.called)
        .args(&spec.args)
        .env(orphans::MARK, mark)
        .current_dir(&spec.directory)
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(output)
        .stderr(errors);
    if let Some(CheckUser { uid, gid }) = spec.user {
        // With the user, the standard library gives up every other group of ours.
        command.gid(gid).uid(uid);
    }
    command::start(command, &spec.program)
}

/// Returns the number of a child, which is the number of its group too.
pub(super) fn leader_of(child: &Child) -> Pid {
    // The system's numbers fit; one that did not would name nobody.
    Pid::from_raw(i32::try_from(child.id()).unwrap_or(i32::MAX))
}

/// Ends a program that cannot be watched.
fn abandon(mut child: Child, orphans: &Watch, mark: &str) {
    let group = Group::of(leader_of(&child));
    group.kill();
    drop(child.wait());
    group.reap();
    orphans.sweep(mark);
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
