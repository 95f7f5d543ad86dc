//! A world of its own for each test: home, repository, identity and environment; nothing of the
//! machine but its programs reaches a child.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde_json::Value;
use tempfile::TempDir;

use super::{BINARY, Json, Key, Ran, check_schema, plans, search_path};

/// How the repository of a world is laid out, and from where commands run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Layout {
    /// The top of the main worktree.
    Main,
    /// A linked worktree beside the main one.
    Linked,
    /// A directory below the top.
    Subdirectory,
    /// A repository before its first commit.
    Unborn,
    /// A repository with SHA-256 ids.
    Sha256,
    /// A repository whose git directory lies elsewhere.
    SeparateGitDir,
}

impl Layout {
    /// Every layout.
    pub(crate) const ALL: [Self; 6] = [
        Self::Main,
        Self::Linked,
        Self::Subdirectory,
        Self::Unborn,
        Self::Sha256,
        Self::SeparateGitDir,
    ];
}

/// What proves records in a world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proof {
    /// An SSH key that `init` makes.
    Ssh,
    /// An HMAC key that `init` makes.
    Hmac,
}

impl Proof {
    /// Every proof.
    pub(crate) const ALL: [Self; 2] = [Self::Ssh, Self::Hmac];
}

/// A place to act in. Clones share the files.
#[derive(Clone, Debug)]
pub(crate) struct World {
    temp: Arc<TempDir>,
    /// The top of the work tree, or the bare repository.
    pub(crate) top: PathBuf,
    /// Where our binary runs.
    pub(crate) dir: PathBuf,
    proof: Proof,
}

impl World {
    /// Makes a main worktree with one commit.
    pub(crate) fn new() -> Self {
        Self::with(Layout::Main, Proof::Ssh)
    }

    /// Makes a repository of a layout; nothing of ours is in it yet.
    pub(crate) fn with(layout: Layout, proof: Proof) -> Self {
        let world = Self::empty(proof);
        let mut init = vec!["init", "-q", "-b", "main"];
        let separate = world.temp.path().join("elsewhere.git");
        match layout {
            Layout::Sha256 => init.push("--object-format=sha256"),
            Layout::SeparateGitDir => init.extend(["--separate-git-dir", text(&separate)]),
            Layout::Main | Layout::Linked | Layout::Subdirectory | Layout::Unborn => {}
        }
        world.git(init);
        if layout == Layout::Unborn {
            return world;
        }
        world.commit("sub/deep/start.txt", "start\n");
        match layout {
            Layout::Linked => world.linked("work"),
            Layout::Subdirectory => Self {
                dir: world.top.join("sub/deep"),
                ..world
            },
            Layout::Main | Layout::Unborn | Layout::Sha256 | Layout::SeparateGitDir => world,
        }
    }

    /// Makes a directory that is no repository.
    pub(crate) fn empty(proof: Proof) -> Self {
        let temp = tempfile::Builder::new()
            .prefix("gpa-world-")
            .tempdir()
            .unwrap();
        let root = temp.path().canonicalize().unwrap();
        let top = root.join("repo");
        for folder in ["home", "tmp", "repo"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        let config = "[user]\n\tname = Ada\n\temail = ada@example.com\n[gc]\n\tauto = 0\n";
        fs::write(root.join("home/gitconfig"), config).unwrap();
        let dir = top.clone();
        Self {
            temp: Arc::new(temp),
            top,
            dir,
            proof,
        }
    }

    /// Makes a world with a plan that is sealed: the plan is staged, `work.txt` says bad.
    pub(crate) fn sealed() -> Self {
        Self::new().prepared(&plans::good())
    }

    /// Makes a world whose HEAD is proven: sealed, audited and committed.
    pub(crate) fn proven() -> Self {
        Self::sealed().finished()
    }

    /// Writes and stages a plan and bad work, makes a key, and seals.
    pub(crate) fn prepared(self, plan: &Value) -> Self {
        self.init();
        self.with_plan(plan);
        self.write("work.txt", "bad\n");
        self.git(["add", "-A"]);
        self.seal();
        self
    }

    /// Makes the work good, audits and commits it.
    pub(crate) fn finished(self) -> Self {
        self.write("work.txt", "good\n");
        self.git(["add", "-A"]);
        self.json(["audit"]).is("PASS", 0);
        self.git(["commit", "-qm", "Make the work good"]);
        self.json(["verify", "HEAD"]).is("PASS", 0);
        self
    }

    /// Returns the same world seen from another directory, which is its top.
    pub(crate) fn at(&self, top: &Path) -> Self {
        Self {
            top: top.to_owned(),
            dir: top.to_owned(),
            ..self.clone()
        }
    }

    /// Adds a linked worktree on a new branch and returns the world seen from it.
    pub(crate) fn linked(&self, name: &str) -> Self {
        let path = self.temp_path().join(name);
        self.git(["worktree", "add", "-q", "-b", name, text(&path)]);
        self.at(&path)
    }

    /// Makes a bare mirror, ledger included, and returns the world seen from it.
    pub(crate) fn bare(&self) -> Self {
        let path = self.temp_path().join("bare.git");
        self.git(["clone", "-q", "--mirror", text(&self.top), text(&path)]);
        self.at(&path)
    }

    /// Makes a bare repository the remote `origin`, pushes the branch there, and returns the world
    /// seen from it.
    pub(crate) fn with_remote(&self) -> Self {
        let path = self.temp_path().join("origin.git");
        self.git(["init", "-q", "--bare", "-b", "main", text(&path)]);
        self.git(["remote", "add", "origin", text(&path)]);
        self.git(["push", "-q", "-u", "origin", "HEAD"]);
        self.at(&path)
    }

    /// Merges another ledger into the one here, as stock git does it.
    pub(crate) fn merge_notes(&self, strategy: &str, other: &str) {
        let line = ["notes", "--ref=plan-audit", "merge", "-q", "-s", strategy];
        self.git(line.into_iter().chain([other]));
    }

    /// Makes a world whose key the test holds, with a proven commit.
    pub(crate) fn owned() -> (Self, Key) {
        let world = Self::new();
        let key = Key::make(&world, "owner");
        world
            .run(["init", "--no-hooks", "--key", key.path()])
            .exits(0);
        (world.prepared(&plans::good()).finished(), key)
    }

    /// Clones `origin` into a folder and returns the world seen from it.
    pub(crate) fn cloned(&self, name: &str) -> Self {
        let path = self.temp_path().join(name);
        let url = self.git(["remote", "get-url", "origin"]).trimmed();
        self.git(["clone", "-q", &url, text(&path)]);
        self.at(&path)
    }

    /// Returns the folder that holds everything of this world.
    pub(crate) fn temp_path(&self) -> PathBuf {
        self.temp.path().canonicalize().unwrap()
    }

    /// Returns the home directory.
    pub(crate) fn home(&self) -> PathBuf {
        self.temp_path().join("home")
    }

    /// Forgets what the tool remembers outside the repository, but for keys.
    pub(crate) fn forget(&self) {
        for folder in [
            ".cache/git-plan-audit",
            ".local/state/git-plan-audit/anchors",
        ] {
            let path = self.home().join(folder);
            if path.exists() {
                fs::remove_dir_all(path).unwrap();
            }
        }
    }

    /// Writes a file below the top.
    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.top.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    /// Writes and commits a file.
    pub(crate) fn commit(&self, path: &str, content: impl AsRef<[u8]>) {
        self.write(path, content);
        self.git(["add", "--", path]);
        self.git(["commit", "-qm", &format!("Change {path}")]);
    }

    /// Writes and stages the plan `default`.
    pub(crate) fn with_plan(&self, plan: &Value) {
        self.write(".plan-auditor/plan.json", plan.to_string());
        self.git(["add", "--", ".plan-auditor"]);
    }

    /// Runs `init` with the key that the proof of this world asks for.
    #[track_caller]
    pub(crate) fn init(&self) -> Ran {
        let mut line = vec!["init", "--no-hooks"];
        match self.proof {
            Proof::Ssh => {}
            Proof::Hmac => line.push("--hmac"),
        }
        self.run(line).exits(0)
    }

    /// Runs `seal`, which must succeed.
    #[track_caller]
    pub(crate) fn seal(&self) -> Json {
        self.json(["seal"]).is("OK", 0)
    }

    /// Returns what a revision names.
    pub(crate) fn rev(&self, revision: &str) -> String {
        self.git(["rev-parse", revision]).trimmed()
    }

    /// Runs git at the top; it must succeed.
    #[track_caller]
    pub(crate) fn git<S: AsRef<OsStr>>(&self, line: impl IntoIterator<Item = S>) -> Ran {
        self.tool("git", line)
    }

    /// Runs git at the top with text on stdin; it must succeed.
    #[track_caller]
    pub(crate) fn git_with_input<S: AsRef<OsStr>>(
        &self,
        line: impl IntoIterator<Item = S>,
        input: &str,
    ) -> Ran {
        let mut command = self.command("git", &self.top, line);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child
            .stdin
            .take()
            .unwrap()
            .write_all(input.as_bytes())
            .unwrap();
        let output = child.wait_with_output().unwrap();
        Ran::new(format!("{command:?}"), &output).exits(0)
    }

    /// Runs a program at the top; it must succeed.
    #[track_caller]
    pub(crate) fn tool<S: AsRef<OsStr>>(
        &self,
        program: &str,
        line: impl IntoIterator<Item = S>,
    ) -> Ran {
        finish(&mut self.command(program, &self.top, line)).exits(0)
    }

    /// Runs our binary.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, line: impl IntoIterator<Item = S>) -> Ran {
        finish(&mut self.ours(line))
    }

    /// Runs our binary for JSON; the output must be what the schema of the command says.
    #[track_caller]
    pub(crate) fn json<const N: usize>(&self, line: [&str; N]) -> Json {
        let json = self
            .run(line.into_iter().chain(["--format", "json"]))
            .into_json();
        check_schema(line[0], &json);
        json
    }

    /// Makes a command of our binary for tests that start it themselves.
    pub(crate) fn ours<S: AsRef<OsStr>>(&self, line: impl IntoIterator<Item = S>) -> Command {
        self.command(BINARY, &self.dir, line)
    }

    /// Makes our command so that it may be interrupted: whoever runs the tests in the background
    /// ignores INT, and it would inherit that.
    pub(crate) fn interruptible(&self, line: &[&str]) -> Command {
        let program = ["--default-signal=INT,TERM,QUIT", BINARY];
        self.command("env", &self.dir, program.iter().chain(line))
    }

    /// Makes a command that sees this world and nothing else.
    pub(crate) fn command<S: AsRef<OsStr>>(
        &self,
        program: &str,
        dir: &Path,
        line: impl IntoIterator<Item = S>,
    ) -> Command {
        let (root, home) = (self.temp_path(), self.home());
        let path = env::join_paths(search_path()).unwrap();
        let mut command = Command::new(program);
        command.args(line).current_dir(dir).stdin(Stdio::null());
        command.env_clear();
        command.env("PATH", path).env("HOME", &home);
        command.env("TZ", "UTC").env("LANG", "C.UTF-8");
        command.env("TMPDIR", root.join("tmp"));
        command.env("XDG_CONFIG_HOME", home.join(".config"));
        command.env("XDG_CACHE_HOME", home.join(".cache"));
        command.env("XDG_STATE_HOME", home.join(".local/state"));
        command.env("XDG_DATA_HOME", home.join(".local/share"));
        command.env("GIT_CONFIG_GLOBAL", home.join("gitconfig"));
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        command.env("GIT_CEILING_DIRECTORIES", &root);
        command
    }
}

impl Ran {
    /// Returns stdout without space around it.
    pub(crate) fn trimmed(&self) -> String {
        self.stdout.trim().to_owned()
    }
}

/// Runs a command to its end.
pub(crate) fn finish(command: &mut Command) -> Ran {
    let output = command
        .output()
        .unwrap_or_else(|cause| panic!("{command:?}: {cause}"));
    Ran::new(format!("{command:?}"), &output)
}

/// Returns a path as text.
fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_child_sees_nothing_of_the_machine_but_its_programs() {
    let world = World::new();

    let seen = world.tool("env", ["--"]).stdout;

    for line in seen.lines().filter(|line| !line.starts_with("PATH=")) {
        let (_, value) = line.split_once('=').unwrap();
        let own = value.starts_with(text(&world.temp_path()));
        assert!(own || ["UTC", "C.UTF-8", "1"].contains(&value), "{line}");
    }
}
