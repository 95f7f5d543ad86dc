//! Real programs that misbehave, and what becomes of them.

use std::fs;
use std::path::Path;
use std::thread;

use nix::errno::Errno;
use nix::sys::signal::kill;

use super::super::running::GRACE;
use super::*;
use crate::wire::digest::sha256;

/// Runs a program whose output nobody follows.
fn run(spec: &Spec, interrupts: &Interrupts) -> Result<Finished, StartError> {
    super::run(spec, interrupts, &|_| {})
}

#[test]
fn output_is_heard_as_it_is_written() {
    let home = tempfile::tempdir().unwrap();
    let spec = script(home.path(), "echo one; echo two >&2");
    let heard = std::cell::RefCell::new(Vec::new());

    let hear = |piece: &[u8]| heard.borrow_mut().extend_from_slice(piece);
    super::run(&spec, &Interrupts::none().unwrap(), &hear).unwrap();

    assert_eq!(heard.into_inner(), b"one\ntwo\n");
}

/// A script for `sh`, with enough time and room.
fn script(directory: &Path, text: &str) -> Spec {
    Spec {
        program: PathBuf::from("/bin/sh"),
        called: "sh".into(),
        args: ["-c", text].map(OsString::from).into(),
        directory: directory.to_path_buf(),
        environment: BTreeMap::from([("PATH".into(), "/usr/bin:/bin".into())]),
        user: None,
        timeout: Duration::from_secs(20),
        max_output: 1_000_000,
        keep: Keep::Ends,
    }
}

/// Runs a script in a directory of its own.
fn ran(text: &str) -> Finished {
    let home = tempfile::tempdir().unwrap();
    run(&script(home.path(), text), &Interrupts::none().unwrap()).unwrap()
}

/// Reads a process number that a script wrote.
fn number_in(file: &Path) -> Pid {
    Pid::from_raw(fs::read_to_string(file).unwrap().trim().parse().unwrap())
}

/// Says whether a process is gone, zombies included.
fn is_gone(process: Pid) -> bool {
    kill(process, None) == Err(Errno::ESRCH)
}

#[test]
fn exit_codes_and_signals_are_told_apart() {
    assert_eq!(ran("exit 0").ended, Ended::Exited(0));
    assert_eq!(ran("exit 137").ended, Ended::Exited(137));
    assert_eq!(ran("kill -SEGV $$").ended, Ended::Signalled(11));
    assert_eq!(ran("kill -TERM $$").ended, Ended::Signalled(15));
    assert_eq!(ran("kill -USR1 $$").ended, Ended::Signalled(10));
    assert_eq!(ran("./missing").ended, Ended::Exited(127));
}

#[test]
fn a_real_time_signal_is_an_end_like_any_other() {
    assert_eq!(ran("kill -40 $$").ended, Ended::Signalled(40));
}

#[test]
fn both_outputs_come_in_the_order_they_were_written() {
    let finished = ran("echo a; echo b >&2; echo c; echo d >&2");

    assert_eq!(finished.output.head, b"a\nb\nc\nd\n");
    assert_eq!(finished.output.sha256, sha256(b"a\nb\nc\nd\n"));
    assert!(!finished.leaked);
}

#[test]
fn output_is_bytes_not_text() {
    let finished = ran(r"printf '\000\377\033[2J'");

    assert_eq!(finished.output.head, b"\0\xff\x1b[2J");
}

#[test]
fn single_bytes_are_put_together() {
    let finished = ran("i=0; while [ $i -lt 3000 ]; do printf x; i=$((i+1)); done");

    assert_eq!(finished.output.total, 3000);
    assert_eq!(finished.output.head, vec![b'x'; 3000]);
}

#[test]
fn a_program_that_reads_gets_the_end_of_file() {
    assert_eq!(ran("read -r line || exit 4").ended, Ended::Exited(4));
}

#[test]
fn a_program_sees_the_given_environment_and_its_mark_alone() {
    let home = tempfile::tempdir().unwrap();
    let mut spec = script(home.path(), "");
    spec.program = "/usr/bin/env".into();
    spec.args = Vec::new();

    let finished = run(&spec, &Interrupts::none().unwrap()).unwrap();

    let text = String::from_utf8(finished.output.head).unwrap();
    let mut names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split('=').next())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["PATH", "PLAN_AUDIT_RUN"]);
}

#[test]
fn it_runs_in_its_directory_under_the_name_it_was_called_by() {
    let home = tempfile::tempdir().unwrap();
    let mut spec = script(home.path(), "pwd -P; echo $0");
    spec.called = "renamed".into();

    let finished = run(&spec, &Interrupts::none().unwrap()).unwrap();

    let place = home.path().canonicalize().unwrap();
    let wanted = format!("{}\nrenamed\n", place.display());
    assert_eq!(finished.output.head, wanted.into_bytes());
}

#[test]
fn what_is_no_program_does_not_start() {
    let home = tempfile::tempdir().unwrap();
    let make = "echo 'echo hi' > plain; chmod +x plain; \
                echo '#!/no/such/interpreter' > lost; chmod +x lost; echo > closed";
    run(&script(home.path(), make), &Interrupts::none().unwrap()).unwrap();
    let start = |name: &str| {
        let mut spec = script(home.path(), "");
        spec.program = home.path().join(name);
        run(&spec, &Interrupts::none().unwrap()).unwrap_err()
    };

    assert!(matches!(start("plain"), StartError::NotAProgram { .. }));
    assert!(matches!(start("lost"), StartError::Program { .. }));
    assert!(matches!(start("closed"), StartError::Program { .. }));
    assert!(matches!(start("missing"), StartError::Program { .. }));
}

/// Runs a script with little time; returns also how long it took from outside.
fn ran_late(text: &str, millis: u64) -> (Finished, Duration) {
    let home = tempfile::tempdir().unwrap();
    let mut spec = script(home.path(), text);
    spec.timeout = Duration::from_millis(millis);
    let began = Instant::now();
    let finished = run(&spec, &Interrupts::none().unwrap()).unwrap();
    (finished, began.elapsed())
}

#[test]
fn a_program_that_takes_too_long_is_asked_to_end() {
    let (finished, took) = ran_late("trap 'echo bye; exit 0' TERM; sleep 30 & wait", 200);

    assert_eq!(finished.ended, Ended::TimedOut);
    assert!(finished.output.head.ends_with(b"bye\n"));
    assert!(took < Duration::from_millis(1500), "{took:?}");
}

#[test]
fn a_program_that_ignores_being_asked_is_ended() {
    let text = "trap '' TERM INT HUP; while :; do sleep 1; done";
    let (finished, took) = ran_late(text, 200);

    assert_eq!(finished.ended, Ended::TimedOut);
    assert!(took >= GRACE, "{took:?}");
    assert!(took < GRACE + Duration::from_secs(2), "{took:?}");
}

#[test]
fn a_program_that_stopped_itself_is_ended_in_time() {
    let (finished, took) = ran_late("kill -STOP $$", 200);

    assert_eq!(finished.ended, Ended::TimedOut);
    assert!(took < GRACE, "{took:?}");
}

#[test]
fn a_program_that_was_stopped_and_woken_goes_on() {
    let finished = ran("(sleep 0.1; kill -CONT $$) & kill -STOP $$; wait; exit 5");

    assert_eq!(finished.ended, Ended::Exited(5));
}

#[test]
fn a_program_that_asks_the_terminal_is_ended_at_once() {
    let began = Instant::now();

    let finished = ran("kill -TTIN $$; exit 0");

    assert_eq!(finished.ended, Ended::AskedTerminal);
    assert!(began.elapsed() < GRACE);
}

#[test]
fn a_flood_of_output_is_cut_off_and_counted() {
    let home = tempfile::tempdir().unwrap();
    let mut spec = script(home.path(), "exec yes 'line of noise that never ends'");
    spec.max_output = 100_000;

    let finished = run(&spec, &Interrupts::none().unwrap()).unwrap();

    assert_eq!(finished.ended, Ended::OutputLimit);
    assert!(finished.output.total > 100_000);
    assert!(finished.output.head.len() + finished.output.tail.len() <= 64 * 1024);
}

#[test]
fn a_flood_within_the_limit_does_not_starve_the_clock() {
    let home = tempfile::tempdir().unwrap();
    let mut spec = script(home.path(), "exec yes");
    spec.max_output = u64::MAX;
    spec.timeout = Duration::from_millis(300);
    let began = Instant::now();

    let finished = run(&spec, &Interrupts::none().unwrap()).unwrap();

    assert_eq!(finished.ended, Ended::TimedOut);
    assert!(began.elapsed() < GRACE);
}

#[test]
fn output_exactly_at_the_limit_is_no_flood() {
    let home = tempfile::tempdir().unwrap();
    let mut spec = script(home.path(), "printf 12345");
    spec.max_output = 5;
    let within = run(&spec, &Interrupts::none().unwrap()).unwrap();
    spec.max_output = 4;
    let above = run(&spec, &Interrupts::none().unwrap()).unwrap();

    assert_eq!(within.ended, Ended::Exited(0));
    assert_eq!(above.ended, Ended::OutputLimit);
}

#[test]
fn a_program_ends_with_its_direct_child_though_the_pipe_is_held() {
    let home = tempfile::tempdir().unwrap();
    let text = "sleep 30 & echo $! > bg.pid; echo done";
    let began = Instant::now();

    let finished = run(&script(home.path(), text), &Interrupts::none().unwrap()).unwrap();

    assert_eq!(finished.ended, Ended::Exited(0));
    assert_eq!(finished.output.head, b"done\n");
    assert!(finished.leaked && began.elapsed() < Duration::from_secs(2));
    assert!(is_gone(number_in(&home.path().join("bg.pid"))));
}

#[test]
fn a_background_child_that_lets_the_pipe_go_is_ended_too() {
    let home = tempfile::tempdir().unwrap();
    let text = "sleep 30 >/dev/null 2>&1 & echo $! > bg.pid";

    let finished = run(&script(home.path(), text), &Interrupts::none().unwrap()).unwrap();

    assert!(finished.leaked);
    assert!(is_gone(number_in(&home.path().join("bg.pid"))));
}

#[test]
fn a_background_child_that_is_about_to_end_is_no_leak() {
    let finished = ran("(sleep 0.05; echo late) & echo early");

    assert_eq!(finished.output.head, b"early\nlate\n");
    assert!(!finished.leaked);
}

#[test]
fn a_background_child_that_floods_the_held_pipe_does_not_hold_us() {
    let home = tempfile::tempdir().unwrap();
    let mut spec = script(home.path(), "yes & exit 0");
    spec.max_output = u64::MAX;
    let began = Instant::now();

    let finished = run(&spec, &Interrupts::none().unwrap()).unwrap();

    assert!(finished.leaked && began.elapsed() < Duration::from_secs(3));
}

#[cfg(target_os = "linux")]
#[test]
fn a_daemon_that_left_the_group_is_found_and_ended() {
    let home = tempfile::tempdir().unwrap();
    let text = "setsid sh -c 'echo $$ > daemon.pid; exec sleep 60' >/dev/null 2>&1 </dev/null & \
                while ! [ -s daemon.pid ]; do sleep 0.02; done";

    let finished = run(&script(home.path(), text), &Interrupts::none().unwrap()).unwrap();

    assert_eq!(finished.ended, Ended::Exited(0));
    assert!(finished.leaked);
    assert!(is_gone(number_in(&home.path().join("daemon.pid"))));
}

#[cfg(target_os = "linux")]
#[test]
fn a_daemon_of_a_daemon_that_holds_the_pipe_is_found_and_ended() {
    let home = tempfile::tempdir().unwrap();
    let text = "setsid sh -c 'setsid sh -c \"echo \\$\\$ > inner.pid; exec sleep 60\" & sleep 60' & \
                while ! [ -s inner.pid ]; do sleep 0.02; done";

    let finished = run(&script(home.path(), text), &Interrupts::none().unwrap()).unwrap();

    assert!(finished.leaked);
    assert!(is_gone(number_in(&home.path().join("inner.pid"))));
}

#[cfg(target_os = "linux")]
#[test]
fn a_daemon_does_not_outlive_a_program_that_took_too_long() {
    let home = tempfile::tempdir().unwrap();
    let text = "setsid sh -c 'echo $$ > daemon.pid; exec sleep 60' & sleep 60";
    let mut spec = script(home.path(), text);
    spec.timeout = Duration::from_millis(400);

    let finished = run(&spec, &Interrupts::none().unwrap()).unwrap();

    assert_eq!((finished.ended, finished.leaked), (Ended::TimedOut, true));
    assert!(is_gone(number_in(&home.path().join("daemon.pid"))));
}

#[test]
fn many_children_leave_nothing_behind() {
    let home = tempfile::tempdir().unwrap();
    let text = "i=0; while [ $i -lt 150 ]; do sleep 60 & echo $! >> pids; i=$((i+1)); done";

    let finished = run(&script(home.path(), text), &Interrupts::none().unwrap()).unwrap();

    assert_eq!(finished.ended, Ended::Exited(0));
    let numbers = fs::read_to_string(home.path().join("pids")).unwrap();
    let mut pids = numbers
        .lines()
        .map(|line| Pid::from_raw(line.parse().unwrap()));
    assert!(pids.all(is_gone));
}

/// Runs a script and tells it to stop as soon as it has made the file `up`.
fn ran_interrupted(text: &str, times: usize) -> (Finished, Duration, Interrupts) {
    let home = tempfile::tempdir().unwrap();
    let spec = script(home.path(), text);
    let interrupts = Interrupts::none().unwrap();
    let teller = interrupts.clone();
    let up = home.path().join("up");
    let began = Instant::now();
    let telling = thread::spawn(move || {
        while !up.exists() {
            thread::yield_now();
        }
        for _ in 0..times {
            teller.tell(2);
        }
    });
    let finished = run(&spec, &interrupts).unwrap();
    telling.join().unwrap();
    (finished, began.elapsed(), interrupts)
}

#[test]
fn being_told_to_stop_asks_the_program_to_end() {
    let text = "trap 'echo bye; exit 0' TERM; sleep 30 & touch up; wait";

    let (finished, took, interrupts) = ran_interrupted(text, 1);

    assert_eq!(finished.ended, Ended::Interrupted);
    assert!(finished.output.head.ends_with(b"bye\n"));
    assert!(took < GRACE);
    assert_eq!(interrupts.came(), Some(2));
}

#[test]
fn being_told_twice_ends_the_program_at_once() {
    let text = "trap '' TERM; touch up; while :; do sleep 1; done";

    let (finished, took, _) = ran_interrupted(text, 2);

    assert_eq!(finished.ended, Ended::Interrupted);
    assert!(took < GRACE, "{took:?}");
}

#[test]
fn nothing_is_started_after_we_were_told_to_stop() {
    let home = tempfile::tempdir().unwrap();
    let interrupts = Interrupts::none().unwrap();
    interrupts.tell(15);

    let finished = run(&script(home.path(), "touch ran"), &interrupts).unwrap();

    assert_eq!(finished.ended, Ended::Interrupted);
    assert!(!home.path().join("ran").exists());
}

#[test]
fn runs_side_by_side_keep_apart() {
    let runs: Vec<_> = (0..8)
        .map(|code| thread::spawn(move || ran(&format!("sleep 0.1; echo {code}; exit {code}"))))
        .collect();

    for (code, run) in (0..8).zip(runs) {
        let finished = run.join().unwrap();
        assert_eq!(finished.ended, Ended::Exited(code));
        assert_eq!(finished.output.head, format!("{code}\n").into_bytes());
    }
}

#[test]
fn another_user_runs_it_with_one_group_and_no_way_back() {
    if !nix::unistd::geteuid().is_root() {
        eprintln!("skipped: needs root");
        return;
    }
    let spec = Spec {
        user: Some(CheckUser {
            uid: 54_321,
            gid: 54_322,
        }),
        ..script(
            Path::new("/"),
            "id -u; id -g; id -G; sleep 60 & kill -0 $PPID",
        )
    };

    let finished = run(&spec, &Interrupts::none().unwrap()).unwrap();

    let text = String::from_utf8_lossy(&finished.output.head).into_owned();
    let lines: Vec<&str> = text.lines().take(3).collect();
    assert_eq!(lines, ["54321", "54322", "54322"]);
    assert_eq!(finished.ended, Ended::Exited(1), "{text}");
    assert!(finished.leaked);
}
