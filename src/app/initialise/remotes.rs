//! Remotes: the refspec that fetches evidence, and the ledger that may be there already.

use std::ffi::OsString;
use std::time::Duration;

use super::{Initialise, NotesPort};
use crate::engine::ports::Cause;
use crate::engine::stop::Stop;
use crate::ledger::notes::Notes as _;
use crate::proc::{ToolOutput, ToolSpec, file, tool};

/// How long a fetch may take.
const PATIENCE: Duration = Duration::from_mins(1);
/// How much git may write, in bytes.
const MAX_OUTPUT: usize = 64 * 1024;

/// Settings for our own git: nothing that the repository's configuration names is run, and only
/// the usual transports are used.
const STEADY: [&str; 26] = [
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.sshCommand=ssh",
    "-c",
    "core.gitProxy=",
    "-c",
    "core.askPass=",
    "-c",
    "credential.helper=",
    "-c",
    "protocol.allow=never",
    "-c",
    "protocol.file.allow=always",
    "-c",
    "protocol.git.allow=always",
    "-c",
    "protocol.http.allow=always",
    "-c",
    "protocol.https.allow=always",
    "-c",
    "protocol.ssh.allow=always",
    "-c",
    "protocol.ext.allow=never",
];

/// How a ledger is fetched: without what `remote.NAME.uploadpack` names, and whole, also where a
/// partial clone leaves out blobs.
const FETCH: [&str; 6] = [
    "fetch",
    "--quiet",
    "--no-tags",
    "--no-filter",
    "--upload-pack=git-upload-pack",
    "--",
];

/// What was done about the remotes.
pub(super) struct Prepared {
    /// What was written, a line each for refspecs, ledger and remotes out of reach.
    pub(super) lines: Vec<String>,
    /// The remotes that got a refspec.
    pub(super) added: Vec<String>,
    /// Whether the ledger of one was taken over.
    pub(super) is_fetched: bool,
}

/// Returns the refspec that fetches the evidence of a remote.
pub(super) fn refspec(remote: &str) -> String {
    format!("+refs/notes/plan-audit*:refs/plan-audit/remotes/{remote}/notes*")
}

/// Adds the refspec to every remote that lacks it, and fetches the ledger where there is none
/// here.
pub(super) fn prepare(init: &Initialise<'_>) -> Result<Prepared, Stop> {
    let (mut added, mut fetched, mut silent) = (Vec::new(), Vec::new(), Vec::new());
    for remote in &init.session.configured.remotes {
        let name = remote.name.as_str();
        let refspec = refspec(name);
        if !remote.fetch.contains(&refspec) {
            let key = format!("remote.{name}.fetch");
            let said = git(init, &["config", "--add", &key, &refspec])?;
            demand(&said, "add a fetch refspec")?;
            added.push(name);
        }
        match fetch(init, name, &refspec)? {
            Fetched::Nothing => {}
            Fetched::Ledger => fetched.push(name),
            Fetched::Unreachable => silent.push(name),
        }
    }
    let line = |names: &[&str], what: &str| {
        (!names.is_empty()).then(|| format!("{what} {}", names.join(", ")))
    };
    let lines = [
        line(&added, "a fetch refspec for the evidence of"),
        line(&fetched, "the ledger, fetched from"),
        line(&silent, "no ledger, since it could not be reached:"),
    ];
    Ok(Prepared {
        lines: lines.into_iter().flatten().collect(),
        added: added.into_iter().map(str::to_owned).collect(),
        is_fetched: !fetched.is_empty(),
    })
}

/// What asking a remote for its ledger gave.
enum Fetched {
    /// There is a ledger here, or none there.
    Nothing,
    /// Its ledger is here now.
    Ledger,
    /// It did not answer.
    Unreachable,
}

/// Fetches the ledger of a remote when there is none here.
fn fetch(init: &Initialise<'_>, remote: &str, refspec: &str) -> Result<Fetched, Stop> {
    let notes = NotesPort::of(init.session);
    let tip = notes
        .tip()
        .map_err(|error| Stop::broken("read the ledger")(error.into()))?;
    if tip.is_some() {
        return Ok(Fetched::Nothing);
    }
    let said = git(
        init,
        &FETCH
            .iter()
            .copied()
            .chain([remote, refspec])
            .collect::<Vec<_>>(),
    )?;
    if said.code != Some(0) {
        return Ok(Fetched::Unreachable);
    }
    let tracking = format!("refs/plan-audit/remotes/{remote}/notes");
    let found = git(init, &["rev-parse", "--verify", "--quiet", &tracking])?;
    if found.code != Some(0) {
        return Ok(Fetched::Nothing);
    }
    let tip = String::from_utf8_lossy(&found.output).trim().to_owned();
    // An empty old value: the ref is made only if it is still not there.
    let made = git(init, &["update-ref", "refs/notes/plan-audit", &tip, ""])?;
    demand(&made, "take over the fetched ledger")?;
    Ok(Fetched::Ledger)
}

/// Demands that git succeeded.
fn demand(said: &ToolOutput, doing: &str) -> Result<(), Stop> {
    if said.code == Some(0) {
        return Ok(());
    }
    let text = crate::model::text::shown(String::from_utf8_lossy(&said.errors).trim());
    Err(Stop::broken(doing)(Cause::from(text)))
}

/// Runs git in the repository: no hooks, no prompts, no optional locks.
fn git(init: &Initialise<'_>, arguments: &[&str]) -> Result<ToolOutput, Stop> {
    let surroundings = init.surroundings;
    let search = surroundings.variable("PATH").unwrap_or_default();
    let directories: Vec<_> = std::env::split_paths(search).collect();
    let program = file::find("git", &directories)
        .ok_or_else(|| Stop::broken("find git in PATH")("it is not there".into()))?;
    let mut environment = surroundings.variables.clone();
    for (name, value) in [
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("LC_ALL", "C"),
    ] {
        environment.insert(OsString::from(name), OsString::from(value));
    }
    let spec = ToolSpec {
        program,
        args: STEADY.iter().chain(arguments).map(OsString::from).collect(),
        directory: surroundings.directory.clone(),
        environment,
        input: Vec::new(),
        timeout: PATIENCE,
        max_output: MAX_OUTPUT,
    };
    tool(&spec, init.interrupts).map_err(|error| Stop::broken("run git")(error.into()))
}
