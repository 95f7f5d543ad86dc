//! Stock `git notes` beside ours: what it drops is put back, nothing is forced, and nothing is spoiled for ever.

use std::collections::BTreeSet;
use std::env;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::support::{Layout, Parts, Proof, World, finish, note_of, plans};

/// The ref of the ledger.
const LEDGER: &str = "refs/notes/plan-audit";
/// How many audits are made beside a loop of `git notes append`, where nothing else is asked for.
const USUAL: usize = 10;

/// Returns the ids of the records that the ledger holds.
fn ids(world: &World) -> BTreeSet<String> {
    let json = world.json(["fsck"]);
    let records = json.list("/records").iter();
    let proven = records.filter(|record| record["proof"] == "ok");
    proven
        .map(|record| record["id"].as_str().unwrap().to_owned())
        .collect()
}

/// Demands that what a person did to the ledger is mended by the next audit and nothing is lost.
#[track_caller]
fn mended(world: &World, before: &BTreeSet<String>) {
    world.json(["audit"]).is("PASS", 0);

    let after = ids(world);
    assert!(
        after.is_superset(before),
        "lost: {:?}",
        before.difference(&after)
    );
    world.json(["verify", "HEAD"]).is("PASS", 0);
    world.json(["fsck"]).is("OK", 0);
    world.git(["fsck", "--strict", "--no-dangling", "--no-progress"]);
}

#[test]
fn what_git_notes_add_append_copy_and_remove_do_is_mended() {
    let world = World::proven();
    let target = world.record("audit").target;
    let before = ids(&world);
    for line in [
        vec!["add", "-f", "-m", "mine", &target],
        vec!["append", "-m", "mine too", &target],
        vec!["append", "-m", "mine", "HEAD"],
        vec!["copy", "-f", &target, "HEAD"],
        vec!["copy", "-f", "HEAD", &target],
        vec!["remove", &target],
        vec!["remove", "--ignore-missing", &target, "HEAD"],
        vec!["prune"],
    ] {
        let notes = ["notes", "--ref=plan-audit"].into_iter();
        world.git(notes.chain(line.iter().copied()));
        assert_ne!(
            world.json(["verify", "HEAD"]).text("/outcome"),
            "FAIL",
            "{line:?}"
        );

        mended(&world, &before);
    }
}

#[test]
fn a_note_whose_commit_is_gone_may_be_pruned() {
    let world = World::proven();
    world.git(["checkout", "-q", "-b", "side"]);
    world.commit("side.txt", "x");
    world.json(["audit"]).is("PASS", 0);
    let before = ids(&world);
    let side = world.rev("HEAD");
    world.git(["checkout", "-q", "main"]);
    world.git(["branch", "-qD", "side"]);
    world.git(["reflog", "expire", "--expire=now", "--all"]);
    world.git(["gc", "-q", "--prune=now"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);

    world.git(["notes", "--ref=plan-audit", "prune"]);

    let listed = world.git(["notes", "--ref=plan-audit", "list"]).stdout;
    assert!(!listed.contains(&side), "{listed}");
    world.json(["audit"]).is("PASS", 0);
    assert!(ids(&world).is_superset(&before));
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn every_strategy_of_git_notes_merge_leaves_the_evidence_or_has_it_put_back() {
    for strategy in ["ours", "theirs", "union", "cat_sort_uniq"] {
        let world = World::proven();
        world.json(["audit"]).is("PASS", 0);
        let target = world.rev("HEAD");
        let base = world.rev(LEDGER);
        world.git(["update-ref", "refs/notes/other", &base]);
        world.json(["audit"]).is("PASS", 0);
        let before = ids(&world);
        // Somebody else wrote to the same note from the same base, and dropped a line of it.
        let lines = world.lines().into_iter();
        let own: Vec<_> = lines.filter(|line| line.target == target).collect();
        assert_eq!(own.len(), 2);
        let blob = world.blob(&(note_of(&own[1..], &target) + "theirs\n"));
        world.git(["notes", "--ref=other", "add", "-f", "-C", &blob, &target]);

        world.merge_notes(strategy, "other");

        mended(&world, &before);
    }
}

#[test]
fn a_manual_merge_that_is_abandoned_half_way_loses_nothing() {
    let world = World::proven();
    world.json(["audit"]).is("PASS", 0);
    let target = world.rev("HEAD");
    world.git(["update-ref", "refs/notes/other", LEDGER]);
    world.json(["audit"]).is("PASS", 0);
    let before = ids(&world);
    world.git(["notes", "--ref=other", "append", "-m", "theirs", &target]);
    let line = [
        "notes",
        "--ref=plan-audit",
        "merge",
        "-s",
        "manual",
        "other",
    ];
    let merge = finish(&mut world.command("git", &world.top, line));
    assert_ne!(merge.code, 0, "{merge}");

    world.json(["audit"]).is("PASS", 0);

    world.git(["notes", "--ref=plan-audit", "merge", "--abort"]);
    mended(&world, &before);
}

#[test]
fn notes_that_git_carries_over_to_rewritten_commits_are_noise() {
    let world = World::proven();
    world.git(["config", "notes.rewriteRef", LEDGER]);
    world.git(["config", "notes.rewrite.amend", "true"]);
    world.json(["audit"]).is("PASS", 0);
    let before = ids(&world);
    let old = world.rev("HEAD");

    world.git(["commit", "-q", "--amend", "-m", "Reworded"]);

    let new = world.rev("HEAD");
    let copied = world.lines().iter().any(|line| line.target == new);
    assert!(copied && old != new);
    let json = world.json(["verify", "HEAD"]).is("PASS", 0);
    assert!(json.codes().contains(&"ledger-moved"), "{}", json.ran);
    mended(&world, &before);
}

#[test]
fn audits_beside_a_loop_of_git_notes_append_all_arrive() {
    let audits = env::var("PLAN_AUDIT_APPENDS").map_or(USUAL, |text| text.parse().unwrap());
    let world = World::with(Layout::Main, Proof::Hmac).prepared(&plans::of_argv(&["true"]));
    world.git(["commit", "-qm", "Plan"]);
    let is_over = AtomicBool::new(false);

    let (mut appended, mut foreign) = (BTreeSet::new(), 0);
    thread::scope(|scope| {
        let loops = scope.spawn(|| {
            let mut count = 0;
            while !is_over.load(Ordering::Relaxed) {
                let line = ["notes", "--ref=plan-audit", "append", "-m", "noise", "HEAD"];
                // It loses against ours now and then, and says so.
                count += usize::from(finish(&mut world.command("git", &world.top, line)).code == 0);
            }
            count
        });
        for _ in 0..audits {
            let json = world.json(["audit"]);
            // Where the ledger moved each time, the lines wait for the next append.
            assert!([0, 3].contains(&json.ran.code), "{}", json.ran);
            if json.ran.code == 0 {
                appended.insert(json.text("/plans/default/record").to_owned());
            }
        }
        is_over.store(true, Ordering::Relaxed);
        foreign = loops.join().unwrap();
    });
    world.json(["audit"]).is("PASS", 0);

    let known = ids(&world);
    let lost: Vec<&String> = appended.difference(&known).collect();
    assert!(
        lost.is_empty() && !appended.is_empty(),
        "lost of {audits}: {lost:?}"
    );
    let log = world.json(["log"]);
    let counting = log.list("/records").iter();
    let counting = counting.filter(|record| record["kind"] == "audit").count();
    assert_eq!(counting, audits + 1, "{}", log.ran);
    assert!(foreign > 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
    let noise = world
        .lines()
        .iter()
        .filter(|line| line.text == "noise")
        .count();
    eprintln!("{audits} audits beside {foreign} of git notes append, of which {noise} are left");
}

#[test]
fn a_ledger_that_moved_under_every_name_of_git_is_still_one() {
    let world = World::proven();
    let before = ids(&world);
    let parts = Parts::of(&world.record("audit").text);

    world.git(["pack-refs", "--all"]);
    world.git(["repack", "-adq"]);
    world.git(["prune-packed"]);
    world.git(["gc", "-q", "--prune=now"]);

    assert!(ids(&world).contains(parts.id()));
    mended(&world, &before);
}
