//! A sign of life where nobody follows on a terminal: a plain line every few seconds while a step runs.
//!
//! Whoever waits for a hook that says nothing takes it for one that hangs, and goes past it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::progress::Progress;

/// How long nothing is said.
const PAUSE: Duration = Duration::from_secs(4);

/// What runs, by number: what it is called, and since when.
type Running = BTreeMap<u64, (String, Instant)>;

/// Tells of steps that run.
#[derive(Debug)]
pub(crate) struct Pulse {
    running: Mutex<Running>,
    changed: Condvar,
    /// Whether the thread that tells was begun.
    is_begun: AtomicBool,
    progress: Progress,
}

impl Pulse {
    /// Makes one that has nothing to tell yet.
    pub(crate) fn new(progress: Progress) -> Arc<Self> {
        Arc::new(Self {
            running: Mutex::default(),
            changed: Condvar::new(),
            is_begun: AtomicBool::new(false),
            progress,
        })
    }

    /// Says that a step runs. The first one begins the thread that tells, which ends with the last
    /// handle; where no thread can be had, nothing is told.
    pub(crate) fn begin(self: &Arc<Self>, step: u64, what: String) {
        self.lock().insert(step, (what, Instant::now()));
        self.changed.notify_all();
        if self.is_begun.swap(true, Ordering::SeqCst) {
            return;
        }
        let own = Arc::downgrade(self);
        let beat = move || {
            while let Some(pulse) = own.upgrade() {
                pulse.beat();
            }
        };
        let thread = std::thread::Builder::new().name("pulse".to_owned());
        drop(thread.spawn(beat));
    }

    /// Says that a step has ended.
    pub(crate) fn end(&self, step: u64) {
        self.lock().remove(&step);
        self.changed.notify_all();
    }

    /// Waits, and tells of what ran all the time.
    fn beat(&self) {
        let running = self.lock();
        let waited = self.changed.wait_timeout(running, PAUSE);
        let (running, result) = waited.unwrap_or_else(PoisonError::into_inner);
        if !result.timed_out() {
            return;
        }
        for line in lines(&running, Instant::now()) {
            self.progress.line(&line);
        }
    }

    /// Takes what runs.
    fn lock(&self) -> MutexGuard<'_, Running> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells of each step that runs for a while.
fn lines(running: &Running, now: Instant) -> Vec<String> {
    let told = running.values().map(|(what, since)| {
        let seconds = now.saturating_duration_since(*since).as_secs();
        (seconds, format!("  {what} runs for {seconds} s"))
    });
    told.filter(|(seconds, _)| *seconds > 0)
        .map(|(_, line)| line)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::screen::Noise;

    #[test]
    fn only_what_runs_for_a_while_is_told() {
        let pulse = Pulse::new(Progress::new(Noise::Quiet));
        pulse.begin(1, "step 1".to_owned());
        pulse.begin(2, "step 2".to_owned());
        pulse.end(2);
        let running = pulse.lock().clone();
        let now = Instant::now();

        assert!(lines(&running, now).is_empty());
        let later = lines(&running, now + Duration::from_secs(9));
        assert_eq!(later.len(), 1);
        assert!(
            later
                .iter()
                .all(|line| line.starts_with("  step 1 runs for "))
        );
    }
}
