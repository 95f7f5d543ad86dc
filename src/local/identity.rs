//! The keys of a clone, kept outside the repository: whoever can write to `.git` cannot add one.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::LocalError;
use super::file::{self, Readers};
use super::instance::place;
use super::places::Places;
use crate::model::ids::Writer;
use crate::wire::own;
use crate::wire::text::Text;

/// A key that this clone has used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OwnKey {
    /// Its name in records.
    pub(crate) writer: Writer,
    /// Where it is: a path, or for an SSH agent the public key as text.
    pub(crate) location: String,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    v: own::First,
    common_dir: String,
    keys: Vec<KeyMembers>,
}

/// One key; the last one is in use.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyMembers {
    writer: Text<Writer>,
    location: String,
}

/// Reads the keys of a clone; the last one is in use.
pub(crate) fn read(places: &Places) -> Result<Vec<OwnKey>, LocalError> {
    let path = path(places)?;
    let Some(bytes) = file::read(&path)? else {
        return Ok(Vec::new());
    };
    let members: Members = own::read(&bytes).map_err(|error| LocalError::Read {
        path: path.display().to_string(),
        cause: error.into(),
    })?;
    let key = |key: KeyMembers| OwnKey {
        writer: key.writer.0,
        location: key.location,
    };
    Ok(members.keys.into_iter().map(key).collect())
}

/// Makes a key the one in use; earlier ones stay known.
pub(crate) fn put(places: &Places, key: &OwnKey) -> Result<(), LocalError> {
    let mut keys = read(places)?;
    keys.retain(|known| known.writer != key.writer);
    keys.push(key.clone());
    let members = Members {
        v: own::First,
        common_dir: places.common_dir.display().to_string(),
        keys: keys
            .into_iter()
            .map(|key| KeyMembers {
                writer: Text(key.writer),
                location: key.location,
            })
            .collect(),
    };
    let path = path(places)?;
    let bytes = own::write(&members).map_err(|error| LocalError::Write {
        path: path.display().to_string(),
        cause: error.into(),
    })?;
    file::write(&path, &bytes, Readers::Owner)
}

/// Returns where the keys of a clone are: by machine, device, inode and birth, so that a clone
/// that is moved keeps them. They are the user's own keys: a repository that came to have the same
/// place could only be proven with them.
pub(crate) fn path(places: &Places) -> Result<PathBuf, LocalError> {
    Ok(places
        .clones
        .join(format!("{}.json", place(&places.common_dir)?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn the_last_key_is_in_use_and_earlier_ones_stay_known() {
        let scratch = tempfile::tempdir().unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().into())]);
        let places = Places::find(scratch.path(), scratch.path(), &home).unwrap();
        let key = |digit: &str| OwnKey {
            writer: Writer::Hmac(digit.repeat(16)),
            location: "/keys/x".to_owned(),
        };
        assert_eq!(read(&places).unwrap(), []);

        for digit in ["1", "2", "1"] {
            put(&places, &key(digit)).unwrap();
        }

        assert_eq!(read(&places).unwrap(), [key("2"), key("1")]);
    }
}
