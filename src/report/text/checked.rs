//! A ledger as `fsck` found it, for people.

use std::fmt::Write as _;

use super::{findings, verdict};
use crate::model::ids::RecordId;
use crate::model::outcome::{CheckedLedger, Outcome, Revocation};
use crate::model::record::Revoked;
use crate::model::text::counted;

/// Writes what is wrong, how much there is, and what it comes to.
pub(super) fn checked(ledger: &CheckedLedger, outcome: &Outcome) -> String {
    let mut text = findings(&outcome.findings);
    let counts = &ledger.counts;
    let heads: Vec<String> = ledger.heads.iter().map(RecordId::short).collect();
    let _ = match ledger.tip {
        Some(tip) => writeln!(text, "ledger  refs/notes/plan-audit at {}", tip.short()),
        None => writeln!(text, "ledger  none here"),
    };
    let _ = writeln!(
        text,
        "records {} {}; {} of keys that are not trusted, {} of another ledger, {} without a proof that fits",
        counts.authenticated,
        if counts.authenticated == 1 {
            "counts"
        } else {
            "count"
        },
        counts.untrusted,
        counts.foreign,
        counts.unproven,
    );
    let _ = writeln!(
        text,
        "noise   lines on another object than theirs: {}; lines that are no records: {}",
        counts.moved, counts.malformed
    );
    if !heads.is_empty() {
        let _ = writeln!(text, "heads   {}", heads.join(" "));
    }
    let _ = writeln!(text, "trust   evidence counts from {}", ledger.trust);
    let with_effect = outcome.findings.iter();
    let with_effect = with_effect.filter(|each| each.row.effect.is_felt()).count();
    let said = match with_effect {
        0 => "nothing is wrong with the ledger".to_owned(),
        count => counted(count, "finding") + " with an effect",
    };
    let _ = writeln!(text, "{}: {said}", verdict(outcome.word.as_str()));
    text
}

/// Writes what was taken back.
pub(super) fn revoked(revocation: &Revocation) -> String {
    let what = match &revocation.what {
        Revoked::Record(id) => format!("record {}", id.short()),
        Revoked::Key { writer, last: None } => format!("everything of {writer}"),
        Revoked::Key {
            writer,
            last: Some(last),
        } => format!("what {writer} wrote after {}", last.short()),
    };
    let verb = if revocation.already {
        "was taken back before"
    } else {
        "is taken back"
    };
    format!("{what} {verb}, record {}\n", revocation.record.short())
}
