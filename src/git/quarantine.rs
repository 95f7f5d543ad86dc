//! Objects that came with a push and are not in the repository yet.
//!
//! git-receive-pack(1), "Quarantine Environment": until a hook has agreed, they lie in a directory of
//! their own, which the environment names. gix reads the repository alone, so that the directory is
//! opened beside it. What is read there is hashed as everything is.

use std::fmt;
use std::path::{Path, PathBuf};

use gix::objs::{Find as _, FindHeader as _, Kind};
use gix::{ObjectId, odb};

use super::open::ALLOC_LIMIT_BYTES;

/// Directories of objects beside those of the repository.
pub(super) struct Quarantine(Vec<odb::Handle>);

impl fmt::Debug for Quarantine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Quarantine").field(&self.0.len()).finish()
    }
}

impl Quarantine {
    /// Opens nothing.
    pub(super) const fn none() -> Self {
        Self(Vec::new())
    }

    /// Opens directories of objects; relative ones are found from `base`.
    pub(super) fn open(
        directories: &[PathBuf],
        base: &Path,
        hash: gix::hash::Kind,
    ) -> std::io::Result<Self> {
        let open = |directory: &PathBuf| {
            let options = odb::store::init::Options {
                alloc_limit_bytes: Some(ALLOC_LIMIT_BYTES),
                ..odb::store::init::Options::default()
            };
            odb::at_opts(base.join(directory), hash, None, options)
        };
        directories
            .iter()
            .map(open)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Returns the kind and size of an object that is here.
    pub(super) fn header(&self, id: &ObjectId) -> gix::Result<Option<(Kind, u64)>> {
        for store in &self.0 {
            if let Some(header) = store.try_header(id)? {
                return Ok(Some((header.kind, header.size)));
            }
        }
        Ok(None)
    }

    /// Reads an object that is here.
    pub(super) fn object(&self, id: &ObjectId) -> gix::Result<Option<(Kind, Vec<u8>)>> {
        for store in &self.0 {
            let mut buffer = Vec::new();
            if let Some(found) = store.try_find(id, &mut buffer)? {
                let kind = found.kind;
                return Ok(Some((kind, buffer)));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use crate::git::objects::ObjectsError;
    use crate::git::open::{Given, Repository};
    use crate::git::testing::World;
    use crate::model::ids::Oid;

    fn oid(text: &str) -> Oid {
        Oid::parse(text.trim()).unwrap()
    }

    fn open(world: &World, incoming: &[&str]) -> Repository {
        let given = Given {
            incoming: incoming.iter().map(|name| world.path(name)).collect(),
            ..Given::default()
        };
        Repository::open_with(&world.path("repo"), &given).unwrap()
    }

    /// Moves all objects of a repository beside it, as if they had just come.
    fn with_all_apart(options: &[&str]) -> (World, Oid) {
        let world = World::with(options);
        let first = oid(&world.git(&["rev-parse", "HEAD"]));
        std::fs::rename(world.path("repo/.git/objects"), world.path("incoming")).unwrap();
        std::fs::create_dir_all(world.path("repo/.git/objects")).unwrap();
        (world, first)
    }

    #[test]
    fn what_came_is_read_where_it_is_asked_for() {
        for options in [&[][..], &["--object-format=sha256"]] {
            let (world, first) = with_all_apart(options);

            let commit = open(&world, &["incoming"]).commit(&first).unwrap();

            let tree = commit.unwrap().tree;
            let repo = open(&world, &["incoming"]);
            assert_eq!(repo.entries(&tree, "").unwrap().unwrap().len(), 1);
            assert_eq!(open(&world, &[]).commit(&first).unwrap(), None);
            let walk = repo.between(&first, None).unwrap();
            assert_eq!((walk.commits, walk.complete), (vec![first], true));
        }
    }

    #[test]
    fn bytes_that_came_under_another_id_are_refused() {
        let (world, first) = with_all_apart(&[]);
        let text = first.to_string();
        let (folder, file) = text.split_at(2);
        let forged = world.path("incoming").join(folder).join(file);
        std::fs::remove_file(&forged).unwrap();
        let other = std::fs::read_dir(world.path("incoming")).unwrap();
        let others = other.map(|entry| entry.unwrap().path());
        let mut folders = others.filter(|path| path.file_name().unwrap().len() == 2);
        let mut files = folders.find_map(|path| std::fs::read_dir(path).unwrap().next());
        std::fs::copy(files.take().unwrap().unwrap().path(), &forged).unwrap();

        let found = open(&world, &["incoming"]).commit(&first);

        let is_refused = matches!(
            found,
            Err(ObjectsError::Forged { .. } | ObjectsError::Kind { .. })
        );
        assert!(is_refused, "{found:?}");
    }

    #[test]
    fn a_directory_that_is_not_there_is_refused() {
        let world = World::new();
        let given = Given {
            incoming: vec![world.path("nowhere")],
            ..Given::default()
        };

        assert!(Repository::open_with(&world.path("repo"), &given).is_err());
    }
}
