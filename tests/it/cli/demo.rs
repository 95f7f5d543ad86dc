//! `demo`: the whole story in a repository of its own.

use crate::support::{Proof, World};

#[test]
fn it_tells_the_story_and_leaves_the_repository() {
    let world = World::empty(Proof::Ssh);
    let dir = world.temp_path().join("story");

    let json = world
        .json(["demo", "--dir", dir.to_str().unwrap()])
        .is("OK", 0);

    assert_eq!(json.text("/dir"), dir.to_str().unwrap());
    let exits: Vec<_> = json
        .list("/steps")
        .iter()
        .map(|step| step["exit"].as_i64().unwrap())
        .collect();
    for code in 0..=2 {
        assert!(exits.contains(&code), "no step ends with {code}: {exits:?}");
    }
    assert!(dir.join(".git").exists() && dir.join(".plan-auditor/plan.json").exists());
}

#[test]
fn the_text_says_where_the_repository_is() {
    let world = World::empty(Proof::Ssh);
    let dir = world.temp_path().join("story");
    let path = dir.to_str().unwrap();

    let ran = world.run(["demo", "--dir", path]).exits(0);

    let ran = ran.says(path).says("PASS").says("FAIL");
    let command = |name: &str| {
        let mut lines = ran.stdout.lines().rev();
        lines.find_map(|line| line.strip_prefix(name)).unwrap()
    };
    let look = command("look ").replace("plan-audit log", "plan-audit verify HEAD~1");
    let seen = world.tool("sh", ["-c", &format!("{look}; exit 0")]);
    assert!(seen.stdout.contains("PASS"), "{seen}");
    world.tool("sh", ["-ec", command("remove ")]);
    let left = std::fs::read_dir(world.temp_path().join("tmp")).unwrap();
    assert_eq!((dir.exists(), left.count()), (false, 0));
}

#[test]
fn a_directory_that_holds_something_is_left_alone() {
    let world = World::empty(Proof::Ssh);
    world.write("mine.txt", "x");

    world
        .json(["demo", "--dir", world.top.to_str().unwrap()])
        .is("REFUSED", 2);

    assert!(!world.top.join(".git").exists());
}

#[test]
fn keys_and_settings_of_the_user_are_left_alone() {
    let world = World::empty(Proof::Ssh);
    let config = std::fs::read(world.home().join("gitconfig")).unwrap();
    let dir = world.temp_path().join("story");

    world.run(["demo", "--dir", dir.to_str().unwrap()]).exits(0);

    assert_eq!(
        std::fs::read(world.home().join("gitconfig")).unwrap(),
        config
    );
    assert!(!world.home().join(".config/git-plan-audit").exists());
}
