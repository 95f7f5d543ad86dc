//! `status`: where plans and ledger stand.

use crate::support::{World, plans};

#[test]
fn a_draft_and_a_sealed_plan_are_told_apart() {
    let world = World::new();
    world.init();
    world.with_plan(&plans::good());
    let draft = world.json(["status"]).is("OK", 0);
    world.seal();

    let sealed = world.json(["status"]).is("OK", 0);

    assert_eq!(draft.at("/plans/default/sealed"), false);
    assert_eq!(sealed.at("/plans/default/sealed"), true);
}

#[test]
fn the_ledger_is_counted() {
    let world = World::proven();

    let json = world.json(["status"]).is("OK", 0);

    let lines = u64::try_from(world.lines().len()).unwrap();
    assert_eq!(json.at("/ledger/records"), lines);
    assert_eq!(json.text("/ledger/tip"), world.rev("refs/notes/plan-audit"));
    assert_eq!(json.list("/ledger/heads").len(), 1);
}

#[test]
fn an_empty_repository_is_no_error() {
    World::new().json(["status"]).is("OK", 0);
}

#[test]
fn a_plan_that_a_sparse_checkout_leaves_out_is_not_removed() {
    for index in ["--no-sparse-index", "--sparse-index"] {
        let world = World::proven();
        world.git(["sparse-checkout", "set", "--cone", index, "sub"]);
        assert!(!world.top.join(".plan-auditor").exists());

        let status = world.json(["status"]);

        assert_eq!(
            status.text("/plans/default/standing"),
            "invalid",
            "{}",
            status.ran
        );
        for line in ["status", "seal", "audit"] {
            world.run([line]).says("a sparse checkout leaves it out");
        }
        world.run(["audit"]).exits(2);
        world.run(["seal"]).exits(2);
        world.git(["sparse-checkout", "add", ".plan-auditor"]);
        world.json(["audit"]).is("PASS", 0);
    }
}

/// Lists what `status` says of commits without evidence: subject and next command.
fn unproven(world: &World) -> Vec<(String, String)> {
    let json = world.json(["status"]).is("OK", 0);
    let commits = json.list("/unproven").iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    commits
        .map(|commit| (text(&commit["subject"]), text(&commit["next"])))
        .collect()
}

#[test]
fn commits_that_git_made_anew_are_named_with_what_proves_them() {
    let world = World::proven();
    let pair = |subject: &str, next: &str| (subject.to_owned(), next.to_owned());
    let here = "git plan-audit audit";
    world.git(["branch", "-q", "base", "HEAD^"]);
    world.git(["config", "--global", "planAudit.base", "base"]);
    assert_eq!(unproven(&world), []);

    // The tree stays: so does the evidence.
    world.git(["commit", "-q", "--amend", "-m", "Reworded"]);
    assert_eq!(unproven(&world), []);

    world.write("more.txt", "more");
    world.git(["add", "-A"]);
    world.git(["commit", "-q", "--amend", "--no-edit"]);
    assert_eq!(unproven(&world), [pair("Reworded", here)]);
    world.run(["audit"]).exits(0);
    assert_eq!(unproven(&world), []);

    world.git(["switch", "-q", "base"]);
    world.commit("other.txt", "other");
    world.git(["switch", "-q", "main"]);
    world.commit("second.txt", "second");
    world.run(["audit"]).exits(0);
    world.git(["rebase", "-q", "base"]);
    let below = format!(
        "git plan-audit audit --commit {}",
        world.git(["rev-parse", "--short=7", "HEAD^"]).trimmed()
    );
    let rebased = [pair("Change second.txt", here), pair("Reworded", &below)];
    assert_eq!(unproven(&world), rebased);
    world.run(below.split(' ').skip(2)).exits(0);
    assert_eq!(unproven(&world), rebased[..1]);

    world.git(["reset", "-q", "--soft", "base"]);
    world.git(["commit", "-qm", "Squashed"]);
    assert_eq!(unproven(&world), [pair("Squashed", here)]);
    world.run(["audit"]).exits(0);
    assert_eq!(unproven(&world), []);

    world.git(["switch", "-q", "-c", "picked", "base^"]);
    world.commit("third.txt", "third");
    world.git(["cherry-pick", "main"]);
    assert_eq!(unproven(&world), [pair("Squashed", here)]);
    world.write("work.txt", "bad\n");
    let elsewhere = format!(
        "git plan-audit audit --commit {}",
        world.git(["rev-parse", "--short=7", "HEAD"]).trimmed()
    );
    assert_eq!(unproven(&world), [pair("Squashed", &elsewhere)]);
    let told = world.run(["status"]);
    told.says("1 commit without usable evidence")
        .says(&elsewhere);
}
