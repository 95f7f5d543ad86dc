//! The last own record, remembered beside the ledger: a hint that is checked against the tip.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::LocalError;
use super::file::{self, Readers};
use super::places::Places;
use crate::model::ids::{InstanceId, Oid, RecordId, Writer};
use crate::model::repository::Remembered;
use crate::wire::digest::sha256;
use crate::wire::own;
use crate::wire::text::Text;

/// The file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Members {
    v: own::First,
    tip: Text<Oid>,
    head: Text<RecordId>,
}

/// Reads what was remembered of a chain; what cannot be read is forgotten.
pub(crate) fn read(places: &Places, writer: &Writer, instance: InstanceId) -> Option<Remembered> {
    let bytes = file::read(&path(places, writer, instance)).ok()??;
    let members: Members = own::read(&bytes).ok()?;
    Some(Remembered {
        tip: members.tip.0,
        head: members.head.0,
    })
}

/// Remembers the head of a chain.
pub(crate) fn write(
    places: &Places,
    writer: &Writer,
    instance: InstanceId,
    what: &Remembered,
) -> Result<(), LocalError> {
    let path = path(places, writer, instance);
    let members = Members {
        v: own::First,
        tip: Text(what.tip),
        head: Text(what.head),
    };
    let bytes = own::write(&members).map_err(|error| LocalError::Write {
        path: path.display().to_string(),
        cause: error.into(),
    })?;
    file::write(&path, &bytes, Readers::Usual)
}

/// Returns where a chain's head is remembered.
pub(super) fn path(places: &Places, writer: &Writer, instance: InstanceId) -> PathBuf {
    let name = sha256(format!("{writer}\0{instance}").as_bytes());
    places.common.join("heads").join(name.to_string())
}
