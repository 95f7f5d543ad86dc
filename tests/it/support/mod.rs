//! The world that tests act in, and what they need of the machine.

mod evidence;
mod keys;
pub(crate) mod plans;
mod ran;
mod schema;
mod snapshot;
pub(crate) mod transcript;
mod world;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) use evidence::{Line, Parts, note_of};
pub(crate) use keys::Key;
pub(crate) use ran::{Json, Ran};
pub(crate) use schema::{check as check_schema, commands_with_a_schema};
pub(crate) use snapshot::stable;
pub(crate) use world::{Layout, Proof, World, finish};

/// The binary under test.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_git-plan-audit");

/// Says whether a tool is here; where everything must be tested, a missing one stops the test.
///
/// git, sh and ssh-keygen are always needed and not asked for. `pytest` is the module of python3.
pub(crate) fn need(tool: &str) -> bool {
    let found = match tool {
        "pytest" => python_has("pytest"),
        _ => find(tool).is_some(),
    };
    if !found {
        assert!(
            env::var_os("PLAN_AUDIT_TEST_ALL").is_none_or(|all| all != "1"),
            "{tool} is missing"
        );
        eprintln!("skipped: needs {tool}");
    }
    found
}

/// Says whether the tests run as root: only root can give files to somebody else.
pub(crate) fn is_root() -> bool {
    let root = nix::unistd::geteuid().is_root();
    if !root {
        eprintln!("skipped: needs root");
    }
    root
}

/// Returns the directories that children search, the chosen git first.
///
/// `PLAN_AUDIT_TEST_GIT` names a git; without it the first in PATH is taken.
pub(crate) fn search_path() -> Vec<PathBuf> {
    let outer = env::var_os("PATH").unwrap_or_default();
    let mut git = env::var_os("PLAN_AUDIT_TEST_GIT").map(PathBuf::from);
    if git.is_none() {
        git = env::split_paths(&outer)
            .map(|dir| dir.join("git"))
            .find(|path| path.is_file());
    }
    let chosen = git.unwrap();
    let mut dirs = vec![chosen.parent().unwrap().to_owned()];
    dirs.extend(["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from));
    dirs.extend(env::split_paths(&outer));
    let mut seen = std::collections::BTreeSet::new();
    dirs.retain(|dir| dir.is_absolute() && seen.insert(dir.clone()));
    dirs.push(Path::new(BINARY).parent().unwrap().to_owned());
    dirs
}

/// Finds a program as children of a world find it; servers are also looked for in /usr/sbin.
fn find(tool: &str) -> Option<PathBuf> {
    let mut dirs = search_path();
    dirs.push(PathBuf::from("/usr/sbin"));
    dirs.into_iter()
        .map(|dir| dir.join(tool))
        .find(|path| path.is_file())
}

/// Says whether the python3 that children find has a module.
fn python_has(module: &str) -> bool {
    let path = env::join_paths(search_path()).unwrap();
    Command::new("python3")
        .env("PATH", path)
        .args(["-c", &format!("import {module}")])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
