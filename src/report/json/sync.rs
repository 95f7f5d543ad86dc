//! The exchange of evidence, for machines.

use serde_json::{Value, json};

use super::{finding, without_nulls};
use crate::model::outcome::Synced;

/// Writes what `sync` did.
pub(super) fn synced(synced: &Synced) -> Value {
    let ledger = synced.ledger_findings.iter().map(finding);
    without_nulls(json!({
        "remote": synced.remote,
        "tip": synced.tip.map(|tip| tip.to_string()),
        "there": synced.there.map(|tip| tip.to_string()),
        "received": synced.received,
        "sent": synced.sent,
        "joined": synced.is_joined,
        "repaired": synced.repaired,
        "ledger": ledger.collect::<Vec<_>>(),
    }))
}
