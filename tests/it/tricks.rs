//! Tricks with state: what is on disk passes, what is committed would not. Never PASS.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

use serde_json::json;

use crate::support::{Key, Proof, World, finish, is_root, plans};

/// Audits what is on disk, whatever comes of it, and demands that HEAD is not proven.
#[track_caller]
fn does_not_prove(world: &World) {
    let audit = world.run(["audit"]);

    let json = world.json(["verify", "HEAD"]);

    assert_ne!(json.ran.code, 0, "after\n{audit}\n{}", json.ran);
    assert_ne!(json.text("/outcome"), "PASS", "after\n{audit}");
}

/// A world whose HEAD holds bad work under a sealed plan.
fn committed_bad() -> World {
    let world = World::sealed();
    world.git(["commit", "-qm", "Bad work"]);
    world
}

#[test]
fn a_replaced_blob_proves_nothing() {
    let world = committed_bad();
    let good = world
        .git_with_input(["hash-object", "-w", "--stdin"], "good\n")
        .trimmed();
    let bad = world.rev("HEAD:work.txt");
    world.git(["replace", &bad, &good]);
    world.write("work.txt", "good\n");

    does_not_prove(&world);
}

#[test]
fn a_replaced_commit_proves_nothing() {
    let world = committed_bad();
    let bad = world.rev("HEAD");
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.json(["audit"]).is("PASS", 0);
    let tree = world.git(["write-tree"]).trimmed();
    let good = world.git(["commit-tree", "-m", "x", &tree]).trimmed();

    world.git(["replace", &bad, &good]);

    assert_ne!(world.run(["verify", &bad]).code, 0);
}

#[test]
fn assume_unchanged_hides_nothing() {
    let world = committed_bad();
    world.git(["update-index", "--assume-unchanged", "work.txt"]);
    world.write("work.txt", "good\n");

    does_not_prove(&world);
}

#[test]
fn skip_worktree_hides_nothing() {
    let world = committed_bad();
    world.git(["update-index", "--skip-worktree", "work.txt"]);
    world.write("work.txt", "good\n");
    assert_eq!(world.git(["status", "--porcelain"]).stdout, "");

    does_not_prove(&world);
}

#[test]
fn skip_worktree_does_not_stand_for_a_file_that_is_gone() {
    let world = World::new().prepared(&plans::of_argv(&["test", "!", "-e", "evil.txt"]));
    world.commit("evil.txt", "x");
    world.git(["update-index", "--skip-worktree", "evil.txt"]);
    fs::remove_file(world.top.join("evil.txt")).unwrap();

    does_not_prove(&world);
}

/// A world whose HEAD has bad work in the submodule `lib`, under a sealed check of these words.
fn committed_bad_submodule(argv: &[&str]) -> World {
    let library = World::new();
    library.commit("work.txt", "bad\n");
    let world = World::new();
    let from = library.top.to_str().unwrap();
    let allow = "protocol.file.allow=always";
    world.git(["-c", allow, "submodule", "--quiet", "add", from, "lib"]);
    let world = world.prepared(&plans::of_argv(argv));
    world.git(["commit", "-qm", "Bad work"]);
    world
}

#[test]
fn marks_in_the_index_of_a_submodule_hide_nothing() {
    for mark in ["--skip-worktree", "--assume-unchanged"] {
        let world = committed_bad_submodule(&["grep", "-qx", "good", "lib/work.txt"]);
        world.git(["-C", "lib", "update-index", mark, "work.txt"]);
        world.write("lib/work.txt", "good\n");
        assert_eq!(world.git(["status", "--porcelain"]).stdout, "", "{mark}");

        does_not_prove(&world);
    }
}

#[test]
fn a_submodule_that_is_gone_or_has_been_put_in_place_by_hand_proves_nothing() {
    for refill in ["true", "echo good >lib/work.txt"] {
        let check = "test ! -e lib/work.txt || grep -qx good lib/work.txt";
        let world = committed_bad_submodule(&["sh", "-c", check]);
        world.git(["submodule", "--quiet", "deinit", "-f", "lib"]);
        world.tool("sh", ["-c", refill]);
        assert_eq!(world.git(["status", "--porcelain"]).stdout, "", "{refill}");

        does_not_prove(&world);
    }
}

#[test]
fn a_file_that_local_rules_hide_is_told_and_does_not_help_in_a_checkout() {
    let world = World::new().prepared(&plans::of_argv(&["test", "-e", "helper.txt"]));
    world.git(["commit", "-qm", "Work"]);
    world.write(".git/info/exclude", "helper.txt\n");
    world.write("helper.txt", "x");
    assert_eq!(world.git(["status", "--porcelain"]).stdout, "");

    let audit = world.json(["audit"]).is("PASS", 0);
    let verdict = world.json(["verify"]).is("PASS", 0);

    for json in [audit, verdict] {
        assert!(json.codes().contains(&"hidden-files"), "{}", json.ran);
        json.ran.says("helper.txt");
    }
    world.json(["audit", "--checkout"]).is("FAIL", 1);
    assert_ne!(world.run(["verify"]).code, 0);
}

#[test]
fn a_file_that_is_only_on_disk_proves_nothing() {
    let world = World::new().prepared(&plans::of_argv(&["test", "-e", "helper.txt"]));
    world.git(["commit", "-qm", "Work"]);
    world.write("helper.txt", "x");

    does_not_prove(&world);
}

#[test]
fn a_clean_filter_outside_the_tree_proves_nothing() {
    let world = World::sealed();
    world.git(["config", "filter.lie.clean", "echo bad"]);
    world.git(["config", "filter.lie.smudge", "echo good"]);
    world.write(".git/info/attributes", "work.txt filter=lie\n");
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Work"]);
    assert_eq!(world.git(["show", "HEAD:work.txt"]).stdout, "bad\n");

    does_not_prove(&world);
}

#[test]
fn a_clean_filter_in_the_tree_proves_nothing() {
    let world = World::sealed();
    world.git(["config", "filter.lie.clean", "echo bad"]);
    world.write(".gitattributes", "work.txt filter=lie\n");
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Work"]);

    does_not_prove(&world);
}

#[test]
fn an_exec_bit_that_git_is_told_to_ignore_proves_nothing() {
    let world = World::new();
    world.write("tool.sh", "#!/bin/sh\n");
    let world = world.prepared(&plans::of_argv(&["./tool.sh"]));
    world.git(["commit", "-qm", "Work"]);
    world.git(["config", "core.fileMode", "false"]);
    let file = world.top.join("tool.sh");
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(world.git(["status", "--porcelain"]).stdout, "");

    does_not_prove(&world);
}

#[test]
fn equal_stat_data_is_no_equal_content() {
    let world = World::sealed();
    world.write("work.txt", "evil\n");
    let file = world.top.join("work.txt");
    let path = file.to_str().unwrap();
    world.git(["config", "core.trustctime", "false"]);
    world.git(["config", "core.checkStat", "minimal"]);
    world.tool("touch", ["-d", "2020-01-01T00:00:00Z", path]);
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Work"]);
    let mut open = fs::OpenOptions::new().write(true).open(&file).unwrap();
    std::io::Write::write_all(&mut open, b"good\n").unwrap();
    drop(open);
    world.tool("touch", ["-d", "2020-01-01T00:00:00Z", path]);
    assert_eq!(world.git(["status", "--porcelain"]).stdout, "");

    does_not_prove(&world);
}

#[test]
fn ids_planted_in_the_index_are_not_believed() {
    let world = committed_bad();
    world.write("work.txt", "good\n");
    let bad = world.rev("HEAD:work.txt");
    world.git([
        "update-index",
        "--cacheinfo",
        &format!("100644,{bad},work.txt"),
    ]);

    does_not_prove(&world);
}

#[test]
fn a_symlink_that_git_is_told_to_ignore_proves_nothing() {
    let world = World::new();
    world.write("target.txt", "good\n");
    let world = world.prepared(&plans::good());
    world.git(["config", "core.symlinks", "false"]);
    world.write("work.txt", "target.txt");
    let blob = world.git(["hash-object", "-w", "work.txt"]).trimmed();
    world.git([
        "update-index",
        "--cacheinfo",
        &format!("120000,{blob},work.txt"),
    ]);
    world.git(["commit", "-qm", "A link"]);
    world.write("work.txt", "good\n");

    does_not_prove(&world);
}

#[test]
fn line_ends_that_local_settings_hide_prove_nothing() {
    let world = World::new().prepared(&plans::of_argv(&["grep", "-q", "good\r", "work.txt"]));
    world.git(["config", "core.autocrlf", "true"]);
    world.write("work.txt", "good\r\n");
    world.git(["add", "-A"]);
    world.git(["commit", "-qm", "Work"]);
    assert_eq!(world.git(["show", "HEAD:work.txt"]).stdout, "good\n");

    does_not_prove(&world);
}

#[test]
fn grafts_and_nested_repositories_prove_nothing() {
    let world = committed_bad();
    world.write(".git/info/grafts", format!("{}\n", world.rev("HEAD")));
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.run(["audit"]);
    world.git(["commit", "-qm", "Work"]);
    assert_ne!(world.run(["verify", "HEAD"]).code, 0);

    let nested = World::sealed();
    nested.write("work.txt", "good\n");
    nested.git(["add", "-A"]);
    nested.git(["init", "-q", "inner"]);
    nested.run(["audit"]);
    nested.git(["commit", "-qm", "Work"]);
    assert_ne!(nested.run(["verify", "HEAD"]).code, 0);
}

#[test]
fn another_index_is_what_git_would_commit_and_no_more() {
    let world = committed_bad();
    let other = world.temp_path().join("other-index");
    world.write("work.txt", "good\n");
    let add = world
        .command("git", &world.top, ["add", "-A"])
        .env("GIT_INDEX_FILE", &other)
        .status();
    assert!(add.unwrap().success());
    let audit = world.ours(["audit"]).env("GIT_INDEX_FILE", &other).status();
    assert!(audit.unwrap().success());

    assert_ne!(world.run(["verify", "HEAD"]).code, 0);
}

#[test]
fn local_settings_never_widen_who_is_trusted() {
    let world = World::proven();
    let thief = World::new();
    let bare = world.bare();
    let key = Key::make(&thief, "thief");
    for name in [
        "planAudit.allowedSigners",
        "planAudit.hmacKeyFile",
        "planAudit.signingKey",
        "gpg.ssh.allowedSignersFile",
    ] {
        bare.git(["config", name, key.path()]);
    }

    let ran = bare.run(["verify", "HEAD"]);

    assert_ne!(ran.code, 0, "{ran}");
}

#[test]
fn a_reftable_repository_is_refused_by_name() {
    let world = World::new();
    world.git(["config", "core.repositoryFormatVersion", "1"]);
    world.git(["config", "extensions.refStorage", "reftable"]);

    each_command_refuses(&world, "reftable");
}

#[test]
fn a_repository_that_git_made_with_reftable_is_refused_by_name() {
    let world = World::empty(Proof::Ssh);
    let made = world
        .command("git", &world.top, ["init", "-q", "--ref-format=reftable"])
        .output();
    if !made.unwrap().status.success() {
        eprintln!("skipped: this git has no reftable");
        return;
    }

    each_command_refuses(&world, "reftable");
}

#[test]
fn an_unknown_extension_is_refused_by_name() {
    for version in ["0", "1"] {
        let world = World::new();
        world.git(["config", "extensions.frobnicate", "true"]);
        world.git(["config", "core.repositoryFormatVersion", version]);

        each_command_refuses(&world, "frobnicate");
    }
}

#[test]
fn an_unknown_format_version_is_refused() {
    let world = World::new();
    world.git(["config", "core.repositoryFormatVersion", "2"]);

    each_command_refuses(&world, "version");
}

#[test]
fn a_repository_of_somebody_else_is_refused_by_name() {
    if !is_root() {
        return;
    }
    let world = World::sealed();
    world.tool("chown", ["-R", "12345:12345", world.top.to_str().unwrap()]);

    each_command_refuses(&world, "owne");
}

#[test]
fn what_takes_part_and_is_in_no_tree_is_told_though_it_is_gone_afterwards() {
    let world = World::new();
    world.tool("ln", ["-s", "/etc/hostname", "outside"]);
    world.commit("a.txt", "a\n");
    let line = "rmdir empty && rm .plan-auditor/evidence.jsonl";
    let world = world.prepared(&plans::of_argv(&["sh", "-c", line]));
    world.git(["commit", "-qm", "Work"]);
    world.tool("mkdir", ["empty"]);
    world.write(".plan-auditor/evidence.jsonl", "{}\n");

    let audit = world.json(["audit"]).is("PASS", 0);
    let verdict = world.json(["verify"]).is("PASS", 0);

    for json in [&audit, &verdict] {
        let said = json.list("/findings").iter();
        let said: Vec<&str> = said.filter_map(|each| each["message"].as_str()).collect();
        let said = said.join("\n");
        for part in [
            "empty_directory: empty",
            "link_outside: outside",
            ".plan-auditor/evidence.jsonl",
        ] {
            assert!(said.contains(part), "{part}\n{}", json.ran);
        }
        assert!(json.codes().contains(&"hidden-files"));
    }
    world.json(["audit", "--checkout"]).is("FAIL", 1);
}

#[test]
fn a_file_that_is_swapped_and_restored_in_the_work_tree_is_told() {
    let world = World::new();
    world.commit(".gitignore", "*.o\n");
    let swap =
        "cp -p work.txt k.o; echo good >work.txt; grep -qx good work.txt && cp -p k.o work.txt";
    let world = world.prepared(&plans::of_argv(&["sh", "-c", swap]));
    world.git(["commit", "-qm", "Bad work"]);

    let audit = world.json(["audit"]).is("PASS", 0);
    let verdict = world.json(["verify"]).is("PASS", 0);

    let findings = audit.list("/findings");
    let told = findings.iter().find(|each| each["code"] == "files-touched");
    let told = told.unwrap();
    assert_eq!(
        (&told["plan"], &told["step"]),
        (&json!("default"), &json!(1))
    );
    assert!(told["message"].as_str().unwrap().contains("work.txt"));
    assert_eq!(audit.at("/state/flags/touched/paths"), &json!(["work.txt"]));
    assert_eq!(audit.at("/plans/default/usable"), true);
    assert!(
        verdict.codes().contains(&"files-touched"),
        "{}",
        verdict.ran
    );
    world.git(["config", "planAudit.place", "checkout"]);
    world.json(["audit", "--checkout"]).is("FAIL", 1);
    assert_ne!(world.run(["verify"]).code, 0);
}

/// Demands that every command that opens a repository refuses it and says the word.
#[track_caller]
fn each_command_refuses(world: &World, word: &str) {
    let commands = [
        vec!["init", "--no-hooks"],
        vec!["seal"],
        vec!["audit"],
        vec!["verify"],
        vec!["status"],
        vec!["log"],
        vec!["fingerprint"],
    ];
    for line in commands {
        let ran = world.run(&line).exits(2);
        assert!(ran.stderr.to_lowercase().contains(word), "{word}\n{ran}");
    }
}

#[test]
fn staged_and_committed_must_be_what_was_audited() {
    let world = World::sealed();
    world.write("work.txt", "good\n");
    world.json(["audit"]).is("PASS", 0);

    world.git(["commit", "-qm", "What was staged"]);

    assert_eq!(world.git(["show", "HEAD:work.txt"]).stdout, "bad\n");
    assert_ne!(world.run(["verify", "HEAD"]).code, 0);
}

#[test]
fn a_plan_that_leaves_with_its_commit_takes_no_failure_with_it_silently() {
    let world = World::sealed();
    let weaker = plans::of_checks(&json!([{ "type": "run", "argv": ["true"] }]));
    world.git(["commit", "-qm", "Work"]);

    world.with_plan(&weaker);
    world.git(["commit", "-qm", "Weaken the plan"]);

    does_not_prove(&world);
}

#[test]
fn a_merge_under_way_cannot_weaken_what_was_sealed_on_the_other_side() {
    let world = World::proven();
    world.git(["checkout", "-q", "-b", "side", "HEAD^"]);
    world.commit("side.txt", "side\n");
    world.git(["merge", "-q", "--no-commit", "--no-ff", "main"]);
    world.json(["audit"]).is("PASS", 0);
    let weaker = plans::of_checks(&json!([{ "type": "run", "argv": ["true"] }]));

    world.with_plan(&weaker);

    let status = world.json(["status"]);
    assert_eq!(status.text("/plans/default/standing"), "edited");
    assert!(status.codes().contains(&"merge-under-way"));
    world.run(["seal"]).exits(2);
    world.run(["audit"]).exits(2);
    world.git(["rm", "-q", "-f", ".plan-auditor/plan.json"]);
    world.run(["audit"]).exits(2).says("default");
    world.write(".git/MERGE_HEAD", "x\n");
    world.run(["audit"]).exits(2).says("MERGE_HEAD");
}

#[test]
fn a_trust_point_that_was_moved_is_not_believed() {
    let world = World::proven();
    let evil = Key::make(&world, "evil");
    let public = fs::read_to_string(format!("{}.pub", evil.path())).unwrap();
    world.write(".plan-auditor/allowed_signers", format!("evil {public}"));
    world.git(["add", "-A"]);
    let tree = world.git(["write-tree"]).trimmed();
    let base = world.git(["commit-tree", "-m", "Base", &tree]).trimmed();
    world.git(["commit", "-qm", "List"]);

    world.git(["update-ref", "refs/remotes/origin/main", &base]);

    let json = world.json(["verify", "HEAD"]);
    assert!(json.ran.code != 0, "{}", json.ran);
    assert!(
        json.codes().contains(&"signers-not-accepted"),
        "{}",
        json.ran
    );
}

#[test]
fn a_forged_commit_on_the_way_moves_no_fork_point() {
    let world = World::proven();
    let sealed = world.rev("HEAD");
    let base = world.git(["commit-tree", "-m", "Base", "HEAD^{tree}"]);
    for subject in ["One", "Two"] {
        world.git(["commit", "-qm", subject, "--allow-empty"]);
    }
    let way = world.rev("HEAD~1");
    world.git(["update-ref", "refs/remotes/origin/main", &sealed]);
    world.json(["verify", "HEAD"]).is("PASS", 0);
    let object = |id: &str| {
        let (directory, file) = id.split_at(2);
        world.top.join(".git/objects").join(directory).join(file)
    };
    fs::remove_file(object(&way)).unwrap();

    fs::copy(object(&base.trimmed()), object(&way)).unwrap();

    let json = world.json(["verify", "HEAD"]);
    assert_eq!(json.ran.code, 3, "{}", json.ran);
    assert!(json.ran.stdout.contains(&way), "{}", json.ran);
}

#[test]
fn a_namespace_of_refs_shows_no_other_commit() {
    let world = World::proven();
    let good = world.rev("HEAD");
    world.commit("work.txt", "worse\n");
    let main = "refs/heads/main";
    world.git(["update-ref", "refs/namespaces/evil/refs/heads/main", &good]);
    world.git(["symbolic-ref", "refs/namespaces/evil/HEAD", main]);
    world.git(["config", "gitoxide.core.refsNamespace", "evil"]);

    let json = world.json(["verify", "HEAD"]);
    assert_ne!(json.ran.code, 0, "{}", json.ran);
}

#[test]
fn a_namespace_in_the_environment_shows_no_other_commit() {
    let world = World::proven();
    let good = world.rev("HEAD");
    world.commit("work.txt", "worse\n");
    world.git(["update-ref", "refs/namespaces/evil/refs/heads/main", &good]);
    world.git([
        "symbolic-ref",
        "refs/namespaces/evil/HEAD",
        "refs/heads/main",
    ]);

    for revision in ["HEAD", "main"] {
        let mut ours = world.ours(["verify", revision]);
        let ran = finish(ours.env("GIT_NAMESPACE", "evil"));

        assert_eq!(ran.code, 1, "{ran}");
    }
}

#[test]
fn settings_of_the_command_line_that_git_would_refuse_are_refused() {
    let world = World::proven();
    for text in ["planAudit.base=x", "'planAudit.base'=x", "'a' # b"] {
        let mut git = world.command("git", &world.top, ["status"]);
        let git = finish(git.env("GIT_CONFIG_PARAMETERS", text));
        assert_ne!(git.code, 0, "{git}");

        let mut ours = world.ours(["verify", "HEAD"]);
        let ran = finish(ours.env("GIT_CONFIG_PARAMETERS", text));

        ran.exits(2).says("GIT_CONFIG_PARAMETERS");
    }
}

#[test]
fn what_no_clone_would_have_keeps_a_record_from_being_usable() {
    for (name, script) in [
        ("a link into .git", "ln -s .git/description l; git add l"),
        ("execute bits of others", "chmod 0645 work.txt"),
        (
            "a work tree inside",
            "git worktree add -q --detach inside HEAD 2>/dev/null",
        ),
        (
            "a gitlink without .gitmodules",
            "git init -q s; git -C s commit -q --allow-empty -m s; git add s",
        ),
        (
            "a byte order mark",
            "printf '\\357\\273\\277*.txt text\\n' >.gitattributes; git add -A",
        ),
    ] {
        let world = World::proven();
        world.tool("sh", ["-c", script]);

        let json = world.json(["audit"]);

        assert_eq!(
            json.at("/plans/default/usable"),
            false,
            "{name}: {}",
            json.ran
        );
    }
}

/// Makes the index say that git saw a file as it is now, an hour before the index was written.
fn forge_stat(world: &World, path: &str) {
    let stat = fs::metadata(world.top.join(path)).unwrap();
    let index = world.top.join(".git/index");
    let mut bytes = fs::read(&index).unwrap();
    let name = [path.as_bytes(), b"\0"].concat();
    let found = bytes.windows(name.len()).position(|window| window == name);
    // Of the second version: times, six other numbers, the blob and two bytes stand before a path.
    let entry = found.unwrap() - 62;
    let seen: Vec<u8> = [
        stat.ctime(),
        stat.ctime_nsec(),
        stat.mtime(),
        stat.mtime_nsec(),
    ]
    .into_iter()
    .flat_map(|number| u32::try_from(number).unwrap().to_be_bytes())
    .collect();
    bytes[entry..entry + 16].copy_from_slice(&seen);
    // No checksum: git may leave it out.
    let end = bytes.len() - 20;
    bytes[end..].fill(0);
    fs::write(&index, bytes).unwrap();
    let later = stat.modified().unwrap() + std::time::Duration::from_hours(1);
    let file = fs::File::options().write(true).open(&index).unwrap();
    file.set_modified(later).unwrap();
}

#[test]
fn an_index_that_lies_about_a_file_fools_status_at_most() {
    let world = World::proven();
    let tree = world.rev("HEAD^{tree}");
    assert_eq!(world.json(["fingerprint"]).text("/tree"), tree);
    let before = world.json(["status"]).is("OK", 0);
    world.write("work.txt", "bad!\n");
    forge_stat(&world, "work.txt");

    let after = world.json(["status"]).is("OK", 0);

    assert_eq!(world.git(["status", "--porcelain"]).trimmed(), "");
    assert_eq!(after.at("/plans/default"), before.at("/plans/default"));
    assert_ne!(world.json(["fingerprint"]).text("/tree"), tree);
    let audit = world.json(["audit"]);
    assert_ne!(audit.text("/outcome"), "PASS");
}
