//! Everything that a flow may use, wired by `app`.

use std::rc::Rc;

use super::ports::{Clock, Identity, Local, Objects, Prober, Runner, Signer, Workspace};
use super::stop::Stop;
use crate::ledger::notes::Notes;
use crate::ledger::reading::{Reading, Readings};
use crate::model::finding::Finding;
use crate::model::gate::Gates;
use crate::model::ids::{InstanceId, LedgerId, Oid, RecordId, Writer};
use crate::model::repository::Accepted;
use crate::trust::keyring::Keyring;

/// The ports of a reading command.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    /// Objects and refs.
    pub(crate) objects: &'a dyn Objects,
    /// Tests claims on them.
    pub(crate) prober: &'a dyn Prober,
    /// The ledger's storage.
    pub(crate) notes: &'a dyn Notes,
    /// What was read of it last.
    pub(crate) readings: &'a Readings,
    /// The clock of whoever judges.
    pub(crate) clock: &'a dyn Clock,
    /// The work tree; none in a bare repository.
    pub(crate) workspace: Option<&'a dyn Workspace>,
    /// What the user configured.
    pub(crate) settings: &'a Settings,
    /// Who this clone is; none before `init`.
    pub(crate) identity: Option<&'a Identity>,
}

impl World<'_> {
    /// Reads the ledger at its present tip.
    pub(crate) fn reading(&self) -> Result<Rc<Reading>, Stop> {
        let reading = self.readings.read(self.notes);
        reading.map_err(|error| Stop::broken("read the ledger")(error.into()))
    }
}

/// The ports of a command that records.
#[derive(Clone, Copy)]
pub(crate) struct Recorder<'a> {
    /// Local files.
    pub(crate) local: &'a dyn Local,
    /// The key.
    pub(crate) signer: &'a dyn Signer,
    /// The clock.
    pub(crate) clock: &'a dyn Clock,
    /// Runs checks.
    pub(crate) runner: &'a dyn Runner,
    /// Operating system and processor.
    pub(crate) platform: &'a str,
    /// Version of the tool.
    pub(crate) tool: &'a str,
}

/// What the user configured outside the repository, and what this clone holds.
#[derive(Clone, Debug, Default)]
pub(crate) struct Settings {
    /// The trust point, from the command line or from configuration outside the repository.
    pub(crate) base: Option<String>,
    /// A file of signers outside the repository: its name and bytes.
    pub(crate) signers_file: Option<(String, Vec<u8>)>,
    /// Keys that this clone has used.
    pub(crate) own_keys: Vec<Writer>,
    /// The last records that this clone wrote, as it knows outside the repository.
    pub(crate) anchored: Vec<RecordId>,
    /// The instances under which this clone has recorded, as it knows outside the repository.
    pub(crate) own_instances: Vec<InstanceId>,
    /// The ledger that this clone's own records name; it counts where none is pinned.
    pub(crate) own_ledger: Option<LedgerId>,
    /// The signers and settings that this clone accepted; none where it was not asked yet.
    pub(crate) accepted: Option<Accepted>,
    /// HMAC keys at hand.
    pub(crate) keyring: Keyring,
    /// The places that `planAudit.place` asks for; all must hold.
    pub(crate) places: Vec<String>,
    /// The platforms that `planAudit.platform` asks for; all must hold.
    pub(crate) platforms: Vec<String>,
    /// How many people `planAudit.requireReviews` asks for; 0 for none.
    pub(crate) reviews: u32,
    /// Whether `planAudit.each` asks for each commit of a range.
    pub(crate) each: bool,
    /// Those of both that the repository's own configuration did not set: what they do not ask for
    /// does not count, be it a pass or a failure.
    pub(crate) outside: Outside,
    /// The command that mends a repository which is bare by mistake.
    pub(crate) bare_hint: Option<String>,
    /// The commits that are being merged into HEAD.
    pub(crate) merging: Vec<Oid>,
    /// The ledger that each remote had when it was asked last.
    pub(crate) fetched: Vec<(String, Oid)>,
    /// What the hooks gate.
    pub(crate) gates: Gates,
    /// Settings that are not used, and why.
    pub(crate) findings: Vec<Finding>,
}

/// What is asked of audits from outside the repository.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outside {
    /// The places.
    pub(crate) places: Vec<String>,
    /// The platforms.
    pub(crate) platforms: Vec<String>,
}

impl Settings {
    /// Writes the command that audits every plan in the place that is asked for.
    pub(crate) fn audit_command(&self) -> String {
        let is_checkout = self.places.iter().any(|place| place == "checkout");
        let place = if is_checkout { " --checkout" } else { "" };
        format!("git plan-audit audit{place}")
    }
}
