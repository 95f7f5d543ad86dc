//! What a command does not do: complain of a closed stdout, write where it only reads, start programs.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::SystemTime;

use crate::support::{BINARY, Key, World, need, plans};

#[test]
fn a_closed_stdout_is_a_quiet_end() {
    let world = World::proven();
    let lines = [
        vec!["verify"],
        vec!["status"],
        vec!["log"],
        vec!["fingerprint"],
        vec!["validate"],
        vec!["audit"],
        vec!["help"],
        vec!["-h"],
        vec!["log", "--format", "json"],
        vec!["fingerprint", "--format", "json"],
    ];
    for line in lines {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = world.ours(&line);
        let output = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).to_lowercase();
        for word in ["panicked", "broken pipe", "error"] {
            assert!(!stderr.contains(word), "{line:?}: {stderr}");
        }
        assert_eq!(output.status.code(), Some(0), "{line:?}: {stderr}");
    }
}

#[test]
fn a_full_disk_behind_stdout_is_told() {
    let world = World::proven();
    for line in [
        vec!["log", "--format=json"],
        vec!["status"],
        vec!["audit"],
        vec!["-h"],
        vec!["--version"],
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = world.ours(&line);
        let output = command
            .stdout(full)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
            .wait_with_output()
            .unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        let told = "error: cannot write to standard output: No space left on device";
        assert!(stderr.contains(told), "{line:?}: {stderr}");
        assert_eq!(output.status.code(), Some(3), "{line:?}: {stderr}");
    }
}

/// What is known of one file.
type Seen = (u32, u64, Option<SystemTime>, Vec<u8>);

/// Reads everything below a folder.
fn everything(folder: &Path) -> BTreeMap<PathBuf, Seen> {
    use std::os::unix::fs::MetadataExt as _;
    let (mut found, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let about = fs::symlink_metadata(&path).unwrap();
            let content = if about.is_file() {
                fs::read(&path).unwrap()
            } else {
                Vec::new()
            };
            if about.is_dir() {
                folders.push(path.clone());
            }
            found.insert(
                path,
                (about.mode(), about.ino(), about.modified().ok(), content),
            );
        }
    }
    found
}

/// Commands that only read.
const READING: [&[&str]; 6] = [
    &["verify", "HEAD"],
    &["status"],
    &["log"],
    &["fingerprint"],
    &["validate"],
    &["verify", "HEAD", "--format", "json"],
];

#[test]
fn what_reads_writes_nothing_and_needs_no_programs() {
    let world = World::proven();
    let before = everything(&world.temp_path());

    for line in READING {
        let output = world.ours(line).env("PATH", "").output().unwrap();
        assert!(
            output.status.success(),
            "{line:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    let after = everything(&world.temp_path());
    let changed: Vec<_> = after
        .iter()
        .filter(|(path, seen)| before.get(*path) != Some(*seen))
        .map(|(path, _)| path)
        .collect();
    assert!(
        changed.is_empty() && before.len() == after.len(),
        "{changed:?}"
    );
}

#[test]
fn a_read_only_repository_can_be_judged() {
    let world = World::proven();
    world.tool("chmod", ["-R", "a-w", world.top.to_str().unwrap()]);

    let ran = world.run(["verify", "HEAD"]);

    world.tool("chmod", ["-R", "u+w", world.top.to_str().unwrap()]);
    ran.exits(0);
}

/// Runs a command under strace and returns the system calls of interest.
fn traced(world: &World, line: &[&str]) -> String {
    let log = world.temp_path().join("strace.log");
    let calls = "trace=execve,execveat,fork,vfork,clone,clone3,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,openat,open,creat";
    let start = [
        "-f",
        "-qq",
        "-e",
        calls,
        "-o",
        log.to_str().unwrap(),
        BINARY,
    ];
    world
        .command("strace", &world.dir, start.iter().chain(line))
        .output()
        .unwrap();
    fs::read_to_string(log).unwrap()
}

#[test]
fn a_judgement_starts_no_process_and_opens_nothing_for_writing() {
    if !need("strace") {
        return;
    }
    let world = World::proven();

    for line in READING {
        let log = traced(&world, line);
        let starts = log.lines().filter(|call| call.contains("exec")).count();
        assert_eq!(starts, 1, "{line:?}\n{log}");
        for call in log.lines() {
            let forks = ["fork(", "clone(", "clone3("]
                .iter()
                .any(|name| call.contains(name));
            assert!(!forks || call.contains("CLONE_THREAD"), "{line:?}: {call}");
            let writes = ["O_WRONLY", "O_RDWR", "O_CREAT", "unlink", "rename", "mkdir"]
                .iter()
                .any(|name| call.contains(name));
            assert!(!writes || call.contains("/dev/"), "{line:?}: {call}");
        }
    }
}

#[test]
fn a_judgement_in_a_bare_repository_writes_nothing() {
    let world = World::new();
    Key::make(&world, "ci").listed(&world);
    let bare = world.prepared(&plans::good()).finished().bare();
    let before = everything(&bare.temp_path());

    let output = bare
        .ours(["verify", "HEAD"])
        .env("PATH", "")
        .output()
        .unwrap();

    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(everything(&bare.temp_path()), before);
}
