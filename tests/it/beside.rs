//! Steps side by side (`audit --jobs`): real programs that meet, leave daemons behind, are stopped.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::{Value, json};

use crate::support::{Json, Ran, World, need, plans};

/// A step of one shell script, which is given the folder of its world.
fn step(world: &World, id: u64, script: &str) -> Value {
    let folder = world.temp_path();
    json!({
        "id": id, "title": format!("Step {id}"), "covers": ["R1"], "depends_on": [],
        "verify": [{ "type": "run", "argv": ["sh", "-c", script, "sh", folder] }]
    })
}

/// Seals and commits a plan of these steps.
fn with_steps(world: &World, steps: &[Value]) {
    let mut plan = plans::good();
    plan["steps"] = json!(steps);
    world.init();
    world.with_plan(&plan);
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.seal();
    world.git(["commit", "-qm", "Work"]);
}

/// Returns a member of the first check of each step.
fn of_checks(json: &Json, member: &str) -> Vec<Value> {
    let steps = json.list("/plans/default/steps").iter();
    steps
        .map(|step| step["checks"][0][member].clone())
        .collect()
}

/// Returns what is said under a code, with the step that it is said of.
fn said(json: &Json, code: &str) -> Vec<(Value, String)> {
    let findings = json.list("/findings").iter();
    let of_code = findings.filter(|each| each["code"] == code);
    of_code
        .map(|each| (each["step"].clone(), each["message"].to_string()))
        .collect()
}

/// A script that makes itself known and waits for another one, and is busy meanwhile.
fn meets(own: &str, other: &str) -> String {
    format!(
        r#"cd "$1"; touch {own} busy-{own}; tries=0
        until [ -e {other} ]; do tries=$((tries + 1)); [ $tries -lt 100 ] || exit 1; sleep 0.05; done
        sleep 0.1; rm busy-{own}"#
    )
}

#[test]
fn independent_steps_run_side_by_side_and_an_exclusive_one_alone() {
    let world = World::new();
    let mut alone = step(
        &world,
        1,
        r#"cd "$1"; for at in busy-*; do [ ! -e $at ] || exit 1; done"#,
    );
    alone["exclusive"] = json!(true);
    let steps = [
        step(&world, 2, &meets("a", "b")),
        alone,
        step(&world, 7, &meets("b", "a")),
        step(&world, 3, "sleep 0.2"),
    ];
    with_steps(&world, &steps);

    let beside = world.json(["audit", "--jobs", "2"]).is("PASS", 0);
    let stderr = &beside.ran.stderr;

    let ids = beside.list("/plans/default/steps").iter();
    let ids: Vec<u64> = ids.map(|step| step["id"].as_u64().unwrap()).collect();
    assert_eq!(ids, [2, 1, 7, 3]);
    assert!(stderr.contains("  step 7: sh -c "), "{stderr}");
    world.run(["verify", "HEAD"]).exits(0);
    world.run(["audit", "--jobs", "1"]).exits(0);
    world.run(["audit", "--jobs", "0"]).exits(129);
}

#[test]
fn whose_daemon_it_is_and_whose_time_is_over_is_told_of_each_step() {
    if !need("setsid") {
        return;
    }
    let world = World::new();
    let daemon =
        r#"setsid -f sh -c 'echo $$ > "$1/own"; sleep 60' sh "$1" >/dev/null 2>&1; sleep 0.3"#;
    let hidden = r#"env -i setsid -f sh -c 'echo $$ > "$1/hidden"; sleep 60' sh "$1" >/dev/null 2>&1; sleep 0.3"#;
    let mut slow = step(&world, 3, "sleep 30");
    slow["verify"][0]["timeout"] = json!(1);
    let steps = [
        step(&world, 1, daemon),
        step(&world, 2, hidden),
        slow,
        step(&world, 4, "sleep 1.3"),
    ];
    with_steps(&world, &steps);

    let audit = world.json(["audit", "--jobs", "4"]).is("FAIL", 1);

    assert_eq!(
        of_checks(&audit, "result"),
        ["passed", "passed", "timed out", "passed"]
    );
    assert_eq!(of_checks(&audit, "leaked"), [true, false, false, false]);
    let leaks = said(&audit, "check-leaked");
    assert_eq!(leaks.len(), 2, "{leaks:?}");
    assert_eq!(
        leaks.iter().filter(|(step, _)| *step == json!(1)).count(),
        1
    );
    assert!(
        leaks
            .iter()
            .any(|(_, text)| text.contains("hid where it came from"))
    );
    for name in ["own", "hidden"] {
        assert!(
            !lives(&world.temp_path().join(name)),
            "{name}: {}",
            audit.ran
        );
    }
}

/// Says whether the process whose id a file holds lives.
fn lives(file: &Path) -> bool {
    let id = fs::read_to_string(file).unwrap();
    Path::new("/proc").join(id.trim()).exists()
}

#[test]
fn what_is_touched_while_several_steps_run_is_blamed_on_all_of_them() {
    let world = World::new();
    let touch = "cp work.txt x; mv x work.txt; touch \"$1/done\"";
    let wait = r#"until [ -e "$1/done" ]; do sleep 0.05; done; sleep 0.3"#;
    with_steps(&world, &[step(&world, 1, touch), step(&world, 2, wait)]);

    let line = ["audit", "--checkout", "--jobs", "2"];
    let audit = world.json(line).is("FAIL", 1);

    let touched = said(&audit, "touched");
    assert_eq!(touched[0].0, Value::Null, "{touched:?}");
    assert!(
        touched[0]
            .1
            .contains("steps 1, 2 of plan default ran side by side: work.txt"),
        "{touched:?}"
    );
}

#[test]
fn being_told_to_stop_once_or_twice_ends_all_that_run() {
    let world = World::new();
    let script = |name: &str| {
        format!(r#"[ ! -e "$1/deaf" ] || trap '' TERM; echo $$ > "$1/{name}"; sleep 20; sleep 20"#)
    };
    let steps = ["one", "two"].iter().zip(1..);
    let steps: Vec<Value> = steps
        .map(|(name, id)| step(&world, id, &script(name)))
        .chain([step(&world, 3, "touch \"$1/three\"")])
        .collect();
    with_steps(&world, &steps);

    // Once: they are asked and go.
    let (took, ran) = stopped(&world, 1);
    assert!(took < Duration::from_millis(1900), "{took:?}: {ran}");
    // Twice: they are not waited for though they do not listen.
    world.write("../deaf", "");
    let (took, ran) = stopped(&world, 2);
    assert!(took < Duration::from_millis(1900), "{took:?}: {ran}");
    assert!(!world.temp_path().join("three").exists());
}

/// Audits, and tells it to stop so often once two steps run; they must be gone with it.
fn stopped(world: &World, times: u32) -> (Duration, Ran) {
    let files = ["one", "two"].map(|name| world.temp_path().join(name));
    for file in &files {
        drop(fs::remove_file(file));
    }
    let mut command = world.interruptible(&["audit", "--jobs", "2"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let begun = Instant::now();
    while !files
        .iter()
        .all(|file| fs::read_to_string(file).is_ok_and(|text| !text.is_empty()))
    {
        assert!(begun.elapsed() < Duration::from_secs(15));
        thread::sleep(Duration::from_millis(10));
    }
    let told = Instant::now();
    for _ in 0..times {
        kill(
            Pid::from_raw(child.id().try_into().unwrap()),
            Signal::SIGINT,
        )
        .unwrap();
        // Two that come at once are taken for the echo of one.
        thread::sleep(Duration::from_millis(400));
    }
    let output = child.wait_with_output().unwrap();
    let ran = Ran::new("audit".to_owned(), &output).exits(130);
    for file in &files {
        assert!(!lives(file), "{ran}");
    }
    (told.elapsed(), ran)
}
