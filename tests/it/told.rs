//! What a person is told: the last line claims no more than holds, and every hint leads on.

use serde_json::json;

use crate::support::{Ran, World, plans};

/// Returns the last line that a command wrote to stdout.
fn last(ran: &Ran) -> &str {
    ran.stdout.lines().last().unwrap_or_default()
}

/// A world whose two plans are sealed.
fn two_plans() -> World {
    let world = World::new().prepared(&plans::of_argv(&["true"]));
    let other = plans::of_argv(&["true"]).to_string();
    world.write(".plan-auditor/plans/other.json", other);
    world.git(["add", "-A"]);
    world.json(["seal", "--plan", "other"]).is("OK", 0);
    world
}

#[test]
fn an_audit_of_one_plan_of_two_does_not_claim_the_commit() {
    let world = two_plans();

    let one = world.run(["audit", "--plan", "other"]).exits(0);
    let all = world.run(["audit"]).exits(0);

    assert!(
        !last(&one).contains("a commit of this tree is proven"),
        "{one}"
    );
    assert!(one.stdout.contains("others-unproven"), "{one}");
    assert!(
        last(&all).ends_with("a commit of this tree is proven"),
        "{all}"
    );
}

#[test]
fn with_the_other_plan_proven_one_audit_proves_the_commit() {
    let world = two_plans();
    world.run(["audit", "--plan", "default"]).exits(0);

    let one = world.run(["audit", "--plan", "other"]).exits(0);

    assert!(
        last(&one).ends_with("a commit of this tree is proven"),
        "{one}"
    );
}

#[test]
fn one_command_audits_every_plan_that_lacks_evidence() {
    let world = two_plans();

    let status = world.json(["status"]);
    world.git(["commit", "-qm", "Plans"]);
    let verify = world.json(["verify"]).is("FAIL", 1);

    assert_eq!(status.text("/plans/other/next"), "git plan-audit audit");
    assert_eq!(verify.hint("no-evidence"), "git plan-audit audit");
}

#[test]
fn an_audit_in_the_wrong_place_does_not_blame_what_is_staged() {
    let world = World::new().prepared(&plans::of_argv(&["true"]));
    world.git(["config", "planAudit.place", "checkout"]);

    let ran = world.run(["audit"]).exits(0);

    assert!(last(&ran).contains("no commit is proven by it"), "{ran}");
}

#[test]
fn another_commit_is_audited_by_its_name() {
    let world = World::proven();
    world.git(["checkout", "-qb", "topic"]);
    world.commit("work.txt", "worse\n");
    let topic = world.rev("topic");
    world.git(["checkout", "-q", "main"]);

    let json = world.json(["verify", "topic"]).is("FAIL", 1);

    let hint = json.hint("no-evidence");
    let (command, short) = hint.rsplit_once(' ').unwrap();
    assert_eq!(command, "git plan-audit audit --commit");
    assert!(topic.starts_with(short), "{hint}");
    world.json(["audit", "--commit", short]).is("FAIL", 1);
}

#[test]
fn the_log_says_which_passes_prove_no_commit() {
    let world = World::new().prepared(&plans::of_argv(&["true"]));
    world.write("stray.txt", "x");
    world.run(["audit"]).exits(0);
    std::fs::remove_file(world.top.join("stray.txt")).unwrap();
    world.run(["audit"]).exits(0);

    let json = world.json(["log"]).is("OK", 0);
    let text = world.run(["log"]).stdout;

    assert_eq!(json.at("/records/0/usable"), true);
    assert_eq!(json.at("/records/1/usable"), false);
    let lines: Vec<&str> = text.lines().collect();
    assert!(!lines[0].contains("proves no commit"), "{text}");
    assert!(lines[1].contains("PASS, proves no commit"), "{text}");
}

#[test]
fn a_shallow_clone_does_not_claim_what_it_cannot_judge() {
    let world = World::proven();
    let clone = clone(&world, &["--depth=1"]);
    clone.init();

    let audit = clone.run(["audit"]);
    let verify = clone.json(["verify"]).is("UNKNOWN", 3);

    assert!(
        verify.codes().contains(&"history-missing"),
        "{}",
        verify.ran
    );
    assert!(!last(&audit).contains("is proven"), "{audit}");
    assert!(audit.stdout.contains("git fetch --unshallow"), "{audit}");
}

/// Clones a world with more arguments, fetches its ledger, and returns the world seen from there.
fn clone(world: &World, more: &[&str]) -> World {
    let path = world.temp_path().join("clone");
    let url = format!("file://{}", world.top.display());
    let line = ["clone", "-q"].iter().chain(more).copied();
    world.git(line.chain([url.as_str(), path.to_str().unwrap()]));
    let clone = world.at(&path);
    let refspec = "refs/notes/plan-audit:refs/notes/plan-audit";
    clone.git(["fetch", "-q", "origin", refspec]);
    clone
}

#[test]
fn a_shallow_clone_in_which_a_plan_is_gone_does_not_say_that_none_binds() {
    let world = World::proven();
    world.git(["rm", "-q", ".plan-auditor/plan.json"]);
    world.git(["commit", "-qm", "No plan"]);
    world.json(["verify"]).is("FAIL", 1);
    let clone = clone(&world, &["--depth=1"]);

    let json = clone.json(["verify", "--allow-no-plan"]).is("UNKNOWN", 3);

    assert_eq!(json.hint("history-missing"), "git fetch --unshallow");
}

#[test]
fn a_fork_point_beyond_the_end_of_a_shallow_clone_is_missing_history() {
    let world = World::proven();
    world.git(["checkout", "-qb", "topic"]);
    world.commit("work.txt", "topic\n");
    world.git(["checkout", "-q", "main"]);
    world.commit("other.txt", "main\n");
    let clone = clone(
        &world,
        &["--depth=1", "--no-single-branch", "--branch=topic"],
    );

    let json = clone.json(["verify"]).is("UNKNOWN", 3);

    assert!(!json.codes().contains(&"broken"), "{}", json.ran);
    assert_eq!(json.hint("history-missing"), "git fetch --unshallow");
}

#[test]
fn a_clone_of_one_branch_is_told_which_branch_it_lacks() {
    let world = World::proven();
    world.git(["checkout", "-qb", "topic"]);
    world.commit("work.txt", "topic\n");
    let clone = clone(&world, &["--single-branch", "--branch=topic"]);
    clone.git(["symbolic-ref", "-d", "refs/remotes/origin/HEAD"]);

    let json = clone.json(["verify"]).is("UNKNOWN", 3);

    let found = json.list("/findings").iter();
    let message = found
        .filter(|finding| finding["code"] == "no-trust-root")
        .find_map(|finding| finding["message"].as_str())
        .unwrap();
    assert!(message.contains("origin/HEAD"), "{}", json.ran);
    assert!(
        json.hint("no-trust-root").contains("git fetch origin"),
        "{}",
        json.ran
    );
}

#[test]
fn a_plan_that_is_not_committed_is_to_be_committed() {
    let world = World::new();
    world.with_plan(&plans::good());

    let json = world.json(["verify"]).is("NO_PLAN", 3);

    assert_eq!(
        json.hint("no-plan"),
        "git add .plan-auditor, then git commit"
    );
}

#[test]
fn plans_that_do_not_count_are_not_said_to_be_missing() {
    let world = World::proven();
    world.commit("more.txt", "x");
    let clone = clone(&world, &[]);
    // Keys that this user has used count, so the clone is somebody else's.
    std::fs::remove_dir_all(world.home().join(".config/git-plan-audit")).unwrap();
    std::fs::remove_dir_all(world.home().join(".local/state/git-plan-audit")).unwrap();
    clone.init();

    let json = clone.json(["verify"]).is("NO_PLAN", 3);

    assert!(!json.ran.stdout.contains("--starter"), "{}", json.ran);
    assert!(
        json.hint("ledger-untrusted").contains("allowed_signers"),
        "{}",
        json.ran
    );
}

#[test]
fn a_seal_of_a_key_that_is_not_listed_is_not_to_be_made_again() {
    let world = World::proven();
    let clone = clone(&world, &[]);
    std::fs::remove_dir_all(world.home().join(".config/git-plan-audit")).unwrap();
    std::fs::remove_dir_all(world.home().join(".local/state/git-plan-audit")).unwrap();
    clone.init();
    clone.commit(".plan-auditor/more.txt", "x");
    clone.git(["remote", "remove", "origin"]);

    let json = clone.json(["verify"]).is("FAIL", 1);

    let hint = json.hint("draft");
    assert!(hint.contains("allowed_signers"), "{hint}");
}

#[test]
fn a_seal_says_which_plans_are_not_sealed_yet() {
    let world = World::sealed();
    world.write(".plan-auditor/plans/other.json", plans::good().to_string());
    world.git(["add", "-A"]);

    let ran = world.run(["seal"]).exits(0);

    assert_eq!(
        last(&ran),
        "next    git plan-audit seal --plan other",
        "{ran}"
    );
}

#[test]
fn a_plan_that_git_ignores_is_not_to_be_sealed() {
    let world = World::new();
    world.init();
    world.write(".plan-auditor/plan.json", plans::good().to_string());
    world.write(".gitignore", ".plan-auditor/\n");

    let json = world.json(["status"]);

    let next = json.text("/plans/default/next");
    assert!(next.starts_with("git check-ignore -v"), "{next}");
}

#[test]
fn what_was_never_audited_has_not_failed() {
    let world = World::sealed();

    let before = world.run(["status"]).exits(0);
    world.run(["audit"]).exits(1);
    let after = world.run(["status"]).exits(0);

    assert!(before.stdout.contains("not audited yet"), "{before}");
    assert!(!before.stdout.contains("FAIL"), "{before}");
    assert!(after.stdout.contains("FAIL"), "{after}");
}

#[test]
fn defects_of_a_plan_are_the_result_of_validate() {
    let world = World::new();
    world.write(".plan-auditor/plan.json", "{}");

    let ran = world.run(["validate"]).exits(2);

    assert!(ran.stdout.contains("missing-key"), "{ran}");
    assert!(ran.stderr.is_empty(), "{ran}");
}

#[test]
fn one_of_a_thing_is_not_told_as_many() {
    let world = World::new();
    world.with_plan(&plans::good());
    let good = world.run(["validate"]).exits(0);
    world.write(".plan-auditor/plan.json", "{");
    let bad = world.run(["validate"]).exits(2);

    assert!(good.stdout.contains("1 step, 1 check,"), "{good}");
    assert!(bad.stdout.contains("1 error\n"), "{bad}");
}

#[test]
fn many_steps_that_passed_are_counted() {
    let step = |id: u32| {
        let argv = if id == 30 { "false" } else { "true" };
        json!({ "id": id, "title": format!("Step {id}"), "covers": ["R1"], "depends_on": [],
                "verify": [{ "type": "run", "argv": [argv] }] })
    };
    let mut plan = plans::good();
    plan["steps"] = (1..=40).map(step).collect();
    let world = World::new().prepared(&plan);

    let ran = world.run(["audit"]).exits(1);

    assert!(ran.stdout.contains("39 steps passed"), "{ran}");
    assert!(ran.stdout.contains("step 30 Step 30: "), "{ran}");
    assert!(!ran.stdout.contains("step 29 "), "{ran}");
}

#[test]
fn a_mode_that_git_does_not_see_is_not_to_be_staged() {
    let world = World::new().prepared(&plans::of_argv(&["true"]));
    world.git(["commit", "-qm", "Plan"]);
    world.git(["config", "core.fileMode", "false"]);
    world.tool("chmod", ["+x", "work.txt"]);

    let json = world.json(["audit"]).is("PASS", 0);

    assert!(
        json.hint("state-flag")
            .ends_with("git plan-audit audit --commit HEAD")
    );
    assert_eq!(json.hint("unstaged-changes"), "");
    world.json(["audit", "--commit", "HEAD"]).is("PASS", 0);
    world.json(["verify"]).is("PASS", 0);
}

#[test]
fn converted_line_ends_are_ended_by_the_command_that_is_named() {
    let world = World::new().prepared(&plans::of_argv(&["true"]));
    world.git(["commit", "-qm", "Plan"]);
    world.git(["config", "core.autocrlf", "true"]);
    std::fs::remove_file(world.top.join("work.txt")).unwrap();
    world.git(["checkout", "--", "work.txt"]);

    let json = world.json(["audit"]).is("PASS", 0);

    let hint = json.hint("state-flag");
    assert!(hint.contains("git config core.autocrlf false"), "{hint}");
    assert!(
        hint.contains("rm work.txt && git checkout -- work.txt"),
        "{hint}"
    );
    world.json(["audit", "--checkout"]).is("PASS", 0);
    world.json(["verify"]).is("PASS", 0);
}

#[test]
fn a_virtual_environment_in_the_repository_is_named_with_the_way_out() {
    let world = World::new().prepared(&plans::of_argv(&["false"]));
    world.write(".venv/bin/tool", "#!/bin/sh\n");
    let outer = std::env::join_paths(crate::support::search_path()).unwrap();
    let bin = world.top.join(".venv/bin");
    let path = format!("{}:{}", bin.display(), outer.to_str().unwrap());

    let mut command = world.ours(["audit"]);
    let ran = crate::support::finish(command.env("PATH", path)).exits(1);

    let (_, after) = ran.stdout.split_once("info[path-entries]").unwrap();
    assert!(
        after.lines().next().unwrap().ends_with("/.venv/bin"),
        "{ran}"
    );
    assert!(after.contains("name the program by its path"), "{ran}");
}

#[test]
fn what_a_check_makes_in_a_checkout_took_no_part_and_is_not_to_be_added() {
    let argv = [
        "sh",
        "-c",
        "mkdir c; echo '*' >c/.gitignore; echo x >c/x; echo x >built.txt",
    ];
    let world = World::new().prepared(&plans::of_argv(&argv));

    let json = world.json(["audit", "--checkout"]).is("FAIL", 1);

    assert!(!json.codes().contains(&"hidden-files"), "{}", json.ran);
    assert!(
        !json.hint("untracked-files").contains("git add"),
        "{}",
        json.ran
    );
}

#[test]
fn a_pipe_in_a_command_is_an_error_with_the_way_out() {
    let world = World::new();
    world.init();
    let check = |cmd: &str| json!([{ "type": "run", "cmd": cmd }]);
    world.with_plan(&plans::of_checks(&check("printf 'a bb' | wc -c")));

    let json = world.json(["seal"]).is("REFUSED", 2);

    assert!(
        json.hint("looks-like-shell").contains("[\"sh\", \"-c\""),
        "{}",
        json.ran
    );
    world.with_plan(&plans::of_checks(&check("printf 'a bb' '|' wc -c")));
    world.json(["validate"]).is("OK", 0);
    world.with_plan(&plans::of_argv(&["printf", "a bb", "|", "wc"]));
    world.json(["validate"]).is("OK", 0);
}

#[test]
fn a_branch_without_a_commit_is_said_to_have_none() {
    let world = World::with(crate::support::Layout::Unborn, crate::support::Proof::Ssh);

    let json = world.json(["verify"]).is("REFUSED", 2);

    assert_eq!(json.hint("no-revision"), "git commit");
}

#[test]
fn an_invalid_plan_is_mended_before_a_clone_is_made_ready() {
    let world = World::new();
    world.with_plan(&serde_json::json!({"task": "x"}));

    let json = world.json(["status"]).is("OK", 0);

    let next = json.text("/plans/default/next");
    assert_eq!(next, "git plan-audit validate --plan default");
}

#[test]
fn an_audit_that_proves_nothing_does_not_end_with_pass() {
    let world = World::sealed();
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.write("untracked.txt", "x");

    let ran = world.run(["audit"]);

    assert!(last(&ran).starts_with("no proof for tree "), "{ran}");
}
