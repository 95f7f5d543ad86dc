//! Many processes at once: every record arrives. `PLAN_AUDIT_AUDITS` says how many audits each makes.

use std::collections::BTreeSet;
use std::env;
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Layout, Proof, World, plans};

/// Processes at a time, two in each worktree.
const PROCESSES: usize = 8;
/// Audits of each, where nothing else is asked for: enough for each to meet all others.
const USUAL: usize = 6;

/// Audits until it was let in; another audit of the same worktree is refused meanwhile.
fn audit(world: &World) -> Duration {
    loop {
        let start = Instant::now();
        let ran = world.run(["audit"]);
        if ran.code == 0 {
            return start.elapsed();
        }
        assert!(ran.code == 2 && ran.stderr.contains("lock"), "{ran}");
    }
}

#[test]
fn eight_processes_in_four_worktrees_lose_nothing() {
    let audits_of_each = env::var("PLAN_AUDIT_AUDITS").map_or(USUAL, |text| text.parse().unwrap());
    let world = World::with(Layout::Main, Proof::Hmac).prepared(&plans::of_argv(&["true"]));
    world.git(["commit", "-qm", "Plan"]);
    let mut worktrees = vec![world.clone()];
    worktrees.extend(["one", "two", "three"].map(|name| world.linked(name)));

    let threads: Vec<_> = (0..PROCESSES)
        .map(|number| {
            let own = worktrees[number % worktrees.len()].clone();
            thread::spawn(move || (0..audits_of_each).map(|_| audit(&own)).collect::<Vec<_>>())
        })
        .collect();
    let mut times: Vec<_> = threads
        .into_iter()
        .flat_map(|thread| thread.join().unwrap())
        .collect();

    times.sort_unstable();
    eprintln!(
        "p99 {:?}, median {:?}",
        times[times.len() * 99 / 100],
        times[times.len() / 2]
    );
    let json = world.json(["log"]).is("OK", 0);
    let audits = json
        .list("/records")
        .iter()
        .filter(|record| record["kind"] == "audit");
    assert!(audits.clone().all(|record| record["authenticated"] == true));
    let ids: BTreeSet<_> = audits.map(|record| record["id"].to_string()).collect();
    assert_eq!(ids.len(), PROCESSES * audits_of_each);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}
