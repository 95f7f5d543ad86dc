//! Audits in a private checkout: what takes part, what is seen, and what is left afterwards.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::json;

use crate::support::{Key, Layout, Proof, World, finish, need, plans, stable};

/// Lists the checkouts that are there.
fn checkouts(world: &World) -> Vec<PathBuf> {
    let folder = world.home().join(".cache/git-plan-audit/checkouts");
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// A world whose sealed check is a line of shell; `*.o` is ignored, everything is committed.
fn checked_by(line: &str) -> World {
    let world = World::new();
    world.commit(".gitignore", "*.o\n");
    let world = world.prepared(&plans::of_argv(&["sh", "-c", line]));
    world.git(["commit", "-qm", "Bad work"]);
    world
}

#[test]
fn an_ignored_cache_that_helps_in_the_work_tree_does_not_help_in_a_checkout() {
    let world = checked_by("test -e passed.o || grep -qx good work.txt");
    world.write("passed.o", "");

    world.json(["audit"]).is("PASS", 0);
    let json = world.json(["audit", "--checkout"]).is("FAIL", 1);

    assert_eq!(json.text("/place"), "checkout");
    world
        .run(["audit", "--checkout"])
        .exits(1)
        .says("ignored files");
    assert_eq!(checkouts(&world), Vec::<PathBuf>::new());
}

#[test]
fn a_file_that_is_swapped_and_restored_is_seen_in_a_checkout() {
    let world = checked_by(
        "cp -p work.txt k.o; echo good >work.txt; grep -qx good work.txt && cp -p k.o work.txt",
    );

    let json = world.json(["audit", "--checkout"]).is("FAIL", 1);

    let touched = json.list("/findings");
    let touched = touched.iter().find(|each| each["code"] == "touched");
    let touched = touched.unwrap();
    assert_eq!(
        (&touched["plan"], &touched["step"]),
        (&json!("default"), &json!(1))
    );
    assert!(touched["message"].as_str().unwrap().contains("work.txt"));
    assert_eq!(json.at("/state/flags/touched/paths"), &json!(["work.txt"]));
    assert_eq!(json.at("/plans/default/usable"), false);
    assert_ne!(world.run(["verify"]).code, 0);
}

#[test]
fn what_a_check_leaves_counts_unless_a_tracked_rule_ignores_it() {
    let kept = checked_by("mkdir d.o; date >d.o/x; date >y.o");
    kept.json(["audit", "--checkout"]).is("PASS", 0);

    let dirty = checked_by("date >y.o; echo v2 >.gitignore; echo d >.coverage");
    let json = dirty.json(["audit", "--checkout"]).is("FAIL", 1);

    let text = json.ran.stdout.clone();
    assert!(
        text.contains(".coverage") && text.contains(".gitignore"),
        "{text}"
    );
    assert!(json.codes().contains(&"changed-during-audit"));
}

#[test]
fn git_in_a_checkout_finds_no_repository() {
    let world = checked_by("! git rev-parse --git-dir && test ! -e .git");
    world.git(["init", "-q", world.home().to_str().unwrap()]);

    world.json(["audit", "--checkout"]).is("PASS", 0);
}

#[test]
fn an_older_commit_is_audited_and_its_record_hangs_on_it() {
    let world = World::sealed();
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Good work"]);
    let old = world.rev("HEAD");
    world.commit("work.txt", "bad\n");

    let json = world.json(["audit", "--commit", "HEAD~1"]).is("PASS", 0);

    assert_eq!(json.text("/state/head"), old);
    assert_eq!(json.at("/state/branch"), &json!(null));
    assert_eq!(world.record("audit").target, old);
    world.json(["verify", "HEAD~1"]).is("PASS", 0);
    assert_ne!(world.run(["verify", "HEAD"]).code, 0);
    assert_eq!(world.git(["status", "--porcelain"]).stdout, "");
    world.json(["audit", "--commit", "HEAD"]).is("FAIL", 1);
    world
        .run(["audit", "--commit", "nowhere"])
        .exits(2)
        .says("no-revision");
}

#[test]
fn what_is_staged_is_audited_in_every_layout() {
    for layout in Layout::ALL {
        let world = World::with(layout, Proof::Hmac).prepared(&plans::good());
        world.write("work.txt", "good\n");
        world.git(["add", "-A"]);

        let json = world.json(["audit", "--checkout"]).is("PASS", 0);

        let tree = world.git(["write-tree"]).trimmed();
        assert_eq!(json.text("/state/tree"), tree, "{layout:?}");
        assert_eq!(json.at("/plans/default/usable"), true, "{layout:?}");
        world.git(["commit", "-qm", "Good work"]);
        world.json(["verify"]).is("PASS", 0);
        assert_eq!(checkouts(&world), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_clean_checkout_and_a_clean_work_tree_have_the_same_content() {
    let world = World::proven();
    let seen = world.json(["fingerprint"]);

    let json = world.json(["audit", "--checkout"]).is("PASS", 0);

    for member in ["content", "tree", "index", "untracked", "control", "head"] {
        let (one, other) = (format!("/state/{member}"), format!("/{member}"));
        assert_eq!(json.at(&one), seen.at(&other), "{member}");
    }
}

#[test]
fn a_bare_repository_audits_commits_only() {
    let world = World::new();
    let key = Key::make(&world, "shared");
    world
        .run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);
    world.with_plan(&plans::good());
    world.commit("work.txt", "good\n");
    world.seal();
    let bare = world.bare();
    bare.run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);

    let json = bare.json(["audit", "--commit", "HEAD"]).is("PASS", 0);

    assert_eq!(json.text("/place"), "checkout");
    bare.json(["verify", "HEAD"]).is("PASS", 0);
    for line in [vec!["audit"], vec!["audit", "--checkout"]] {
        bare.run(line).exits(2).says("bare");
    }
}

#[test]
fn what_differs_from_what_is_staged_is_refused_with_the_way_out() {
    let world = checked_by("true");
    for (path, way) in [("work.txt", "git add -u"), ("new.txt", "git add them")] {
        world.write(path, "other\n");

        let json = world.json(["audit", "--checkout"]).is("REFUSED", 2);

        assert_eq!(json.codes(), ["checkout-unclean"]);
        let hint = json.text("/findings/0/hint");
        assert!(
            hint.contains(way) && hint.contains("--commit HEAD"),
            "{hint}"
        );
        world.json(["audit", "--commit", "HEAD"]).is("PASS", 0);
        world.git(["stash", "-uq"]);
    }
}

#[test]
fn nothing_is_written_for_a_plan_that_may_not_run() {
    let world = World::new();
    world.init();
    world.with_plan(&plans::good());
    world.git(["commit", "-qm", "Draft"]);

    for line in [
        vec!["audit", "--checkout"],
        vec!["audit", "--commit", "HEAD"],
    ] {
        world.run(line).exits(2).says("unsealed");
    }

    assert!(!world.home().join(".cache/git-plan-audit").exists());
    let none = World::new();
    none.init();
    none.json(["audit", "--commit", "HEAD"]).is("NO_PLAN", 3);
}

#[test]
fn a_place_that_others_may_change_is_refused_by_name() {
    let world = checked_by("true");
    let cache = world.home().join(".cache");
    fs::create_dir_all(&cache).unwrap();
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o777)).unwrap();

    let json = world.json(["audit", "--checkout"]).is("REFUSED", 2);

    assert_eq!(json.codes(), ["checkout-place"]);
    assert!(json.text("/findings/0/message").contains(".cache"));
    fs::set_permissions(&cache, fs::Permissions::from_mode(0o1777)).unwrap();
    world.json(["audit", "--checkout"]).is("PASS", 0);
    let mut inside = world.ours(["audit", "--commit", "HEAD"]);
    inside.env("XDG_CACHE_HOME", world.top.join("cache"));
    let output = inside.output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(!world.top.join("cache").exists());
}

#[test]
fn a_tree_that_git_would_not_write_is_refused_and_writes_nothing() {
    let world = checked_by("true");
    let outside = world.home().join("outside");
    fs::create_dir_all(&outside).unwrap();
    let link = world.git_with_input(["hash-object", "-w", "--stdin"], outside.to_str().unwrap());
    let sub = world.rev("HEAD:sub");
    let listed = world.git(["ls-tree", "HEAD"]).stdout;
    for hostile in [
        format!("040000 tree {sub}\t.GIT\n"),
        format!("040000 tree {sub}\t..\n"),
        format!("120000 blob {}\tx\n040000 tree {sub}\tx\n", link.trimmed()),
    ] {
        let below = world.git_with_input(["mktree"], &hostile).trimmed();
        let entry = format!("040000 tree {below}\tz\n");
        let tree = world
            .git_with_input(["mktree"], &(listed.clone() + &entry))
            .trimmed();
        let commit = world
            .git(["commit-tree", "-p", "HEAD", "-m", "x", &tree])
            .trimmed();

        let json = world.json(["audit", "--commit", &commit]).is("REFUSED", 2);

        assert_eq!(json.codes(), ["checkout-unserved"], "{hostile}");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        assert_eq!(checkouts(&world), Vec::<PathBuf>::new());
    }
}

#[test]
fn a_place_that_is_asked_for_is_the_only_one_that_counts() {
    let world = World::sealed();
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.git(["config", "planAudit.place", "checkout"]);

    let here = world.json(["audit"]).is("PASS", 0);
    world.run(["status"]).exits(0).says("audit --checkout");
    let there = world.json(["audit", "--checkout"]).is("PASS", 0);
    world.git(["commit", "-qm", "Good work"]);

    assert_eq!(here.at("/plans/default/usable"), false);
    assert!(here.codes().contains(&"other-place"));
    assert_eq!(there.at("/plans/default/usable"), true);
    world.json(["verify"]).is("PASS", 0);
}

#[test]
fn the_repository_does_not_take_back_a_place_or_platform_that_is_asked_for() {
    let world = World::proven();
    for (key, asked, own) in [
        ("planAudit.place", "checkout", "worktree"),
        ("planAudit.platform", "moon", "linux-x86_64"),
    ] {
        world.git(["config", "--global", key, asked]);
        assert_ne!(world.run(["verify"]).code, 0, "{key}");
        world.git(["config", "--local", key, own]);

        assert_ne!(world.run(["verify"]).code, 0, "{key}");

        world.git(["config", "--global", "--unset", key]);
        world.git(["config", "--local", "--unset", key]);
        world.json(["verify"]).is("PASS", 0);
    }
}

#[test]
fn what_a_checkout_lacks_is_told() {
    let world = checked_by("test -e lib/l.txt");
    let library = World::new();
    library.commit("l.txt", "l\n");
    world.git([
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        library.top.to_str().unwrap(),
        "lib",
    ]);
    world.git(["commit", "-qm", "Add a library"]);
    world.json(["audit", "--commit", "HEAD"]).is("PASS", 0);
    world.git(["submodule", "--quiet", "deinit", "-f", "lib"]);
    world.json(["audit", "--commit", "HEAD"]).is("PASS", 0);
    fs::remove_dir_all(world.top.join(".git/modules")).unwrap();

    let json = world.json(["audit", "--commit", "HEAD"]).is("FAIL", 1);

    assert!(json.codes().contains(&"checkout-lacks"));
    assert_eq!(
        json.at("/state/flags/submodule_absent/paths"),
        &json!(["lib"])
    );
    let failed = json
        .list("/findings")
        .iter()
        .find(|each| each["code"] == "check-failed");
    let hint = failed.unwrap()["hint"].as_str().unwrap();
    assert!(hint.contains("this one lacks lib"), "{hint}");
}

/// Starts an audit whose check waits, and returns once it runs.
fn waiting(world: &World) -> Child {
    let mut command = world.ours(["audit", "--checkout"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    let began = Instant::now();
    let runs = || {
        checkouts(world)
            .iter()
            .any(|at| at.join("tree/runs.o").exists())
    };
    while !runs() {
        assert!(began.elapsed() < Duration::from_mins(1), "no check ran");
        std::thread::yield_now();
    }
    child
}

/// A world whose check waits until its file is taken away, in directories that may not be written.
fn patient() -> World {
    checked_by(
        "mkdir -p ro.o/a; chmod 500 ro.o/a ro.o; touch runs.o; \
         while test -e runs.o; do sleep 0.05; done",
    )
}

#[test]
fn a_checkout_of_a_killed_command_is_removed_by_the_next() {
    let world = patient();
    let mut child = waiting(&world);
    world.run(["status"]);
    assert_eq!(checkouts(&world).len(), 1);

    child.kill().unwrap();
    child.wait().unwrap();
    world.run(["status"]).exits(0);

    // The check that was left behind may still hold its directory for a moment.
    let began = Instant::now();
    while !checkouts(&world).is_empty() {
        assert!(began.elapsed() < Duration::from_secs(10));
        world.run(["status"]);
    }
}

#[test]
fn a_checkout_of_an_interrupted_command_is_removed_at_once() {
    let world = patient();
    let mut child = waiting(&world);

    kill(
        Pid::from_raw(child.id().try_into().unwrap()),
        Signal::SIGTERM,
    )
    .unwrap();

    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(checkouts(&world), Vec::<PathBuf>::new());
    assert_ne!(world.run(["verify"]).code, 0);
}

#[test]
fn the_text_says_where_the_checks_ran() {
    let world = World::sealed();
    let failed = world.run(["audit", "--checkout", "--quiet"]).exits(1);
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);

    let passed = world.run(["audit", "--checkout"]).exits(0);

    stable(|| {
        insta::assert_snapshot!(failed.stdout, @r"
        plan default: FAIL (contract [ID12])
          step 1 Say good: failed
            grep -qx good work.txt: exit code 1
        info[withheld]: withheld from the checks that did not pass: GIT_CONFIG_GLOBAL, GIT_CONFIG_NOSYSTEM, XDG_CACHE_HOME, XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME
          hint: a check may name what it needs in `env`
        error[check-failed]: plan default, step 1: grep -qx good work.txt: exit code 1
          hint: a checkout has no ignored files and no .git
        recorded default as [ID12]
        FAIL for tree [ID7] in a private checkout
        ");
        insta::assert_snapshot!(passed.stdout, @r"
        plan default: PASS (contract [ID12])
          step 1 Say good: passed
        recorded default as [ID12]
        PASS for tree [ID7] in a private checkout: a commit of this tree is proven
        ");
        insta::assert_snapshot!(passed.stderr, @r"
        making a private checkout ...
        default: step 1 Say good ...
          grep -qx good work.txt
        default: step 1 passed
        ");
    });
}

#[test]
fn in_memory_the_bytes_are_read_after_each_step() {
    let memory = std::path::Path::new("/dev/shm");
    let is_memory = fs::read_to_string("/proc/mounts")
        .is_ok_and(|all| all.lines().any(|line| line.contains(" /dev/shm tmpfs ")));
    if !is_memory || !need("python3") {
        return;
    }
    let cache = tempfile::tempdir_in(memory).unwrap();
    let through_a_mapping = |old: &str, new: &str| {
        let script = format!(
            "import mmap; f = open('work.txt', 'r+b'); m = mmap.mmap(f.fileno(), 0); \
             assert m[:4] == b'{old}'; m[:4] = b'{new}'"
        );
        json!(["python3", "-c", script])
    };
    let looked = json!(["grep", "-q", "evil", "work.txt"]);
    for (steps, exit) in [
        (vec![json!(["true"])], 0),
        (
            vec![
                through_a_mapping("good", "evil"),
                looked,
                through_a_mapping("evil", "good"),
            ],
            1,
        ),
    ] {
        let mut plan = plans::of_argv(&["true"]);
        let step = plan["steps"][0].clone();
        let steps = steps.into_iter().enumerate().map(|(at, argv)| {
            let mut step = step.clone();
            step["id"] = json!(at + 1);
            step["verify"] = json!([{ "type": "run", "argv": argv }]);
            step
        });
        plan["steps"] = steps.collect();
        let world = World::new();
        world.commit("work.txt", "good\n");
        world.init();
        world.with_plan(&plan);
        world.seal();
        world.git(["commit", "-qm", "Plan"]);
        let mut audit = world.ours(["audit", "--checkout"]);

        let ran = finish(audit.env("XDG_CACHE_HOME", cache.path())).exits(exit);

        let ran = ran.says("checkout-in-memory");
        assert_eq!(ran.stdout.contains("error[touched]"), exit == 1, "{ran}");
    }
}
