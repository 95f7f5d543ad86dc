//! What stands at a path of a tree.

use super::snapshot::Snapshot;
use crate::model::claim::evidence::Reason;
use crate::model::files::{LINK, SUBMODULE};
use crate::model::ids::Oid;

/// The mode of a directory in a tree.
pub(super) const DIRECTORY: u32 = 0o040_000;
/// The mode of an executable file.
pub(super) const EXECUTABLE: u32 = 0o100_755;
/// The mode of another regular file.
pub(super) const REGULAR: u32 = 0o100_644;

/// Something in a tree.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Entry {
    /// Its path from the top.
    pub(super) path: Vec<u8>,
    /// Its mode.
    pub(super) mode: u32,
    /// Its object.
    pub(super) id: Oid,
}

/// What was found at a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Found {
    /// This.
    Here(Entry),
    /// Nothing; this is the directory that has no entry of the next name.
    Nothing(Entry),
}

impl Found {
    /// Returns what stands there.
    pub(super) const fn here(&self) -> Option<&Entry> {
        match self {
            Self::Here(entry) => Some(entry),
            Self::Nothing(_) => None,
        }
    }
}

/// Returns the path of a top directory, as evidence names it.
const TOP: &[u8] = b".";

/// Looks at a path below a tree. A submodule or a link on the way, or a directory that is not here,
/// leaves it open what is there.
pub(super) fn look(snapshot: &Snapshot<'_>, root: &Oid, path: &str) -> Result<Found, Reason> {
    let mut here = Entry {
        path: TOP.to_vec(),
        mode: DIRECTORY,
        id: *root,
    };
    for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
        match here.mode {
            DIRECTORY => {}
            SUBMODULE => return Err(Reason::Submodule),
            // Where a link leads is not what stands in this tree.
            LINK => return Err(Reason::CoverageIncomplete),
            // Below a file there is nothing.
            _ => return Ok(Found::Nothing(here)),
        }
        let entries = snapshot.entries(&here.id);
        let entries = entries.as_ref().as_ref().map_err(|lack| lack.reason())?;
        let Some(next) = entries.iter().find(|entry| entry.name == name.as_bytes()) else {
            return Ok(Found::Nothing(here));
        };
        here = Entry {
            path: below(&here.path, &next.name),
            mode: next.mode,
            id: next.id,
        };
    }
    Ok(Found::Here(here))
}

/// Writes a path as trees do, without empty parts and `.`.
pub(super) fn plain(path: &str) -> Vec<u8> {
    let names = path.split('/').filter(|name| !matches!(*name, "" | "."));
    let path = names.collect::<Vec<_>>().join("/").into_bytes();
    if path.is_empty() { TOP.to_vec() } else { path }
}

/// Returns the path of a name in a directory.
pub(super) fn below(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if directory == TOP || directory.is_empty() {
        name.to_vec()
    } else {
        [directory, name].join(&b'/')
    }
}
