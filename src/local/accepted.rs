//! The signers and settings that a person accepted in this clone, by digest, outside the repository.
//!
//! The trust point is a ref of this clone, and whoever can write to the repository can move it. So
//! a clone that records takes others only when `init` is run again.

use std::path::PathBuf;

use super::LocalError;
use super::file::{self, Readers};
use super::instance::place;
use super::places::Places;
use crate::model::ids::Digest;
use crate::model::repository::Accepted;

/// What stands for a trust point that carries nothing.
const NOBODY: &str = "nobody";

/// Reads what was accepted; none when nothing was yet.
pub(crate) fn read(places: &Places) -> Result<Option<Accepted>, LocalError> {
    let Some(bytes) = file::read(&path(places)?)? else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_end();
    Ok(Some(Accepted::of(Digest::parse(text))))
}

/// Accepts what a trust point carries, or that it is nothing.
pub(crate) fn write(places: &Places, signers: Accepted) -> Result<(), LocalError> {
    let text = match signers {
        Accepted::Nothing => NOBODY.to_owned(),
        Accepted::Files(digest) => digest.to_string(),
    };
    file::write(
        &path(places)?,
        format!("{text}\n").as_bytes(),
        Readers::Owner,
    )
}

/// Returns where it is.
pub(crate) fn path(places: &Places) -> Result<PathBuf, LocalError> {
    Ok(places
        .clones
        .join(format!("{}.signers", place(&places.common_dir)?)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn what_was_accepted_comes_back() {
        let scratch = tempfile::tempdir().unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().into())]);
        let places = Places::find(scratch.path(), scratch.path(), &home).unwrap();
        assert_eq!(read(&places).unwrap(), None);
        for signers in [Accepted::Nothing, Accepted::Files(Digest::new([7; 32]))] {
            write(&places, signers).unwrap();

            assert_eq!(read(&places).unwrap(), Some(signers));
        }
    }
}
