//! Every layout, every place of hooks, every kind of hook that may be there.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use super::git;
use crate::support::{Layout, Proof, World, plans};

/// Where the repository of a case is.
const LAYOUTS: [&str; 4] = ["main", "linked", "bare", "submodule"];
/// Who says where hooks are.
const PLACES: [&str; 5] = ["default", "relative", "absolute", "global", "worktree"];
/// What is there already.
const KINDS: [&str; 7] = [
    "none",
    "own",
    "foreign",
    "husky",
    "lefthook",
    "pre-commit",
    "git-lfs",
];

/// Makes a world in which each commit and each push is refused by us, and by nobody else.
fn made(layout: &str) -> World {
    let world = World::with(Layout::Main, Proof::Ssh);
    let world = match layout {
        "main" => world,
        "linked" => world.linked("work"),
        "bare" => world.bare().linked("work"),
        _ => {
            let (from, to) = (world.bare(), world.top.join("part"));
            let allow = ["-c", "protocol.file.allow=always"];
            let add = ["submodule", "add", "-q", from.top.to_str().unwrap(), "part"];
            world.git([&allow[..], &add[..]].concat());
            world.at(&to)
        }
    };
    let world = world.prepared(&plans::good());
    world.git(["commit", "-qm", "Sealed"]);
    world.git(["config", "extensions.worktreeConfig", "true"]);
    if layout == "bare" {
        // With that extension, what is said of the bare repository alone has a place of its own.
        let common = named(&world, &["--git-common-dir"]);
        let (all, one) = (common.join("config"), common.join("config.worktree"));
        world.git(["config", "-f", one.to_str().unwrap(), "core.bare", "true"]);
        world.git([
            "config",
            "-f",
            all.to_str().unwrap(),
            "--unset",
            "core.bare",
        ]);
    }
    world.git(["config", "planAudit.prePush", "evidence"]);
    world.with_plan(&plans::of_argv(&["true"]));
    world
}

/// Returns a path that git names.
fn named(world: &World, words: &[&str]) -> PathBuf {
    let line = [&["rev-parse", "--path-format=absolute"], words].concat();
    PathBuf::from(world.git(line).trimmed())
}

/// Tells git where hooks are, and returns the directory.
fn placed(world: &World, place: &str, kind: &str) -> PathBuf {
    let common = named(world, &["--git-common-dir"]);
    let relative = if kind == "husky" {
        ".husky/_"
    } else {
        ".githooks"
    };
    let (scope, path) = match place {
        "default" => return common.join("hooks"),
        "relative" => ("--local", PathBuf::from(relative)),
        "absolute" if kind == "husky" => ("--local", world.top.join(relative)),
        "absolute" => ("--local", common.join("mine")),
        "global" => ("--global", world.home().join("hooks")),
        _ if kind == "husky" => ("--worktree", PathBuf::from(relative)),
        _ => ("--worktree", named(world, &["--git-dir"]).join("mine")),
    };
    world.git(["config", scope, "core.hooksPath", path.to_str().unwrap()]);
    world.top.join(path)
}

/// Says whether hooks may be put there.
fn may_be_put(place: &str, kind: &str) -> bool {
    match kind {
        "lefthook" => false,
        "husky" => place == "default",
        _ => ["default", "absolute", "worktree"].contains(&place),
    }
}

/// Puts a hook that notes who was called, and with what.
fn noting(world: &World, directory: &Path, head: &str) {
    fs::create_dir_all(directory).unwrap();
    let log = world.temp_path().join("log");
    for name in ["pre-commit", "pre-push"] {
        let text = format!(
            "#!/bin/sh\n{head}\nhere=$(dirname \"$0\")\n[ -f \"$here/helper\" ] || exit 9\n\
             {{ echo {name} \"$@\"; cat; }} >>'{}'\n",
            log.display()
        );
        let path = directory.join(name);
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o750)).unwrap();
    }
    fs::write(directory.join("helper"), "").unwrap();
}

/// Puts what is there before us.
fn furnish(world: &World, directory: &Path, kind: &str) {
    match kind {
        "none" => {}
        "own" => drop(world.run(["init"])),
        "foreign" => {
            noting(world, directory, "# by hand");
            // A hook may be a link to a tracked file.
            let real = directory.join("real");
            fs::rename(directory.join("pre-commit"), &real).unwrap();
            std::os::unix::fs::symlink("real", directory.join("pre-commit")).unwrap();
        }
        "husky" => {
            fs::create_dir_all(world.top.join(".husky/_")).unwrap();
            fs::write(world.top.join(".husky/_/.gitignore"), "*").unwrap();
            fs::write(world.top.join(".husky/_/h"), "").unwrap();
        }
        "lefthook" => world.write("lefthook.yml", "pre-commit:\n  jobs: []\n"),
        "pre-commit" => noting(
            world,
            directory,
            "# File generated by pre-commit: https://pre-commit.com",
        ),
        _ => noting(
            world,
            directory,
            "command -v git-lfs >/dev/null || true # git lfs pre-push \"$@\"",
        ),
    }
}

/// Everything of a directory: mode, link and bytes of each name.
fn content(directory: &Path) -> BTreeMap<PathBuf, (u32, Option<PathBuf>, Vec<u8>)> {
    let Ok(listed) = fs::read_dir(directory) else {
        return BTreeMap::new();
    };
    let paths = listed.map(|entry| entry.unwrap().path());
    paths
        .map(|path| {
            let mode = path.symlink_metadata().unwrap().mode();
            let bytes = fs::read(&path).unwrap_or_default();
            (path.clone(), (mode, fs::read_link(&path).ok(), bytes))
        })
        .collect()
}

/// Demands that git asks us, and who was there before, before a commit and before a push.
fn demand_asked(world: &World, kind: &str) {
    let log = world.temp_path().join("log");
    git(world, ["commit", "-qm", "x"])
        .exits(1)
        .says("error[weakened]");
    let line = ["push", "-q", "../remote.git", "HEAD:refs/heads/x"];
    git(world, line).exits(1).says("error[no-evidence]");
    if ["foreign", "pre-commit", "git-lfs"].contains(&kind) {
        let noted = fs::read_to_string(&log).unwrap();
        let head = world.rev("HEAD");
        let zeros = "0".repeat(40);
        let line = format!("HEAD {head} refs/heads/x {zeros}\n");
        assert_eq!(
            noted,
            format!("pre-commit\npre-push ../remote.git ../remote.git\n{line}")
        );
        fs::remove_file(&log).unwrap();
    }
}

/// Tries one case, and leaves the world as it was.
fn tried(world: &World, place: &str, kind: &str) {
    let directory = placed(world, place, kind);
    furnish(world, &directory, kind);
    let before = content(&directory);

    let first = world.json(["init"]);
    if may_be_put(place, kind) {
        let first = first.is("OK", 0);
        assert_eq!(
            first.list("/wrote").is_empty(),
            kind == "own",
            "{}",
            first.ran
        );
        demand_asked(world, kind);
        let installed = content(&directory);
        let second = world.json(["init"]).is("OK", 0);
        assert!(second.list("/wrote").is_empty(), "{}", second.ran);
        assert_eq!(content(&directory), installed);
    } else {
        let first = first.is("FAIL", 1);
        // The remote of this world has no ledger yet, which is told too.
        let codes = first.codes().into_iter();
        let of_hooks: Vec<&str> = codes.filter(|code| *code != "ledger-unshared").collect();
        assert_eq!(of_hooks, ["hook-by-hand"]);
        assert_eq!(first.list("/add").len(), 3, "{}", first.ran);
        assert_eq!(content(&directory), before);
    }
    world.json(["deinit"]).is("OK", 0);
    if kind != "own" {
        assert_eq!(content(&directory), before);
    }

    for scope in ["--local", "--global", "--worktree"] {
        git(world, ["config", scope, "--unset", "core.hooksPath"]);
    }
    for path in [directory.as_path(), &world.top.join(".husky")] {
        drop(fs::remove_dir_all(path));
    }
    drop(fs::remove_file(world.top.join("lefthook.yml")));
}

#[test]
fn hooks_are_put_where_git_looks_for_them_and_nowhere_else() {
    for layout in LAYOUTS {
        let world = made(layout);
        let remote = world.top.parent().unwrap().join("remote.git");
        world.git(["init", "-q", "--bare", remote.to_str().unwrap()]);
        for place in PLACES {
            // What is there already is no other thing in another layout.
            let kinds = KINDS.iter().filter(|kind| match **kind {
                "none" | "foreign" => true,
                "husky" => layout == "main" || ["relative", "worktree"].contains(&place),
                _ => layout == "main",
            });
            for kind in kinds {
                eprintln!("{layout}, {place}, {kind}");
                tried(&world, place, kind);
            }
        }
    }
}
