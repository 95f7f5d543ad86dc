//! The contract: the part of a plan that a seal binds (DESIGN section 3), in its normal form.
//!
//! A `Contract` is a valid plan: graph, coverage and checks hold. It is made by the plan reader
//! or from the canonical bytes that a seal names, never by hand.

use super::check::Check;
use super::claim::Claim;

/// What a seal binds. The order of every list is significant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Contract {
    /// What the work is, in the user's words.
    pub(crate) task: String,
    /// When the plan was made, as its author wrote it.
    pub(crate) created: String,
    /// What the user asked for.
    pub(crate) requirements: Vec<Requirement>,
    /// Programs that must be found before any check runs.
    pub(crate) required_tools: Vec<String>,
    /// Path patterns frozen at sealing.
    pub(crate) pins: Vec<String>,
    /// Path patterns that the work may touch.
    pub(crate) scope: Vec<String>,
    /// Statements about the code that the work rests on.
    pub(crate) claims: Vec<Claim>,
    /// The steps in document order.
    pub(crate) steps: Vec<Step>,
}

/// One thing that the user asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Requirement {
    /// Its name, trimmed.
    pub(crate) id: String,
    /// What is asked.
    pub(crate) description: String,
    /// How much it matters.
    pub(crate) priority: Priority,
}

/// How much a requirement matters: `must` and `should` need a step that covers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Priority {
    /// Needs a step.
    Must,
    /// Needs a step.
    Should,
    /// Needs none.
    May,
}

impl Priority {
    /// Returns the word of the plan format.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Must => "must",
            Self::Should => "should",
            Self::May => "may",
        }
    }
}

/// One step of the work and the checks that prove it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Step {
    /// Its number, at least 1, unique in the plan.
    pub(crate) id: u64,
    /// What it does.
    pub(crate) title: String,
    /// Ids of requirements that it covers, trimmed.
    pub(crate) covers: Vec<String>,
    /// Effective dependencies: in a sequential plan each step depends on the one before it.
    pub(crate) depends_on: Vec<u64>,
    /// Outputs of earlier steps that it needs; checked again just before it runs.
    pub(crate) requires_outputs: Vec<RequiredOutput>,
    /// What it makes for later steps.
    pub(crate) outputs: Vec<Output>,
    /// What proves it: at least one check that runs a program.
    pub(crate) verify: Vec<Check>,
    /// Path patterns that its result depends on.
    pub(crate) inputs: Vec<String>,
    /// Whether it must not run beside another step.
    pub(crate) exclusive: bool,
    /// Paths that it will change.
    pub(crate) modifies: Vec<String>,
    /// Paths that it will add.
    pub(crate) creates: Vec<String>,
    /// Paths that it will remove.
    pub(crate) deletes: Vec<String>,
    /// Symbols that it relies on.
    pub(crate) uses_symbol: Vec<String>,
}

/// An output of an earlier step that a step needs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RequiredOutput {
    /// The step that declares it.
    pub(crate) step: u64,
    /// Its name there.
    pub(crate) name: String,
}

/// A named product of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Output {
    /// Its name, unique in the step.
    pub(crate) name: String,
    /// What proves that it is there.
    pub(crate) verify: Vec<Check>,
}

impl Contract {
    /// Returns the step with this number.
    pub(crate) fn step(&self, id: u64) -> Option<&Step> {
        self.steps.iter().find(|step| step.id == id)
    }
}
