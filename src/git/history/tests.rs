//! Tests of walking commits, against repositories that git made.

use std::path::PathBuf;

use super::*;
use crate::git::testing::World;

fn id(text: &str) -> Oid {
    Oid::parse(text.trim()).unwrap()
}

/// A history of two lines that met once, and one that met none.
struct Lines {
    world: World,
    base: Oid,
    side: Oid,
    main: Oid,
    alone: Oid,
}

impl Lines {
    fn new() -> Self {
        let world = World::new();
        let base = id(&world.git(&["rev-parse", "HEAD"]));
        world.git(&["checkout", "-q", "-b", "side"]);
        world.commit("side one");
        let side = id(&world.commit("side two"));
        world.git(&["checkout", "-q", "main"]);
        world.commit("main one");
        let main = id(&world.commit("main two"));
        world.git(&["checkout", "-q", "--orphan", "alone"]);
        let alone = id(&world.commit("alone"));
        Self {
            world,
            base,
            side,
            main,
            alone,
        }
    }

    /// Clones with so many commits of each branch.
    fn shallow(&self, depth: u32) -> Repository {
        let url = format!("file://{}", self.world.path("repo").display());
        let name = format!("shallow-{depth}");
        let target = self.world.path(&name);
        let depth = format!("--depth={depth}");
        let arguments = ["clone", "-q", &depth, "--no-single-branch", &url];
        self.world
            .git(&[&arguments[..], &[target.to_str().unwrap()]].concat());
        self.world.open(&name)
    }

    fn loose(&self, id: &Oid) -> PathBuf {
        let hex = id.to_string();
        let (directory, file) = hex.split_at(2);
        self.world
            .path("repo/.git/objects")
            .join(directory)
            .join(file)
    }

    /// Puts the commit `other` under the id of `victim`, loose.
    fn forge(&self, victim: &Oid, other: &Oid) {
        std::fs::remove_file(self.loose(victim)).unwrap();
        std::fs::copy(self.loose(other), self.loose(victim)).unwrap();
    }
}

#[test]
fn the_merge_base_is_found() {
    let lines = Lines::new();
    let repo = lines.world.repository();

    let base = |one, other| repo.merge_base(one, other).unwrap();

    assert_eq!(base(&lines.side, &lines.main), Some(lines.base));
    assert_eq!(base(&lines.main, &lines.main), Some(lines.main));
    assert_eq!(base(&lines.main, &lines.base), Some(lines.base));
    assert_eq!(base(&lines.main, &lines.alone), None);
}

#[test]
fn commits_between_are_those_of_one_line() {
    let lines = Lines::new();
    let repo = lines.world.repository();

    let walk = repo.between(&lines.side, Some(&lines.base)).unwrap();
    let whole = repo.between(&lines.side, None).unwrap();

    assert_eq!((walk.commits.len(), walk.complete), (2, true));
    assert_eq!((whole.commits.len(), whole.complete), (3, true));
    assert!(!walk.commits.contains(&lines.base));
}

#[test]
fn a_cut_off_history_is_told() {
    let lines = Lines::new();
    let repo = lines.shallow(1);

    let apart = repo.merge_base(&lines.side, &lines.main);
    let absent = repo.merge_base(&lines.base, &lines.main);
    let walk = repo.between(&lines.main, None).unwrap();

    assert!(
        matches!(apart, Err(ObjectsError::CutOff { .. })),
        "{apart:?}"
    );
    assert!(
        matches!(absent, Err(ObjectsError::Missing { .. })),
        "{absent:?}"
    );
    assert_eq!((walk.commits, walk.complete), (vec![lines.main], false));
}

#[test]
fn a_shallow_clone_that_reaches_the_roots_lacks_nothing() {
    let lines = Lines::new();
    let repo = lines.shallow(3);

    assert_eq!(
        repo.merge_base(&lines.side, &lines.main).unwrap(),
        Some(lines.base)
    );
    assert!(repo.between(&lines.main, None).unwrap().complete);
    // The orphan is a root of its own: one commit deep is all of it.
    let repo = lines.shallow(1);
    assert!(repo.between(&lines.alone, None).unwrap().complete);
}

#[test]
fn a_forged_commit_on_the_way_is_an_error_and_moves_no_fork_point() {
    let lines = Lines::new();
    let middle = id(&lines.world.git(&["rev-parse", "main~1"]));
    lines.forge(&middle, &lines.side);
    let repo = lines.world.repository();

    let base = repo.merge_base(&lines.side, &lines.main);
    let walk = repo.between(&lines.main, None);

    assert!(
        matches!(base, Err(ObjectsError::History { .. })),
        "{base:?}"
    );
    assert!(walk.is_err(), "{walk:?}");
}

#[test]
fn a_commit_without_a_whole_person_is_walked_over_as_git_does() {
    let world = World::new();
    let base = id(&world.git(&["rev-parse", "HEAD"]));
    let tree = world.git(&["rev-parse", "HEAD^{tree}"]);
    let text = format!("tree {tree}parent {base}\nauthor a\ncommitter a <a> 1 +0000\n\nx\n");
    std::fs::write(world.path("odd"), text).unwrap();
    let hash = [
        "hash-object",
        "-t",
        "commit",
        "-w",
        "--stdin",
        "--literally",
    ];
    let odd = world.git_from("odd", &hash);
    world.git(&["reset", "-q", "--hard", odd.trim()]);
    let main = id(&world.commit("main"));
    world.git(&["checkout", "-q", "-b", "side", odd.trim()]);
    let side = id(&world.commit("side"));
    let repo = world.repository();

    let walk = repo.between(&main, None).unwrap();

    assert_eq!(walk.commits, [main, id(&odd), base]);
    assert_eq!(repo.merge_base(&main, &side).unwrap(), Some(id(&odd)));
    assert_eq!(repo.merge_base(&main, &base).unwrap(), Some(base));
}

#[test]
fn a_root_that_is_listed_as_cut_off_lacks_nothing() {
    let world = World::new();
    let root = world.git(&["rev-parse", "HEAD"]);
    world.git(&["checkout", "-q", "--orphan", "alone"]);
    let alone = world.commit("alone");
    let list = |ids: &[&str]| {
        std::fs::write(world.path("repo/.git/shallow"), ids.concat()).unwrap();
        let repo = world.repository();
        let complete = repo.between(&id(&alone), None).unwrap().complete;
        (complete, repo.merge_base(&id(&root), &id(&alone)).is_ok())
    };
    assert_eq!(list(&[&root, &format!("{alone}\n")]), (true, true));

    let next = world.commit("next");
    std::fs::write(world.path("repo/.git/shallow"), format!("{next}\n")).unwrap();

    let repo = world.repository();
    assert!(!repo.between(&id(&next), None).unwrap().complete);
    assert!(repo.merge_base(&id(&root), &id(&next)).is_err());
}
