//! The storage that a ledger needs, and nothing more: notes of commits and an atomic append.

use std::collections::BTreeMap;

use crate::model::ids::{Oid, RecordId};
use crate::model::record::{Kind, Role};
use crate::model::time::Timestamp;

/// One note: what it hangs on and where its text is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct NoteEntry {
    /// The object that it annotates.
    pub(crate) target: Oid,
    /// The blob that holds its lines.
    pub(crate) blob: Oid,
}

/// The text of a note.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Text {
    /// That of a blob which is here.
    Stored(Oid),
    /// Bytes that have no blob yet.
    Made(Vec<u8>),
}

/// What one append adds: one commit on the ref.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Batch {
    /// The object whose note gains the lines.
    pub(crate) target: Oid,
    /// Lines without their newline, in order.
    pub(crate) lines: Vec<String>,
    /// Blobs that the lines name; each is kept as the note of itself.
    pub(crate) kept: Vec<Vec<u8>>,
    /// Subject of the commit.
    pub(crate) subject: String,
}

/// Records to append: what a batch is made of, once their place in the own chain is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The object whose note gains them: HEAD, or the empty tree before the first commit.
    pub(crate) target: Oid,
    /// Kinds and bodies, in order.
    pub(crate) records: Vec<(Kind, String)>,
    /// Blobs that they name.
    pub(crate) kept: Vec<Vec<u8>>,
    /// Subject of the commit.
    pub(crate) subject: String,
    /// Heads of other chains that were seen.
    pub(crate) seen: Vec<RecordId>,
    /// The role in which the last record is proven.
    pub(crate) role: Role,
    /// When it was found out.
    pub(crate) time: Timestamp,
}

/// What a clone knows of its own last appends, kept outside the repository.
///
/// It finds the head of the own chain without reading the ledger, tells when the ledger was rolled
/// back, and can put back what another writer dropped.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Anchor {
    /// The tip at which `head` was the last record of the own chain.
    pub(crate) tip: Oid,
    /// The last record of the own chain.
    pub(crate) head: RecordId,
    /// The last batches that are remembered, oldest first; `head` may be later than they.
    pub(crate) recent: Vec<Batch>,
}

/// What a ledger held before its tip.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Former {
    /// The blobs that were met, at the tip or before it, and that the tip does not hold as the note
    /// of the same object: what it keeps elsewhere is not read there.
    pub(crate) blobs: Vec<Oid>,
    /// Whether earlier commits are not here (a shallow clone), so that there may be more.
    pub(crate) is_cut: bool,
}

/// The commits' notes under `refs/notes/plan-audit`, or what stands for them in a test.
pub(crate) trait Notes {
    /// Returns the commit that the ref names; none before the first append.
    fn tip(&self) -> Result<Option<Oid>, NotesError>;

    /// Lists every note at a tip, in the order of targets. Entries whose name is no object id,
    /// or that are no blobs, are left out: they are nobody's evidence.
    fn list(&self, tip: &Oid) -> Result<Vec<NoteEntry>, NotesError>;

    /// Names what lies in the tree of a tip and is no note, as it lies there; sorted, at most 1,000.
    fn strays(&self, tip: &Oid) -> Result<Vec<String>, NotesError>;

    /// Lists the blobs that `tip` or an earlier commit of the ref holds, but for those that `tip`
    /// holds as the note of the same object.
    fn former(&self, tip: &Oid) -> Result<Former, NotesError>;

    /// Reads a blob; none when the object is not here (shallow or partial clone). An object that is
    /// here and no blob holds no line: it is empty.
    fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, NotesError>;

    /// Returns the id that a blob of these bytes has in this repository; writes nothing.
    fn blob_id(&self, bytes: &[u8]) -> Oid;

    /// Says whether a tip has another, earlier one among its history.
    fn follows(&self, tip: &Oid, earlier: &Oid) -> Result<bool, NotesError>;

    /// Waits for a lock file of another process that would keep an append from being made, as long as an
    /// append would; one that stays is the error.
    fn demand_free(&self) -> Result<(), NotesError>;

    /// Says why the last commit that was written is not signed by git's means although that is asked for,
    /// once; none where it is, or where nobody asks.
    fn unsigned(&self) -> Option<String> {
        None
    }

    /// Adds a batch durably and returns the new tip.
    ///
    /// When it returns, objects and ref are on disk. The caller holds the append lock; other
    /// writers (stock `git notes`) are met by compare-and-swap and bounded retries. On an error
    /// the ref has not moved.
    fn append(&self, batch: &Batch) -> Result<Oid, NotesError>;
}

/// Two ledgers as one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Join {
    /// The tips that are joined, that of this clone first.
    pub(crate) tips: (Oid, Oid),
    /// The note of each object.
    pub(crate) notes: BTreeMap<Oid, Text>,
    /// Subject of the commit.
    pub(crate) subject: String,
}

/// Notes that can be joined with those of another clone.
pub(crate) trait Joins: Notes {
    /// Writes a commit with both tips as parents durably and returns its id; the ref does not move.
    ///
    /// Its tree depends on the notes alone, and on what else lies in both trees, which is carried
    /// along.
    fn join(&self, join: &Join) -> Result<Oid, NotesError>;

    /// Moves the ref to a commit that is here, if it still names `from`, and says whether it did.
    fn advance(&self, from: Option<&Oid>, to: &Oid, reason: &str) -> Result<bool, NotesError>;

    /// Lets others go first for a moment, the longer the more tries were lost.
    fn give_way(&self, tries: u32);
}

/// Why the storage could not do it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotesError {
    /// Something of the ledger could not be read.
    #[error("cannot read {what}")]
    Read {
        /// The ref or object.
        what: String,
        /// Why.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A note or kept blob is too large to be read (D25).
    #[error("{what} has {bytes} bytes, more than 64 MiB")]
    TooLarge {
        /// The object.
        what: String,
        /// Its size.
        bytes: u64,
    },
    /// An object could not be written durably.
    #[error("cannot write {what}")]
    Write {
        /// The object or ref.
        what: String,
        /// Why.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// Somebody's lock file stands in the way; it is named and never removed.
    #[error("{path} is in the way: another git process is at work, or one died {age} s ago")]
    Locked {
        /// The lock file.
        path: String,
        /// Its age in seconds.
        age: u64,
    },
    /// Other writers moved the ref each time.
    #[error("the ledger moved {tries} times while appending")]
    Contended {
        /// How often it was tried.
        tries: u32,
    },
    /// The ref is not what a ledger is.
    #[error("{what} is not a ledger")]
    NotALedger {
        /// The ref and what it is.
        what: String,
    },
}
