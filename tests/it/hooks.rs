//! The hooks as git runs them: real commits, and real pushes to a bare repository.

mod commit;
mod doctor;
mod install;
mod matrix;
mod push;

use crate::support::{Ran, World, finish};

/// Lets `init` install the hooks of a world.
fn hooked(world: World) -> World {
    world.run(["init"]).exits(0);
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
