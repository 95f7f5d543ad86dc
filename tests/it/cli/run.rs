//! `run`: single steps of what is sealed, counted attempts, and runs that are killed.

use std::process::{Child, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::support::{World, plans, stable};

/// A world with a sealed plan of two steps: the first looks at `work.txt`, the second passes.
fn two_steps() -> World {
    let mut plan = plans::good();
    plan["steps"].as_array_mut().unwrap().push(json!({
        "id": 2, "title": "Go on", "verify": [{ "type": "run", "argv": ["true"] }]
    }));
    World::new().prepared(&plan)
}

#[test]
fn it_says_what_became_of_each_step() {
    let world = two_steps();

    let failed = world.run(["run"]).exits(1);
    world.write("work.txt", "good\n");
    let passed = world.run(["run"]).exits(0);
    let nothing = world.run(["run"]).exits(0);

    stable(|| {
        insta::assert_snapshot!(failed.stdout, @r"
        plan default (contract [ID12])
          step 1 Say good: failed
            grep -qx good work.txt: exit code 1
            failed attempts: 1 of 3
          step 2 Go on: blocked
            true: not run: what it depends on did not pass
        info[withheld]: withheld from the checks that did not pass: GIT_CEILING_DIRECTORIES, GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM, XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME
          hint: a check may name what it needs in `env`
        error[step-blocked]: plan default, step 2: not begun, and no attempt: a step that it depends on has not passed, or an output that it needs does not hold
          hint: git plan-audit run 1 2 --plan default
        recorded as [ID12]
        FAIL: 0 of 2 steps passed; only an audit proves a commit
        ");
        insta::assert_snapshot!(passed.stdout, @r"
        plan default (contract [ID12])
          step 1 Say good: passed
          step 2 Go on: passed
        recorded as [ID12]
        OK: 2 of 2 steps passed; only an audit proves a commit
        ");
        insta::assert_snapshot!(nothing.stdout, @r"
        plan default (contract [ID12])
        OK: every step has passed for what is on disk; nothing was run
        ");
    });
}

#[test]
fn the_settings_at_the_trust_point_say_how_often_a_step_may_fail() {
    let world = World::new();
    world.commit(".plan-auditor/supervisor.json", "{\"max_attempts\": 1}");
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    world.git(["remote", "add", "origin", "nowhere"]);
    let world = world.prepared(&plans::good());

    let first = world.json(["run", "1"]).is("FAIL", 1);
    world.json(["run", "1"]).is("REFUSED", 2);
    world.commit(
        ".plan-auditor/supervisor.json",
        "{\n\"max_attempts\": \"many\"}",
    );
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    let unknown = world.run(["run", "1"]).exits(2);
    let wrong = world.run(["status"]).exits(0);

    assert_eq!(first.at("/max_attempts"), 1);
    unknown.says("is not known");
    wrong
        .says("supervisor.json at refs/remotes/origin/main: max_attempts")
        .says("at .plan-auditor/supervisor.json:2:17");
}

#[test]
fn used_up_attempts_are_refused_until_there_is_a_reason() {
    let world = World::sealed();
    for _ in 0..3 {
        world.json(["run"]).is("FAIL", 1);
    }

    let refused = world.run(["run", "1"]).exits(2);
    let forced = world.json(["run", "1", "--force", "--reason", "the disk was full"]);

    stable(|| {
        insta::assert_snapshot!(refused.stderr, @r"
        error[attempts-used-up]: plan default, step 1: 3 attempts did not pass, and 3 are allowed; nothing was run
          hint: git plan-audit run 1 --plan default --force --reason 'why it is worth another'
        ");
    });
    let forced = forced.is("FAIL", 1);
    assert_eq!(forced.at("/steps/0/failed_attempts"), 4);
    let shown = world.json(["show", forced.text("/record")]).is("OK", 0);
    assert_eq!(shown.text("/record/body/forced"), "the disk was full");
}

#[test]
fn status_log_and_show_know_runs() {
    let world = two_steps();
    let record = world.json(["run"]).is("FAIL", 1);

    let status = world.json(["status"]).is("OK", 0);
    let log = world.json(["log"]).is("OK", 0);
    let show = world.json(["show", record.text("/record")]).is("OK", 0);

    assert_eq!(
        status.at("/plans/default/steps"),
        &json!([
            { "id": 1, "failed_attempts": 1 },
            { "id": 2, "failed_attempts": 0 }
        ])
    );
    let steps = json!([{ "id": 1, "result": "failed" }, { "id": 2, "result": "blocked" }]);
    assert_eq!(log.at("/records/0/steps"), &steps);
    assert_eq!(show.at("/record/steps"), &steps);
    world
        .run(["status"])
        .exits(0)
        .says("failed attempts: step 1 1");
    world
        .run(["log"])
        .exits(0)
        .says("run default 1:failed 2:blocked");
}

#[test]
fn attempts_count_in_every_worktree() {
    let world = World::sealed();
    world.git(["commit", "-qm", "Bad work"]);
    let other = world.linked("other");
    world.json(["run"]).is("FAIL", 1);
    other.json(["run"]).is("FAIL", 1);
    world.json(["run"]).is("FAIL", 1);

    other.json(["run"]).is("REFUSED", 2);
}

#[test]
fn removing_a_run_from_the_ledger_gives_no_attempt_back() {
    let world = World::sealed();
    let before = world.rev("refs/notes/plan-audit");
    for _ in 0..3 {
        world.json(["run"]).is("FAIL", 1);
    }

    world.git(["update-ref", "refs/notes/plan-audit", &before]);

    world.json(["run"]).is("REFUSED", 2);
}

#[test]
fn nothing_is_written_to_the_work_tree() {
    let world = World::sealed();
    let before = world.git(["status", "--porcelain", "--ignored"]).stdout;

    world.run(["run"]).exits(1);

    let after = world.git(["status", "--porcelain", "--ignored"]).stdout;
    assert_eq!(after, before);
}

/// A run whose check has started and waits.
struct Waiting {
    world: World,
    run: Child,
    check: Pid,
}

impl Waiting {
    /// Starts a run and waits for its check.
    fn start() -> Self {
        let world = World::new();
        let pipe = world.temp_path().join("pipe");
        world.tool("mkfifo", [pipe.to_str().unwrap()]);
        let script = format!("echo $$ >{}; exec sleep 600", pipe.display());
        let world = world.prepared(&plans::of_argv(&["sh", "-c", &script]));
        let run = world
            .interruptible(&["run"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let check = std::fs::read_to_string(&pipe).unwrap();
        let check = Pid::from_raw(check.trim().parse().unwrap());
        Self { world, run, check }
    }

    /// Sends a signal to the run and returns its exit code once it has ended.
    fn end(&mut self, signal: Signal) -> Option<i32> {
        let run = Pid::from_raw(i32::try_from(self.run.id()).unwrap());
        kill(run, signal).unwrap();
        self.run.wait().unwrap().code()
    }

    /// Says whether the check runs; one that ended and was not reaped has no command line.
    fn check_runs(&self) -> bool {
        let line = std::fs::read(format!("/proc/{}/cmdline", self.check));
        line.is_ok_and(|line| !line.is_empty())
    }

    /// Counts what is written down of steps that are under way.
    fn intents(&self) -> usize {
        let path = self.world.top.join(".git/plan-audit/intents");
        std::fs::read_dir(path).map_or(0, Iterator::count)
    }
}

#[test]
fn an_interrupted_run_is_an_attempt_and_leaves_nothing() {
    for (signal, code) in [(Signal::SIGINT, 130), (Signal::SIGTERM, 143)] {
        let mut waiting = Waiting::start();
        assert_eq!(waiting.intents(), 1);

        assert_eq!(waiting.end(signal), Some(code));

        assert_eq!(waiting.intents(), 0);
        assert!(!waiting.check_runs());
        let status = waiting.world.json(["status"]).is("OK", 0);
        assert_eq!(status.at("/plans/default/steps/0/failed_attempts"), 1);
    }
}

#[test]
fn a_killed_run_is_recorded_by_the_next_append_of_any_command() {
    let mut waiting = Waiting::start();
    assert_eq!(waiting.end(Signal::SIGKILL), None);
    let world = &waiting.world;
    assert_eq!(waiting.intents(), 1);
    let other = plans::of_argv(&["true"]);
    world.write(".plan-auditor/plans/other.json", other.to_string());
    world.git(["add", "-A"]);

    world.json(["seal", "--plan", "other"]).is("OK", 0);

    assert_eq!(waiting.intents(), 0);
    assert!(!waiting.check_runs());
    let log = world.json(["log"]).is("OK", 0);
    assert_eq!(log.text("/records/1/kind"), "run");
    let steps = json!([{ "id": 1, "result": "interrupted" }]);
    assert_eq!(log.at("/records/1/steps"), &steps);
    let status = world.json(["status"]).is("OK", 0);
    assert_eq!(status.at("/plans/default/steps/0/failed_attempts"), 1);
}

#[test]
fn a_second_run_of_a_worktree_is_refused_while_the_first_goes_on() {
    let mut waiting = Waiting::start();

    let refused = waiting.world.json(["run"]).is("REFUSED", 2);
    let audit = waiting.world.json(["audit"]).is("REFUSED", 2);

    assert_eq!(refused.codes(), ["audit-running"]);
    assert_eq!(audit.codes(), ["audit-running"]);
    waiting.end(Signal::SIGTERM);
}

#[test]
fn a_planted_intent_makes_no_pass() {
    let world = two_steps();
    let contract = world.json(["status"]);
    let contract = contract.text("/plans/default/contract");
    let intent = json!({
        "v": 1, "plan": "default", "contract": contract, "attempt": "ab".repeat(16), "step": 1
    });
    let members = ["v", "plan", "contract", "attempt", "step"];
    let members: Vec<String> = members
        .iter()
        .map(|name| format!("\"{name}\":{}", intent[name]))
        .collect();
    let file = world.top.join(format!(
        ".git/plan-audit/intents/{}-1.json",
        "ab".repeat(16)
    ));
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, format!("{{{}}}\n", members.join(","))).unwrap();

    let blocked = world.json(["run", "2"]).is("FAIL", 1);

    assert_eq!(blocked.text("/steps/0/result"), "blocked");
    assert!(!file.exists());
    let status = world.json(["status"]).is("OK", 0);
    assert_eq!(status.at("/plans/default/steps/0/failed_attempts"), 1);
    world.git(["commit", "-qm", "Bad work"]);
    world.json(["verify", "HEAD"]).is("FAIL", 1);
}
