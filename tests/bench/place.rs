//! A repository to measure in, with a home of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use tempfile::TempDir;

/// The binary that is measured, in the profile of this benchmark.
const BINARY: &str = env!("CARGO_BIN_EXE_git-plan-audit");

/// A repository. Clones share the files.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    temp: Arc<TempDir>,
}

impl Place {
    /// Makes a repository with one commit.
    pub(crate) fn new() -> Self {
        let place = Self {
            temp: Arc::new(tempfile::tempdir().unwrap()),
        };
        fs::create_dir_all(place.path("home")).unwrap();
        fs::create_dir_all(place.path("repo")).unwrap();
        place.git(&["init", "-q", "-b", "main"]);
        place.write("start.txt", b"start\n");
        place.commit();
        place
    }

    /// Makes a repository with files of 4 KiB in the mean, spread over directories.
    pub(crate) fn with_files(count: usize) -> Self {
        let place = Self::new();
        for number in 0..count {
            let length = 64 + (number * 7919) % 8064;
            let line = format!("{number} ");
            let text = line.repeat(length / line.len() + 1);
            let path = format!("{:02}/{:02}/{number}.txt", number % 50, number / 50 % 50);
            place.write(&path, text.as_bytes());
        }
        place.commit();
        // What the kernel still has to write would be measured with what comes next.
        nix::unistd::sync();
        place
    }

    /// Lists the files of the work tree, by path.
    pub(crate) fn files(&self) -> Vec<PathBuf> {
        let mut list = self.command("git");
        let output = list.arg("ls-files").stdout(Stdio::piped()).output();
        let names = String::from_utf8(output.unwrap().stdout).unwrap();
        let top = self.path("repo");
        names.lines().map(|name| top.join(name)).collect()
    }

    /// Commits everything.
    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "Files"]);
    }

    /// Commits a plan that claims of so many words that they are nowhere, each in one of the directories.
    pub(crate) fn claim_absent(&self, count: usize) {
        let claims = (0..count).map(|number| {
            let fields = r#""type":"text_absent","criticality":"high","expect":true"#;
            format!(
                r#"{{"id":"C{number}",{fields},"paths":["{:02}/**"],"literal":"{}"}}"#,
                number % 50,
                absent(number)
            )
        });
        let plan = format!(
            r#"{{"task":"Measure","created":"2026-11-29","requirements":[{{"id":"R","description":"speed"}}],"claims":[{}],"steps":[{{"id":1,"title":"Step","covers":["R"],"verify":[{{"type":"run","argv":["true"]}}]}}]}}"#,
            claims.collect::<Vec<_>>().join(",")
        );
        self.write(".plan-auditor/plan.json", plan.as_bytes());
        self.commit();
    }

    /// Lets git search the committed files for the same words, and for one that is there.
    pub(crate) fn grep_absent(&self, count: usize) {
        let words: Vec<String> = (0..count).map(absent).collect();
        let mut line = vec!["grep", "-c", "-F", "-e", "start"];
        for word in &words {
            line.extend(["-e", word]);
        }
        line.extend(["HEAD", "--", "[0-9]*", "start.txt"]);
        self.git(&line);
    }

    /// Commits a change of one file.
    pub(crate) fn commit_one(&self) {
        let text = format!("{:?}\n", std::time::Instant::now());
        self.write("07/03/one.txt", text.as_bytes());
        self.commit();
    }

    /// Seals a plan of steps that do nothing.
    pub(crate) fn seal_steps(&self, count: usize) {
        self.seal_plan(count, r#""verify":[{"type":"run","argv":["true"]}]"#);
    }

    /// Seals a plan of independent steps that wait for so many seconds.
    pub(crate) fn seal_wide(&self, count: usize, seconds: &str) {
        let verify = format!(r#""verify":[{{"type":"run","argv":["sleep","{seconds}"]}}]"#);
        self.seal_plan(count, &format!(r#""depends_on":[],{verify}"#));
    }

    /// Seals a plan of steps with these members.
    fn seal_plan(&self, count: usize, members: &str) {
        let steps = (1..=count)
            .map(|id| format!(r#"{{"id":{id},"title":"Step {id}","covers":["R"],{members}}}"#));
        let plan = format!(
            r#"{{"task":"Measure","created":"2026-11-29","requirements":[{{"id":"R","description":"speed"}}],"steps":[{}]}}"#,
            steps.collect::<Vec<_>>().join(",")
        );
        self.write(".plan-auditor/plan.json", plan.as_bytes());
        self.commit();
        self.ours(&["seal"]);
    }

    /// Does the least that git needs to keep one blob durably under a ref.
    pub(crate) fn bare_append(&self) {
        let durable = ["-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync"];
        self.write(
            "note",
            format!("{:?}", std::time::Instant::now()).as_bytes(),
        );
        let mut hash = self.command("git");
        let output = hash
            .args(durable)
            .args(["hash-object", "-w", "note"])
            .stdout(Stdio::piped())
            .output()
            .unwrap();
        let id = String::from_utf8(output.stdout).unwrap();
        let line = [durable.as_slice(), &["update-ref", "refs/bench", id.trim()]].concat();
        self.git(&line);
    }

    /// Counts the objects that lie loose.
    pub(crate) fn loose_objects(&self) -> usize {
        let folders = fs::read_dir(self.path("repo/.git/objects")).unwrap();
        let fans = folders
            .map(|folder| folder.unwrap().path())
            .filter(|folder| folder.file_name().is_some_and(|name| name.len() == 2));
        fans.map(|folder| fs::read_dir(folder).unwrap().count())
            .sum()
    }

    /// Runs our binary, which must succeed.
    pub(crate) fn ours(&self, line: &[&str]) {
        self.tool(BINARY, line);
    }

    /// Runs git, which must succeed.
    pub(crate) fn git(&self, line: &[&str]) {
        self.tool("git", line);
    }

    /// Runs a program, which must succeed.
    pub(crate) fn tool(&self, program: &str, line: &[&str]) {
        let status = self.command(program).args(line).status().unwrap();
        assert!(status.success(), "{program} {line:?}: {status}");
    }

    /// Returns a path below the place.
    fn path(&self, path: &str) -> PathBuf {
        self.temp.path().join(path)
    }

    /// Writes a file of the repository.
    fn write(&self, path: &str, text: &[u8]) {
        let file = self.path("repo").join(path);
        fs::create_dir_all(file.parent().unwrap_or(Path::new("/"))).unwrap();
        fs::write(file, text).unwrap();
    }

    /// Makes a command that sees this place and nothing else but programs.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path("repo")).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command
            .env("HOME", self.path("home"))
            .env("TMPDIR", self.temp.path());
        command
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["GIT_AUTHOR", "GIT_COMMITTER"] {
            command.env(format!("{who}_NAME"), "Ada");
            command.env(format!("{who}_EMAIL"), "ada@example.com");
        }
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }
}

/// Returns a word that no file holds.
fn absent(number: usize) -> String {
    format!("nowhere_{number}_to_be_found")
}
