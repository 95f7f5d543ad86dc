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
const READING: [&[&str]; 8] = [
    &["verify", "HEAD"],
    &["status"],
    &["log"],
    &["fsck"],
    &["fsck", "--format", "json"],
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

/// Makes a world with an origin that has a ledger of its own, and a program that leaves a mark.
fn with_a_ledger_to_fetch() -> (World, PathBuf, PathBuf) {
    let world = World::new();
    let origin = world.bare();
    let blob = origin.git_with_input(["hash-object", "-w", "--stdin"], "x\n");
    let tree = format!("100644 blob {}\tx\n", blob.trimmed());
    let tree = origin.git_with_input(["mktree"], &tree).trimmed();
    let id = ["-c", "user.name=A", "-c", "user.email=a@example.invalid"];
    let commit = origin.git(id.into_iter().chain(["commit-tree", "-m", "x", &tree]));
    origin.git(["update-ref", "refs/notes/plan-audit", &commit.trimmed()]);
    let mark = world.temp_path().join("ran");
    let evil = world.temp_path().join("evil");
    fs::write(&evil, format!("#!/bin/sh\n: >{}\nexit 1\n", mark.display())).unwrap();
    world.tool("chmod", ["+x", evil.to_str().unwrap()]);
    world.git(["remote", "add", "origin", origin.top.to_str().unwrap()]);
    (world, evil, mark)
}

/// What a repository may say so that a fetch runs a program, `EVIL`.
const TRAPS: [&str; 12] = [
    "git config core.gitProxy EVIL; git config remote.origin.url git://localhost:1/x",
    "git init -q --bare ../lent.git; cd ../lent.git; pwd >../repo/.git/objects/info/alternates;
     sed -i s,$,/objects, ../repo/.git/objects/info/alternates; git config core.alternateRefsCommand EVIL;
     cd ../repo; git config core.alternateRefsCommand EVIL",
    "mkdir git-remote-x; cp EVIL evil; git config remote.origin.vcs x/../evil;
     git config protocol.x/../evil.allow always",
    "git clone -q ../bare.git lib 2>&1; git -c protocol.file.allow=always submodule --quiet add ../bare.git lib 2>&1;
     git commit -qm x; git config fetch.recurseSubmodules true; git config submodule.recurse true;
     git -C lib config remote.origin.uploadpack EVIL",
    "git config gc.auto 1; git config gc.autoDetach false; git config maintenance.autoDetach false;
     git config gc.recentObjectsHook EVIL; git config gc.pruneExpire now;
     seq 1000 | split -l 1 - ../many; ls ../many* | git hash-object -w --stdin-paths >/dev/null",
    "git config remote.origin.uploadpack EVIL",
    "git config remote.origin.url ext::EVIL; git config protocol.ext.allow always",
    "git config core.sshCommand EVIL; git config ssh.variant simple;
     git config remote.origin.url ssh://localhost:1/x",
    "git config core.hooksPath .git/h; mkdir -p .git/h .git/hooks; cp EVIL .git/h/reference-transaction;
     cp EVIL .git/hooks/reference-transaction; git config core.fsmonitor EVIL",
    "git config credential.helper '!EVIL'; git config credential.http://localhost:1.helper '!EVIL';
     git config remote.origin.url http://localhost:1/x",
    "git config core.repositoryFormatVersion 1; git config extensions.partialClone prom;
     git config remote.prom.url ../bare.git; git config remote.prom.promisor true;
     git config remote.prom.uploadpack EVIL",
    "git config --file .git/more core.sshCommand EVIL; git config include.path more;
     git config url.ssh://localhost:1/.insteadOf ../; git config remote.origin.url ../bare.git",
];

#[test]
fn what_the_repository_names_is_not_run_to_fetch_a_ledger() {
    for trap in TRAPS {
        let (world, evil, mark) = with_a_ledger_to_fetch();
        world.tool("sh", ["-ec", &trap.replace("EVIL", evil.to_str().unwrap())]);
        fs::remove_file(&mark).ok();

        let ran = world.run(["init", "--no-hooks"]).exits(0);

        assert!(!mark.exists(), "{trap}\n{ran}");
        let is_local = !trap.contains("url") && !trap.contains("::");
        let fetched = ran.stdout.contains("the ledger, fetched from origin");
        let loose = world.git(["count-objects"]).stdout;
        assert!(fetched || !is_local, "{trap}\n{ran}\n{loose}");
    }
}

#[test]
fn fetching_a_ledger_needs_what_the_user_says_and_leaves_nothing_behind() {
    let (world, ..) = with_a_ledger_to_fetch();
    world.git(["config", "remote.origin.url", "short:bare.git"]);
    world.git(["config", "--global", "url.../.insteadOf", "short:"]);
    let before = everything(&world.top.join(".git"));

    let ran = world.run(["init", "--no-hooks"]).exits(0);

    ran.says("the ledger, fetched from origin");
    world.git(["fsck", "--strict"]);
    let there = world.rev("refs/plan-audit/remotes/origin/notes");
    world.git([
        "merge-base",
        "--is-ancestor",
        &there,
        "refs/notes/plan-audit",
    ]);
    let refspec = "+refs/notes/plan-audit*:refs/plan-audit/remotes/origin/notes*";
    assert!(
        world
            .git(["config", "--get-all", "remote.origin.fetch"])
            .stdout
            .contains(refspec)
    );
    assert!(before.keys().all(|path| path.exists()));
    let left = world.home().join(".cache/git-plan-audit");
    let files = everything(&left)
        .values()
        .filter(|seen| seen.1 != 0 && !seen.3.is_empty())
        .count();
    assert_eq!(files, 0);
}
