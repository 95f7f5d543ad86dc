//! Speed: medians of our binary against stock git and bare loops, in one run on one machine.
//!
//! Ratios are asserted, absolute figures are printed. With `--quick` only what must not grow is
//! counted, which holds on any machine.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement may stop at the first surprise, and it starts processes itself"
)]

mod counts;
mod place;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use place::Place;

/// One row: ours may take at most `bound` times what the other takes.
struct Row {
    name: &'static str,
    bound: f64,
    /// How often each side is measured.
    rounds: usize,
    ours: Box<dyn Fn()>,
    other: Box<dyn Fn()>,
}

impl Row {
    /// Measures both sides in turn, after one round that warms up, and says whether the bound holds.
    fn holds(&self) -> bool {
        (self.ours)();
        (self.other)();
        let (mut ours, mut other) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            ours.push(time(&self.ours));
            other.push(time(&self.other));
        }
        let (ours, other) = (median(ours), median(other));
        let ratio = ours.as_secs_f64() / other.as_secs_f64();
        let verdict = if ratio <= self.bound {
            "ok"
        } else {
            "TOO SLOW"
        };
        println!(
            "{:<42} {:>9.2} ms {:>9.2} ms {ratio:>6.2} (at most {:.1}) {verdict}",
            self.name,
            ours.as_secs_f64() * 1e3,
            other.as_secs_f64() * 1e3,
            self.bound
        );
        ratio <= self.bound
    }
}

/// Measures one call.
fn time(work: &dyn Fn()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Returns the middle of some times.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// Start-up against that of git.
fn start_up() -> Row {
    let (here, there) = (Place::new(), Place::new());
    Row {
        name: "--version / git --version",
        bound: 3.0,
        rounds: 30,
        ours: Box::new(move || here.ours(&["--version"])),
        other: Box::new(move || there.git(&["--version"])),
    }
}

/// Reading and hashing every file against a look at the stat data.
fn fingerprint() -> Row {
    let place = Place::with_files(50_000);
    let same = place.clone();
    Row {
        name: "fingerprint / git status, 50,000 files",
        bound: 3.5,
        rounds: 10,
        ours: Box::new(move || place.ours(&["fingerprint"])),
        other: Box::new(move || same.git(&["status"])),
    }
}

/// One durable append against the least that git needs for one.
fn append() -> Row {
    let place = Place::new();
    place.ours(&["init", "--no-hooks", "--hmac"]);
    let other = Place::new();
    Row {
        name: "one append / hash-object and update-ref",
        bound: 3.0,
        rounds: 30,
        ours: Box::new(move || {
            place.ours(&[
                "init",
                "--no-hooks",
                "--hmac",
                "--new-instance",
                "--reason",
                "bench",
            ]);
        }),
        other: Box::new(move || other.bare_append()),
    }
}

/// An audit of trivial steps against a bare loop that spawns as many processes.
fn audit() -> Row {
    const STEPS: usize = 300;
    let place = Place::new();
    place.ours(&["init", "--no-hooks", "--hmac"]);
    place.seal_steps(STEPS);
    let other = place.clone();
    Row {
        name: "audit of 300 steps / a loop of 300 `true`",
        bound: 2.0,
        rounds: 10,
        ours: Box::new(move || place.ours(&["audit"])),
        other: Box::new(move || (0..STEPS).for_each(|_| other.tool("true", &[]))),
    }
}

/// A private checkout, read back and removed, against a linked work tree of git's own.
///
/// Ours is the whole command: two states, one step, and one durable append are in it.
fn checkout() -> Row {
    let place = Place::with_files(10_000);
    place.ours(&["init", "--no-hooks", "--hmac"]);
    place.seal_steps(1);
    let same = place.clone();
    Row {
        name: "audit --commit / git worktree add, 10,000",
        bound: 2.0,
        rounds: 10,
        ours: Box::new(move || place.ours(&["audit", "--commit", "HEAD"])),
        other: Box::new(move || {
            same.git(&["worktree", "add", "--detach", "../other"]);
            same.git(&["worktree", "remove", "../other"]);
        }),
    }
}

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--quick") {
        return counts::hold();
    }
    println!(
        "{:<42} {:>12} {:>12} {:>6}",
        "ours / other", "ours", "other", "ratio"
    );
    let rows = [start_up, append, audit, fingerprint, checkout];
    let slow = rows.iter().filter(|row| !row().holds()).count();
    if slow == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
