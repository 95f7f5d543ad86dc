//! Other people's programs: the only place that starts processes.
//!
//! `run` starts a check, which may do anything, and leaves nothing of it behind. `tool` starts one
//! of our own helpers. What a program means and what it may see is decided by the callers.

mod command;
mod crew;
pub(crate) mod file;
mod group;
mod inherited;
mod input;
pub(crate) mod lost;
mod orphans;
mod output;
mod pipe;
mod run;
mod running;
mod signals;
mod tool;
mod waiter;

pub(crate) use crew::{Left, Piece, side_by_side};
pub(crate) use inherited::close_inherited;
pub(crate) use input::{Input, input};
pub(crate) use output::{Keep, Output};
pub(crate) use run::{Ended, Finished, Spec, run};
pub(crate) use signals::{Interrupts, outlive_file_limit};
pub(crate) use tool::{ToolError, ToolOutput, ToolSpec, tool};

use std::io;
use std::path::PathBuf;

/// Lets no program that is started from now on gain rights that we have not (setuid programs such as
/// sudo); for the rest of the process, before other threads start programs.
#[cfg(target_os = "linux")]
pub(crate) fn gain_no_rights() -> io::Result<()> {
    Ok(nix::sys::prctl::set_no_new_privs()?)
}

/// Elsewhere there is no such promise, and so no other user either.
#[cfg(not(target_os = "linux"))]
pub(crate) fn gain_no_rights() -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Finds the name and the home of a user, where the system knows them.
pub(crate) fn user_of(uid: u32) -> Option<(String, PathBuf)> {
    let user = nix::unistd::User::from_uid(uid.into()).ok()??;
    Some((user.name, user.dir))
}

/// Why a program could not be started or watched.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartError {
    /// It is neither a binary of this system nor a script with a `#!` line.
    #[error("{} is neither a binary of this system nor a script with a `#!` line", program.display())]
    NotAProgram {
        /// What was to be started.
        program: PathBuf,
    },
    /// The system refused to start it.
    #[error("cannot start {}", program.display())]
    Program {
        /// What was to be started.
        program: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
    /// What is needed to watch it could not be made.
    #[error("cannot watch {}", program.display())]
    Watch {
        /// What was to be started.
        program: PathBuf,
        /// Why.
        #[source]
        cause: io::Error,
    },
}
