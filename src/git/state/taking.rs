//! One attempt at a state: two threads read, one of them walks first, and the parts are joined.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use gix::ObjectId;
use gix::glob::pattern::Case;
use gix::refs::Target;

use super::attribute_files::Shared;
use super::attributes::{Outside, case};
use super::content::{self, Content, Placed};
use super::flags::Flags;
use super::ignores::Ignores;
use super::listing::{Entry, Listing, tree_mode};
use super::objects::{Blobs, tree_of};
use super::reader::{Common, Findings, Reader};
use super::remarks;
use super::submodule::{GITMODULES, Submodules};
use super::tree::{self, Leaf};
use super::walk::{Walk, Walked};
use super::{Cause, control, index};
use crate::git::oid;
use crate::git::open::Repository;
use crate::model::ids::{Digest, Oid};
use crate::model::state::{Aside, Flag, Noted, State, TRUST_FILES, TrustFiles, Untracked};
use crate::model::text;
use crate::wire::digest::{Label, sha256};

/// How many entries a thread takes at a time.
const BATCH: usize = 256;

/// Everything that was read.
#[derive(Debug)]
struct Read {
    /// Tracked files that are there, in the order of the index.
    tracked: Vec<Batch<Content>>,
    /// Untracked files, by path.
    untracked: Vec<Content>,
    /// What the readers found.
    findings: Findings,
    /// What the walk found.
    walked: Walked,
}

/// The files of some entries that follow each other.
#[derive(Debug)]
pub(super) struct Batch<T> {
    /// Where the first entry stands in the index.
    from: usize,
    /// The files, in the order of the entries.
    pub(super) files: Vec<T>,
}

impl Read {
    /// Iterates over the tracked files by path.
    fn tracked(&self) -> impl Iterator<Item = &Content> + Clone {
        self.tracked.iter().flat_map(|batch| &batch.files)
    }
}

/// Where HEAD stands.
#[derive(Debug)]
pub(super) struct Head {
    /// The commit; none before the first.
    pub(super) commit: Option<ObjectId>,
    /// The branch; none when detached.
    pub(super) branch: Option<String>,
}

/// Takes the state once; `Ok(Err(path))` names a file that changed meanwhile.
pub(super) fn take(repository: &Repository, depth: usize) -> Result<Result<State, String>, Cause> {
    let top = repository.work_dir().ok_or("there is no work tree")?;
    let head = head(repository)?;
    let listing = index::read(repository)?;
    let (outside, shared) = (Outside::read(repository)?, Shared::default());
    let submodules = Submodules::of(repository, (top, &listing), depth)?;
    let common = Common {
        top,
        listing: &listing,
        outside: &outside,
        shared: &shared,
        submodules: &submodules,
        believes_modes: believes(repository, "core.fileMode"),
        believes_links: believes(repository, "core.symlinks"),
        kind: repository.hash_kind(),
    };
    let origin = Origin {
        gix: &repository.gix,
        common_dir: repository.common_dir(),
        tree: head
            .commit
            .and_then(|commit| tree_of(&repository.gix, &commit)),
        ignores: Ignores::new(repository)?,
    };
    let mut taken = match files(origin, &common)? {
        Ok(taken) => taken,
        Err(path) => return Ok(Err(path)),
    };
    if case(repository) == Case::Fold {
        for path in remarks::collisions(listing.entries()) {
            taken.flags.add(Flag::CaseCollision, path);
        }
    }
    state(repository, head, taken).map(Ok)
}

/// Where files are read and walked from, and which objects they lean on.
pub(super) struct Origin<'a> {
    /// The objects.
    pub(super) gix: &'a gix::Repository,
    /// The directory that all work trees share.
    pub(super) common_dir: &'a Path,
    /// The tree of HEAD.
    pub(super) tree: Option<ObjectId>,
    /// The ignore rules outside of the work tree.
    pub(super) ignores: Ignores,
}

/// What all files together come to.
#[derive(Debug)]
pub(super) struct Taken {
    /// The tree that committing the tracked files as they are would give.
    pub(super) tree: ObjectId,
    /// The tree that committing what is staged would give; none in a merge.
    pub(super) staged_tree: Option<ObjectId>,
    /// Digest over all files.
    pub(super) content: Digest,
    /// Digest over the entries of the index.
    pub(super) index: Digest,
    /// Untracked files.
    pub(super) untracked: Untracked,
    /// Files hidden only by rules that are not tracked.
    pub(super) hidden: Noted,
    /// Oddities.
    pub(super) flags: Flags,
    /// Tracked paths that are not what the index has; at least one where the trees differ.
    pub(super) differing: Vec<Arc<[u8]>>,
    /// What no record holds.
    pub(super) aside: Aside,
}

/// Reads everything once; `Ok(Err(path))` names a file that changed meanwhile.
pub(super) fn files(
    origin: Origin<'_>,
    common: &Common<'_>,
) -> Result<Result<Taken, String>, Cause> {
    let mut read = read(origin, common)?;
    if let Some(path) = changed(&read, common) {
        return Ok(Err(path));
    }
    for path in common.shared.odd() {
        read.findings.flags.add(Flag::Unsupported, &path);
    }
    join(common, read).map(Ok)
}

/// Reads a setting that holds unless it says no.
pub(super) fn believes(repository: &Repository, key: &str) -> bool {
    repository.gix.config_snapshot().boolean(key) != Some(false)
}

/// Finds where HEAD stands.
pub(super) fn head(repository: &Repository) -> Result<Head, Cause> {
    let branch = match repository.reference("HEAD")? {
        Some(Target::Symbolic(name)) => Some(text::path(name.as_bstr())),
        Some(Target::Object(_)) | None => None,
    };
    let commit = repository.follow("HEAD")?;
    Ok(Head {
        commit: commit.and_then(|id| repository.gix_id(&id)),
        branch,
    })
}

/// Reads all files, with two threads.
fn read(origin: Origin<'_>, common: &Common<'_>) -> Result<Read, Cause> {
    let Origin {
        gix,
        common_dir,
        tree,
        ignores,
    } = origin;
    let sync = gix.clone().into_sync();
    let next = AtomicUsize::new(0);
    let helper = || -> Result<_, std::io::Error> {
        let mut gix = sync.to_thread_local();
        gix.objects.ignore_replacements = true;
        let mut reader = Reader::new(common, Blobs::new(&gix, tree))?;
        let tracked = share(&mut reader, common, &next, Reader::tracked);
        Ok((tracked, reader.findings))
    };
    std::thread::scope(|scope| {
        let helping = scope.spawn(helper);
        let blobs = Blobs::new(gix, tree);
        let dirs = (common.top, common_dir);
        let mut walked = Walk::new(dirs, common.listing, &blobs, ignores).run()?;
        let mut reader = Reader::new(common, Blobs::new(gix, tree))?;
        walked.untracked.sort();
        let paths = walked.untracked.iter();
        let mut untracked = paths.map(|p| reader.untracked(p)).collect::<Vec<_>>();
        let mut tracked = share(&mut reader, common, &next, Reader::tracked);
        let (more, findings) = helping.join().map_err(|_| "a reading thread broke off")??;
        tracked.extend(more);
        sort(&mut tracked);
        Ok(Read {
            tracked,
            untracked: untracked.drain(..).flatten().collect(),
            findings: reader.findings.joined(findings),
            walked,
        })
    })
}

/// How one path is read, given its entries.
type Look<'a, T> = fn(&mut Reader<'a>, &[Entry]) -> Option<T>;

/// Reads tracked files, batch by batch, until all threads together have read all.
pub(super) fn share<'a, T>(
    reader: &mut Reader<'a>,
    common: &Common<'_>,
    next: &AtomicUsize,
    look: Look<'a, T>,
) -> Vec<Batch<T>> {
    let entries = common.listing.entries();
    let mut read = Vec::new();
    loop {
        let from = next.fetch_add(BATCH, Ordering::Relaxed);
        if from >= entries.len() {
            return read;
        }
        let files = batch(entries, from, |entries| look(reader, entries));
        read.push(Batch { from, files });
    }
}

/// Puts batches into the order of the index.
pub(super) fn sort<T>(batches: &mut [Batch<T>]) {
    batches.sort_unstable_by_key(|batch| batch.from);
}

/// Reads the tracked files of one batch.
fn batch<T>(entries: &[Entry], from: usize, mut look: impl FnMut(&[Entry]) -> Option<T>) -> Vec<T> {
    let mut files = Vec::with_capacity(BATCH);
    let mut at = from;
    while let Some(entry) = entries.get(at).filter(|_| at < from + BATCH) {
        let rest = entries.get(at..).unwrap_or_default();
        let stages = stages(rest);
        // The stages of one path belong to the batch in which the first of them lies.
        let is_first = entry.stage == 0 || {
            let before = at.checked_sub(1).and_then(|before| entries.get(before));
            before.is_none_or(|before| before.path != entry.path)
        };
        if is_first {
            files.extend(look(rest.get(..stages).unwrap_or_default()));
        }
        at += stages;
    }
    files
}

/// Counts the entries of the first path; one that is not in a merge has one.
fn stages(entries: &[Entry]) -> usize {
    let is_one = |first: &Entry, other: &Entry| first.stage != 0 && other.path == first.path;
    let others = entries.iter().skip(1);
    let first = entries.first();
    1 + others
        .take_while(|other| first.is_some_and(|first| is_one(first, other)))
        .count()
}

impl Findings {
    /// Joins what two threads found.
    fn joined(mut self, other: Self) -> Self {
        self.flags.extend(other.flags);
        self.changed.extend(other.changed);
        self.rules.extend(other.rules);
        self.hidden.extend(other.hidden);
        self
    }
}

/// Names a path that changed while it was read.
///
/// Files that steer git are read for what they say and for their content: both must agree.
fn changed(read: &Read, common: &Common<'_>) -> Option<String> {
    let mut paths: Vec<&[u8]> = read.findings.changed.iter().map(Vec::as_slice).collect();
    let attributes = common.shared.read_from_disk().into_iter();
    let mut applied = read.walked.rules.clone();
    applied.extend(attributes.map(|(path, bytes)| (path, sha256(&bytes))));
    let gitmodules = common.submodules.read_from_disk();
    applied.extend(gitmodules.map(|digest| (GITMODULES.to_vec(), digest)));
    let rules = read.findings.rules.iter();
    let content: BTreeMap<&Vec<u8>, Digest> = rules.map(|(path, digest)| (path, *digest)).collect();
    for (path, digest) in &applied {
        if content.get(path).is_some_and(|read| read != digest) {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    paths.first().map(|path| text::path(path))
}

/// Makes the state of what was read.
fn state(repository: &Repository, head: Head, taken: Taken) -> Result<State, Cause> {
    let mut flags = taken.flags;
    let control = control::read(repository, &mut flags)?;
    Ok(State {
        head: head.commit.map(|id| oid(&id)),
        branch: head.branch,
        tree: oid(&taken.tree),
        content: taken.content,
        index: taken.index,
        staged_tree: taken.staged_tree.map(|id| oid(&id)),
        untracked: taken.untracked,
        hidden: taken.hidden,
        flags: flags.noted(),
        control,
        aside: taken.aside,
    })
}

/// Joins the parts.
fn join(common: &Common<'_>, read: Read) -> Result<Taken, Cause> {
    let listing = common.listing;
    let (trees, seen, digests) = std::thread::scope(|scope| {
        let digests = scope.spawn(|| Digests::of(listing, &read));
        let trees = Trees::of(common, || read.tracked().map(|file| &file.placed))?;
        let seen = remarks::seen(read.tracked().chain(&read.untracked));
        let digests = digests.join().map_err(|_| "a digesting thread broke off")?;
        Ok::<_, Cause>((trees, seen, digests))
    })?;
    let mut flags = read.findings.flags;
    flags.extend(read.walked.flags);
    Ok(Taken {
        tree: trees.files,
        staged_tree: trees.staged,
        content: digests.content,
        index: digests.index,
        untracked: Untracked {
            noted: Noted::of(&read.walked.untracked),
            digest: digests.untracked,
        },
        hidden: Noted::of(read.walked.hidden.iter().chain(&read.findings.hidden)),
        flags,
        differing: trees.differing,
        aside: Aside {
            files: seen,
            hidden_by: Noted::of(read.walked.hidden_by),
            trust: trees.trust,
        },
    })
}

/// The digests over files and entries.
#[derive(Debug)]
struct Digests {
    /// Over all files.
    content: Digest,
    /// Over untracked files.
    untracked: Digest,
    /// Over the entries of the index.
    index: Digest,
}

impl Digests {
    /// Computes them.
    fn of(listing: &Listing, read: &Read) -> Self {
        let mut all: Vec<&Content> = read.tracked().chain(&read.untracked).collect();
        all.sort_by(|a, b| a.placed.path.cmp(&b.placed.path));
        Self {
            content: content::digest(Label::Content, all),
            untracked: content::digest(Label::Untracked, &read.untracked),
            index: listing.digest(),
        }
    }
}

/// Returns what a tracked file is that carries trust.
fn trusted(file: &Placed) -> Option<(String, (u32, Oid))> {
    let below = file.path.strip_prefix(b".plan-auditor/")?;
    let name = below.split(|byte| *byte == b'/').next()?;
    let is_known = TRUST_FILES.iter().any(|known| known.as_bytes() == name);
    is_known.then(|| (text::path(below), (file.mode, oid(&file.id))))
}

/// The trees over files and entries.
#[derive(Debug)]
pub(super) struct Trees {
    /// What committing the tracked files as they are would give.
    pub(super) files: ObjectId,
    /// What committing what is staged would give; none in a merge.
    pub(super) staged: Option<ObjectId>,
    /// Tracked paths that are not what the index has.
    differing: Vec<Arc<[u8]>>,
    /// What carries trust in the first tree.
    pub(super) trust: TrustFiles,
}

impl Trees {
    /// Computes them. What is staged is most often what is on disk; then it is the same tree.
    pub(super) fn of<'f, F: Iterator<Item = &'f Placed>>(
        common: &Common<'_>,
        tracked: impl Fn() -> F,
    ) -> Result<Self, gix::Error> {
        let leaves = tracked().filter_map(|file| {
            Some(Leaf {
                path: &file.path,
                mode: tree_mode(file.mode)?,
                id: file.id,
            })
        });
        let files = tree::id(common.kind, leaves)?;
        let differing = common.listing.differing(tracked());
        let staged = if differing.is_empty() {
            Some(files)
        } else {
            common.listing.staged_tree()?
        };
        Ok(Self {
            files,
            staged,
            differing,
            trust: tracked().filter_map(trusted).collect(),
        })
    }
}
