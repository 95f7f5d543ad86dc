//! What the engine needs of the world, as small interfaces; `app` wires the real ones.

use crate::ledger::notes::{Anchor, Batch, Entry};
pub(crate) use crate::model::check::Ran;
use crate::model::check::{Captured, Check};
pub(crate) use crate::model::checkout::{CheckoutError, Lack, Source, Staged, Wanted};
use crate::model::claim::evidence::Evidence;
use crate::model::claim::statement::Statement;
use crate::model::exchange::Exchange;
use crate::model::files::Files;
use crate::model::ids::{AttemptId, Oid, RecordId, Writer};
use crate::model::outcome::AuditedStep;
use crate::model::record::{Intent, Proof, Role};
pub(crate) use crate::model::repository::{
    Commit, Identity, Meeting, PlanFile, TreeEntry, TrustRef, Walk,
};
pub(crate) use crate::model::state::StateError;
use crate::model::state::{Glance, State};
use crate::model::time::Timestamp;

/// A cause that an adapter hands up: its text names what could not be done, and to what.
pub(crate) type Cause = Box<dyn std::error::Error + Send + Sync>;

/// The repository's objects and refs; nothing is written. Replace objects and grafts are off.
pub(crate) trait Objects {
    /// Resolves a revision to the commit it names, peeling tags; none if there is no such one.
    fn resolve(&self, revision: &str) -> Result<Option<Commit>, Cause>;
    /// Reads a commit; none when the object is not here.
    fn commit(&self, id: &Oid) -> Result<Option<Commit>, Cause>;
    /// Reads the entries of a directory of a tree (`""` is the top); none if there is none.
    fn entries(&self, tree: &Oid, directory: &str) -> Result<Option<Vec<TreeEntry>>, Cause>;
    /// Lists every file, link and submodule of a tree; one that is not all here is an error.
    fn files(&self, tree: &Oid) -> Result<Files, Cause>;
    /// Reads a blob; none when the object is not here.
    fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, Cause>;
    /// Says whether an id leads, over tags, to a tree or a blob that is here.
    fn is_content(&self, id: &Oid) -> Result<bool, Cause>;
    /// Returns the id of the empty tree in this repository's format.
    fn empty_tree(&self) -> Oid;
    /// Finds the tip of the first of REMOTE/HEAD, REMOTE/main, REMOTE/master of the upstream's
    /// remote, else of origin (DESIGN section 8). In a bare repository: the branch HEAD names.
    fn default_base(&self) -> Result<Option<TrustRef>, Cause>;
    /// Lists the commits that are reachable from `tip` and not from `stop`.
    fn between(&self, tip: &Oid, stop: Option<&Oid>) -> Result<Walk, Cause>;
    /// Finds a merge base of two commits.
    fn merge_base(&self, one: &Oid, other: &Oid) -> Result<Meeting, Cause>;
    /// Returns the full name of the branch that is checked out; none where HEAD is detached.
    fn branch(&self) -> Result<Option<String>, Cause>;
    /// Returns the full name of the reference to which a symbolic one leads in the end; of any other, its own.
    fn end_of(&self, name: &str) -> Result<String, Cause>;
    /// Says whether a remote is configured.
    fn has_remote(&self) -> bool;
    /// Says how the evidence here stands to that of the remote it goes to; none where it goes nowhere.
    fn exchange(&self) -> Option<Exchange>;
}

/// A statement to be tested, and what an earlier test of it gave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'q> {
    /// What is stated.
    pub(crate) statement: &'q Statement,
    /// Evidence of another commit, which may be taken over where all that it rests on is the same.
    pub(crate) earlier: Option<&'q Evidence>,
}

/// Tests what claims state, on git's objects alone: starts nothing, writes nothing (PREFLIGHT).
pub(crate) trait Prober {
    /// Says whether this process was told to stop: what was tested since then is not to be relied on.
    fn is_stopped(&self) -> bool;
    /// Tests statements at a commit, in their order, and says of each whether it was taken over.
    fn test(&self, commit: &Commit, questions: &[Question<'_>]) -> Vec<(Evidence, Taken)>;
    /// Tests statements on files that are in no tree yet, as if the commit held them. What is given is no
    /// evidence that anybody else could make.
    fn test_files(
        &self,
        commit: &Commit,
        files: &Files,
        questions: &[Question<'_>],
    ) -> Vec<(Evidence, Taken)>;
}

/// How evidence was come by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Taken {
    /// It was found anew.
    Anew,
    /// It is that of an earlier commit, for all that it rests on is the same.
    Over,
}

/// The work tree.
pub(crate) trait Workspace {
    /// Takes the state (DESIGN section 6). Reads only; no lock, no index refresh.
    fn state(&self) -> Result<State, StateError>;
    /// Glances at it: what git saw unchanged is believed. Reads only; for what is told, never for
    /// what is recorded or judged.
    fn glance(&self) -> Result<Glance, StateError>;
    /// Lists the plan files on disk, `default` first, then by name; also files with names that no
    /// plan may have, as errors in `content` under a name made of what is left.
    fn plans(&self) -> Result<Vec<PlanFile>, Cause>;
    /// Says whether `.plan-auditor/request.json` is there.
    fn has_request(&self) -> Result<bool, Cause>;
    /// Says whether git ignores a path that is not tracked.
    fn ignores(&self, path: &str) -> Result<bool, Cause>;
    /// Says whether a path is tracked: in the index, or in a submodule that is.
    fn tracks(&self, path: &str) -> Result<bool, Cause>;
    /// Begins to watch the files that a state has seen.
    fn watch(&self, state: &State) -> Box<dyn Watched>;
}

/// Files that are watched.
pub(crate) trait Watched {
    /// Counts what is looked at.
    fn count(&self) -> usize;
    /// Says whether it lies in memory, where a write through a mapping that is taken back before the next
    /// look leaves no trace.
    fn is_in_memory(&self) -> bool;
    /// Lists the paths that were touched since the last call, or since watching began (D7).
    fn touched(&self) -> Vec<Vec<u8>>;
}

/// Private checkouts of one tree (DESIGN section 9).
pub(crate) trait Checkouts {
    /// Reads what is staged: its tree and its plan files. Nothing is written.
    fn staged(&self) -> Result<Staged, CheckoutError>;
    /// Writes a checkout, reads it again, and demands that it is the tree that is wanted.
    fn make(&self, wanted: &Wanted) -> Result<Box<dyn Checkout + '_>, CheckoutError>;
}

/// A private checkout; it is removed when it is dropped.
pub(crate) trait Checkout {
    /// Returns its state as it was written.
    fn before(&self) -> &State;
    /// Takes its state now.
    fn state(&self) -> Result<State, StateError>;
    /// Returns what watches its tracked files since it was written.
    fn watched(&self) -> &dyn Watched;
    /// Returns what runs checks in it.
    fn runner(&self) -> &dyn Runner;
    /// Lists what its tree names and it has not.
    fn lacks(&self) -> &[Lack];
    /// Removes it; an error says what is left, and where.
    fn remove(self: Box<Self>) -> Result<(), Cause>;
}

/// What a step says that runs beside others.
#[derive(Debug)]
pub(crate) enum Said {
    /// A check of this step begins.
    CheckStarted {
        /// The step's number.
        step: u64,
        /// The check as one line.
        label: String,
    },
    /// It has ended; nothing comes after that.
    Ended(Box<AuditedStep>),
}

/// A step that runs beside others: it is given what runs its checks, and what hears of it.
pub(crate) type Work<'a> = Box<dyn FnOnce(&dyn Runner, &dyn Fn(Said)) + Send + 'a>;

/// Answers what steps say with those that begin next; first of all without being told anything.
pub(crate) type Lead<'l, 'a> = &'l mut dyn FnMut(Option<Said>) -> Vec<Work<'a>>;

/// Runs checks in one directory.
pub(crate) trait Runner {
    /// Runs one check of a step to its end.
    fn run(&self, check: &Check, step: u64) -> Ran;
    /// Does work side by side until there is no more.
    ///
    /// Says whether processes were left behind of which nobody can tell whose they were; they are
    /// ended.
    fn side_by_side(&self, lead: Lead<'_, '_>) -> bool;
    /// Says whether a program of `required_tools` is found.
    fn finds(&self, tool: &str) -> bool;
    /// Says whether we were told to stop.
    fn interrupted(&self) -> bool;
}

/// What one check wrote, or what is kept of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written<'a> {
    /// Length and digest of all of it.
    pub(crate) captured: &'a Captured,
    /// The beginning.
    pub(crate) head: &'a [u8],
    /// What follows, or the end.
    pub(crate) tail: &'a [u8],
}

/// What was kept of what a check wrote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// Its bytes.
    pub(crate) bytes: Vec<u8>,
    /// Whether these are all of it, as its digest says; else nobody can say whose they are.
    pub(crate) is_whole: bool,
}

/// What checks wrote, by digest, as long as the local store has room: no evidence.
pub(crate) trait Outputs: std::fmt::Debug + Send + Sync {
    /// Keeps what a check wrote. What cannot be kept is not.
    fn keep(&self, written: &Written<'_>);
    /// Finds what a check wrote.
    fn find(&self, captured: &Captured) -> Option<Found>;
}

/// Hears what checks write, while they do.
pub(crate) trait Ear: std::fmt::Debug + Send + Sync {
    /// Hears a piece of what a check of this step writes.
    fn hear(&self, step: u64, piece: &[u8]);
}

/// Proves records with one key.
pub(crate) trait Signer {
    /// Returns the name of the key.
    fn writer(&self) -> Writer;
    /// Proves a record in a role.
    fn prove(&self, id: &RecordId, role: Role) -> Result<Proof, Cause>;
    /// Signs a document for other tools, in a namespace that proves no record; a raw SSHSIG blob. None
    /// where the key makes nothing that outsiders could check.
    fn sign_export(&self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Cause>;
}

/// Why a lock was not taken.
#[derive(Debug)]
pub(crate) enum LockError {
    /// Somebody holds it; who, as they wrote down.
    Held(String),
    /// It cannot be used.
    Broken(Cause),
}

/// A lock that is held until it is dropped.
pub(crate) trait Held: std::fmt::Debug {}

/// A step that is under way, as long as this lives.
pub(crate) trait Begun: std::fmt::Debug {
    /// Forgets it: its result is recorded.
    fn close(self: Box<Self>) -> Result<(), Cause>;
}

/// Whether the run that wrote something down lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Run {
    /// It does.
    Alive,
    /// It was killed.
    Killed,
}

/// A step that was written down before it started, and not forgotten yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Noticed {
    /// The name that [`Local::forget_intent`] takes.
    pub(crate) name: String,
    /// What was written down.
    pub(crate) intent: Intent,
    /// What became of its run.
    pub(crate) run: Run,
}

/// Local files that are no evidence.
pub(crate) trait Local {
    /// Takes the append lock of this clone, waiting a bounded time; an error names the holder.
    fn lock_append(&self) -> Result<Box<dyn Held>, Cause>;
    /// Takes the audit lock of this worktree without waiting; an error names the holder.
    fn lock_audit(&self) -> Result<Box<dyn Held>, LockError>;
    /// Reads the anchor of a writer's chain.
    fn anchor(&self, writer: &Writer) -> Option<Anchor>;
    /// Replaces it.
    fn set_anchor(&self, writer: &Writer, anchor: &Anchor) -> Result<(), Cause>;
    /// Keeps a batch that could not be appended (D24).
    fn keep_pending(&self, batch: &Batch) -> Result<(), Cause>;
    /// Lists the batches that wait, oldest first, by a name that [`Local::drop_pending`] takes.
    fn pending(&self) -> Result<Vec<(String, Batch)>, Cause>;
    /// Forgets a batch that was appended.
    fn drop_pending(&self, name: &str) -> Result<(), Cause>;
    /// Keeps what could not be proven, where nobody who can only write to the repository can write:
    /// it is signed later without a further look.
    fn keep_unproven(&self, identity: &Identity, entry: &Entry) -> Result<(), Cause>;
    /// Lists what this clone kept so, oldest first, by a name that [`Local::drop_unproven`] takes.
    fn unproven(&self, identity: &Identity) -> Result<Vec<(String, Entry)>, Cause>;
    /// Forgets what was appended.
    fn drop_unproven(&self, name: &str) -> Result<(), Cause>;
    /// Draws the random id of a run.
    fn draw_attempt(&self) -> Result<AttemptId, Cause>;
    /// Writes down durably that a step is about to start.
    fn begin(&self, intent: &Intent) -> Result<Box<dyn Begun>, Cause>;
    /// Lists the steps that are written down. Whoever can write to the git directory can plant one.
    fn intents(&self) -> Result<Vec<Noticed>, Cause>;
    /// Forgets a step whose run was killed.
    fn forget_intent(&self, name: &str) -> Result<(), Cause>;
}

/// What asking a remote for its ledger gave.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fetched {
    /// Its tip, whose objects are here now.
    Ledger(Oid),
    /// It has none.
    Nothing,
    /// It has no ledger and can take none: this reference of its own is in the way.
    Obstructed(String),
    /// It did not answer, and why.
    Unreachable(String),
}

/// What became of sending the ledger to a remote.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Pushed {
    /// It is there.
    Done,
    /// The remote has moved: it holds what the tip does not follow.
    Behind,
    /// The remote does not take it, and why, in its words.
    Refused(String),
    /// It did not answer, and why.
    Unreachable(String),
}

/// Carries the ledger from and to remotes, without hooks and never by force.
pub(crate) trait Transport {
    /// Lists the remotes that are configured, by name.
    fn remotes(&self) -> Vec<String>;
    /// Returns the remote that `planAudit.remote` names.
    fn chosen(&self) -> Option<String>;
    /// Returns the remote of the present branch.
    fn upstream(&self) -> Option<String>;
    /// Returns the tip of a remote's ledger as this clone saw it last.
    fn last_seen(&self, remote: &str) -> Result<Option<Oid>, Cause>;
    /// Brings the objects of a remote's ledger here; no ref moves.
    fn fetch(&self, remote: &str) -> Result<Fetched, Cause>;
    /// Sends a tip as a fast-forward, to an address that is known better than the configured one, or
    /// to that.
    fn push(&self, remote: &str, url: Option<&str>, tip: &Oid) -> Result<Pushed, Cause>;
    /// Notes down what a remote's ledger is now.
    fn saw(&self, remote: &str, tip: &Oid) -> Result<(), Cause>;
    /// Says whether somebody's `git notes merge` of the ledger is not ended.
    fn is_merging(&self) -> Result<bool, Cause>;
}

/// Tells the time.
pub(crate) trait Clock {
    /// Returns the present second.
    fn now(&self) -> Timestamp;
}
