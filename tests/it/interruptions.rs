//! Audits and runs that are ended at random moments leave nothing behind that the next command does
//! not mend. `PLAN_AUDIT_INTERRUPTIONS` says how many, `PLAN_AUDIT_SEED` which.

use std::env;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::support::{World, plans};

/// How many interruptions are tried without being asked for more.
const USUAL: u64 = 30;
/// Within how many milliseconds of its start a command is interrupted.
const WITHIN: u64 = 500;

/// Reads a number from the environment.
fn number(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |text| text.parse().unwrap())
}

/// Numbers that look random (splitmix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        let place = self.below(all.len().try_into().unwrap());
        all[usize::try_from(place).unwrap()]
    }
}

/// Lists processes of this world by what was asked of them: checks name a file of it.
fn checks(world: &World) -> Vec<String> {
    let mark = world.temp_path().join("mark");
    let mark = mark.to_str().unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| fs::read(entry.path().join("cmdline")).ok())
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.contains(mark) && line.starts_with("sh "))
        .collect()
}

/// Starts a command and ends it by a signal after a while; it may have ended before.
fn interrupt(mut command: Command, signal: Signal, after: Duration) -> Option<i32> {
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // This is the random moment, and waits for nothing.
    thread::sleep(after);
    kill(Pid::from_raw(child.id().try_into().unwrap()), signal).unwrap();
    child.wait().unwrap().code()
}

/// Lists what is written down or waits.
fn left(world: &World) -> Vec<String> {
    let local = world.top.join(".git/plan-audit");
    let folders = ["intents", "pending"].map(|folder| fs::read_dir(local.join(folder)));
    let entries = folders.into_iter().flatten().flatten().flatten();
    entries
        .map(|entry| entry.path().display().to_string())
        .collect()
}

#[test]
fn random_interruptions_leave_nothing_behind() {
    let mut plan = plans::good();
    let world = World::new();
    let mark = world.temp_path().join("mark");
    let check = |script: &str| json!([{ "type": "run", "argv": ["sh", "-c", script, mark] }]);
    plan["steps"] = json!([
        { "id": 1, "title": "Wait", "covers": ["R1"], "depends_on": [], "verify": check("sleep 0.1; true") },
        { "id": 2, "title": "Fork", "depends_on": [], "verify": check("sleep 0.1 & wait; true") }
    ]);
    let world = world.prepared(&plan);
    world.git(["commit", "-qm", "Work"]);
    let seed = number("PLAN_AUDIT_SEED", u64::from(std::process::id()));
    let mut dice = Dice(seed);

    for round in 0..number("PLAN_AUDIT_INTERRUPTIONS", USUAL) {
        let run = ["run", "1", "2", "--force", "--reason", "x"];
        let beside = ["audit", "--jobs", "2"];
        let line = dice.pick(&[&run[..], &beside, &["audit", "--checkout"]]);
        let signal = dice.pick(&[Signal::SIGKILL, Signal::SIGINT, Signal::SIGTERM]);
        let after = Duration::from_millis(dice.below(WITHIN));
        let told = format!("seed {seed}, round {round}: {line:?} {signal} after {after:?}");

        let code = interrupt(world.interruptible(line), signal, after);

        let known = [None, Some(0), Some(130), Some(143)];
        assert!(known.contains(&code), "{code:?}: {told}");
        if signal != Signal::SIGKILL {
            assert_eq!(checks(&world), [""; 0], "{told}");
        }
        // A lock of git's own is named by the next append, and a person removes it (DESIGN 7.2).
        drop(fs::remove_file(
            world.top.join(".git/refs/notes/plan-audit.lock"),
        ));
        world.run(run).exits(0);
        assert_eq!(checks(&world), [""; 0], "{told}");
        assert_eq!(left(&world), [""; 0], "{told}");
        assert_eq!(world.git(["status", "--porcelain"]).stdout, "", "{told}");
    }
    world.json(["audit"]).is("PASS", 0);
    let verified = world.json(["verify", "HEAD"]).is("PASS", 0);
    assert!(
        !verified
            .codes()
            .iter()
            .any(|code| code.starts_with("ledger-"))
    );
    let cache = world.home().join(".cache/git-plan-audit/checkouts");
    assert_eq!(fs::read_dir(cache).map_or(0, Iterator::count), 0);
}
