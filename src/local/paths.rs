//! Which clone records at a path, kept outside the repository.
//!
//! What a clone knows is kept by its place: machine, device, inode and birth. Whoever can write to
//! a repository can put a copy in its stead, which is another place of which nothing is known; the
//! path tells that something was.

use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use super::file::{self, Readers};
use super::instance::{machine, place};
use super::places::Places;
use super::{LocalError, accepted};
use crate::wire::digest::sha256;

/// Remembers that this clone records at its paths: that of its git directory, and that of the work
/// tree, whose `.git` may come to name another directory.
pub(crate) fn bind(places: &Places, work_dir: Option<&Path>) -> Result<(), LocalError> {
    let place = place(&places.common_dir)?;
    for path in files(places, work_dir) {
        if read(&path)?.as_ref() != Some(&place) {
            file::write(&path, format!("{place}\n").as_bytes(), Readers::Owner)?;
        }
    }
    Ok(())
}

/// Says whether another clone recorded at one of these paths, and nothing is known of the one that
/// is here.
pub(crate) fn is_exchanged(places: &Places, work_dir: Option<&Path>) -> Result<bool, LocalError> {
    let place = place(&places.common_dir)?;
    for path in files(places, work_dir) {
        if read(&path)?.is_some_and(|bound| bound != place) {
            return Ok(accepted::read(places)?.is_none());
        }
    }
    Ok(false)
}

/// Reads the place of the clone that records at a path.
fn read(path: &Path) -> Result<Option<String>, LocalError> {
    let bytes = file::read(path)?;
    Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).trim_end().to_owned()))
}

/// Returns where it is remembered of each path.
fn files(places: &Places, work_dir: Option<&Path>) -> Vec<PathBuf> {
    let paths = [Some(places.common_dir.as_path()), work_dir];
    let file = |path: &Path| {
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let mut name = machine().into_bytes();
        name.push(0);
        name.extend_from_slice(path.as_os_str().as_bytes());
        places.clones.join(format!("{}.path", sha256(&name)))
    };
    paths.into_iter().flatten().map(file).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::repository::Accepted;

    #[test]
    fn another_clone_at_a_known_path_is_noticed_until_it_is_known_itself() {
        let scratch = tempfile::tempdir().unwrap();
        let common_dir = scratch.path().join("git");
        fs::create_dir_all(&common_dir).unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().join("home").into())]);
        let places = Places::find(&common_dir, &common_dir, &home).unwrap();
        assert!(!is_exchanged(&places, Some(scratch.path())).unwrap());
        accepted::write(&places, Accepted::Nothing).unwrap();
        bind(&places, Some(scratch.path())).unwrap();
        assert!(!is_exchanged(&places, Some(scratch.path())).unwrap());

        fs::rename(&common_dir, scratch.path().join("aside")).unwrap();
        fs::create_dir_all(&common_dir).unwrap();

        assert!(is_exchanged(&places, None).unwrap());
        assert!(is_exchanged(&places, Some(scratch.path())).unwrap());
        let elsewhere = scratch.path().join("elsewhere");
        fs::create_dir_all(&elsewhere).unwrap();
        let linked = Places::find(&elsewhere, &elsewhere, &home).unwrap();
        assert!(!is_exchanged(&linked, None).unwrap());
        assert!(is_exchanged(&linked, Some(scratch.path())).unwrap());
        accepted::write(&places, Accepted::Nothing).unwrap();
        bind(&places, Some(scratch.path())).unwrap();
        assert!(!is_exchanged(&places, Some(scratch.path())).unwrap());
    }
}
