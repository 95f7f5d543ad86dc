//! The state of a workspace (DESIGN section 6): what is on disk now, and what is odd about it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::files::{File, Files};
use super::ids::{Digest, Oid};

/// What is on disk now, from one reading of the files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    /// The commit checked out; none before the first.
    pub(crate) head: Option<Oid>,
    /// The full name of the branch checked out; none when detached.
    pub(crate) branch: Option<String>,
    /// The tree that committing all tracked content as it is on disk would give.
    pub(crate) tree: Oid,
    /// Digest over tracked and untracked content.
    pub(crate) content: Digest,
    /// Digest over the entries of the index: what is staged.
    pub(crate) index: Digest,
    /// Whether what is staged gives the same tree as what is on disk.
    ///
    /// Not part of the record: it tells a person at audit time why a commit would not be proven.
    pub(crate) staged_tree: Option<Oid>,
    /// Untracked files that no tracked rule ignores.
    pub(crate) untracked: Untracked,
    /// Files hidden only by rules that are not tracked.
    pub(crate) hidden: Noted,
    /// What is odd.
    pub(crate) flags: BTreeMap<Flag, Noted>,
    /// Digests of what steers git here.
    pub(crate) control: Control,
    /// What a person may be told and no record holds.
    pub(crate) aside: Aside,
}

/// What a glance tells of a workspace, for a person to go on by: where git saw a file unchanged, the
/// file was not read. There is no way from here to a [`State`] or to a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Glance {
    /// The commit checked out; none before the first.
    pub(crate) head: Option<Oid>,
    /// The full name of the branch checked out; none when detached.
    pub(crate) branch: Option<String>,
    /// The tree that committing all tracked content would give.
    pub(crate) tree: Oid,
    /// The tree that committing what is staged would give; none in a merge.
    pub(crate) staged_tree: Option<Oid>,
    /// Whether a merge is not resolved.
    pub(crate) is_unmerged: bool,
    /// Untracked files.
    pub(crate) untracked: Noted,
    /// Oddities that keep a record from being usable.
    pub(crate) flags: BTreeMap<Flag, Noted>,
    /// What would carry trust in a commit of it.
    pub(crate) trust: TrustFiles,
}

/// The files in `.plan-auditor/` that say whose evidence counts and how: mode and object of each, by its
/// path from there.
pub(crate) type TrustFiles = BTreeMap<String, (u32, Oid)>;

/// Their names; `policies` is a directory.
pub(crate) const TRUST_FILES: [&str; 3] = ["allowed_signers", "supervisor.json", "policies"];

/// What is known of a state beside its record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Aside {
    /// The files that were seen, by path; none for a state that was read from a record.
    pub(crate) files: Arc<Vec<SeenFile>>,
    /// The rules that are not tracked and hide files, as `FILE:LINE`.
    pub(crate) hidden_by: Noted,
    /// What would carry trust in a commit of it.
    pub(crate) trust: TrustFiles,
}

impl Aside {
    /// Returns the files by path.
    fn by_path(&self) -> BTreeMap<&[u8], &SeenFile> {
        let files = self.files.iter();
        files.map(|file| (&*file.path, file)).collect()
    }
}

/// One file as a state saw it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct SeenFile {
    /// Its path from the top.
    pub(crate) path: Arc<[u8]>,
    /// Its mode as git writes it.
    pub(crate) mode: u32,
    /// Its blob; of a submodule its commit.
    pub(crate) id: Oid,
    /// The digest of its blob.
    pub(crate) digest: Digest,
}

/// Why there is no state.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StateError {
    /// Files kept changing while they were read.
    #[error("{path} kept changing while it was read")]
    Unstable {
        /// The first such path.
        path: String,
    },
    /// Something could not be read.
    #[error("cannot take the state of the workspace")]
    Unreadable {
        /// Why.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// There is no work tree.
    #[error("this repository is bare: it has no workspace")]
    Bare,
}

/// Untracked files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Untracked {
    /// How many, and the first of them.
    pub(crate) noted: Noted,
    /// Digest over paths and content.
    pub(crate) digest: Digest,
}

/// A number of paths and the first of them, sorted, as `text::path` shows them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Noted {
    /// How many there are.
    pub(crate) count: u64,
    /// The first ones, at most [`Noted::KEPT`], each cut to [`Noted::LONGEST`] characters.
    pub(crate) paths: Vec<String>,
}

impl Noted {
    /// How many paths are kept.
    pub(crate) const KEPT: usize = 5;
    /// How many characters of a path are kept.
    pub(crate) const LONGEST: usize = 200;

    /// Notes paths, given in any order.
    pub(crate) fn of<B: AsRef<[u8]>>(paths: impl IntoIterator<Item = B>) -> Self {
        let mut all: Vec<String> = paths
            .into_iter()
            .map(|path| super::text::path(path.as_ref()))
            .collect();
        all.sort();
        all.dedup();
        let count = u64::try_from(all.len()).unwrap_or(u64::MAX);
        all.truncate(Self::KEPT);
        let paths = all
            .into_iter()
            .map(|path| path.chars().take(Self::LONGEST).collect());
        Self {
            count,
            paths: paths.collect(),
        }
    }

    /// Keeps the first so many paths, each cut to so many characters.
    fn cut(&mut self, most: usize, longest: usize) {
        self.paths.truncate(most);
        for path in &mut self.paths {
            *path = path.chars().take(longest).collect();
        }
    }
}

/// Digests of what steers git in a workspace (D18). The branch is a field of the state itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Control {
    /// Configuration keys that run programs or move things, as resolved here.
    pub(crate) config: Digest,
    /// Names, modes and bytes of the hooks directory.
    pub(crate) hooks: Digest,
    /// Names and bytes below `info/`.
    pub(crate) info: Digest,
    /// Names and targets of `refs/replace/`.
    pub(crate) replace: Digest,
}

/// One oddity of a workspace (DESIGN section 6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Flag {
    /// Tracked, marked skip-worktree or sparse, and not on disk.
    Absent,
    /// Marked assume-unchanged.
    AssumeUnchanged,
    /// Tracked paths that are one to a file system that ignores case, which git says this one does.
    CaseCollision,
    /// A directory with nothing in it, which no tree can hold.
    EmptyDirectory,
    /// Bytes that a checkout under tracked attributes alone would not have written.
    Eol,
    /// Under a filter attribute.
    Filtered,
    /// Grafts are in force.
    Grafts,
    /// Added by intent only.
    IntentToAdd,
    /// A pointer of LFS on disk instead of the file.
    LfsPointer,
    /// A link whose text leads out of the work tree: what it leads to is not covered.
    LinkOutside,
    /// Exec bit or link differs from what git's settings make it believe.
    Modes,
    /// A repository inside the work tree.
    Nested,
    /// A work tree of this repository inside this one: its files are not covered.
    OwnWorktree,
    /// Raw bytes hash to the entry's blob though conversion says otherwise (D15).
    Renormalise,
    /// Replace references are in force.
    Replace,
    /// Marked skip-worktree, on disk, and read.
    SkipWorktree,
    /// Neither file, directory nor link.
    Special,
    /// A submodule that is not there.
    SubmoduleAbsent,
    /// A submodule that differs from its commit or is odd itself.
    SubmoduleDirty,
    /// Rewritten or replaced while checks ran, whatever the bytes are now (D7).
    Touched,
    /// A merge that is not resolved.
    Unmerged,
    /// Could not be read.
    Unreadable,
    /// Something that this version does not read yet, so that it cannot vouch for it.
    Unsupported,
}

impl Flag {
    /// Every flag with its name in records, and whether it keeps a record from being usable.
    pub(crate) const TABLE: [(Self, &'static str, bool); 23] = [
        (Self::Absent, "absent", true),
        (Self::AssumeUnchanged, "assume_unchanged", false),
        (Self::CaseCollision, "case_collision", false),
        (Self::EmptyDirectory, "empty_directory", false),
        (Self::Eol, "eol", true),
        (Self::Filtered, "filtered", true),
        (Self::Grafts, "grafts", true),
        (Self::IntentToAdd, "intent_to_add", false),
        (Self::LfsPointer, "lfs_pointer", false),
        (Self::LinkOutside, "link_outside", false),
        (Self::Modes, "modes", true),
        (Self::Nested, "nested", true),
        (Self::OwnWorktree, "own_worktree", true),
        (Self::Renormalise, "renormalise", false),
        (Self::Replace, "replace", true),
        (Self::SkipWorktree, "skip_worktree", false),
        (Self::Special, "special", true),
        (Self::SubmoduleAbsent, "submodule_absent", true),
        (Self::SubmoduleDirty, "submodule_dirty", true),
        (Self::Touched, "touched", false),
        (Self::Unmerged, "unmerged", true),
        (Self::Unreadable, "unreadable", true),
        (Self::Unsupported, "unsupported", true),
    ];

    /// Returns the row of the table.
    fn row(self) -> (Self, &'static str, bool) {
        Self::TABLE
            .into_iter()
            .find(|(flag, ..)| *flag == self)
            .unwrap_or((self, "unsupported", true))
    }

    /// Returns the name in records.
    pub(crate) fn as_str(self) -> &'static str {
        self.row().1
    }

    /// Reads the name in records.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Self::TABLE
            .into_iter()
            .find(|(_, name, _)| *name == text)
            .map(|(flag, ..)| flag)
    }

    /// Says whether it keeps a record from being usable.
    pub(crate) fn is_disqualifying(self) -> bool {
        self.row().2
    }

    /// Says whether two states are the same though they differ in it; see also
    /// [`AuditPlace::is_steady`](super::record::AuditPlace::is_steady).
    pub(crate) fn may_change(self) -> bool {
        matches!(self, Self::EmptyDirectory | Self::Touched)
    }
}

impl State {
    /// Says whether two states are the same: hidden files and some flags may change, and what is
    /// staged is told by `index`.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let comparable = |state: &Self| {
            let mut flags = state.flags.clone();
            flags.retain(|flag, _| !flag.may_change());
            Self {
                staged_tree: None,
                hidden: Noted::default(),
                aside: Aside::default(),
                flags,
                ..state.clone()
            }
        };
        comparable(self) == comparable(other)
    }

    /// Returns the same state with shorter lists of paths: the first so many, each cut to so many
    /// characters. All counts and digests stay.
    pub(crate) fn with_paths_cut(&self, most: usize, longest: usize) -> Self {
        let mut state = self.clone();
        let lists = [&mut state.untracked.noted, &mut state.hidden].into_iter();
        for noted in lists.chain(state.flags.values_mut()) {
            noted.cut(most, longest);
        }
        state
    }

    /// Returns the files that were seen, tracked and untracked; none of a state from a record.
    pub(crate) fn files(&self) -> Files {
        let file = |seen: &SeenFile| {
            let SeenFile { mode, id, .. } = *seen;
            (seen.path.to_vec(), File { mode, id })
        };
        self.aside.files.iter().map(file).collect()
    }

    /// Names the files that differ between two states that were taken here.
    pub(crate) fn changed_files(&self, other: &Self) -> Noted {
        if self.aside.files == other.aside.files {
            return Noted::default();
        }
        let (before, after) = (self.aside.by_path(), other.aside.by_path());
        let paths = before.keys().chain(after.keys());
        Noted::of(paths.filter(|path| before.get(*path) != after.get(*path)))
    }

    /// Returns the flags that a reader should know and that disqualify nothing.
    pub(crate) fn informative(&self) -> impl Iterator<Item = (Flag, &Noted)> {
        self.flags
            .iter()
            .filter(|(flag, noted)| !flag.is_disqualifying() && noted.count > 0)
            .map(|(flag, noted)| (*flag, noted))
    }

    /// Returns the flags that keep a record of this state from being usable.
    pub(crate) fn disqualifying(&self) -> impl Iterator<Item = (Flag, &Noted)> {
        self.flags
            .iter()
            .filter(|(flag, noted)| flag.is_disqualifying() && noted.count > 0)
            .map(|(flag, noted)| (*flag, noted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_has_one_row_and_one_name() {
        let mut names: Vec<_> = Flag::TABLE.iter().map(|(_, name, _)| *name).collect();
        names.dedup();

        assert_eq!(names.len(), Flag::TABLE.len());
        for (flag, name, disqualifying) in Flag::TABLE {
            assert_eq!(Flag::parse(name), Some(flag));
            assert_eq!(
                (flag.as_str(), flag.is_disqualifying()),
                (name, disqualifying)
            );
        }
    }

    #[test]
    fn the_reference_lists_every_flag_as_it_is() {
        let page = include_str!("../../docs/reference/state.md");
        for (_, name, disqualifying) in Flag::TABLE {
            let word = if disqualifying { "yes" } else { "no" };
            assert!(page.contains(&format!("| `{name}` | {word} |")), "{name}");
        }
    }

    #[test]
    fn files_that_differ_between_two_states_are_named() {
        let file = |path: &str, mode, digest| SeenFile {
            path: path.as_bytes().into(),
            mode,
            id: Oid::Sha1([digest; 20]),
            digest: Digest::new([digest; 32]),
        };
        let state = |files: Vec<SeenFile>| State {
            head: None,
            branch: None,
            tree: Oid::Sha1([1; 20]),
            content: Digest::ZERO,
            index: Digest::ZERO,
            staged_tree: None,
            untracked: Untracked {
                noted: Noted::default(),
                digest: Digest::ZERO,
            },
            hidden: Noted::default(),
            flags: BTreeMap::new(),
            control: Control {
                config: Digest::ZERO,
                hooks: Digest::ZERO,
                info: Digest::ZERO,
                replace: Digest::ZERO,
            },
            aside: Aside {
                files: files.into(),
                ..Aside::default()
            },
        };
        let before = state(vec![
            file("a", 1, 1),
            file("b", 1, 1),
            file("c", 1, 1),
            file("d", 1, 1),
        ]);
        let after = state(vec![
            file("a", 1, 1),
            file("b", 2, 1),
            file("c", 1, 2),
            file("e", 1, 1),
        ]);

        assert_eq!(
            before.changed_files(&after),
            Noted::of(["b", "c", "d", "e"])
        );
        assert_eq!(before.changed_files(&before), Noted::default());
    }

    #[test]
    fn noted_paths_are_sorted_and_few() {
        let noted = Noted::of(["z", "b", "a", "c", "d", "e", "f"]);

        assert_eq!(noted.count, 7);
        assert_eq!(noted.paths, ["a", "b", "c", "d", "e"]);
    }
}
