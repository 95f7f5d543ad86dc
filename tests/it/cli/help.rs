//! `help`, `-h` and `--version`, also by way of git.

use crate::schemas::commands;
use crate::support::{Proof, World, stable};

#[test]
fn every_command_has_help_with_an_example() {
    let world = World::empty(Proof::Ssh);

    for command in commands(&world) {
        for line in [vec![command.as_str(), "-h"], vec!["help", command.as_str()]] {
            let ran = world.run(&line).exits(0);
            assert!(ran.stderr.is_empty(), "{ran}");
            ran.says(&format!("git plan-audit {command}"))
                .says("example");
        }
    }
}

#[test]
fn git_finds_it_as_its_own_command() {
    let world = World::empty(Proof::Ssh);

    let ran = world.git(["plan-audit", "--version"]);

    assert_eq!(ran.stdout, world.run(["--version"]).stdout);
    stable(|| insta::assert_snapshot!(ran.stdout, @"git-plan-audit 0.1.0"));
}

#[test]
fn git_dir_given_to_git_is_honoured() {
    let world = World::new();
    let git_dir = format!("--git-dir={}", world.top.join(".git").display());
    let work_tree = format!("--work-tree={}", world.top.display());

    let line = [
        &git_dir,
        &work_tree,
        "plan-audit",
        "fingerprint",
        "--format",
        "json",
    ];
    let seen = world.git(line).into_json();

    let own = world.json(["fingerprint"]);
    assert_eq!(seen.at("/tree"), own.at("/tree"));
}

#[test]
fn help_needs_no_repository() {
    let world = World::empty(Proof::Ssh);

    for line in [vec!["-h"], vec!["help"], vec!["--version"]] {
        let ran = world.run(line).exits(0);
        assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran}");
    }
}

#[test]
fn what_is_shown_names_the_help_that_git_lets_through() {
    let world = World::empty(Proof::Ssh);

    for line in [vec!["audit", "--nonsense"], vec!["--nonsense"]] {
        let ran = world.run(line).exits(129).says("try '-h'");
        assert!(!ran.stderr.contains("--help"), "{ran}");
    }
    for line in [vec!["-h"], vec!["audit", "-h"], vec!["help", "audit"]] {
        let ran = world.run(line).exits(0);
        assert!(!ran.stdout.contains("--help"), "{ran}");
    }
    for line in [["audit", "-h"], ["audit", "--help"]] {
        let shown = world.run(line).exits(0).stdout;
        assert_eq!(shown, world.run(["help", "audit"]).stdout);
    }
}
