//! A small world in memory behind the engine's ports: commits, notes, a work tree, clones with keys.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::Arc;

use ssh_encoding::Encode as _;

use super::audit::{self, Subject, audit};
use super::events::Listener;
use super::judge::range::{Counted, verify};
use super::ports::{
    Begun, Cause, Clock, Commit, Held, Identity, Lead, Local, LockError, Meeting, Noticed, Objects,
    PlanFile, Ran, Run, Runner, Signer, StateError, TreeEntry, TrustRef, Walk, Watched, Workspace,
};
use super::run;
use super::seal::{Request, seal};
use super::stop::Stop;
use super::trusting::present_trust;
use super::world::{Recorder, Settings, World};
use crate::ledger::memory::Memory;
use crate::ledger::notes::{Anchor, Batch, Entry, Notes as _};
use crate::ledger::reading::Readings;
use crate::ledger::testing::{Lines, Pen, clean, keyring, ledger, writer};
use crate::model::check::{Check, End, Program};
use crate::model::exchange::Exchange;
use crate::model::files::File;
use crate::model::finding::Severity;
use crate::model::ids::{AttemptId, InstanceId, Oid, RecordId, Writer};
use crate::model::outcome::{Outcome, Word};
use crate::model::place;
use crate::model::record::{Intent, Proof, Role};
use crate::model::repository::Certainty;
use crate::model::state::{Aside, Flag, Glance, Noted, SeenFile, State};
use crate::model::time::Timestamp;
use crate::trust::sshsig::{namespace, writer_of};
use crate::wire::digest::sha256;
use crate::wire::plan::plan_name_of;
use crate::wire::proof::message;

mod contracts;
mod standing;

/// The path of the plan `default`.
pub(crate) const PLAN: &str = ".plan-auditor/plan.json";

/// Files of a tree by path.
type Files = BTreeMap<String, Vec<u8>>;

/// Writes a plan of one step with one check.
pub(crate) fn plan(argv: &str) -> String {
    let words: Vec<String> = argv.split(' ').map(|word| format!("\"{word}\"")).collect();
    format!(
        "{{\"task\":\"x\",\"created\":\"2026-11-29\",\"requirements\":[{{\"id\":\"R\",\"description\":\"d\"}}],\
         \"steps\":[{{\"id\":1,\"title\":\"x\",\"covers\":[\"R\"],\"verify\":[{{\"type\":\"run\",\"argv\":[{}]}}]}}]}}",
        words.join(",")
    )
}

/// Writes a plan whose steps have one check each and follow one another.
pub(crate) fn plan_of(all: &[&str]) -> String {
    let step = |(place, argv): (usize, &&str)| {
        let words: Vec<String> = argv.split(' ').map(|word| format!("\"{word}\"")).collect();
        let covers = if place == 0 { "\"R\"" } else { "" };
        format!(
            "{{\"id\":{},\"title\":\"x\",\"covers\":[{covers}],\
             \"verify\":[{{\"type\":\"run\",\"argv\":[{}]}}]}}",
            place + 1,
            words.join(",")
        )
    };
    let steps: Vec<String> = all.iter().enumerate().map(step).collect();
    format!(
        "{{\"task\":\"x\",\"created\":\"2026-11-29\",\
         \"requirements\":[{{\"id\":\"R\",\"description\":\"d\"}}],\"steps\":[{}]}}",
        steps.join(",")
    )
}

/// What a command said: its word, and the codes of its errors and warnings, sorted.
pub(crate) type Said = (Word, Vec<&'static str>);

/// Takes from an outcome what a person would act upon.
pub(crate) fn said(outcome: &Outcome) -> Said {
    let loud = |severity: Severity| severity != Severity::Info;
    let findings = outcome
        .findings
        .iter()
        .filter(|finding| loud(finding.row.severity));
    let codes: BTreeSet<&str> = findings.map(|finding| finding.row.code).collect();
    (outcome.word, codes.into_iter().collect())
}

/// The key with which clones prove.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Proves {
    /// A shared key of their own number.
    Hmac,
    /// An SSH key of their own number.
    Ssh,
}

/// The world: one repository, of which one clone is at work at a time.
#[derive(Debug)]
pub(crate) struct Fake {
    /// The ledger; it holds every other blob too.
    pub(crate) notes: Memory,
    /// What `default_base` finds.
    pub(crate) base: RefCell<Option<TrustRef>>,
    /// What is configured besides keys.
    pub(crate) configured: RefCell<Settings>,
    /// The platform that records name.
    pub(crate) platform: Cell<&'static str>,
    /// What testing any claim gives.
    pub(crate) tested: Cell<crate::model::claim::evidence::Tested>,
    /// Whether a remote is configured.
    pub(crate) has_remote: Cell<bool>,
    /// Oddities of the work tree.
    pub(crate) flags: RefCell<BTreeMap<Flag, Noted>>,
    /// How many files are watched, and what every step touches.
    pub(crate) touching: Cell<(usize, &'static str)>,
    /// Paths that git ignores.
    pub(crate) ignored: RefCell<BTreeSet<String>>,
    /// How many steps an audit runs at a time.
    pub(crate) jobs: Cell<NonZeroUsize>,
    /// Whether steps that run side by side leave processes that nobody can tell whose they are.
    pub(crate) hides_orphans: Cell<bool>,
    /// Programs of `required_tools` that are not found.
    pub(crate) absent: RefCell<BTreeSet<String>>,
    /// What `flaky` exits with, one after the other; then with 0. Where it fails, it writes the files
    /// that it is told.
    pub(crate) exits: RefCell<VecDeque<i32>>,
    /// What programs outside the work tree hold, by path.
    programs: RefCell<BTreeMap<String, &'static str>>,
    /// The checks that ran.
    pub(crate) ran: RefCell<Vec<String>>,
    /// Batches that wait.
    pub(crate) waiting: RefCell<Vec<Batch>>,
    /// Steps that are written down.
    pub(crate) intents: Rc<RefCell<Vec<Noticed>>>,
    /// Whether we were told to stop; the program `stop` tells us to.
    pub(crate) is_stopped: Cell<bool>,
    /// What could not be proven.
    pub(crate) unproven: RefCell<Vec<Entry>>,
    /// Whether the signer can prove.
    pub(crate) can_sign: Cell<bool>,
    /// Whether what a clone knows of its own appends can be written.
    pub(crate) can_remember: Cell<bool>,
    /// Whether somebody holds the locks.
    pub(crate) is_locked: Cell<bool>,
    proves: Proves,
    /// How many runs there were.
    attempts: Cell<u8>,
    /// The clone at work: its key and its instance have this number.
    who: Cell<u8>,
    files: RefCell<Files>,
    trees: RefCell<BTreeMap<Oid, Files>>,
    commits: RefCell<BTreeMap<Oid, Commit>>,
    refs: RefCell<BTreeMap<String, Oid>>,
    remembered: RefCell<BTreeMap<(Writer, u8), Anchor>>,
}

impl Fake {
    /// In the place of an exit code: the program cannot be started.
    pub(crate) const GONE: i32 = i32::MIN;

    /// Makes a world with nothing in it, whose clones prove with keys of a kind.
    pub(crate) fn with(proves: Proves) -> Self {
        Self {
            notes: Memory::default(),
            base: RefCell::default(),
            configured: RefCell::default(),
            platform: Cell::new("linux-x86_64"),
            tested: Cell::new(crate::model::claim::evidence::Tested::Verified),
            has_remote: Cell::default(),
            flags: RefCell::default(),
            touching: Cell::default(),
            ignored: RefCell::default(),
            jobs: Cell::new(NonZeroUsize::MIN),
            hides_orphans: Cell::default(),
            absent: RefCell::default(),
            exits: RefCell::default(),
            programs: RefCell::default(),
            ran: RefCell::default(),
            waiting: RefCell::default(),
            intents: Rc::default(),
            is_stopped: Cell::default(),
            unproven: RefCell::default(),
            can_sign: Cell::new(true),
            can_remember: Cell::new(true),
            is_locked: Cell::default(),
            proves,
            attempts: Cell::default(),
            who: Cell::new(1),
            files: RefCell::default(),
            trees: RefCell::default(),
            commits: RefCell::default(),
            refs: RefCell::default(),
            remembered: RefCell::default(),
        }
    }

    /// Makes a world with a plan of one check on disk.
    pub(crate) fn planned(argv: &str) -> Self {
        let fake = Self::with(Proves::Hmac);
        fake.write(PLAN, &plan(argv));
        fake
    }

    /// Makes a world whose plan of one check is sealed.
    pub(crate) fn sealed(argv: &str) -> Self {
        let fake = Self::planned(argv);
        assert_eq!(said(&fake.seal().unwrap()).0, Word::Ok);
        fake
    }

    /// Lets another clone work, with a key of its own.
    pub(crate) fn be(&self, who: u8) {
        self.who.set(who);
    }

    /// Writes a file of the work tree.
    pub(crate) fn write(&self, path: &str, text: &str) {
        self.files.borrow_mut().insert(path.to_owned(), text.into());
    }

    /// Removes a file of the work tree.
    pub(crate) fn remove(&self, path: &str) {
        self.files.borrow_mut().remove(path);
    }

    /// Commits the work tree onto HEAD.
    pub(crate) fn commit(&self) -> Oid {
        let tree = self.tree();
        let parents = self.head().into_iter().collect();
        let count = self.commits.borrow().len();
        let id = self.notes.blob_id(format!("commit {count}").as_bytes());
        let subject = format!("Commit {count}");
        let commit = Commit {
            id,
            tree,
            parents,
            subject,
            anchors: Vec::new(),
        };
        self.commits.borrow_mut().insert(id, commit);
        self.point("HEAD", id);
        id
    }

    /// Lets a name stand for a commit.
    pub(crate) fn point(&self, name: &str, commit: Oid) {
        self.refs.borrow_mut().insert(name.to_owned(), commit);
    }

    /// Makes a commit the trust point.
    pub(crate) fn trust(&self, commit: Oid) {
        let name = "origin/main".to_owned();
        *self.base.borrow_mut() = Some(TrustRef {
            name,
            commit,
            is_parent: false,
            certainty: Certainty::Named,
        });
    }

    /// Puts another program in the place of one outside the work tree.
    pub(crate) fn exchange(&self, path: &str, bytes: &'static str) {
        self.programs.borrow_mut().insert(path.to_owned(), bytes);
    }

    /// Accepts what carries trust at the trust point, as `init` does.
    pub(crate) fn accept(&self) {
        let present = self.flow(|world, _| present_trust(world)).unwrap();
        self.configured.borrow_mut().accepted = Some(present);
    }

    /// Loses a commit, as a shallow clone does.
    pub(crate) fn lose(&self, commit: &Oid) {
        self.commits.borrow_mut().remove(commit);
    }

    /// Returns the lines of every note.
    pub(crate) fn lines(&self) -> Lines {
        let tree = self.notes.tree();
        let is_kept = |target: &Oid| tree.get(target) == Some(target);
        let texts = self.notes.texts().into_iter();
        let texts = texts.filter(|(target, _)| !is_kept(target));
        texts
            .map(|(target, text)| (target, text.lines().map(str::to_owned).collect()))
            .collect()
    }

    /// Takes an earlier record for the end of the own chain, as a copied clone does.
    pub(crate) fn go_back_to(&self, head: RecordId) {
        if let Ok(Some(tip)) = self.notes.tip() {
            let key = (self.writer(), self.who.get());
            self.remembered.borrow_mut().insert(
                key,
                Anchor {
                    tip,
                    head,
                    recent: Vec::new(),
                },
            );
        }
    }

    /// Returns all that clones know of their own chains.
    pub(crate) fn memory(&self) -> BTreeMap<(Writer, u8), Anchor> {
        self.remembered.borrow().clone()
    }

    /// Lets clones know what they knew once.
    pub(crate) fn recall(&self, memory: BTreeMap<(Writer, u8), Anchor>) {
        *self.remembered.borrow_mut() = memory;
    }

    /// Returns the last record of the chain of the clone at work.
    pub(crate) fn end_of_chain(&self) -> RecordId {
        self.anchor(&self.writer()).unwrap().head
    }

    /// Forgets what could be put back of own chains, and keeps where they end.
    pub(crate) fn forget_batches(&self) {
        for anchor in self.remembered.borrow_mut().values_mut() {
            anchor.recent.clear();
        }
    }

    /// Forgets the hints about own chains.
    pub(crate) fn forget(&self) {
        self.remembered.borrow_mut().clear();
    }

    fn head(&self) -> Option<Oid> {
        self.refs.borrow().get("HEAD").copied()
    }

    /// Keeps the files on disk as a tree.
    fn tree(&self) -> Oid {
        let files = self.files.borrow().clone();
        for bytes in files.values() {
            self.notes.put(bytes);
        }
        let id = self.notes.blob_id(format!("{files:?}").as_bytes());
        self.trees.borrow_mut().insert(id, files);
        id
    }

    /// Tells which files are on disk.
    fn aside(&self) -> Aside {
        let seen = |(path, file): (Vec<u8>, File)| SeenFile {
            digest: sha256(&path),
            path: path.into(),
            mode: file.mode,
            id: file.id,
        };
        let files = self.listed(&self.files.borrow()).into_iter().map(seen);
        Aside {
            files: Arc::new(files.collect()),
            ..Aside::default()
        }
    }

    /// Lists files as a tree has them.
    fn listed(&self, files: &Files) -> crate::model::files::Files {
        let file = |(path, bytes): (&String, &Vec<u8>)| {
            let (mode, id) = (0o100_644, self.notes.blob_id(bytes));
            (path.clone().into_bytes(), File { mode, id })
        };
        files.iter().map(file).collect()
    }

    /// Returns the SSH key with the number of a clone.
    fn ssh_key(who: u8) -> ssh_key::PrivateKey {
        ssh_key::private::Ed25519Keypair::from_seed(&[who; 32]).into()
    }

    /// Returns an entry of `allowed_signers` for a clone.
    pub(crate) fn signer_line(who: u8) -> String {
        let key = Self::ssh_key(who).public_key().to_openssh().unwrap();
        format!("clone{who}@example.invalid {key}\n")
    }

    fn writer_of(&self, who: u8) -> Writer {
        match self.proves {
            Proves::Hmac => writer(who),
            Proves::Ssh => writer_of(Self::ssh_key(who).public_key()).unwrap(),
        }
    }

    fn identity(&self) -> Identity {
        Identity {
            ledger: ledger(1),
            instance: InstanceId::new([self.who.get(); 16]),
        }
    }

    /// Returns what is configured: the keys 1 and 2 are this user's own.
    fn settings(&self) -> Settings {
        Settings {
            own_keys: [1, 2].map(|who| self.writer_of(who)).into(),
            keyring: keyring(),
            ..self.configured.borrow().clone()
        }
    }

    /// Runs a flow with the ports of this world.
    fn flow<T>(&self, run: impl FnOnce(&World<'_>, &Recorder<'_>) -> T) -> T {
        let (settings, identity) = (self.settings(), self.identity());
        let world = World {
            objects: self,
            prober: self,
            notes: &self.notes,
            // Each flow reads anew: tests take away what a ledger's tip still names.
            readings: &Readings::default(),
            clock: self,
            workspace: Some(self),
            settings: &settings,
            identity: Some(&identity),
        };
        let recorder = Recorder {
            local: self,
            signer: self,
            clock: self,
            runner: self,
            platform: self.platform.get(),
            tool: "0.1.0",
        };
        run(&world, &recorder)
    }

    /// Seals the plan.
    pub(crate) fn seal(&self) -> Result<Outcome, String> {
        self.flow(|world, recorder| answer(seal(world, recorder, &Request::default())))
    }

    /// Audits every plan.
    pub(crate) fn audit(&self) -> Result<Outcome, String> {
        self.audit_with(&|_| {})
    }

    /// Audits every plan while somebody listens.
    pub(crate) fn audit_with(&self, listener: Listener<'_>) -> Result<Outcome, String> {
        self.flow(|world, recorder| {
            let request = audit::Request {
                subject: Subject::Worktree,
                only: None,
                jobs: self.jobs.get(),
            };
            answer(audit(world, recorder, request, listener))
        })
    }

    /// Runs steps of the plan.
    pub(crate) fn run(&self, steps: &[u64], forced: Option<&str>) -> Result<Outcome, String> {
        let request = run::Request {
            steps,
            only: None,
            forced,
        };
        self.flow(|world, recorder| answer(run::run(world, recorder, request, &|_| {})))
    }

    /// Judges each commit of a range.
    pub(crate) fn verify_each(&self, range: &str) -> Result<Outcome, String> {
        self.flow(|world, _| answer(verify(world, range, None, Counted::Each)))
    }

    /// Judges a revision.
    pub(crate) fn verify(&self, revision: &str) -> Result<Outcome, String> {
        self.flow(|world, _| answer(verify(world, revision, None, Counted::Tip)))
    }
}

/// Takes a refusal for an outcome, and anything broken for an error.
fn answer(result: Result<Outcome, Stop>) -> Result<Outcome, String> {
    result.or_else(|stop| {
        let broken = |(doing, cause)| format!("cannot {doing}: {cause}");
        stop.into_outcome().map_err(broken)
    })
}

impl Objects for Fake {
    fn resolve(&self, revision: &str) -> Result<Option<Commit>, Cause> {
        let id = self.refs.borrow().get(revision).copied();
        Ok(id.and_then(|id| self.commits.borrow().get(&id).cloned()))
    }

    fn commit(&self, id: &Oid) -> Result<Option<Commit>, Cause> {
        Ok(self.commits.borrow().get(id).cloned())
    }

    fn entries(&self, tree: &Oid, directory: &str) -> Result<Option<Vec<TreeEntry>>, Cause> {
        let trees = self.trees.borrow();
        let start = if directory.is_empty() {
            String::new()
        } else {
            format!("{directory}/")
        };
        let below = trees.get(tree).into_iter().flatten();
        let below = below.filter_map(|(path, bytes)| Some((path.strip_prefix(&start)?, bytes)));
        let mut found: BTreeMap<String, (u32, Vec<u8>)> = BTreeMap::new();
        for (rest, bytes) in below {
            match rest.split_once('/') {
                None => {
                    found.insert(rest.to_owned(), (0o100_644, bytes.clone()));
                }
                Some((name, inner)) => {
                    let entry = found
                        .entry(name.to_owned())
                        .or_insert((0o040_000, Vec::new()));
                    entry.1.extend(inner.bytes().chain(bytes.iter().copied()));
                }
            }
        }
        let entry = |(name, (mode, bytes)): (String, (u32, Vec<u8>))| TreeEntry {
            name: name.into_bytes(),
            mode,
            id: self.notes.blob_id(&bytes),
        };
        Ok((!found.is_empty() || start.is_empty()).then(|| found.into_iter().map(entry).collect()))
    }

    fn files(&self, tree: &Oid) -> Result<crate::model::files::Files, Cause> {
        let trees = self.trees.borrow();
        let files = trees.get(tree).ok_or("the tree is not here")?;
        Ok(self.listed(files))
    }

    fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, Cause> {
        Ok(self.notes.blob(id)?)
    }

    fn is_content(&self, id: &Oid) -> Result<bool, Cause> {
        Ok(self.notes.blob(id)?.is_some())
    }

    fn empty_tree(&self) -> Oid {
        self.notes.blob_id(b"the empty tree")
    }

    fn default_base(&self) -> Result<Option<TrustRef>, Cause> {
        Ok(self.base.borrow().clone())
    }

    fn between(&self, tip: &Oid, stop: Option<&Oid>) -> Result<Walk, Cause> {
        let hidden = match stop {
            Some(stop) => self.between(stop, None)?.commits,
            None => Vec::new(),
        };
        let (mut commits, mut todo, mut complete) = (Vec::new(), vec![*tip], true);
        while let Some(id) = todo.pop() {
            if hidden.contains(&id) || commits.contains(&id) {
                continue;
            }
            match self.commits.borrow().get(&id) {
                Some(commit) => todo.extend(&commit.parents),
                None => complete = false,
            }
            commits.push(id);
        }
        Ok(Walk { commits, complete })
    }

    fn merge_base(&self, one: &Oid, other: &Oid) -> Result<Meeting, Cause> {
        let of_other = self.between(other, None)?.commits;
        let of_one = self.between(one, None)?.commits;
        let found = of_one.into_iter().find(|id| of_other.contains(id));
        Ok(found.map_or(Meeting::Nowhere, Meeting::At))
    }

    fn branch(&self) -> Result<Option<String>, Cause> {
        Ok(Some("refs/heads/main".to_owned()))
    }

    fn end_of(&self, name: &str) -> Result<String, Cause> {
        let is_head = name == "HEAD";
        Ok(if is_head { "refs/heads/main" } else { name }.to_owned())
    }

    fn has_remote(&self) -> bool {
        self.has_remote.get()
    }

    fn exchange(&self) -> Option<Exchange> {
        None
    }
}

impl Workspace for Fake {
    fn glance(&self) -> Result<Glance, StateError> {
        let state = self.state()?;
        Ok(Glance {
            head: state.head,
            branch: state.branch,
            tree: state.tree,
            staged_tree: state.staged_tree,
            is_unmerged: state.flags.contains_key(&Flag::Unmerged),
            untracked: state.untracked.noted.clone(),
            flags: state.flags,
            trust: state.aside.trust,
        })
    }

    fn state(&self) -> Result<State, StateError> {
        let tree = self.tree();
        let content = sha256(format!("{tree}").as_bytes());
        Ok(State {
            head: self.head(),
            branch: Some("refs/heads/main".to_owned()),
            content,
            index: content,
            flags: self.flags.borrow().clone(),
            aside: Aside {
                trust: self.trust_files(),
                ..self.aside()
            },
            ..clean(tree)
        })
    }

    fn plans(&self) -> Result<Vec<PlanFile>, Cause> {
        let files = self.files.borrow();
        let plan = |(path, bytes): (&String, &Vec<u8>)| {
            Some(PlanFile {
                name: plan_name_of(path).ok()??,
                path: path.clone(),
                content: Ok(bytes.clone()),
            })
        };
        Ok(files.iter().filter_map(plan).collect())
    }

    fn has_request(&self) -> Result<bool, Cause> {
        Ok(self
            .files
            .borrow()
            .contains_key(".plan-auditor/request.json"))
    }

    fn ignores(&self, path: &str) -> Result<bool, Cause> {
        Ok(self.ignored.borrow().contains(path))
    }

    fn tracks(&self, path: &str) -> Result<bool, Cause> {
        Ok(self.files.borrow().contains_key(path))
    }

    fn watch(&self, _state: &State) -> Box<dyn Watched> {
        let (count, path) = self.touching.get();
        Box::new(Touching { count, path })
    }
}

/// Files of which one is touched again and again, if it has a name.
struct Touching {
    count: usize,
    path: &'static str,
}

impl Watched for Touching {
    fn count(&self) -> usize {
        self.count
    }

    fn is_in_memory(&self) -> bool {
        false
    }

    fn touched(&self) -> Vec<Vec<u8>> {
        let named = (!self.path.is_empty()).then(|| self.path.as_bytes().to_vec());
        named.into_iter().collect()
    }
}

impl Runner for Fake {
    fn side_by_side(&self, lead: Lead<'_, '_>) -> bool {
        // The step that began last ends first: an order that no person would expect.
        let mut works = lead(None);
        while let Some(work) = works.pop() {
            let said = RefCell::new(Vec::new());
            work(self, &|word| said.borrow_mut().push(word));
            for word in said.take() {
                works.extend(lead(Some(word)));
            }
        }
        self.hides_orphans.get()
    }

    fn run(&self, check: &Check, _step: u64) -> Ran {
        self.ran.borrow_mut().push(check.label());
        let label = check.label();
        let words: Vec<&str> = label.split(' ').collect();
        let end = match words.as_slice() {
            ["false", ..] => End::Exited(1),
            ["stop", ..] => {
                self.is_stopped.set(true);
                End::Interrupted
            }
            ["gone", ..] => End::CouldNotStart("not found".to_owned()),
            ["flaky", spoilt @ ..] => match self.exits.borrow_mut().pop_front().unwrap_or(0) {
                Self::GONE => End::CouldNotStart("not found".to_owned()),
                0 => End::Exited(0),
                code => {
                    for path in spoilt {
                        self.write(path, "spoilt");
                    }
                    End::Exited(code)
                }
            },
            ["write", path, text] => {
                self.write(path, text);
                End::Exited(0)
            }
            _ => End::Exited(0),
        };
        let mut ran = Ran::nothing(end);
        let path = words.iter().find(|word| word.starts_with(['.', '/']));
        if let Some(path) = path {
            ran.lies = place::recorded(path);
            ran.result.program = Some(Program {
                path: (*path).to_owned(),
                sha256: sha256(self.programs.borrow().get(*path).unwrap_or(&"").as_bytes()),
            });
        }
        ran
    }

    fn finds(&self, tool: &str) -> bool {
        !self.absent.borrow().contains(tool)
    }

    fn interrupted(&self) -> bool {
        self.is_stopped.get()
    }
}

impl Signer for Fake {
    fn writer(&self) -> Writer {
        self.writer_of(self.who.get())
    }

    fn sign_export(&self, _bytes: &[u8]) -> Result<Option<Vec<u8>>, Cause> {
        Ok(None)
    }

    fn prove(&self, id: &RecordId, role: Role) -> Result<Proof, Cause> {
        if !self.can_sign.get() {
            return Err("the agent has no key".into());
        }
        match self.proves {
            Proves::Hmac => Ok(Pen::new(self.who.get(), 0).prove(id)),
            Proves::Ssh => {
                let key = Self::ssh_key(self.who.get());
                let signature =
                    key.sign(namespace(role), ssh_key::HashAlg::Sha512, &message(id))?;
                let mut blob = Vec::new();
                signature.encode(&mut blob)?;
                Ok(Proof::Ssh(blob))
            }
        }
    }
}

/// A step that is under way in this world.
#[derive(Debug)]
struct UnderWay {
    name: String,
    intents: Rc<RefCell<Vec<Noticed>>>,
}

impl Begun for UnderWay {
    fn close(self: Box<Self>) -> Result<(), Cause> {
        self.intents
            .borrow_mut()
            .retain(|each| each.name != self.name);
        Ok(())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        for each in &mut *self.intents.borrow_mut() {
            if each.name == self.name {
                each.run = Run::Killed;
            }
        }
    }
}

/// A lock of this world.
#[derive(Debug)]
struct Lock;

impl Held for Lock {}

impl Local for Fake {
    fn lock_append(&self) -> Result<Box<dyn Held>, Cause> {
        if self.is_locked.get() {
            return Err("the lock is held by another process".into());
        }
        Ok(Box::new(Lock))
    }

    fn lock_audit(&self) -> Result<Box<dyn Held>, LockError> {
        if self.is_locked.get() {
            return Err(LockError::Held("another process".to_owned()));
        }
        Ok(Box::new(Lock))
    }

    fn anchor(&self, writer: &Writer) -> Option<Anchor> {
        let key = (writer.clone(), self.who.get());
        self.remembered.borrow().get(&key).cloned()
    }

    fn set_anchor(&self, writer: &Writer, what: &Anchor) -> Result<(), Cause> {
        if !self.can_remember.get() {
            return Err("read-only file system".into());
        }
        let key = (writer.clone(), self.who.get());
        self.remembered.borrow_mut().insert(key, what.clone());
        Ok(())
    }

    fn keep_pending(&self, batch: &Batch) -> Result<(), Cause> {
        self.waiting.borrow_mut().push(batch.clone());
        Ok(())
    }

    fn pending(&self) -> Result<Vec<(String, Batch)>, Cause> {
        let waiting = self.waiting.borrow();
        let named = waiting.iter().enumerate();
        Ok(named
            .map(|(name, batch)| (name.to_string(), batch.clone()))
            .collect())
    }

    fn drop_pending(&self, _name: &str) -> Result<(), Cause> {
        // The oldest is taken first, so it is the one that was appended.
        drop(self.waiting.borrow_mut().remove(0));
        Ok(())
    }

    fn draw_attempt(&self) -> Result<AttemptId, Cause> {
        let count = self.attempts.get() + 1;
        self.attempts.set(count);
        Ok(AttemptId::new([count; 16]))
    }

    fn begin(&self, intent: &Intent) -> Result<Box<dyn Begun>, Cause> {
        let intent = intent.clone();
        let name = format!("{}-{}", intent.attempt, intent.step);
        let run = Run::Alive;
        self.intents.borrow_mut().push(Noticed {
            name: name.clone(),
            intent,
            run,
        });
        let intents = Rc::clone(&self.intents);
        Ok(Box::new(UnderWay { name, intents }))
    }

    fn intents(&self) -> Result<Vec<Noticed>, Cause> {
        Ok(self.intents.borrow().clone())
    }

    fn forget_intent(&self, name: &str) -> Result<(), Cause> {
        self.intents.borrow_mut().retain(|each| each.name != name);
        Ok(())
    }

    fn keep_unproven(&self, _identity: &Identity, entry: &Entry) -> Result<(), Cause> {
        self.unproven.borrow_mut().push(entry.clone());
        Ok(())
    }

    fn unproven(&self, _identity: &Identity) -> Result<Vec<(String, Entry)>, Cause> {
        let unproven = self.unproven.borrow();
        Ok(unproven
            .iter()
            .map(|entry| (entry.subject.clone(), entry.clone()))
            .collect())
    }

    fn drop_unproven(&self, _name: &str) -> Result<(), Cause> {
        drop(self.unproven.borrow_mut().remove(0));
        Ok(())
    }
}

impl Clock for Fake {
    fn now(&self) -> Timestamp {
        Timestamp::from_seconds(1_800_000_000).unwrap()
    }
}

impl super::ports::Prober for Fake {
    fn is_stopped(&self) -> bool {
        false
    }

    /// Says of every statement what this world was told to say.
    fn test(
        &self,
        commit: &Commit,
        questions: &[super::ports::Question<'_>],
    ) -> Vec<(crate::model::claim::evidence::Evidence, super::ports::Taken)> {
        use crate::model::claim::evidence::{Evaluator, Evidence, Scope};
        let one = |question: &super::ports::Question<'_>| Evidence {
            claim: crate::wire::claim::digest(question.statement),
            evaluator: Evaluator {
                name: question.statement.kind.name.to_owned(),
                version: 1,
                grammars: Vec::new(),
            },
            commit: commit.id,
            scope: Scope {
                globs: Vec::new(),
                files: 0,
                bytes: 0,
                gaps: Vec::new(),
                more_gaps: 0,
                list: crate::model::ids::Digest::ZERO,
            },
            items: Vec::new(),
            more_items: 0,
            tested: self.tested.get(),
        };
        let all = questions.iter().map(one);
        all.map(|evidence| (evidence, super::ports::Taken::Anew))
            .collect()
    }

    fn test_files(
        &self,
        commit: &Commit,
        _files: &crate::model::files::Files,
        questions: &[super::ports::Question<'_>],
    ) -> Vec<(crate::model::claim::evidence::Evidence, super::ports::Taken)> {
        super::ports::Prober::test(self, commit, questions)
    }
}
