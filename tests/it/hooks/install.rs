//! What `init` prints where it may not write, what it does not touch, and what `deinit` leaves.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::git;
use crate::support::{Json, World, plans};

/// A world in which each commit and each push is refused by us, and by nobody else.
fn guarded() -> World {
    let world = World::sealed();
    world.git(["commit", "-qm", "Sealed"]);
    world.git(["config", "planAudit.prePush", "evidence"]);
    world.with_plan(&plans::of_argv(&["true"]));
    let remote = world.temp_path().join("remote.git");
    world.git(["init", "-q", "--bare", remote.to_str().unwrap()]);
    world
}

/// Demands that git asks us before a commit and before a push.
fn demand_asked(world: &World) {
    git(world, ["commit", "-qm", "x"])
        .exits(1)
        .says("error[weakened]");
    let line = ["push", "-q", "../remote.git", "HEAD:refs/heads/x"];
    git(world, line).exits(1).says("error[no-evidence]");
}

/// Adds the lines that were printed, as a person would: a script keeps its first line.
fn add(json: &Json) {
    for each in json.list("/add") {
        let path = Path::new(each["file"].as_str().unwrap());
        let old = fs::read_to_string(path).unwrap_or_default();
        let lines: Vec<&str> = each["lines"]
            .as_array()
            .unwrap()
            .iter()
            .map(|line| line.as_str().unwrap())
            .collect();
        let (first, rest) = old.split_once('\n').unwrap_or(("", ""));
        let first = if first.is_empty() {
            String::new()
        } else {
            format!("{first}\n")
        };
        let text = format!("{first}{}\n{rest}", lines.join("\n"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn the_lines_that_are_printed_do_what_is_said() {
    for has_hook in [false, true] {
        let world = guarded();
        let shared = world.home().join("hooks");
        let (log, script) = (world.temp_path().join("log"), shared.join("pre-push"));
        if has_hook {
            fs::create_dir_all(&shared).unwrap();
            fs::write(&script, format!("#!/bin/sh\ncat >'{}'\n", log.display())).unwrap();
        }
        world.git([
            "config",
            "--global",
            "core.hooksPath",
            shared.to_str().unwrap(),
        ]);

        let json = world.json(["init"]).is("FAIL", 1);
        assert!(
            json.text("/findings/0/message").contains("global"),
            "{}",
            json.ran
        );
        add(&json);

        demand_asked(&world);
        let again = world.json(["init"]).is("OK", 0);
        assert!(again.list("/wrote").is_empty());
        if has_hook {
            let line = ["push", "-q", "../remote.git", "HEAD:refs/heads/wip/x"];
            git(&world, line).exits(0);
            let line = fs::read_to_string(log).unwrap();
            assert!(line.starts_with("HEAD ") && line.ends_with('\n'), "{line}");
        }
        let left = world.json(["deinit"]).is("OK", 0);
        assert_eq!(left.codes(), ["hook-left"; 3], "{}", left.ran);
    }
}

#[test]
fn what_husky_calls_is_written_by_a_person() {
    let world = guarded();
    // As husky 9 makes it.
    fs::create_dir_all(world.top.join(".husky/_")).unwrap();
    let h = "#!/usr/bin/env sh\nn=$(basename \"$0\")\ns=$(dirname \"$(dirname \"$0\")\")/$n\n\
             [ ! -f \"$s\" ] && exit 0\nsh -e \"$s\" \"$@\"\n";
    world.write(".husky/_/h", h);
    world.write(".husky/_/.gitignore", "*");
    for name in ["pre-commit", "pre-merge-commit", "pre-push"] {
        let path = format!(".husky/_/{name}");
        world.write(&path, "#!/usr/bin/env sh\n. \"$(dirname \"$0\")/h\"");
        world.tool("chmod", ["+x", &path]);
    }
    world.git(["config", "core.hooksPath", ".husky/_"]);

    let json = world.json(["init"]).is("FAIL", 1);
    add(&json);

    demand_asked(&world);
    world.json(["init"]).is("OK", 0);
}

#[test]
fn a_program_that_is_gone_refuses_with_the_way_out() {
    let world = guarded();
    world.json(["init"]).is("OK", 0);
    let hook = world.top.join(".git/hooks/pre-commit");
    let text = fs::read_to_string(&hook).unwrap();
    assert!(
        text.contains(&format!("program='{}'", crate::support::BINARY)),
        "{text}"
    );
    let gone = text.replace(crate::support::BINARY, "/nowhere/git-plan-audit");
    fs::write(&hook, gone).unwrap();

    // The one in PATH is taken.
    git(&world, ["commit", "-qm", "x"])
        .exits(1)
        .says("error[weakened]");
    let mut command = world.command("git", &world.top, ["commit", "-qm", "x"]);
    let ran = crate::support::finish(command.env("PATH", "/usr/bin:/bin")).exits(1);

    ran.says("git-plan-audit is not found")
        .says("git plan-audit init");
    let again = world.json(["init"]).is("OK", 0);
    assert_eq!(again.list("/wrote").len(), 1, "{}", again.ran);
    let text = fs::read_to_string(&hook).unwrap();
    assert!(text.contains(crate::support::BINARY));
}

#[test]
fn what_cannot_be_kept_is_left_as_it_is() {
    let world = guarded();
    let hooks = world.top.join(".git/hooks");
    let dispatcher = "#!/bin/sh\nexec .git/hooks/all/$(basename \"$0\")\n";
    fs::write(hooks.join("pre-commit"), dispatcher).unwrap();
    fs::create_dir_all(hooks.join("pre-merge-commit")).unwrap();

    let json = world.json(["init"]).is("FAIL", 1);

    assert_eq!(json.codes(), ["hook-by-hand"; 2], "{}", json.ran);
    assert_eq!(
        fs::read_to_string(hooks.join("pre-commit")).unwrap(),
        dispatcher
    );
    fs::remove_dir(hooks.join("pre-merge-commit")).unwrap();
    fs::remove_file(hooks.join("pre-commit")).unwrap();
    world.json(["init"]).is("OK", 0);
    // An edit of ours is nobody's to throw away, and a second kept hook would hide the first.
    let edited = fs::read_to_string(hooks.join("pre-commit"))
        .unwrap()
        .replace("exit 1", "exit 0");
    fs::write(hooks.join("pre-commit"), &edited).unwrap();
    fs::write(hooks.join("pre-push"), "#!/bin/sh\n").unwrap();
    fs::write(hooks.join("pre-push.plan-audit-kept"), "#!/bin/sh\n").unwrap();
    let json = world.json(["init"]).is("FAIL", 1);
    assert_eq!(json.codes(), ["hook-by-hand"; 2], "{}", json.ran);
    let left = world.json(["deinit"]).is("OK", 0);
    assert_eq!(left.codes(), ["hook-left"], "{}", left.ran);
    assert_eq!(
        fs::read_to_string(hooks.join("pre-commit")).unwrap(),
        edited
    );
}

#[test]
fn a_hook_that_pre_commit_moved_aside_is_called_by_it() {
    let world = guarded();
    world.json(["init"]).is("OK", 0);
    let hooks = world.top.join(".git/hooks");
    // What `pre-commit install` does: the hook that is there gets another name, and is called.
    fs::rename(hooks.join("pre-push"), hooks.join("pre-push.legacy")).unwrap();
    let theirs = "#!/bin/sh\nexec \"$0.legacy\" \"$@\"\n";
    fs::write(hooks.join("pre-push"), theirs).unwrap();
    world.tool("chmod", ["+x", ".git/hooks/pre-push"]);

    let again = world.json(["init"]).is("OK", 0);

    assert!(again.list("/wrote").is_empty(), "{}", again.ran);
    demand_asked(&world);
}

#[test]
fn what_is_taken_out_leaves_the_evidence() {
    let world = World::proven();
    world.git(["remote", "add", "origin", "../nowhere"]);
    let config = fs::read(world.top.join(".git/config")).unwrap();
    let json = world.json(["init"]).is("OK", 0);
    assert!(json.text("/undo").starts_with("git plan-audit deinit"));

    let done = world.json(["deinit"]).is("OK", 0);

    assert_eq!(fs::read(world.top.join(".git/config")).unwrap(), config);
    assert_eq!(done.list("/removed").len(), 4, "{}", done.ran);
    assert_eq!(done.list("/left").len(), 3, "{}", done.ran);
    world.json(["verify", "HEAD"]).is("PASS", 0);
    let again = world.json(["deinit"]).is("OK", 0);
    assert!(again.list("/removed").is_empty());
}
