//! `init`: what it finds, writes and leaves alone.

use std::fs;

use crate::support::{BINARY, Key, Proof, World, finish, plans};

#[test]
fn a_second_init_changes_nothing() {
    let world = World::new();
    let first = world.json(["init", "--no-hooks"]).is("OK", 0);
    let lines = world.lines().len();

    let second = world.json(["init", "--no-hooks"]).is("OK", 0);

    for member in ["/repo", "/inst", "/writer"] {
        assert_eq!(first.at(member), second.at(member), "{member}");
    }
    assert_eq!(world.lines().len(), lines);
}

#[test]
fn it_says_all_in_twelve_lines() {
    let ran = World::new().init();

    assert!(ran.stdout.lines().count() <= 12, "{ran}");
}

#[test]
fn the_key_it_makes_lies_outside_the_workspace_and_is_private() {
    use std::os::unix::fs::PermissionsExt as _;
    for line in [
        vec!["init", "--no-hooks"],
        vec!["init", "--no-hooks", "--hmac"],
    ] {
        let world = World::new();

        world.run(line).exits(0);

        let keys = fs::read_dir(world.home().join(".config/git-plan-audit/keys")).unwrap();
        let files: Vec<_> = keys.map(|key| key.unwrap().path()).collect();
        assert!(!files.is_empty());
        for file in files
            .iter()
            .filter(|file| file.extension().is_none_or(|end| end != "pub"))
        {
            let mode = fs::metadata(file).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0, "{}", file.display());
        }
    }
}

#[test]
fn the_signing_key_of_git_is_taken() {
    let world = World::new();
    let key = Key::make(&world, "own");
    world.git(["config", "--global", "gpg.format", "ssh"]);
    world.git(["config", "--global", "user.signingKey", key.path()]);

    let json = world.json(["init", "--no-hooks"]).is("OK", 0);

    assert_eq!(json.text("/writer"), key.writer(&world));
}

#[test]
fn a_signing_key_that_the_repository_names_is_not_taken() {
    let world = World::new();
    let key = Key::make(&world, "foreign");
    world.git(["config", "gpg.format", "ssh"]);
    world.git(["config", "user.signingKey", key.path()]);

    let json = world.json(["init", "--no-hooks"]).is("OK", 0);

    assert_ne!(json.text("/writer"), key.writer(&world));
}

#[test]
fn a_key_that_is_named_is_taken() {
    let world = World::new();
    let key = Key::make(&world, "own");

    let json = world
        .json(["init", "--no-hooks", "--key", key.path()])
        .is("OK", 0);

    assert_eq!(json.text("/writer"), key.writer(&world));
}

#[test]
fn an_hmac_key_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let file = world.home().join("team.key");
    fs::write(&file, [7; 32]).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();

    let path = file.to_str().unwrap();

    world
        .json(["init", "--no-hooks", "--hmac", "--key", path])
        .is("REFUSED", 2);
}

#[test]
fn an_hmac_key_inside_the_workspace_is_refused() {
    use std::os::unix::fs::PermissionsExt as _;
    let world = World::new();
    let file = world.top.join("team.key");
    fs::write(&file, [7; 32]).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();

    let path = file.to_str().unwrap();

    world
        .json(["init", "--no-hooks", "--hmac", "--key", path])
        .is("REFUSED", 2);
}

#[test]
fn remotes_get_the_refspec_of_the_ledger_once() {
    let world = World::new();
    world.git(["remote", "add", "origin", "../nowhere"]);

    world.init();
    world.init();

    let fetched = world
        .git(["config", "--get-all", "remote.origin.fetch"])
        .stdout;
    let wanted = "+refs/notes/plan-audit*:refs/plan-audit/remotes/origin/notes*";
    assert_eq!(
        fetched.lines().filter(|line| *line == wanted).count(),
        1,
        "{fetched}"
    );
}

#[test]
fn the_starter_is_a_plan_that_validates_and_is_never_overwritten() {
    let world = World::new();
    world.run(["init", "--no-hooks", "--starter"]).exits(0);
    world.run(["validate"]).exits(0);
    world.write(".plan-auditor/plan.json", "mine");

    world.run(["init", "--no-hooks", "--starter"]);

    let text = fs::read_to_string(world.top.join(".plan-auditor/plan.json")).unwrap();
    assert_eq!(text, "mine");
}

#[test]
fn a_new_instance_needs_a_reason() {
    let world = World::new();
    let first = world.json(["init", "--no-hooks"]).is("OK", 0);

    world
        .run(["init", "--no-hooks", "--new-instance"])
        .exits(129);
    let line = [
        "init",
        "--no-hooks",
        "--new-instance",
        "--reason",
        "copied disk",
    ];
    let second = world.json(line).is("OK", 0);

    assert_ne!(first.at("/inst"), second.at("/inst"));
    assert_eq!(first.at("/repo"), second.at("/repo"));
}

#[test]
fn the_work_tree_is_left_alone() {
    for proof in Proof::ALL {
        let world = World::with(crate::support::Layout::Main, proof);

        world.init();

        assert_eq!(world.git(["status", "--porcelain", "--ignored"]).stdout, "");
    }
}

#[test]
fn the_undo_that_is_printed_undoes_it() {
    let world = World::new();
    world.git(["remote", "add", "origin", "../nowhere"]);
    let config = fs::read(world.top.join(".git/config")).unwrap();
    let json = world.json(["init", "--no-hooks", "--starter"]).is("OK", 0);

    world.tool("sh", ["-ec", json.text("/undo")]);

    assert_eq!(fs::read(world.top.join(".git/config")).unwrap(), config);
    assert!(!world.top.join(".git/plan-audit").exists());
    assert!(!world.top.join(".plan-auditor/plan.json").exists());
    assert_eq!(world.git(["for-each-ref", "refs/notes"]).stdout, "");
    world.git(["remote", "remove", "origin"]);
    let verdict = world.json(["verify", "HEAD"]).is("NO_PLAN", 3);
    assert_eq!(verdict.codes(), ["no-plan"]);
    world.json(["init", "--no-hooks"]).is("OK", 0);
}

#[test]
fn an_init_that_wrote_nothing_has_nothing_to_undo_and_one_that_wrote_has() {
    let world = World::new();
    world.init();

    let nothing = world.json(["init", "--no-hooks"]).is("OK", 0);
    assert_eq!(nothing.text("/undo"), "nothing to undo");

    world.git(["remote", "add", "origin", "../nowhere"]);
    let refspec = world.json(["init", "--no-hooks"]).is("OK", 0);
    assert!(refspec.text("/undo").starts_with("git config --unset"));
}

/// Clones what a world has proven, with more words for git, and returns the clone's world.
fn cloned(world: &World, words: &[&str]) -> World {
    let bare = world.bare();
    bare.git(["config", "uploadpack.allowFilter", "true"]);
    let clone = world.temp_path().join("clone");
    let from = format!("file://{}", bare.top.display());
    let line = [&["clone", "-q"], words, &[&from, clone.to_str().unwrap()]].concat();
    world.tool("git", line);
    world.at(&clone)
}

#[test]
fn undoing_it_in_a_clone_leaves_the_evidence_of_others() {
    let world = World::proven();
    let clone = cloned(&world, &[]);
    let refs = || clone.git(["for-each-ref"]).stdout;
    let before = refs();
    let json = clone.json(["init", "--no-hooks"]).is("OK", 0);

    clone.tool("sh", ["-ec", json.text("/undo")]);

    assert_eq!(refs(), before, "what it fetched is at the remote still");
    let ledger = "refs/notes/plan-audit:refs/notes/plan-audit";
    clone.git(["fetch", "-q", "origin", ledger]);
    let json = clone.json(["init", "--no-hooks"]).is("OK", 0);
    clone.tool("sh", ["-ec", json.text("/undo")]);
    let listed = clone.git(["for-each-ref", "refs/notes/plan-audit"]).stdout;
    assert!(!listed.is_empty(), "{listed}");
    clone.json(["init", "--no-hooks"]).is("OK", 0);
}

#[test]
fn a_partial_clone_gets_the_whole_ledger() {
    let clone = cloned(&World::proven(), &["--filter=blob:none"]);

    clone.json(["init", "--no-hooks"]).is("OK", 0);

    let status = clone.json(["status"]).is("OK", 0);
    assert!(
        !status.codes().contains(&"ledger-missing"),
        "{}",
        status.ran
    );
}

#[test]
fn a_ledger_without_its_notes_is_completed_by_the_command_that_is_named() {
    let clone = cloned(&World::proven(), &["--filter=blob:none"]);
    let both = "refs/notes/plan-audit:refs/notes/plan-audit";
    clone.git(["fetch", "-q", "origin", both]);

    let refused = clone.json(["init", "--no-hooks"]).is("UNKNOWN", 3);

    let hint = refused.text("/findings/0/hint");
    let (_, command) = hint.split_once("partial clone: ").unwrap();
    clone.tool("sh", ["-ec", command]);
    clone.json(["init", "--no-hooks"]).is("OK", 0);
}

#[test]
fn a_key_that_is_gone_is_told_before_anything_runs_and_replaced_as_told() {
    for halves in [vec![""], vec!["", ".pub"]] {
        let world = World::new();
        let key = Key::make(&world, "own");
        world
            .run(["init", "--no-hooks", "--key", key.path()])
            .exits(0);
        world.with_plan(&plans::of_argv(&["touch", "ran"]));
        world.seal();
        for half in halves {
            fs::remove_file(format!("{}{half}", key.path())).unwrap();
        }

        for line in [
            vec!["audit"],
            vec!["init", "--no-hooks"],
            vec!["init", "--no-hooks", "--new-instance", "--reason", "x"],
        ] {
            world
                .run(line)
                .exits(2)
                .says("git plan-audit init --no-hooks --key FILE");
        }

        assert!(!world.top.join("ran").exists());
        let other = Key::make(&world, "other");
        world
            .run(["init", "--no-hooks", "--key", other.path()])
            .exits(0);
        world.json(["seal"]).is("OK", 0);
    }
}

#[test]
fn what_it_names_next_can_be_done() {
    let world = World::new();
    let next = |line: &[&str]| {
        let ran = world.run(line.iter().chain(&["--format", "json"]));
        ran.exits(0).into_json().text("/next").to_owned()
    };
    let plain = ["init", "--no-hooks"];

    assert_eq!(next(&plain), "git plan-audit init --no-hooks --starter");
    assert_eq!(
        next(&["init", "--no-hooks", "--starter"]),
        "edit .plan-auditor/plan.json, then git plan-audit validate"
    );
    assert_eq!(next(&plain), "git plan-audit status");
    let bare = world.bare();
    let key = Key::make(&world, "ci");
    let json = bare.json(["init", "--no-hooks", "--key", key.path()]);
    assert_eq!(json.text("/next"), "git plan-audit audit --commit REV");
}

#[test]
fn another_clone_of_the_same_user_is_told_of_the_earlier_key() {
    let world = World::proven();
    let copy = world.temp_path().join("copy");
    world.tool(
        "cp",
        ["-a", world.top.to_str().unwrap(), copy.to_str().unwrap()],
    );
    for other in [world.at(&copy), cloned(&world, &[])] {
        let json = other.json(["init", "--no-hooks"]).is("OK", 0);

        let (command, why) = json.text("/next").split_once(", ").unwrap();

        assert!(why.contains("the key that recorded here before"), "{why}");
        let command = command.replace("git plan-audit", BINARY);
        other.tool("sh", ["-ec", &command]);
        let status = other.json(["status"]).is("OK", 0);
        assert_eq!(status.text("/plans/default/outcome"), "PASS");
    }
}

#[test]
fn a_repository_that_cannot_be_written_needs_nothing_when_all_is_there() {
    let world = World::proven();
    let lock = world.top.join(".git/plan-audit/append-lock");
    assert!(lock.exists());
    fs::remove_file(&lock).unwrap();
    // Nobody can lock a directory, whoever runs the tests.
    fs::create_dir_all(&lock).unwrap();

    let json = world.json(["init", "--no-hooks"]).is("OK", 0);

    assert_eq!(json.list("/wrote").len(), 0);
}

#[test]
fn a_home_that_cannot_be_written_is_named_with_the_way_out() {
    let world = World::new();
    let mut command = world.ours(["init", "--no-hooks"]);
    command.env("XDG_CONFIG_HOME", "/dev/null");

    let ran = finish(&mut command).exits(2);

    ran.says("/dev/null/git-plan-audit")
        .says("hint")
        .says("XDG_CONFIG_HOME");
}
