//! The hooks as git runs them: real commits, and real pushes to a bare repository.

mod commit;
mod push;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::support::{Ran, World, finish};

/// Puts the hook files of this project into the repository of a world.
fn hooked(world: World) -> World {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("hooks");
    let to = world.git(["rev-parse", "--path-format=absolute", "--git-path", "hooks"]);
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let path = Path::new(to.stdout.trim()).join(file.file_name());
        fs::copy(file.path(), &path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    world
}

/// Adds an empty bare repository as the remote `origin`.
fn with_remote(world: World) -> World {
    let path = world.temp_path().join("remote.git");
    world.git(["init", "-q", "--bare", "-bmain", path.to_str().unwrap()]);
    world.git(["remote", "add", "origin", path.to_str().unwrap()]);
    world
}

/// Runs git at the top of a world, however it ends.
fn git<const N: usize>(world: &World, line: [&str; N]) -> Ran {
    finish(&mut world.command("git", &world.top, line))
}

/// Lists what the remote has, as `NAME` in the order of git.
fn at_remote(world: &World) -> Vec<String> {
    let listed = world.git(["ls-remote", "--refs", "origin"]).stdout;
    let names = listed.lines().filter_map(|line| line.split('\t').nth(1));
    names.map(str::to_owned).collect()
}

/// Returns the last line that git or a hook of ours wrote, but for git's own.
fn last_of_ours(ran: &Ran) -> &str {
    let lines = ran.stderr.lines();
    let mut ours = lines.filter(|line| !line.starts_with("error: failed to push"));
    ours.next_back().unwrap_or_default()
}
