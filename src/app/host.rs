//! What hooks of agent hosts work with: standard input, a look at the work tree with a deadline, what is
//! remembered of sessions, and the settings of hosts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::adapters::SystemClock;
use super::doctor::ELSEWHERE;
use super::session::local;
use super::surroundings::Surroundings;
use crate::commands::Hosts;
use crate::engine::ports::Clock as _;
use crate::engine::stop::{Stop, causes};
use crate::local::file::{self, Readers};
use crate::local::turns::Turns;
use crate::model::finding::{Finding, host as rows};
use crate::model::host::{Call, Host, HostSettings, HostState, Memory, Scope, Standing};
use crate::proc::{Input, Interrupts, ToolError, ToolSpec, input, tool};
use crate::wire::{host as wire, host_settings};

/// How much of what a host says is read, in bytes.
const LIMIT: usize = 1 << 20;
/// How long a host is waited for that says nothing and does not end.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much `status` may say, in bytes.
const MAX_OUTPUT: usize = 16 << 20;
/// How large the settings of a host may be, in bytes.
const MAX_SETTINGS: usize = 4 << 20;

/// What hooks of agent hosts work with.
pub(super) struct HostPort<'a> {
    /// The environment.
    pub(super) surroundings: &'a Surroundings,
    /// Whether we were told to stop.
    pub(super) interrupts: &'a Interrupts,
    /// The top of the work tree; none where no repository was opened.
    pub(super) top: Option<&'a Path>,
}

impl HostPort<'_> {
    /// Returns where sessions are remembered; none without a home.
    fn turns(&self) -> Option<Turns> {
        Turns::find(&self.surroundings.variables).ok()
    }

    /// Asks this program itself, in the directory of the agent: whatever happens there, and however long
    /// it takes, the host gets its answer.
    fn asked(&self, directory: Option<&str>, deadline: Duration) -> Result<Vec<u8>, String> {
        let own = self.surroundings.program.clone();
        let program = own.ok_or_else(|| "this program does not know where it is".to_owned())?;
        let named = directory.map(PathBuf::from).filter(|path| path.is_dir());
        let args = ["status", "--format", "json", "--quiet"];
        let spec = ToolSpec {
            program,
            args: args.map(OsString::from).to_vec(),
            directory: named.unwrap_or_else(|| self.surroundings.directory.clone()),
            environment: self.environment(),
            input: Vec::new(),
            timeout: deadline,
            max_output: MAX_OUTPUT,
        };
        match tool(&spec, self.interrupts) {
            Ok(ran) => Ok(ran.output),
            Err(ToolError::TimedOut { .. }) => {
                Err(format!("it took more than {} s", deadline.as_secs()))
            }
            Err(error) => Err(causes(&error)),
        }
    }

    /// Returns the environment without what leads to another repository than that of the directory.
    fn environment(&self) -> BTreeMap<OsString, OsString> {
        let mut variables = self.surroundings.variables.clone();
        variables.retain(|name, _| !ELSEWHERE.iter().any(|each| name == each));
        variables
    }

    /// Returns the file of a host's settings.
    fn settings_file(&self, host: Host, scope: Scope) -> Option<PathBuf> {
        let file = host.file(scope)?;
        self.base(scope).map(|base| base.join(file))
    }

    /// Returns the directory that settings lie below.
    fn base(&self, scope: Scope) -> Option<&Path> {
        match scope {
            Scope::Project => self.top,
            Scope::User => self.surroundings.path("HOME"),
        }
    }
}

impl Hosts for HostPort<'_> {
    fn call(&self) -> Call {
        let handed = input(std::io::stdin(), LIMIT, PATIENCE);
        match handed {
            Ok(Input::Whole(bytes) | Input::Endless(bytes)) => wire::call(&bytes),
            Ok(Input::Terminal | Input::TooMuch) | Err(_) => Call::default(),
        }
    }

    fn standing(&self, call: &Call, deadline: Duration) -> Standing {
        match self.asked(call.directory.as_deref(), deadline) {
            Ok(said) => wire::standing(&said),
            Err(why) => Standing::Untold(why),
        }
    }

    fn memory(&self, call: &Call) -> Option<Memory> {
        // Without a name one session cannot be told from the next.
        call.session.as_ref()?;
        self.turns().map(|turns| turns.read(call))
    }

    fn remember(&self, call: &Call, memory: &Memory) -> bool {
        self.turns().is_some_and(|turns| turns.write(call, memory))
    }

    fn fired(&self, host: Host, verb: &str, call: &Call) {
        if let Some(turns) = self.turns() {
            let event = call.event.as_deref().unwrap_or(verb);
            turns.fire(host, event, SystemClock.now());
        }
    }

    #[expect(clippy::disallowed_methods, reason = "this is the one place that asks")]
    fn now(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        since.unwrap_or_default().as_secs()
    }

    fn set_up(
        &self,
        (host, scope): (Host, Scope),
        ours: &str,
        is_written: bool,
    ) -> Result<HostSettings, Stop> {
        let path = self.settings_file(host, scope);
        let shown = path.as_ref().map(|path| path.display().to_string());
        let present = match &path {
            Some(path) => read(path)?,
            None => String::new(),
        };
        let text = host_settings::merged(&present, ours);
        let text = text.map_err(|error| refused(shown.as_deref(), &error.to_string()))?;
        let is_new =
            text != present && host_settings::events(&present) != host_settings::events(&text);
        let mut settings = HostSettings {
            host,
            scope,
            path: shown,
            text,
            is_written: false,
            is_shown: !is_written,
        };
        match path.filter(|_| is_written) {
            Some(path) if is_new => {
                let base = self.base(scope).unwrap_or(&path);
                write(base, &path, &settings.text)?;
                settings.is_written = true;
            }
            None if is_written && host.file(scope).is_some() => {
                return Err(refused(None, "there is no work tree here to hold them"));
            }
            None if is_written => {
                return Err(refused(None, "this host has no file that is known"));
            }
            Some(_) | None => {}
        }
        Ok(settings)
    }

    fn states(&self) -> Vec<HostState> {
        let turns = self.turns();
        let state = |host: Host| {
            let places = [Scope::Project, Scope::User].into_iter();
            let files = places.filter_map(|scope| {
                let path = self.settings_file(host, scope)?;
                let events = host_settings::events(&read(&path).ok()?);
                (!events.is_empty()).then(|| (path.display().to_string(), events))
            });
            HostState {
                host,
                files: files.collect(),
                fired: turns.as_ref().and_then(|turns| turns.fired(host)),
            }
        };
        Host::ALL.map(state).to_vec()
    }
}

/// Reads the settings of a host; none are empty.
fn read(path: &Path) -> Result<String, Stop> {
    let is_link = path
        .symlink_metadata()
        .is_ok_and(|found| found.is_symlink());
    if is_link {
        return Err(refused(
            path.to_str(),
            "it is a link: add them to what it leads to",
        ));
    }
    let bytes = file::read(path).map_err(local)?.unwrap_or_default();
    if bytes.len() > MAX_SETTINGS {
        return Err(refused(path.to_str(), "it is larger than 4 MiB"));
    }
    String::from_utf8(bytes).map_err(|_| refused(path.to_str(), "it is not UTF-8"))
}

/// Writes the settings of a host; a directory that is a link leads elsewhere.
fn write(base: &Path, path: &Path, text: &str) -> Result<(), Stop> {
    let directory = path.parent().unwrap_or(path);
    // Two directories at most lie between the top and the file.
    let is_link = |directory: &Path| {
        let found = directory.symlink_metadata();
        found.is_ok_and(|metadata| !metadata.is_dir())
    };
    let above = directory.parent().filter(|above| *above != base);
    if is_link(directory) || above.is_some_and(is_link) {
        return Err(refused(
            path.to_str(),
            "its directory is a link, or no directory",
        ));
    }
    let made = std::fs::create_dir_all(directory);
    made.map_err(|error| Stop::broken("make the directory of the settings")(error.into()))?;
    file::write(path, text.as_bytes(), Readers::Same).map_err(local)
}

/// Says that the settings of a host are not added to.
fn refused(path: Option<&str>, why: &str) -> Stop {
    let path = path.unwrap_or("the settings of this host");
    let message = format!("{path} is not added to: {why}");
    Stop::refuse(
        Finding::new(&rows::SETTINGS_LEFT, message).hint(
            "git plan-audit host setup HOST, in an empty directory outside of any repository, shows what to add",
        ),
    )
}
