//! Where the demo runs: a new directory with a home of its own, real git, this very program.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::surroundings::Surroundings;
use crate::commands::{Demonstrator, Shell};
use crate::engine::ports::Cause;
use crate::engine::stop::Stop;
use crate::model::finding::{Finding, judging as rows};
use crate::proc::{Interrupts, ToolSpec, file, tool};

/// How long one command of the demo may take.
const PATIENCE: Duration = Duration::from_mins(2);
/// How much of its output is shown, in bytes.
const SHOWN: usize = 64 * 1024;
/// Git's settings in the home of the demo.
const SETTINGS: &str = "[user]\n\tname = Demo\n\temail = demo@example.org\n\
                        [init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n";

/// Makes places for the demo.
pub(crate) struct DemoMaker<'a> {
    /// What the process was started with.
    pub(crate) surroundings: &'a Surroundings,
    /// Signals.
    pub(crate) interrupts: &'a Interrupts,
    /// Shows a text.
    pub(crate) show: &'a dyn Fn(&str),
}

impl Demonstrator for DemoMaker<'_> {
    fn prepare(&self, directory: Option<&str>) -> Result<Box<dyn Shell + '_>, Stop> {
        let root = match directory {
            Some(given) => made(&self.surroundings.directory.join(given))?,
            None => temporary("git-plan-audit-demo-")?,
        };
        let home = temporary("git-plan-audit-demo-home-")?;
        let settings = home.join(".gitconfig");
        fs::write(&settings, SETTINGS).map_err(|error| broken(&settings, error))?;
        let environment = self.environment(&home);
        let search = environment
            .get(&OsString::from("PATH"))
            .cloned()
            .unwrap_or_default();
        let git = file::find("git", &std::env::split_paths(&search).collect::<Vec<_>>())
            .ok_or_else(no_git)?;
        Ok(Box::new(DemoShell {
            maker: self,
            repository: root,
            home,
            environment,
            git,
        }))
    }
}

impl DemoMaker<'_> {
    /// Makes the environment of the demo's commands: nothing of the user's own set-up.
    fn environment(&self, home: &Path) -> BTreeMap<OsString, OsString> {
        let own = self.surroundings.program.as_deref().and_then(Path::parent);
        let usual = self.surroundings.variable("PATH").unwrap_or_default();
        let search = own
            .map(Path::to_path_buf)
            .into_iter()
            .chain(std::env::split_paths(usual));
        let search = std::env::join_paths(search).unwrap_or_default();
        let mut environment = BTreeMap::from([
            (OsString::from("PATH"), search),
            (OsString::from("HOME"), home.into()),
            (OsString::from("GIT_CONFIG_NOSYSTEM"), OsString::from("1")),
            (OsString::from("LANG"), OsString::from("C.UTF-8")),
        ]);
        for (name, part) in [
            ("XDG_CONFIG_HOME", ".config"),
            ("XDG_STATE_HOME", ".local/state"),
            ("XDG_CACHE_HOME", ".cache"),
            ("XDG_DATA_HOME", ".local/share"),
        ] {
            environment.insert(OsString::from(name), home.join(part).into_os_string());
        }
        environment
    }
}

/// One place where the demo runs.
struct DemoShell<'a> {
    maker: &'a DemoMaker<'a>,
    repository: PathBuf,
    home: PathBuf,
    environment: BTreeMap<OsString, OsString>,
    git: PathBuf,
}

impl Shell for DemoShell<'_> {
    fn directory(&self) -> String {
        self.repository.display().to_string()
    }

    fn home(&self) -> String {
        self.home.display().to_string()
    }

    fn write(&self, path: &str, text: &str) -> Result<(), Stop> {
        let path = self.repository.join(path);
        let parent = path.parent().unwrap_or(&self.repository);
        fs::create_dir_all(parent).map_err(|error| broken(parent, error))?;
        fs::write(&path, text).map_err(|error| broken(&path, error))
    }

    fn git(&self, arguments: &[&str]) -> Result<u8, Stop> {
        (self.maker.show)(&format!("$ git {}\n", arguments.join(" ")));
        let spec = ToolSpec {
            program: self.git.clone(),
            args: arguments.iter().map(OsString::from).collect(),
            directory: self.repository.clone(),
            environment: self.environment.clone(),
            input: Vec::new(),
            timeout: PATIENCE,
            max_output: SHOWN,
        };
        let ran = tool(&spec, self.maker.interrupts)
            .map_err(|error| Stop::broken("run git for the demo")(error.into()))?;
        for text in [&ran.errors, &ran.output] {
            (self.maker.show)(&String::from_utf8_lossy(text));
        }
        let code = ran.code.and_then(|code| u8::try_from(code).ok());
        Ok(code.unwrap_or(u8::MAX))
    }

    fn say(&self, text: &str) {
        (self.maker.show)(&format!("\n# {text}\n"));
    }
}

/// Makes the directory that was asked for; one that is in use is refused.
fn made(path: &Path) -> Result<PathBuf, Stop> {
    let is_free = match fs::read_dir(path) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == std::io::ErrorKind::NotFound,
    };
    if !is_free {
        let shown = crate::model::text::shown(&path.display().to_string());
        let message = format!("{shown} is in use; nothing was done");
        return Err(Stop::refuse(
            Finding::new(&rows::OCCUPIED, message).hint("name a directory that does not exist"),
        ));
    }
    fs::create_dir_all(path).map_err(|error| broken(path, error))?;
    fs::canonicalize(path).map_err(|error| broken(path, error))
}

/// Makes a temporary directory and keeps it: the demo says where it is.
fn temporary(prefix: &str) -> Result<PathBuf, Stop> {
    let made = tempfile::Builder::new()
        .prefix(prefix)
        .tempdir()
        .map_err(|error| Stop::broken("make a temporary directory")(error.into()))?;
    fs::canonicalize(made.keep())
        .map_err(|error| Stop::broken("find the temporary directory")(error.into()))
}

/// Says what could not be written.
fn broken(path: &Path, error: std::io::Error) -> Stop {
    let cause: Cause = error.into();
    Stop::Broken {
        doing: format!("write {}", path.display()),
        cause,
    }
}

/// Says that there is no git.
fn no_git() -> Stop {
    Stop::refuse(Finding::new(
        &rows::TOOL_MISSING,
        "git is not found in PATH",
    ))
}
