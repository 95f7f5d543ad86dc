//! Speed: medians of our binary against stock git and bare loops, in one run on one machine.
//!
//! Ratios are asserted, absolute figures are printed. With `--quick` only what must not grow is
//! counted, which holds on any machine. Rows may be chosen by name.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a measurement may stop at the first surprise, and it starts processes itself"
)]

mod bare;
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
    /// What is done before each round, and not measured.
    before: Option<Box<dyn Fn()>>,
    ours: Box<dyn Fn()>,
    other: Box<dyn Fn()>,
    /// Work that nobody can do without, where a machine may need more than the bound for it alone.
    least: Option<Least>,
}

/// The least that the work of a row takes on this machine.
struct Least {
    name: &'static str,
    /// Within so much of the least a row holds, whatever the other takes.
    bound: f64,
    work: Box<dyn Fn()>,
}

impl Row {
    /// Measures all sides in turn, after one round that warms up, and says whether the bound holds.
    fn holds(&self) -> bool {
        let sides: Vec<&dyn Fn()> = [&self.ours, &self.other]
            .into_iter()
            .chain(self.least.as_ref().map(|least| &least.work))
            .map(Box::as_ref)
            .collect();
        let mut times = vec![Vec::new(); sides.len()];
        for round in 0..=self.rounds {
            if let Some(before) = &self.before {
                before();
            }
            for (work, times) in sides.iter().zip(&mut times) {
                let time = time(work);
                if round > 0 {
                    times.push(time);
                }
            }
        }
        let mut medians = times.into_iter().map(median);
        let ours = medians.next().unwrap_or_default();
        let other = medians.next().unwrap_or_default();
        let against_other = told(self.name, self.bound, ours, other);
        let mut against_least = false;
        if let Some((least, time)) = self.least.as_ref().zip(medians.next()) {
            against_least = told(least.name, least.bound, ours, time);
            told("  that least / the other", self.bound, time, other);
        }
        let holds = against_other || against_least;
        if !holds {
            println!("  TOO SLOW: {}", self.name);
        }
        holds
    }
}

/// Prints how one time stands to another, and says whether it is within the bound.
fn told(name: &str, bound: f64, ours: Duration, other: Duration) -> bool {
    let ratio = ours.as_secs_f64() / other.as_secs_f64();
    let holds = ratio <= bound;
    println!(
        "{name:<42} {:>9.2} ms {:>9.2} ms {ratio:>6.2} (at most {bound:.2}) {}",
        ours.as_secs_f64() * 1e3,
        other.as_secs_f64() * 1e3,
        if holds { "ok" } else { "above" }
    );
    holds
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
        before: None,
        ours: Box::new(move || here.ours(&["--version"])),
        other: Box::new(move || there.git(&["--version"])),
        least: None,
    }
}

/// Reading and hashing every file against a look at the stat data.
///
/// How much reading costs against looking is up to the kernel and the hashes that the processor
/// has instructions for: on some machines the bare loop alone is beyond the bound. There ours must
/// stay close to that loop.
fn fingerprint() -> Row {
    let place = Place::with_files(50_000);
    let same = place.clone();
    let files = place.files();
    Row {
        name: "fingerprint / git status, 50,000 files",
        bound: 3.5,
        rounds: 10,
        before: None,
        ours: Box::new(move || place.ours(&["fingerprint"])),
        other: Box::new(move || same.git(&["status"])),
        least: Some(Least {
            name: "  fingerprint / read and hash, bare loop",
            bound: 1.15,
            work: Box::new(move || bare::read_and_hash(&files)),
        }),
    }
}

/// Where every plan stands, by the stat data that git saw, against a look at the stat data.
fn status() -> Row {
    let place = Place::with_files(50_000);
    place.ours(&["init", "--no-hooks", "--hmac"]);
    place.seal_steps(1);
    let same = place.clone();
    Row {
        name: "status / git status, 50,000 files",
        bound: 1.4,
        rounds: 10,
        before: None,
        ours: Box::new(move || place.ours(&["status"])),
        other: Box::new(move || same.git(&["status"])),
        least: None,
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
        before: None,
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
        least: None,
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
        before: None,
        ours: Box::new(move || place.ours(&["audit"])),
        other: Box::new(move || (0..STEPS).for_each(|_| other.tool("true", &[]))),
        least: None,
    }
}

/// An audit of a wide graph, two steps at a time, against two bare loops side by side: the ideal.
fn wide() -> Row {
    const STEPS: usize = 8;
    const SECONDS: &str = "0.25";
    let place = Place::new();
    place.ours(&["init", "--no-hooks", "--hmac"]);
    place.seal_wide(STEPS, SECONDS);
    let other = place.clone();
    Row {
        name: "audit --jobs 2 of 8 steps / the ideal",
        bound: 1.2,
        rounds: 6,
        before: None,
        ours: Box::new(move || place.ours(&["audit", "--jobs", "2"])),
        other: Box::new(move || {
            let half = || (0..STEPS / 2).for_each(|_| other.tool("sleep", &[SECONDS]));
            std::thread::scope(|scope| {
                scope.spawn(half);
                half();
            });
        }),
        least: None,
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
        before: None,
        ours: Box::new(move || place.ours(&["audit", "--commit", "HEAD"])),
        other: Box::new(move || {
            same.git(&["worktree", "add", "--detach", "../other"]);
            same.git(&["worktree", "remove", "../other"]);
        }),
        least: None,
    }
}

/// How many claims are tested.
const CLAIMS: usize = 200;

/// The tests of 200 claims that texts are nowhere, against one search for the same words.
///
/// Both read all that is committed; ours checks each object by its hash, and records the evidence.
fn preflight() -> Row {
    let place = Place::with_files(20_000);
    place.ours(&["init", "--no-hooks", "--hmac"]);
    place.claim_absent(CLAIMS);
    let same = place.clone();
    Row {
        name: "preflight of 200 claims / git grep, 20,000",
        bound: 5.0,
        rounds: 5,
        before: None,
        ours: Box::new(move || place.ours(&["preflight"])),
        other: Box::new(move || same.grep_absent(CLAIMS)),
        least: None,
    }
}

/// The same again after a commit of one file, where earlier evidence may be taken over.
fn reuse() -> Row {
    let place = Place::with_files(20_000);
    place.ours(&["init", "--no-hooks", "--hmac"]);
    place.claim_absent(CLAIMS);
    place.ours(&["preflight"]);
    let (same, changing) = (place.clone(), place.clone());
    Row {
        name: "preflight --reuse / preflight, 200 claims",
        bound: 0.1,
        rounds: 5,
        before: Some(Box::new(move || changing.commit_one())),
        ours: Box::new(move || place.ours(&["preflight", "--reuse"])),
        other: Box::new(move || same.ours(&["preflight"])),
        least: None,
    }
}

/// Makes a row and the place that it is measured in.
type Make = fn() -> Row;

/// Every row, by the name that chooses it.
const ROWS: &[(&str, Make)] = &[
    ("start_up", start_up),
    ("append", append),
    ("audit", audit),
    ("wide", wide),
    ("fingerprint", fingerprint),
    ("status", status),
    ("checkout", checkout),
    ("preflight", preflight),
    ("reuse", reuse),
];

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "--quick") {
        return counts::hold();
    }
    println!(
        "{:<42} {:>12} {:>12} {:>6}",
        "ours / other", "ours", "other", "ratio"
    );
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|word| word == name);
    let rows = ROWS.iter().filter(|(name, _)| is_wanted(name));
    let slow = rows.filter(|(_, row)| !row().holds()).count();
    if slow == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
