//! Where things stand in the world in memory.

use super::{Fake, answer};
use crate::engine::fsck::fsck;
use crate::engine::status::status;
use crate::ledger::notes::Notes as _;
use crate::model::outcome::Outcome;
use crate::model::state::{TRUST_FILES, TrustFiles};

impl Fake {
    /// Tells where everything stands.
    pub(crate) fn status(&self) -> Result<Outcome, String> {
        self.flow(|world, _| answer(status(world, None)))
    }

    /// Examines the ledger.
    pub(crate) fn fsck(&self) -> Result<Outcome, String> {
        self.flow(|world, _| answer(fsck(world, Some(self))))
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
}
