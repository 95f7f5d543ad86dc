//! States of a work tree that have misled other tools.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{made, messages, noted, plan, sh, state, tree_on_disk};
use crate::support::{BINARY, finish, is_root, need};

#[test]
fn an_edit_under_skip_worktree_is_seen_and_an_absent_file_is_no_deletion() {
    let world = made("C-034-skip-worktree-edit");

    let json = state(&world);

    assert_eq!(json.at("/flags/skip_worktree"), &noted(["b.txt"]));
    assert_eq!(json.at("/flags/absent"), &noted(["c.txt"]));
    let expected = sh(
        &world,
        "git update-index --no-skip-worktree b.txt; git add b.txt; git write-tree",
    );
    assert_eq!(json.text("/tree"), expected.trim());
}

#[test]
fn a_sparse_checkout_has_no_deletions_and_sees_what_is_written_outside() {
    let world = made("C-035-sparse-cone");
    world.git(["sparse-checkout", "add", ".plan-auditor"]);
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));

    let audit = world.json(["audit"]).is("PASS", 0);
    let before = state(&world);
    world.write("out/y.txt", "other\n");
    let after = state(&world);

    assert_eq!(audit.text("/state/tree"), world.rev("HEAD^{tree}"));
    assert_eq!(
        audit.at("/state/flags/absent"),
        &noted(["out/y.txt", "out/z.txt"])
    );
    assert_ne!(before.at("/content"), after.at("/content"));
    assert_ne!(before.at("/tree"), after.at("/tree"));
}

#[test]
fn a_sparse_index_is_no_other_content_than_a_full_one() {
    let world = made("C-036-sparse-index");
    let sparse = state(&world);

    world.git(["sparse-checkout", "reapply", "--no-sparse-index"]);

    let full = state(&world);
    for member in [
        "/tree",
        "/content",
        "/index",
        "/untracked",
        "/hidden",
        "/flags",
    ] {
        assert_eq!(sparse.at(member), full.at(member), "{member}");
    }
}

#[test]
fn a_monitor_that_lies_is_neither_asked_nor_believed() {
    let world = made("C-038-fsmonitor-hook");

    let json = state(&world);

    let ran = std::fs::read(world.temp_path().join("monitor-ran")).unwrap();
    assert_eq!(ran, b"");
    assert_ne!(json.text("/tree"), world.rev("HEAD^{tree}"));
}

#[test]
fn equal_size_and_time_are_not_taken_for_equal_bytes() {
    let world = made("C-040-racy-same-stat");

    let json = state(&world);

    assert_ne!(json.text("/tree"), world.rev("HEAD^{tree}"));
}

#[test]
fn line_ends_that_git_converts_are_flagged_and_no_change() {
    let world = made("C-041-autocrlf-clean");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));

    let audit = world.json(["audit"]).is("PASS", 0);
    world.write("t.txt", "a\nb\r\n");
    let without_one = state(&world);
    world.write("t.txt", "a\nb\n");
    let without = state(&world);

    assert_eq!(audit.text("/state/tree"), world.rev("HEAD^{tree}"));
    assert_eq!(audit.at("/state/flags/eol"), &noted(["t.txt"]));
    assert_eq!(audit.at("/plans/default/usable"), false);
    assert_eq!(audit.at("/state/untracked/count"), 0);
    assert!(!audit.codes().contains(&"unstaged-changes"));
    assert_eq!(without_one.text("/tree"), world.rev("HEAD^{tree}"));
    assert_eq!(without_one.at("/flags/eol"), &noted(["t.txt"]));
    assert_eq!(without.at("/flags"), &json!({}));
}

#[test]
fn a_touch_does_not_make_an_unnormalised_blob_a_change() {
    let world = made("C-042-crlf-blob-eol-lf");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));

    let before = world.json(["audit"]).is("PASS", 0);
    world.tool("touch", ["x.md"]);
    let after = world.json(["audit"]).is("PASS", 0);

    assert_eq!(before.at("/state"), after.at("/state"));
    assert_eq!(after.text("/state/tree"), world.rev("HEAD^{tree}"));
    assert_eq!(
        after.at("/state/flags"),
        &json!({ "renormalise": noted(["x.md"]) })
    );
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_filter_that_is_not_installed_is_not_needed() {
    let world = made("C-044-lfs-missing");

    let json = state(&world);

    assert_eq!(json.at("/flags/filtered"), &noted(["big.bin"]));
    assert_ne!(json.text("/tree"), world.rev("HEAD^{tree}"));
}

#[test]
fn links_count_by_their_text_and_are_never_followed() {
    let world = made("C-045-symlinks");
    let first = state(&world);

    sh(&world, "ln -sfn other dirlink");
    let second = state(&world);
    sh(&world, "echo x >>../outside.txt");
    let third = state(&world);

    assert_ne!(first.at("/content"), second.at("/content"));
    assert_eq!(second.value, third.value);
    assert_eq!(first.at("/untracked/paths"), &json!(["untracked-dirlink"]));
    assert_eq!(first.at("/flags/link_outside"), &noted(["abs", "out"]));
}

#[test]
fn a_file_with_the_bytes_of_a_link_is_another_state() {
    let world = made("C-046-type-change-same-blob");

    let json = state(&world);

    assert_eq!(json.text("/tree"), tree_on_disk(&world));
    assert_ne!(json.text("/tree"), world.rev("HEAD^{tree}"));
    sh(&world, "rm l; ln -s target l");
    let restored = state(&world);
    assert_eq!(restored.text("/tree"), world.rev("HEAD^{tree}"));
    assert_ne!(restored.at("/content"), json.at("/content"));
}

#[test]
fn directories_and_files_may_take_each_others_place() {
    let world = made("C-048-dir-file-swap");

    let json = state(&world);

    assert_eq!(json.text("/tree"), tree_on_disk(&world));
    assert_eq!(json.at("/untracked/count"), 2);
    assert_eq!(json.at("/untracked/paths"), &json!(["d", "f/x"]));
}

#[test]
fn names_that_differ_in_case_are_two_files_and_the_collision_is_told() {
    let world = made("C-050-case-collision");
    let both = state(&world);

    assert_eq!(both.text("/tree"), world.rev("HEAD^{tree}"));
    assert_eq!(
        both.at("/flags/case_collision"),
        &noted(["docs/View.js", "docs/view.js"])
    );
    world.write("docs/view.js", "other\n");
    assert_ne!(state(&world).at("/content"), both.at("/content"));
}

#[test]
fn composed_and_decomposed_names_are_two_files() {
    let world = made("C-051-unicode-nfc-nfd");

    let json = state(&world);

    assert_eq!(json.text("/tree"), world.rev("HEAD^{tree}"));
    assert_eq!(json.at("/untracked/count"), 1);
    assert_eq!(json.at("/untracked/paths/0"), "cafe\u{301}");
}

#[test]
fn a_work_tree_of_another_agent_inside_is_listed_and_not_entered() {
    let world = made("C-052-agent-worktree-inside");
    let before = state(&world);

    world.write(".claude/worktrees/w1/z", "z");

    let after = state(&world);
    assert_eq!(before.value, after.value);
    assert_eq!(after.at("/untracked/count"), 0);
    assert_eq!(
        after.at("/flags/own_worktree"),
        &noted([".claude/worktrees/w1"])
    );
}

#[test]
fn a_submodule_that_moved_and_is_dirty_is_seen_whatever_is_ignored() {
    let world = made("C-054-submodule-dirty-hidden");

    let json = state(&world);

    assert_eq!(json.at("/flags/submodule_dirty"), &noted(["sub"]));
    let moved = sh(
        &world,
        "git -c diff.ignoreSubmodules=none update-index --add --cacheinfo \
         160000,$(git -C sub rev-parse HEAD),sub; git write-tree",
    );
    assert_eq!(json.text("/tree"), moved.trim());
}

#[test]
fn what_is_only_meant_to_be_added_counts_with_its_bytes_and_is_not_committed() {
    let world = made("C-055-intent-to-add");
    let first = state(&world);

    world.write("n.txt", "other\n");
    let second = state(&world);

    assert_eq!(first.at("/flags/intent_to_add"), &noted(["n.txt"]));
    assert_ne!(first.at("/content"), second.at("/content"));
    assert_eq!(second.text("/tree"), tree_on_disk(&world));
    let committed = world.git(["ls-tree", "--name-only", "HEAD"]);
    assert_eq!(committed.stdout, "a.txt\n");
}

#[test]
fn an_unresolved_merge_is_refused_by_path_and_nothing_is_recorded() {
    let world = made("C-056-unmerged-stages");
    world.git(["merge", "--abort"]);
    let marker = world.temp_path().join("marker");
    plan(
        &world,
        &json!([{ "type": "run", "argv": ["touch", marker] }]),
    );
    sh(&world, "! git merge -q theirs");
    let ledger = world.rev("refs/notes/plan-audit");

    let audit = world.json(["audit"]).is("REFUSED", 2);

    assert!(
        messages(&audit, "unmerged").contains("a.txt"),
        "{}",
        audit.ran
    );
    assert!(!marker.exists());
    assert_eq!(world.rev("refs/notes/plan-audit"), ledger);
    assert_eq!(state(&world).at("/flags/unmerged"), &noted(["a.txt"]));
}

#[test]
fn names_of_any_bytes_stay_apart() {
    let world = made("C-058-non-utf8-names");

    let json = state(&world);

    assert_eq!(json.text("/tree"), world.rev("HEAD^{tree}"));
    assert_eq!(json.at("/untracked/count"), 4);
    let mut names = json.list("/untracked/paths").to_vec();
    names.dedup();
    assert_eq!(names.len(), 4);
    let listed = world.git(["ls-tree", "-r", "--name-only", "HEAD"]).stdout;
    assert_eq!(listed.lines().count(), 3);
}

#[test]
fn files_that_local_rules_hide_are_named_with_the_rule() {
    let world = made("C-060-exclude-hides-new-file");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));

    let audit = world.json(["audit"]).is("PASS", 0);

    assert_eq!(audit.at("/state/hidden"), &noted(["helper.py", "other.py"]));
    let said = messages(&audit, "hidden-files");
    for word in ["helper.py", "info/exclude:1", "other.py", "excludes:1"] {
        assert!(said.contains(word), "{word}: {said}");
    }
}

#[test]
fn special_files_are_named_and_never_waited_for() {
    if !need("python3") {
        return;
    }
    let world = made("C-061-fifo-socket");
    let begun = Instant::now();

    let json = state(&world);

    assert!(begun.elapsed() < Duration::from_secs(10));
    assert_eq!(json.at("/flags/special"), &noted(["pipe", "sock", "t.txt"]));
}

#[test]
fn what_cannot_be_read_is_named_and_no_success() {
    use std::os::unix::process::CommandExt as _;
    let world = made("C-062-unreadable");
    let place = world.temp_path();
    let program = place.join("program");
    std::fs::copy(BINARY, &program).unwrap();
    let line = ["fingerprint", "--format", "json"];
    let mut command = world.command(program.to_str().unwrap(), &world.top, line);
    if nix::unistd::geteuid().is_root() {
        // Root reads everything, so somebody else looks.
        world.tool("chown", ["-R", "65534:65534", place.to_str().unwrap()]);
        command.uid(65534).gid(65534);
    }

    let ran = finish(&mut command);
    sh(&world, "chmod -R u+rwx .");

    assert_ne!(ran.code, 0, "{ran}");
    ran.says("secret.txt").says("locked");
}

#[test]
fn a_work_tree_that_keeps_changing_gives_a_true_state_or_none() {
    let world = made("C-064-vanishing-files");
    let churn = std::fs::read_to_string(world.temp_path().join("churn.pid")).unwrap();

    let seen: Vec<_> = (0..10).map(|_| world.json(["fingerprint"])).collect();
    sh(
        &world,
        &format!("kill {}; sleep 0.1; rm -f tmp*.txt", churn.trim()),
    );

    for json in seen {
        let (outcome, exit) = (json.text("/outcome").to_owned(), json.ran.code);
        assert!(
            (outcome.as_str(), exit) == ("OK", 0) || (outcome.as_str(), exit) == ("UNKNOWN", 3),
            "{}",
            json.ran
        );
    }
    assert_eq!(state(&world).text("/tree"), world.rev("HEAD^{tree}"));
}

#[test]
fn a_separate_git_directory_and_a_start_below_the_top_change_nothing() {
    let world = made("C-065-separate-git-dir");
    plan(
        &world,
        &json!([{ "type": "run", "argv": ["test", "-f", "sub/dir/a.txt"] }]),
    );
    let mut below = world.clone();
    below.dir = world.top.join("sub/dir");

    below.json(["audit"]).is("PASS", 0);

    assert_eq!(world.git(["status", "--porcelain"]).stdout, "");
    below.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_repository_that_the_environment_forces_on_another_directory_is_refused() {
    let world = made("C-066-git-dir-env-mismatch");
    let other = world.at(&world.temp_path().join("other"));

    for line in [
        vec!["audit"],
        vec!["fingerprint"],
        vec!["verify"],
        vec!["status"],
    ] {
        let mut command = other.ours(&line);
        command.env("GIT_DIR", world.top.join(".git"));
        let ran = finish(&mut command).exits(2);
        ran.says(world.top.to_str().unwrap());
    }
}

#[test]
fn whoever_names_repository_and_work_tree_may_stand_anywhere() {
    let world = made("C-066-git-dir-env-mismatch");
    let other = world.at(&world.temp_path().join("other"));
    let here = world.json(["fingerprint"]).is("OK", 0);

    let mut command = other.ours(["fingerprint", "--format", "json"]);
    command.env("GIT_DIR", world.top.join(".git"));
    command.env("GIT_WORK_TREE", &world.top);
    let there = finish(&mut command).exits(0).into_json();

    assert_eq!(there.text("/content"), here.text("/content"));
    assert_eq!(there.text("/head"), here.text("/head"));
}

#[test]
fn a_work_tree_that_is_said_to_be_bare_is_refused_with_the_way_out() {
    let world = made("C-068-core-bare-poisoned");

    let ran = world.run(["fingerprint"]).exits(2);

    ran.says("core.bare").says(".git/config");
}

#[test]
fn long_ids_work_from_audit_to_verdict() {
    let world = made("C-070-sha256-repo");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));

    world.json(["audit"]).is("PASS", 0);

    let verdict = world.json(["verify", "HEAD"]).is("PASS", 0);
    assert_eq!(verdict.text("/commits/0/commit").len(), 64);
}

#[test]
fn relative_links_between_work_trees_are_known() {
    let world = made("C-071-relative-worktrees-ext");

    let json = state(&world);

    assert_eq!(json.at("/flags"), &json!({}));
}

#[test]
fn a_linked_work_tree_is_read_by_its_own_settings() {
    let world = made("C-072-worktree-config-ext");
    let linked = world.at(&world.temp_path().join("wt"));
    sh(&world, "chmod +x a.txt ../wt/a.txt");

    assert_eq!(state(&world).at("/flags"), &json!({}));
    assert_eq!(
        state(&linked).at("/flags"),
        &json!({ "modes": noted(["a.txt"]) })
    );
}

#[test]
fn a_partial_clone_without_its_remote_has_a_state_and_says_what_it_lacks() {
    let world = made("C-074-partial-clone-offline");
    let partial = world.at(&world.temp_path().join("partial"));

    let json = state(&partial);
    let verdict = partial.json(["verify", "HEAD~2"]).is("UNKNOWN", 3);

    assert_eq!(json.text("/tree"), partial.rev("HEAD^{tree}"));
    verdict.ran.says("missing");
}

#[test]
fn the_first_commit_is_proven_by_what_was_audited_before_it() {
    let world = made("C-075-unborn-head");
    world.init();
    world.with_plan(&crate::support::plans::of_argv(&["true"]));
    world.seal();

    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "first"]);

    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_repository_of_somebody_else_is_refused_with_gits_way_out() {
    if !is_root() {
        return;
    }
    let world = made("C-076-dubious-ownership");

    for command in ["audit", "fingerprint", "verify", "status"] {
        world.run([command]).exits(2).says("safe.directory");
    }
}

#[test]
fn thirty_thousand_untracked_files_take_seconds() {
    if !need("python3") {
        return;
    }
    let world = made("C-078-many-unignored-files");
    let begun = Instant::now();

    let json = state(&world);

    let took = begun.elapsed();
    eprintln!("30,000 untracked files: {took:?}");
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert_eq!(json.at("/untracked/count"), 30_000);
    json.ran.says("node_modules/");
}
