//! What is remembered of the sessions of agent hosts, outside any repository. No evidence: who takes it
//! away is asked once more.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::LocalError;
use super::file::{self, Readers};
use super::places;
use crate::model::host::{Call, Host, Memory};
use crate::model::time::Timestamp;
use crate::wire::digest::sha256;
use crate::wire::own::{self, First};

/// How long a session is remembered.
const KEPT: Duration = Duration::from_hours(24 * 30);

/// Where it is remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Turns(PathBuf);

/// A session, as its file holds it.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Session {
    v: First,
    blocks: u32,
    state: String,
    at: u64,
}

/// The last call of a host, as its file holds it.
#[derive(Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct Fired {
    v: First,
    at: String,
    event: String,
}

impl Turns {
    /// Finds the place.
    pub(crate) fn find(variables: &BTreeMap<OsString, OsString>) -> Result<Self, LocalError> {
        let state = places::base(variables, "XDG_STATE_HOME", ".local/state")?;
        Ok(Self(state.join("git-plan-audit").join("hosts")))
    }

    /// Reads what is remembered of a session; what cannot be read is nothing.
    pub(crate) fn read(&self, call: &Call) -> Memory {
        let bytes = file::read(&self.session(call)).ok().flatten();
        let session = bytes.and_then(|bytes| own::read::<Session>(&bytes).ok());
        session.map_or_else(Memory::default, |session| Memory {
            blocks: session.blocks,
            state: session.state,
            at: session.at,
        })
    }

    /// Remembers a session, and says whether it could.
    pub(crate) fn write(&self, call: &Call, memory: &Memory) -> bool {
        let session = Session {
            v: First,
            blocks: memory.blocks,
            state: memory.state.clone(),
            at: memory.at,
        };
        self.forget_old();
        self.put(&self.session(call), &session)
    }

    /// Notes that a host called us.
    pub(crate) fn fire(&self, host: Host, event: &str, now: Timestamp) {
        let fired = Fired {
            v: First,
            at: now.to_string(),
            event: event.to_owned(),
        };
        self.put(&self.last(host), &fired);
    }

    /// Returns when a host called us last.
    pub(crate) fn fired(&self, host: Host) -> Option<(Timestamp, String)> {
        let bytes = file::read(&self.last(host)).ok().flatten()?;
        let fired = own::read::<Fired>(&bytes).ok()?;
        Some((Timestamp::parse(&fired.at)?, fired.event))
    }

    /// Writes a file.
    fn put<T: Serialize>(&self, path: &std::path::Path, value: &T) -> bool {
        let Ok(bytes) = own::write(value) else {
            return false;
        };
        file::make_directory(&self.0).is_ok() && file::write(path, &bytes, Readers::Owner).is_ok()
    }

    /// Removes sessions that nobody has spoken in for long.
    fn forget_old(&self) {
        let entries = std::fs::read_dir(&self.0).into_iter().flatten().flatten();
        for entry in entries {
            let modified = entry.metadata().and_then(|metadata| metadata.modified());
            let age = modified.ok().and_then(|time| time.elapsed().ok());
            let is_session = entry.file_name().to_string_lossy().starts_with("session-");
            if is_session && age.is_some_and(|age| age > KEPT) {
                drop(file::remove(&entry.path()));
            }
        }
    }

    /// Returns the file of a session. Its name is a digest: a host may call a session as it likes. An agent
    /// that another one began ends by an event of its own, and is kept going for itself.
    fn session(&self, call: &Call) -> PathBuf {
        let part = |text: &Option<String>| text.clone().unwrap_or_default();
        let parts = [&call.session, &call.directory, &call.event];
        let name = parts.map(part).join("\0");
        self.0
            .join(format!("session-{}.json", sha256(name.as_bytes())))
    }

    /// Returns the file of a host's last call.
    fn last(&self, host: Host) -> PathBuf {
        self.0.join(format!("fired-{}.json", host.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_are_told_apart_and_what_cannot_be_read_is_nothing() {
        let scratch = tempfile::tempdir().unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().into())]);
        let turns = Turns::find(&home).unwrap();
        let call = |session: &str| Call {
            session: Some(session.to_owned()),
            ..Call::default()
        };
        let memory = Memory {
            blocks: 2,
            state: "x".to_owned(),
            at: 7,
        };

        assert!(turns.write(&call("../../a"), &memory));

        assert_eq!(turns.read(&call("../../a")), memory);
        assert_eq!(turns.read(&call("b")), Memory::default());
        std::fs::write(turns.session(&call("../../a")), "{}").unwrap();
        assert_eq!(turns.read(&call("../../a")), Memory::default());
        let now = Timestamp::from_seconds(5).unwrap();
        turns.fire(Host::Cursor, "stop", now);
        assert_eq!(turns.fired(Host::Cursor), Some((now, "stop".to_owned())));
        assert_eq!(turns.fired(Host::Claude), None);
    }
}
