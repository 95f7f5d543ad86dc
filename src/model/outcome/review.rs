//! What `review` tells of commits, for people who must decide.

use super::{AuditedStep, Differing, Evidence, JudgedPlan};
use crate::model::change::Change;
use crate::model::check::Met;
use crate::model::claim::gate::Gate;
use crate::model::contract::Requirement;
use crate::model::finding::Finding;
use crate::model::ids::{Oid, RecordId};
use crate::model::record::ReviewBody;
use crate::model::text::counted;
use crate::model::verdict::Verdict;

/// What `review` tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reviewed {
    /// The commits, the tip last.
    pub(crate) commits: Vec<ReviewedCommit>,
    /// The files that were written, as the caller named them.
    pub(crate) wrote: Vec<String>,
    /// The report in Markdown, where that is to be written in the place of text.
    pub(crate) markdown: Option<String>,
}

/// One commit: the verdict, and all that it rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReviewedCommit {
    /// The commit.
    pub(crate) commit: Oid,
    /// Its tree.
    pub(crate) tree: Oid,
    /// First line of its message.
    pub(crate) subject: String,
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// Whose evidence counts, as a sentence.
    pub(crate) trust: String,
    /// The trust point.
    pub(crate) trust_point: Option<Oid>,
    /// What the judge found; those of one plan name it.
    pub(crate) findings: Vec<Finding>,
    /// The plans that bind.
    pub(crate) plans: Vec<ReviewedPlan>,
    /// What people decided on the commit or its tree, the first first.
    pub(crate) reviews: Vec<SignedReview>,
    /// Waivers that name the commit; this version gives them no effect.
    pub(crate) waivers: Vec<Signed>,
}

/// One plan at one commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReviewedPlan {
    /// What the judge says of it.
    pub(crate) judged: JudgedPlan,
    /// What the work is, in the user's words; none where the file is gone or no plan.
    pub(crate) task: Option<String>,
    /// The seals of its lineage, the one that stands first.
    pub(crate) seals: Vec<SignedSeal>,
    /// Of a plan that is not sealed: what differs from the seals that it should continue.
    pub(crate) changes: Vec<Differing>,
    /// What the user asked for.
    pub(crate) requirements: Vec<Requirement>,
    /// The steps of the contract.
    pub(crate) steps: Vec<ReviewedStep>,
    /// The audits that were counted.
    pub(crate) audits: Vec<SignedAudit>,
    /// The files that are frozen; none where the contract pins none.
    pub(crate) pins: Option<Pinned>,
    /// The paths that the work may touch; empty for any.
    pub(crate) scope: Vec<String>,
    /// Tests of what the contract claims.
    pub(crate) claims: Vec<SignedClaims>,
}

/// A record with who proved it, and in which role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signed {
    /// The record and who wrote it.
    pub(crate) evidence: Evidence,
    /// Whether it was proven in the approve role by a key that may approve.
    pub(crate) is_approved: bool,
}

impl Signed {
    /// Returns the role in which it counts.
    pub(crate) const fn role(&self) -> &'static str {
        if self.is_approved {
            "approve"
        } else {
            "record"
        }
    }
}

/// One seal of a lineage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SignedSeal {
    /// The record.
    pub(crate) signed: Signed,
    /// Its number in the lineage, from 1.
    pub(crate) generation: u32,
    /// Why a new generation was begun; none where none was.
    pub(crate) reason: Option<String>,
    /// The branch it was made on.
    pub(crate) branch: Option<String>,
    /// What differs from the seals that it continues.
    pub(crate) changes: Vec<Differing>,
}

/// One audit that was counted. Its verdict, place and platform are in its evidence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SignedAudit {
    /// The record.
    pub(crate) signed: Signed,
    /// Version of the tool that ran it.
    pub(crate) tool: String,
    /// The commit that was checked out where it ran.
    pub(crate) head: Option<Oid>,
    /// The branch that was.
    pub(crate) branch: Option<String>,
}

/// What somebody decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SignedReview {
    /// The record.
    pub(crate) signed: Signed,
    /// What it says.
    pub(crate) body: ReviewBody,
    /// Why it does not count for this commit; none where it does.
    pub(crate) unfit: Option<&'static str>,
}

/// What `review --approve` or `--reject` recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Decided {
    /// The record.
    pub(crate) record: RecordId,
    /// What it says.
    pub(crate) body: ReviewBody,
    /// Whether the same key had decided the same before.
    pub(crate) already: bool,
}

/// One step of a contract.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReviewedStep {
    /// Its number.
    pub(crate) id: u64,
    /// What it does.
    pub(crate) title: String,
    /// Ids of requirements that it covers.
    pub(crate) covers: Vec<String>,
    /// Its own checks and those of its outputs, each as one line.
    pub(crate) checks: Vec<String>,
    /// Its failed attempts over the lineage; none where no seal stands.
    pub(crate) failed: Option<u64>,
    /// The worst of all results; none where no audit was counted.
    pub(crate) met: Option<Met>,
    /// What became of it, one for each audit that was counted, in their order.
    pub(crate) results: Vec<AuditedStep>,
}

/// The files that a seal froze.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pinned {
    /// Their patterns.
    pub(crate) patterns: Vec<String>,
    /// How many files they are; none where no seal stands or the list is not here.
    pub(crate) files: Option<usize>,
    /// What became of them against the contract: empty where they are untouched.
    pub(crate) drift: Vec<Change>,
}

/// A test of what a contract claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SignedClaims {
    /// The record.
    pub(crate) signed: Signed,
    /// The commit at which they were tested.
    pub(crate) commit: Oid,
    /// What they added up to.
    pub(crate) gate: Gate,
}

impl ReviewedStep {
    /// Counts its failed attempts in words; none where there is none, or no seal stands.
    pub(crate) fn attempts(&self) -> Option<String> {
        let failed = self.failed.filter(|failed| *failed > 0)?;
        let count = usize::try_from(failed).unwrap_or(usize::MAX);
        Some(counted(count, "failed attempt"))
    }
}

impl Pinned {
    /// Says how many files are frozen and whether they are as sealed; none where that is not known.
    pub(crate) fn frozen(&self) -> Option<String> {
        let files = counted(self.files?, "file");
        Some(match self.drift.len() {
            0 => format!("{files} frozen, untouched"),
            drift => format!("{files} frozen, {} not as sealed", counted(drift, "file")),
        })
    }
}

impl ReviewedPlan {
    /// Returns the steps that cover a requirement.
    pub(crate) fn covering(
        &self,
        requirement: &Requirement,
    ) -> impl Iterator<Item = &ReviewedStep> {
        let id = &requirement.id;
        self.steps
            .iter()
            .filter(move |step| step.covers.contains(id))
    }

    /// Returns the steps that cover nothing that was asked for.
    pub(crate) fn beside(&self) -> impl Iterator<Item = &ReviewedStep> {
        let is_asked_for = |id: &String| self.requirements.iter().any(|each| each.id == *id);
        let covers = move |step: &&ReviewedStep| !step.covers.iter().any(is_asked_for);
        self.steps.iter().filter(covers)
    }
}
