//! What commands about claims return.

use crate::model::claim::Criticality;
use crate::model::claim::answer::{Answered, Decision};
use crate::model::claim::evidence::{Evidence, Side, Tested};
use crate::model::claim::gate::Gate;
use crate::model::claim::types::Type;
use crate::model::ids::{Digest, Oid, PlanName, RecordId};

/// What `preflight` found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Preflighted {
    /// The commit at which claims were tested.
    pub(crate) commit: Oid,
    /// The first line of its message.
    pub(crate) subject: String,
    /// What all plans add up to; none where nothing is claimed.
    pub(crate) gate: Option<Gate>,
    /// The plans.
    pub(crate) plans: Vec<PreflightedPlan>,
    /// Whether evidence was made again to compare it: the outcome is of that, and not of the gate.
    pub(crate) is_comparison: bool,
}

/// What became of the claims of one plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PreflightedPlan {
    /// The plan's name; none for claims out of a file.
    pub(crate) name: Option<PlanName>,
    /// The digest of its contract.
    pub(crate) contract: Option<Digest>,
    /// What its claims add up to; none where it has none.
    pub(crate) gate: Option<Gate>,
    /// The record; none where nothing was recorded.
    pub(crate) record: Option<RecordId>,
    /// Its claims, in the order of the plan.
    pub(crate) claims: Vec<TestedClaim>,
}

/// What became of one statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TestedClaim {
    /// The claims that make it.
    pub(crate) ids: Vec<String>,
    /// The steps that rest on it.
    pub(crate) steps: Vec<u64>,
    /// How much rests on it: the greatest of all.
    pub(crate) criticality: Criticality,
    /// What it states, as one line.
    pub(crate) line: String,
    /// The evidence.
    pub(crate) evidence: Evidence,
    /// The id of the evidence.
    pub(crate) id: Digest,
    /// Whether it was taken over from an earlier commit.
    pub(crate) is_taken_over: bool,
    /// What it means for the plan, with what was answered.
    pub(crate) gate: Gate,
    /// Who can answer, where only somebody can.
    pub(crate) authority: Option<String>,
    /// What was answered, where that counts.
    pub(crate) answer: Option<Answered>,
    /// Whether answers say different things, so that none of them counts.
    pub(crate) has_answers_that_differ: bool,
    /// The places that it rests on, with their text.
    pub(crate) places: Vec<ShownPlace>,
}

impl TestedClaim {
    /// Returns what is said of it, with what was answered.
    pub(crate) fn tested(&self) -> Tested {
        let tested = self.evidence.tested;
        let answer = self.answer.as_ref();
        answer.map_or(tested, |answer| answer.decision.settles(tested))
    }

    /// Returns what it means for the plan by the code alone.
    pub(crate) const fn gate_of_code(&self) -> Gate {
        Gate::of(self.evidence.tested, self.criticality)
    }
}

/// A question of a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ShownQuestion {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// The question; none where it is not recorded.
    pub(crate) record: Option<RecordId>,
    /// Whether it waits for an answer.
    pub(crate) is_open: bool,
    /// The claim.
    pub(crate) claim: TestedClaim,
}

/// What `answer` did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GivenAnswer {
    /// The question.
    pub(crate) question: RecordId,
    /// The answer.
    pub(crate) record: RecordId,
    /// What is said.
    pub(crate) decision: Decision,
    /// What the claim states, as one line.
    pub(crate) line: String,
    /// Whether it was said before.
    pub(crate) already: bool,
}

/// A place with its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ShownPlace {
    /// Its path, as text.
    pub(crate) path: String,
    /// Its line, from 1; none where it is the whole of what stands there.
    pub(crate) line: Option<u64>,
    /// The line of the source; none where there is none, or where it looks like a secret.
    pub(crate) text: Option<String>,
    /// What it says of the claim.
    pub(crate) side: Side,
}

/// What the prose of a plan says and no claim covers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LintedPlan {
    /// The plan's name.
    pub(crate) name: PlanName,
    /// How many claims it makes, those that follow from its steps included.
    pub(crate) claims: usize,
    /// Its steps.
    pub(crate) steps: Vec<LintedStep>,
}

/// What the prose of a step says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LintedStep {
    /// The step; none for the task and the requirements.
    pub(crate) step: Option<u64>,
    /// How many words look like paths.
    pub(crate) words: usize,
    /// Those of them that no claim covers.
    pub(crate) uncovered: Vec<String>,
}

/// A type of claim, explained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ExplainedType {
    /// The type.
    pub(crate) kind: &'static Type,
}
