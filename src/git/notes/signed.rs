//! Commits of the ledger that are signed by git's own means, where somebody asks for that.
//!
//! The signature says to `git log --show-signature` who appended. It proves no record: where it cannot be
//! made, the commit is written without it.

use gix::ObjectId;
use gix::objs::Kind;

use super::super::durable::Durable;
use super::{RefNotes, write};
use crate::ledger::notes::NotesError;

/// Signs commits as git does.
pub(crate) trait SignsCommits: std::fmt::Debug {
    /// Returns a commit with the same trees, parents and message that is signed; none where it cannot be
    /// made, which the signer remembers. The tree and the parents are written already.
    fn signed(&self, commit: &[u8]) -> Option<Vec<u8>>;
}

impl RefNotes<'_> {
    /// Writes a commit, signed where that is asked for and possible.
    pub(super) fn write_signed(
        &self,
        durable: &Durable<'_>,
        what: &str,
        commit: &[u8],
    ) -> Result<ObjectId, NotesError> {
        let signed = self.signer.and_then(|signer| signer.signed(commit));
        let bytes = signed.as_deref().unwrap_or(commit);
        write(durable, what, Kind::Commit, bytes)
    }
}
