//! The life of a contract through the binary: strengthened, renewed, closed, given up.

use serde_json::{Value, json};

use crate::support::{Key, World, plans};

/// The plan of every world, and a second check beside its own.
fn stronger() -> Value {
    let mut plan = plans::good();
    let checks = plan["steps"][0]["verify"].as_array_mut().unwrap();
    checks.push(json!({ "type": "file_exists", "path": "work.txt" }));
    plan
}

/// A plan that asks for less.
fn weaker() -> Value {
    plans::of_argv(&["true"])
}

/// The classes of what differs, from a `diff` of the plan `default`.
fn classes(world: &World) -> Vec<String> {
    let json = world.json(["diff"]).is("OK", 0);
    let changes = json.list("/plans/default/with/0/changes").iter();
    changes
        .map(|change| change["class"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_plan_may_ask_for_more() {
    let world = World::proven();

    world.with_plan(&stronger());

    assert_eq!(classes(&world), ["strengthening"]);
    world.run(["diff", "--exit-code"]).exits(1);
    world.json(["audit"]).is("REFUSED", 2);
    let sealed = world.json(["seal"]).is("OK", 0);
    assert_eq!(sealed.at("/generation"), &json!(1));
    assert_eq!(sealed.list("/continues").len(), 1);
    world.run(["diff", "--exit-code"]).exits(0);
    assert_eq!(
        world
            .json(["diff", "--lineage"])
            .list("/plans/default/with/0/changes")
            .len(),
        1
    );
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Ask for more"]);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_plan_that_asks_for_less_is_refused_and_both_texts_are_shown() {
    let world = World::proven();

    world.with_plan(&weaker());

    assert!(classes(&world).contains(&"weakening".to_owned()));
    let refused = world.run(["seal"]).exits(2);
    assert!(
        refused.stderr.contains("weakened") || refused.stdout.contains("weakened"),
        "{refused}"
    );
    let told = world.run(["diff"]).exits(0).stdout;
    assert!(
        told.contains("    - grep") && told.contains("    + true"),
        "{told}"
    );
    world.git(["commit", "-qm", "Weaken"]);
    let json = world.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(json.codes().contains(&"draft"), "{}", json.ran);
}

#[test]
fn a_new_generation_is_the_first_line_of_every_report() {
    let world = World::proven();
    world.with_plan(&weaker());

    for line in [
        vec!["seal", "--new-generation"],
        vec!["seal", "--new-generation", "--reason", " "],
    ] {
        world.run(line).exits(129);
    }
    let line = ["seal", "--new-generation", "--reason", "the tool is gone"];
    let sealed = world.json(line).is("OK", 0);

    assert_eq!(sealed.at("/generation"), &json!(2));
    world.git(["commit", "-qam", "Ask for less"]);
    for line in [["audit"].as_slice(), &["verify", "HEAD"]] {
        let ran = world.run(line).exits(0);
        let first = ran.stdout.lines().next().unwrap();
        assert!(first.contains("generation-unapproved"), "{ran}");
        assert!(first.contains("the tool is gone"), "{ran}");
    }
}

#[test]
fn a_plan_that_was_sealed_by_mistake_can_be_mended_and_merged() {
    let world = World::new();
    world.init();
    world.with_plan(&weaker());
    world.json(["seal"]).is("OK", 0);

    world.with_plan(&plans::good());
    world.json(["seal"]).is("REFUSED", 2);
    world
        .json(["seal", "--new-generation", "--reason", "sealed too early"])
        .is("OK", 0);

    world.git(["switch", "-qc", "topic"]);
    let world = world.finished();
    world.git(["switch", "-q", "main"]);
    world.git(["merge", "-q", "--no-ff", "--no-edit", "topic"]);
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
    let status = world.json(["status"]);
    assert_eq!(status.text("/plans/default/standing"), "sealed");
}

#[test]
fn a_plan_is_closed_when_it_is_proven_and_then_binds_no_more() {
    let world = World::sealed();
    world.git(["commit", "-qm", "Bad work"]);
    world.json(["close"]).is("REFUSED", 2);
    let world = world.finished();

    let closed = world.json(["close"]).is("OK", 0);

    assert_eq!(closed.at("/already"), &json!(false));
    assert_eq!(world.json(["close"]).at("/already"), &json!(true));
    world.json(["verify", "HEAD"]).is("PASS", 0);
    world.commit("later.txt", "x\n");
    let json = world.json(["verify", "HEAD"]).is("NO_PLAN", 3);
    assert_eq!(json.text("/commits/0/plans/default/outcome"), "CLOSED");
    assert_eq!(
        world.json(["status"]).text("/plans/default/standing"),
        "closed"
    );
    world.git(["rm", "-q", ".plan-auditor/plan.json"]);
    world.git(["commit", "-qm", "Clear away"]);
    world.json(["verify", "HEAD"]).is("NO_PLAN", 3);
}

#[test]
fn a_plan_is_given_up_with_a_reason() {
    let world = World::sealed();
    world.git(["commit", "-qm", "Work"]);
    world.git(["rm", "-q", ".plan-auditor/plan.json"]);
    world.git(["commit", "-qm", "Give up"]);
    let json = world.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(json.codes().contains(&"plan-removed"), "{}", json.ran);

    world.run(["close", "--abandon"]).exits(129);
    world
        .json(["close", "--abandon", "--reason", "not wanted"])
        .is("OK", 0);

    world.json(["verify", "HEAD"]).is("NO_PLAN", 3);
}

#[test]
fn an_approver_approves_with_the_other_namespace() {
    let world = World::proven();
    let key = Key::own(&world);
    let line = key.signers().replace(
        "\"git-plan-audit\"",
        "\"git-plan-audit,git-plan-audit-approve\"",
    );
    world.commit(".plan-auditor/allowed_signers", line);
    let base = world.rev("HEAD");
    world.git(["update-ref", "refs/remotes/origin/main", &base]);
    world.run(["init", "--no-hooks"]).exits(0);
    world.with_plan(&weaker());
    world.git(["add", "-A"]);

    let asked = ["seal", "--new-generation", "--reason", "smaller"];
    world.json(asked).is("OK", 0);
    let json = world.json(["audit"]).is("REFUSED", 2);
    assert!(
        json.codes().contains(&"generation-not-approved"),
        "{}",
        json.ran
    );
    world
        .json([
            "seal",
            "--new-generation",
            "--reason",
            "smaller",
            "--approve",
        ])
        .is("OK", 0);

    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Smaller"]);
    let json = world.json(["verify", "HEAD"]).is("PASS", 0);
    assert!(json.codes().contains(&"new-generation"), "{}", json.ran);
}

/// A world whose trust point lists its own key for records, and another one that may approve.
fn with_approver() -> (World, Key) {
    let world = World::proven();
    let (own, boss) = (Key::own(&world), Key::make(&world, "boss"));
    let may = boss.signers().replace(
        "\"git-plan-audit\"",
        "\"git-plan-audit,git-plan-audit-approve\"",
    );
    world.commit(".plan-auditor/allowed_signers", own.signers() + &may);
    let base = world.rev("HEAD");
    world.git(["update-ref", "refs/remotes/origin/main", &base]);
    world.run(["init", "--no-hooks"]).exits(0);
    (world, boss)
}

#[test]
fn a_key_that_may_not_approve_writes_nothing() {
    let (world, _) = with_approver();
    world.with_plan(&weaker());
    let before = world.rev("refs/notes/plan-audit");
    let seal = ["seal", "--new-generation", "--reason", "x", "--approve"];
    let close = ["close", "--abandon", "--reason", "x", "--approve"];
    for refused in [world.json(seal), world.json(close)] {
        let refused = refused.is("REFUSED", 2);
        assert_eq!(refused.codes(), ["cannot-approve"], "{}", refused.ran);
    }
    assert_eq!(world.rev("refs/notes/plan-audit"), before);

    // Where nobody is listed for that, a key that does not count cannot either.
    let (world, own) = (World::proven(), World::new());
    let key = Key::make(&own, "somebody");
    world.commit(".plan-auditor/allowed_signers", key.signers());
    let base = world.rev("HEAD");
    world.git(["update-ref", "refs/remotes/origin/main", &base]);
    world.run(["init", "--no-hooks"]).exits(0);
    world.with_plan(&weaker());
    world.json(seal).is("REFUSED", 2);
}

#[test]
fn what_waits_for_approval_is_told_with_what_ends_it() {
    let (world, boss) = with_approver();
    world.with_plan(&weaker());
    let next = "seal --plan default --new-generation --reason TEXT --approve";

    let asked = ["seal", "--new-generation", "--reason", "smaller"];
    world.run(asked).exits(0).says(next);
    world.run(["seal"]).exits(0).says(next);
    let status = world.json(["status"]).is("OK", 0);
    assert!(status.ran.stdout.contains(next), "{}", status.ran);
    assert!(status.codes().contains(&"generation-not-approved"));
    world.run(["audit"]).exits(2).says(next);

    let given_up = ["close", "--abandon", "--reason", "No more"];
    let waits = world.json(given_up).is("OK", 0);
    assert_eq!(waits.at("/waiting"), &json!(true), "{}", waits.ran);
    assert!(waits.codes().contains(&"close-unapproved"));
    world
        .run(["status"])
        .exits(0)
        .says("close --plan default --abandon");
    world.run(given_up).exits(0).says("waits for approval");

    // The other key ends it, and nothing is said of it any more.
    world
        .run(["init", "--no-hooks", "--key", boss.path()])
        .exits(0);
    world.run([&asked[..], &["--approve"]].concat()).exits(0);
    let status = world.json(["status"]).is("OK", 0);
    assert!(!status.codes().contains(&"generation-not-approved"));
    world.json(["audit"]).is("PASS", 0);
}

#[test]
fn accepting_the_signers_of_a_pushed_list_ends_the_doubt_at_that_commit() {
    let world = World::proven();
    let bare = world.bare();
    world.git(["remote", "add", "origin", bare.top.to_str().unwrap()]);
    world.git(["push", "-q", "-u", "origin", "main"]);
    world.commit(".plan-auditor/allowed_signers", Key::own(&world).signers());
    world.json(["audit"]).is("PASS", 0);
    world.git(["push", "-q"]);
    let json = world.json(["verify", "HEAD"]);
    assert!(
        json.ran.code != 0 || json.codes().contains(&"trust-point-parent"),
        "{}",
        json.ran
    );

    world.run(["init", "--no-hooks"]).exits(0);

    world.json(["verify", "HEAD"]).is("PASS", 0);
    // A list that came later is not the one that was accepted.
    let evil = Key::make(&world, "evil");
    world.commit(".plan-auditor/allowed_signers", evil.signers());
    world.git(["push", "-q"]);
    assert_ne!(world.json(["verify", "HEAD"]).ran.code, 0);
}

#[test]
fn a_range_is_judged_with_what_its_beginning_held() {
    let world = World::proven();
    let old = world.rev("HEAD");
    world.git(["rm", "-q", ".plan-auditor/plan.json"]);
    world.git(["commit", "-qm", "Take the plan away"]);
    let gone = world.rev("HEAD");
    world.commit("later.txt", "x\n");
    world.git(["update-ref", "refs/remotes/origin/main", &gone]);

    let range = format!("{old}..HEAD");
    let json = world.json(["verify", &range]).is("FAIL", 1);
    assert!(json.codes().contains(&"plan-removed"), "{}", json.ran);
    let json = world.json(["verify", &range, "--each"]).is("FAIL", 1);
    assert_eq!(json.list("/commits").len(), 2);
    let text = world.run(["verify", &range, "--each"]).exits(1);
    assert!(text.stdout.ends_with("FAIL for 2 commits\n"), "{text}");
    // The repository may ask for it, and never take back that the user did.
    for (scope, value, count) in [
        ("--local", "true", 2),
        ("--local", "false", 1),
        ("--global", "true", 2),
    ] {
        world.git(["config", scope, "planAudit.each", value]);
        let json = world.json(["verify", &range]).is("FAIL", 1);
        assert_eq!(json.list("/commits").len(), count, "{}", json.ran);
    }
    world.json(["verify", "HEAD...main"]).is("REFUSED", 2);
}
