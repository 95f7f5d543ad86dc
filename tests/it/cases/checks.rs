//! Checks that misbehave.

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};

use super::{made, messages, noted, plan_of, sh, state};
use crate::support::{BINARY, Json, Ran, World, finish, need};

/// Returns the one check of the one step of an audit.
#[track_caller]
fn only_check(audit: &Json) -> &Value {
    audit.at("/plans/default/steps/0/checks/0")
}

/// Returns how long a check took.
fn milliseconds(check: &Value) -> u64 {
    check["duration_ms"].as_u64().unwrap()
}

/// Says whether the process whose id a file holds lives.
fn lives(file: &Path) -> bool {
    let id = fs::read_to_string(file).unwrap();
    let stat = fs::read_to_string(format!("/proc/{}/stat", id.trim())).unwrap_or_default();
    !stat.is_empty() && !stat.contains(") Z ")
}

/// Waits for a file, at most so long as anybody would.
#[track_caller]
fn wait_for(file: &Path) {
    let begun = Instant::now();
    while !fs::read_to_string(file).is_ok_and(|text| text.ends_with('\n')) {
        assert!(
            begun.elapsed() < Duration::from_secs(20),
            "{}",
            file.display()
        );
        thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_daemon_of_its_own_session_does_not_outlive_its_check() {
    if !need("setsid") {
        return;
    }
    let world = made("C-104-timeout-setsid-escape");
    plan_of(&world, "checks/daemon.sh", 2);

    let audit = world.json(["audit"]);

    assert!(
        !lives(&world.temp_path().join("daemon.pid")),
        "{}",
        audit.ran
    );
    assert_eq!(only_check(&audit)["leaked"], true, "{}", audit.ran);
    audit.ran.says("left a process behind");
}

#[test]
fn a_child_that_holds_the_output_open_delays_nothing_and_loses_nothing() {
    let world = made("C-105-pipe-held-open");
    plan_of(&world, "checks/bg.sh", 20);

    let audit = world.json(["audit"]).is("PASS", 0);

    let check = only_check(&audit);
    assert!(milliseconds(check) < 3000, "{check}");
    assert_eq!(
        (&check["result"], &check["output"]["bytes"]),
        (&json!("passed"), &json!(5))
    );
    let done = sh(&world, "echo done | sha256sum | cut -d ' ' -f 1");
    assert_eq!(check["output"]["sha256"], done.trim());
    assert!(!lives(&world.temp_path().join("bg.pid")));
}

#[test]
fn output_without_end_is_counted_and_costs_no_memory() {
    let world = made("C-106-output-flood");
    plan_of(&world, "checks/flood.sh", 1);
    let mut command = world.ours(["audit", "--format", "json"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();

    let (most, ran) = watched(child, &command);

    let audit = ran.into_json().is("FAIL", 1);
    assert!(most < 100_000, "{most} kB");
    let check = only_check(&audit);
    assert!(milliseconds(check) < 4000, "{check}");
    assert!(
        check["output"]["bytes"].as_u64().unwrap() > 1_000_000,
        "{check}"
    );
    let ends = ["timed out", "output limit"];
    assert!(ends.contains(&check["result"].as_str().unwrap()), "{check}");
}

/// Waits for a process and returns the most memory that it had, in kilobytes.
fn watched(mut child: std::process::Child, command: &Command) -> (u64, Ran) {
    let about = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let status = fs::read_to_string(&about).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let now = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
        most = most.max(now.unwrap_or_default());
        thread::sleep(Duration::from_millis(10));
    }
    let output = child.wait_with_output().unwrap();
    (most, Ran::new(format!("{command:?}"), &output))
}

#[test]
fn a_check_that_asks_is_told_that_there_is_no_input() {
    let world = made("C-108-reads-stdin");
    plan_of(&world, "checks/ask.sh", 10);
    let (reader, writer) = std::io::pipe().unwrap();

    let ran = finish(world.ours(["audit", "--format", "json"]).stdin(reader));
    drop(writer);

    let audit = ran.into_json().is("FAIL", 1);
    let check = only_check(&audit);
    assert!(milliseconds(check) < 5000, "{check}");
    assert_eq!(
        (&check["result"], &check["exit"]),
        (&json!("failed"), &json!(3))
    );
    assert_eq!(check["output"]["bytes"], "continue? no input\n".len());
}

#[test]
fn a_check_that_ignores_to_be_asked_to_end_is_killed() {
    let world = made("C-110-ignores-sigterm");
    plan_of(&world, "checks/stubborn.sh", 1);

    let audit = world.json(["audit"]).is("FAIL", 1);

    let check = only_check(&audit);
    assert_eq!(check["result"], "timed out");
    assert!((3000..6000).contains(&milliseconds(check)), "{check}");
    assert!(!lives(&world.temp_path().join("check.pid")));
}

#[test]
fn an_interrupted_audit_leaves_everything_as_it_was_and_proves_nothing() {
    let world = made("C-111-ctrl-c-during-audit");
    world.git(["stash", "-qu"]);
    plan_of(&world, "checks/slow.sh", 60);
    world.git(["stash", "pop", "-q"]);
    let before = (
        state(&world).value,
        fs::read(world.top.join(".git/index")).unwrap(),
    );
    let mut command = world.interruptible(&["audit"]);
    command
        .process_group(0)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let check = world.temp_path().join("check.pid");
    wait_for(&check);

    let group = Pid::from_raw(child.id().try_into().unwrap());
    for _ in 0..2 {
        killpg(group, Signal::SIGINT).unwrap();
        thread::sleep(Duration::from_millis(50));
    }
    let ran = Ran::new(format!("{command:?}"), &child.wait_with_output().unwrap()).exits(130);

    assert!(!lives(&check), "{ran}");
    assert_eq!(sh(&world, "find .git -name '*.lock'"), "", "{ran}");
    let after = (
        state(&world).value,
        fs::read(world.top.join(".git/index")).unwrap(),
    );
    assert_eq!(before, after);
    assert!(
        !sh(
            &world,
            "git notes --ref=plan-audit list | cut -d ' ' -f 1 | git cat-file --batch"
        )
        .contains("\"passed\"")
    );
    assert_ne!(world.json(["verify", "HEAD"]).ran.code, 0);
    assert_eq!(sh(&world, "cat a.txt unstaged.txt"), "EDIT\nu\n");
}

#[test]
fn secrets_of_the_environment_reach_neither_checks_nor_evidence() {
    let world = made("C-112-env-secrets");
    plan_of(&world, "checks/dump.sh", 10);
    let mut command = world.ours(["audit"]);
    command.env("ANTHROPIC_API_KEY", "sk-ant-test-0123456789");
    command.env("DB_PASSWORD", "hunter2secret");

    let ran = finish(&mut command).exits(1);

    let kept = sh(
        &world,
        "git cat-file --batch-all-objects --batch --buffer; cat $(find .git/plan-audit ../home -type f)",
    );
    for secret in ["sk-ant-test", "hunter2secret"] {
        for text in [&kept, &ran.stdout, &ran.stderr] {
            assert!(!text.contains(secret), "{secret}\n{ran}");
        }
    }
    assert!(kept.contains("checks/dump.sh"));
}

#[test]
fn a_check_that_changes_files_proves_nothing_and_the_files_are_named() {
    let world = made("C-114-check-dirties-workspace");
    plan_of(&world, "checks/test.sh", 10);

    let audit = world.json(["audit"]).is("FAIL", 1);

    let said = messages(&audit, "changed-during-audit");
    assert!(
        said.contains("Cargo.lock") && said.contains(".coverage"),
        "{said}"
    );
    assert!(!said.contains("__pycache__"), "{said}");
}

#[test]
fn a_file_that_left_the_index_and_came_back_untracked_is_another_state() {
    let world = made("C-115-deleted-and-recreated");

    let changed = state(&world);

    assert_eq!(changed.at("/untracked/paths"), &json!(["Cargo.lock"]));
    assert_ne!(changed.text("/tree"), world.rev("HEAD^{tree}"));
    sh(&world, "git reset -q --hard");
    let clean = state(&world);
    assert_eq!(clean.text("/tree"), world.rev("HEAD^{tree}"));
    for member in ["/content", "/index"] {
        assert_ne!(clean.at(member), changed.at(member), "{member}");
    }
}

#[test]
fn a_check_that_changes_what_steers_git_proves_nothing() {
    let world = made("C-116-check-writes-git-config");
    plan_of(&world, "checks/cfg.sh", 10);

    let audit = world.json(["audit"]).is("FAIL", 1);

    let said = messages(&audit, "changed-during-audit");
    assert!(said.contains("git configuration"), "{said}");
    assert_ne!(world.json(["verify", "HEAD"]).ran.code, 0);
}

#[test]
fn a_check_without_the_network_fails_by_its_own_exit_code() {
    let alone = |world: &World| {
        world
            .command("unshare", &world.top, ["-rn", "true"])
            .status()
    };
    if !need("unshare") || !alone(&World::new()).is_ok_and(|status| status.success()) {
        eprintln!("skipped: needs a network namespace");
        return;
    }
    let world = made("C-118-check-needs-network");
    plan_of(&world, "checks/net.sh", 20);

    let line = ["-rn", BINARY, "audit", "--format", "json"];
    let ran = finish(&mut world.command("unshare", &world.top, line));

    let audit = ran.into_json().is("FAIL", 1);
    let check = only_check(&audit);
    assert!(milliseconds(check) < 20_000, "{check}");
    assert_eq!(
        (&check["result"], &check["exit"]),
        (&json!("failed"), &json!(69))
    );
}

#[test]
fn missing_programs_and_signals_are_told_apart_and_none_is_skipped() {
    let world = made("C-120-exit-code-classes");
    let run = |argv: &[&str]| json!({ "type": "run", "argv": argv });
    let checks = [
        run(&["./checks/missing"]),
        run(&["./checks/noexec.sh"]),
        run(&["sh", "checks/sig.sh"]),
        run(&["false"]),
    ];
    let steps: Vec<Value> = checks
        .iter()
        .zip(1..)
        .map(|(check, id)| {
            json!({ "id": id, "title": "t", "covers": ["R1"], "depends_on": [], "verify": [check] })
        })
        .collect();
    let mut all = crate::support::plans::good();
    all["steps"] = json!(steps);
    world.init();
    world.with_plan(&all);
    world.seal();

    let audit = world.json(["audit"]).is("FAIL", 1);

    let of = |step: usize| audit.at(&format!("/plans/default/steps/{step}/checks/0"));
    assert_eq!(of(0)["result"], "could not start");
    assert_eq!(of(1)["result"], "could not start");
    assert_ne!(of(0)["reason"], of(1)["reason"]);
    assert_eq!(
        (&of(2)["result"], &of(2)["signal"]),
        (&json!("failed"), &json!(11))
    );
    assert_eq!(
        (&of(3)["result"], &of(3)["exit"]),
        (&json!("failed"), &json!(1))
    );
    audit.ran.says("not executable").says("does not exist");
}

#[test]
fn checks_run_at_the_top_wherever_the_audit_begins() {
    let world = made("C-121-check-cwd-and-relative-paths");
    plan_of(&world, "checks/here.sh", 10);
    let mut below = world.clone();
    below.dir = world.top.join("sub/deep");

    below.json(["audit"]).is("PASS", 0);
    let sub = world.top.join("sub");
    let through_git = world.git(["-C", sub.to_str().unwrap(), "plan-audit", "audit"]);

    through_git.says("PASS");
    assert_eq!(state(&world).at("/flags"), &json!({}));
    assert_eq!(state(&world).at("/hidden"), &noted([]));
}
