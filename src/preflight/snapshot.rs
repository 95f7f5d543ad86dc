//! One commit, read lazily: what several statements ask for is read once.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use super::scope::Scoped;
use super::syntax::{self, Facts, Grammar};
use super::tree::{Lack, Tree};
use crate::model::claim::evidence::Reason;
use crate::model::ids::Oid;
use crate::model::repository::{Commit, TreeEntry};

/// How many parsed files are kept for the next statement.
const PARSED: usize = 4000;
/// How many bytes of blobs are kept for the next statement.
const KEPT: usize = 64 << 20;

/// How much is looked at for one statement (PREFLIGHT section 7); what is beyond is a gap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limits {
    /// Entries of trees.
    pub(crate) entries: usize,
    /// Files that are read.
    pub(crate) files: usize,
    /// Bytes that are read, of all files.
    pub(crate) bytes: u64,
    /// Bytes of one file.
    pub(crate) file: u64,
    /// Milliseconds for parsing one file.
    pub(crate) parse: u64,
}

impl Limits {
    /// Those of the design.
    pub(crate) const USUAL: Self = Self {
        entries: 10_000,
        files: 2000,
        bytes: 15_000_000,
        file: 1_000_000,
        parse: 1500,
    };
}

/// What the syntax of a file says, or why that is not known.
type Parsed = Result<Rc<Facts>, Reason>;
/// Entries of a directory, shared.
type Entries = Rc<Result<Vec<TreeEntry>, Lack>>;
/// The bytes of a blob, shared.
pub(super) type Bytes = Rc<Vec<u8>>;

/// One commit.
pub(crate) struct Snapshot<'a> {
    tree: &'a dyn Tree,
    commit: &'a Commit,
    limits: Limits,
    /// Says whether the run has used up its time.
    is_late: &'a dyn Fn() -> bool,
    directories: RefCell<BTreeMap<Oid, Entries>>,
    blobs: RefCell<BTreeMap<Oid, Bytes>>,
    kept: Cell<usize>,
    scopes: RefCell<BTreeMap<Vec<String>, Rc<Scoped>>>,
    parsed: RefCell<BTreeMap<(Oid, &'static str), Parsed>>,
}

impl std::fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Snapshot({})", self.commit.id)
    }
}

impl<'a> Snapshot<'a> {
    /// Looks at a commit.
    pub(crate) fn new(
        tree: &'a dyn Tree,
        commit: &'a Commit,
        limits: Limits,
        is_late: &'a dyn Fn() -> bool,
    ) -> Self {
        Self {
            tree,
            commit,
            limits,
            is_late,
            directories: RefCell::default(),
            blobs: RefCell::default(),
            kept: Cell::new(0),
            scopes: RefCell::default(),
            parsed: RefCell::default(),
        }
    }

    /// Returns the commit.
    pub(super) const fn commit(&self) -> &Commit {
        self.commit
    }

    /// Returns the objects.
    pub(super) fn tree(&self) -> &dyn Tree {
        self.tree
    }

    /// Returns the limits.
    pub(super) const fn limits(&self) -> Limits {
        self.limits
    }

    /// Says whether the run has used up its time.
    pub(super) fn is_late(&self) -> bool {
        (self.is_late)()
    }

    /// Lists the entries of a tree.
    pub(super) fn entries(&self, tree: &Oid) -> Entries {
        if let Some(known) = self.directories.borrow().get(tree) {
            return Rc::clone(known);
        }
        let entries = Rc::new(self.tree.entries(tree));
        let mut directories = self.directories.borrow_mut();
        directories.insert(*tree, Rc::clone(&entries));
        entries
    }

    /// Reads a blob of at most so many bytes.
    pub(super) fn blob(&self, id: &Oid, most: u64) -> Result<Bytes, Lack> {
        if let Some(known) = self.blobs.borrow().get(id) {
            let length = u64::try_from(known.len()).unwrap_or(u64::MAX);
            return if length <= most {
                Ok(Rc::clone(known))
            } else {
                Err(Lack::TooLarge)
            };
        }
        let bytes = Rc::new(self.tree.blob(id, most)?);
        let kept = self.kept.get().saturating_add(bytes.len());
        let mut blobs = self.blobs.borrow_mut();
        if kept > KEPT {
            blobs.clear();
            self.kept.set(bytes.len());
        } else {
            self.kept.set(kept);
        }
        blobs.insert(*id, Rc::clone(&bytes));
        Ok(bytes)
    }

    /// Reads what the syntax of a file says, which is parsed once.
    pub(super) fn facts(
        &self,
        id: &Oid,
        grammar: &'static Grammar,
        text: &str,
    ) -> Result<Rc<Facts>, Reason> {
        let key = (*id, grammar.name);
        if let Some(known) = self.parsed.borrow().get(&key) {
            return known.clone();
        }
        let facts = syntax::facts(grammar, text, self.limits.parse).map(Rc::new);
        let mut parsed = self.parsed.borrow_mut();
        if parsed.len() >= PARSED {
            parsed.clear();
        }
        parsed.insert(key, facts.clone());
        facts
    }

    /// Returns what path patterns match, which is listed once.
    pub(super) fn scoped(&self, globs: &[String], list: impl FnOnce() -> Scoped) -> Rc<Scoped> {
        if let Some(known) = self.scopes.borrow().get(globs) {
            return Rc::clone(known);
        }
        let scoped = Rc::new(list());
        let mut scopes = self.scopes.borrow_mut();
        scopes.insert(globs.to_vec(), Rc::clone(&scoped));
        scoped
    }
}
