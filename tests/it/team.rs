//! One person becomes two: the ledger goes to the remote, and a clone that stands on another one is
//! told so and led back.

use crate::support::{Key, World, plans};

/// The ref of the ledger.
const REF: &str = "refs/notes/plan-audit";
/// The list of signers.
const SIGNERS: &str = ".plan-auditor/allowed_signers";

/// Runs a line of shell with our binary in the place of its name for people.
fn follow(world: &World, line: &str) {
    let line = line.replace("git plan-audit", env!("CARGO_BIN_EXE_git-plan-audit"));
    world.tool("sh", ["-ec", &line.replace("TEXT", "moved")]);
}

/// Joins the ledger of the remote with the one here, as somebody does who does not know `sync`.
fn join_by_hand(world: &World) {
    world.git(["fetch", "-q", "origin", &format!("{REF}:refs/notes/theirs")]);
    world.merge_notes("cat_sort_uniq", "theirs");
}

/// The first person of a team whose main lists two keys, and the key of the second.
fn first_of_two() -> (World, Key) {
    let one = World::new();
    let (first, second) = (Key::make(&one, "first"), Key::make(&one, "second"));
    one.commit(SIGNERS, first.signers() + &second.signers());
    one.with_remote();
    one.git(["remote", "set-head", "origin", "main"]);
    one.json(["init", "--no-hooks", "--key", first.path()])
        .is("OK", 0);
    (one, second)
}

/// The second person, who begins in a clone of their own.
fn second_of_two(one: &World, second: &Key) -> World {
    let other = one.cloned("other");
    other
        .json(["init", "--no-hooks", "--key", second.path()])
        .is("OK", 0);
    other
}

/// A team whose main lists two keys. The first person recorded and told nobody; the second began
/// meanwhile, so that each stands on a ledger of their own.
fn apart() -> (World, World) {
    let (one, second) = first_of_two();
    let other = second_of_two(&one, &second);
    one.json(["sync"]).is("OK", 0);
    (one, other)
}

/// Returns the ledger that a clone stands on.
fn ledger(world: &World) -> String {
    world
        .json(["init", "--no-hooks"])
        .is("OK", 0)
        .text("/repo")
        .to_owned()
}

#[test]
fn a_ledger_that_nobody_else_has_is_told_until_it_was_sent() {
    let world = World::new();
    world.with_remote();

    let init = world.json(["init", "--no-hooks"]).is("OK", 0);

    assert_eq!(init.text("/next"), "git plan-audit sync");
    assert_eq!(init.hint("ledger-unshared"), "git plan-audit sync");
    assert!(init.ran.stdout.contains("a new ledger"), "{}", init.ran);
    for command in ["status", "doctor"] {
        let json = world.json([command]);
        assert!(json.codes().contains(&"ledger-unshared"), "{}", json.ran);
    }
    world.json(["sync"]).is("OK", 0);
    let other = world.cloned("other");
    let joined = other.json(["init", "--no-hooks"]).is("OK", 0);
    assert_eq!(joined.text("/repo"), init.text("/repo"));
    assert!(!world.json(["status"]).codes().contains(&"ledger-unshared"));
    let status = other.json(["status"]);
    assert!(
        status.codes().contains(&"evidence-unsent"),
        "{}",
        status.ran
    );
}

#[test]
fn a_push_that_no_plan_binds_brings_the_ledger_too() {
    let world = World::new();
    let remote = world.with_remote();
    world.run(["init"]).exits(0);
    world.commit("a.txt", "a\n");
    let told = world.git(["push", "-q", "origin", "main"]);
    assert!(told.stderr.contains("ledger-unshared"), "{told}");

    world.git(["config", "planAudit.remote", "origin"]);
    world.commit("b.txt", "b\n");
    world.git(["push", "-q", "origin", "main"]);

    assert_eq!(remote.rev(REF), world.rev(REF));
}

#[test]
fn what_a_close_recorded_is_said_to_be_here_alone() {
    let world = World::proven();
    world.with_remote();
    world.json(["sync"]).is("OK", 0);

    let close = world.json(["close"]).is("OK", 0);

    assert_eq!(close.hint("evidence-unsent"), "git plan-audit sync");
    world.json(["sync"]).is("OK", 0);
    assert!(!world.json(["status"]).codes().contains(&"evidence-unsent"));
}

#[test]
fn a_clone_on_another_ledger_is_led_to_that_of_the_remote() {
    let (one, other) = apart();
    let (theirs, own) = (ledger(&one), ledger(&other));
    assert_ne!(theirs, own);
    let before = other.rev(REF);

    let refused = other.json(["sync"]).is("REFUSED", 2);
    let told = refused.hint("other-ledger").to_owned();
    other.git(["fetch", "-q"]);
    let init = other.json(["init", "--no-hooks"]).is("OK", 0);
    assert_eq!(init.hint("stands-elsewhere"), told);
    let (_, command) = told.split_once(": ").unwrap();
    let (command, _) = command.split_once(';').unwrap();
    follow(&other, command);

    assert_eq!(ledger(&other), theirs);
    assert_eq!(other.rev("refs/plan-audit/aside"), before);
    let sent = other.json(["sync"]).is("OK", 0);
    assert!(!sent.codes().contains(&"foreign-sent"), "{}", sent.ran);
    // What is recorded from then on counts for everybody.
    other.git(["switch", "-qc", "work"]);
    other.with_plan(&plans::good());
    other.write("work.txt", "good\n");
    other.git(["add", "-A"]);
    other.seal();
    other.json(["audit"]).is("PASS", 0);
    other.git(["commit", "-qm", "Work"]);
    other.git(["push", "-q", "origin", "work"]);
    other.json(["sync"]).is("OK", 0);
    one.git(["fetch", "-q"]);
    one.json(["sync"]).is("OK", 0);
    one.json(["verify", "origin/work"]).is("PASS", 0);
    let judge = one.cloned("judge");
    judge.json(["sync", "--fetch-only"]).is("OK", 0);
    judge.json(["verify", "origin/work"]).is("PASS", 0);
}

#[test]
fn records_of_two_ledgers_are_told_everywhere_and_a_pin_ends_it() {
    let (one, other) = apart();
    let (theirs, own) = (ledger(&one), ledger(&other));
    join_by_hand(&other);
    let sent = other.json(["sync"]).is("OK", 0);
    assert!(sent.ran.stdout.contains("ledger-disputed"), "{}", sent.ran);
    one.json(["sync"]).is("OK", 0);

    for world in [&one, &other] {
        let status = world.json(["status"]).is("OK", 0);
        assert!(
            status.codes().contains(&"ledger-disputed"),
            "{}",
            status.ran
        );
    }
    let judge = one.cloned("judge");
    let refused = judge.json(["init", "--no-hooks"]).is("REFUSED", 2);
    let pin = refused.hint("repository-refused").to_owned();
    assert!(
        pin.contains("\"ledger\":\"ID\" in .plan-auditor/supervisor.json"),
        "{pin}"
    );

    one.commit(
        ".plan-auditor/supervisor.json",
        format!("{{\"ledger\":\"{theirs}\"}}"),
    );
    one.git(["push", "-q", "origin", "main"]);
    judge.git(["pull", "-q"]);
    other.git(["pull", "-q"]);

    assert_eq!(ledger(&judge), theirs);
    let status = other.json(["init", "--no-hooks"]).is("OK", 0);
    assert_eq!(status.text("/repo"), own);
    let moves = status.hint("stands-elsewhere").to_owned();
    let refused = other.json(["sync"]).is("REFUSED", 2);
    assert!(refused.codes().contains(&"other-ledger"), "{}", refused.ran);
    follow(&other, &moves);
    assert_eq!(ledger(&other), theirs);
    other.json(["sync"]).is("OK", 0);
    let status = other.json(["status"]).is("OK", 0);
    assert!(
        !status.codes().contains(&"stands-elsewhere"),
        "{}",
        status.ran
    );
}

#[test]
fn without_a_pin_a_clone_moves_to_the_ledger_of_the_others() {
    let (one, other) = apart();
    join_by_hand(&other);

    let line = ["init", "--no-hooks", "--new-instance", "--reason", "moved"];
    let moved = other.json(line).is("OK", 0);

    assert_eq!(moved.text("/repo"), ledger(&one));
    let sent = other.json(["sync"]).is("OK", 0);
    assert!(sent.codes().contains(&"foreign-sent"), "{}", sent.ran);
}

#[test]
fn a_line_of_a_stranger_keeps_nobody_from_beginning() {
    let (one, _) = apart();
    // The evidence of a repository that is nobody's here.
    let stranger = World::proven();
    let line = stranger.record("seal");
    one.add_line(&line.target, &line.text);
    one.git(["push", "-q", "origin", REF]);

    let third = one.cloned("third");

    assert_eq!(ledger(&third), ledger(&one));
}

#[test]
fn a_key_that_is_not_listed_is_told_to_whose_it_is() {
    let world = World::new();
    let key = Key::make(&world, "listed");
    world.commit(SIGNERS, key.signers());
    world.with_remote();
    world.git(["remote", "set-head", "origin", "main"]);

    let init = world.json(["init", "--no-hooks"]).is("OK", 0);

    for json in [init, world.json(["status"]), world.json(["doctor"])] {
        assert!(json.codes().contains(&"key-unlisted"), "{}", json.ran);
    }
    world
        .run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);
    assert!(!world.json(["status"]).codes().contains(&"key-unlisted"));
}

/// A plan with a scope.
fn scoped(path: &str) -> serde_json::Value {
    let mut plan = plans::of_argv(&["true"]);
    plan["scope"] = serde_json::json!([path]);
    plan
}

#[test]
fn works_of_two_plans_that_were_merged_go_one_at_a_time() {
    let world = World::new();
    world.init();
    let remote = world.with_remote();
    world.git(["remote", "set-head", "origin", "main"]);
    for name in ["one", "two"] {
        world.git(["switch", "-qc", name, "origin/main"]);
        let file = format!("{name}/work.txt");
        let plan = format!(".plan-auditor/plans/{name}.json");
        world.write(&plan, scoped(&format!("{name}/**")).to_string());
        world.write(&file, "work\n");
        world.git(["add", "-A"]);
        world.json(["seal", "--plan", name]).is("OK", 0);
        world.json(["audit"]).is("PASS", 0);
        world.git(["commit", "-qm", name]);
    }
    world.git(["switch", "-q", "main"]);
    world.git(["merge", "-q", "--no-ff", "--no-edit", "one"]);
    world.git(["merge", "-q", "--no-ff", "--no-edit", "two"]);
    world.json(["audit"]).is("FAIL", 1);

    let refused = world.json(["verify", "origin/main..HEAD"]).is("FAIL", 1);

    let told = refused.hint("out-of-scope").to_owned();
    let (_, command) = told.split_once("the first by ").unwrap();
    let (command, _) = command.split_once(';').unwrap();
    follow(&world, &command.replace("BRANCH", "main"));
    assert_eq!(remote.rev("main"), world.rev("HEAD^"));
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "origin/main..HEAD"]).is("PASS", 0);
}

#[test]
fn two_branches_that_wrote_one_plan_file_are_told_how_both_live_on() {
    let world = World::new();
    world.init();
    world.with_remote();
    world.git(["remote", "set-head", "origin", "main"]);
    for (name, task) in [("one", "First"), ("two", "Second")] {
        world.git(["switch", "-qc", name, "origin/main"]);
        let mut plan = plans::of_argv(&["true"]);
        plan["task"] = task.into();
        world.with_plan(&plan);
        world.seal();
        world.json(["audit"]).is("PASS", 0);
        world.git(["commit", "-qm", name]);
    }
    world.git(["push", "-q", "origin", "one:main"]);
    world.git(["merge", "-q", "--no-edit", "-X", "ours", "origin/main"]);

    let broken = world.json(["verify", "origin/main..HEAD"]).is("FAIL", 1);
    let refused = world.json(["seal"]).is("REFUSED", 2);

    let way = "git plan-audit seal --plan NEW --from default";
    assert!(broken.hint("seal-broken").contains(way), "{}", broken.ran);
    assert!(refused.ran.stdout.contains(way), "{}", refused.ran);
    let mine = std::fs::read_to_string(world.top.join(".plan-auditor/plan.json")).unwrap();
    world.write(".plan-auditor/plans/new.json", mine);
    world.git([
        "checkout",
        "-q",
        "origin/main",
        "--",
        ".plan-auditor/plan.json",
    ]);
    world.git(["add", "-A"]);
    world
        .json(["seal", "--plan", "new", "--from", "default"])
        .is("OK", 0);
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Both"]);
    world.json(["verify", "origin/main..HEAD"]).is("PASS", 0);
}

#[test]
fn what_was_fetched_and_not_taken_over_is_doubt_where_it_binds() {
    let (one, second) = first_of_two();
    one.json(["sync"]).is("OK", 0);
    let other = second_of_two(&one, &second);
    let one = one.prepared(&plans::good()).finished();
    one.json(["sync"]).is("OK", 0);
    one.git(["push", "-q", "origin", "main"]);
    other.git(["fetch", "-q", "origin"]);
    other.git([
        "fetch",
        "-q",
        "origin",
        &format!("+{REF}:refs/plan-audit/remotes/origin/notes"),
    ]);
    other.git(["reset", "-q", "--hard", "origin/main"]);
    other.git(["rm", "-q", "work.txt"]);
    other.git(["commit", "-qm", "Break it"]);

    let judged = other.json(["verify", "--allow-no-plan"]).is("UNKNOWN", 3);
    assert!(
        judged.codes().contains(&"ledger-unmerged-binding"),
        "{}",
        judged.ran
    );
    other.json(["sync", "--fetch-only"]).is("OK", 0);
    let judged = other.json(["verify", "--allow-no-plan"]).is("FAIL", 1);
    assert!(judged.codes().contains(&"no-evidence"), "{}", judged.ran);
}
