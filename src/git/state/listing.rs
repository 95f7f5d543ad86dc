//! The index as a plain list: checked, sparse directories expanded, nothing of its stat data kept.

use gix::ObjectId;
use gix::bstr::BStr;
use gix::index::entry::{Flags, Mode};
use gix::objs::tree::{EntryKind, EntryMode};
use gix::objs::{Kind, TreeRefIter};

use super::content::Content;
use super::objects::object;
use super::tree::{self, Leaf};
use crate::git::open::Repository;
use crate::model::ids::Digest;
use crate::wire::digest::{Hasher, Label};

/// A cause below an error.
type Cause = Box<dyn std::error::Error + Send + Sync>;

/// How many entries the expansion of sparse directories may give.
const MOST: usize = 20_000_000;

/// One entry of the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::git) struct Entry {
    /// Its path from the top.
    pub(in crate::git) path: Vec<u8>,
    /// 0, or 1 to 3 in a merge.
    pub(in crate::git) stage: u32,
    /// Its mode as git writes it; 0o040000 is a sparse directory that could not be expanded.
    pub(in crate::git) mode: u32,
    /// Its object.
    pub(in crate::git) id: ObjectId,
    /// The flags that people set.
    flags: Flags,
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
    /// The hash of the repository.
    kind: gix::hash::Kind,
}

impl Listing {
    /// Lists the files of a tree, or of what is staged, as an index has them after a checkout.
    pub(in crate::git) fn of(
        files: impl IntoIterator<Item = (Vec<u8>, u32, ObjectId)>,
        kind: gix::hash::Kind,
    ) -> Result<Self, Cause> {
        let plain = |(path, mode, id)| Entry {
            path,
            stage: 0,
            mode,
            id,
            flags: Flags::empty(),
        };
        let entries = files.into_iter().map(plain).collect();
        Self { entries, kind }.checked()
    }

    /// Reads the index in force; a missing one is empty.
    pub(in crate::git) fn read(repository: &Repository) -> Result<Self, Cause> {
        let kind = repository.hash_kind();
        let path = &repository.index_path;
        let mut entries = Vec::new();
        match std::fs::metadata(path) {
            Ok(meta) if !meta.is_file() => return Err("the index is not a regular file".into()),
            Ok(_) => {
                let options = gix::index::decode::Options::default();
                let file = gix::index::File::at(path, kind, false, options)?;
                for entry in file.entries() {
                    take(repository, entry.path(&file), entry, &mut entries)?;
                }
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        Self { entries, kind }.checked()
    }

    /// Demands the order that git keeps.
    fn checked(mut self) -> Result<Self, Cause> {
        self.entries
            .sort_by(|a, b| (&a.path, a.stage).cmp(&(&b.path, b.stage)));
        let doubled = self.entries.windows(2).any(|pair| {
            matches!(pair, [a, b] if a.path == b.path && (a.stage == b.stage || a.stage == 0))
        });
        if doubled {
            return Err("the index names a path twice".into());
        }
        Ok(self)
    }

    /// Returns the entries, by path and stage.
    pub(in crate::git) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the regular file that the index has at a path, "ours" in a merge.
    pub(in crate::git) fn file(&self, path: &[u8]) -> Option<&Entry> {
        let from = self.entries.partition_point(|e| e.path.as_slice() < path);
        let at = self.entries.iter().skip(from);
        at.take_while(|entry| entry.path == path)
            .find(|entry| matches!(entry.stage, 0 | 2))
            .filter(|entry| entry.is_file())
    }

    /// Returns the digest over what is staged.
    pub(super) fn digest(&self) -> Digest {
        let mut hasher = Hasher::labelled(Label::Index);
        for entry in &self.entries {
            hasher.framed(&entry.path);
            hasher.framed(format!("{:06o}", entry.mode).as_bytes());
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
    pub(super) fn differing(&self, files: &[Content]) -> Vec<Vec<u8>> {
        let mut differing = Vec::new();
        let mut files = files.iter().peekable();
        for entry in &self.entries {
            while let Some(file) = files.next_if(|file| file.path < entry.path) {
                differing.push(file.path.clone());
            }
            let is_settled = entry.stage == 0 && !entry.is_intended();
            let file = files.next_if(|file| file.path == entry.path);
            let is_same = file.is_some_and(|file| (entry.mode, entry.id) == (file.mode, file.id));
            if !is_settled || !is_same {
                differing.push(entry.path.clone());
            }
        }
        differing.extend(files.map(|file| file.path.clone()));
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

/// Takes one entry, expanding a sparse directory.
fn take(
    repository: &Repository,
    path: &BStr,
    entry: &gix::index::Entry,
    entries: &mut Vec<Entry>,
) -> Result<(), Cause> {
    let trimmed = path.strip_suffix(b"/").unwrap_or(path);
    if !is_fit(trimmed) {
        return Err("the index names a path that git would not write".into());
    }
    let of = |mode| Entry {
        path: trimmed.to_vec(),
        stage: entry.flags.stage_raw(),
        mode,
        id: entry.id,
        flags: entry.flags,
    };
    if entry.mode != Mode::DIR {
        let mode = entry
            .mode
            .to_tree_entry_mode()
            .ok_or("the index has an unknown mode")?;
        entries.push(of(u32::from(mode.value())));
        return Ok(());
    }
    let before = entries.len();
    if expand(repository, of(0o040_000), entries).is_none() {
        entries.truncate(before);
        entries.push(of(0o040_000));
    }
    Ok(())
}

/// Lists what a sparse directory stands for; none if its trees are not all here.
fn expand(repository: &Repository, directory: Entry, entries: &mut Vec<Entry>) -> Option<()> {
    let mut pending = vec![directory];
    while let Some(directory) = pending.pop() {
        let bytes = object(&repository.gix, &directory.id, Kind::Tree)?;
        for entry in TreeRefIter::from_bytes(&bytes, directory.id.kind()) {
            let entry = entry.ok()?;
            if !is_fit(entry.filename) || entries.len() > MOST {
                return None;
            }
            let found = Entry {
                path: [directory.path.as_slice(), b"/", entry.filename].concat(),
                stage: 0,
                mode: u32::from(entry.mode.value()),
                id: entry.oid.to_owned(),
                flags: directory.flags | Flags::SKIP_WORKTREE,
            };
            match entry.mode.kind() {
                EntryKind::Tree => pending.push(found),
                EntryKind::Blob
                | EntryKind::BlobExecutable
                | EntryKind::Link
                | EntryKind::Commit => entries.push(found),
            }
        }
    }
    Some(())
}

/// Says whether a path stays inside the work tree and out of `.git`.
fn is_fit(path: &[u8]) -> bool {
    path.split(|byte| *byte == b'/').all(|name| {
        !matches!(name, b"" | b"." | b"..")
            && !name.eq_ignore_ascii_case(b".git")
            && !name.contains(&0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_lead_elsewhere_are_not_fit() {
        for path in [
            "", "/etc/x", "a/../b", "a//b", ".git/x", "a/.GIT", "./a", "a\0",
        ] {
            assert!(!is_fit(path.as_bytes()), "{path}");
        }
        assert!(is_fit(b"a/.gitignore"));
    }
}
