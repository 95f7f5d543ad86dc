//! What could not be signed waits until it can be, where nobody can plant anything (D24).

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::World;

/// Returns the files below a directory.
fn files(directory: PathBuf) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut todo = vec![directory];
    while let Some(directory) = todo.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                todo.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found
}

/// Returns where keys that we made are, and where what was not proven waits.
fn places(world: &World) -> (PathBuf, PathBuf) {
    let home = world.home();
    (
        home.join(".config/git-plan-audit/keys"),
        home.join(".local/state/git-plan-audit/unproven"),
    )
}

/// Damages the private keys so that they sign no more, and returns what mends them. That they are
/// there is looked at before any check runs.
fn damage(keys: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let private = |path: &PathBuf| path.extension().is_none();
    let found = files(keys.to_owned()).into_iter().filter(private);
    let kept: Vec<(PathBuf, Vec<u8>)> = found
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    for (path, _) in &kept {
        fs::write(path, "no key\n").unwrap();
    }
    assert!(!kept.is_empty());
    kept
}

/// Puts keys back.
fn mend(kept: Vec<(PathBuf, Vec<u8>)>) {
    for (path, bytes) in kept {
        fs::write(path, bytes).unwrap();
    }
}

#[test]
fn a_failed_audit_whose_key_does_not_sign_is_recorded_once_it_does() {
    let world = World::sealed();
    let (keys, waiting) = places(&world);
    let kept = damage(&keys);

    let audit = world.json(["audit"]).is("UNKNOWN", 3);

    assert!(audit.codes().contains(&"not-recorded"), "{}", audit.ran);
    assert!(audit.codes().contains(&"check-failed"), "{}", audit.ran);
    assert_eq!(files(waiting.clone()).len(), 1);
    let before = world.git(["notes", "--ref=plan-audit", "list"]).stdout;
    mend(kept);
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.json(["audit"]).is("PASS", 0);
    let after = world.git(["notes", "--ref=plan-audit", "list"]).stdout;
    assert_ne!(before, after);
    assert_eq!(files(waiting).len(), 0);
    let subjects = world.git(["log", "--format=%s", "-2", "refs/notes/plan-audit"]);
    let verdicts: Vec<&str> = subjects
        .stdout
        .lines()
        .filter_map(|line| line.split(' ').nth(2))
        .collect();
    assert_eq!(verdicts, ["PASS", "FAIL"]);
    let log = world.json(["log"]);
    assert!(log.codes().is_empty(), "{}", log.ran);
    world.git(["commit", "-qm", "Make the work good"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn nothing_that_is_planted_in_the_repository_is_signed() {
    let world = World::sealed();
    let (keys, waiting) = places(&world);
    world.write("work.txt", "good\n");
    let damaged = damage(&keys);
    world.json(["audit"]).is("UNKNOWN", 3);
    mend(damaged);
    let [kept] = files(waiting).try_into().unwrap();
    let tip = world.rev("refs/notes/plan-audit");
    for folder in ["pending", "unproven"] {
        let planted = world.top.join(".git/plan-audit").join(folder);
        fs::create_dir_all(&planted).unwrap();
        fs::copy(&kept, planted.join(kept.file_name().unwrap())).unwrap();
    }
    fs::remove_file(&kept).unwrap();

    let audit = world.run(["audit"]);

    assert_eq!(audit.code, 3, "{audit}");
    assert_eq!(world.rev("refs/notes/plan-audit"), tip, "{audit}");
}
