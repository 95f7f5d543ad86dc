//! Submodules of a checkout, taken from repositories of this machine by the id of their commit.
//!
//! Where such a repository lies is told by the tree that is checked out, so nothing of it is
//! believed but objects that hash to their names.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use gix::ObjectId;
use gix::bstr::{BString, ByteSlice as _};
use gix::objs::Kind;

use super::super::nested;
use super::super::open::Repository;
use super::super::state::disk::file_in;
use super::super::state::listing::Listing;
use super::super::state::mapping::{Mapping, Why};
use super::super::state::objects::{object, tree_of};
use super::super::state::part::Part;
use super::super::state::submodule::{DEEPEST, GITMODULES};
use super::{Stop, source};
use crate::model::checkout::{CheckoutError, Lack};
use crate::model::text;

/// Where the repositories of submodules may lie.
#[derive(Clone, Debug)]
pub(super) struct Places {
    /// The git directory of the repository around them.
    pub(super) git_dir: PathBuf,
    /// The directory that all its work trees share.
    pub(super) common_dir: PathBuf,
    /// Its work tree.
    pub(super) work_dir: Option<PathBuf>,
    /// What came with the command line.
    pub(super) command: Vec<BString>,
}

/// Lists the submodules of a part, recursively; what is not here is told.
pub(super) fn fill(
    part: &mut Part,
    places: &Places,
    lacks: &mut Vec<Lack>,
    stop: Stop<'_>,
) -> Result<(), CheckoutError> {
    below(part, (places, b"", 1), lacks, stop)
}

/// Lists the submodules of a part that lies at `prefix`, `depth` submodules deep.
fn below(
    part: &mut Part,
    (places, prefix, depth): (&Places, &[u8], usize),
    lacks: &mut Vec<Lack>,
    stop: Stop<'_>,
) -> Result<(), CheckoutError> {
    let entries = part.listing.entries().iter().filter(|e| e.is_gitlink());
    let links: Vec<(Vec<u8>, ObjectId)> = entries.map(|e| (e.path.to_vec(), e.id)).collect();
    if links.is_empty() {
        return Ok(());
    }
    let mapping = mapping(&part.listing, &part.repository());
    for (path, commit) in links {
        let whole = file_in(prefix, &path);
        let name = match mapping.name(&path) {
            Ok(name) => name,
            Err(why) => {
                lacks.push(unmapped(&whole, why));
                continue;
            }
        };
        let store = stores(places, &path, name)
            .into_iter()
            .find_map(|dir| Store::open(&dir, &places.command, &commit));
        let Some(store) = store.filter(|_| depth <= DEEPEST) else {
            lacks.push(absent(&whole, &commit));
            continue;
        };
        let mut inner = store.part(stop)?;
        let inside = store.places(places, &path);
        below(&mut inner, (&inside, &whole, depth + 1), lacks, stop)?;
        part.submodules.insert(path, inner);
    }
    Ok(())
}

/// Tells of a submodule that is not here.
fn absent(path: &[u8], commit: &ObjectId) -> Lack {
    let path = text::path(path);
    let short = commit.to_hex_with_len(12);
    Lack {
        why: format!("submodule {path}: commit {short} is not in this clone"),
        remedy: "git submodule update --init --recursive".to_owned(),
        path,
    }
}

/// Tells of a submodule that no clone would fill, whatever lies in the work tree.
fn unmapped(path: &[u8], why: Why) -> Lack {
    let path = text::path(path);
    Lack {
        why: format!("submodule {path}: no clone would fill it: {why}"),
        remedy: "git config -f .gitmodules --edit".to_owned(),
        path,
    }
}

/// Reads what `.gitmodules` says.
fn mapping(listing: &Listing, gix: &gix::Repository) -> Mapping {
    let entry = listing.steering(GITMODULES).filter(|entry| entry.is_file());
    let bytes = entry.and_then(|entry| object(gix, &entry.id, Kind::Blob));
    bytes.map_or_else(Mapping::nothing, |bytes| Mapping::of(&bytes))
}

/// Lists the git directories in which a submodule may be found.
fn stores(places: &Places, path: &[u8], name: &[u8]) -> Vec<PathBuf> {
    let mut stores = Vec::new();
    if is_inside(name) {
        for dir in [&places.git_dir, &places.common_dir] {
            stores.push(dir.join("modules").join(OsStr::from_bytes(name)));
        }
    }
    if let Some(top) = &places.work_dir {
        stores.push(top.join(OsStr::from_bytes(path)).join(".git"));
    }
    stores
}

/// Says whether a name stays below the directory it is joined to.
fn is_inside(name: &[u8]) -> bool {
    !name.contains(&0)
        && name
            .split_str("/")
            .all(|part| !matches!(part, b"" | b"." | b".."))
}

/// A repository that holds a commit of a submodule.
struct Store {
    /// The repository.
    gix: gix::Repository,
    /// The tree of the commit.
    tree: ObjectId,
}

impl Store {
    /// Opens a git directory; none if it cannot be used or does not hold the commit.
    fn open(dir: &Path, command: &[BString], commit: &ObjectId) -> Option<Self> {
        let git_dir = nested::git_dir_of(dir)?;
        let gix = Repository::open_objects(&git_dir, command).ok()?;
        if gix.object_hash() != commit.kind() {
            return None;
        }
        let tree = tree_of(&gix, commit)?;
        Some(Self { gix, tree })
    }

    /// Lists the files of the commit.
    fn part(&self, stop: Stop<'_>) -> Result<Part, CheckoutError> {
        let listing = source::of_tree(&self.gix, &self.tree, stop)?;
        if source::tree_of(&listing)? != self.tree {
            let what = format!("tree {} is not as git would write it", self.tree);
            return Err(CheckoutError::Unfit { what });
        }
        Ok(Part {
            objects: self.gix.clone().into_sync(),
            common_dir: self.gix.common_dir().to_owned(),
            listing,
            tree: self.tree,
            submodules: BTreeMap::new(),
        })
    }

    /// Returns where its own submodules may lie.
    fn places(&self, around: &Places, path: &[u8]) -> Places {
        let work_dir = around.work_dir.as_deref();
        Places {
            git_dir: self.gix.git_dir().to_owned(),
            common_dir: self.gix.common_dir().to_owned(),
            work_dir: work_dir.map(|top| top.join(OsStr::from_bytes(path))),
            command: around.command.clone(),
        }
    }
}
