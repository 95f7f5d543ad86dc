//! A tree in memory, and statements as plans write them, for tests.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::snapshot::{Limits, Snapshot};
use super::tree::{Lack, Tree};
use crate::model::claim::evidence::{Evidence, Reason, Tested};
use crate::model::claim::statement::Statement;
use crate::model::ids::Oid;
use crate::model::repository::{Commit, TreeEntry};
use crate::wire::digest::sha256;
use crate::wire::plan::read_claims;

/// The mode of a directory.
const DIRECTORY: u32 = 0o040_000;

/// A commit in memory.
#[derive(Debug)]
pub(super) struct Memory {
    blobs: BTreeMap<Oid, Vec<u8>>,
    trees: BTreeMap<Oid, Vec<TreeEntry>>,
    commits: BTreeMap<Oid, Commit>,
    pub(super) commit: Commit,
    pub(super) limits: Limits,
    pub(super) is_late: bool,
    /// How many blobs were asked for.
    pub(super) reads: Cell<usize>,
}

/// A file: the parts of its path, its mode and its bytes.
type Placed<'f> = (Vec<&'f str>, u32, &'f [u8]);

/// Returns the id of bytes.
pub(super) fn id(bytes: &[u8]) -> Oid {
    Oid::from_bytes(sha256(bytes).as_bytes()).unwrap()
}

impl Memory {
    /// Makes a commit of files.
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let files: Vec<(&str, u32, &[u8])> = files
            .iter()
            .map(|(path, text)| (*path, 0o100_644, text.as_bytes()))
            .collect();
        Self::with(&files)
    }

    /// Makes a commit of files with modes.
    pub(super) fn with(files: &[(&str, u32, &[u8])]) -> Self {
        let mut memory = Self {
            blobs: BTreeMap::new(),
            trees: BTreeMap::new(),
            commits: BTreeMap::new(),
            commit: Commit {
                id: id(b"commit"),
                tree: id(b"none"),
                parents: Vec::new(),
                subject: "Begin".to_owned(),
                anchors: Vec::new(),
            },
            limits: Limits::USUAL,
            is_late: false,
            reads: Cell::new(0),
        };
        memory.commit = memory.committed(files);
        memory
    }

    /// Adds a commit of files.
    pub(super) fn committed(&mut self, files: &[(&str, u32, &[u8])]) -> Commit {
        let files: Vec<Placed<'_>> = files
            .iter()
            .map(|(path, mode, bytes)| (path.split('/').collect(), *mode, *bytes))
            .collect();
        let tree = self.tree(&files);
        let commit = Commit {
            id: id(format!("commit of {tree}").as_bytes()),
            tree,
            parents: Vec::new(),
            subject: "Change".to_owned(),
            anchors: Vec::new(),
        };
        self.commits.insert(commit.id, commit.clone());
        commit
    }

    fn tree(&mut self, files: &[Placed<'_>]) -> Oid {
        let mut entries = Vec::new();
        let mut below: BTreeMap<&str, Vec<Placed<'_>>> = BTreeMap::new();
        for (parts, mode, bytes) in files {
            match parts.as_slice() {
                [name] => {
                    self.blobs.insert(id(bytes), bytes.to_vec());
                    entries.push((*name, *mode, id(bytes)));
                }
                [name, rest @ ..] => {
                    let inner = below.entry(*name).or_default();
                    inner.push((rest.to_vec(), *mode, *bytes));
                }
                [] => {}
            }
        }
        for (name, files) in below {
            let tree = self.tree(&files);
            entries.push((name, DIRECTORY, tree));
        }
        entries.sort_unstable();
        let written = format!("{entries:?}");
        let entry = |(name, mode, id): (&str, u32, Oid)| TreeEntry {
            name: name.as_bytes().to_vec(),
            mode,
            id,
        };
        let tree = id(written.as_bytes());
        self.trees
            .insert(tree, entries.into_iter().map(entry).collect());
        tree
    }

    /// Takes an object away, as a partial clone lacks it.
    pub(super) fn lose(&mut self, bytes: &[u8]) {
        self.blobs.remove(&id(bytes));
    }

    /// Takes a directory away.
    pub(super) fn lose_directory(&mut self, name: &str) {
        let lost: Vec<Oid> = self
            .trees
            .values()
            .flatten()
            .filter(|entry| entry.name == name.as_bytes() && entry.mode == DIRECTORY)
            .map(|entry| entry.id)
            .collect();
        for id in lost {
            self.trees.remove(&id);
        }
    }

    /// Tests a claim, given without `id`, `criticality` and `expect`.
    pub(super) fn test(&self, fields: &str, expect: bool) -> Evidence {
        self.test_statement(&statement(fields, expect))
    }

    /// Tests a statement.
    pub(super) fn test_statement(&self, statement: &Statement) -> Evidence {
        let is_late = || self.is_late;
        let snapshot = Snapshot::new(self, &self.commit, self.limits, &is_late);
        super::test(&snapshot, statement)
    }

    /// Says what becomes of a claim and of its contrary, as one word; they never agree on anything
    /// but that it cannot be said.
    #[track_caller]
    pub(super) fn says(&self, fields: &str) -> String {
        let (one, other) = (self.test(fields, true), self.test(fields, false));
        match (one.tested, other.tested) {
            (Tested::Verified, Tested::Disproved) => "true".to_owned(),
            (Tested::Disproved, Tested::Verified) => "false".to_owned(),
            (Tested::Disproved, Tested::Inconclusive(Reason::CoverageIncomplete)) => {
                "vacuously false".to_owned()
            }
            (Tested::Inconclusive(Reason::CoverageIncomplete), Tested::Disproved) => {
                "vacuously true".to_owned()
            }
            (Tested::Inconclusive(one), Tested::Inconclusive(other)) if one == other => {
                one.as_str().to_owned()
            }
            (one, other) => panic!("{one:?} and {other:?} for {fields}"),
        }
    }
}

/// Reads a statement as a plan writes it.
#[track_caller]
pub(super) fn statement(fields: &str, expect: bool) -> Statement {
    let text = format!(r#"[{{"id":"C","criticality":"high","expect":{expect},{fields}}}]"#);
    let (claims, findings) = read_claims("claims.json", text.as_bytes());
    let claims = claims.unwrap_or_else(|| panic!("{fields}: {findings:?}"));
    claims.into_iter().next().unwrap().statement
}

impl Tree for Memory {
    fn entries(&self, tree: &Oid) -> Result<Vec<TreeEntry>, Lack> {
        self.trees.get(tree).cloned().ok_or(Lack::Missing)
    }

    fn blob(&self, id: &Oid, most: u64) -> Result<Vec<u8>, Lack> {
        self.reads.set(self.reads.get() + 1);
        let blob = self.blobs.get(id).ok_or(Lack::Missing)?;
        if u64::try_from(blob.len()).unwrap() > most {
            return Err(Lack::TooLarge);
        }
        Ok(blob.clone())
    }

    fn commit(&self, id: &Oid) -> Result<Commit, Lack> {
        self.commits.get(id).cloned().ok_or(Lack::Missing)
    }

    fn is_ancestor(&self, older: &Oid, newer: &Oid) -> Result<bool, Lack> {
        self.commit(older)?;
        Ok(older == newer)
    }
}
