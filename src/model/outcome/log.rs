//! What `log` lists, and how it is narrowed.

use super::StepEnd;
use crate::model::ids::{Digest, InstanceId, Oid, PlanName, RecordId, Writer};
use crate::model::record::Kind;
use crate::model::time::Timestamp;
use crate::model::verdict::Verdict;

/// What is asked of `log`; what is left empty narrows nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LogFilter {
    /// A revision: only records that name its commit, and audits of its tree.
    pub(crate) revision: Option<String>,
    /// The plan.
    pub(crate) plan: Option<PlanName>,
    /// The kinds, any of them.
    pub(crate) kinds: Vec<Kind>,
    /// The key.
    pub(crate) writer: Option<Writer>,
    /// A step: only runs and audits that took it.
    pub(crate) step: Option<u64>,
    /// How audits and runs ended; of `step`, where one is named.
    pub(crate) outcome: Option<Verdict>,
    /// The earliest time.
    pub(crate) since: Option<Timestamp>,
    /// How many at most.
    pub(crate) most: Option<usize>,
}

/// The records that are listed, newest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Log {
    /// One entry for each.
    pub(crate) entries: Vec<LogEntry>,
    /// For each the nearest records before it that are listed too; none where no graph is asked for.
    pub(crate) graph: Option<Vec<Vec<Nearest>>>,
}

/// A record that another one has seen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Nearest {
    /// The record.
    pub(crate) record: RecordId,
    /// Whether the other one names it itself; else records between them are not listed.
    pub(crate) is_direct: bool,
}

/// One line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LogEntry {
    /// The record.
    pub(crate) record: RecordId,
    /// Its kind.
    pub(crate) kind: String,
    /// When.
    pub(crate) time: Timestamp,
    /// Who.
    pub(crate) writer: Writer,
    /// The commit it names.
    pub(crate) head: Oid,
    /// The clone that wrote it.
    pub(crate) instance: InstanceId,
    /// What it names in `prev`.
    pub(crate) prev: Vec<RecordId>,
    /// The plan it speaks of.
    pub(crate) plan: Option<PlanName>,
    /// The digest of the contract it speaks of.
    pub(crate) contract: Option<Digest>,
    /// For an audit: the verdict that its results give under its contract, and its tree.
    pub(crate) verdict: Option<Verdict>,
    /// For an audit or a review: the tree.
    pub(crate) tree: Option<Oid>,
    /// For a run or an audit: how each of its steps ended, as its contract judges it.
    pub(crate) steps: Vec<(u64, StepEnd)>,
    /// For an audit: whether the states that it recorded let it prove a commit.
    pub(crate) usable: Option<bool>,
}

impl LogEntry {
    /// Says whether it passes the part of a filter that asks what the record says.
    pub(crate) fn says(&self, filter: &LogFilter) -> bool {
        let is_of_plan = filter.plan.is_none() || self.plan == filter.plan;
        is_of_plan && self.took(filter.step) && self.ended(filter)
    }

    /// Says whether a step was taken, or none is asked for.
    fn took(&self, step: Option<u64>) -> bool {
        step.is_none_or(|step| self.steps.iter().any(|(id, _)| *id == step))
    }

    /// Says whether it ended as is asked.
    fn ended(&self, filter: &LogFilter) -> bool {
        let Some(asked) = filter.outcome else {
            return true;
        };
        match (filter.step, self.verdict) {
            (None, Some(verdict)) => verdict == asked,
            (step, _) => {
                let is_asked = |id: u64| step.is_none_or(|step| step == id);
                let mut ends = self.steps.iter().filter(|(id, _)| is_asked(*id));
                ends.any(|(_, end)| end.verdict() == asked)
            }
        }
    }
}
