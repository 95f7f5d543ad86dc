//! `fingerprint`: the state of the workspace, from the bytes on disk.

use std::path::Path;

use crate::support::{Layout, Proof, World, finish};

#[test]
fn the_tree_is_what_a_commit_of_the_disk_would_have() {
    for layout in Layout::ALL {
        let world = World::with(layout, Proof::Ssh);
        world.write("added.txt", "x\n");
        world.write("folder/other.bin", [0, 1, 2, 255]);
        world.git(["add", "-A"]);
        world.write("added.txt", "changed on disk only\n");

        let json = world.json(["fingerprint"]).is("OK", 0);

        let staged = world.git(["write-tree"]).trimmed();
        world.git(["add", "-A"]);
        let tree = world.git(["write-tree"]).trimmed();
        assert_eq!(json.text("/tree"), tree, "{layout:?}");
        assert_ne!(tree, staged, "{layout:?}");
    }
}

#[test]
fn it_says_the_same_twice_and_something_else_after_a_change() {
    let world = World::new();
    let first = world.json(["fingerprint"]).is("OK", 0);
    let again = world.json(["fingerprint"]).is("OK", 0);
    world.write("new.txt", "x");

    let changed = world.json(["fingerprint"]).is("OK", 0);

    assert_eq!(first.value, again.value);
    assert_eq!(first.at("/tree"), changed.at("/tree"));
    assert_ne!(first.at("/content"), changed.at("/content"));
    assert_eq!(changed.at("/untracked/count"), 1);
    assert_eq!(changed.at("/untracked/paths/0"), "new.txt");
}

#[test]
fn before_the_first_commit_there_is_a_branch_and_no_head() {
    let world = World::with(Layout::Unborn, Proof::Ssh);

    let json = world.json(["fingerprint"]).is("OK", 0);

    assert!(json.at("/head").is_null());
    assert_eq!(json.text("/branch"), "refs/heads/main");
}

#[test]
fn a_detached_head_has_no_branch() {
    let world = World::new();
    world.git(["checkout", "-q", "--detach"]);

    let json = world.json(["fingerprint"]).is("OK", 0);

    assert!(json.at("/branch").is_null());
}

#[test]
fn files_that_only_local_rules_hide_are_named() {
    let world = World::new();
    world.write(".git/info/exclude", "*.secret\n");
    world.write("a.secret", "x");

    let json = world.json(["fingerprint"]).is("OK", 0);

    assert_eq!(json.at("/hidden/count"), 1);
    assert_eq!(json.at("/untracked/count"), 0);
}

#[test]
fn the_index_is_not_touched() {
    let world = World::new();
    let index = world.top.join(".git/index");
    world.write("sub/deep/start.txt", "start\n");
    let before = (
        std::fs::read(&index).unwrap(),
        std::fs::metadata(&index).unwrap().modified().unwrap(),
    );

    world.run(["fingerprint"]).exits(0);

    let after = (
        std::fs::read(&index).unwrap(),
        std::fs::metadata(&index).unwrap().modified().unwrap(),
    );
    assert_eq!(before, after);
}

/// Fingerprints from a directory with some variables set, and returns the tree.
fn tree_at(world: &World, dir: &Path, variables: &[(&str, &str)]) -> String {
    let mut below = world.clone();
    dir.clone_into(&mut below.dir);
    let mut command = below.ours(["fingerprint", "--format", "json"]);
    command.envs(variables.iter().copied());
    let ran = finish(&mut command).exits(0);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    json["tree"].as_str().unwrap().to_owned()
}

#[test]
fn the_index_that_the_environment_names_says_what_is_tracked() {
    let world = World::new();
    let other = world.temp_path().join("other-index");
    let name = other.to_str().unwrap();
    world.write("new.txt", "new\n");
    let git = |line: &[&str]| {
        let mut command = world.command("git", &world.top, line);
        finish(command.env("GIT_INDEX_FILE", &other))
    };
    git(&["add", "-A"]).exits(0);
    let tree = git(&["write-tree"]).trimmed();
    let plain = tree_at(&world, &world.top, &[]);
    std::fs::copy(&other, world.top.join(".git/other")).unwrap();

    assert_ne!(tree, plain);
    for (name, from) in [
        (name, world.top.clone()),
        (name, world.top.join("sub")),
        (".git/other", world.top.clone()),
        (".git/other", world.top.join("sub")),
    ] {
        let found = tree_at(&world, &from, &[("GIT_INDEX_FILE", name)]);
        assert_eq!(found, tree, "{name} from {}", from.display());
    }
    let key = "gitoxide.core.indexFile";
    world.git(["config", "--global", key, "other"]);
    assert_eq!(tree_at(&world, &world.top, &[]), plain);
    world.git(["config", key, "other"]);
    world.run(["fingerprint"]).exits(2);
    world.git(["config", "--unset", key]);
    let missing = tree_at(&world, &world.top, &[("GIT_INDEX_FILE", ".git/none")]);
    assert_eq!(missing, "4b825dc642cb6eb9a060e54bf8d69288fbee4904");
}

#[test]
fn the_repository_that_the_environment_names_is_taken() {
    let world = World::new();
    world.write("work.txt", "changed\n");
    let expected = tree_at(&world, &world.top, &[]);
    let git_dir = world.top.join(".git");
    let (top, git_dir) = (world.top.to_str().unwrap(), git_dir.to_str().unwrap());

    for (from, repository, work_tree) in [
        ("sub", git_dir, top),
        ("sub", "../.git", ".."),
        ("", ".git", "."),
    ] {
        let variables = [("GIT_DIR", repository), ("GIT_WORK_TREE", work_tree)];
        let found = tree_at(&world, &world.top.join(from), &variables);
        assert_eq!(found, expected, "{variables:?} from {from}");
    }
}

#[test]
fn a_bare_repository_has_none() {
    World::new().bare().json(["fingerprint"]).is("REFUSED", 2);
}
