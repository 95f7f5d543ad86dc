//! What `fsck` found in a ledger, and what `revoke` took back.

use crate::model::ids::{Oid, RecordId, Writer};
use crate::model::record::Revoked;

/// How many lines there are, and of what worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Counts {
    /// Records that count.
    pub(crate) authenticated: usize,
    /// Records without a proof that fits.
    pub(crate) unproven: usize,
    /// Sound records of keys that are not trusted.
    pub(crate) untrusted: usize,
    /// Trusted records of another ledger than the pinned one.
    pub(crate) foreign: usize,
    /// Lines that are no records.
    pub(crate) malformed: u64,
    /// Records that hang on another object than the one they name.
    pub(crate) moved: u64,
}

/// One record of a ledger, whatever it is worth.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct ListedRecord {
    /// Its id.
    pub(crate) id: RecordId,
    /// Its kind, as written.
    pub(crate) kind: String,
    /// The key that it names.
    pub(crate) writer: Writer,
    /// Whether that key proves it.
    pub(crate) is_sound: bool,
    /// Whether it counts here.
    pub(crate) counts: bool,
}

/// What `revoke` took back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Revocation {
    /// What no longer counts.
    pub(crate) what: Revoked,
    /// The record that says so.
    pub(crate) record: RecordId,
    /// Whether it had been taken back before.
    pub(crate) already: bool,
}

/// A ledger as `fsck` found it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CheckedLedger {
    /// Its tip; none where there is no ledger.
    pub(crate) tip: Option<Oid>,
    /// How many lines there are.
    pub(crate) counts: Counts,
    /// The records that count and that no other one names.
    pub(crate) heads: Vec<RecordId>,
    /// Every record that hangs where it belongs, by id.
    pub(crate) records: Vec<ListedRecord>,
    /// Whose evidence counts, as a sentence.
    pub(crate) trust: String,
}
