//! The files of a checkout, listed from a tree or from the index, before anything is written.
//!
//! A tree is listed only if it is one that git would have written: its id computed from the list
//! must be its own. So no two readers see two things in it.

use std::collections::BTreeMap;

use gix::ObjectId;
use gix::objs::{Kind, TreeRefIter};

use super::super::open::Repository;
use super::super::state::disk::{DEEPEST, file_in};
use super::super::state::index;
use super::super::state::listing::Listing;
use super::super::state::objects::object;
use super::super::state::part::Part;
use super::{Stop, submodules};
use crate::model::checkout::{CheckoutError, Lack, Source, Wanted};
use crate::model::text;

/// How many names a tree may hold, directories included.
const MOST: usize = 5_000_000;
/// How many bytes all paths together may have.
const LONGEST: usize = 512 << 20;

/// Lists what is wanted, submodules included.
pub(super) fn part(
    repository: &Repository,
    wanted: &Wanted,
    lacks: &mut Vec<Lack>,
    stop: Stop<'_>,
) -> Result<Part, CheckoutError> {
    let tree = repository.gix_id(&wanted.tree);
    let tree = tree.ok_or_else(|| missing(&wanted.tree.to_string()))?;
    let listing = match wanted.source {
        Source::Index => of_index(repository)?,
        Source::Tree => of_tree(&repository.gix, &tree, stop)?,
    };
    match (tree_of(&listing)? == tree, wanted.source) {
        (true, _) => {}
        (false, Source::Index) => return Err(CheckoutError::Changed),
        (false, Source::Tree) => return Err(unfit(&tree, "is not as git would write it")),
    }
    let mut part = Part {
        objects: repository.gix.clone().into_sync(),
        common_dir: repository.common_dir().to_owned(),
        listing,
        tree,
        submodules: BTreeMap::new(),
    };
    let places = submodules::Places {
        git_dir: repository.git_dir().to_owned(),
        common_dir: repository.common_dir().to_owned(),
        work_dir: repository.work_dir().map(ToOwned::to_owned),
        command: repository.command.clone(),
    };
    submodules::fill(&mut part, &places, lacks, stop)?;
    Ok(part)
}

/// Returns the tree that a list gives.
pub(super) fn tree_of(listing: &Listing) -> Result<ObjectId, CheckoutError> {
    let tree = listing.staged_tree().map_err(CheckoutError::broken)?;
    tree.ok_or(CheckoutError::Changed)
}

/// Lists what is staged.
pub(super) fn of_index(repository: &Repository) -> Result<Listing, CheckoutError> {
    let index = index::read(repository).map_err(CheckoutError::broken)?;
    let mut files = Vec::new();
    for entry in index.entries().iter().filter(|entry| !entry.is_intended()) {
        if entry.stage != 0 {
            return Err(CheckoutError::Changed);
        }
        if entry.mode == 0o040_000 {
            return Err(missing(&text::path(&entry.path)));
        }
        files.push((entry.path.to_vec(), entry.mode, entry.id));
    }
    Listing::of(files, repository.hash_kind()).map_err(CheckoutError::broken)
}

/// Lists the files of a tree.
pub(super) fn of_tree(
    gix: &gix::Repository,
    tree: &ObjectId,
    stop: Stop<'_>,
) -> Result<Listing, CheckoutError> {
    let mut listed = Listed::default();
    let mut pending = vec![(Vec::new(), 0, *tree)];
    while let Some((path, depth, id)) = pending.pop() {
        if stop() {
            return Err(CheckoutError::Stopped);
        }
        let bytes = object(gix, &id, Kind::Tree);
        let bytes = bytes.ok_or_else(|| missing(&format!("tree {id}")))?;
        for entry in TreeRefIter::from_bytes(&bytes, id.kind()) {
            let entry = entry.map_err(|_| unfit(&id, "cannot be read"))?;
            let path = listed.path(&id, &path, entry.filename)?;
            let mode = u32::from(entry.mode.value());
            match mode {
                0o040_000 if depth < DEEPEST => {
                    pending.push((path, depth + 1, entry.oid.to_owned()));
                }
                0o040_000 => return Err(unfit(&id, "is too deep")),
                0o100_644 | 0o100_755 | 0o120_000 | 0o160_000 => {
                    listed.files.push((path, mode, entry.oid.to_owned()));
                }
                _ => return Err(unfit(&id, &format!("has the mode {mode:o}"))),
            }
        }
    }
    Listing::of(listed.files, tree.kind()).map_err(|_| unfit(tree, "names a path twice"))
}

/// What was listed so far.
#[derive(Default)]
struct Listed {
    /// Files, links and submodules.
    files: Vec<(Vec<u8>, u32, ObjectId)>,
    /// How many names there were.
    names: usize,
    /// How many bytes their paths had.
    bytes: usize,
}

impl Listed {
    /// Returns the path of a name in a directory; refuses one that git would not write, and more
    /// than anybody needs.
    fn path(
        &mut self,
        tree: &ObjectId,
        directory: &[u8],
        name: &[u8],
    ) -> Result<Vec<u8>, CheckoutError> {
        if !is_fit(name) {
            return Err(unfit(tree, &format!("has the name {}", text::path(name))));
        }
        let path = file_in(directory, name);
        self.names += 1;
        self.bytes += path.len();
        if self.names > MOST || self.bytes > LONGEST {
            return Err(unfit(tree, "holds more files than a checkout takes"));
        }
        Ok(path)
    }
}

/// Says whether a name is one that stays in its directory and is not git's own.
fn is_fit(name: &[u8]) -> bool {
    !matches!(name, b"" | b"." | b"..")
        && !name.eq_ignore_ascii_case(b".git")
        && !name.contains(&b'/')
        && !name.contains(&0)
}

/// Refuses a tree.
fn unfit(tree: &ObjectId, what: &str) -> CheckoutError {
    CheckoutError::Unfit {
        what: format!("tree {tree} {what}"),
    }
}

/// Names an object that is not here.
pub(super) fn missing(what: &str) -> CheckoutError {
    CheckoutError::Missing {
        objects: vec![what.to_owned()],
    }
}
