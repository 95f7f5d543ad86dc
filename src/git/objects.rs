//! Objects for judging: commits, directories and blobs, checked against their ids.
//!
//! Whoever can write the object directory could put other bytes under an id; so whatever a
//! verdict rests on is hashed again when it is read. Nothing is fetched: what is not here is
//! missing.

use std::collections::BTreeSet;

use gix::objs::{Kind, TagRef, TreeRef};

use super::commit_header::{self, Header};
use super::ids::from_gix;
use super::open::Repository;
use crate::model::ids::Oid;
use crate::model::repository::{Commit, TreeEntry};
use crate::model::revision::Several;

/// The greatest object that is read (D25).
pub(crate) const MAX_OBJECT: u64 = 64 * 1024 * 1024;

/// The greatest commit that is read: its header says what comes before it, and whoever may push one
/// of absurd length could else keep everybody from walking over it for good.
const MAX_COMMIT: u64 = 512 * 1024 * 1024;

/// How many annotated tags may lead to a commit.
const MAX_TAGS: usize = 16;

/// The mode of a directory in a tree.
const DIRECTORY: u32 = 0o040_000;

/// Why the repository does not answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ObjectsError {
    /// An object is here and cannot be read.
    #[error("cannot read object {id}")]
    Read {
        /// The object.
        id: Oid,
        /// Why.
        #[source]
        cause: gix::Error,
    },
    /// An object that must be here is not.
    #[error("object {id} is not here: the clone is shallow or partial, or the object was lost")]
    Missing {
        /// The object.
        id: Oid,
    },
    /// An object is too large to be read.
    #[error("object {id} has {bytes} bytes, more than are read")]
    TooLarge {
        /// The object.
        id: Oid,
        /// Its size.
        bytes: u64,
    },
    /// A tree holds more names than an honest one.
    #[error("tree {id} holds more than {most} names, itself and below")]
    TooMany {
        /// The tree.
        id: Oid,
        /// How many are read.
        most: usize,
    },
    /// The bytes stored under an id are not those that it names.
    #[error("the bytes stored as object {id} are others than its id says")]
    Forged {
        /// The id.
        id: Oid,
    },
    /// An object is of another kind than it must be.
    #[error("object {id} is a {found}, not a {wanted}")]
    Kind {
        /// The object.
        id: Oid,
        /// What it is.
        found: Kind,
        /// What it should be.
        wanted: Kind,
    },
    /// A commit that does not begin with a tree and its parents.
    #[error("commit {id} is none that git reads")]
    Commit {
        /// The commit.
        id: Oid,
    },
    /// A tree that git would not have written: two readers might see different things in it.
    #[error("tree {id} has names that git would not write")]
    Tree {
        /// The tree.
        id: Oid,
    },
    /// Something else stands in the place of a file that a revision asks for.
    #[error(transparent)]
    Obstacle(#[from] super::controls::Obstacle),
    /// A revision that names nothing certain.
    #[error("cannot resolve {revision}")]
    Revision {
        /// The revision as given.
        revision: String,
        /// Why.
        #[source]
        cause: gix::Error,
    },
    /// A revision whose answer rests on what is nowhere proven.
    #[error("{revision} asks {what}, which anybody can write to: name the commit by its id")]
    Uncertain {
        /// The revision as given.
        revision: String,
        /// What it asks.
        what: &'static str,
    },
    /// A name that several commits have.
    #[error("cannot resolve a revision")]
    Several(#[from] Several),
    /// An abbreviated id that several objects share.
    #[error("{revision} is short for several objects")]
    Ambiguous {
        /// The revision as given.
        revision: String,
    },
    /// A reference that cannot be read.
    #[error("cannot read reference {name}")]
    Reference {
        /// Its full name.
        name: String,
        /// Why.
        #[source]
        cause: gix::Error,
    },
    /// A reference that leads to itself, or through too many others.
    #[error("reference {name} leads nowhere")]
    Loop {
        /// Its full name.
        name: String,
    },
    /// Two commits have no common ancestor here, but the history here is cut off.
    #[error("the history here is cut off before a common ancestor of {one} and {other}")]
    CutOff {
        /// One commit.
        one: Oid,
        /// The other commit.
        other: Oid,
    },
    /// History cannot be walked.
    #[error("cannot walk the history of {one} and {other}")]
    History {
        /// One commit.
        one: Oid,
        /// The other commit.
        other: Oid,
        /// Why.
        #[source]
        cause: gix::Error,
    },
}

impl Repository {
    /// Reads a commit; none when the object is not here.
    pub(crate) fn commit(&self, id: &Oid) -> Result<Option<Commit>, ObjectsError> {
        self.object_of(id, Kind::Commit)?
            .map(|bytes| self.parse_commit(id, &bytes))
            .transpose()
    }

    /// Reads the entries of a directory of a tree (`""` is the top); none if the tree has no
    /// such directory.
    ///
    /// A tree that is named and not here is an error, never none: absence must be certain.
    pub(crate) fn entries(
        &self,
        tree: &Oid,
        directory: &str,
    ) -> Result<Option<Vec<TreeEntry>>, ObjectsError> {
        let mut entries = self.tree(tree)?;
        for name in directory.split('/').filter(|name| !name.is_empty()) {
            let below = entries
                .into_iter()
                .find(|entry| entry.name == name.as_bytes() && entry.mode == DIRECTORY);
            let Some(below) = below else { return Ok(None) };
            entries = self.tree(&below.id)?;
        }
        Ok(Some(entries))
    }

    /// Reads a blob; none when the object is not here.
    pub(crate) fn blob(&self, id: &Oid) -> Result<Option<Vec<u8>>, ObjectsError> {
        self.object_of(id, Kind::Blob)
    }

    /// Reads a blob of at most so many bytes, as its header says before it is inflated; none when
    /// the object is not here.
    pub(crate) fn blob_within(&self, id: &Oid, most: u64) -> Result<Option<Vec<u8>>, ObjectsError> {
        if let Some(gix_id) = self.gix_id(id) {
            let header = self.gix.try_find_header(gix_id);
            let header = header.map_err(|cause| ObjectsError::Read { id: *id, cause })?;
            let bytes = header.map_or(0, |header| header.size());
            if bytes > most {
                return Err(ObjectsError::TooLarge { id: *id, bytes });
            }
        }
        self.blob(id)
    }

    /// Returns the id of the empty tree in this repository's format.
    pub(crate) fn empty_tree(&self) -> Oid {
        from_gix(&self.gix.object_hash().empty_tree())
    }

    /// Follows annotated tags to a commit; none where they end at another kind or are too many.
    pub(super) fn peel(&self, id: &Oid) -> Result<Option<Commit>, ObjectsError> {
        let mut id = *id;
        for hop in 0..MAX_TAGS {
            let (kind, bytes) = match self.object(&id)? {
                Some(found) => found,
                None if hop == 0 => return Ok(None),
                None => return Err(ObjectsError::Missing { id }),
            };
            match kind {
                Kind::Commit => return self.parse_commit(&id, &bytes).map(Some),
                Kind::Tag => id = self.tag_target(&id, &bytes)?,
                Kind::Tree | Kind::Blob => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Says whether an id leads, over tags, to a tree or a blob that is here.
    pub(crate) fn is_content(&self, id: &Oid) -> Result<bool, ObjectsError> {
        let mut id = *id;
        for _ in 0..MAX_TAGS {
            match self.object(&id)? {
                None | Some((Kind::Commit, _)) => return Ok(false),
                Some((Kind::Tree | Kind::Blob, _)) => return Ok(true),
                Some((Kind::Tag, bytes)) => id = self.tag_target(&id, &bytes)?,
            }
        }
        Ok(false)
    }

    /// Reads an object of one kind; none when it is not here.
    fn object_of(&self, id: &Oid, wanted: Kind) -> Result<Option<Vec<u8>>, ObjectsError> {
        match self.object(id)? {
            None => Ok(None),
            Some((found, bytes)) if found == wanted => Ok(Some(bytes)),
            Some((found, _)) => Err(ObjectsError::Kind {
                id: *id,
                found,
                wanted,
            }),
        }
    }

    /// Reads an object and checks that its bytes are those that its id names; none when it is not here.
    pub(super) fn object(&self, id: &Oid) -> Result<Option<(Kind, Vec<u8>)>, ObjectsError> {
        let Some((kind, bytes)) = self.stored(id)? else {
            return Ok(None);
        };
        let hash = gix::objs::compute_hash(self.gix.object_hash(), kind, &bytes)
            .map_err(|cause| ObjectsError::Read { id: *id, cause })?;
        if from_gix(&hash) == *id {
            Ok(Some((kind, bytes)))
        } else {
            Err(ObjectsError::Forged { id: *id })
        }
    }

    /// Reads an object as it is stored, without hashing it; none when it is not here.
    fn stored(&self, id: &Oid) -> Result<Option<(Kind, Vec<u8>)>, ObjectsError> {
        let unreadable = |cause| ObjectsError::Read { id: *id, cause };
        let Some(gix_id) = self.gix_id(id) else {
            return Ok(None);
        };
        let header = self.gix.try_find_header(gix_id).map_err(unreadable)?;
        let found = match header.map(|header| (header.kind(), header.size())) {
            None => self.quarantine.header(&gix_id).map_err(unreadable)?,
            found => found,
        };
        let Some((kind, bytes)) = found else {
            return Ok(None);
        };
        let most = match kind {
            Kind::Commit => MAX_COMMIT,
            Kind::Tree | Kind::Blob | Kind::Tag => MAX_OBJECT,
        };
        if bytes > most {
            return Err(ObjectsError::TooLarge { id: *id, bytes });
        }
        let object = self.gix.try_find_object(gix_id).map_err(unreadable)?;
        let Some(object) = object else {
            return self.quarantine.object(&gix_id).map_err(unreadable);
        };
        let object = object.detach();
        Ok(Some((object.kind, object.data)))
    }

    /// Reads a tree that must be here.
    fn tree(&self, id: &Oid) -> Result<Vec<TreeEntry>, ObjectsError> {
        let bytes = self
            .object_of(id, Kind::Tree)?
            .ok_or(ObjectsError::Missing { id: *id })?;
        let tree = TreeRef::from_bytes(&bytes, self.gix.object_hash())
            .map_err(|cause| ObjectsError::Read { id: *id, cause })?;
        if !is_canonical(&tree) {
            return Err(ObjectsError::Tree { id: *id });
        }
        let entries = tree.entries.iter().map(|entry| TreeEntry {
            name: entry.filename.to_vec(),
            mode: u32::from(entry.mode.value()),
            id: from_gix(entry.oid),
        });
        Ok(entries.collect())
    }

    /// Reads what a commit says.
    fn parse_commit(&self, id: &Oid, bytes: &[u8]) -> Result<Commit, ObjectsError> {
        let header = Header::parse(bytes, self.gix.object_hash());
        let header = header.ok_or(ObjectsError::Commit { id: *id })?;
        Ok(Commit {
            id: *id,
            tree: from_gix(&header.tree),
            parents: header.parents.iter().map(|id| from_gix(id)).collect(),
            subject: commit_header::subject(bytes),
            anchors: commit_header::anchors(bytes, self.gix.object_hash()),
        })
    }

    /// Reads what a tag names.
    fn tag_target(&self, id: &Oid, bytes: &[u8]) -> Result<Oid, ObjectsError> {
        TagRef::from_bytes(bytes, self.gix.object_hash())
            .map(|tag| from_gix(&tag.target()))
            .map_err(|cause| ObjectsError::Read { id: *id, cause })
    }
}

/// Says whether the names of a tree are sorted, unique, and single path components.
fn is_canonical(tree: &TreeRef<'_>) -> bool {
    let mut names = BTreeSet::new();
    let is_name = |name: &[u8]| !matches!(name, b"" | b"." | b"..") && !name.contains(&b'/');
    tree.entries.is_sorted()
        && tree
            .entries
            .iter()
            .all(|entry| is_name(entry.filename) && names.insert(entry.filename))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::git::testing::World;

    fn oid(text: &str) -> Oid {
        Oid::parse(text.trim()).unwrap()
    }

    #[test]
    fn entries_are_read_below_directories_and_not_below_links() {
        let world = World::new();
        std::fs::create_dir_all(world.path("repo/a/b")).unwrap();
        std::fs::write(world.path("repo/a/b/c"), "x").unwrap();
        std::os::unix::fs::symlink("a", world.path("repo/link")).unwrap();
        world.git(&["add", "."]);
        world.git(&["commit", "-qm", "x"]);
        let repo = world.repository();
        let tree = repo.resolve("HEAD").unwrap().unwrap().tree;

        let names = |directory: &str| {
            let entries = repo.entries(&tree, directory).unwrap()?;
            Some(
                entries
                    .into_iter()
                    .map(|entry| entry.name)
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            names(""),
            Some(vec![b"a".to_vec(), b"file".to_vec(), b"link".to_vec()])
        );
        assert_eq!(names("a/b"), Some(vec![b"c".to_vec()]));
        for directory in ["link", "link/b", "file", "none", "a/b/c"] {
            assert_eq!(names(directory), None, "{directory}");
        }
        assert_eq!(
            repo.entries(&repo.empty_tree(), "").unwrap(),
            Some(Vec::new())
        );
    }

    #[test]
    fn a_directory_that_is_named_and_not_here_is_an_error() {
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

        let result = repo.entries(&tree, "a");

        assert!(
            matches!(result, Err(ObjectsError::Missing { .. })),
            "{result:?}"
        );
    }

    #[test]
    fn bytes_under_another_id_are_refused() {
        let world = World::new();
        let repo = world.repository();
        let real = world.git(&["rev-parse", "HEAD:file"]);
        let other = repo.gix.write_blob("other").unwrap().to_string();
        let path = |id: &str| {
            let (directory, file) = id.trim().split_at(2);
            world.path("repo/.git/objects").join(directory).join(file)
        };
        std::fs::remove_file(path(&real)).unwrap();
        std::fs::copy(path(&other), path(&real)).unwrap();

        let result = repo.blob(&oid(&real));

        assert!(
            matches!(result, Err(ObjectsError::Forged { .. })),
            "{result:?}"
        );
    }

    #[test]
    fn what_is_not_here_or_of_another_format_is_none() {
        let world = World::new();
        let repo = world.repository();

        for id in ["1".repeat(40), "1".repeat(64)] {
            assert_eq!(repo.blob(&oid(&id)).unwrap(), None);
            assert_eq!(repo.commit(&oid(&id)).unwrap(), None);
        }
        let blob = oid(&world.git(&["rev-parse", "HEAD:file"]));
        assert!(repo.commit(&blob).is_err());
        assert_eq!(repo.blob(&blob).unwrap(), Some(b"one".to_vec()));
    }

    #[test]
    fn a_commit_that_is_longer_than_any_blob_is_read() {
        let world = World::new();
        let tree = world.git(&["rev-parse", "HEAD^{tree}"]);
        let who = "A <a@example.com> 1 +0000";
        let header = format!("tree {tree}author {who}\ncommitter {who}\n\n");
        let long = [header.into_bytes(), vec![b'x'; 65 << 20]].concat();
        std::fs::write(world.path("repo/long"), long).unwrap();
        let id = world.git(&["hash-object", "-t", "commit", "-w", "long"]);

        let commit = world.repository().commit(&oid(&id)).unwrap().unwrap();

        assert_eq!(commit.tree, oid(&tree));
    }

    #[test]
    fn a_huge_blob_is_refused_before_it_is_read() {
        let world = World::new();
        let file = std::fs::File::create(world.path("repo/huge")).unwrap();
        file.set_len(MAX_OBJECT + 1).unwrap();
        let id = world.git(&["hash-object", "-w", "huge"]);

        let result = world.repository().blob(&oid(&id));

        assert!(
            matches!(result, Err(ObjectsError::TooLarge { .. })),
            "{result:?}"
        );
    }
}
