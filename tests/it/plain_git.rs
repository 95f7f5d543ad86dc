//! Evidence is plain git: stock commands read it, check it and pack it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::{Proof, Ran, World, plans};

/// Demands that a git command says nothing on stderr.
#[track_caller]
fn quiet(ran: Ran) -> Ran {
    assert!(ran.stderr.is_empty(), "{ran}");
    ran
}

#[test]
fn stock_git_shows_the_evidence() {
    let world = World::proven();
    let line = world.record("audit");

    let log = quiet(world.git(["log", "--notes=plan-audit", "--all"]));
    let note = quiet(world.git(["notes", "--ref=plan-audit", "show", &line.target]));

    assert!(note.stdout.contains(&line.text), "{note}");
    assert!(log.stdout.contains(&line.text), "{log}");
}

#[test]
fn the_ledger_is_healthy_and_survives_packing() {
    let world = World::proven();

    for line in [
        vec!["fsck", "--strict", "--no-progress"],
        vec!["gc", "--quiet", "--prune=now"],
        vec!["fsck", "--strict", "--no-progress"],
    ] {
        quiet(world.git(line));
    }

    world.json(["verify", "HEAD"]).is("PASS", 0);
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn packed_refs_change_nothing() {
    let world = World::proven();

    quiet(world.git(["pack-refs", "--all"]));

    world.json(["verify", "HEAD"]).is("PASS", 0);
    world.json(["audit"]).is("PASS", 0);
}

#[test]
fn each_append_is_one_commit_with_a_subject_that_says_what() {
    let world = World::proven();

    let log = quiet(world.git(["log", "--format=%an|%s", "refs/notes/plan-audit"]));

    let subjects: Vec<_> = log.stdout.lines().collect();
    let tree: String = world.rev("HEAD^{tree}").chars().take(7).collect();
    assert!(
        subjects[0].starts_with("Ada|")
            && subjects[0].contains("PASS")
            && subjects[0].contains(&tree),
        "{log}"
    );
    assert!(subjects.len() >= 2, "{log}");
}

#[test]
fn without_an_identity_it_still_records() {
    let world = World::sealed();
    fs::write(world.home().join("gitconfig"), "").unwrap();

    world.json(["audit"]).is("FAIL", 1);

    assert!(world.record("audit").text.contains("\"kind\":\"audit\""));
}

#[test]
fn contracts_are_kept_by_the_ledger() {
    let world = World::proven();
    let mirror = world.bare();

    let listed = mirror.git(["notes", "--ref=plan-audit", "list"]).stdout;

    let kept = listed
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter(|(blob, target)| blob == target);
    assert_eq!(kept.count(), 1, "{listed}");
}

#[test]
fn a_stale_lock_of_git_is_named_and_left_alone() {
    let world = World::sealed();
    let lock = world.top.join(".git/refs/notes/plan-audit.lock");
    fs::write(&lock, "").unwrap();

    let ran = world.run(["audit"]).exits(3);

    ran.says("plan-audit.lock");
    assert!(lock.exists());
}

#[test]
fn what_could_not_be_recorded_goes_with_the_next_append() {
    // A lock that was there before would be found before the check runs.
    let script = "test -e .git/once || { : >.git/once; : >.git/refs/notes/plan-audit.lock; }";
    let world = World::new().prepared(&plans::of_argv(&["sh", "-c", script]));
    let lock = world.top.join(".git/refs/notes/plan-audit.lock");
    let waiting = world.json(["audit"]).is("UNKNOWN", 3);
    assert_eq!(waiting.at("/plans/default/usable"), false);
    assert!(waiting.codes().contains(&"not-recorded"));
    fs::remove_file(&lock).unwrap();

    world.json(["audit"]).is("PASS", 0);

    let log = world.json(["log"]);
    let audits = log
        .list("/records")
        .iter()
        .filter(|record| record["kind"] == "audit");
    assert_eq!(audits.count(), 2, "{}", log.ran);
    world.git(["commit", "-qm", "Work"]);
    world.json(["verify"]).is("PASS", 0);
}

/// Lists what is below a directory: its path, and its permissions.
fn permissions(directory: &Path) -> Vec<(String, u32)> {
    let mut found = Vec::new();
    let mut todo = vec![directory.to_owned()];
    while let Some(path) = todo.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let mode = metadata.permissions().mode() & 0o7777;
        found.push((path.display().to_string(), mode));
        if metadata.is_dir() {
            todo.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
    }
    found
}

#[test]
fn a_shared_repository_stays_shared() {
    for (value, file, directory) in [
        ("group", 0o660, 0o2770),
        ("all", 0o664, 0o2775),
        ("0640", 0o640, 0o2750),
    ] {
        let world = World::empty(Proof::Ssh);
        let shared = format!("--shared={value}");
        world.git(["init", "-q", "-b", "main", &shared]);
        world.commit("a.txt", "a");

        let plan = plans::of_argv(&["grep", "-x", "good", "work.txt"]);
        let world = world.prepared(&plan).finished();
        world.json(["run", "1"]).is("OK", 0);

        for (path, mode) in permissions(&world.top.join(".git")) {
            let is_directory = Path::new(&path).is_dir();
            // What checks wrote is its owner's alone.
            let is_odd = [
                "hooks/",
                "/description",
                "/info/",
                "/COMMIT_EDITMSG",
                "/outputs/",
            ]
            .iter()
            .any(|odd| path.contains(odd));
            let wanted = if is_directory { directory } else { file };
            let wanted = if mode & 0o200 == 0 {
                wanted & !0o222
            } else {
                wanted
            };
            assert!(
                is_odd || mode & wanted == wanted,
                "{value}: {path} {mode:o}"
            );
        }
    }
}

#[test]
fn a_step_under_way_is_seen_by_all_who_share_the_repository() {
    let world = World::empty(Proof::Ssh);
    world.git(["init", "-q", "-b", "main", "--shared=group"]);
    world.commit("a.txt", "a");
    let seen = "find .git/plan-audit/intents -name '*.json' -perm -060 | grep .";
    let world = world.prepared(&plans::of_argv(&["sh", "-c", seen]));

    world.json(["run"]).is("OK", 0);
}

#[test]
fn evidence_that_was_fetched_is_taken_over_as_told() {
    let world = World::proven();
    let bare = world.bare();
    let clone = world.temp_path().join("clone");
    let from = bare.top.to_str().unwrap();
    world.tool("git", ["clone", "-q", from, clone.to_str().unwrap()]);
    let clone = world.at(&clone);
    let is_told = || {
        let json = clone.json(["status"]).is("OK", 0);
        let findings = json.list("/findings").iter();
        let mut told = findings.filter(|each| each["code"] == "ledger-unmerged");
        told.next()
            .map(|each| each["hint"].as_str().unwrap().to_owned())
    };
    clone.run(["init", "--no-hooks"]).exits(0);
    assert_eq!(is_told(), None);
    world.json(["audit"]).is("PASS", 0);
    world.git(["push", "-q", from, "refs/notes/plan-audit"]);

    clone.git(["fetch", "-q"]);

    let hint = is_told().unwrap();
    clone.tool("sh", ["-ec", &hint]);
    assert_eq!(is_told(), None);
    let json = clone.json(["audit"]);
    assert!(!json.codes().contains(&"ledger-fork"), "{}", json.ran);
    clone.git(["update-ref", "-d", "refs/notes/plan-audit"]);
    clone.tool("sh", ["-ec", &is_told().unwrap()]);
    assert_eq!(is_told(), None);
}
