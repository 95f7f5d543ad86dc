//! `pre-push`.

use std::io::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::{at_remote, git, hooked, last_of_ours, with_remote};
use crate::support::{Layout, Proof, Ran, World, finish, plans};

/// A world whose HEAD is proven and that has a remote.
fn proven() -> World {
    hooked(with_remote(World::proven()))
}

/// A world whose HEAD is sealed and bad, and that has a remote.
fn bad() -> World {
    let world = hooked(with_remote(World::sealed()));
    git(&world, ["commit", "-qnm", "Work"]).exits(0);
    world
}

#[test]
fn what_is_proven_goes_and_what_is_not_stays() {
    let world = bad();

    let refused = git(&world, ["push", "-q", "origin", "main"]).exits(1);
    assert!(
        last_of_ours(&refused).starts_with("next: mend what failed (git plan-audit show "),
        "{refused}"
    );
    refused.says("the push is refused");
    assert!(at_remote(&world).is_empty());
    world.write("work.txt", "good\n");
    git(&world, ["commit", "-qam", "Good"]).exits(0);
    git(&world, ["push", "-q", "origin", "main"])
        .exits(0)
        .says("evidence-kept");

    assert_eq!(at_remote(&world), ["refs/heads/main"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn evidence_goes_before_the_branch_and_each_push_asks_once() {
    let world = proven();
    git(&world, ["config", "planAudit.remote", "origin"]).exits(0);
    let log = world.temp_path().join("log");
    let hook = world.top.join(".git/hooks/pre-push");
    let text = std::fs::read_to_string(&hook).unwrap();
    let counted = text.replacen(
        "\nprogram=",
        &format!("\necho x >>{}\nprogram=", log.display()),
        1,
    );
    std::fs::write(&hook, counted).unwrap();

    let first = git(&world, ["push", "-q", "origin", "main"]).exits(0);

    assert_eq!(std::fs::read_to_string(&log).unwrap(), "x\n", "{first}");
    assert_eq!(
        at_remote(&world),
        ["refs/heads/main", "refs/notes/plan-audit"]
    );
    let second = git(&world, ["push", "-q", "origin", "main:refs/heads/other"]).exits(0);
    assert!(!second.stderr.contains("publishing"), "{second}");
    // A push of the evidence itself is nobody's to gate.
    git(&world, ["push", "-q", "origin", "refs/notes/plan-audit"]).exits(0);
}

#[test]
fn a_push_that_moves_the_ledger_too_brings_no_branch_before_its_evidence() {
    let ledger = "refs/notes/plan-audit";
    for (number, (configured, moved)) in [(true, false), (false, false), (true, true)]
        .into_iter()
        .enumerate()
    {
        let world = proven();
        git(&world, ["push", "-q", "origin", ledger]).exits(0);
        if configured {
            git(&world, ["config", "planAudit.remote", "origin"]).exits(0);
        }
        // A record that is not there yet; git fixes this tip before the hook adds another one.
        world.run(["audit"]).exits(0);
        world.commit("more.txt", "x");
        let remote = world.at(&world.temp_path().join("remote.git"));
        if moved {
            let tree = format!("{ledger}^{{tree}}");
            let line = ["commit-tree", &tree, "-p", ledger, "-m", "theirs"];
            let theirs = remote.git(line).trimmed();
            remote.git(["update-ref", ledger, &theirs]);
        }
        let line = ["push", "-q", "origin", "main", ledger];

        let refused = git(&world, line).exits(1).says("evidence-beside");

        assert_eq!(at_remote(&world), [ledger], "{number}: {refused}");
        assert_eq!(remote.rev(ledger), world.rev(ledger), "{refused}");
        let next = last_of_ours(&refused).strip_prefix("next: ").unwrap();
        if number == 0 {
            git(&world, line).exits(0);
        } else {
            world.tool("sh", ["-ec", next]);
        }
        assert_eq!(at_remote(&world), ["refs/heads/main", ledger]);
        // Neither is it taken back or away beside a branch.
        for back in [format!("+{ledger}~1:{ledger}"), format!(":{ledger}")] {
            let line = ["push", "-q", "origin", "main:refs/heads/x", &back];
            git(&world, line).exits(1).says("evidence-beside");
            assert_eq!(remote.rev(ledger), world.rev(ledger));
        }
    }
}

#[test]
fn other_evidence_at_the_remote_is_joined_and_a_refusal_stops_the_push() {
    let world = proven();
    git(&world, ["config", "planAudit.remote", "origin"]).exits(0);
    let other = world.rev("HEAD~1");
    git(
        &world,
        [
            "push",
            "-q",
            "--no-verify",
            "origin",
            &format!("{other}:refs/notes/plan-audit"),
        ],
    )
    .exits(0);

    git(&world, ["push", "-q", "origin", "main"]).exits(0);
    assert_eq!(
        at_remote(&world),
        ["refs/heads/main", "refs/notes/plan-audit"]
    );
    let remote = world.at(&world.temp_path().join("remote.git"));
    assert_eq!(
        remote.rev("refs/notes/plan-audit"),
        world.rev("refs/notes/plan-audit")
    );
    for name in ["refs/heads/main", "refs/notes/plan-audit"] {
        remote.git(["update-ref", "-d", name]);
    }
    world.git(["update-ref", "-d", "refs/plan-audit/remotes/origin/notes"]);
    let deny = remote.top.join("hooks/update");
    std::fs::write(&deny, "#!/bin/sh\ncase $1 in refs/notes/*) exit 1;; esac\n").unwrap();
    world.tool("chmod", ["+x", deny.to_str().unwrap()]);
    git(&world, ["push", "-q", "origin", "main"])
        .exits(1)
        .says("evidence-refused");
    git(&world, ["config", "planAudit.remote", "nowhere"]).exits(0);
    git(&world, ["push", "-q", "origin", "main"])
        .exits(1)
        .says("evidence-unreachable");
    assert!(at_remote(&world).is_empty());
}

#[test]
fn each_line_is_judged_by_itself() {
    let world = proven();
    git(&world, ["tag", "-am", "v1", "v1"]).exits(0);
    git(&world, ["tag", "-am", "of a tree", "tree", "HEAD^{tree}"]).exits(0);
    git(&world, ["checkout", "-qb", "bad"]).exits(0);
    world.commit("work.txt", "bad\n");
    git(&world, ["tag", "-am", "bad", "v2"]).exits(0);
    git(&world, ["checkout", "-q", "main"]).exits(0);
    let head = world.rev("HEAD");
    for (line, code) in [
        (vec!["main", "v1", "HEAD:refs/heads/same"], 0),
        (vec![head.as_str(), "bad"], 128),
        (vec!["main~0:refs/heads/sha"], 0),
        (vec!["tree"], 0),
        (vec!["bad", "main:refs/heads/z"], 1),
        (vec!["a:refs/heads/b"], 1),
        (vec!["v2"], 1),
        (vec!["bad:refs/heads/wip/bad"], 0),
        (vec![":same"], 0),
        (vec!["main:refs/heads/one", ":sha"], 0),
        (vec!["--dry-run", "bad"], 1),
        (vec!["--dry-run", "main:refs/heads/two"], 0),
        (vec!["--atomic", "main:refs/heads/two", "bad"], 1),
        (vec!["--all"], 1),
    ] {
        let words = [vec!["push", "-q", "origin"], line.clone()].concat();
        let ran = finish(&mut world.command("git", &world.top, &words));

        let refused = if code == 128 {
            ran.code != 0
        } else {
            ran.code == code
        };
        assert!(refused, "{line:?}: {ran}");
    }
    let expected = ["main", "one", "wip/bad"].map(|name| format!("refs/heads/{name}"));
    let listed = at_remote(&world);
    let branches = listed.iter().filter(|name| name.starts_with("refs/heads/"));
    assert_eq!(
        branches.collect::<Vec<_>>(),
        expected.iter().collect::<Vec<_>>()
    );
}

#[test]
fn a_push_is_judged_with_what_the_remote_has() {
    let world = proven();
    git(&world, ["push", "-q", "origin", "main"]).exits(0);
    git(&world, ["checkout", "-q", "--orphan", "anew"]).exits(0);
    git(&world, ["rm", "-rqf", "."]).exits(0);
    world.write("a.txt", "a");
    git(&world, ["add", "-A"]).exits(0);
    git(&world, ["commit", "-qnm", "Anew"]).exits(0);

    // A new branch holds nothing of that plan; in the place of main it would take it away.
    git(&world, ["push", "-q", "-f", "origin", "anew:main"])
        .exits(1)
        .says("plan-removed");

    // What nobody here has seen cannot be judged, and is fetched as told.
    let other = world.temp_path().join("other");
    let url = world.temp_path().join("remote.git");
    world.git([
        "clone",
        "-q",
        url.to_str().unwrap(),
        other.to_str().unwrap(),
    ]);
    let other = world.at(&other);
    other.commit("theirs.txt", "x");
    git(&other, ["push", "-q", "origin", "main"]).exits(0);
    git(&world, ["checkout", "-q", "main"]).exits(0);
    let unknown = git(&world, ["push", "-q", "-f", "origin", "main"]).exits(1);
    let next = last_of_ours(&unknown).strip_prefix("next: ").unwrap();
    world.tool("sh", ["-ec", next]);
    git(&world, ["push", "-q", "-f", "origin", "main"]).exits(0);
}

#[test]
fn an_audit_runs_where_the_commit_is_checked_out_and_nowhere_else() {
    let world = bad();
    world.write("work.txt", "good\n");
    git(&world, ["commit", "-qam", "Good"]).exits(0);
    git(&world, ["branch", "elsewhere"]).exits(0);
    world.commit("more.txt", "x");

    git(&world, ["push", "-q", "origin", "elsewhere"])
        .exits(1)
        .says("no-evidence");
    // What lies about keeps an audit in place from proving anything, so a checkout is made.
    world.write("untracked.txt", "x");
    git(&world, ["push", "-q", "origin", "main"])
        .exits(0)
        .says("private checkout");
    git(
        &world,
        [
            "-c",
            "planAudit.prePush=evidence",
            "push",
            "-q",
            "origin",
            "main:refs/heads/x",
        ],
    )
    .exits(0);
    world.commit("again.txt", "x");
    git(
        &world,
        [
            "-c",
            "planAudit.prePush=evidence",
            "push",
            "-q",
            "origin",
            "main",
        ],
    )
    .exits(1);
    git(
        &world,
        [
            "-c",
            "planAudit.prePush=off",
            "push",
            "-q",
            "origin",
            "main",
        ],
    )
    .exits(0);
}

#[test]
fn a_linked_work_tree_and_other_ids_are_served() {
    for layout in [Layout::Linked, Layout::Sha256] {
        let world = World::with(layout, Proof::Ssh).prepared(&plans::of_argv(&["true"]));
        let path = world.temp_path().join("remote.git");
        let format = world.git(["rev-parse", "--show-object-format"]).trimmed();
        let format = format!("--object-format={format}");
        world.git(["init", "-q", "--bare", &format, path.to_str().unwrap()]);
        world.git(["remote", "add", "origin", path.to_str().unwrap()]);
        let world = hooked(world);
        git(&world, ["config", "planAudit.remote", "origin"]).exits(0);
        git(&world, ["commit", "-qm", "Work"]).exits(0);

        git(&world, ["push", "-q", "origin", "HEAD:refs/heads/main"]).exits(0);

        let names = at_remote(&world);
        assert_eq!(
            names,
            ["refs/heads/main", "refs/notes/plan-audit"],
            "{layout:?}"
        );
    }
}

/// Runs `hook pre-push` with a pipe that stays open.
fn with_open_pipe(world: &World, said: &str) -> (Ran, Duration) {
    let mut command = world.ours(["hook", "pre-push", "origin", "nowhere"]);
    command
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::piped());
    let began = Instant::now();
    let mut child = command.spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(said.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    drop(pipe);
    (
        Ran::new("hook pre-push".to_owned(), &output),
        began.elapsed(),
    )
}

#[test]
fn without_lines_head_is_judged_and_nothing_is_waited_for() {
    let world = bad();
    let call = |input: &str| {
        let mut command = world.ours(["hook", "pre-push", "origin", "nowhere"]);
        let file = world.temp_path().join("input");
        std::fs::write(&file, input).unwrap();
        finish(command.stdin(std::fs::File::open(&file).unwrap()))
    };

    call("")
        .exits(1)
        .says("push-unread")
        .says("refs/heads/main");
    call("nonsense\n").exits(1).says("push-unreadable");
    let (open, took) = with_open_pipe(&world, "");
    open.exits(1).says("push-unread");
    assert!(took < Duration::from_secs(10));
    let (half, _) = with_open_pipe(&world, "refs/heads/main 1");
    half.exits(1).says("push-unreadable");
    // Nothing is ahead of what the remote has, by whatever name it is known: nothing is said.
    git(&world, ["push", "-q", "--no-verify", "origin", "main"]).exits(0);
    for line in [
        ["push", "-q", "origin", "main"],
        ["push", "-qu", "origin", "main"],
    ] {
        assert_eq!(git(&world, line).exits(0).stderr, "");
    }
    git(&world, ["branch", "--unset-upstream"]).exits(0);
    world.commit("ahead.txt", "x");
    call("").exits(1).says("push-unread");
    git(
        &world,
        ["push", "-q", "--no-verify", "-u", "origin", "main"],
    )
    .exits(0);
    let silent = call("").exits(0);
    assert_eq!(silent.stderr, "", "{silent}");
    git(&world, ["push", "-q", "origin", "main"]).exits(0);
}

#[test]
fn a_push_of_nothing_says_nothing_also_without_an_upstream() {
    let world = proven();
    git(&world, ["push", "-q", "origin", "main"]).exits(0);

    let again = git(&world, ["push", "-q", "origin", "main"]).exits(0);

    assert_eq!(again.stderr, "", "{again}");
}
