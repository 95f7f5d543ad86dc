//! Records of claims: made again from git, reused, and whatever was tampered with.

use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use super::{exists, world};

#[test]
fn two_clones_make_the_same_evidence() {
    let world = world(json!([
        exists("C1", "high", "src/a.rs"),
        exists("C2", "low", "none")
    ]));
    world.git(["commit", "-qm", "Plan"]);
    world.with_remote();
    let other = world.cloned("other");

    let (here, there) = (world.json(["preflight"]), other.json(["preflight"]));

    for at in ["/plans/0/claims/0/evidence", "/plans/0/claims/1/evidence"] {
        assert_eq!(here.text(at), there.text(at));
    }
}

#[test]
fn what_rests_on_the_same_objects_is_reused() {
    let claim = json!({
        "id": "C1", "type": "text_present", "criticality": "high", "expect": true,
        "paths": ["src/**"], "literal": "refund",
    });
    let world = world(json!([claim]));
    world.json(["preflight"]).is("PASS", 0);
    world.commit("docs/x.md", "x");

    let reused = world.json(["preflight", "--reuse"]).is("PASS", 0);
    let anew = world.json(["preflight"]).is("PASS", 0);

    assert_eq!(reused.at("/plans/0/claims/0/reused"), true);
    assert_eq!(anew.at("/plans/0/claims/0/reused"), false);
    let id = "/plans/0/claims/0/evidence";
    assert_eq!(reused.text(id), anew.text(id));
    let record = reused.text("/plans/0/record").to_owned();
    world.json(["preflight", "--verify", &record]).is("PASS", 0);

    world.commit("src/b.rs", "x");
    let changed = world.json(["preflight", "--reuse"]).is("PASS", 0);
    assert_eq!(changed.at("/plans/0/claims/0/reused"), false);
}

#[test]
fn the_same_evidence_is_no_pass_of_the_gate() {
    let world = world(json!([exists("C1", "high", "none")]));
    let record = world.json(["preflight"]).is("FAIL", 1);
    let record = record.text("/plans/0/record").to_owned();

    let ran = world.run(["preflight", "--verify", &record]).exits(0);
    let ran = ran.says("SAME for commit").says("its gate is blocked");

    assert!(!ran.stdout.contains("PASS"), "{ran}");
}

#[test]
fn evidence_whose_commit_is_gone_cannot_be_made_again() {
    let world = world(json!([exists("C1", "high", "src/a.rs")]));
    world
        .json(["preflight", "--verify", "0123456789ab"])
        .is("REFUSED", 2);
    let json = world.json(["preflight"]).is("PASS", 0);
    let record = json.text("/plans/0/record").to_owned();
    let commit = world.rev("HEAD");
    world.git(["reset", "-q", "--soft", "HEAD~1"]);
    let (folder, file) = commit.split_at(2);
    let object = world.top.join(".git/objects").join(folder).join(file);
    std::fs::remove_file(object).unwrap();

    let json = world
        .json(["preflight", "--verify", &record])
        .is("UNKNOWN", 3);

    assert!(json.codes().contains(&"claims-not-here"), "{}", json.ran);
}

#[test]
fn fsck_looks_at_the_evidence_that_records_of_claims_name() {
    let world = world(json!([exists("C1", "high", "src/a.rs")]));
    let record = world.json(["preflight"]).is("PASS", 0);
    let record = record.text("/plans/0/record").to_owned();
    world.json(["fsck"]).is("OK", 0);
    let shown = world.json(["show", &record]);
    let evidence = shown.text("/record/body/evidence/blob").to_owned();

    world.git(["notes", "--ref=plan-audit", "remove", &evidence]);
    let loose = world.json(["fsck"]).is("OK", 0);
    assert!(
        loose.codes().contains(&"ledger-kept-loose"),
        "{}",
        loose.ran
    );
}

#[test]
fn a_preflight_that_is_told_to_stop_ends_soon_and_records_nothing() {
    // Each of these is parsed anew, so that there is something to interrupt.
    let claims: Vec<_> = (0..400)
        .map(|number| {
            json!({
                "id": format!("C{number}"), "type": "symbol_absent", "criticality": "low",
                "expect": true, "path": format!("src/{number}.rs"), "symbol": "nowhere",
            })
        })
        .collect();
    let world = world(json!(claims));
    let functions = "fn f() { g(h(1), 2); }\n".repeat(4000);
    for number in 0..400 {
        world.write(
            &format!("src/{number}.rs"),
            format!("// {number}\n{functions}"),
        );
    }
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Much to parse"]);
    let before = world.lines().len();
    let mut command = world.ours(["preflight"]);
    let mut child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Any moment will do: the parsing of all takes far longer.
    std::thread::sleep(Duration::from_millis(700));

    kill(
        Pid::from_raw(child.id().try_into().unwrap()),
        Signal::SIGINT,
    )
    .unwrap();

    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(world.lines().len(), before);
    world
        .json(["preflight", "--claims", "none.json"])
        .is("REFUSED", 2);
}
