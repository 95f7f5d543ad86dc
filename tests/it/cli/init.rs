//! `init`: what it finds, writes and leaves alone.

use std::fs;

use crate::support::{Key, Proof, World};

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
