//! Evidence travels between clones: joined, never forced, and nothing of it is lost.

use std::fs;
use std::thread;

use crate::support::{Proof, World, plans};

/// The ref of the ledger.
const REF: &str = "refs/notes/plan-audit";

/// Makes a proven world whose evidence is at a bare remote, and a clone that can record.
fn two() -> (World, World, World) {
    let one = World::proven();
    let remote = one.with_remote();
    one.json(["sync"]).is("OK", 0);
    let other = one.cloned("other");
    other.init();
    (one, other, remote)
}

/// Lists the ids of all records of a ledger.
fn ids(world: &World) -> Vec<String> {
    let list = world.git(["notes", "--ref=plan-audit", "list"]).stdout;
    let mut found = Vec::new();
    for line in list.lines() {
        let (blob, target) = line.split_once(' ').unwrap();
        if blob == target {
            continue;
        }
        let text = world.git(["cat-file", "-p", blob]).stdout;
        for line in text.lines() {
            let after = line.rsplit_once("\"id\":\"").unwrap().1;
            found.push(after.split('"').next().unwrap().to_owned());
        }
    }
    found.sort();
    found
}

#[test]
fn clones_that_recorded_apart_end_with_one_ledger() {
    let (one, other, remote) = two();
    // The other one has the record that opened its chain.
    one.json(["audit"]).is("PASS", 0);
    let mut expected = [ids(&one), ids(&other)].concat();
    expected.sort();
    expected.dedup();

    one.json(["sync"]).is("OK", 0);
    let joined = other.json(["sync"]).is("OK", 0);
    let took = one.json(["sync"]).is("OK", 0);

    assert_eq!(joined.value["joined"], true, "{}", joined.ran);
    assert_eq!(joined.value["received"], 1, "{}", joined.ran);
    assert_eq!(took.value["joined"], false, "{}", took.ran);
    for world in [&one, &other, &remote] {
        assert_eq!(world.rev(REF), one.rev(REF));
        assert_eq!(ids(world), expected);
        world.git(["fsck", "--strict", "--no-dangling", "--no-progress"]);
    }
    let parents = one.git(["log", "-1", "--format=%P", REF]).trimmed();
    assert_eq!(parents.split(' ').count(), 2);
    let tip = one.rev(REF);
    let again = other.json(["sync"]).is("OK", 0);
    assert_eq!(
        (&again.value["received"], &again.value["sent"]),
        (&0.into(), &0.into())
    );
    assert_eq!(remote.rev(REF), tip);
    one.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn what_a_remote_lost_is_told_and_made_good() {
    let (one, _, remote) = two();
    let whole = remote.rev(REF);
    let first = remote.git(["rev-list", "--max-parents=0", REF]).trimmed();
    remote.git(["update-ref", REF, &first]);

    let made_good = one.json(["sync"]).is("OK", 0);
    assert!(
        made_good.codes().contains(&"remote-rolled-back"),
        "{}",
        made_good.ran
    );
    assert_eq!(remote.rev(REF), whole);
    assert!(one.json(["sync"]).is("OK", 0).codes().is_empty());

    // The whole ledger is gone: that is told until it is made good.
    remote.git(["update-ref", "-d", REF]);
    let fetched = one.json(["sync", "--fetch-only"]).is("OK", 0);
    assert!(
        fetched.codes().contains(&"remote-rolled-back"),
        "{}",
        fetched.ran
    );
    let gone = one.json(["sync"]).is("OK", 0);
    assert!(gone.codes().contains(&"remote-rolled-back"), "{}", gone.ran);
    assert_eq!(remote.rev(REF), whole);
}

#[test]
fn what_a_foreign_writer_dropped_comes_back() {
    let (one, other, remote) = two();
    let before = ids(&one);

    // By somebody who took it out and pushed that: what is here is joined with it.
    other.git(["notes", "--ref=plan-audit", "remove", "HEAD~1"]);
    other.git(["push", "-q", "origin", REF]);
    assert_ne!(ids(&remote), before);
    let synced = one.json(["sync"]).is("OK", 0);
    assert_eq!(synced.value["joined"], true, "{}", synced.ran);
    for id in &before {
        assert!(ids(&remote).contains(id));
    }

    // Here and there: the ledger's own history still has it.
    one.git(["notes", "--ref=plan-audit", "remove", "HEAD~1"]);
    one.git(["push", "-q", "origin", REF]);
    one.forget();
    let removed = one.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(
        removed.codes().contains(&"ledger-removed"),
        "{}",
        removed.ran
    );
    let repaired = one.json(["sync", "--repair"]).is("OK", 0);
    assert_eq!(repaired.value["repaired"], 2, "{}", repaired.ran);
    assert_eq!(ids(&remote), ids(&one));
    one.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn what_keeps_the_evidence_from_travelling_has_its_own_word() {
    let alone = World::proven();
    let none = alone.json(["sync"]).is("REFUSED", 2);
    assert!(none.codes().contains(&"which-remote"), "{}", none.ran);

    let (one, other, remote) = two();
    let unknown = one.json(["sync", "nowhere"]).is("REFUSED", 2);
    assert!(unknown.codes().contains(&"which-remote"), "{}", unknown.ran);

    other.json(["sync"]).is("OK", 0);
    let ahead = one.json(["sync", "--push-only"]).is("UNKNOWN", 3);
    assert!(ahead.codes().contains(&"remote-ahead"), "{}", ahead.ran);

    let hook = remote.top.join("hooks/pre-receive");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\nexit 1\n").unwrap();
    remote.tool("chmod", ["+x", hook.to_str().unwrap()]);
    one.json(["audit"]).is("PASS", 0);
    let tip = remote.rev(REF);
    let refused = one.json(["sync"]).is("UNKNOWN", 3);
    assert!(
        refused.codes().contains(&"remote-refused"),
        "{}",
        refused.ran
    );
    assert_eq!(remote.rev(REF), tip);
    assert_eq!(refused.value["received"], 1, "{}", refused.ran);
    fs::remove_file(&hook).unwrap();

    let merging = one.top.join(".git/NOTES_MERGE_REF");
    fs::write(&merging, format!("ref: {REF}\n")).unwrap();
    let unfinished = one.json(["sync"]).is("REFUSED", 2);
    assert!(
        unfinished.codes().contains(&"notes-merge-unfinished"),
        "{}",
        unfinished.ran
    );
    fs::remove_file(merging).unwrap();

    one.git(["remote", "set-url", "origin", "/nonexistent/repo.git"]);
    let silent = one.json(["sync"]).is("UNKNOWN", 3);
    assert!(
        silent.codes().contains(&"remote-unreachable"),
        "{}",
        silent.ran
    );
    one.json(["verify", "HEAD"]).is("PASS", 0);
}

/// Writes a tree of these modes, names and objects, as git would not.
fn tree(world: &World, entries: &[(&str, &str, &str)]) -> String {
    let byte = |id: &str, at: usize| u8::from_str_radix(id.get(at..at + 2).unwrap(), 16).unwrap();
    let mut bytes = Vec::new();
    for (mode, name, id) in entries {
        bytes.extend_from_slice(format!("{mode} {name}\0").as_bytes());
        bytes.extend((0..id.len()).step_by(2).map(|at| byte(id, at)));
    }
    let raw = world.top.join(".git/raw");
    fs::write(&raw, bytes).unwrap();
    let write = ["hash-object", "-t", "tree", "-w", "--literally"];
    let line = write.into_iter().chain([raw.to_str().unwrap()]);
    world.git(line).trimmed()
}

/// Commits a tree after the ledger.
fn after(world: &World, parent: &str, tree: &str) -> String {
    let line = ["commit-tree", "-m", "x", "-p", parent, tree];
    world.git(line).trimmed()
}

#[test]
fn who_may_write_notes_and_has_no_key_takes_no_evidence_away_for_good() {
    const EMPTY: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    let (one, other, remote) = two();
    other.json(["sync"]).is("OK", 0);
    one.json(["sync"]).is("OK", 0);
    let before = ids(&one);
    let blob = other.rev("HEAD:.plan-auditor/plan.json");
    let names = other.git(["ls-tree", "--name-only", REF]).stdout;
    let names: Vec<&str> = names.lines().collect();
    let below = tree(&other, &[("100644", "x", &blob)]);
    let directories: Vec<_> = names.iter().map(|name| ("40000", *name, &*below)).collect();
    let kept = [("100644", EMPTY, EMPTY)];
    let number = "1".repeat(40);
    let spoiled = [
        ("directories of the names of notes", &directories[..]),
        ("a note that claims to be kept", &kept),
        ("a note that is a tree", &[("100644", &*number, EMPTY)]),
    ];
    for (what, entries) in spoiled {
        let whole = other.rev(&format!("{REF}^{{tree}}"));
        let spoiled = after(&other, REF, &tree(&other, entries));
        let again = after(&other, &spoiled, &whole);
        for tip in [spoiled, again] {
            let line = format!("+{tip}:{REF}");
            other.git(["push", "-q", "origin", &line]);

            one.json(["sync"]).is("OK", 0);

            assert_eq!(ids(&one), before, "{what}");
            assert_eq!(ids(&remote), before, "{what}");
            one.json(["verify", "HEAD"]).is("PASS", 0);
        }
        other.git(["fetch", "-q", "origin", &format!("+{REF}:{REF}")]);
    }
    one.json(["audit"]).is("PASS", 0);
}

#[test]
fn a_remote_where_something_is_in_the_way_is_told_as_that() {
    let (one, _, remote) = two();
    one.json(["audit"]).is("PASS", 0);
    let lock = remote.top.join("refs/notes/plan-audit.lock");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    fs::write(&lock, "").unwrap();
    let locked = one.json(["sync"]).is("UNKNOWN", 3);
    assert_eq!(locked.codes(), ["remote-refused"], "{}", locked.ran);
    fs::remove_file(lock).unwrap();

    let tip = remote.rev(REF);
    remote.git(["update-ref", "-d", REF]);
    remote.git(["update-ref", &format!("{REF}/zz"), &tip]);
    let obstructed = one.json(["sync"]).is("UNKNOWN", 3);
    assert_eq!(obstructed.codes(), ["remote-refused"], "{}", obstructed.ran);
    one.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn what_was_not_sent_is_not_counted_as_sent() {
    let (one, _, remote) = two();
    one.json(["audit"]).is("PASS", 0);
    fs::rename(&remote.top, remote.top.with_extension("away")).unwrap();

    let offline = one.json(["sync"]).is("UNKNOWN", 3);

    assert_eq!(offline.value["sent"], 0, "{}", offline.ran);
}

#[test]
fn the_ledger_of_another_project_is_refused() {
    let (one, _, remote) = two();
    let stranger = World::new().prepared(&plans::good());
    stranger.git(["remote", "add", "origin", remote.top.to_str().unwrap()]);
    let before = stranger.rev(REF);

    let refused = stranger.json(["sync"]).is("REFUSED", 2);

    assert!(refused.codes().contains(&"other-ledger"), "{}", refused.ran);
    assert_eq!(stranger.rev(REF), before);
    assert_eq!(remote.rev(REF), one.rev(REF));
}

#[test]
fn a_clone_without_a_key_takes_and_judges() {
    let one = World::proven();
    one.with_remote();
    one.json(["sync"]).is("OK", 0);
    let reader = one.cloned("reader");

    reader.json(["verify", "HEAD"]).is("UNKNOWN", 3);
    let fetched = reader.json(["sync", "--fetch-only"]).is("OK", 0);

    assert_eq!(fetched.value["tip"], one.rev(REF));
    assert_eq!(ids(&reader), ids(&one));
    assert!(!reader.top.join(".git/plan-audit").exists());
}

#[test]
fn many_clones_at_once_lose_nothing() {
    let one = World::with(crate::support::Layout::Main, Proof::Hmac);
    let remote = one.with_remote();
    one.init();
    one.json(["sync"]).is("OK", 0);
    let clones: Vec<World> = (0..5)
        .map(|number| {
            let clone = one.cloned(&format!("clone{number}"));
            clone.init();
            clone
        })
        .collect();
    let mut expected: Vec<String> = clones.iter().flat_map(ids).collect();
    expected.sort();
    expected.dedup();

    thread::scope(|scope| {
        for clone in &clones {
            scope.spawn(|| clone.json(["sync"]).is("OK", 0));
        }
    });

    assert_eq!(ids(&remote), expected);
    let tip = remote.rev(REF);
    for clone in &clones {
        clone.json(["sync"]).is("OK", 0);
        assert_eq!(clone.rev(REF), tip);
    }
}
