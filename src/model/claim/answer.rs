//! Questions that claims raise, and what people answer (PREFLIGHT section 6).

use super::Criticality;
use super::evidence::Tested;
use super::gate::Gate;
use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::time::Timestamp;

/// What somebody with authority says to a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Decision {
    /// It is so.
    Confirm,
    /// It is not so.
    Reject,
    /// It stays open.
    Defer,
    /// The plan may begin all the same, up to this moment.
    AcceptRisk(Timestamp),
}

impl Decision {
    /// Returns the word of records and reports.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirm",
            Self::Reject => "reject",
            Self::Defer => "defer",
            Self::AcceptRisk(_) => "accept-risk",
        }
    }

    /// Reads the word of records, and the moment that goes with it.
    pub(crate) fn parse(word: &str, until: Option<Timestamp>) -> Option<Self> {
        match (word, until) {
            ("confirm", None) => Some(Self::Confirm),
            ("reject", None) => Some(Self::Reject),
            ("defer", None) => Some(Self::Defer),
            ("accept-risk", Some(until)) => Some(Self::AcceptRisk(until)),
            (_, _) => None,
        }
    }

    /// Returns the last moment at which it counts, where it has one.
    pub(crate) const fn until(self) -> Option<Timestamp> {
        match self {
            Self::AcceptRisk(until) => Some(until),
            Self::Confirm | Self::Reject | Self::Defer => None,
        }
    }

    /// Says what is said of a claim after it: people decide only what code does not.
    pub(crate) const fn settles(self, tested: Tested) -> Tested {
        match (self, tested) {
            (Self::Confirm, Tested::HumanRequired) => Tested::Verified,
            (Self::Reject, Tested::HumanRequired) => Tested::Disproved,
            (Self::Confirm | Self::Reject | Self::Defer | Self::AcceptRisk(_), _) => tested,
        }
    }

    /// Says what a claim means for its plan after it.
    pub(crate) const fn gate(self, tested: Tested, criticality: Criticality) -> Gate {
        match self {
            Self::AcceptRisk(_) => Gate::Pass,
            Self::Confirm | Self::Reject | Self::Defer => {
                Gate::of(self.settles(tested), criticality)
            }
        }
    }
}

/// Body of `question`: a plan waits for somebody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct QuestionBody {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// Digest of what is stated.
    pub(crate) claim: Digest,
    /// The digest over what the statement speaks of.
    pub(crate) scope: Digest,
    /// The commit at which it was asked.
    pub(crate) commit: Oid,
}

/// Body of `answer`: what somebody says to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AnswerBody {
    /// The question.
    pub(crate) question: RecordId,
    /// Digest of what is stated.
    pub(crate) claim: Digest,
    /// The digest over what the statement speaks of; it is answered for this and nothing else.
    pub(crate) scope: Digest,
    /// What is said.
    pub(crate) decision: Decision,
    /// Why; only a confirmation has none.
    pub(crate) reason: Option<String>,
}

/// An answer that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answered {
    /// What is said.
    pub(crate) decision: Decision,
    /// Why.
    pub(crate) reason: Option<String>,
    /// Who says so: the principals of the key.
    pub(crate) by: Option<String>,
    /// The record.
    pub(crate) record: RecordId,
}

#[cfg(test)]
mod tests {
    use super::super::evidence::Reason;
    use super::*;

    #[test]
    fn people_decide_only_what_code_does_not() {
        let risk = Decision::AcceptRisk(Timestamp::EPOCH);
        let gate = |decision: Decision, tested| decision.gate(tested, Criticality::Critical);
        for (decision, tested, after) in [
            (Decision::Confirm, Tested::HumanRequired, Gate::Pass),
            (Decision::Reject, Tested::HumanRequired, Gate::Blocked),
            (Decision::Defer, Tested::HumanRequired, Gate::Waiting),
            (risk, Tested::HumanRequired, Gate::Pass),
            (Decision::Confirm, Tested::Disproved, Gate::Blocked),
            (Decision::Reject, Tested::Verified, Gate::Pass),
            (
                Decision::Confirm,
                Tested::Inconclusive(Reason::Limit),
                Gate::Blocked,
            ),
            (risk, Tested::Disproved, Gate::Pass),
        ] {
            assert_eq!(gate(decision, tested), after, "{decision:?} {tested:?}");
        }
        assert_eq!(
            Decision::Confirm.settles(Tested::Disproved),
            Tested::Disproved
        );
        assert_eq!(risk.settles(Tested::Disproved), Tested::Disproved);
    }
}
