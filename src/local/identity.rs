//! The clone's own keys, kept outside the repository.
//!
//! They count as trusted where nobody is listed at the trust point. So the list lies where
//! whoever can write the git directory cannot add to it, and it is found by what that directory
//! is, not by what it says.

use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::file::{self, Access, Existing, FileError};
use super::places::{Places, PlacesError};
use crate::model::ids::Writer;
use crate::model::text;
use crate::wire::digest::Hasher;
use crate::wire::own::{self, OwnError};

/// What kind of key it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum KeyKind {
    /// An SSH key.
    Ssh,
    /// An HMAC key.
    Hmac,
}

/// One key of this clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnKey {
    /// Its name in records.
    pub(crate) writer: Writer,
    /// The public key in OpenSSH form; none for HMAC.
    pub(crate) public: Option<String>,
    /// Where it is: a file, or a literal that begins with `key::` or `ssh-`.
    pub(crate) place: String,
    /// What kind of key it is.
    pub(crate) kind: KeyKind,
}

/// The keys of this clone, in the order they came; the last one is in use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct OwnKeys {
    /// Every key, also earlier ones: they count until they are revoked.
    pub(crate) keys: Vec<OwnKey>,
}

impl OwnKeys {
    /// Returns the key in use.
    pub(crate) fn current(&self) -> Option<&OwnKey> {
        self.keys.last()
    }
}

/// Why the keys cannot be told or kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum IdentityError {
    /// There is no place for them.
    #[error("cannot find the keys of this clone")]
    Place(#[source] PlacesError),
    /// The git directory cannot be told from another.
    #[error("cannot look at the git directory")]
    Directory(#[source] io::Error),
    /// The file cannot be read or written.
    #[error("cannot use the keys of this clone")]
    File(#[source] FileError),
    /// The file is not ours.
    #[error("{} is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        cause: OwnError,
    },
    /// The file names a key or a clone that it cannot name.
    #[error("{} does not fit this clone", path.display())]
    Unfit {
        /// The file.
        path: PathBuf,
    },
}

/// What the file holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    /// The common git directory, for a person and as a check.
    common_dir: String,
    /// The keys.
    keys: Vec<StoredKey>,
}

/// One key in the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredKey {
    writer: String,
    public: Option<String>,
    path: String,
    kind: KeyKind,
    current: bool,
}

/// Reads the keys of this clone; none are known before the first was added.
pub(crate) fn read(places: &Places) -> Result<OwnKeys, IdentityError> {
    let (path, common_dir) = locate(places)?;
    let Some(bytes) = file::read(&path).map_err(IdentityError::File)? else {
        return Ok(OwnKeys::default());
    };
    let stored: Stored = match own::read(&bytes) {
        Ok(stored) => stored,
        Err(cause) => return Err(IdentityError::Damaged { path, cause }),
    };
    let last = stored.keys.len().saturating_sub(1);
    let is_fit = |(at, key): (usize, &StoredKey)| key.current == (at == last);
    let fits = stored.common_dir == common_dir && stored.keys.iter().enumerate().all(is_fit);
    let keys: Option<Vec<OwnKey>> = stored.keys.into_iter().map(StoredKey::into_key).collect();
    match keys.filter(|_| fits) {
        Some(keys) => Ok(OwnKeys { keys }),
        None => Err(IdentityError::Unfit { path }),
    }
}

/// Adds a key and makes it the one in use; an earlier entry of it is replaced.
pub(crate) fn add(places: &Places, key: &OwnKey) -> Result<(), IdentityError> {
    let mut known = read(places)?;
    known.keys.retain(|earlier| earlier.writer != key.writer);
    known.keys.push(key.clone());
    let (path, common_dir) = locate(places)?;
    let stored = Stored {
        common_dir,
        keys: known.to_stored(),
    };
    let bytes = match own::write(&stored) {
        Ok(bytes) => bytes,
        Err(cause) => return Err(IdentityError::Damaged { path, cause }),
    };
    make_directory(places)?;
    file::write(&path, &bytes, Access::Private, Existing::Replace).map_err(IdentityError::File)
}

impl OwnKeys {
    /// Returns the keys as the file holds them.
    fn to_stored(&self) -> Vec<StoredKey> {
        let last = self.keys.last();
        let stored = |key: &OwnKey| StoredKey {
            writer: key.writer.to_string(),
            public: key.public.clone(),
            path: key.place.clone(),
            kind: key.kind,
            current: Some(key) == last,
        };
        self.keys.iter().map(stored).collect()
    }
}

impl StoredKey {
    /// Reads a key; none where its parts do not fit each other.
    fn into_key(self) -> Option<OwnKey> {
        let writer = Writer::parse(&self.writer)?;
        let fits = match (&writer, self.kind) {
            (Writer::Ssh(_), KeyKind::Ssh) => self.public.is_some(),
            (Writer::Hmac(_), KeyKind::Hmac) => self.public.is_none(),
            (Writer::Ssh(_), KeyKind::Hmac) | (Writer::Hmac(_), KeyKind::Ssh) => false,
        };
        fits.then_some(OwnKey {
            writer,
            public: self.public,
            place: self.path,
            kind: self.kind,
        })
    }
}

/// Returns the file of this clone, and its common directory as text.
fn locate(places: &Places) -> Result<(PathBuf, String), IdentityError> {
    let state = places.state().map_err(IdentityError::Place)?;
    let common = places.common_git_dir().canonicalize();
    let common = common.map_err(IdentityError::Directory)?;
    let found = common.metadata().map_err(IdentityError::Directory)?;
    let mut hasher = Hasher::plain();
    hasher.framed(common.as_os_str().as_bytes());
    hasher.framed(&found.dev().to_be_bytes());
    hasher.framed(&found.ino().to_be_bytes());
    let name = format!("{}.json", hasher.finish());
    let path = state.join("clones").join(name);
    Ok((path, text::path(common.as_os_str().as_bytes())))
}

/// Makes the directory of the files.
fn make_directory(places: &Places) -> Result<(), IdentityError> {
    let state = places.state().map_err(IdentityError::Place)?;
    std::fs::create_dir_all(&state).map_err(|cause| {
        IdentityError::File(FileError::Write {
            path: state.clone(),
            cause,
        })
    })?;
    file::directory(&state, Path::new("clones"))
        .map(drop)
        .map_err(IdentityError::File)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(temp: &Path, repository: &str) -> Places {
        let git_dir = temp.join(repository);
        std::fs::create_dir_all(&git_dir).unwrap();
        let home = [("HOME".into(), temp.join("home").into_os_string())];
        Places::new(&git_dir, &git_dir, &home.into())
    }

    fn ssh(letter: &str) -> OwnKey {
        OwnKey {
            writer: Writer::parse(&format!("ssh:SHA256:{}", letter.repeat(43))).unwrap(),
            public: Some("ssh-ed25519 AAAA".to_owned()),
            place: "~/.ssh/id_ed25519.pub".to_owned(),
            kind: KeyKind::Ssh,
        }
    }

    fn hmac() -> OwnKey {
        OwnKey {
            writer: Writer::parse("hmac:0123456789abcdef").unwrap(),
            public: None,
            place: "/keys/team".to_owned(),
            kind: KeyKind::Hmac,
        }
    }

    #[test]
    fn keys_are_kept_and_the_last_added_is_in_use() {
        let temp = tempfile::tempdir().unwrap();
        let places = places(temp.path(), "one");
        assert_eq!(read(&places).unwrap().current(), None);

        for key in [ssh("a"), hmac(), ssh("a")] {
            add(&places, &key).unwrap();
        }

        assert_eq!(read(&places).unwrap().keys, [hmac(), ssh("a")]);
        assert_eq!(read(&places).unwrap().current(), Some(&ssh("a")));
    }

    #[test]
    fn another_clone_has_other_keys() {
        let temp = tempfile::tempdir().unwrap();
        add(&places(temp.path(), "one"), &hmac()).unwrap();

        assert_eq!(
            read(&places(temp.path(), "two")).unwrap(),
            OwnKeys::default()
        );
    }

    #[test]
    fn nothing_is_written_into_the_git_directory() {
        let temp = tempfile::tempdir().unwrap();
        let places = places(temp.path(), "one");

        add(&places, &hmac()).unwrap();

        assert_eq!(
            std::fs::read_dir(places.common_git_dir()).unwrap().count(),
            0
        );
    }

    #[test]
    fn a_file_that_does_not_fit_is_an_error() {
        let temp = tempfile::tempdir().unwrap();
        let places = places(temp.path(), "one");
        add(&places, &hmac()).unwrap();
        let (path, _) = locate(&places).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();

        for (from, to) in [
            ("\"hmac\"", "\"ssh\""),
            ("true", "false"),
            ("one", "two"),
            ("hmac:0", "hmac:g"),
            ("null", "\"x\""),
        ] {
            std::fs::write(&path, text.replace(from, to)).unwrap();
            assert!(read(&places).is_err(), "{to}");
        }
    }
}
