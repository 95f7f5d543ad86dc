//! Object ids between gix and the model.

use gix::ObjectId;

use super::open::Repository;
use crate::model::ids::Oid;

/// Returns the id that gix names.
pub(super) fn from_gix(id: &gix::oid) -> Oid {
    #[expect(
        clippy::expect_used,
        reason = "gix knows the two lengths that `Oid` knows"
    )]
    Oid::from_bytes(id.as_bytes()).expect("an id has 20 or 32 bytes")
}

impl Repository {
    /// Returns the id for gix; none when it is of the other format, so that nothing can have it.
    pub(super) fn gix_id(&self, id: &Oid) -> Option<ObjectId> {
        let found = ObjectId::try_from(id.as_bytes()).ok()?;
        (found.kind() == self.gix.object_hash()).then_some(found)
    }
}
