//! Anchors: what a clone knows of its own last appends, outside any workspace.
//!
//! Whoever can write to the repository can roll the ledger back; it cannot make this forget.

use std::fs;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::LocalError;
use super::file::{self, Readers, unreadable};
use super::instance::place;
use super::pending::Waiting;
use super::places::Places;
use crate::ledger::notes::Anchor;
use crate::model::ids::{InstanceId, LedgerId, Oid, RecordId, Writer};
use crate::wire::digest::sha256;
use crate::wire::own;
use crate::wire::record::{Line, parse};
use crate::wire::text::Text;

/// How many batches are kept, so that what a foreign writer dropped can be put back.
const RECENT: usize = 16;
/// How many bytes of lines and blobs they may hold in all; the last one is kept in any case.
const MOST: usize = 512 * 1024;

/// The file of one chain.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    v: own::First,
    tip: Text<Oid>,
    head: Text<RecordId>,
    recent: Vec<Waiting>,
}

impl Members {
    /// Returns the ledger that its last line names.
    fn ledger(&self) -> Option<LedgerId> {
        let line = self.recent.last()?.last_line()?;
        match parse(line.as_bytes()) {
            Ok(Line::Record(record)) => Some(record.header.ledger),
            Ok(Line::Newer(_) | Line::Continues(_)) | Err(_) => None,
        }
    }
}

/// Reads the anchor of a chain; what cannot be read is none.
pub(crate) fn read(places: &Places, writer: &Writer, instance: InstanceId) -> Option<Anchor> {
    let members = members(&path(places, writer, instance).ok()?).ok()??;
    let recent = members.recent.into_iter().map(Waiting::into_batch);
    let recent = recent.collect::<Result<_, _>>().ok()?;
    Some(Anchor {
        tip: members.tip.0,
        head: members.head.0,
        recent,
    })
}

/// Replaces the anchor of a chain; old batches are left out.
pub(crate) fn write(
    places: &Places,
    writer: &Writer,
    instance: InstanceId,
    anchor: &Anchor,
) -> Result<(), LocalError> {
    let path = path(places, writer, instance)?;
    let mut size = 0;
    let mut recent: Vec<Waiting> = Vec::new();
    for batch in anchor.recent.iter().rev().take(RECENT) {
        let lines: usize = batch.lines.iter().map(String::len).sum();
        size += lines + batch.kept.iter().map(Vec::len).sum::<usize>();
        if size > MOST && !recent.is_empty() {
            break;
        }
        recent.push(Waiting::of(batch));
    }
    recent.reverse();
    let members = Members {
        v: own::First,
        tip: Text(anchor.tip),
        head: Text(anchor.head),
        recent,
    };
    let bytes = own::write(&members).map_err(|error| LocalError::Write {
        path: path.display().to_string(),
        cause: error.into(),
    })?;
    file::write(&path, &bytes, Readers::Owner)
}

/// Lists what this clone knows of every chain that it has written: its last record, and the
/// ledger that its lines name.
pub(crate) fn known(places: &Places) -> Result<Vec<(RecordId, Option<LedgerId>)>, LocalError> {
    let directory = directory(places)?;
    let entries = match fs::read_dir(&directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other.map_err(|error| unreadable(&directory, error))?,
    };
    let mut heads = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| unreadable(&directory, error))?.path();
        if path.extension().is_some_and(|end| end == "json") {
            heads.extend(members(&path)?.map(|members| (members.head.0, members.ledger())));
        }
    }
    heads.sort();
    Ok(heads)
}

/// Forgets every chain that this clone has written: a new one is opened for a reason.
pub(crate) fn forget(places: &Places) -> Result<(), LocalError> {
    let directory = directory(places)?;
    match fs::remove_dir_all(&directory) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(file::unwritable(&directory, error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Reads one file; none when it is not there.
fn members(path: &std::path::Path) -> Result<Option<Members>, LocalError> {
    let Some(bytes) = file::read(path)? else {
        return Ok(None);
    };
    own::read(&bytes)
        .map(Some)
        .map_err(|error| LocalError::Read {
            path: path.display().to_string(),
            cause: error.into(),
        })
}

/// Returns where the anchors of this clone are.
pub(crate) fn directory(places: &Places) -> Result<PathBuf, LocalError> {
    Ok(places.anchors.join(place(&places.common_dir)?))
}

/// Returns where the anchor of one chain is.
pub(super) fn path(
    places: &Places,
    writer: &Writer,
    instance: InstanceId,
) -> Result<PathBuf, LocalError> {
    let name = sha256(format!("{writer}\0{instance}").as_bytes());
    Ok(directory(places)?.join(format!("{name}.json")))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::ledger::notes::Batch;
    use crate::model::ids::Digest;

    fn batch(subject: &str, length: usize) -> Batch {
        Batch {
            target: Oid::Sha1([1; 20]),
            lines: vec!["x".repeat(length)],
            kept: vec![vec![0, 255]],
            subject: subject.to_owned(),
        }
    }

    #[test]
    fn an_anchor_comes_back_with_its_last_batches() {
        let scratch = tempfile::tempdir().unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().into())]);
        let places = Places::find(scratch.path(), scratch.path(), &home).unwrap();
        let writer = Writer::Hmac("0".repeat(16));
        let instance = InstanceId::new([1; 16]);
        let head = RecordId::new(Digest::new([7; 32]));
        let recent = vec![batch("old", MOST), batch("new", 10)];
        let anchor = Anchor {
            tip: Oid::Sha1([2; 20]),
            head,
            recent,
        };
        assert_eq!(read(&places, &writer, instance), None);

        write(&places, &writer, instance, &anchor).unwrap();

        let kept = Anchor {
            recent: vec![batch("new", 10)],
            ..anchor
        };
        assert_eq!(read(&places, &writer, instance), Some(kept));
        assert_eq!(known(&places).unwrap(), [(head, None)]);
        forget(&places).unwrap();
        assert_eq!(known(&places).unwrap(), []);
    }
}
