//! Being told to stop: INT, QUIT, TERM and HUP become something that a run can wait for.
//!
//! Rejected: blocking the signals and waiting for them in a thread. A blocked mask is inherited by
//! every program that is started, which could then not be asked to end.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::SigSet;
use signal_hook::consts::{
    SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXFSZ,
};
use signal_hook::iterator::Signals;

use super::pipe;

/// What counts as being told to stop.
const SIGNALS: [i32; 4] = [SIGINT, SIGQUIT, SIGTERM, SIGHUP];
/// What a program that we start must not inherit as ignored: it would behave otherwise than when it
/// is started by hand. A child that ends under an ignored SIGCHLD takes its exit code with it.
const INHERITED: [i32; 8] = [
    SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2,
];

/// Whether, and how often, this process was told to stop. Copies share what they know.
#[derive(Clone, Debug)]
pub(crate) struct Interrupts(Arc<Told>);

/// Within this time a signal is the echo of the one before it.
const ECHO: Duration = Duration::from_millis(300);

/// What all copies share.
#[derive(Debug)]
struct Told {
    /// The signal that came first, or 0.
    signal: AtomicI32,
    first: Gate,
    second: Gate,
}

/// A pipe that stays silent until its writing end is closed; then all who look at it see that.
#[derive(Debug)]
struct Gate {
    end: PipeReader,
    closed_by: Mutex<Option<PipeWriter>>,
}

impl Interrupts {
    /// Makes one that no signal reaches: the process keeps its default way of ending.
    pub(crate) fn none() -> io::Result<Self> {
        Ok(Self(Arc::new(Told {
            signal: AtomicI32::new(0),
            first: Gate::new()?,
            second: Gate::new()?,
        })))
    }

    /// Takes over INT, QUIT, TERM and HUP for the rest of the process; once, before other threads start.
    ///
    /// A signal that the process was started to ignore stays ignored by it, but not by the programs
    /// that it starts. The first one asks, the
    /// second one presses, the third one ends this process in the default way.
    pub(crate) fn install() -> io::Result<Self> {
        let told = Self::none()?;
        SigSet::empty().thread_set_mask()?;
        let ignored = ignored();
        for signal in INHERITED
            .into_iter()
            .filter(|signal| is_ignored(ignored, *signal))
        {
            // A handler that does nothing: we still ignore it, but programs begin with the default.
            let _ = signal_hook::flag::register(signal, Arc::default())?;
        }
        let signals = Signals::new(
            SIGNALS
                .iter()
                .filter(|signal| !is_ignored(ignored, **signal)),
        )?;
        let teller = told.clone();
        let _detached = thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || teller.listen(signals))?;
        Ok(told)
    }

    /// Returns the number of the signal that came first, if one came.
    pub(crate) fn came(&self) -> Option<i32> {
        Some(self.0.signal.load(Ordering::SeqCst)).filter(|signal| *signal != 0)
    }

    /// Returns what becomes readable when we are told to stop, and stays so.
    pub(super) fn first(&self) -> BorrowedFd<'_> {
        self.0.first.end.as_fd()
    }

    /// Returns what becomes readable when we are told again, and stays so.
    pub(super) fn second(&self) -> BorrowedFd<'_> {
        self.0.second.end.as_fd()
    }

    /// Passes on every signal, but the echo of one: git hands on to us what the terminal has sent
    /// to the whole group.
    fn listen(&self, mut signals: Signals) {
        let mut last: Option<Instant> = None;
        for signal in &mut signals {
            if last.is_some_and(|last| last.elapsed() < ECHO) {
                continue;
            }
            last = Some(Instant::now());
            if self.tell(signal) == Heard::Often {
                let _gone = signal_hook::low_level::emulate_default_handler(signal);
            }
        }
    }

    /// Takes note of a signal.
    pub(crate) fn tell(&self, signal: i32) -> Heard {
        let told = &self.0;
        let before = told
            .signal
            .compare_exchange(0, signal, Ordering::SeqCst, Ordering::SeqCst);
        if before.is_ok() {
            told.first.open();
            Heard::First
        } else if told.second.open() {
            Heard::Second
        } else {
            Heard::Often
        }
    }
}

/// Lets a write beyond the limit on the size of files (`ulimit -f`) give an error, where the
/// default is a silent death; programs that are started begin with the default.
pub(crate) fn outlive_file_limit() -> io::Result<()> {
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default())?;
    Ok(())
}

/// How often we were told to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heard {
    /// Once.
    First,
    /// Twice.
    Second,
    /// More than twice.
    Often,
}

impl Gate {
    /// Makes a closed gate.
    fn new() -> io::Result<Self> {
        let (end, closed_by) = pipe::watched()?;
        let closed_by = Mutex::new(Some(closed_by));
        Ok(Self { end, closed_by })
    }

    /// Opens it; says whether it was closed before.
    fn open(&self) -> bool {
        let mut closed_by = self
            .closed_by
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        closed_by.take().is_some()
    }
}

/// Returns the mask of signals that this process was started to ignore, where the system tells.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or_default()
}

/// Says whether a mask holds a signal.
const fn is_ignored(mask: u64, signal: i32) -> bool {
    mask >> (signal - 1) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_signal_is_the_one_that_is_named() {
        let interrupts = Interrupts::none().unwrap();
        assert_eq!(interrupts.came(), None);

        let heard = [15, 2, 2].map(|signal| interrupts.tell(signal));

        assert_eq!(heard, [Heard::First, Heard::Second, Heard::Often]);
        assert_eq!(interrupts.clone().came(), Some(15));
    }

    #[test]
    fn every_copy_sees_that_we_were_told() {
        let interrupts = Interrupts::none().unwrap();
        let copy = interrupts.clone();
        assert!(!pipe::is_ready(copy.first()));

        interrupts.tell(2);

        assert!(pipe::is_ready(copy.first()) && pipe::is_ready(interrupts.first()));
        assert!(!pipe::is_ready(copy.second()));
    }

    #[test]
    fn the_mask_of_ignored_signals_counts_from_one() {
        assert!(is_ignored(0b10, SIGINT) && !is_ignored(0b10, SIGTERM));
    }
}
