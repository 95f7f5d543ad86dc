//! Git in a repository of its own, which has the objects of the real one and none of its settings.
//!
//! A list of settings to override would never be whole: some keys take their first value, others
//! have names that only the repository knows. So git never reads the repository's configuration
//! here; the few values that are needed and run nothing are handed on by name.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Initialise;
use crate::engine::stop::Stop;
use crate::local::LocalError;
use crate::local::file::{make_directory, write_plain};
use crate::local::private::PrivateDirectory;
use crate::model::ids::Oid;
use crate::proc::{ToolOutput, ToolSpec, file, tool};

/// How long git may take.
const PATIENCE: Duration = Duration::from_mins(1);
/// How much git may write, in bytes.
const MAX_OUTPUT: usize = 1024 * 1024;
/// The transports that are used.
const PROTOCOLS: &str = "file:git:http:https:ssh";

/// Variables that would lead git elsewhere.
const ELSEWHERE: [&str; 8] = [
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_CONFIG",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_QUARANTINE_PATH",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
];

/// Settings that hold whatever the user has set. Nothing is ever tidied up: the objects of the
/// real repository would look as if nobody needed them. No command is run in a repository that
/// lends its objects.
const STEADY: [&str; 14] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.askPass=",
    "-c",
    "core.alternateRefsCommand=true",
    "-c",
    "gc.auto=0",
    "-c",
    "maintenance.auto=false",
    "-c",
    "fetch.writeCommitGraph=false",
    "-c",
    "fetch.recurseSubmodules=false",
];

/// A repository of our own with the objects of the real one.
pub(in crate::app) struct Clean<'a> {
    /// Who asks.
    init: &'a Initialise<'a>,
    /// Where it is; removed at the end.
    directory: PrivateDirectory,
    /// The program.
    program: PathBuf,
    /// All that git sees.
    environment: BTreeMap<OsString, OsString>,
}

impl<'a> Clean<'a> {
    /// Makes one.
    pub(in crate::app) fn make(init: &'a Initialise<'a>) -> Result<Self, Stop> {
        let repository = &init.session.repository;
        let places = init.session.places()?;
        let directory = PrivateDirectory::make(&places.checkouts, &repository.work_trees())
            .map_err(super::local)?;
        lay_out(directory.path(), repository.hash_kind_name()).map_err(super::local)?;
        let surroundings = init.surroundings;
        let search = surroundings.variable("PATH").unwrap_or_default();
        let directories: Vec<_> = std::env::split_paths(search).collect();
        let program = file::find("git", &directories)
            .ok_or_else(|| Stop::broken("find git in PATH")("it is not there".into()))?;
        Ok(Self {
            environment: environment(init, directory.path().as_os_str()),
            init,
            directory,
            program,
        })
    }

    /// Lets git there know what is here, so that it does not fetch it again.
    pub(in crate::app) fn know(&self, tips: &[Oid]) -> Result<(), Stop> {
        let have = self.directory.path().join("refs/have");
        make_directory(&have).map_err(super::local)?;
        for (number, tip) in tips.iter().enumerate() {
            let path = have.join(number.to_string());
            write_plain(&path, format!("{tip}\n").as_bytes()).map_err(super::local)?;
        }
        Ok(())
    }

    /// Runs git there: no hooks, no prompts. Relative paths begin where those of a remote do.
    pub(in crate::app) fn git(&self, arguments: &[&str]) -> Result<ToolOutput, Stop> {
        let repository = &self.init.session.repository;
        let directory = repository.work_dir().unwrap_or(repository.git_dir());
        let spec = ToolSpec {
            program: self.program.clone(),
            args: STEADY.iter().chain(arguments).map(OsString::from).collect(),
            directory: directory.to_owned(),
            environment: self.environment.clone(),
            input: Vec::new(),
            timeout: PATIENCE,
            max_output: MAX_OUTPUT,
        };
        tool(&spec, self.init.interrupts).map_err(|error| Stop::broken("run git")(error.into()))
    }
}

/// Writes what makes a directory a repository with ids of a kind, and nothing more.
pub(in crate::app) fn lay_out(path: &Path, hash: &str) -> Result<(), LocalError> {
    let version = match hash {
        "sha1" => "\trepositoryFormatVersion = 0\n".to_owned(),
        name => format!("\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = {name}\n"),
    };
    for (name, text) in [
        ("config", format!("[core]\n\tbare = true\n{version}")),
        ("HEAD", "ref: refs/heads/none\n".to_owned()),
    ] {
        write_plain(&path.join(name), text.as_bytes())?;
    }
    for name in ["refs", "objects"] {
        make_directory(&path.join(name))?;
    }
    Ok(())
}

/// Returns what git sees: our own variables, with its directories and the values handed on.
fn environment(init: &Initialise<'_>, git_dir: &OsStr) -> BTreeMap<OsString, OsString> {
    let session = init.session;
    let mut seen = init.surroundings.variables.clone();
    for name in ELSEWHERE {
        seen.remove(OsStr::new(name));
    }
    seen.entry("GIT_ALLOW_PROTOCOL".into())
        .or_insert_with(|| PROTOCOLS.into());
    let objects = session.repository.common_dir().join("objects");
    for (name, value) in [
        ("GIT_DIR", git_dir),
        ("GIT_OBJECT_DIRECTORY", objects.as_os_str()),
        ("GIT_NO_LAZY_FETCH", OsStr::new("1")),
        ("GIT_TERMINAL_PROMPT", OsStr::new("0")),
        ("GIT_OPTIONAL_LOCKS", OsStr::new("0")),
        ("LC_ALL", OsStr::new("C")),
    ] {
        seen.insert(name.into(), value.to_owned());
    }
    let count = init.surroundings.variable("GIT_CONFIG_COUNT");
    let mut count = count
        .and_then(|count| count.to_str()?.parse::<usize>().ok())
        .unwrap_or_default();
    for (key, value) in &session.configured.transport {
        seen.insert(format!("GIT_CONFIG_KEY_{count}").into(), key.into());
        seen.insert(format!("GIT_CONFIG_VALUE_{count}").into(), value.into());
        count += 1;
    }
    seen.insert("GIT_CONFIG_COUNT".into(), count.to_string().into());
    seen
}
