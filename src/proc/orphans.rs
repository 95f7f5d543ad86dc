//! Daemons that left the group of a run: found because they become our children, and ended.
//!
//! Linux alone lets a process adopt the orphans below it. Elsewhere nothing is found. What is asked
//! to run by a service that was there before (a container engine, a scheduler) is not found either.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use super::group::reap_child;

/// The variable by which a program and what it starts are known to belong to one run.
pub(super) const MARK: &str = "PLAN_AUDIT_RUN";
/// How long orphans are hunted: one that multiplies faster than it is ended is given up.
const PATIENCE: Duration = Duration::from_secs(2);

/// Which orphans belong to a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    /// Every one that appears while it runs: nothing else starts processes meanwhile.
    Every,
    /// Those that carry its mark.
    Marked,
}

/// Watches for orphans of one run.
#[derive(Debug)]
pub(super) struct Watch {
    whose: Whose,
    before: BTreeSet<i32>,
}

impl Watch {
    /// Begins to watch, before the run starts.
    ///
    /// A run in the main thread is alone. Where runs go side by side, each in a thread of its own,
    /// only marked orphans can be told apart.
    pub(super) fn begin() -> Self {
        adopt();
        let whose = if is_main_thread() {
            Whose::Every
        } else {
            Whose::Marked
        };
        Self::of(whose)
    }

    /// Begins to watch for some.
    fn of(whose: Whose) -> Self {
        let before = match whose {
            Whose::Every => children().iter().map(|child| child.pid).collect(),
            Whose::Marked => BTreeSet::new(),
        };
        Self { whose, before }
    }

    /// Ends and reaps what the run left behind; says whether something still lived.
    ///
    /// Comes after the run's own child was reaped. Bounded in time.
    pub(super) fn sweep(&self, mark: &str) -> bool {
        let give_up = Instant::now() + PATIENCE;
        let mut lived = false;
        loop {
            let orphans: Vec<Child> = children()
                .into_iter()
                .filter(|child| self.is_theirs(*child, mark))
                .collect();
            if orphans.is_empty() {
                return lived;
            }
            lived |= orphans.iter().any(|orphan| !orphan.is_zombie);
            if !end(&orphans) || Instant::now() > give_up {
                return true;
            }
        }
    }

    /// Ends and reaps what several runs left behind, of which none is told whose it was: a program
    /// that threw its mark away. Comes after the last of them; says whether something still lived.
    pub(super) fn sweep_rest(&self) -> bool {
        // In another thread than the main one other runs may go on: nobody else's are ended.
        self.whose == Whose::Every && self.sweep("")
    }

    /// Says whether a child of ours is an orphan of the run.
    fn is_theirs(&self, child: Child, mark: &str) -> bool {
        match self.whose {
            Whose::Every => !self.before.contains(&child.pid),
            Whose::Marked => carries(child.pid, mark),
        }
    }
}

/// Ends orphans; says whether all of them ended in time.
fn end(orphans: &[Child]) -> bool {
    for orphan in orphans {
        // It is our unreaped child, so the number is still its own.
        let _ = kill(Pid::from_raw(orphan.pid), Signal::SIGKILL);
    }
    orphans
        .iter()
        .all(|orphan| reap_child(Pid::from_raw(orphan.pid)))
}

/// A child of this process.
#[derive(Clone, Copy, Debug)]
struct Child {
    pid: i32,
    is_zombie: bool,
}

/// Lists our children, with one call where there are none.
fn children() -> Vec<Child> {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    if waitid(Id::All, flags) == Err(Errno::ECHILD) {
        return Vec::new();
    }
    let us = Pid::this().as_raw();
    let Ok(processes) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid| child_of(us, pid))
        .collect()
}

/// Reads whether a process is our child.
fn child_of(us: i32, pid: i32) -> Option<Child> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat);
    // The name in brackets may itself hold brackets and spaces; no field after it does.
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let is_zombie = fields.next()? == "Z";
    let parent: i32 = fields.next()?.parse().ok()?;
    (parent == us).then_some(Child { pid, is_zombie })
}

/// Says whether a process was started with this mark.
fn carries(pid: i32, mark: &str) -> bool {
    let wanted = format!("{MARK}={mark}");
    fs::read(format!("/proc/{pid}/environ")).is_ok_and(|environment| {
        environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted.as_bytes())
    })
}

/// Becomes the process that adopts orphans below it.
#[cfg(target_os = "linux")]
fn adopt() {
    let _ = nix::sys::prctl::set_child_subreaper(true);
}

/// Elsewhere orphans go to the first process.
#[cfg(not(target_os = "linux"))]
fn adopt() {}

/// Says whether this is the thread that the process began with.
#[cfg(target_os = "linux")]
fn is_main_thread() -> bool {
    nix::unistd::gettid() == Pid::this()
}

/// Elsewhere nothing is adopted, so nothing hangs on it.
#[cfg(not(target_os = "linux"))]
fn is_main_thread() -> bool {
    false
}
