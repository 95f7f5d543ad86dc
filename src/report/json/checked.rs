//! A ledger as `fsck` found it, for machines.

use serde_json::{Value, json};

use super::without_nulls;
use crate::model::outcome::{CheckedLedger, ListedRecord, Revocation};
use crate::model::record::Revoked;

/// Writes the members of `fsck`.
pub(super) fn checked(ledger: &CheckedLedger) -> Value {
    let counts = &ledger.counts;
    json!({
        "ledger": {
            "tip": ledger.tip.map(|tip| tip.to_string()),
            "heads": ledger.heads.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "records": counts.authenticated,
            "untrusted": counts.untrusted,
            "unproven": counts.unproven,
            "foreign": counts.foreign,
            "moved": counts.moved,
            "malformed": counts.malformed,
        },
        "trust": { "source": ledger.trust },
        "records": ledger.records.iter().map(record).collect::<Vec<_>>(),
    })
}

/// Writes one record and what its proof is worth.
fn record(record: &ListedRecord) -> Value {
    json!({
        "id": record.id.to_string(),
        "kind": record.kind,
        "writer": record.writer.to_string(),
        "proof": if record.is_sound { "ok" } else { "BAD" },
        "authenticated": record.counts,
    })
}

/// Writes what was taken back.
pub(super) fn revoked(revocation: &Revocation) -> Value {
    let what = match &revocation.what {
        Revoked::Record(id) => json!({ "record": id.to_string() }),
        Revoked::Key { writer, last } => without_nulls(json!({
            "key": writer.to_string(),
            "last": last.map(|last| last.to_string()),
        })),
    };
    json!({
        "record": revocation.record.to_string(),
        "revoked": what,
        "already": revocation.already,
    })
}
