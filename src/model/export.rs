//! What is handed to other tools: a judgement as it was made, with the results that it rests on.

use super::check::Met;
use super::finding::Finding;
use super::ids::{Digest, RecordId};
use super::outcome::JudgedCommit;
use super::time::Timestamp;

/// A form in which other tools read it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    /// An in-toto statement with the test-result predicate.
    InToto,
    /// A SLSA verification summary.
    Vsa,
    /// `JUnit` XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
}

impl Form {
    /// Returns the word of the command line.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::InToto => "in-toto",
            Self::Vsa => "vsa",
            Self::Junit => "junit",
            Self::Sarif => "sarif",
        }
    }

    /// Says whether it is a statement, which stands in a signed envelope.
    pub(crate) const fn is_statement(self) -> bool {
        match self {
            Self::InToto | Self::Vsa => true,
            Self::Junit | Self::Sarif => false,
        }
    }
}

/// A judgement and what it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Exported {
    /// The judgement, as `verify` makes it.
    pub(crate) judged: JudgedCommit,
    /// What is to be said of it.
    pub(crate) findings: Vec<Finding>,
    /// What its plans rest on, in the order of the plans of the judgement.
    pub(crate) plans: Vec<ExportedPlan>,
    /// When it was judged.
    pub(crate) now: Timestamp,
}

/// What the judgement of a plan rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ExportedPlan {
    /// SHA-256 of the canonical bytes of its contract; none where the file is no plan.
    pub(crate) contract: Option<Digest>,
    /// The records: the seal, then the audits that count.
    pub(crate) records: Vec<RecordId>,
    /// Its checks with their results in the audit that decides; in the order of the contract.
    pub(crate) checks: Vec<ExportedCheck>,
}

/// One check and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ExportedCheck {
    /// The step that it belongs to.
    pub(crate) step: u64,
    /// What the step does.
    pub(crate) title: String,
    /// Its name, unique in the plan: step, place in the step, and the check as one line.
    pub(crate) name: String,
    /// Whether it gave the sealed result; none where no audit that counts tells.
    pub(crate) met: Option<Met>,
    /// How it ended, in words.
    pub(crate) ended: String,
    /// How long it took, in milliseconds.
    pub(crate) duration_ms: u64,
}

/// What whoever asks for a verification summary says of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Summary {
    /// What was verified, as its consumers name it: a URI.
    pub(crate) resource: String,
    /// Who verified, as consumers name it: a URI.
    pub(crate) verifier: String,
}

/// A document for another tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Document {
    /// Its form.
    pub(crate) form: Form,
    /// Its text.
    pub(crate) text: String,
    /// Whether it is signed.
    pub(crate) is_signed: bool,
}
