//! What is watched: every file of a state or of a checkout, and every directory on the way to it.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::Watch;
use crate::git::open::Repository;
use crate::git::state::disk::{file_in, split};
use crate::git::state::index;
use crate::git::state::listing::Listing;
use crate::git::state::part::Part;
use crate::git::state::submodule::DEEPEST;
use crate::model::state::State;

/// The mode of a submodule.
const SUBMODULE: u32 = 0o160_000;

/// What a path that is watched is meant to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A file or link.
    File,
    /// A directory.
    Directory,
}

/// The files of one repository, or of one part of a checkout.
#[derive(Debug)]
pub(in crate::git) struct Root {
    /// Its directory.
    pub(super) top: PathBuf,
    /// The path of that directory in the whole; empty for the whole itself.
    prefix: Vec<u8>,
    /// Whether it lies in memory.
    pub(super) is_in_memory: bool,
    /// Paths below it; the empty one is the directory itself.
    pub(super) names: Vec<(Vec<u8>, Kind)>,
}

impl Root {
    /// Takes paths with their modes, in order.
    fn new<'p>(
        top: &Path,
        prefix: &[u8],
        paths: impl IntoIterator<Item = (&'p [u8], u32)>,
    ) -> Self {
        let mut names = vec![(Vec::new(), Kind::Directory)];
        let mut known = BTreeSet::from([&b""[..]]);
        for (path, mode) in paths {
            let mut above = Vec::new();
            let (mut directory, _) = split(path);
            while known.insert(directory) {
                above.push((directory.to_vec(), Kind::Directory));
                (directory, _) = split(directory);
            }
            names.extend(above.into_iter().rev());
            // The directory of a submodule is a root of its own.
            if mode != SUBMODULE {
                names.push((path.to_vec(), Kind::File));
            }
        }
        Self {
            top: top.to_owned(),
            is_in_memory: is_in_memory(top),
            prefix: prefix.to_vec(),
            names,
        }
    }

    /// Lists the paths in the whole.
    pub(super) fn paths(&self) -> impl Iterator<Item = Vec<u8>> {
        self.names.iter().map(|(name, _)| {
            let shown = if name.is_empty() {
                b"."
            } else {
                name.as_slice()
            };
            file_in(&self.prefix, shown)
        })
    }

    /// Adds what was written to `top`, and what was written for submodules in it.
    pub(in crate::git) fn add_part(roots: &mut Vec<Self>, part: &Part, top: &Path, prefix: &[u8]) {
        roots.push(Self::new(top, prefix, modes(&part.listing)));
        for (path, part) in &part.submodules {
            Self::add_part(roots, part, &at(top, path), &file_in(prefix, path));
        }
    }

    /// Adds the submodules of a repository at these paths, as far as they can be read.
    fn add_submodules(
        roots: &mut Vec<Self>,
        repository: &Repository,
        (top, prefix): (&Path, &[u8]),
        (paths, depth): (Vec<Vec<u8>>, usize),
    ) {
        for path in paths {
            let (top, prefix) = (at(top, &path), file_in(prefix, &path));
            let opened = Repository::open_submodule(&top, &repository.command).ok();
            let Some(inner) = opened.filter(|_| depth < DEEPEST) else {
                continue;
            };
            let Ok(listing) = index::read(&inner) else {
                continue;
            };
            roots.push(Self::new(&top, &prefix, modes(&listing)));
            let below = submodules(modes(&listing));
            Self::add_submodules(roots, &inner, (&top, &prefix), (below, depth + 1));
        }
    }
}

impl Repository {
    /// Begins to watch what a state has seen: tracked and untracked files, and those of submodules.
    pub(crate) fn watch(&self, state: &State) -> Watch {
        let Some(top) = self.work_dir() else {
            return Watch::of(Vec::new());
        };
        let files = &state.aside.files;
        let seen = || files.iter().map(|file| (&*file.path, file.mode));
        let mut roots = vec![Root::new(top, b"", seen())];
        Root::add_submodules(&mut roots, self, (top, b""), (submodules(seen()), 0));
        Watch::of(roots)
    }
}

/// The types of file systems in memory, as statfs(2) numbers them: tmpfs and ramfs. As text, because
/// the type of that number is another one on each system.
#[cfg(target_os = "linux")]
const IN_MEMORY: [&str; 2] = ["1021994", "858458f6"];

/// Says whether a directory lies in memory; what cannot be asked does not.
#[cfg(target_os = "linux")]
fn is_in_memory(top: &Path) -> bool {
    let found = nix::sys::statfs::statfs(top).map(|found| found.filesystem_type());
    found.is_ok_and(|found| IN_MEMORY.contains(&format!("{:x}", found.0).as_str()))
}

/// Elsewhere no such file system is known that keeps no time.
#[cfg(not(target_os = "linux"))]
const fn is_in_memory(_: &Path) -> bool {
    false
}

/// Lists paths and modes.
fn modes(listing: &Listing) -> impl Iterator<Item = (&[u8], u32)> {
    let entries = listing.entries().iter();
    entries.map(|entry| (&*entry.path, entry.mode))
}

/// Lists the paths of submodules.
fn submodules<'p>(paths: impl Iterator<Item = (&'p [u8], u32)>) -> Vec<Vec<u8>> {
    let found = paths.filter(|(_, mode)| *mode == SUBMODULE);
    found.map(|(path, _)| path.to_vec()).collect()
}

/// Returns a path below a directory.
fn at(top: &Path, path: &[u8]) -> PathBuf {
    top.join(OsStr::from_bytes(path))
}
