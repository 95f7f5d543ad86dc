//! What checks gave and no key could prove (D24): it waits outside any workspace.
//!
//! The next append signs it without a further look, so it never lies in the repository: whoever
//! can write to `.git` would have us sign what never ran.

use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::LocalError;
use super::file::{self, Readers};
use super::instance::place;
use super::places::Places;
use super::queue;
use crate::ledger::notes::Entry;
use crate::model::ids::{InstanceId, LedgerId, Oid, RecordId};
use crate::model::record::{Kind, Role};
use crate::model::repository::Identity;
use crate::model::time::Timestamp;
use crate::wire::own;
use crate::wire::text::Text;

/// An entry as a file holds it, with the clone that it is of.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    v: own::First,
    repo: Text<LedgerId>,
    inst: Text<InstanceId>,
    target: Text<Oid>,
    time: Text<Timestamp>,
    subject: String,
    records: Vec<RecordMembers>,
    kept: Vec<String>,
    seen: Vec<Text<RecordId>>,
}

/// One record without its place in a chain.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordMembers {
    kind: String,
    body: String,
}

/// Why a file is no entry.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unfit {
    /// It names a kind that is not known.
    #[error("a kind that is not known")]
    Kind,
    /// A kept blob is no base64.
    #[error("a kept blob that is no base64")]
    Kept(#[source] base64::DecodeError),
}

impl Members {
    /// Takes an entry of a clone.
    fn of(identity: &Identity, entry: &Entry) -> Self {
        let record = |(kind, body): &(Kind, String)| RecordMembers {
            kind: kind.as_str().to_owned(),
            body: body.clone(),
        };
        Self {
            v: own::First,
            repo: Text(identity.ledger),
            inst: Text(identity.instance),
            target: Text(entry.target),
            time: Text(entry.time),
            subject: entry.subject.clone(),
            records: entry.records.iter().map(record).collect(),
            kept: entry
                .kept
                .iter()
                .map(|bytes| STANDARD.encode(bytes))
                .collect(),
            seen: entry.seen.iter().copied().map(Text).collect(),
        }
    }

    /// Says whether it is of a clone.
    fn is_of(&self, identity: &Identity) -> bool {
        self.repo.0 == identity.ledger && self.inst.0 == identity.instance
    }

    /// Makes the entry.
    fn into_entry(self) -> Result<Entry, Unfit> {
        let record = |record: RecordMembers| {
            let kind = Kind::parse(&record.kind).ok_or(Unfit::Kind)?;
            Ok((kind, record.body))
        };
        let kept = self.kept.iter().map(|text| STANDARD.decode(text));
        Ok(Entry {
            target: self.target.0,
            records: self
                .records
                .into_iter()
                .map(record)
                .collect::<Result<_, _>>()?,
            kept: kept.collect::<Result<_, _>>().map_err(Unfit::Kept)?,
            subject: self.subject,
            seen: self.seen.into_iter().map(|id| id.0).collect(),
            // Only what checks gave waits here: a decision is made again.
            role: Role::Record,
            time: self.time.0,
        })
    }
}

/// Keeps an entry of this clone.
pub(crate) fn keep(places: &Places, identity: &Identity, entry: &Entry) -> Result<(), LocalError> {
    let path = queue::next(&directory(places)?)?;
    let bytes = own::write(&Members::of(identity, entry)).map_err(|error| LocalError::Write {
        path: path.display().to_string(),
        cause: error.into(),
    })?;
    file::write(&path, &bytes, Readers::Owner)
}

/// Lists the entries of this clone, oldest first, each with its name.
pub(crate) fn list(
    places: &Places,
    identity: &Identity,
) -> Result<Vec<(String, Entry)>, LocalError> {
    let directory = directory(places)?;
    let mut found = Vec::new();
    for name in queue::names(&directory)? {
        let path = directory.join(&name);
        let malformed = |cause| LocalError::Read {
            path: path.display().to_string(),
            cause,
        };
        let bytes = file::read(&path)?.ok_or_else(|| malformed("it vanished".into()))?;
        let members: Members = own::read(&bytes).map_err(|error| malformed(error.into()))?;
        let is_ours = members.is_of(identity);
        let entry = members
            .into_entry()
            .map_err(|error| malformed(error.into()))?;
        if is_ours {
            found.push((name, entry));
        }
    }
    Ok(found)
}

/// Forgets an entry.
pub(crate) fn drop_one(places: &Places, name: &str) -> Result<(), LocalError> {
    file::remove(&directory(places)?.join(name))
}

/// Returns where the entries of this clone are: by machine, device, inode and birth.
pub(super) fn directory(places: &Places) -> Result<PathBuf, LocalError> {
    Ok(places.unproven.join(place(&places.common_dir)?))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn an_entry_waits_for_its_own_clone_alone_outside_the_repository() {
        let scratch = tempfile::tempdir().unwrap();
        let common_dir = scratch.path().join("git");
        std::fs::create_dir_all(&common_dir).unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().join("home").into())]);
        let places = Places::find(&common_dir, &common_dir, &home).unwrap();
        let identity = |instance| Identity {
            ledger: LedgerId::new([1; 32]),
            instance: InstanceId::new([instance; 16]),
        };
        let entry = Entry {
            target: Oid::Sha1([1; 20]),
            records: vec![(Kind::Audit, "{}".to_owned())],
            kept: vec![vec![0, 255]],
            subject: "audit".to_owned(),
            seen: vec![RecordId::NONE],
            role: Role::Record,
            time: Timestamp::from_seconds(0).unwrap(),
        };

        keep(&places, &identity(1), &entry).unwrap();

        let found = list(&places, &identity(1)).unwrap();
        let [(name, kept)] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(*kept, entry);
        assert_eq!(list(&places, &identity(2)).unwrap(), []);
        let path = directory(&places).unwrap().join(name);
        assert!(!path.starts_with(&places.common_dir));
        let mode = path.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        drop_one(&places, name).unwrap();
        assert_eq!(list(&places, &identity(1)).unwrap(), []);
    }
}
