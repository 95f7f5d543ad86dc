//! Which clone records at a path, kept outside the repository.
//!
//! What a clone knows is kept by its place: machine, device, inode and birth. Whoever can write to
//! a repository can put a copy in its stead, which is another place of which nothing is known; the
//! path tells that something was.

use std::os::unix::ffi::OsStrExt as _;
use std::path::PathBuf;

use super::file::{self, Readers};
use super::instance::{machine, place};
use super::places::Places;
use super::{LocalError, accepted};
use crate::wire::digest::sha256;

/// Remembers that this clone records at its path.
pub(crate) fn bind(places: &Places) -> Result<(), LocalError> {
    let (path, text) = (path(places), place(&places.common_dir)?);
    if read(places)?.as_ref() == Some(&text) {
        return Ok(());
    }
    file::write(&path, format!("{text}\n").as_bytes(), Readers::Owner)
}

/// Says whether another clone recorded at this path, and nothing is known of the one that is here.
pub(crate) fn is_exchanged(places: &Places) -> Result<bool, LocalError> {
    let Some(bound) = read(places)? else {
        return Ok(false);
    };
    Ok(bound != place(&places.common_dir)? && accepted::read(places)?.is_none())
}

/// Reads the place of the clone that records at this path.
fn read(places: &Places) -> Result<Option<String>, LocalError> {
    let bytes = file::read(&path(places))?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).trim_end().to_owned()))
}

/// Returns where it is remembered.
fn path(places: &Places) -> PathBuf {
    let mut name = machine().into_bytes();
    name.push(0);
    name.extend_from_slice(places.common_dir.as_os_str().as_bytes());
    places.clones.join(format!("{}.path", sha256(&name)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;

    use super::*;
    use crate::model::repository::Accepted;

    #[test]
    fn another_clone_at_a_known_path_is_noticed_until_it_is_known_itself() {
        let scratch = tempfile::tempdir().unwrap();
        let common_dir = scratch.path().join("git");
        fs::create_dir_all(&common_dir).unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().join("home").into())]);
        let places = Places::find(&common_dir, &common_dir, &home).unwrap();
        assert!(!is_exchanged(&places).unwrap());
        accepted::write(&places, Accepted::Nobody).unwrap();
        bind(&places).unwrap();
        assert!(!is_exchanged(&places).unwrap());

        fs::rename(&common_dir, scratch.path().join("aside")).unwrap();
        fs::create_dir_all(&common_dir).unwrap();

        assert!(is_exchanged(&places).unwrap());
        accepted::write(&places, Accepted::Nobody).unwrap();
        bind(&places).unwrap();
        assert!(!is_exchanged(&places).unwrap());
    }
}
