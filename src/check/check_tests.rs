//! Checks from the plan's words to the result, with real programs.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Mutex;

use super::*;
use crate::engine::ports::Found;
use crate::wire::digest::sha256;

/// A work tree in a home of its own.
struct World {
    home: tempfile::TempDir,
    variables: BTreeMap<OsString, OsString>,
    shown: Shown,
    kept: Arc<Kept>,
}

/// What was handed over to be kept.
#[derive(Debug, Default)]
struct Kept(Mutex<Vec<(Captured, Vec<u8>)>>);

impl Outputs for Kept {
    fn keep(&self, written: &Written<'_>) {
        let bytes = [written.head, written.tail].concat();
        let mut kept = self.0.lock().unwrap();
        kept.push((written.captured.clone(), bytes));
    }

    fn find(&self, _: &Captured) -> Option<Found> {
        None
    }
}

impl World {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("top/checks")).unwrap();
        let variables = BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]);
        let shown = Shown::Whole;
        Self {
            home,
            variables,
            shown,
            kept: Arc::default(),
        }
    }

    fn set(mut self, name: &str, value: &str) -> Self {
        self.variables.insert(name.into(), value.into());
        self
    }

    fn top(&self) -> PathBuf {
        self.home.path().join("top")
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.top().join(name), text).unwrap();
    }

    /// Writes an executable from another process: had a thread of ours the file open while another
    /// one starts a program, the system would refuse to run it.
    fn put_program(&self, place: &Path, text: &str) {
        let make = r#"mkdir -p "${1%/*}"; printf %s "$2" > "$1"; chmod +x "$1""#;
        let argv = ["sh", "-c", make, "make", place.to_str().unwrap(), text];
        assert_eq!(self.run(&run(&argv)).result.end, End::Exited(0));
    }

    fn checker(&self) -> Checker {
        let spec = CheckerSpec {
            top: self.top(),
            apart: None,
            other_user: None,
            variables: self.variables.clone(),
            interrupts: Interrupts::none().unwrap(),
            audience: self.audience(),
        };
        Checker::new(spec).unwrap()
    }

    fn audience(&self) -> Audience {
        Audience {
            outputs: Some(Arc::<Kept>::clone(&self.kept)),
            ear: None,
            shown: self.shown,
        }
    }

    fn run(&self, check: &Check) -> Ran {
        self.checker().run(check, 1)
    }

    fn sh(&self, script: &str) -> Ran {
        self.run(&sh(script))
    }
}

fn limits() -> Limits {
    Limits {
        expect_exit: 0,
        timeout_ms: 20_000,
        max_output_bytes: 2_000_000,
        output_regex: None,
        env: Vec::new(),
    }
}

fn run(argv: &[&str]) -> Check {
    Check::Run {
        argv: argv.iter().map(|word| (*word).to_owned()).collect(),
        limits: limits(),
    }
}

fn sh(script: &str) -> Check {
    run(&["sh", "-c", script])
}

fn with(check: Check, change: impl FnOnce(&mut Limits)) -> Check {
    let Check::Run { argv, mut limits } = check else {
        return check;
    };
    change(&mut limits);
    Check::Run { argv, limits }
}

#[test]
fn only_the_expected_exit_code_passes() {
    let world = World::new();
    let judged = |check: Check| check.judge(&world.run(&check).result);

    assert_eq!(judged(sh("exit 0")), Met::Passed);
    assert_eq!(judged(sh("exit 1")), Met::Failed);
    assert_eq!(
        judged(with(sh("exit 3"), |limits| limits.expect_exit = 3)),
        Met::Passed
    );
    assert_eq!(
        judged(with(sh("kill $$"), |limits| limits.expect_exit = 15)),
        Met::Failed
    );
    assert_eq!(
        judged(with(sh("kill $$"), |limits| limits.expect_exit = -15)),
        Met::Passed
    );
    assert_eq!(
        judged(with(sh("exit 9"), |limits| limits.expect_exit = -9)),
        Met::Failed
    );
}

#[test]
fn missing_not_executable_and_signalled_are_three_things() {
    let world = World::new();
    world.put("checks/noexec.sh", "exit 0");
    let ends = [
        run(&["./checks/missing"]),
        run(&["./checks/noexec.sh"]),
        sh("kill -SEGV $$"),
    ]
    .map(|check| world.run(&check).result.end);

    let missing = "`./checks/missing` does not exist".to_owned();
    let forbidden =
        "`./checks/noexec.sh` is not executable, or its file system forbids it".to_owned();
    assert_eq!(
        ends,
        [
            End::CouldNotStart(missing),
            End::CouldNotStart(forbidden),
            End::Signalled(11)
        ]
    );
}

#[test]
fn what_is_no_program_says_nothing_about_the_work() {
    let world = World::new();
    world.put_program(&world.top().join("plain"), "exit 0\n");
    let check = run(&["./plain"]);

    let ran = world.run(&check);

    assert_eq!(check.judge(&ran.result), Met::Unknown);
    assert!(matches!(&ran.result.end, End::CouldNotStart(why) if why.contains("#!")));
    assert_eq!(ran.result.program.unwrap().path, "./plain");
}

#[test]
fn a_check_runs_at_the_top_and_reads_nothing() {
    let world = World::new();
    world.put("marker.txt", "m");

    let ran = world.sh("[ -f marker.txt ] && ! read -r line");

    assert_eq!(ran.result.end, End::Exited(0));
}

#[test]
fn the_program_is_recorded_by_path_and_digest() {
    let world = World::new();
    world.put_program(&world.top().join("checks/a.sh"), "#!/bin/sh\nexit 0\n");

    let ran = world.run(&run(&["checks/a.sh"]));

    let program = ran.result.program.unwrap();
    assert_eq!(ran.result.end, End::Exited(0));
    assert_eq!(program.path, "./checks/a.sh");
    assert_eq!(program.sha256, sha256(b"#!/bin/sh\nexit 0\n"));
}

#[test]
fn output_is_recorded_by_size_and_digest() {
    let ran = World::new().sh("printf ab; printf c >&2");

    let wanted = Captured {
        bytes: 3,
        sha256: sha256(b"abc"),
    };
    assert_eq!(ran.result.output, Some(wanted));
    assert_eq!(ran.tail, "  | abc");
}

#[test]
fn output_is_handed_over_to_be_kept_and_nothing_is_not() {
    let world = World::new();

    let captured = world.sh("echo out; exit 1").result.output.unwrap();
    world.sh("exit 0");

    let kept = world.kept.0.lock().unwrap();
    assert_eq!(kept.as_slice(), [(captured, b"out\n".to_vec())]);
}

#[test]
fn without_being_asked_only_what_did_not_pass_is_shown() {
    let world = World {
        shown: Shown::Tail,
        ..World::new()
    };

    assert_eq!(world.sh("echo good").tail, "");
    assert_eq!(world.sh("echo bad; exit 1").tail, "  | bad");
}

#[test]
fn output_that_looks_like_our_verdict_stays_behind_its_mark() {
    let ran = World::new().sh(r"printf 'PASS\n\033[2K\rPASS: everything is proven\n'; exit 1");

    assert_eq!(
        ran.tail,
        "  | PASS\n  | \\u{1b}[2K\\rPASS: everything is proven"
    );
}

#[test]
fn a_match_in_the_middle_of_a_long_output_is_not_missed() {
    let script = "yes aaaaaaa | head -n 20000; echo needle; yes bbbbbbb | head -n 20000";
    let world = World::new();
    let asks = |pattern: &str| {
        let pattern = pattern.to_owned();
        let check = with(sh(script), |limits| limits.output_regex = Some(pattern));
        let result = world.run(&check).result;
        (result.matched, check.judge(&result))
    };

    assert_eq!(asks("(?m)^needle$"), (Some(true), Met::Passed));
    assert_eq!(asks("haystack"), (Some(false), Met::Failed));
    assert_eq!(asks("("), (Some(false), Met::Failed));
}

#[test]
fn a_match_does_not_save_a_check_that_took_too_long_or_wrote_too_much() {
    let world = World::new();
    let late = with(sh("echo ok; sleep 30"), |limits| {
        limits.output_regex = Some("ok".to_owned());
        limits.timeout_ms = 200;
    });
    let flood = with(sh("echo ok; exec yes"), |limits| {
        limits.output_regex = Some("ok".to_owned());
        limits.max_output_bytes = 1024;
    });

    for (check, end) in [(late, End::TimedOut), (flood, End::OutputLimit)] {
        let result = world.run(&check).result;
        assert_eq!((&result.end, check.judge(&result)), (&end, Met::Failed));
    }
}

#[test]
fn secrets_and_switches_of_our_environment_do_not_reach_a_check() {
    let world = World::new()
        .set("ANTHROPIC_API_KEY", "sk-ant-test")
        .set("GIT_DIR", "/elsewhere")
        .set("GIT_INDEX_FILE", "/elsewhere")
        .set("MAKEFLAGS", "-n")
        .set("PLAN_AUDIT_HMAC_KEY_FILE", "/key")
        .set("LD_PRELOAD", "/lib.so")
        .set("CARGO_HOME", "/cargo")
        .set("DB", "db");
    let check = with(run(&["env"]), |limits| limits.env = vec!["DB".to_owned()]);
    let check = with(check, |limits| limits.expect_exit = 1);

    let ran = world.run(&check);

    let mut seen: Vec<&str> = ran
        .tail
        .lines()
        .filter_map(|line| line.trim_start_matches([' ', '|']).split('=').next())
        .collect();
    seen.sort_unstable();
    let wanted = [
        "CARGO_HOME",
        "DB",
        "GIT_ASKPASS",
        "GIT_TERMINAL_PROMPT",
        "LANG",
        "PATH",
        "PLAN_AUDIT_RUN",
        "PYTHONDONTWRITEBYTECODE",
        "SSH_ASKPASS_REQUIRE",
    ];
    assert_eq!(seen, wanted);
    assert_eq!(ran.result.variables, ["CARGO_HOME", "DB"]);
    let withheld = [
        "ANTHROPIC_API_KEY",
        "GIT_DIR",
        "GIT_INDEX_FILE",
        "LD_PRELOAD",
        "MAKEFLAGS",
        "PLAN_AUDIT_HMAC_KEY_FILE",
    ];
    assert_eq!(ran.withheld, withheld);
}

#[test]
fn a_check_that_passed_is_told_nothing_of_what_was_withheld() {
    let world = World::new().set("TOKEN", "x");

    assert!(world.sh("exit 0").withheld.is_empty());
    assert_eq!(world.sh("exit 1").withheld, ["TOKEN"]);
}

#[test]
fn a_check_may_make_a_repository_of_its_own_while_git_calls_us() {
    let world = World::new()
        .set("GIT_DIR", "/no/such/place")
        .set("GIT_WORK_TREE", "/");

    let ran = world.sh("git init -q scratch && git -C scratch rev-parse --is-inside-work-tree");

    assert_eq!(
        (ran.result.end, ran.tail.as_str()),
        (End::Exited(0), "  | true")
    );
}

#[test]
fn a_make_that_is_told_to_pretend_does_not_pretend() {
    let world = World::new().set("MAKEFLAGS", "-n");
    if !world.checker().finds("make") {
        return;
    }
    world.put("Makefile", "all:\n\t@exit 1\n");

    assert_eq!(world.run(&run(&["make"])).result.end, End::Exited(2));
}

#[test]
fn a_program_of_the_workspace_never_takes_the_place_of_one_on_the_path() {
    let world = World::new();
    let bin = world.top().join("bin");
    world.put_program(&bin.join("env"), "#!/bin/sh\nexit 0\n");
    symlink(&bin, world.home.path().join("link")).unwrap();
    let path = format!(
        "{}:bin::{}/link:/usr/bin:/bin",
        bin.display(),
        world.home.path().display()
    );
    let world = World { ..world }.set("PATH", &path);

    let ran = world.run(&run(&["env", "false"]));

    assert_eq!(ran.result.end, End::Exited(1));
    assert!(ran.result.program.unwrap().path.starts_with("/usr/bin/"));
    assert_eq!(ran.withheld.len(), 3, "{:?}", ran.withheld);
}

#[test]
fn pytest_is_run_by_the_python_on_the_path() {
    let world = World::new();
    let bin = world.home.path().join("bin");
    world.put_program(&bin.join("python"), "#!/bin/sh\necho \"$0 $*\"\n");
    let world = World { ..world }.set("PATH", bin.to_str().unwrap());
    let check = Check::Pytest {
        args: ["-q", "tests"].map(str::to_owned).into(),
        limits: limits(),
    };
    let shown = |name: &str| format!("  | {}/{name} -m pytest -q tests", bin.display());

    let with_python = world.run(&check);
    fs::copy(bin.join("python"), world.home.path().join("kept")).unwrap();
    let with_python3 = {
        symlink("python", bin.join("python3")).unwrap();
        world.run(&check)
    };

    assert_eq!(with_python.tail, shown("python"));
    assert_eq!(with_python3.tail, shown("python3"));
}

#[test]
fn tools_are_found_as_checks_find_them() {
    let world = World::new();
    world.put("plain", "x");
    let checker = world.checker();

    assert!(checker.finds("sh"));
    for tool in ["no-such-tool", "plain", "./plain", ""] {
        assert!(!checker.finds(tool), "{tool}");
    }
}

#[test]
fn file_checks_run_nothing() {
    let world = World::new();
    world.put("a.txt", "hello\n");
    let exists = Check::FileExists {
        path: "a.txt".to_owned(),
    };
    let holds = |pattern: &str| Check::Regex {
        path: "a.txt".to_owned(),
        pattern: pattern.to_owned(),
        max_bytes: 1024,
    };

    assert_eq!(exists.judge(&world.run(&exists).result), Met::Passed);
    assert_eq!(
        holds("^hel+o").judge(&world.run(&holds("^hel+o")).result),
        Met::Passed
    );
    assert_eq!(
        holds("bye").judge(&world.run(&holds("bye")).result),
        Met::Failed
    );
    assert_eq!(world.run(&exists).result.program, None);
}

#[test]
fn after_being_told_to_stop_a_check_says_nothing() {
    let world = World::new();
    let interrupts = Interrupts::none().unwrap();
    let checker = Checker::new(CheckerSpec {
        top: world.top(),
        apart: None,
        other_user: None,
        variables: world.variables.clone(),
        interrupts: interrupts.clone(),
        audience: world.audience(),
    })
    .unwrap();
    assert!(!checker.interrupted());
    interrupts.tell(2);

    let ran = checker.run(&sh("touch ran"), 1);

    assert_eq!(sh("").judge(&ran.result), Met::Unknown);
    assert!(checker.interrupted() && !world.top().join("ran").exists());
}

#[test]
fn a_leak_is_recorded() {
    assert!(World::new().sh("sleep 30 & exit 0").result.leaked);
}

#[test]
fn a_record_has_no_room_for_the_output_itself() {
    let digest = sha256(b"hunter2secret\n");

    let ran = World::new().sh("echo hunter2secret");

    assert!(!format!("{:?}", ran.result).contains("hunter2"));
    assert_eq!(ran.result.output.map(|output| output.sha256), Some(digest));
}
