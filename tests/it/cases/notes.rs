//! Ledgers that have been through something.

use std::fs;
use std::thread;
use std::time::Instant;

use serde_json::json;

use super::{made, messages, plan, sh, state};
use crate::support::{World, finish, need, plans};

/// The ref of the ledger.
const LEDGER: &str = "refs/notes/plan-audit";

/// Seals and commits a plan that asks for a file `good.txt`.
#[track_caller]
fn wants_good(world: &World) {
    plan(
        world,
        &json!([{ "type": "run", "argv": ["test", "-e", "good.txt"] }]),
    );
}

/// Commits a file and audits it.
#[track_caller]
fn audited(world: &World, file: &str) {
    world.commit(file, "x");
    world.json(["audit"]).is("PASS", 0);
}

#[test]
fn evidence_that_git_copies_to_an_amended_commit_proves_only_its_tree() {
    let world = made("C-080-notes-rewriteref-copies");
    wants_good(&world);
    audited(&world, "good.txt");

    world.write("b.txt", "EVIL AGAIN\n");
    world.git(["commit", "-qa", "--amend", "--no-edit"]);

    assert!(
        world
            .git(["notes", "--ref=plan-audit", "show", "HEAD"])
            .stdout
            .contains("\"audit\"")
    );
    let verdict = world.json(["verify", "HEAD"]).is("FAIL", 1);
    assert!(
        messages(&verdict, "no-evidence").contains("tree"),
        "{}",
        verdict.ran
    );
    assert!(verdict.codes().contains(&"ledger-moved"), "{}", verdict.ran);
}

#[test]
fn notes_that_ran_together_are_read_line_by_line() {
    let world = made("C-081-notes-squash");
    wants_good(&world);
    audited(&world, "good.txt");
    audited(&world, "more.txt");

    sh(
        &world,
        "GIT_SEQUENCE_EDITOR='sed -i 2s/^pick/squash/' GIT_EDITOR=true git rebase -q -i HEAD~2",
    );
    let same = world.json(["verify", "HEAD"]).is("PASS", 0);
    world.write("more.txt", "other");
    world.git(["commit", "-qa", "--amend", "--no-edit"]);
    let other = world.json(["verify", "HEAD"]).is("FAIL", 1);

    let note = world
        .git(["notes", "--ref=plan-audit", "show", "HEAD"])
        .stdout;
    assert_eq!(note.matches("\"kind\":\"audit\"").count(), 2, "{note}");
    for (json, moved) in [(&same, "2 records"), (&other, "4 records")] {
        let said = messages(json, "ledger-moved");
        assert!(said.starts_with(moved), "{said}");
    }
    assert!(
        messages(&other, "no-evidence").contains("tree"),
        "{}",
        other.ran
    );
}

#[test]
fn a_squash_merge_is_proven_where_the_tree_is_the_same() {
    let world = made("C-082-squash-merge-no-evidence");
    plan(&world, &json!([{ "type": "run", "argv": ["true"] }]));
    for branch in ["three", "four"] {
        world.git(["switch", "-qc", branch, "main"]);
        audited(&world, branch);
    }
    world.git(["switch", "-q", "main"]);
    for branch in ["three", "four"] {
        world.git(["merge", "-q", "--squash", branch]);
        world.git(["commit", "-qm", branch]);
    }

    world.json(["verify", "main~1"]).is("PASS", 0);
    world.json(["verify", "main"]).is("FAIL", 1);
}

#[test]
fn a_merge_of_notes_that_was_not_finished_is_left_alone() {
    let world = made("C-088-notes-merge-half-way");
    let left = "find .git/NOTES_MERGE* -type f -exec cat {} +; find .git/NOTES_MERGE*";
    let before = sh(&world, left);
    wants_good(&world);
    audited(&world, "good.txt");

    world.json(["verify", "HEAD"]).is("PASS", 0);

    assert_eq!(sh(&world, left), before);
}

#[test]
fn twenty_thousand_notes_of_others_do_not_slow_it_down() {
    if !need("python3") {
        return;
    }
    let world = made("C-090-notes-many");
    wants_good(&world);
    world.commit("good.txt", "x");

    let begun = Instant::now();
    world.json(["audit"]).is("PASS", 0);
    let audit = begun.elapsed();
    let begun = Instant::now();
    world.json(["verify", "HEAD"]).is("PASS", 0);
    let verify = begun.elapsed();

    eprintln!("with 20,001 notes: verify {verify:?}, audit {audit:?}");
    let count = sh(
        &world,
        "git ls-tree -r --name-only refs/notes/plan-audit | wc -l",
    );
    assert!(count.trim().parse::<u32>().unwrap() > 20_001);
}

#[test]
fn foreign_things_in_the_ledger_are_counted_and_kept_and_change_nothing() {
    let world = made("C-091-notes-garbage-entries");
    let foreign = |world: &World| {
        let listed = sh(world, "git ls-tree -r refs/notes/plan-audit");
        let names = ["README", "link", "x"].map(|name| {
            listed
                .lines()
                .any(|line| line.rsplit(['/', '\t']).next() == Some(name))
        });
        assert_eq!(names, [true; 3], "{listed}");
    };
    wants_good(&world);
    audited(&world, "good.txt");

    let verdict = world.json(["verify", "HEAD"]).is("PASS", 0);

    foreign(&world);
    assert!(
        !messages(&verdict, "ledger-noise").is_empty(),
        "{}",
        verdict.ran
    );
}

#[test]
fn a_lock_that_is_left_over_costs_no_evidence() {
    let world = made("C-092-ref-lock-stale");
    let lock = world.top.join(".git/refs/notes/plan-audit.lock");
    fs::remove_file(&lock).unwrap();
    wants_good(&world);
    world.commit("good.txt", "x");
    fs::write(&lock, "").unwrap();

    let audit = world.json(["audit"]).is("UNKNOWN", 3);
    fs::remove_file(&lock).unwrap();
    world.json(["audit"]).is("PASS", 0);

    assert!(
        messages(&audit, "not-recorded").contains("plan-audit.lock"),
        "{}",
        audit.ran
    );
    world.json(["verify"]).is("PASS", 0);
}

#[test]
fn a_ref_in_the_way_of_the_ledger_is_named() {
    let world = made("C-094-ref-dir-file-conflict");

    let ran = world.run(["init", "--no-hooks"]);

    assert!([2, 3].contains(&ran.code), "{ran}");
    ran.says("refs/notes/plan-audit/old");
    world.rev("refs/notes/plan-audit/old");
}

#[test]
fn eight_writers_in_eight_work_trees_lose_nothing() {
    let world = made("C-095-concurrent-writers");
    let plan = plans::of_argv(&["true"]);
    world.init();
    world.with_plan(&plan);
    world.seal();
    let writers: Vec<World> = (1..=8)
        .map(|number| {
            let own = world.at(&world.temp_path().join(format!("wt{number}")));
            own.with_plan(&plan);
            own.git(["commit", "-qm", "Plan"]);
            own
        })
        .collect();

    let running: Vec<_> = writers
        .iter()
        .map(|own| {
            (
                own.clone(),
                thread::spawn({
                    let own = own.clone();
                    move || own.run(["audit"])
                }),
            )
        })
        .collect();

    for (own, audit) in running {
        audit.join().unwrap().exits(0);
        world.json(["verify", &own.rev("HEAD")]).is("PASS", 0);
        assert_ne!(
            own.git(["notes", "--ref=plan-audit", "show", "HEAD"])
                .stdout,
            ""
        );
    }
}

#[test]
fn evidence_of_a_commit_that_is_gone_harms_nothing_else() {
    let world = made("C-096-gc-prunes");
    wants_good(&world);
    audited(&world, "good.txt");
    audited(&world, "lost.txt");
    let lost = world.rev("HEAD");
    sh(
        &world,
        "git reset -q --hard HEAD^; git reflog expire --expire=now --all; git gc -q --prune=now
         ! git cat-file -e ORIG_HEAD 2>/dev/null || git update-ref -d ORIG_HEAD; git gc -q --prune=now",
    );
    assert!(!sh(&world, "git cat-file --batch-all-objects --batch-check").contains(&lost));

    world.json(["verify", "HEAD"]).is("PASS", 0);
    let log = world.json(["log"]).is("OK", 0);

    assert!(
        log.list("/records")
            .iter()
            .any(|record| record["head"] == lost.as_str())
    );
    world.json(["audit"]).is("PASS", 0);
}

#[test]
fn settings_of_the_user_do_not_move_the_ledger() {
    let world = made("C-098-notes-default-ref-env");
    wants_good(&world);
    world.commit("good.txt", "x");
    let other = world.rev("refs/notes/other");
    let before = world.rev(LEDGER);

    let mut command = world.ours(["audit"]);
    finish(command.env("GIT_NOTES_REF", "refs/notes/third")).exits(0);

    assert_ne!(world.rev(LEDGER), before);
    assert_eq!(world.rev("refs/notes/other"), other);
    assert_eq!(sh(&world, "git for-each-ref refs/notes/third"), "");
    let mut command = world.ours(["verify", "HEAD"]);
    finish(command.env("GIT_NOTES_REF", "refs/notes/third")).exits(0);
}

#[test]
fn without_a_name_and_an_address_evidence_is_recorded_all_the_same() {
    let world = made("C-100-no-identity");
    world.init();
    world.with_plan(&plans::of_argv(&["true"]));
    world.seal();

    world.json(["audit"]).is("PASS", 0);

    let author = sh(
        &world,
        "git log -1 --format='%an %ae' refs/notes/plan-audit",
    );
    assert!(author.starts_with("git-plan-audit "), "{author}");
}

#[test]
fn a_replaced_commit_is_judged_by_its_true_tree() {
    let world = made("C-102-replace-refs");
    sh(&world, "git reset -q --hard; git checkout -q HEAD -- .");
    sh(
        &world,
        "git replace -d $(git replace -l) >/dev/null; git reset -q --hard",
    );
    wants_good(&world);
    audited(&world, "good.txt");
    sh(
        &world,
        "git rm -q good.txt; e=$(git commit-tree -m x $(git write-tree)); git reset -q --hard
         git replace HEAD $e",
    );

    let verdict = world.json(["verify", "HEAD"]).is("PASS", 0);

    verdict.ran.says("refs/replace");
    assert_eq!(state(&world).at("/flags/replace/count"), 1);
}
