//! The exchange of evidence, for people.

use std::fmt::Write as _;

use super::findings;
use crate::model::outcome::Synced;

/// Writes what `sync` did.
pub(super) fn synced(synced: &Synced) -> String {
    let mut text = String::new();
    if !synced.ledger_findings.is_empty() {
        let _ = writeln!(text, "the ledger as it is now:");
        text.push_str(&findings(&synced.ledger_findings));
    }
    if synced.repaired > 0 {
        let _ = writeln!(text, "put back  {}", lines(synced.repaired));
    }
    let _ = writeln!(text, "received  {}", lines(synced.received));
    let is_through = synced.tip == synced.there;
    let _ = writeln!(text, "sent      {}", lines(synced.sent));
    let said = match (synced.tip, is_through) {
        (None, _) => "there is no ledger, here or there".to_owned(),
        (Some(tip), true) => format!("here and at {} at {}", synced.remote, tip.short()),
        (Some(tip), false) => format!("at {}; {} has not all of it", tip.short(), synced.remote),
    };
    let _ = writeln!(text, "ledger    {said}");
    text
}

/// Counts lines.
fn lines(count: usize) -> String {
    match count {
        1 => "1 line".to_owned(),
        count => format!("{count} lines"),
    }
}
