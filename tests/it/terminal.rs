//! Progress on a terminal and elsewhere.

use serde_json::json;

use crate::support::{Ran, World, finish, need, plans};

/// Audits below a terminal of a kind.
fn audit_on(world: &World, term: &str) -> Ran {
    let line = "exec git-plan-audit audit";
    let mut command = world.command("script", &world.top, ["-qec", line, "/dev/null"]);
    finish(command.env("TERM", term)).exits(0)
}

/// A plan whose check tries to write to the terminal, and goes on for a while.
fn noisy() -> World {
    let script = r"printf '\033]0;owned\007\nh%s at work\n' ard; sleep 0.6";
    World::new().prepared(&plans::of_argv(&["sh", "-c", script]))
}

#[test]
fn a_live_line_tells_step_time_and_last_line_and_is_taken_away() {
    if !need("script") {
        return;
    }
    let ran = audit_on(&noisy(), "xterm");

    assert!(
        ran.stdout
            .contains("default: step 1 Say good 0s hard at work"),
        "{ran}"
    );
    assert!(ran.stdout.contains("default: step 1 passed"), "{ran}");
    assert!(!ran.stdout.contains("\u{1b}]0;owned"), "{ran}");
    let (_, after) = ran.stdout.rsplit_once("hard at work").unwrap();
    assert!(after.contains("\u{1b}[2K"), "{ran}");
}

#[test]
fn elsewhere_there_are_plain_lines() {
    let world = noisy();
    let piped = world.run(["audit"]).exits(0);

    assert!(
        piped.stderr.contains("default: step 1 Say good ...\n"),
        "{piped}"
    );
    assert!(
        !piped.stderr.contains('\u{1b}') && !piped.stderr.contains("hard at work"),
        "{piped}"
    );
    if need("script") {
        let dumb = audit_on(&world, "dumb");
        assert!(
            dumb.stdout.contains("default: step 1 Say good ..."),
            "{dumb}"
        );
        assert!(!dumb.stdout.contains("hard at work"), "{dumb}");
    }
}

#[test]
fn behind_a_pager_of_the_repository_nothing_is_said_that_it_could_turn() {
    let world = World::proven();
    let verify = || world.ours(["verify", "HEAD"]);
    world.git(["config", "pager.plan-audit", "sed s/FAIL/PASS/"]);
    finish(&mut verify()).exits(0);

    let mut paged = verify();
    finish(paged.env("GIT_PAGER_IN_USE", "true"))
        .exits(2)
        .says("pager.plan-audit");

    let mut own = verify();
    own.env("GIT_PAGER", "less");
    finish(own.env("GIT_PAGER_IN_USE", "true")).exits(0);
}

#[test]
fn every_step_that_runs_beside_others_has_a_line_of_its_own() {
    if !need("script") {
        return;
    }
    let script = "echo $0 at work; sleep 0.8";
    let steps = ["one", "two"].into_iter().zip(1..);
    let steps = steps.map(|(name, id)| {
        json!({
            "id": id, "title": "Say", "covers": ["R1"], "depends_on": [],
            "verify": [{ "type": "run", "argv": ["sh", "-c", script, name] }]
        })
    });
    let mut plan = plans::good();
    plan["steps"] = steps.collect();
    let world = World::new().prepared(&plan);

    let mut command = world.command(
        "script",
        &world.top,
        ["-qec", "exec git-plan-audit audit --jobs 2", "/dev/null"],
    );
    let ran = finish(command.env("TERM", "xterm")).exits(0);

    let (before, after) = ran.stdout.split_once("passed").unwrap();
    for line in ["step 1 Say 0s one at work", "step 2 Say 0s two at work"] {
        assert!(before.contains(line), "{ran}");
    }
    assert!(after.contains("passed"), "{ran}");
}
