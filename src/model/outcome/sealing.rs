//! What became of contracts: sealed, compared, closed.

use crate::model::change::Change;
use crate::model::ids::{Digest, PlanName, RecordId};

/// What `seal` did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sealed {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// The digest of its contract.
    pub(crate) contract: Digest,
    /// The seal.
    pub(crate) record: RecordId,
    /// Whether the contract was sealed before.
    pub(crate) already: bool,
    /// Its number in the lineage, from 1.
    pub(crate) generation: u32,
    /// The seals that it continues.
    pub(crate) continues: Vec<RecordId>,
    /// What differs from their contracts.
    pub(crate) changes: Vec<Change>,
    /// What to type next.
    pub(crate) next: String,
}

/// A plan beside what was sealed of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Compared {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// Where it stands, in one word.
    pub(crate) standing: &'static str,
    /// The digest of its present contract.
    pub(crate) contract: Option<Digest>,
    /// The seals it was compared with; none where nothing of it is sealed.
    pub(crate) with: Vec<Differing>,
}

/// One seal, and what differs from its contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Differing {
    /// The seal.
    pub(crate) seal: RecordId,
    /// What differs.
    pub(crate) changes: Vec<Change>,
}

/// What `close` did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Closed {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// The digest of its contract.
    pub(crate) contract: Digest,
    /// The record that says so.
    pub(crate) record: RecordId,
    /// The seals that it ends.
    pub(crate) seals: Vec<RecordId>,
    /// Whether it was given up.
    pub(crate) is_abandoned: bool,
    /// What became of it.
    pub(crate) became: Became,
}

/// What became of a plan that was to be closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Became {
    /// It has ended.
    Ended,
    /// It had ended before.
    EndedBefore,
    /// It binds on until somebody approves.
    Waiting,
}
