//! Exit codes, by the table of docs/reference/exit-codes.md.

use std::io::Read as _;
use std::process::Stdio;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::support::{BINARY, Proof, World, finish, plans};

/// Makes a world for a row.
type Make = fn() -> World;

/// A repository with a key and no plan.
fn fresh() -> World {
    let world = World::new();
    world.init();
    world
}

/// A repository with a draft.
fn draft() -> World {
    let world = fresh();
    world.with_plan(&plans::good());
    world
}

/// A repository with a plan that is none.
fn broken() -> World {
    let world = fresh();
    world.write(".plan-auditor/plan.json", "{");
    world
}

/// A sealed plan whose check passes.
fn passing() -> World {
    World::new().prepared(&plans::of_argv(&["true"]))
}

/// A sealed plan whose check cannot start.
fn unstartable() -> World {
    World::new().prepared(&plans::of_argv(&["no-such-program-anywhere"]))
}

/// A commit that its sealed plan calls unfinished.
fn unfinished() -> World {
    let world = World::sealed();
    world.git(["commit", "-qm", "Work"]);
    world
}

/// A directory that is no repository.
fn nowhere() -> World {
    World::empty(Proof::Ssh)
}

/// A repository whose configuration cannot be read.
fn unreadable() -> World {
    let world = World::new();
    world.write(".git/config", "[core\n");
    world
}

/// A bare repository.
fn bare() -> World {
    World::new().bare()
}

/// A merge that is not resolved.
fn unmerged() -> World {
    let world = passing();
    world.git(["commit", "-qm", "Work"]);
    world.git(["checkout", "-q", "-b", "other"]);
    world.commit("work.txt", "one\n");
    world.git(["checkout", "-q", "main"]);
    world.commit("work.txt", "two\n");
    let merge = world
        .command("git", &world.top, ["merge", "-q", "other"])
        .output()
        .unwrap();
    assert!(!merge.status.success());
    world
}

/// What a world, a command and an exit code have to do with each other.
const TABLE: &[(Make, &[&str], i32)] = &[
    (World::new, &["init", "--no-hooks"], 0),
    (fresh, &["init", "--no-hooks"], 0),
    (nowhere, &["init", "--no-hooks"], 2),
    (World::new, &["init"], 0),
    (World::new, &["deinit"], 0),
    (nowhere, &["deinit"], 2),
    (World::new, &["doctor"], 1),
    (nowhere, &["doctor"], 2),
    (draft, &["validate"], 0),
    (broken, &["validate"], 2),
    (draft, &["seal"], 0),
    (passing, &["seal"], 0),
    (broken, &["seal"], 2),
    (fresh, &["seal"], 2),
    (unmerged, &["audit"], 2),
    (passing, &["audit"], 0),
    (World::sealed, &["audit"], 1),
    (draft, &["audit"], 2),
    (broken, &["audit"], 2),
    (fresh, &["audit"], 3),
    (unstartable, &["audit"], 3),
    (passing, &["run"], 0),
    (World::sealed, &["run"], 1),
    (draft, &["run"], 2),
    (broken, &["run"], 2),
    (fresh, &["run"], 2),
    (unmerged, &["run"], 2),
    (passing, &["run", "2"], 2),
    (passing, &["run", "0"], 129),
    (passing, &["run", "--force"], 129),
    (passing, &["run", "--reason", "x"], 129),
    (passing, &["run", "--force", "--reason", " "], 129),
    (World::proven, &["verify"], 0),
    (World::proven, &["verify", "HEAD"], 0),
    (World::proven, &["verify", "nonsense"], 2),
    (World::proven, &["verify", "--base", "nonsense"], 2),
    (World::new, &["verify"], 3),
    (World::new, &["verify", "--allow-no-plan"], 0),
    (bare, &["verify"], 3),
    (bare, &["verify", "--allow-no-plan"], 0),
    (World::proven, &["review"], 0),
    (World::sealed, &["review"], 0),
    (bare, &["review"], 0),
    (World::proven, &["review", "nonsense"], 2),
    (nowhere, &["review"], 2),
    (World::new, &["status"], 0),
    (World::proven, &["status"], 0),
    (World::new, &["log"], 0),
    (World::proven, &["log", "HEAD"], 0),
    (World::proven, &["log", "nonsense"], 2),
    (World::proven, &["show", "0123456789abcdef"], 2),
    (
        World::proven,
        &["revoke", "--record", "0123456789ab", "--reason", "x"],
        2,
    ),
    (World::proven, &["revoke", "--record", "0123456789ab"], 129),
    (nowhere, &["revoke", "--record", "0123", "--reason", "x"], 2),
    (World::new, &["fsck"], 0),
    (World::proven, &["fsck"], 0),
    (bare, &["fsck"], 3),
    (nowhere, &["fsck"], 2),
    (World::proven, &["fsck", "--base", "nonsense"], 2),
    (World::new, &["fingerprint"], 0),
    (bare, &["fingerprint"], 2),
    (World::new, &["hook", "pre-commit"], 0),
    (broken, &["hook", "pre-commit"], 0),
    (World::new, &["hook", "pre-push", "origin", "nowhere"], 0),
    (World::proven, &["hook", "pre-push", "origin", "nowhere"], 0),
    (unfinished, &["hook", "pre-push", "origin", "nowhere"], 1),
    (nowhere, &["hook", "pre-push"], 1),
    (World::new, &["hook", "post-update"], 129),
    (nowhere, &["status"], 2),
    (unreadable, &["status"], 2),
    (unreadable, &["verify"], 2),
    (World::new, &["nonsense"], 129),
    (World::new, &["audit", "--nonsense"], 129),
    (World::new, &["audit", "--format", "xml"], 129),
    (World::new, &["show"], 129),
    (World::new, &["audit", "--plan"], 129),
    (World::new, &[], 129),
    (nowhere, &["--version"], 0),
    (nowhere, &["-h"], 0),
];

#[test]
fn every_row_of_the_table_holds() {
    let mut wrong = Vec::new();

    for (make, line, code) in TABLE {
        let ran = make().run(*line);
        if ran.code != *code {
            wrong.push(format!("expected {code}: {ran}"));
        }
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn results_go_to_stdout_and_refusals_to_stderr() {
    let good = World::proven().run(["verify"]).exits(0);
    let refused = nowhere().run(["status"]).exits(2);

    assert!(good.stdout.contains("PASS"), "{good}");
    assert!(
        refused.stdout.is_empty() && refused.stderr.contains("error"),
        "{refused}"
    );
    assert!(refused.stderr.contains("not a git repository"), "{refused}");
}

#[test]
fn an_interrupted_audit_ends_its_checks_and_says_so() {
    let signals = [
        (Signal::SIGINT, 130),
        (Signal::SIGQUIT, 131),
        (Signal::SIGTERM, 143),
    ];
    for (signal, code) in signals {
        let world = World::new();
        let pipe = world.temp_path().join("pipe");
        world.tool("mkfifo", [pipe.to_str().unwrap()]);
        let script = format!("echo $$ >{}; exec sleep 600", pipe.display());
        let world = world.prepared(&plans::of_argv(&["sh", "-c", &script]));
        let mut audit = world
            .interruptible(&["audit"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut check = String::new();
        std::fs::File::open(&pipe)
            .unwrap()
            .read_to_string(&mut check)
            .unwrap();

        kill(Pid::from_raw(i32::try_from(audit.id()).unwrap()), signal).unwrap();

        assert_eq!(audit.wait().unwrap().code(), Some(code));
        let child = Pid::from_raw(check.trim().parse().unwrap());
        assert!(kill(child, None).is_err(), "the check still runs");
        assert_ne!(world.run(["verify"]).code, 0);
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_told_and_kills_nobody() {
    let world = World::sealed();
    let before = world.lines().len();

    for line in [["audit", "--format=text"], ["status", "--format=json"]] {
        let script = format!("ulimit -f 0; exec '{BINARY}' {} >out", line.join(" "));
        let ran = finish(&mut world.command("sh", &world.top, ["-c", &script]));

        assert!([2, 3].contains(&ran.code), "{ran}");
        let ran = ran.says("error").says("file too large");
        assert!(!ran.stderr.contains("defect"), "{ran}");
    }

    assert_eq!(world.lines().len(), before);
    world.finished();
}

#[test]
fn what_only_reads_needs_no_ssh_keygen() {
    let world = World::proven();
    let run = |line: [&str; 2]| {
        let mut command = world.ours(line);
        finish(command.env("PATH", world.temp_path().join("nothing")))
    };

    for line in [
        ["validate", "--quiet"],
        ["verify", "HEAD"],
        ["status", "--quiet"],
        ["log", "--quiet"],
        ["fsck", "--quiet"],
        ["fingerprint", "--quiet"],
    ] {
        run(line).exits(0);
    }

    for line in [
        ["init", "--no-hooks"],
        ["seal", "--quiet"],
        ["audit", "--quiet"],
    ] {
        run(line).exits(2).says("ssh-keygen");
    }
}
