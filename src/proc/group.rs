//! The process group of one run: signalled as a whole, and reaped to the last member.

use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;

/// How long killed processes are waited for: one in the kernel's hands may outlive its KILL.
const PATIENCE: Duration = Duration::from_secs(2);

/// A process group that we made. Its number stays ours while the leader is unreaped or a member
/// lives.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group(Pid);

impl Group {
    /// Takes the number of a child that leads its own group.
    pub(super) const fn of(leader: Pid) -> Self {
        Self(leader)
    }

    /// Asks every member to end; a stopped member is woken so that it hears.
    pub(super) fn ask(self) {
        self.send(Signal::SIGTERM);
        self.send(Signal::SIGCONT);
    }

    /// Ends every member.
    pub(super) fn kill(self) {
        self.send(Signal::SIGKILL);
    }

    /// Sends a signal. A group without members, or one that may not be signalled, is no error:
    /// whether it ended is seen by waiting.
    fn send(self, signal: Signal) {
        let _ = killpg(self.0, signal);
    }

    /// Reaps the members that became our children, after the leader and after [`Self::kill`].
    ///
    /// Says whether the KILL ended one. Bounded in time.
    pub(super) fn reap(self) -> bool {
        let mut killed = false;
        loop {
            match reap_one(Id::PGid(self.0), WaitPidFlag::WNOHANG) {
                Reaped::Killed => killed = true,
                Reaped::Other => {}
                Reaped::None => return killed,
                Reaped::NotYet => return self.reap_later() || killed,
            }
        }
    }

    /// Waits for members that are still on their way out.
    fn reap_later(self) -> bool {
        let Self(number) = self;
        within(PATIENCE, move || {
            let mut killed = false;
            loop {
                match reap_one(Id::PGid(number), WaitPidFlag::empty()) {
                    Reaped::Killed => killed = true,
                    Reaped::Other => {}
                    Reaped::None | Reaped::NotYet => return killed,
                }
            }
        })
        .unwrap_or(true)
    }
}

/// Reaps one child that was killed; false when it has not ended in time.
pub(super) fn reap_child(child: Pid) -> bool {
    within(PATIENCE, move || {
        loop {
            match reap_one(Id::Pid(child), WaitPidFlag::empty()) {
                Reaped::Killed | Reaped::Other | Reaped::None => return,
                Reaped::NotYet => {}
            }
        }
    })
    .is_some()
}

/// What one attempt to reap gave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reaped {
    /// A child that SIGKILL had ended.
    Killed,
    /// A child that ended in another way.
    Other,
    /// There is no such child.
    None,
    /// There is, but it lives.
    NotYet,
}

/// Tries to reap one child.
fn reap_one(which: Id<'_>, how: WaitPidFlag) -> Reaped {
    match waitid(which, WaitPidFlag::WEXITED | how) {
        Ok(WaitStatus::Signaled(_, Signal::SIGKILL, _)) => Reaped::Killed,
        Ok(WaitStatus::StillAlive) | Err(Errno::EINTR) => Reaped::NotYet,
        // EINVAL: it was reaped, but its signal (a real-time one) has no name here.
        Ok(_) | Err(Errno::EINVAL) => Reaped::Other,
        Err(_) => Reaped::None,
    }
}

/// Does work that may block, and stops waiting for it after a while.
fn within<T: Send + 'static>(
    limit: Duration,
    work: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (sender, receiver) = channel();
    let _detached = thread::Builder::new()
        .name("reaper".to_owned())
        .spawn(move || {
            let _unheard = sender.send(work());
        })
        .ok()?;
    receiver.recv_timeout(limit).ok()
}
