//! Who this clone is: the ledger's id and its own, bound to where it lies.
//!
//! A clone that was copied (`cp -a`, an image) would write the same chain twice; so the file
//! names machine, device, inode and birth of the common directory, and counts only there. Whoever can
//! write to the repository can write the id of another clone into it; so it also counts only where
//! what this clone remembers outside the repository does not speak against it.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use super::file::{self, Readers};
use super::places::Places;
use super::{LocalError, anchors, file::unreadable, identity};
use crate::model::ids::{InstanceId, LedgerId};
use crate::model::repository::Identity;
use crate::wire::digest::sha256;
use crate::wire::own;
use crate::wire::text::Text;

/// What is known of this clone's identity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Found {
    /// It is this clone's own.
    Own(Identity),
    /// It was written for another place: the clone was copied or moved.
    Copied(LedgerId),
    /// There is none.
    Absent,
}

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    v: own::First,
    repo: Text<LedgerId>,
    inst: Text<InstanceId>,
    place: String,
}

/// Reads the identity of a clone.
pub(crate) fn read(places: &Places) -> Result<Found, LocalError> {
    let path = path(places);
    let Some(bytes) = file::read(&path)? else {
        return Ok(Found::Absent);
    };
    let members: Members = own::read(&bytes).map_err(|error| LocalError::Read {
        path: path.display().to_string(),
        cause: error.into(),
    })?;
    let identity = Identity {
        ledger: members.repo.0,
        instance: members.inst.0,
    };
    // The place is made of what anybody can find out; what lies outside the repository is not theirs
    // to write.
    let is_here =
        members.place == place(&places.common_dir)? && !is_foreign(places, identity.instance)?;
    Ok(if is_here {
        Found::Own(identity)
    } else {
        Found::Copied(identity.ledger)
    })
}

/// Says whether this clone is known to have recorded, and never as this instance: the file was
/// exchanged, and two clones would write one chain.
fn is_foreign(places: &Places, instance: InstanceId) -> Result<bool, LocalError> {
    let keys = identity::read(places)?;
    if keys.is_empty() || anchors::known(places)?.is_empty() {
        return Ok(false);
    }
    for key in keys {
        if anchors::path(places, &key.writer, instance)?.exists() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Writes the identity of this clone.
pub(crate) fn write(places: &Places, identity: &Identity) -> Result<(), LocalError> {
    let path = path(places);
    let members = Members {
        v: own::First,
        repo: Text(identity.ledger),
        inst: Text(identity.instance),
        place: place(&places.common_dir)?,
    };
    let bytes = own::write(&members).map_err(|error| LocalError::Write {
        path: path.display().to_string(),
        cause: error.into(),
    })?;
    file::write(&path, &bytes, Readers::Usual)
}

/// Returns where the identity is.
fn path(places: &Places) -> PathBuf {
    places.common.join("instance")
}

/// Names the place of a directory: a digest over machine, device, inode and birth.
///
/// A file system gives the inode of a directory that was removed to the next one; where it does not
/// tell when a directory was made, that cannot be seen.
pub(super) fn place(directory: &Path) -> Result<String, LocalError> {
    let metadata = fs::metadata(directory).map_err(|error| unreadable(directory, error))?;
    let born = metadata.created().ok();
    let born = born.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let born = born.map_or(0, |since| since.as_nanos());
    let (device, inode) = (metadata.dev(), metadata.ino());
    let text = format!("{}\0{device}\0{inode}\0{born}", machine());
    Ok(sha256(text.as_bytes()).to_string())
}

/// Names the machine: its id, else its name.
pub(super) fn machine() -> String {
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    if !id.trim().is_empty() {
        return id.trim().to_owned();
    }
    let name = nix::unistd::gethostname().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::notes::Anchor;
    use crate::model::ids::{Oid, RecordId, Writer};
    use std::collections::BTreeMap;

    fn places(directory: &Path) -> Places {
        let home = BTreeMap::from([("HOME".into(), directory.into())]);
        Places::find(directory, directory, &home).unwrap()
    }

    #[test]
    fn a_directory_that_was_made_anew_is_another_place() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = scratch.path().join("git");
        let made = || {
            fs::create_dir_all(&directory).unwrap();
            let metadata = fs::metadata(&directory).unwrap();
            let found = place(&directory).unwrap();
            fs::remove_dir(&directory).unwrap();
            (metadata.created().is_ok(), found)
        };
        let (tells_birth, first) = made();

        let (_, second) = made();

        assert!(!tells_birth || first != second);
    }

    #[test]
    fn an_instance_of_another_clone_is_noticed() {
        let scratch = tempfile::tempdir().unwrap();
        let places = places(scratch.path());
        let own = Identity {
            ledger: LedgerId::new([1; 32]),
            instance: InstanceId::new([2; 16]),
        };
        let other = Identity {
            instance: InstanceId::new([3; 16]),
            ..own
        };
        let key = identity::OwnKey {
            writer: Writer::Hmac("0".repeat(16)),
            location: String::new(),
        };
        write(&places, &other).unwrap();
        identity::put(&places, &key).unwrap();
        assert_eq!(
            read(&places).unwrap(),
            Found::Own(other.clone()),
            "no memory"
        );
        let anchor = Anchor {
            tip: Oid::Sha1([1; 20]),
            head: RecordId::NONE,
            recent: Vec::new(),
        };
        anchors::write(&places, &key.writer, own.instance, &anchor).unwrap();

        assert_eq!(read(&places).unwrap(), Found::Copied(own.ledger));

        write(&places, &own).unwrap();
        assert_eq!(read(&places).unwrap(), Found::Own(own));
    }

    #[test]
    fn a_copied_clone_is_noticed() {
        let scratch = tempfile::tempdir().unwrap();
        let (one, other) = (scratch.path().join("one"), scratch.path().join("other"));
        fs::create_dir_all(&one).unwrap();
        fs::create_dir_all(&other).unwrap();
        let identity = Identity {
            ledger: LedgerId::new([1; 32]),
            instance: InstanceId::new([2; 16]),
        };
        assert_eq!(read(&places(&one)).unwrap(), Found::Absent);

        write(&places(&one), &identity).unwrap();
        fs::create_dir_all(other.join("plan-audit")).unwrap();
        fs::copy(
            one.join("plan-audit/instance"),
            other.join("plan-audit/instance"),
        )
        .unwrap();

        assert_eq!(read(&places(&one)).unwrap(), Found::Own(identity.clone()));
        assert_eq!(
            read(&places(&other)).unwrap(),
            Found::Copied(identity.ledger)
        );
    }
}
