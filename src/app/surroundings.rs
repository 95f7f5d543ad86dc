//! The environment, read once.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

/// What the process was started with.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    /// The arguments, the program's name first.
    pub(crate) arguments: Vec<OsString>,
    /// The environment.
    pub(crate) variables: BTreeMap<OsString, OsString>,
    /// The directory it was started in.
    pub(crate) directory: PathBuf,
    /// Whether a person follows standard error on a terminal that can move its cursor.
    pub(crate) has_terminal: bool,
    /// The program itself.
    pub(crate) program: Option<PathBuf>,
}

impl Surroundings {
    /// Reads them.
    pub(crate) fn read() -> Self {
        let variables: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        let term = variables.get(OsStr::new("TERM"));
        let can_move = term.is_some_and(|term| !term.is_empty() && term != "dumb");
        Self {
            has_terminal: can_move && std::io::stderr().is_terminal(),
            arguments: std::env::args_os().collect(),
            variables,
            directory: current_directory(),
            program: std::env::current_exe().ok(),
        }
    }

    /// Returns a variable that is set and not empty.
    pub(crate) fn variable(&self, name: &str) -> Option<&OsStr> {
        let value = self.variables.get(OsStr::new(name))?;
        (!value.is_empty()).then_some(value.as_os_str())
    }

    /// Returns a path that a variable holds.
    pub(crate) fn path(&self, name: &str) -> Option<&Path> {
        self.variable(name).map(Path::new)
    }
}

/// Returns the directory; one that is gone is `.`, so that what needs it says why it fails.
#[expect(clippy::disallowed_methods, reason = "this is the one place that asks")]
fn current_directory() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}
