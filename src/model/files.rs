//! Files by path, as a tree or a workspace holds them: what pins and scopes are judged by.

use std::collections::{BTreeMap, BTreeSet};

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

/// Lists the paths at which two sets of files differ.
pub(crate) fn differing<'a>(before: &'a Files, after: &'a Files) -> BTreeSet<&'a [u8]> {
    let paths = before.keys().chain(after.keys());
    paths
        .filter(|path| before.get(*path) != after.get(*path))
        .map(Vec::as_slice)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_differs_at_a_path_is_listed() {
        let file = |mode, id| File {
            mode,
            id: Oid::Sha1([id; 20]),
        };
        let files = |all: &[(&str, u32, u8)]| -> Files {
            let one =
                |(path, mode, id): &(&str, u32, u8)| (path.as_bytes().to_vec(), file(*mode, *id));
            all.iter().map(one).collect()
        };
        let before = files(&[("a", 1, 1), ("b", 1, 1), ("c", 1, 1), ("d", 1, 1)]);
        let after = files(&[("a", 1, 1), ("b", 2, 1), ("c", 1, 2), ("e", 1, 1)]);

        let found: Vec<&[u8]> = differing(&before, &after).into_iter().collect();

        assert_eq!(found, [b"b", b"c", b"d", b"e"]);
        assert!(differing(&before, &before).is_empty());
    }
}
