//! What came of making a clone ready, of looking whether its gate fires, and of taking that out again.

use crate::model::hook::Heard;
use crate::model::ids::{RecordId, Writer};

/// What `init` found and wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Initialised {
    /// The ledger's id.
    pub(crate) ledger: String,
    /// This clone's id.
    pub(crate) instance: String,
    /// The key that proves what is recorded here.
    pub(crate) writer: Writer,
    /// Where the key is, and where it comes from.
    pub(crate) key: String,
    /// The record that opened this clone's chain; none when it was open.
    pub(crate) record: Option<RecordId>,
    /// What was written, as sentences; empty when everything was there.
    pub(crate) wrote: Vec<String>,
    /// Lines that a person has to add to files which are not ours to write to.
    pub(crate) by_hand: Vec<ByHand>,
    /// How to undo it.
    pub(crate) undo: String,
    /// What to type next.
    pub(crate) next: String,
}

/// Lines that a person has to add to a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ByHand {
    /// The file.
    pub(crate) file: String,
    /// The lines.
    pub(crate) lines: Vec<&'static str>,
}

/// What `doctor` found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Examined {
    /// The gate of each work tree.
    pub(crate) gates: Vec<ExaminedGate>,
    /// Whose evidence counts, as a sentence; none where that cannot be said.
    pub(crate) trust: Option<String>,
}

/// The gate of one work tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ExaminedGate {
    /// The top of the work tree.
    pub(crate) top: String,
    /// What our hook heard of a push from there.
    pub(crate) heard: Heard,
}

/// What `deinit` did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Deinitialised {
    /// What was taken out, as sentences; empty when nothing was there.
    pub(crate) removed: Vec<String>,
    /// What is left, as sentences.
    pub(crate) left: Vec<String>,
}
