//! What a command gets from the application: the wired world, and what it may do there.

use std::num::NonZeroUsize;
use std::time::Duration;

use super::demo::Demonstrator;
use crate::engine::events::Listener;
use crate::engine::ports::{Checkouts, Local, Outputs};
use crate::engine::stop::Stop;
use crate::engine::sync::Ways;
use crate::engine::world::{Recorder, World};
use crate::model::finding::Finding;
use crate::model::host::{Call, Host, HostSettings, HostState, Memory, Scope, Standing};
use crate::model::outcome::{Deinitialised, Examined, Initialised, Outcome};
use crate::model::pushed::{Push, Said};
use crate::model::time::Timestamp;

/// The wired world of one call.
pub(crate) trait Desk {
    /// Returns the ports for reading.
    fn world(&self) -> Result<World<'_>, Stop>;
    /// Returns the ports for recording; refuses before `init`, or when the key is gone.
    fn recorder(&self) -> Result<Recorder<'_>, Stop>;
    /// Returns what reads the index.
    fn index(&self) -> Result<&dyn Checkouts, Stop>;
    /// Returns what makes private checkouts; refuses where none is served.
    fn checkouts(&self) -> Result<&dyn Checkouts, Stop>;
    /// Returns the local files of this clone, where it has some.
    fn local(&self) -> Option<&dyn Local>;
    /// Returns what checks wrote, where there is a place for it.
    fn outputs(&self) -> Option<&dyn Outputs>;
    /// Reads what git says of a push: the arguments of its hook, and standard input.
    fn pushed(&self, arguments: &[String]) -> Result<Push, Stop>;
    /// Reads a file that the caller names.
    fn read(&self, path: &str) -> Result<Vec<u8>, Stop>;
    /// Writes a file that the caller names.
    fn write(&self, path: &str, text: &str) -> Result<(), Stop>;
    /// Reads what git says of a push to this repository on standard input.
    fn received(&self) -> Result<Said, Stop>;
    /// Returns who hears of progress.
    fn listener(&self) -> Listener<'_>;
    /// Hands over the ledger here and the way to remotes, for as long as `act` takes.
    fn exchange(&self, act: &dyn Fn(Ways<'_>) -> Result<Outcome, Stop>) -> Result<Outcome, Stop>;
    /// Returns what makes a clone able to record.
    fn initialiser(&self) -> Result<&dyn Initialiser, Stop>;
    /// Returns the present second.
    fn now(&self) -> Timestamp;
    /// Returns how many cores there are to run checks on.
    fn cores(&self) -> NonZeroUsize;
    /// Returns what proves that the gate fires.
    fn examiner(&self) -> Result<&dyn Examiner, Stop>;
    /// Hands over what hooks of agent hosts work with, for as long as `act` takes.
    fn hosts(&self, act: &dyn Fn(&dyn Hosts) -> Result<Outcome, Stop>) -> Result<Outcome, Stop>;
    /// Returns what runs the demo.
    fn demonstrator(&self) -> &dyn Demonstrator;
}

/// What the caller of `init` asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InitRequest {
    /// Which key proves what is recorded.
    pub(crate) key: KeyChoice,
    /// Whether a plan skeleton is written.
    pub(crate) starter: bool,
    /// Why a new chain is opened, when one is.
    pub(crate) new_instance: Option<String>,
    /// Whether hooks are installed.
    pub(crate) with_hooks: bool,
}

/// Which key proves what is recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum KeyChoice {
    /// The one in use, else git's SSH signing key, else a new one.
    Found,
    /// This SSH key.
    Ssh(String),
    /// An HMAC key: this file, else the configured one, else a new one.
    Hmac(Option<String>),
}

/// Makes a clone able to record, and takes that back.
pub(crate) trait Initialiser {
    /// Does it; what is there already is left as it is. Says what a person has to do.
    fn initialise(&self, request: &InitRequest) -> Result<(Initialised, Vec<Finding>), Stop>;
    /// Takes out hooks and settings; keys and evidence stay.
    fn deinitialise(&self) -> Result<(Deinitialised, Vec<Finding>), Stop>;
}

/// Proves that the gate fires.
pub(crate) trait Examiner {
    /// Examines every work tree, and tries a push from each.
    fn examine(&self) -> Result<(Examined, Vec<Finding>), Stop>;
}

/// What hooks of agent hosts work with.
pub(crate) trait Hosts {
    /// Reads what the host says; what cannot be read is left out.
    fn call(&self) -> Call;
    /// Looks where plans stand in the directory of a call, at most so long.
    fn standing(&self, call: &Call, deadline: Duration) -> Standing;
    /// Returns what is remembered of a session; none where nothing can be.
    fn memory(&self, call: &Call) -> Option<Memory>;
    /// Remembers a session, and says whether that could be done.
    fn remember(&self, call: &Call, memory: &Memory) -> bool;
    /// Notes that a host called.
    fn fired(&self, host: Host, verb: &str, call: &Call);
    /// Returns the time in seconds since 1970.
    fn now(&self) -> u64;
    /// Adds our settings to those of a host, and writes them where that is asked for.
    fn set_up(
        &self,
        place: (Host, Scope),
        ours: &str,
        is_written: bool,
    ) -> Result<HostSettings, Stop>;
    /// Tells what is set up for each host.
    fn states(&self) -> Vec<HostState>;
}
