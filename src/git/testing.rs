//! Real repositories for the unit tests of this layer.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::open::Repository;

/// A repository and a home that know nothing of the machine's settings.
#[derive(Debug)]
pub(crate) struct World {
    /// Removed at the end.
    temp: tempfile::TempDir,
}

impl World {
    /// Makes a repository with one commit in the default format.
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// Makes a repository with one commit; `options` go to `git init`.
    pub(crate) fn with(options: &[&str]) -> Self {
        let world = Self::unborn(options);
        world.commit("one");
        world
    }

    /// Makes a repository without a commit.
    pub(crate) fn unborn(options: &[&str]) -> Self {
        let temp = tempfile::tempdir().unwrap();
        let world = Self { temp };
        for directory in ["home", "repo"] {
            std::fs::create_dir_all(world.path(directory)).unwrap();
        }
        world.git(&[&["init", "-q", "-b", "main"], options].concat());
        world.git(&["config", "user.name", "A Person"]);
        world.git(&["config", "user.email", "person@example.invalid"]);
        world
    }

    /// Returns a path beside the repository.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.temp.path().join(name)
    }

    /// Opens the repository.
    pub(crate) fn repository(&self) -> Repository {
        self.open("repo")
    }

    /// Opens a repository beside it, without settings of the machine.
    pub(crate) fn open(&self, name: &str) -> Repository {
        let options = gix::open::Options::isolated();
        let gix = gix::open_opts(self.path(name), options).unwrap();
        Repository::of_test(gix)
    }

    /// Commits one file that holds `text`, and returns the commit.
    pub(crate) fn commit(&self, text: &str) -> String {
        std::fs::write(self.path("repo/file"), text).unwrap();
        self.git(&["add", "file"]);
        self.git(&["commit", "-qm", text]);
        self.git(&["rev-parse", "HEAD"]).trim().to_owned()
    }

    /// Runs git in the repository; it must succeed, and its standard error must be empty.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        let output = self.try_git("repo", arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && error.is_empty(),
            "{arguments:?}: {error}"
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs git in the repository with a file beside it as its input; it must succeed.
    pub(crate) fn git_from(&self, input: &str, arguments: &[&str]) -> String {
        let mut command = command("git", &self.path("home"));
        command.current_dir(self.path("repo")).args(arguments);
        command.stdin(std::fs::File::open(self.path(input)).unwrap());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Runs git in a directory beside the repository.
    pub(crate) fn try_git(&self, directory: &str, arguments: &[&str]) -> Output {
        let mut command = command("git", &self.path("home"));
        command.current_dir(self.path(directory)).args(arguments);
        command.output().unwrap()
    }
}

/// Returns a command with an environment of its own.
#[expect(clippy::disallowed_methods, reason = "tests drive the real git")]
pub(crate) fn command(program: &str, home: &Path) -> Command {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut command = Command::new(program);
    command.env_clear().env("PATH", path).env("HOME", home);
    command.env("GIT_CONFIG_NOSYSTEM", "1");
    command
}
