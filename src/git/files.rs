//! All files of a tree, by path: what a judge compares.

use super::objects::ObjectsError;
use super::open::Repository;
use crate::model::files::{File, Files};
use crate::model::ids::Oid;

/// The mode of a directory in a tree.
const DIRECTORY: u32 = 0o040_000;
/// How many names a tree may hold, directories included.
const MOST: usize = 5_000_000;
/// How many bytes all paths together may have: trees that name each other can be small and list
/// more than any memory holds.
const LONGEST: usize = 512 << 20;

impl Repository {
    /// Lists every file, link and submodule of a tree.
    ///
    /// A directory that is named and not here is an error: what is missing must never read as
    /// removed.
    pub(crate) fn files(&self, tree: &Oid) -> Result<Files, ObjectsError> {
        let mut files = Files::new();
        let (mut names, mut bytes) = (0, 0);
        // A list and no recursion: a tree may be of any depth.
        let mut pending = vec![(Vec::new(), *tree)];
        while let Some((directory, id)) = pending.pop() {
            for entry in self.entries(&id, "")?.unwrap_or_default() {
                let path = below(&directory, &entry.name);
                names += 1;
                bytes += path.len();
                if names > MOST || bytes > LONGEST {
                    return Err(ObjectsError::TooMany {
                        id: *tree,
                        most: MOST,
                    });
                }
                if entry.mode == DIRECTORY {
                    pending.push((path, entry.id));
                } else {
                    let (mode, id) = (entry.mode, entry.id);
                    files.insert(path, File { mode, id });
                }
            }
        }
        Ok(files)
    }
}

/// Returns the path of a name in a directory.
fn below(directory: &[u8], name: &[u8]) -> Vec<u8> {
    if directory.is_empty() {
        name.to_vec()
    } else {
        [directory, name].join(&b'/')
    }
}

#[cfg(test)]
mod tests {
    use crate::git::testing::World;

    #[test]
    fn every_file_link_and_submodule_of_a_tree_is_listed() {
        let world = World::new();
        std::fs::create_dir_all(world.path("repo/a/b")).unwrap();
        std::fs::write(world.path("repo/a/b/c"), "x").unwrap();
        std::os::unix::fs::symlink("a", world.path("repo/link")).unwrap();
        world.git(&["add", "."]);
        let commit = "1".repeat(40);
        world.git(&[
            "update-index",
            "--add",
            "--cacheinfo",
            &format!("160000,{commit},sub"),
        ]);
        world.git(&["commit", "-qm", "x"]);
        let repo = world.repository();
        let tree = repo.resolve("HEAD").unwrap().unwrap().tree;

        let listed = repo.files(&tree).unwrap();

        let lines = world.git(&["ls-tree", "-r", "HEAD"]);
        let line = |(path, file): (&Vec<u8>, &crate::model::files::File)| {
            let path = String::from_utf8_lossy(path);
            let kind = if file.mode == 0o160_000 {
                "commit"
            } else {
                "blob"
            };
            format!("{:06o} {kind} {}\t{path}\n", file.mode, file.id)
        };
        assert_eq!(listed.iter().map(line).collect::<String>(), lines);
    }

    #[test]
    fn a_directory_that_is_not_here_is_an_error() {
        let world = World::new();
        std::fs::create_dir_all(world.path("repo/a")).unwrap();
        std::fs::write(world.path("repo/a/b"), "x").unwrap();
        world.git(&["add", "."]);
        world.git(&["commit", "-qm", "x"]);
        let below = world.git(&["rev-parse", "HEAD:a"]);
        let (directory, file) = below.trim().split_at(2);
        let path = world.path("repo/.git/objects").join(directory).join(file);
        std::fs::remove_file(path).unwrap();
        let repo = world.repository();
        let tree = repo.resolve("HEAD").unwrap().unwrap().tree;

        assert!(repo.files(&tree).is_err());
    }
}
