//! The environment, read once.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
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
    /// The program itself.
    pub(crate) program: Option<PathBuf>,
}

impl Surroundings {
    /// Reads them.
    pub(crate) fn read() -> Self {
        Self {
            arguments: std::env::args_os().collect(),
            variables: std::env::vars_os().collect(),
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
