//! A program under watch: what it may still do, and until when.
//!
//! It is a machine of a few phases. Each phase has a deadline, and each deadline leads to a later
//! phase, so the watch ends whatever the program does.

use std::io::{self, PipeReader};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::process::ExitStatusExt as _;
use std::process::Child;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;

use super::Interrupts;
use super::group::Group;
use super::orphans::Watch;
use super::output::Keeper;
use super::pipe::{self, Got};
use super::run::{Ended, Finished};
use super::waiter::{Event, Waiter};

/// Time between being asked to end and being ended.
pub(super) const GRACE: Duration = Duration::from_secs(2);
/// Time after the end of the program in which its pipe may still be held.
const LINGER: Duration = Duration::from_millis(200);
/// Time after which a program that was ended, and does not end, is given up.
const GIVE_UP: Duration = Duration::from_secs(5);
/// How much is read at once, in bytes.
const PIECE: usize = 64 * 1024;

/// What a run is waiting for.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Phase {
    /// The end of the program.
    Running,
    /// The same, after it was asked to end.
    Asked(Ended),
    /// The same, after it was ended.
    Killed(Ended),
    /// The pipe to be let go, after the program ended by itself.
    Lingering,
    /// Nothing; the reason is given if the program did not end by itself.
    Over(Option<Ended>),
}

/// A program under watch.
#[derive(Debug)]
pub(super) struct Running {
    phase: Phase,
    /// When the phase is over at the latest.
    deadline: Instant,
    waiter: Waiter,
    /// The output, until its end.
    pipe: Option<PipeReader>,
    buffer: Vec<u8>,
    keeper: Keeper,
    group: Group,
    /// Whether the program has ended and is unreaped.
    has_ended: bool,
    leaked: bool,
}

impl Running {
    /// Begins to watch.
    pub(super) fn new(
        waiter: Waiter,
        pipe: PipeReader,
        keeper: Keeper,
        group: Group,
        deadline: Instant,
    ) -> Self {
        Self {
            phase: Phase::Running,
            deadline,
            waiter,
            pipe: Some(pipe),
            buffer: vec![0; PIECE],
            keeper,
            group,
            has_ended: false,
            leaked: false,
        }
    }

    /// Watches until there is nothing to wait for.
    pub(super) fn watch(&mut self, interrupts: &Interrupts, hear: &dyn Fn(&[u8])) {
        while !matches!(self.phase, Phase::Over(_)) {
            if Instant::now() >= self.deadline {
                self.expire();
                continue;
            }
            if self.wait(interrupts).is_err() {
                self.lose();
            }
            self.hear(interrupts);
            self.follow();
            self.read(hear);
        }
    }

    /// Waits for the next thing to happen.
    fn wait(&self, interrupts: &Interrupts) -> io::Result<()> {
        let bell = (!self.has_ended).then(|| self.waiter.bell());
        let output = self.pipe.as_ref().map(PipeReader::as_fd);
        let descriptors: Vec<BorrowedFd<'_>> = [bell, output, self.ear(interrupts)]
            .into_iter()
            .flatten()
            .collect();
        pipe::wait(&descriptors, self.deadline)
    }

    /// Returns what tells us to stop, or to stop at once, where that would change anything.
    fn ear<'a>(&self, interrupts: &'a Interrupts) -> Option<BorrowedFd<'a>> {
        match &self.phase {
            Phase::Asked(Ended::Interrupted) => Some(interrupts.second()),
            Phase::Running | Phase::Asked(_) => Some(interrupts.first()),
            Phase::Killed(_) | Phase::Lingering | Phase::Over(_) => None,
        }
    }

    /// Obeys when we were told to stop.
    fn hear(&mut self, interrupts: &Interrupts) {
        if !self.ear(interrupts).is_some_and(pipe::is_ready) {
            return;
        }
        if let Phase::Asked(reason) = &self.phase {
            self.kill(reason.clone());
        } else {
            self.ask(Ended::Interrupted);
        }
    }

    /// Follows what became of the program.
    fn follow(&mut self) {
        if self.has_ended {
            return;
        }
        for event in self.waiter.events() {
            match event {
                Event::Stopped(Signal::SIGTTIN | Signal::SIGTTOU) => self.asked_terminal(),
                // Stopped for another reason: it may be woken, or time will end it.
                Event::Stopped(_) => {}
                Event::Ended => return self.ended(),
                Event::Lost => {
                    self.phase = Phase::Over(Some(Ended::Lost));
                    return;
                }
            }
        }
    }

    /// Ends a program that waits for the terminal.
    fn asked_terminal(&mut self) {
        if self.phase == Phase::Running {
            self.ask(Ended::AskedTerminal);
        }
    }

    /// Goes on after the end of the program.
    fn ended(&mut self) {
        self.has_ended = true;
        match &self.phase {
            Phase::Running => {
                self.phase = Phase::Lingering;
                self.deadline = Instant::now() + LINGER;
            }
            Phase::Asked(reason) | Phase::Killed(reason) => {
                self.phase = Phase::Over(Some(reason.clone()));
            }
            Phase::Lingering | Phase::Over(_) => {}
        }
    }

    /// Reads a piece of the output, even when it is no longer wanted: a program never blocks on us.
    fn read(&mut self, hear: &dyn Fn(&[u8])) {
        if let Some(pipe) = &self.pipe {
            match pipe::read(pipe, &mut self.buffer) {
                Got::Bytes(count) => {
                    let piece = self.buffer.get(..count).unwrap_or(&[]);
                    hear(piece);
                    self.keeper.take(piece);
                }
                Got::Nothing => {}
                Got::End => self.pipe = None,
            }
        }
        match &self.phase {
            Phase::Running if self.keeper.is_over() => self.kill(Ended::OutputLimit),
            Phase::Lingering if self.keeper.is_over() => {
                self.phase = Phase::Over(Some(Ended::OutputLimit));
            }
            Phase::Lingering if self.pipe.is_none() => self.phase = Phase::Over(None),
            Phase::Running
            | Phase::Asked(_)
            | Phase::Killed(_)
            | Phase::Lingering
            | Phase::Over(_) => {}
        }
    }

    /// Goes on when the time of a phase is over.
    fn expire(&mut self) {
        match &self.phase {
            Phase::Running => self.ask(Ended::TimedOut),
            Phase::Asked(reason) => self.kill(reason.clone()),
            Phase::Killed(reason) => {
                self.leaked = true;
                self.phase = Phase::Over(Some(reason.clone()));
            }
            Phase::Lingering => {
                self.leaked = true;
                self.phase = Phase::Over(None);
            }
            Phase::Over(_) => {}
        }
    }

    /// Asks the program to end.
    fn ask(&mut self, reason: Ended) {
        self.group.ask();
        self.phase = Phase::Asked(reason);
        self.deadline = Instant::now() + GRACE;
    }

    /// Ends the program.
    fn kill(&mut self, reason: Ended) {
        self.group.kill();
        self.phase = Phase::Killed(reason);
        self.deadline = Instant::now() + GIVE_UP;
    }

    /// Ends a program that can no longer be watched.
    fn lose(&mut self) {
        match &self.phase {
            Phase::Running | Phase::Asked(_) => self.kill(Ended::Lost),
            Phase::Lingering => self.phase = Phase::Over(Some(Ended::Lost)),
            // Its time is running already.
            Phase::Killed(_) | Phase::Over(_) => {}
        }
    }

    /// Ends what is left, reaps it, and says what became of the program.
    pub(super) fn close(
        mut self,
        mut child: Child,
        orphans: &Watch,
        mark: &str,
        began: Instant,
    ) -> Finished {
        let took = began.elapsed();
        self.group.kill();
        let natural = if self.has_ended {
            status_of(&mut child)
        } else {
            Ended::Lost
        };
        let left_in_group = self.group.reap();
        let left_outside = orphans.sweep(mark);
        self.drain();
        let reason = match self.phase {
            Phase::Over(None) if self.keeper.is_over() => Some(Ended::OutputLimit),
            Phase::Over(reason) => reason,
            Phase::Running | Phase::Asked(_) | Phase::Killed(_) | Phase::Lingering => {
                Some(Ended::Lost)
            }
        };
        Finished {
            leaked: self.leaked || left_outside || (left_in_group && reason.is_none()),
            ended: reason.unwrap_or(natural),
            took,
            output: self.keeper.finish(),
        }
    }

    /// Reads what the program left in the pipe, up to its limit.
    fn drain(&mut self) {
        let Some(pipe) = &self.pipe else { return };
        while let Got::Bytes(count) = pipe::read(pipe, &mut self.buffer) {
            self.keeper.take(self.buffer.get(..count).unwrap_or(&[]));
            if self.keeper.is_over() {
                return;
            }
        }
    }
}

/// Reaps a program that has ended; never waits.
fn status_of(child: &mut Child) -> Ended {
    let status = child.try_wait().ok().flatten();
    let code = status.and_then(|status| status.code()).map(Ended::Exited);
    let signal = || status.and_then(|status| status.signal());
    code.or_else(|| signal().map(Ended::Signalled))
        .unwrap_or(Ended::Lost)
}
