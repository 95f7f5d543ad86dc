//! The trees that a list of files gives, with the ids that git would give them; none of them is written.

use std::collections::BTreeMap;

use gix::objs;

use super::open::Repository;
use crate::model::files::Files;
use crate::model::ids::Oid;
use crate::model::repository::TreeEntry;

/// The mode of a directory in a tree.
const DIRECTORY: u32 = 0o040_000;

/// Trees that are in no object store.
#[derive(Debug)]
pub(crate) struct Laid {
    /// The top.
    pub(crate) top: Oid,
    trees: BTreeMap<Oid, Vec<TreeEntry>>,
}

impl Laid {
    /// Lays out files as trees; none where one of them has no place in a tree.
    pub(crate) fn of(repository: &Repository, files: &Files) -> Option<Self> {
        let mut open: BTreeMap<Vec<u8>, Vec<TreeEntry>> =
            BTreeMap::from([(Vec::new(), Vec::new())]);
        for (path, file) in files {
            let (directory, name) = split(path);
            let (mode, id) = (file.mode, file.id);
            let name = name.to_vec();
            open.entry(directory.to_vec())
                .or_default()
                .push(TreeEntry { name, mode, id });
            // Every directory on the way is one, also where it holds nothing but others.
            let mut above = directory;
            while !above.is_empty() {
                above = split(above).0;
                open.entry(above.to_vec()).or_default();
            }
        }
        let mut trees = BTreeMap::new();
        // What lies in a directory comes after it, so that from the end each is whole when it is taken.
        while let Some((path, mut entries)) = open.pop_last() {
            entries.sort_by_cached_key(key);
            let id = id_of(repository, &entries)?;
            trees.insert(id, entries);
            if path.is_empty() {
                return Some(Self { top: id, trees });
            }
            let (directory, name) = split(&path);
            let entry = TreeEntry {
                name: name.to_vec(),
                mode: DIRECTORY,
                id,
            };
            open.get_mut(directory)?.push(entry);
        }
        None
    }

    /// Returns the entries of one of these trees.
    pub(crate) fn entries(&self, tree: &Oid) -> Option<&[TreeEntry]> {
        self.trees.get(tree).map(Vec::as_slice)
    }
}

/// Divides a path into its directory and its name.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(at) => {
            let (directory, name) = path.split_at(at);
            (directory, name.get(1..).unwrap_or_default())
        }
        None => (&[], path),
    }
}

/// Returns by what git sorts an entry: a directory as if a slash followed.
fn key(entry: &TreeEntry) -> Vec<u8> {
    let slash: &[u8] = if entry.mode == DIRECTORY { b"/" } else { b"" };
    [entry.name.as_slice(), slash].concat()
}

/// Returns the id of a tree with these entries.
fn id_of(repository: &Repository, entries: &[TreeEntry]) -> Option<Oid> {
    let mut bytes = Vec::new();
    for entry in entries {
        bytes.extend_from_slice(format!("{:o} ", entry.mode).as_bytes());
        bytes.extend_from_slice(&entry.name);
        bytes.push(0);
        bytes.extend_from_slice(entry.id.as_bytes());
    }
    let hash = repository.gix.object_hash();
    let id = objs::compute_hash(hash, objs::Kind::Tree, &bytes).ok()?;
    Some(super::ids::from_gix(&id))
}

#[cfg(test)]
mod tests {
    use crate::git::testing::World;

    use super::*;

    #[test]
    fn the_trees_are_those_that_git_writes() {
        for options in [&[][..], &["--object-format=sha256"]] {
            let world = World::with(options);
            for path in ["a", "a.b", "a-b/c", "d/e/f/g", "d/e.f", "z/a/b"] {
                let file = world.path("repo").join(path);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, path).unwrap();
            }
            world.git(&["add", "-A"]);
            let tree = world.git(&["write-tree"]);
            let tree = Oid::parse(tree.trim()).unwrap();
            let repository = world.repository();
            let files = repository.files(&tree).unwrap();

            let laid = Laid::of(&repository, &files).unwrap();

            assert_eq!(laid.top, tree);
            let written = repository.entries(&tree, "").unwrap().unwrap();
            assert_eq!(laid.entries(&tree), Some(written.as_slice()));
        }
    }

    #[test]
    fn no_files_give_the_empty_tree() {
        let repository = World::new().repository();

        let laid = Laid::of(&repository, &Files::new()).unwrap();

        assert_eq!(laid.entries(&laid.top), Some(&[][..]));
    }
}
