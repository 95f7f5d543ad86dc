//! Where the own chain ended last: a hint that saves reading the whole ledger.
//!
//! Whoever uses it checks it against the ledger; so a file that is gone, damaged or forged costs
//! time and nothing else.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::file::{self, Access, Existing, FileError};
use super::places::Places;
use crate::model::ids::{Oid, RecordId, Writer};
use crate::model::repository::Remembered;
use crate::wire::digest::sha256;
use crate::wire::own;

/// The directory below the common git directory.
const DIRECTORY: &str = "plan-audit/heads";

/// What the file holds.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    tip: String,
    head: String,
}

/// Reads what was remembered for a writer's chain.
pub(crate) fn read(places: &Places, writer: &Writer) -> Option<Remembered> {
    let directory = places.common_git_dir().join(DIRECTORY);
    let bytes = file::read(&path(&directory, writer)).ok()??;
    let stored: Stored = own::read(&bytes).ok()?;
    Some(Remembered {
        tip: Oid::parse(&stored.tip)?,
        head: RecordId::parse(&stored.head)?,
    })
}

/// Remembers where a writer's chain ends.
pub(crate) fn write(places: &Places, writer: &Writer, what: &Remembered) -> Result<(), FileError> {
    let directory = file::directory(places.common_git_dir(), Path::new(DIRECTORY))?;
    let stored = Stored {
        tip: what.tip.to_string(),
        head: what.head.to_string(),
    };
    let bytes = own::write(&stored).unwrap_or_default();
    let path = path(&directory, writer);
    file::write(&path, &bytes, Access::Private, Existing::Replace)
}

/// Returns the file of a writer, whose name may hold slashes.
fn path(directory: &Path, writer: &Writer) -> PathBuf {
    directory.join(sha256(writer.to_string().as_bytes()).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::local::places::Environment;

    #[test]
    fn a_head_is_remembered_per_writer_and_damage_is_none() {
        let temp = tempfile::tempdir().unwrap();
        let places = Places::new(temp.path(), temp.path(), &Environment::new());
        let writer = Writer::parse("hmac:0123456789abcdef").unwrap();
        let other = Writer::parse("hmac:fedcba9876543210").unwrap();
        let what = Remembered {
            tip: Oid::parse(&"1".repeat(40)).unwrap(),
            head: RecordId::NONE,
        };
        assert_eq!(read(&places, &writer), None);

        write(&places, &writer, &what).unwrap();

        assert_eq!(read(&places, &writer), Some(what));
        assert_eq!(read(&places, &other), None);
        let file = path(&temp.path().join(DIRECTORY), &writer);
        std::fs::write(file, "{\"tip\":\"x\"}").unwrap();
        assert_eq!(read(&places, &writer), None);
    }
}
