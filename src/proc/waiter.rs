//! Waits for one child in a thread, so that its end is an event like any other.
//!
//! Rejected: a process descriptor (Linux only, unsafe code) and SIGCHLD (one handler for all).

use std::io::{self, PipeReader, PipeWriter, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use nix::errno::Errno;
use nix::sys::signal::Signal;
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

use super::pipe;

/// Something that became of the child.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Event {
    /// It was stopped by this signal, and still is.
    Stopped(Signal),
    /// It ended, and is left unreaped: until then its number cannot be given to anybody else.
    Ended,
    /// It cannot be waited for.
    Lost,
}

/// Watches one child to its end.
#[derive(Debug)]
pub(super) struct Waiter {
    events: Receiver<Event>,
    bell: PipeReader,
}

impl Waiter {
    /// Begins to watch a child of this process.
    pub(super) fn of(child: Pid) -> io::Result<Self> {
        let (bell, rope) = pipe::watched()?;
        let (sender, events) = channel();
        let _detached = thread::Builder::new()
            .name("waiter".to_owned())
            .stack_size(64 * 1024)
            .spawn(move || watch(child, &sender, rope))?;
        Ok(Self { events, bell })
    }

    /// Returns what has something to say when there are events.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.as_fd()
    }

    /// Returns what happened since the last time; a dead thread is a lost child.
    pub(super) fn events(&self) -> Vec<Event> {
        let mut ring = [0; 64];
        let silent = pipe::read(&self.bell, &mut ring) == pipe::Got::End;
        let mut events: Vec<Event> = self.events.try_iter().collect();
        if silent && events.is_empty() {
            events.push(Event::Lost);
        }
        events
    }
}

/// Tells every event until the child has ended.
fn watch(child: Pid, events: &Sender<Event>, mut rope: PipeWriter) {
    loop {
        let event = next(child);
        let told = event.is_none_or(|event| events.send(event).is_ok());
        let rung = rope.write_all(b".").is_ok();
        if !told || !rung || matches!(event, Some(Event::Ended | Event::Lost)) {
            return;
        }
    }
}

/// Waits for the next event; none when nothing is to be told.
fn next(child: Pid) -> Option<Event> {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WSTOPPED | WaitPidFlag::WNOWAIT;
    match waitid(Id::Pid(child), flags) {
        Ok(WaitStatus::Stopped(_, signal)) => {
            forget_stop(child);
            Some(Event::Stopped(signal))
        }
        // A signal that has no name here (a real-time one) comes as EINVAL; only an end has one.
        Ok(WaitStatus::Exited(..) | WaitStatus::Signaled(..)) | Err(Errno::EINVAL) => {
            Some(Event::Ended)
        }
        Err(Errno::EINTR) => None,
        Ok(_) | Err(_) => Some(Event::Lost),
    }
}

/// Takes the notice of a stop away, so that it is told once.
fn forget_stop(child: Pid) {
    let _ = waitid(Id::Pid(child), WaitPidFlag::WSTOPPED | WaitPidFlag::WNOHANG);
}
