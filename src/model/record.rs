//! Records: lines of evidence, and what the kinds that this version writes hold.

use std::collections::BTreeMap;

use super::check::CheckResult;
use super::claim::gate::Gate;
use super::ids::{AttemptId, Digest, InstanceId, LedgerId, Oid, PlanName, RecordId, Writer};
use super::pins::Pins;
use super::state::{Flag, State};
use super::time::Timestamp;

/// What a record is about; decides its effect (DESIGN 7.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Kind {
    /// An answer to a question of a plan.
    Answer,
    /// An audit of one plan.
    Audit,
    /// Results of claims.
    Claims,
    /// The end of a lineage.
    Close,
    /// Evidence taken over from another tool.
    Import,
    /// The first record of a chain.
    Instance,
    /// A question that a plan raises.
    Question,
    /// A statement of requirements by the host.
    Request,
    /// A person's decision.
    Review,
    /// A key or record that no longer counts.
    Revoke,
    /// Results of single steps.
    Run,
    /// The approval of a contract.
    Seal,
    /// A failure that was accepted.
    Waiver,
}

impl Kind {
    /// Every kind with its word.
    pub(crate) const TABLE: [(Self, &'static str); 13] = [
        (Self::Answer, "answer"),
        (Self::Audit, "audit"),
        (Self::Claims, "claims"),
        (Self::Close, "close"),
        (Self::Import, "import"),
        (Self::Instance, "instance"),
        (Self::Question, "question"),
        (Self::Request, "request"),
        (Self::Review, "review"),
        (Self::Revoke, "revoke"),
        (Self::Run, "run"),
        (Self::Seal, "seal"),
        (Self::Waiver, "waiver"),
    ];

    /// Returns the word in records.
    pub(crate) fn as_str(self) -> &'static str {
        Self::TABLE
            .into_iter()
            .find(|(kind, _)| *kind == self)
            .map_or("", |(_, word)| word)
    }

    /// Reads the word in records.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::TABLE
            .into_iter()
            .find(|(_, word)| *word == text)
            .map(|(kind, _)| kind)
    }
}

/// What the holder of a key does with a proof: the namespace of an SSH signature (DESIGN section 8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Role {
    /// States what was done: namespace `git-plan-audit`.
    Record,
    /// Decides: namespace `git-plan-audit-approve`.
    Approve,
}

impl Kind {
    /// Says whether a record of this kind may be proven in the approve role: it decides something,
    /// or opens the chain of who does.
    pub(crate) const fn is_decision(self) -> bool {
        match self {
            Self::Answer
            | Self::Close
            | Self::Instance
            | Self::Request
            | Self::Review
            | Self::Revoke
            | Self::Seal
            | Self::Waiver => true,
            Self::Audit | Self::Claims | Self::Import | Self::Question | Self::Run => false,
        }
    }
}

/// What comes before a record's body; bound by its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    /// What the record is about, as written; unknown kinds have no effect.
    pub(crate) kind: String,
    /// The ledger it belongs to.
    pub(crate) ledger: LedgerId,
    /// The key that proves it.
    pub(crate) writer: Writer,
    /// The clone that wrote it.
    pub(crate) instance: InstanceId,
    /// The record before it in its chain, then other heads that its writer has seen.
    pub(crate) prev: Vec<RecordId>,
    /// When it was written; shown, never compared.
    pub(crate) time: Timestamp,
    /// The commit whose note holds it; the empty tree before the first commit.
    pub(crate) head: Oid,
    /// How many records before it in its chain it vouches for.
    pub(crate) covers: u32,
}

/// What makes a record authentic.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Proof {
    /// The raw SSHSIG blob.
    Ssh(Vec<u8>),
    /// An HMAC with a key by its id.
    Hmac {
        /// The first 16 hex digits of SHA-256 over the key.
        key: String,
        /// HMAC-SHA-256.
        mac: Digest,
    },
    /// A later record of the same append vouches for it.
    By(RecordId),
}

/// One line of evidence, well formed; nothing is said yet about who wrote it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    /// What comes before the body.
    pub(crate) header: Header,
    /// The body in RFC 8785 form.
    pub(crate) body: String,
    /// The digest of the line up to here.
    pub(crate) id: RecordId,
    /// What makes it authentic.
    pub(crate) proof: Proof,
}

/// Body of `instance`: opens a chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InstanceBody {
    /// Why a new chain was opened; none for the first of a clone.
    pub(crate) reason: Option<String>,
    /// Version of the tool.
    pub(crate) tool: String,
}

/// A blob that the ledger keeps, by its git id and its own digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Kept {
    /// The git id.
    pub(crate) blob: Oid,
    /// Its length in bytes.
    pub(crate) bytes: u64,
    /// SHA-256 of its bytes.
    pub(crate) sha256: Digest,
}

/// Body of `seal`: a contract was approved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SealBody {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// Digest of the contract.
    pub(crate) contract: Digest,
    /// Where its canonical bytes are.
    pub(crate) kept: Kept,
    /// Seals that it continues.
    pub(crate) continues: Vec<RecordId>,
    /// Its number in the lineage, from 1.
    pub(crate) generation: u32,
    /// The branch it was made on.
    pub(crate) branch: Option<String>,
    /// The profile in force.
    pub(crate) profile: String,
    /// The files that its contract pins; none where it pins nothing.
    pub(crate) pins: Option<SealedPins>,
    /// Why a new generation was begun; none where none was.
    pub(crate) reason: Option<String>,
}

/// Where a seal has the files that its contract pins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SealedPins {
    /// In the line.
    Listed(Pins),
    /// In a blob, where they are too many for the line (D22).
    Kept(Kept),
}

/// Body of `claims`: what a contract claims was tested at a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ClaimsBody {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// Digest of the contract.
    pub(crate) contract: Digest,
    /// Where its canonical bytes are: they say what was tested.
    pub(crate) kept: Kept,
    /// The commit at which it was tested.
    pub(crate) commit: Oid,
    /// What all results add up to.
    pub(crate) gate: Gate,
    /// Where the evidence is, one piece for each statement.
    pub(crate) evidence: Kept,
    /// Version of the tool.
    pub(crate) tool: String,
}

/// Body of `close`: a lineage came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct CloseBody {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// Digest of the contract.
    pub(crate) contract: Digest,
    /// The seals that it ends; at least one.
    pub(crate) seals: Vec<RecordId>,
    /// How it ended.
    pub(crate) ending: Ending,
}

/// How a lineage ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Ending {
    /// Its contract was proven.
    Done {
        /// The commit that was judged.
        commit: Oid,
        /// Its tree.
        tree: Oid,
    },
    /// It was given up.
    Abandoned {
        /// Why.
        reason: String,
    },
}

/// Body of `revoke`: something no longer counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RevokeBody {
    /// What is taken back.
    pub(crate) what: Revoked,
    /// Why.
    pub(crate) reason: String,
}

/// What a `revoke` takes back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Revoked {
    /// One record.
    Record(RecordId),
    /// What a key wrote and its last record that counts has not seen.
    Key {
        /// The key.
        writer: Writer,
        /// That record; none if none counts.
        last: Option<RecordId>,
    },
}

/// Body of `review`: what a person decided on a commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReviewBody {
    /// The trust point that the reviewer saw; none where there was none.
    pub(crate) base: Option<Oid>,
    /// The commit that was looked at.
    pub(crate) commit: Oid,
    /// Its tree.
    pub(crate) tree: Oid,
    /// What was decided.
    pub(crate) decision: Decision,
    /// Why, in the reviewer's words.
    pub(crate) text: String,
    /// The sealed contracts that it held, by plan.
    pub(crate) plans: BTreeMap<PlanName, ReviewedContract>,
    /// What carries trust in it and is not as at the trust point: mode and object by path from
    /// `.plan-auditor/`, none where nothing is there. Empty where no change of trust was decided on.
    pub(crate) trust: TrustChange,
}

/// Files that carry trust and differ, with what they are now; none where one is gone.
pub(crate) type TrustChange = BTreeMap<String, Option<(u32, Oid)>>;

/// A sealed contract that a reviewer saw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ReviewedContract {
    /// Its digest.
    pub(crate) contract: Digest,
    /// The seal that stood.
    pub(crate) seal: RecordId,
}

/// What a reviewer decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Decision {
    /// It may go on.
    Approve,
    /// It may not.
    Reject,
}

impl Decision {
    /// Returns the word in records.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
        }
    }

    /// Reads the word in records.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut all = [Self::Approve, Self::Reject].into_iter();
        all.find(|decision| decision.as_str() == text)
    }
}

/// Body of `audit`: every check of one plan was run on one state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AuditBody {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// Digest of the contract that was audited.
    pub(crate) contract: Digest,
    /// Where the checks ran.
    pub(crate) place: AuditPlace,
    /// Operating system and processor.
    pub(crate) platform: String,
    /// Version of the tool.
    pub(crate) tool: String,
    /// The state before the first check.
    pub(crate) before: State,
    /// The state after the last check.
    pub(crate) after: State,
    /// What became of the steps, in the order of the contract; empty when they are `kept`.
    pub(crate) steps: Vec<StepResult>,
    /// Where the step results are when they are too long for the line (D22).
    pub(crate) kept: Option<Kept>,
}

impl AuditBody {
    /// Says whether the tree was there before the checks or after them: a check that fails may write
    /// to a tracked file, and its failure is of the tree that it was given all the same.
    pub(crate) fn saw(&self, tree: &Oid) -> bool {
        [self.before.tree, self.after.tree].contains(tree)
    }
}

/// Body of `run`: single steps of one plan were run. It never makes a verdict (D5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunBody {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// Digest of the contract whose steps were run.
    pub(crate) contract: Digest,
    /// The run that it tells of; what two records say of one run is one attempt.
    pub(crate) attempt: AttemptId,
    /// Operating system and processor.
    pub(crate) platform: String,
    /// Version of the tool.
    pub(crate) tool: String,
    /// How the run ended.
    pub(crate) end: RunEnd,
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum RunEnd {
    /// It lived to tell.
    Told(RunTold),
    /// It was killed while these steps ran; ascending, never empty.
    Killed(Vec<u64>),
}

/// What a run that lived tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct RunTold {
    /// The content before the first check.
    pub(crate) before: Digest,
    /// The content after the last check.
    pub(crate) after: Digest,
    /// Why steps were run although their attempts were used up.
    pub(crate) forced: Option<String>,
    /// What became of the steps that were begun; empty when they are `kept`, and only then.
    pub(crate) steps: Vec<StepResult>,
    /// Where the step results are when they are too long for the line (D22).
    pub(crate) kept: Option<Kept>,
}

/// A step that is about to be run, written down before it starts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Intent {
    /// The plan's name.
    pub(crate) plan: PlanName,
    /// Digest of the contract.
    pub(crate) contract: Digest,
    /// The run that it belongs to.
    pub(crate) attempt: AttemptId,
    /// The step's number.
    pub(crate) step: u64,
}

/// Where checks ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AuditPlace {
    /// In the work tree.
    Worktree,
    /// In a private checkout of one tree.
    Checkout,
}

impl AuditPlace {
    /// Returns the word in records.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Worktree => "worktree",
            Self::Checkout => "checkout",
        }
    }

    /// Says whether nothing that matters in this place changed between two states.
    pub(crate) fn is_steady(self, before: &State, after: &State) -> bool {
        before.is_same(after) && self.changed_flags(before, after).next().is_none()
    }

    /// Lists the flags that differ and matter in this place: in a checkout no file may even be
    /// touched (D7).
    pub(crate) fn changed_flags(self, before: &State, after: &State) -> impl Iterator<Item = Flag> {
        let all = Flag::TABLE.into_iter().map(|(flag, ..)| flag);
        let matters = move |flag: &Flag| {
            !flag.may_change() || (self == Self::Checkout && *flag == Flag::Touched)
        };
        all.filter(matters)
            .filter(|flag| before.flags.get(flag) != after.flags.get(flag))
    }
}

/// What became of one step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct StepResult {
    /// The step's number.
    pub(crate) id: u64,
    /// Required outputs, checked again just before the step; in the order of the contract.
    pub(crate) required: Vec<OutputResult>,
    /// Its checks, in the order of the contract.
    pub(crate) checks: Vec<CheckResult>,
    /// Its outputs, in the order of the contract.
    pub(crate) outputs: Vec<OutputResult>,
}

/// What became of the checks of one output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OutputResult {
    /// The step that declares it.
    pub(crate) step: u64,
    /// Its name.
    pub(crate) name: String,
    /// Its checks, in the order of the contract.
    pub(crate) checks: Vec<CheckResult>,
}
