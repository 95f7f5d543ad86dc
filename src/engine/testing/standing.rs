//! Where things stand in the world in memory, and what a person accepted there.

use super::{Fake, answer};
use crate::engine::status::status;
use crate::ledger::notes::Notes as _;
use crate::model::outcome::Outcome;
use crate::model::repository::Accepted;
use crate::model::state::{TRUST_FILES, TrustFiles};
use crate::wire::digest::sha256;

impl Fake {
    /// Tells where everything stands.
    pub(crate) fn status(&self) -> Result<Outcome, String> {
        self.flow(|world, _| answer(status(world, None)))
    }

    /// Returns what carries trust on disk.
    pub(super) fn trust_files(&self) -> TrustFiles {
        let files = self.files.borrow();
        let trusted = files.iter().filter_map(|(path, bytes)| {
            let below = path.strip_prefix(".plan-auditor/")?;
            let name = below.split('/').next()?;
            let id = self.notes.blob_id(bytes);
            TRUST_FILES
                .contains(&name)
                .then(|| (below.to_owned(), (0o100_644, id)))
        });
        trusted.collect()
    }

    /// Lets a person accept a file on disk as the list of signers.
    pub(crate) fn accept(&self, path: &str) {
        let files = self.files.borrow();
        let list = Accepted::of(files.get(path).map(|bytes| sha256(bytes)));
        self.accepted.set(Some(list));
    }
}
