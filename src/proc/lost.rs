//! Programs whose supervisor was killed: found by their mark, and ended.
//!
//! KILL gives nobody time to end what it started. The next command that starts or records something
//! does it instead. Linux alone tells of the environment of other processes.

use std::fs;
use std::path::PathBuf;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use super::orphans::MARK;

/// How often lost programs are looked for: one that multiplies faster than it is ended is given up.
const ROUNDS: usize = 3;

/// Ends every program of this user that carries the mark of a supervisor which is gone.
pub(crate) fn sweep() {
    // Who runs below a lost program would end itself.
    if mark_of("self").is_some() {
        return;
    }
    let Some(here) = namespace("self") else {
        return;
    };
    for _ in 0..ROUNDS {
        let lost = lost(&here);
        if lost.is_empty() {
            return;
        }
        for process in lost {
            let _ = kill(Pid::from_raw(process), Signal::SIGKILL);
        }
    }
}

/// Lists the lost programs of one namespace: in another one, numbers mean other processes.
fn lost(here: &PathBuf) -> Vec<i32> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter_map(|name| Some((name.parse().ok()?, name)))
        .filter(|(_, name)| mark_of(name).is_some_and(|mark| is_orphaned(&mark)))
        .filter(|(_, name)| namespace(name).as_ref() == Some(here))
        .map(|(process, _)| process)
        .collect()
}

/// Says whether the supervisor that a mark names is gone. Whoever has its number now is taken for it.
fn is_orphaned(mark: &str) -> bool {
    let supervisor = mark.split_once('-').map(|(process, _)| process);
    let supervisor = supervisor.and_then(|process| process.parse::<i32>().ok());
    let number = supervisor.filter(|process| *process > 0).map(Pid::from_raw);
    // One of another user may not be signalled, and is there.
    number.is_some_and(|process| kill(process, None) == Err(Errno::ESRCH))
}

/// Reads the mark with which a process was started.
fn mark_of(process: &str) -> Option<String> {
    let environment = fs::read(format!("/proc/{process}/environ")).ok()?;
    let prefix = format!("{MARK}=");
    environment
        .split(|byte| *byte == 0)
        .find_map(|variable| variable.strip_prefix(prefix.as_bytes()))
        .map(|mark| String::from_utf8_lossy(mark).into_owned())
}

/// Names the namespace in which a process has its number.
fn namespace(process: &str) -> Option<PathBuf> {
    fs::read_link(format!("/proc/{process}/ns/pid")).ok()
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    /// Starts a program that carries a mark.
    #[expect(clippy::disallowed_methods, reason = "the program is nobody's")]
    fn marked(mark: &str) -> Child {
        let mut command = Command::new("sleep");
        command.arg("600").env(MARK, mark).stdout(Stdio::null());
        command.spawn().unwrap()
    }

    #[test]
    fn a_program_is_ended_when_its_supervisor_is_gone_and_only_then() {
        let mut gone = marked("");
        gone.kill().unwrap();
        gone.wait().unwrap();
        let mut lost = marked(&format!("{}-1", gone.id()));
        let mut own = marked(&format!("{}-1", std::process::id()));
        let mut odd = marked("0-1");

        sweep();

        assert!(!lost.wait().unwrap().success());
        assert_eq!(
            (own.try_wait().unwrap(), odd.try_wait().unwrap()),
            (None, None)
        );
        for child in [&mut own, &mut odd] {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
