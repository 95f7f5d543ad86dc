//! Blobs that records name: contracts, evidence, and lists that are too long for a line.

use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::ledger::judged::{COMPLETE, Ledger};
use crate::ledger::notes::NotesError;
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::Digest;
use crate::model::record::{Kept, Kind, Record, RunEnd, SealedPins};
use crate::wire::{body, contract, evidence};

/// What the bytes of a blob must be.
enum Content {
    /// The canonical form of the contract with this digest.
    Contract(Digest),
    /// What the claims of a contract gave.
    Evidence,
    /// A list of step results.
    Steps,
    /// A list of pinned files.
    Pins,
}

/// Tells which blobs that records name are not here, are not what was recorded, or hang nowhere.
pub(super) fn wrong(world: &World<'_>, ledger: &Ledger) -> Result<Vec<Finding>, Stop> {
    let mut findings = Vec::new();
    for record in ledger.in_order() {
        for (kept, content) in named(record) {
            findings.extend(blob(world, record, &kept, &content)?);
            if !ledger.is_kept(&kept.blob) {
                findings.push(loose(record, &kept));
            }
        }
    }
    Ok(findings)
}

/// Lists the blobs that a record names; a body that cannot be read is told elsewhere.
fn named(record: &Record) -> Vec<(Kept, Content)> {
    let text = &record.body;
    match Kind::parse(&record.header.kind) {
        Some(Kind::Seal) => body::read_seal(text).map_or_else(
            |_| Vec::new(),
            |seal| {
                let pins = match seal.pins {
                    Some(SealedPins::Kept(kept)) => Some((kept, Content::Pins)),
                    Some(SealedPins::Listed(_)) | None => None,
                };
                let contract = (seal.kept, Content::Contract(seal.contract));
                [contract].into_iter().chain(pins).collect()
            },
        ),
        Some(Kind::Claims) => body::read_claims(text).map_or_else(
            |_| Vec::new(),
            |claims| {
                vec![
                    (claims.kept, Content::Contract(claims.contract)),
                    (claims.evidence, Content::Evidence),
                ]
            },
        ),
        Some(Kind::Audit) => steps(body::read_audit(text).ok().and_then(|audit| audit.kept)),
        Some(Kind::Run) => steps(body::read_run(text).ok().and_then(|run| match run.end {
            RunEnd::Told(told) => told.kept,
            RunEnd::Killed(_) => None,
        })),
        Some(
            Kind::Answer
            | Kind::Close
            | Kind::Import
            | Kind::Instance
            | Kind::Question
            | Kind::Request
            | Kind::Review
            | Kind::Revoke
            | Kind::Waiver,
        )
        | None => Vec::new(),
    }
}

/// Takes a list of step results.
fn steps(kept: Option<Kept>) -> Vec<(Kept, Content)> {
    kept.map(|kept| (kept, Content::Steps))
        .into_iter()
        .collect()
}

/// Looks at one blob.
fn blob(
    world: &World<'_>,
    record: &Record,
    kept: &Kept,
    content: &Content,
) -> Result<Option<Finding>, Stop> {
    let (kind, id) = (&record.header.kind, record.id.short());
    let bytes = match world.notes.blob(&kept.blob) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            let message = format!(
                "blob {} that {kind} {id} names is not in this clone",
                kept.blob
            );
            return Ok(Some(Finding::new(&rows::MISSING, message).hint(COMPLETE)));
        }
        Err(NotesError::TooLarge { bytes, .. }) => {
            let message = format!(
                "blob {} that {kind} {id} names has {bytes} bytes, more than 64 MiB",
                kept.blob
            );
            return Ok(Some(other(record, message)));
        }
        Err(error) => return Err(Stop::broken("read what a record names")(error.into())),
    };
    let holds = body::is_kept(kept, &bytes)
        && match content {
            Content::Contract(digest) => {
                contract::digest(&bytes) == *digest && contract::read(&bytes).is_ok()
            }
            Content::Evidence => evidence::read_all(&bytes).is_ok(),
            Content::Steps => body::read_steps(&bytes).is_ok(),
            Content::Pins => body::read_pins(&bytes).is_ok(),
        };
    Ok((!holds).then(|| {
        let message = format!("blob {} is not what {kind} {id} says of it", kept.blob);
        other(record, message)
    }))
}

/// Says that a blob is another one than was recorded: whoever proved the record wrote it so.
fn other(record: &Record, message: String) -> Finding {
    Finding::new(&rows::KEPT_OTHER, message).hint(format!(
        "git plan-audit show {}: record it again with the tool",
        record.id.short()
    ))
}

/// Says that a blob is no note of itself at the tip, so that only history keeps it.
fn loose(record: &Record, kept: &Kept) -> Finding {
    let message = format!(
        "blob {} that {} {} names is no note of itself at the tip: only the ledger's history keeps it",
        kept.blob,
        record.header.kind,
        record.id.short()
    );
    Finding::new(&rows::KEPT_LOOSE, message).hint(format!(
        "git notes --ref=plan-audit add -f -C {0} {0}",
        kept.blob
    ))
}
