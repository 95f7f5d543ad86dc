//! Checkouts of real repositories, compared with what git clones; and trees that git would not
//! write.

mod attributes;
mod hostile;
mod lacking;
mod touching;

use std::path::{Path, PathBuf};

use super::super::open::Repository;
use super::super::state::tests::world::World;
use super::Checkout;
use crate::model::checkout::{CheckoutError, Source, Wanted};
use crate::model::ids::Oid;
use crate::model::state::State;

/// A place for a checkout, as private as a test needs it.
struct Room(tempfile::TempDir);

impl Room {
    /// Makes an empty one.
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(temp.path().join("tree")).unwrap();
        Self(temp)
    }

    /// Returns where the checkout goes.
    fn top(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap().join("tree")
    }

    /// Lists everything beside the checkout.
    fn beside(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.0.path()).unwrap();
        let names = names.map(|name| name.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != "tree").collect()
    }
}

/// Opens the repository of a world.
fn opened(world: &World) -> Repository {
    Repository::open(&world.top()).unwrap()
}

/// Writes what a revision names.
fn of_revision(world: &World, revision: &str, room: &Room) -> Result<Checkout, CheckoutError> {
    let repository = opened(world);
    let commit = repository.resolve(revision).unwrap().unwrap();
    let wanted = Wanted {
        source: Source::Tree,
        tree: commit.tree,
        head: Some(commit.id),
    };
    repository.check_out(&wanted, &room.top(), &|| false)
}

/// Writes a tree by its id.
fn of_tree(world: &World, tree: &str, room: &Room) -> Result<Checkout, CheckoutError> {
    let wanted = Wanted {
        source: Source::Tree,
        tree: Oid::parse(tree.trim()).unwrap(),
        head: None,
    };
    opened(world).check_out(&wanted, &room.top(), &|| false)
}

/// Takes the state of a clean clone of HEAD that knows no setting of the world.
fn of_clone(world: &World, at: &Path, options: &str) -> State {
    let at = at.join("clone");
    let top = world.top();
    world.sh(&format!(
        "git clone -q {options} {} {}",
        top.display(),
        at.display()
    ));
    Repository::open(&at).unwrap().state().unwrap()
}

/// Demands that a checkout of HEAD is what a clean clone is, to the byte.
fn check(script: &str) {
    let world = World::new();
    world.sh(script);
    let (room, other) = (Room::new(), Room::new());

    let checkout = of_revision(&world, "HEAD", &room).unwrap();

    let clone = of_clone(&world, other.0.path(), "");
    let state = checkout.before();
    assert_eq!(state.tree, clone.tree, "{script}");
    assert_eq!(state.content, clone.content, "{script}");
    assert_eq!(state.index, clone.index, "{script}");
    assert_eq!(state.untracked, clone.untracked, "{script}");
    assert_eq!(state.flags, clone.flags, "{script}");
    let both = format!(
        "diff -r --no-dereference -x .git {} {}",
        room.top().display(),
        other.0.path().join("clone").display()
    );
    assert_eq!(world.sh(&both), "", "{script}");
    assert_eq!(room.beside(), Vec::<String>::new());
}

#[test]
fn a_checkout_is_what_a_clean_clone_is() {
    check(":");
    check("git rm -qr .; git commit -qm 2 --allow-empty");
    check("mkdir -p a/b/c a-b a.b; touch a/b/c/d a/b/e a-b/f a.b/g; git add -A; git commit -qm 2");
    check(
        "printf x >'a\nb'; printf x >$(printf '\\377'); ln -s /etc l; git add -A; git commit -qm 2",
    );
    check("ln -s nowhere d/l; ln -s .. d/up; git add -A; git commit -qm 2");
}

#[test]
fn an_older_commit_is_what_it_was() {
    let world = World::new();
    let tree = world.sh("git rev-parse HEAD^{tree}");
    world.sh("echo new >a.txt; git rm -q d/c.txt; git commit -qam 2");
    let room = Room::new();

    let checkout = of_revision(&world, "HEAD~1", &room).unwrap();

    assert_eq!(checkout.before().tree.to_string(), tree.trim());
    assert!(room.top().join("d/c.txt").exists());
}

#[test]
fn what_is_staged_needs_no_tree_object() {
    for init in ["git init -q -b main", "git init -q --object-format=sha256"] {
        let world = World::empty(init);
        world.sh("echo 1 >a; mkdir d; echo 2 >d/b; git add -A; echo later >a; echo new >n");
        let repository = opened(&world);
        let staged = repository.staged().unwrap();
        let wanted = Wanted {
            source: Source::Index,
            tree: staged.tree,
            head: None,
        };
        let room = Room::new();

        let checkout = repository
            .check_out(&wanted, &room.top(), &|| false)
            .unwrap();

        assert_eq!(checkout.before().tree, staged.tree);
        assert_eq!(std::fs::read(room.top().join("a")).unwrap(), b"1\n");
        assert!(!room.top().join("n").exists());
        let tree = world.sh("git write-tree");
        assert_eq!(staged.tree.to_string(), tree.trim());
    }
}

#[test]
fn plan_files_are_read_from_what_is_staged() {
    let world = World::empty("git init -q");
    world.sh(
        "mkdir -p .plan-auditor/plans; echo 1 >.plan-auditor/plan.json
        echo 2 >.plan-auditor/plans/b.json; ln -s b.json .plan-auditor/plans/l.json
        echo 3 >.plan-auditor/plans/readme; git add -A; echo 4 >.plan-auditor/plan.json
        echo 5 >.plan-auditor/plans/untracked.json",
    );

    let plans = opened(&world).staged().unwrap().plans;

    let found: Vec<_> = plans
        .iter()
        .map(|plan| (plan.name.to_string(), plan.content.clone()))
        .collect();
    let wanted = [
        ("default", Ok(b"1\n".to_vec())),
        ("b", Ok(b"2\n".to_vec())),
        ("l", Err("it is no regular file".to_owned())),
    ];
    assert_eq!(
        found,
        wanted.map(|(name, content)| (name.to_owned(), content))
    );
}

#[test]
fn an_interrupt_ends_the_writing() {
    let world = World::new();
    let repository = opened(&world);
    let commit = repository.resolve("HEAD").unwrap().unwrap();
    let wanted = Wanted {
        source: Source::Tree,
        tree: commit.tree,
        head: None,
    };

    let made = repository.check_out(&wanted, &Room::new().top(), &|| true);

    assert!(matches!(made, Err(CheckoutError::Stopped)), "{made:?}");
}
