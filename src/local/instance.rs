//! Who this clone is: a random id that no copy of it shares.
//!
//! A clone that was copied (`cp -a`, a snapshot of a machine) would write to the chain of its
//! original; so the id is bound to the machine and to the very directory.

use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::file::{self, Access, Existing, FileError};
use super::places::Places;
use crate::model::ids::{InstanceId, LedgerId};
use crate::model::repository::Identity;
use crate::wire::digest::sha256;
use crate::wire::own::{self, OwnError};

/// The file below the common directory.
const FILE: &str = "instance";

/// What is known of this clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// It has an id.
    Here(Identity),
    /// It has none yet.
    Absent,
    /// The id belongs to the clone that this one is a copy of; the ledger is the same.
    Copied(Identity),
}

/// Why it cannot be told or kept.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InstanceError {
    /// The file cannot be read or written.
    #[error("cannot use the identity of this clone")]
    File(#[source] FileError),
    /// The file is not ours.
    #[error("the identity of this clone, plan-audit/instance in the git directory, is damaged")]
    Damaged(#[source] OwnError),
    /// The file names ids that are none.
    #[error("the identity of this clone, plan-audit/instance in the git directory, names no ids")]
    NoIds,
    /// The directory cannot be told from another.
    #[error("cannot look at the git directory")]
    Binding(#[source] io::Error),
}

/// What the file holds.
#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
struct Stored {
    /// The ledger's id.
    ledger: String,
    /// The clone's id.
    instance: String,
    /// What the id is bound to.
    bound: Binding,
}

/// What tells a clone from its copy.
#[derive(Serialize, Deserialize, PartialEq, Eq, Debug)]
#[serde(deny_unknown_fields)]
struct Binding {
    /// Digest of the machine's name.
    machine: String,
    /// Device of the common git directory.
    device: u64,
    /// Inode of the common git directory.
    inode: u64,
}

/// Reads who this clone is.
pub(crate) fn read(places: &Places) -> Result<Found, InstanceError> {
    let found = file::read(&places.common().join(FILE)).map_err(InstanceError::File)?;
    let Some(bytes) = found else {
        return Ok(Found::Absent);
    };
    let stored: Stored = own::read(&bytes).map_err(InstanceError::Damaged)?;
    let ids = LedgerId::parse(&stored.ledger).zip(InstanceId::parse(&stored.instance));
    let (ledger, instance) = ids.ok_or(InstanceError::NoIds)?;
    let identity = Identity { ledger, instance };
    if stored.bound == binding(places.common_git_dir())? {
        Ok(Found::Here(identity))
    } else {
        Ok(Found::Copied(identity))
    }
}

/// Keeps who this clone is, bound to where it is now.
pub(crate) fn write(places: &Places, identity: &Identity) -> Result<(), InstanceError> {
    let stored = Stored {
        ledger: identity.ledger.to_string(),
        instance: identity.instance.to_string(),
        bound: binding(places.common_git_dir())?,
    };
    let bytes = own::write(&stored).map_err(InstanceError::Damaged)?;
    file::directory(places.common_git_dir(), Path::new("plan-audit"))
        .and_then(|directory| {
            let path = directory.join(FILE);
            file::write(&path, &bytes, Access::Private, Existing::Replace)
        })
        .map_err(InstanceError::File)
}

/// Tells what an id of this clone is bound to.
fn binding(common_git_dir: &Path) -> Result<Binding, InstanceError> {
    let found = common_git_dir.metadata().map_err(InstanceError::Binding)?;
    Ok(Binding {
        machine: machine(),
        device: found.dev(),
        inode: found.ino(),
    })
}

/// Returns a digest of the machine's id, which itself is not to be spread, else of its name.
fn machine() -> String {
    let id = file::read(Path::new("/etc/machine-id")).ok().flatten();
    let id = id.filter(|id| !id.trim_ascii().is_empty());
    let name = || nix::unistd::gethostname().unwrap_or_default();
    let bytes = id.unwrap_or_else(|| name().into_encoded_bytes());
    sha256(&[b"machine of git-plan-audit\0", &bytes[..]].concat()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::places::Environment;

    fn places(directory: &Path) -> Places {
        Places::new(directory, directory, &Environment::new())
    }

    fn identity() -> Identity {
        Identity {
            ledger: LedgerId::new([1; 32]),
            instance: InstanceId::new([2; 16]),
        }
    }

    #[test]
    fn a_clone_knows_itself_again() {
        let temp = tempfile::tempdir().unwrap();
        assert_eq!(read(&places(temp.path())).unwrap(), Found::Absent);

        write(&places(temp.path()), &identity()).unwrap();

        assert_eq!(read(&places(temp.path())).unwrap(), Found::Here(identity()));
    }

    #[test]
    fn a_copy_is_told_from_its_original() {
        let temp = tempfile::tempdir().unwrap();
        let (one, two) = (temp.path().join("one"), temp.path().join("two"));
        for directory in [&one, &two] {
            std::fs::create_dir_all(directory.join("plan-audit")).unwrap();
        }
        write(&places(&one), &identity()).unwrap();
        std::fs::copy(
            one.join("plan-audit/instance"),
            two.join("plan-audit/instance"),
        )
        .unwrap();

        assert_eq!(read(&places(&two)).unwrap(), Found::Copied(identity()));
    }

    #[test]
    fn a_damaged_file_is_an_error() {
        let temp = tempfile::tempdir().unwrap();
        write(&places(temp.path()), &identity()).unwrap();
        let path = temp.path().join("plan-audit/instance");
        let text = std::fs::read_to_string(&path).unwrap();

        for damaged in [
            "",
            "{}\n",
            &text.replace("01", "0g"),
            &text.replace(':', ": "),
        ] {
            std::fs::write(&path, damaged).unwrap();
            assert!(read(&places(temp.path())).is_err(), "{damaged}");
        }
    }
}
