//! Batches that could not be appended (D24): they wait beside the ledger for the next append.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::file::{self, Readers};
use super::places::Places;
use super::{LocalError, queue};
use crate::ledger::notes::Batch;
use crate::model::ids::Oid;
use crate::wire::own;
use crate::wire::text::Text;

/// A batch as a file holds it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Waiting {
    v: own::First,
    target: Text<Oid>,
    subject: String,
    lines: Vec<String>,
    kept: Vec<String>,
}

impl Waiting {
    /// Takes a batch.
    pub(super) fn of(batch: &Batch) -> Self {
        Self {
            v: own::First,
            target: Text(batch.target),
            subject: batch.subject.clone(),
            lines: batch.lines.clone(),
            kept: batch
                .kept
                .iter()
                .map(|bytes| STANDARD.encode(bytes))
                .collect(),
        }
    }

    /// Returns its last line.
    pub(super) fn last_line(&self) -> Option<&str> {
        self.lines.last().map(String::as_str)
    }

    /// Makes the batch.
    pub(super) fn into_batch(self) -> Result<Batch, base64::DecodeError> {
        let kept = self.kept.iter().map(|text| STANDARD.decode(text));
        Ok(Batch {
            target: self.target.0,
            lines: self.lines,
            kept: kept.collect::<Result<_, _>>()?,
            subject: self.subject,
        })
    }
}

/// Keeps a batch.
pub(crate) fn keep(places: &Places, batch: &Batch) -> Result<(), LocalError> {
    let path = queue::next(&places.common.join("pending"))?;
    let bytes = own::write(&Waiting::of(batch)).map_err(|error| LocalError::Write {
        path: path.display().to_string(),
        cause: error.into(),
    })?;
    file::write(&path, &bytes, Readers::Usual)
}

/// Lists the batches that wait, oldest first, each with its name.
pub(crate) fn list(places: &Places) -> Result<Vec<(String, Batch)>, LocalError> {
    queue::names(&places.common.join("pending"))?
        .into_iter()
        .map(|name| Ok((name.clone(), read(places, &name)?)))
        .collect()
}

/// Forgets a batch.
pub(crate) fn drop_one(places: &Places, name: &str) -> Result<(), LocalError> {
    file::remove(&places.common.join("pending").join(name))
}

/// Reads one batch.
fn read(places: &Places, name: &str) -> Result<Batch, LocalError> {
    let path = places.common.join("pending").join(name);
    let malformed = |cause| LocalError::Read {
        path: path.display().to_string(),
        cause,
    };
    let bytes = file::read(&path)?.ok_or_else(|| malformed("it vanished".into()))?;
    let waiting: Waiting = own::read(&bytes).map_err(|error| malformed(error.into()))?;
    waiting
        .into_batch()
        .map_err(|error| malformed(error.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn batches_wait_in_order_until_they_are_dropped() {
        let scratch = tempfile::tempdir().unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().into())]);
        let places = Places::find(scratch.path(), scratch.path(), &home).unwrap();
        let batch = |subject: &str| Batch {
            target: Oid::Sha1([1; 20]),
            lines: vec!["line".to_owned()],
            kept: vec![vec![0, 255]],
            subject: subject.to_owned(),
        };

        keep(&places, &batch("first")).unwrap();
        keep(&places, &batch("second")).unwrap();

        let waiting = list(&places).unwrap();
        let batches: Vec<&Batch> = waiting.iter().map(|(_, batch)| batch).collect();
        assert_eq!(batches, [&batch("first"), &batch("second")]);
        drop_one(&places, &waiting[0].0).unwrap();
        assert_eq!(list(&places).unwrap().len(), 1);
    }
}
