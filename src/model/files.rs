//! Files by path, as a tree or a workspace holds them: what pins and scopes are judged by.

use std::collections::BTreeMap;

use super::ids::Oid;

/// The mode of a symbolic link.
pub(crate) const LINK: u32 = 0o120_000;
/// The mode of a submodule.
pub(crate) const SUBMODULE: u32 = 0o160_000;

/// What stands at a path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct File {
    /// Its mode as git writes it.
    pub(crate) mode: u32,
    /// Its blob; of a link the one with its text, of a submodule the commit.
    pub(crate) id: Oid,
}

/// Files, links and submodules by their paths from the top.
pub(crate) type Files = BTreeMap<Vec<u8>, File>;
