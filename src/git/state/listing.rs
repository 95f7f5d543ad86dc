//! The index, or a tree, as a plain list, in order.

use std::sync::Arc;

use gix::ObjectId;
use gix::index::entry::{Flags, Stat};
use gix::objs::tree::EntryMode;
use nix::sys::stat::FileStat;

use super::Cause;
use super::content::{Placed, mode_text};
use super::disk::split;
use super::glance;
use super::tree::{self, Leaf};
use crate::model::ids::Digest;
use crate::wire::digest::{Hasher, Label};

/// One entry of the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::git) struct Entry {
    /// Its path from the top.
    pub(in crate::git) path: Arc<[u8]>,
    /// 0, or 1 to 3 in a merge.
    pub(in crate::git) stage: u32,
    /// Its mode as git writes it; 0o040000 is a sparse directory that could not be expanded.
    pub(in crate::git) mode: u32,
    /// Its object.
    pub(in crate::git) id: ObjectId,
    /// The flags that people set.
    pub(super) flags: Flags,
    /// What git saw of the file; all zero where it saw none.
    pub(super) seen: Stat,
}

impl Entry {
    /// Says whether it is marked skip-worktree.
    pub(super) fn is_skipped(&self) -> bool {
        self.flags.contains(Flags::SKIP_WORKTREE)
    }

    /// Says whether it is marked assume-unchanged.
    pub(super) fn is_assumed(&self) -> bool {
        self.flags.contains(Flags::ASSUME_VALID)
    }

    /// Says whether it is only meant to be added.
    pub(in crate::git) fn is_intended(&self) -> bool {
        self.flags.contains(Flags::INTENT_TO_ADD)
    }

    /// Says whether it is a submodule.
    pub(in crate::git) fn is_gitlink(&self) -> bool {
        self.mode == 0o160_000
    }

    /// Says whether it is a settled regular file without any mark.
    pub(super) fn is_plain(&self) -> bool {
        let is_marked = self.is_skipped() || self.is_assumed() || self.is_intended();
        self.stage == 0 && self.is_file() && !is_marked
    }

    /// Returns what a tree would have of it.
    pub(super) fn placed(&self) -> Placed {
        Placed {
            path: Arc::clone(&self.path),
            mode: self.mode,
            id: self.id,
        }
    }

    /// Says whether it is a regular file.
    pub(in crate::git) fn is_file(&self) -> bool {
        matches!(self.mode, 0o100_644 | 0o100_755)
    }
}

/// The entries of the index, by path and stage.
#[derive(Debug)]
pub(in crate::git) struct Listing {
    /// The entries.
    entries: Vec<Entry>,
    /// Those that git might read for itself, in the same order: every directory is asked for them.
    steering: Vec<Entry>,
    /// The hash of the repository.
    kind: gix::hash::Kind,
    /// When git wrote the index, in whole seconds; none if nothing it saw is to be believed.
    written: Option<i64>,
}

impl Listing {
    /// Lists the files of a tree, or of what is staged, as an index has them after a checkout.
    pub(in crate::git) fn of(
        files: impl IntoIterator<Item = (Vec<u8>, u32, ObjectId)>,
        kind: gix::hash::Kind,
    ) -> Result<Self, Cause> {
        let plain = |(path, mode, id)| Entry {
            path: Vec::into(path),
            stage: 0,
            mode,
            id,
            flags: Flags::empty(),
            seen: Stat::default(),
        };
        Self::new(files.into_iter().map(plain).collect(), kind)
    }

    /// Puts entries into the order that git keeps, and demands that none is there twice.
    pub(super) fn new(mut entries: Vec<Entry>, kind: gix::hash::Kind) -> Result<Self, Cause> {
        entries.sort_by(|a, b| (&a.path, a.stage).cmp(&(&b.path, b.stage)));
        let doubled = entries.windows(2).any(|pair| {
            matches!(pair, [a, b] if a.path == b.path && (a.stage == b.stage || a.stage == 0))
        });
        if doubled {
            return Err("the index names a path twice".into());
        }
        let steering = entries.iter().filter(|entry| steers(&entry.path));
        Ok(Self {
            steering: steering.cloned().collect(),
            entries,
            kind,
            written: None,
        })
    }

    /// Lets what git saw be believed, up to when it wrote the index.
    pub(super) fn written(self, at: Option<i64>) -> Self {
        Self {
            written: at,
            ..self
        }
    }

    /// Says whether git saw a file as it is now, and longer ago than in the second in which it
    /// wrote the index: within that second a file can change unseen.
    pub(super) fn vouches(&self, entry: &Entry, now: &FileStat) -> bool {
        let is_settled = |time: i64| self.written.is_some_and(|written| time < written);
        is_settled(now.st_mtime)
            && is_settled(now.st_ctime)
            && glance::is_as_seen(entry, now, self.kind)
    }

    /// Returns the entries, by path and stage.
    pub(in crate::git) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the regular file that the index has at a path, "ours" in a merge.
    ///
    /// Only for names that git reads for itself, which all begin with `.git`.
    pub(in crate::git) fn steering(&self, path: &[u8]) -> Option<&Entry> {
        let from = self.steering.partition_point(|entry| *entry.path < *path);
        let at = self.steering.iter().skip(from);
        at.take_while(|entry| *entry.path == *path)
            .find(|entry| matches!(entry.stage, 0 | 2))
            .filter(|entry| entry.is_file())
    }

    /// Returns the digest over what is staged.
    pub(super) fn digest(&self) -> Digest {
        let mut hasher = Hasher::labelled(Label::Index);
        for entry in &self.entries {
            hasher.framed(&entry.path);
            hasher.framed(&mode_text(entry.mode));
            hasher.framed(entry.id.as_bytes());
            let flags = [entry.is_intended(), entry.is_skipped(), entry.is_assumed()];
            let stage = u8::try_from(entry.stage).unwrap_or(u8::MAX);
            hasher.update(&[stage]);
            hasher.update(&flags.map(u8::from));
        }
        hasher.finish()
    }

    /// Lists the paths at which these files, in order of their paths, are not what is staged.
    ///
    /// Empty if and only if exactly these files are staged.
    pub(super) fn differing<'a>(&self, files: impl Iterator<Item = &'a Placed>) -> Vec<Arc<[u8]>> {
        let mut differing = Vec::new();
        let mut files = files.peekable();
        for entry in &self.entries {
            while let Some(file) = files.next_if(|file| file.path < entry.path) {
                differing.push(Arc::clone(&file.path));
            }
            let is_settled = entry.stage == 0 && !entry.is_intended();
            let file = files.next_if(|file| file.path == entry.path);
            let is_same = file.is_some_and(|file| (entry.mode, entry.id) == (file.mode, file.id));
            if !is_settled || !is_same {
                differing.push(Arc::clone(&entry.path));
            }
        }
        differing.extend(files.map(|file| Arc::clone(&file.path)));
        differing
    }

    /// Returns the tree that committing what is staged would give; none in a merge.
    pub(in crate::git) fn staged_tree(&self) -> Result<Option<ObjectId>, gix::Error> {
        if self.entries.iter().any(|entry| entry.stage != 0) {
            return Ok(None);
        }
        let staged = self.entries.iter().filter(|entry| !entry.is_intended());
        let leaves = staged.filter_map(|entry| {
            Some(Leaf {
                path: &entry.path,
                mode: tree_mode(entry.mode)?,
                id: entry.id,
            })
        });
        tree::id(self.kind, leaves).map(Some)
    }
}

/// Returns a mode as trees have it; none if git has no such mode.
pub(super) fn tree_mode(mode: u32) -> Option<EntryMode> {
    EntryMode::try_from(mode).ok()
}

/// Says whether a path has a name that git might read for itself.
fn steers(path: &[u8]) -> bool {
    split(path).1.starts_with(b".git")
}
