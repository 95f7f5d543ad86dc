//! Nothing in a repository makes a command wait or swell: a FIFO or an endless device in the
//! place of a file is refused by its name.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::support::{BINARY, Ran, World, finish};

/// Commands that open a repository.
const COMMANDS: [&[&str]; 6] = [
    &["status"],
    &["verify", "HEAD"],
    &["log"],
    &["seal"],
    &["audit"],
    &["init", "--no-hooks"],
];

/// Runs our binary with a limit of time; 124 says that it had to be ended.
fn run(world: &World, line: &[&str]) -> Ran {
    let start = ["--kill-after=1", "30", BINARY];
    finish(&mut world.command("timeout", &world.dir, start.iter().chain(line)))
}

/// Puts something else in the place of a file for as long as `act` takes.
fn instead(path: &Path, put: &dyn Fn(&Path), act: &dyn Fn()) {
    let aside = path.with_file_name("set-aside");
    let was = fs::rename(path, &aside).is_ok();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    put(path);
    act();
    fs::remove_file(path).unwrap();
    if was {
        fs::rename(&aside, path).unwrap();
    }
}

/// Something to put at a path, with its name.
type Put = (&'static str, &'static dyn Fn(&Path));

/// What never ends when it is opened or read, and what no honest file is as large as.
fn endless() -> [Put; 3] {
    [
        ("a FIFO", &|path| {
            let made = std::process::Command::new("mkfifo").arg(path).status();
            assert!(made.unwrap().success());
        }),
        ("a device", &|path| symlink("/dev/zero", path).unwrap()),
        ("a terabyte", &|path| {
            fs::File::create(path).unwrap().set_len(1 << 40).unwrap();
        }),
    ]
}

/// Demands that each command ends by itself, and that a refusal or doubt names the file.
#[track_caller]
fn each_command_ends(
    world: &World,
    (top, names): (&Path, &[&str]),
    puts: &[Put],
    fits: &dyn Fn(&Ran) -> bool,
) {
    for name in names {
        for (what, put) in puts {
            instead(&top.join(name), put, &|| {
                for line in COMMANDS {
                    let ran = run(world, line);
                    assert!(ran.code < 100 && fits(&ran), "{name} as {what}\n{ran}");
                    let told = format!("{}{}", ran.stdout, ran.stderr);
                    let is_told = told.contains(name.rsplit('/').next().unwrap());
                    assert!(ran.code < 2 || is_told, "{name} as {what}\n{ran}");
                }
            });
        }
    }
}

#[test]
fn a_control_file_of_git_that_is_no_file_is_refused_by_name() {
    let world = World::proven();
    let git_dir = world.top.join(".git");
    let small = [
        "HEAD",
        "config",
        "config.worktree",
        "commondir",
        "gitdir",
        "packed-refs",
        "shallow",
        "index",
        "info/exclude",
        "info/attributes",
        "info/grafts",
        "refs/heads/main",
        "refs/notes/plan-audit",
        "refs/heads/other",
        "refs/remotes/origin/main",
        "objects/info/alternates",
    ];

    each_command_ends(&world, (&git_dir, &small), &endless(), &|ran| ran.code == 2);
}

#[test]
fn a_file_of_git_that_may_be_large_is_still_a_file() {
    let world = World::proven();
    let git_dir = world.top.join(".git");
    let large = [
        "logs/HEAD",
        "logs/refs/notes/plan-audit",
        "objects/info/commit-graph",
        "objects/pack/multi-pack-index",
        "objects/pack/pack-1.idx",
        "objects/00/00000000000000000000000000000000000000",
    ];
    let [fifo, device, _] = endless();

    each_command_ends(&world, (&git_dir, &large), &[fifo, device], &|ran| {
        ran.code == 2
    });
}

#[test]
fn our_own_files_that_are_no_files_are_named_and_never_waited_on() {
    let world = World::proven();
    let git_dir = world.top.join(".git");
    let own = [
        "plan-audit/instance",
        "plan-audit/append-lock",
        "plan-audit/pending/000000-x.json",
        "plan-audit-audit-lock",
    ];

    each_command_ends(&world, (&git_dir, &own), &endless(), &|_| true);
}

#[test]
fn files_of_the_work_tree_that_are_no_files_make_nothing_wait() {
    let world = World::proven();
    let files = [
        ".gitattributes",
        ".gitignore",
        ".gitmodules",
        ".plan-auditor/plan.json",
        ".plan-auditor/plans/x.json",
        ".plan-auditor/.gitignore",
        ".plan-auditor/supervisor.json",
        ".plan-auditor/allowed_signers",
        ".plan-auditor/request.json",
    ];
    let [fifo, device, _] = endless();

    each_command_ends(&world, (&world.top, &files), &[fifo, device], &|_| true);
}

#[test]
fn a_git_file_and_what_the_configuration_names_make_nothing_wait() {
    let linked = World::proven().linked("work");
    each_command_ends(&linked, (&linked.top, &[".git"]), &endless(), &|ran| {
        ran.code == 2
    });

    for key in ["include.path", "core.excludesFile", "core.attributesFile"] {
        let world = World::proven();
        let fifo = world.temp_path().join("the-fifo");
        world.tool("mkfifo", [&fifo]);
        world.git(["config", key, fifo.to_str().unwrap()]);
        for line in COMMANDS {
            let ran = run(&world, line);
            assert!(ran.code < 100, "{key}\n{ran}");
        }
    }
}

#[test]
fn a_link_where_git_or_we_would_write_is_refused_and_never_written_through() {
    for name in [
        "logs/refs/notes/plan-audit",
        "plan-audit",
        "plan-audit/pending",
    ] {
        let world = World::proven();
        let (path, victim) = (
            world.top.join(".git").join(name),
            world.temp_path().join("victim"),
        );
        fs::rename(&path, world.temp_path().join("aside")).ok();
        symlink(&victim, &path).unwrap();

        for line in COMMANDS {
            run(&world, line).exits(2).says(path.to_str().unwrap());
        }

        assert!(!victim.exists(), "{name}");
    }
}
