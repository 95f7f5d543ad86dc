//! What commands return: plain values, of which text and JSON are two views.

use super::check::{CheckResult, Met};
use super::export::Document;
use super::finding::Finding;
use super::hook::Hooked;
use super::host::Hosted;
use super::ids::{Digest, Oid, PlanName, RecordId, Writer};
use super::place::Lies;
use super::record::AuditPlace;
use super::state::State;
use super::time::Timestamp;
use super::verdict::Verdict;
pub(crate) use checked::{CheckedLedger, Counts, ListedRecord, Revocation};
pub(crate) use claims::{
    ExplainedType, GivenAnswer, LintedPlan, LintedStep, Preflighted, PreflightedPlan, ShownPlace,
    ShownQuestion, TestedClaim,
};
pub(crate) use log::{Log, LogEntry, LogFilter, Nearest};
pub(crate) use review::{
    Decided, Pinned, Reviewed, ReviewedCommit, ReviewedPlan, ReviewedStep, Signed, SignedAudit,
    SignedClaims, SignedReview, SignedSeal,
};
pub(crate) use running::{RanStep, RanSteps, ShownOutput, StepEnd, StepStatus};
pub(crate) use sealing::{Became, Closed, Compared, Differing, Sealed};
pub(crate) use setup::{ByHand, Deinitialised, Examined, ExaminedGate, Initialised};

mod checked;
mod claims;
mod log;
mod review;
mod running;
mod sealing;
mod setup;

/// The one word of an outcome; it alone fixes the exit code (DESIGN section 11).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word {
    /// Everything is proven.
    Pass,
    /// Something is not.
    Fail,
    /// It cannot be said.
    Unknown,
    /// No plan binds.
    NoPlan,
    /// Done.
    Ok,
    /// Nothing was done.
    Refused,
}

impl Word {
    /// Returns the word of the machine output.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "PASS",
            Self::Fail => "FAIL",
            Self::Unknown => "UNKNOWN",
            Self::NoPlan => "NO_PLAN",
            Self::Ok => "OK",
            Self::Refused => "REFUSED",
        }
    }

    /// Returns the exit code.
    pub(crate) const fn exit(self) -> u8 {
        match self {
            Self::Pass | Self::Ok => 0,
            Self::Fail => 1,
            Self::Refused => 2,
            Self::Unknown | Self::NoPlan => 3,
        }
    }
}

impl From<Verdict> for Word {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::NoPlan => Self::NoPlan,
            Verdict::Pass => Self::Pass,
            Verdict::Unknown => Self::Unknown,
            Verdict::Fail => Self::Fail,
        }
    }
}

/// What a command returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Outcome {
    /// Its word.
    pub(crate) word: Word,
    /// The exit code; the word's own unless the caller asked for another.
    pub(crate) exit: u8,
    /// What a reader should know.
    pub(crate) findings: Vec<Finding>,
    /// What the command was about.
    pub(crate) details: Details,
}

impl Outcome {
    /// Makes an outcome with the exit code of its word.
    pub(crate) fn new(word: Word, findings: Vec<Finding>, details: Details) -> Self {
        Self {
            word,
            exit: word.exit(),
            findings,
            details,
        }
    }

    /// Says whether it is what was asked for, and no refusal. The defects of a plan are what
    /// `validate` is asked for.
    pub(crate) fn is_result(&self) -> bool {
        match &self.details {
            // A hook speaks on standard error: git may read the other stream.
            Details::None | Details::Hook(_) => false,
            Details::Validate(_) => true,
            Details::Init(_)
            | Details::Deinit(_)
            | Details::Doctor(_)
            | Details::Seal(_)
            | Details::Diff(_)
            | Details::Close(_)
            | Details::Anchor(_)
            | Details::Export(_)
            | Details::Sync(_)
            | Details::Audit(_)
            | Details::Run(_)
            | Details::Verify(_)
            | Details::Preflight(_)
            | Details::Questions(_)
            | Details::Answer(_)
            | Details::Lint(_)
            | Details::Explain(_)
            | Details::Status(_)
            | Details::Log(_)
            | Details::Show(_)
            | Details::Fsck(_)
            | Details::Review(_)
            | Details::Decided(_)
            | Details::Revoke(_)
            | Details::Fingerprint(_)
            | Details::Demo(_) => self.word != Word::Refused,
            Details::Host(hosted) => !hosted.is_remark(),
        }
    }

    /// Makes a refusal: nothing was done.
    pub(crate) fn refused(findings: Vec<Finding>) -> Self {
        Self::new(Word::Refused, findings, Details::None)
    }
}

/// What a command was about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Details {
    /// Nothing more to say.
    None,
    /// `init`.
    Init(Box<Initialised>),
    /// `doctor`.
    Doctor(Box<Examined>),
    /// `deinit`.
    Deinit(Box<Deinitialised>),
    /// `validate`: the plans that were read.
    Validate(Vec<ReadPlan>),
    /// `seal`.
    Seal(Box<Sealed>),
    /// `diff`.
    Diff(Vec<Compared>),
    /// `close`.
    Close(Box<Closed>),
    /// `anchor`.
    Anchor(Anchored),
    /// `export`.
    Export(Box<Document>),
    /// `sync`.
    Sync(Box<Synced>),
    /// `audit`.
    Audit(Box<Audited>),
    /// `run`.
    Run(Box<RanSteps>),
    /// `verify`.
    Verify(Vec<JudgedCommit>),
    /// `preflight`.
    Preflight(Box<Preflighted>),
    /// `questions`.
    Questions(Vec<ShownQuestion>),
    /// `answer`.
    Answer(Box<GivenAnswer>),
    /// `claims lint`.
    Lint(Vec<LintedPlan>),
    /// `claims explain`.
    Explain(Vec<ExplainedType>),
    /// `status`.
    Status(Box<Status>),
    /// `log`.
    Log(Box<Log>),
    /// `show`.
    Show(Box<Shown>),
    /// `review`.
    Review(Box<Reviewed>),
    /// `review --approve` and `--reject`.
    Decided(Box<Decided>),
    /// `revoke`.
    Revoke(Box<Revocation>),
    /// `fsck`.
    Fsck(Box<CheckedLedger>),
    /// `fingerprint`.
    Fingerprint(Box<State>),
    /// `host`.
    Host(Box<Hosted>),
    /// `hook`.
    Hook(Box<Hooked>),
    /// `demo`: where it leaves the repository.
    Demo(Box<Demonstrated>),
}

/// What a commit of the protected branch may say of the ledger.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Anchored {
    /// The ledger's tip.
    pub(crate) tip: Oid,
    /// The trailer, without its newline.
    pub(crate) line: String,
}

/// What `sync` did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Synced {
    /// The remote.
    pub(crate) remote: String,
    /// The tip of the ledger here; none where there is no ledger.
    pub(crate) tip: Option<Oid>,
    /// The tip of the ledger there, as far as it is known; none where there is none.
    pub(crate) there: Option<Oid>,
    /// How many lines came.
    pub(crate) received: usize,
    /// How many lines went.
    pub(crate) sent: usize,
    /// Whether two lines of history were joined.
    pub(crate) is_joined: bool,
    /// How many lines were put back that an earlier commit of the ledger held.
    pub(crate) repaired: usize,
    /// What is wrong with the ledger as it is now.
    pub(crate) ledger_findings: Vec<Finding>,
}

/// What `demo` did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Demonstrated {
    /// The repository that it leaves.
    pub(crate) directory: String,
    /// The home that it leaves, with settings and a key.
    pub(crate) home: String,
    /// Its steps.
    pub(crate) steps: Vec<DemoStep>,
}

/// One step of the demo.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct DemoStep {
    /// What it shows.
    pub(crate) title: String,
    /// The command that was run.
    pub(crate) command: String,
    /// Its exit code.
    pub(crate) exit: u8,
}

/// A plan file that was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ReadPlan {
    /// The plan's name.
    pub(crate) name: PlanName,
    /// Its file.
    pub(crate) path: String,
    /// Its bytes as text, for marking places.
    pub(crate) source: String,
    /// The digest of its contract; none when it is not valid.
    pub(crate) contract: Option<Digest>,
    /// How many steps and checks it has.
    pub(crate) steps: usize,
    /// How many checks it has, those of outputs included.
    pub(crate) checks: usize,
}

/// What `audit` found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Audited {
    /// Where the checks ran, or would have run.
    pub(crate) place: AuditPlace,
    /// The plans that were audited.
    pub(crate) plans: Vec<AuditedPlan>,
    /// The tree that was audited.
    pub(crate) tree: Oid,
    /// The state that was audited; none for a checkout that no plan asked for.
    pub(crate) state: Option<State>,
}

/// The audit of one plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AuditedPlan {
    /// The plan's name.
    pub(crate) name: PlanName,
    /// Its verdict.
    pub(crate) verdict: Verdict,
    /// Whether the record can prove a commit.
    pub(crate) usable: bool,
    /// The digest of its contract.
    pub(crate) contract: Digest,
    /// The record; none when it could not be appended.
    pub(crate) record: Option<RecordId>,
    /// What became of its steps.
    pub(crate) steps: Vec<AuditedStep>,
}

/// What became of one step, with what a person wants to see.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AuditedStep {
    /// The step's number.
    pub(crate) id: u64,
    /// What it does.
    pub(crate) title: String,
    /// Whether everything in it gave the expected result.
    pub(crate) met: Met,
    /// Required outputs, checked again just before the step.
    pub(crate) required: Vec<AuditedOutput>,
    /// Its checks.
    pub(crate) checks: Vec<AuditedCheck>,
    /// Its outputs.
    pub(crate) outputs: Vec<AuditedOutput>,
}

impl AuditedStep {
    /// Returns every check: of required outputs, its own, of its outputs.
    pub(crate) fn all_checks(&self) -> impl Iterator<Item = &AuditedCheck> {
        let required = self.required.iter().flat_map(|output| &output.checks);
        let outputs = self.outputs.iter().flat_map(|output| &output.checks);
        required.chain(&self.checks).chain(outputs)
    }
}

/// What became of the checks of one output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AuditedOutput {
    /// The step that declares it.
    pub(crate) step: u64,
    /// Its name.
    pub(crate) name: String,
    /// Its checks.
    pub(crate) checks: Vec<AuditedCheck>,
}

/// What became of one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AuditedCheck {
    /// The check as one line.
    pub(crate) label: String,
    /// Whether it gave the expected result.
    pub(crate) met: Met,
    /// What is recorded.
    pub(crate) result: CheckResult,
    /// What a person is shown of its output, safe to print.
    pub(crate) tail: String,
    /// Environment variables that were withheld from it.
    pub(crate) withheld: Vec<String>,
    /// Where its program lies.
    pub(crate) lies: Lies,
}

/// What is said of one commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JudgedCommit {
    /// The commit.
    pub(crate) commit: Oid,
    /// Its tree.
    pub(crate) tree: Oid,
    /// First line of its message.
    pub(crate) subject: String,
    /// The verdict.
    pub(crate) verdict: Verdict,
    /// The plans that bind.
    pub(crate) plans: Vec<JudgedPlan>,
    /// Whose evidence counts, as a sentence.
    pub(crate) trust: String,
    /// The trust point.
    pub(crate) trust_point: Option<Oid>,
}

/// What is said of one plan at one commit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct JudgedPlan {
    /// The plan's name.
    pub(crate) name: PlanName,
    /// The digest of its contract; none when the file is gone or no plan.
    pub(crate) contract: Option<Digest>,
    /// The verdict; `NoPlan` when it does not count.
    pub(crate) verdict: Verdict,
    /// The seal.
    pub(crate) seal: Option<Evidence>,
    /// The audits that were counted.
    pub(crate) audits: Vec<Evidence>,
    /// Why the last audit of this tree does not count; none where one counts or none is there.
    pub(crate) near: Option<String>,
    /// Whether its lineage has ended, so that it does not count.
    pub(crate) is_closed: bool,
    /// Whether an update is no work of it, so that it does not count.
    pub(crate) is_untouched: bool,
}

impl JudgedPlan {
    /// Returns the word of its verdict; one that has ended, or that an update does not
    /// touch, counts for nothing.
    pub(crate) const fn word(&self) -> &'static str {
        if self.is_closed {
            "CLOSED"
        } else if self.is_untouched {
            "UNTOUCHED"
        } else {
            self.verdict.as_str()
        }
    }
}

/// A record that a judgement rests on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Evidence {
    /// The record.
    pub(crate) record: RecordId,
    /// Who recorded it.
    pub(crate) writer: Writer,
    /// Who that is, where the signers say so.
    pub(crate) principals: Option<String>,
    /// When.
    pub(crate) time: Timestamp,
    /// For an audit: its recomputed verdict, place, platform.
    pub(crate) audit: Option<EvidenceOfAudit>,
}

/// What an audit record says, recomputed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct EvidenceOfAudit {
    /// The verdict, recomputed from the results.
    pub(crate) verdict: Verdict,
    /// Where the checks ran.
    pub(crate) place: &'static str,
    /// Operating system and processor.
    pub(crate) platform: String,
    /// The programs that ran, each once.
    pub(crate) programs: Vec<String>,
    /// Names of tool homes and sealed variables that were set.
    pub(crate) variables: Vec<String>,
}

/// Where everything stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Status {
    /// The branch.
    pub(crate) branch: Option<String>,
    /// The commit checked out.
    pub(crate) head: Option<Oid>,
    /// The tree that all tracked files on disk would make.
    pub(crate) tree: Oid,
    /// Each plan with where it stands and the next command.
    pub(crate) plans: Vec<PlanStatus>,
    /// Commits of this line of work without usable evidence, newest first.
    pub(crate) unproven: Vec<UnprovenCommit>,
    /// How many records count.
    pub(crate) records: usize,
    /// The records that no other one names.
    pub(crate) heads: Vec<RecordId>,
    /// The ledger's tip.
    pub(crate) tip: Option<Oid>,
    /// What is to be said of the ledger.
    pub(crate) ledger_findings: Vec<Finding>,
    /// Whose evidence counts, as a sentence.
    pub(crate) trust: String,
}

/// A commit whose sealed plans lack a usable audit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnprovenCommit {
    /// The commit.
    pub(crate) commit: Oid,
    /// The first line of its message.
    pub(crate) subject: String,
    /// Those plans.
    pub(crate) plans: Vec<PlanName>,
    /// The command that makes evidence.
    pub(crate) next: String,
}

/// Where one plan stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct PlanStatus {
    /// The plan's name.
    pub(crate) name: PlanName,
    /// Its file.
    pub(crate) path: String,
    /// One word: invalid, draft, sealed, edited, removed.
    pub(crate) standing: &'static str,
    /// The digest of its contract.
    pub(crate) contract: Option<Digest>,
    /// Its seal.
    pub(crate) seal: Option<RecordId>,
    /// The verdict of the state on disk, from recorded evidence.
    pub(crate) verdict: Verdict,
    /// Whether work has begun here that is none of its own, so that a push leaves it out.
    pub(crate) is_left_out: bool,
    /// Whether an audit of the state on disk counts.
    pub(crate) audited: bool,
    /// Why the last audit of the state on disk does not count; none where one does or none is there.
    pub(crate) unusable: Option<String>,
    /// The patterns of the files that its contract pins.
    pub(crate) pins: Vec<String>,
    /// How many files its seal froze; none where it is not sealed or the list is not here.
    pub(crate) pinned: Option<usize>,
    /// The paths that its work may touch; empty for any.
    pub(crate) scope: Vec<String>,
    /// How often its steps failed; none for a plan that is not sealed.
    pub(crate) steps: Vec<StepStatus>,
    /// The next command.
    pub(crate) next: String,
}

/// One record, whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shown {
    /// The line of the log.
    pub(crate) entry: LogEntry,
    /// Why it does not count; none when it does.
    pub(crate) unfit: Option<&'static str>,
    /// How it is proven: `ssh`, `hmac` or `by`.
    pub(crate) proof: &'static str,
    /// How many records before it it vouches for.
    pub(crate) covers: u32,
    /// The ledger it belongs to.
    pub(crate) ledger: String,
    /// The objects whose notes hold it.
    pub(crate) notes: Vec<Oid>,
    /// Its body in RFC 8785 form.
    pub(crate) body: String,
    /// What its checks wrote.
    pub(crate) outputs: Vec<ShownOutput>,
    /// The files that it pins, where it is a seal that counts.
    pub(crate) pins: Vec<ShownPin>,
}

/// A file that a seal pins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ShownPin {
    /// Its path, as text.
    pub(crate) path: String,
    /// Its mode as git writes it.
    pub(crate) mode: String,
    /// Its object.
    pub(crate) id: Oid,
    /// Whether the fork point had a file at this path.
    pub(crate) at_fork: bool,
}
