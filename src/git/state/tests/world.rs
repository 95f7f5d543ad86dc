//! A repository in a directory of its own, made by real git, and what git says of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::git::open::Repository;
use crate::model::state::{Flag, Glance, Noted, State};

/// A small world: a home, and a repository in `r`.
pub(in crate::git) struct World {
    /// Where it lies.
    dir: tempfile::TempDir,
}

impl World {
    /// Makes a repository with a few files of every kind, all committed.
    pub(in crate::git) fn new() -> Self {
        let world = Self::empty("git init -q -b main");
        world.sh("echo a >a.txt; echo b >b.txt; mkdir d; echo c >d/c.txt; echo e >d/e.txt");
        world.sh("echo x >x.sh; chmod +x x.sh; ln -s a.txt link; git add -A; git commit -qm 1");
        world
    }

    /// Makes an empty repository by this command.
    pub(in crate::git) fn empty(init: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("r")).unwrap();
        std::fs::create_dir_all(dir.path().join("home")).unwrap();
        let world = Self { dir };
        world.sh(init);
        world
    }

    /// Returns the top of the repository.
    pub(in crate::git) fn top(&self) -> PathBuf {
        self.dir.path().join("r")
    }

    /// Runs shell lines at the top; what they print is returned.
    pub(in crate::git) fn sh(&self, script: &str) -> String {
        let (ok, out) = self.try_sh(&self.top(), script);
        assert!(ok, "{script}: {out}");
        out
    }

    /// Runs shell lines in a directory; says whether all went well.
    #[expect(
        clippy::disallowed_methods,
        reason = "tests make repositories with real git"
    )]
    pub(in crate::git) fn try_sh(&self, at: &Path, script: &str) -> (bool, String) {
        let mut command = Command::new("sh");
        command.args(["-euc", script]).current_dir(at);
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("GIT_") {
                command.env_remove(name);
            }
        }
        let home = self.dir.path().join("home");
        command
            .env("HOME", &home)
            .env("GIT_CONFIG_GLOBAL", home.join(".gitconfig"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_ALLOW_PROTOCOL", "file")
            .envs([("GIT_AUTHOR_NAME", "t"), ("GIT_AUTHOR_EMAIL", "t@invalid")])
            .envs([
                ("GIT_COMMITTER_NAME", "t"),
                ("GIT_COMMITTER_EMAIL", "t@invalid"),
            ]);
        let output = command.output().unwrap();
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            text.push_str(&String::from_utf8_lossy(&output.stderr));
        }
        (output.status.success(), text)
    }

    /// Takes the state.
    pub(in crate::git) fn state(&self) -> State {
        state_at(&self.top())
    }

    /// Asks git for the tree of everything tracked as it is on disk, all stat data dropped.
    pub(in crate::git) fn tree_at(&self, at: &Path) -> String {
        let script = "n=$(git rev-parse --absolute-git-dir)/oracle; rm -f $n
            git ls-files -sz | GIT_INDEX_FILE=$n git update-index -z --index-info
            test -e $n || GIT_INDEX_FILE=$n git read-tree --empty
            GIT_INDEX_FILE=$n git -c advice.addEmbeddedRepo=false add -u 2>/dev/null
            GIT_INDEX_FILE=$n git write-tree; rm -f $n";
        let (ok, out) = self.try_sh(at, script);
        assert!(ok, "{out}");
        out.trim().to_owned()
    }

    /// Asks git for what it shows as untracked.
    #[expect(clippy::disallowed_methods, reason = "names are no text")]
    pub(in crate::git) fn untracked_at(&self, at: &Path) -> Noted {
        let out = Command::new("git")
            .args(["ls-files", "-o", "--exclude-standard", "-z"])
            .current_dir(at)
            .env("HOME", self.dir.path().join("home"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(out.status.success());
        let paths = out.stdout.split(|byte| *byte == 0);
        Noted::of(paths.filter(|path| !path.is_empty()))
    }

    /// Returns everything below the repository directory with size and time, to see writes.
    pub(in crate::git) fn traces(&self) -> String {
        self.sh("find .git -printf '%p %s %T@ %m\\n' | sort")
    }
}

/// Takes the state of a work tree.
pub(in crate::git) fn state_at(at: &Path) -> State {
    Repository::open(at).unwrap().state().unwrap()
}

/// Returns the names of the flags of a state.
pub(in crate::git) fn flags(state: &State) -> BTreeSet<&'static str> {
    state.flags.keys().map(|flag| flag.as_str()).collect()
}

/// What must hold beside the flags.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::git) enum Like {
    /// Tree and untracked files are those of git.
    Git,
    /// The tree is that of git.
    GitTree,
    /// The tree is that of git without its stat data: the rules by which it took a file are gone.
    GitAfresh,
    /// The tree is that of HEAD.
    Head,
    /// Git has no answer, or another one.
    Nothing,
}

/// Makes a world, changes it by a script, and compares the state with git.
pub(in crate::git) fn check(script: &str, expected: &[&str], like: Like) {
    let world = World::new();
    world.sh(script);
    compare(&world, &world.top(), script, (expected, like));
}

/// Demands that a glance says what the state says, also where everything was seen long ago.
fn glances(world: &World, at: &Path, state: &State, what: &str) {
    let glance = |at| Repository::open(at).unwrap().glance().unwrap();
    let index = "index=$(git rev-parse --git-path index)";
    assert_eq!(glance(at), glance_of(state), "{what}");

    let (_, time) = world.try_sh(at, &format!("{index}; stat -c %y \"$index\""));
    world.try_sh(at, &format!("{index}; touch -ch -d '+1 hour' \"$index\""));
    assert_eq!(glance(at), glance_of(state), "{what}, settled");
    let back = format!("{index}; touch -ch -d '{}' \"$index\"", time.trim());
    world.try_sh(at, &back);
}

/// Returns what a glance must say where a state was taken.
pub(in crate::git) fn glance_of(state: &State) -> Glance {
    Glance {
        head: state.head,
        branch: state.branch.clone(),
        tree: state.tree,
        staged_tree: state.staged_tree,
        is_unmerged: state.flags.contains_key(&Flag::Unmerged),
        untracked: state.untracked.noted.clone(),
        flags: state
            .disqualifying()
            // What is untracked is not read.
            .filter(|(_, noted)| {
                let untracked = &state.untracked.noted.paths;
                !noted.paths.iter().all(|path| untracked.contains(path))
            })
            .map(|(flag, noted)| (flag, noted.clone()))
            .collect(),
        trust: state.aside.trust.clone(),
    }
}

/// Compares a state with git, and demands that taking it left no trace.
pub(in crate::git) fn compare(
    world: &World,
    at: &Path,
    what: &str,
    (expected, like): (&[&str], Like),
) {
    let before = world.traces();
    let state = state_at(at);
    assert_eq!(before, world.traces(), "{what}: something was written");

    if like != Like::GitAfresh {
        glances(world, at, &state, what);
    }
    assert_eq!(
        flags(&state),
        expected.iter().copied().collect(),
        "{what}: {:?}",
        state.flags
    );
    if matches!(like, Like::Git) {
        assert_eq!(state.untracked.noted, world.untracked_at(at), "{what}");
    }
    if matches!(like, Like::Git | Like::GitTree | Like::GitAfresh) {
        assert_eq!(state.tree.to_string(), world.tree_at(at), "{what}");
    }
    if like == Like::Head {
        let (_, tree) = world.try_sh(at, "git rev-parse HEAD^{tree}");
        assert_eq!(state.tree.to_string(), tree.trim(), "{what}");
    }
}
