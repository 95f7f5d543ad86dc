//! Glances: what they believe, what they read all the same, and that no state believes it.

use std::os::unix::fs::MetadataExt as _;

use super::world::{World, glance_of};
use crate::git::open::Repository;
use crate::model::state::Glance;

/// Takes a glance.
fn glance(world: &World) -> Glance {
    Repository::open(&world.top()).unwrap().glance().unwrap()
}

/// Makes a world whose files git saw long before it wrote the index.
fn settled() -> World {
    let world = World::new();
    world.sh("touch -d '+1 hour' .git/index");
    world
}

/// Makes the index say that it saw `a.txt` as it is now, with whatever is in it.
fn forge(world: &World) {
    let stat = std::fs::metadata(world.top().join("a.txt")).unwrap();
    let numbers = [
        stat.ctime(),
        stat.ctime_nsec(),
        stat.mtime(),
        stat.mtime_nsec(),
    ];
    let index = world.top().join(".git/index");
    let mut bytes = std::fs::read(&index).unwrap();
    let seen: Vec<u8> = numbers
        .into_iter()
        .flat_map(|number| u32::try_from(number).unwrap().to_be_bytes())
        .collect();
    // The first entry begins behind twelve bytes; no checksum is one that git may leave out.
    bytes[12..28].copy_from_slice(&seen);
    let end = bytes.len() - 20;
    bytes[end..].fill(0);
    std::fs::write(&index, bytes).unwrap();
    world.sh("touch -d '+1 hour' .git/index");
}

#[test]
fn an_index_that_lies_fools_a_glance_and_no_state() {
    let world = settled();
    let before = world.state();
    world.sh("printf 'z\\n' >a.txt");
    forge(&world);

    let (glance, state) = (glance(&world), world.state());

    assert_eq!(world.sh("git status --porcelain"), "");
    assert_eq!(glance, glance_of(&before));
    assert_ne!(state.tree, before.tree);
    assert_eq!(state.tree.to_string(), world.tree_at(&world.top()));
}

#[test]
fn a_time_that_is_set_back_fools_nobody() {
    let world = settled();
    let before = world.state();
    world.sh("touch -r a.txt ../time; printf 'z\\n' >a.txt; touch -r ../time a.txt");

    let state = world.state();

    assert_ne!(state.tree, before.tree);
    assert_eq!(glance(&world), glance_of(&state));
}

#[test]
fn what_git_may_not_have_seen_to_the_end_is_read() {
    let world = settled();
    world.sh("printf 'z\\n' >a.txt");
    forge(&world);

    for (script, is_believed) in [
        ("true", true),
        ("touch -d @$(stat -c %Y a.txt) .git/index", false),
        ("touch -d '+1 hour' .git/index", true),
        ("chmod +x a.txt; chmod -x a.txt", false),
    ] {
        world.sh(script);
        let is_read = glance(&world) == glance_of(&world.state());
        assert_eq!(is_read, !is_believed, "{script}");
    }
}

#[test]
fn what_is_marked_or_converted_is_read() {
    for mark in [
        "git update-index --assume-unchanged a.txt",
        "git update-index --skip-worktree a.txt",
        "echo '*.txt filter=x' >.git/info/attributes",
        "echo '*.txt text' >.git/info/attributes",
        "git config core.autocrlf true",
        "git update-index --split-index",
    ] {
        let world = World::new();
        world.sh(mark);
        world.sh("printf 'z\\n' >a.txt");
        if !mark.contains("split") {
            forge(&world);
        }

        assert_eq!(glance(&world), glance_of(&world.state()), "{mark}");
    }
}

#[test]
fn what_was_added_under_rules_that_are_gone_is_believed_as_git_believes_it() {
    let world = World::new();
    world.sh(
        "printf '1\\r\\n' >w; echo 'w text' >.git/info/attributes; git add w
        rm .git/info/attributes; touch -d '+1 hour' .git/index",
    );

    assert_eq!(world.sh("git status --porcelain"), "A  w\n");
    assert_eq!(Some(glance(&world).tree), world.state().staged_tree);
    assert_ne!(glance(&world).tree, world.state().tree);
}
