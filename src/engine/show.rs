//! `show`: one record, whole, with what its proof is worth here.

use super::judge::Judge;
use super::log::Reader;
use super::ports::Outputs;
use super::stop::Stop;
use super::world::World;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::RecordId;
use crate::model::outcome::{Details, Outcome, Shown, Word};
use crate::model::record::{Proof, Record};

mod outputs;
mod pins;

/// Shows the one record whose id begins so.
pub(crate) fn show(
    world: &World<'_>,
    kept: Option<&dyn Outputs>,
    id: &str,
) -> Result<Outcome, Stop> {
    let judge = Judge::of_workspace(world, None)?;
    let reading = world.reading()?;
    let found: Vec<&Record> = reading
        .copies
        .values()
        .map(|copies| &copies.record)
        .filter(|record| record.id.is_named_by(id))
        .collect();
    let [record] = found.as_slice() else {
        return Err(unknown(id, &found));
    };
    let reader = Reader::new(&judge);
    let shown = Shown {
        entry: reader.entry(record)?,
        outputs: outputs::of(world, &reader, record, kept)?,
        pins: pins::of(&judge, record.id)?,
        unfit: unfit(&judge, record.id),
        proof: proof(record),
        covers: record.header.covers,
        ledger: record.header.ledger.to_string(),
        notes: judge.ledger.places(record.id).copied().collect(),
        body: record.body.clone(),
    };
    Ok(Outcome::new(
        Word::Ok,
        judge.findings.clone(),
        Details::Show(Box::new(shown)),
    ))
}

/// Says why a record does not count here.
fn unfit(judge: &Judge<'_>, id: RecordId) -> Option<&'static str> {
    if judge.ledger.get(id).is_some() {
        None
    } else if judge.ledger.is_sound(id) {
        Some("proven by a key, or in a chain, that does not count here")
    } else {
        Some("not proven by the key that it names")
    }
}

/// Names the form of a proof.
fn proof(record: &Record) -> &'static str {
    match record.proof {
        Proof::Ssh(_) => "ssh",
        Proof::Hmac { .. } => "hmac",
        Proof::By(_) => "by",
    }
}

/// Refuses an id that names no record, or several.
fn unknown(id: &str, found: &[&Record]) -> Stop {
    let id = crate::model::text::shown(id);
    let message = match found.len() {
        0 if id.len() < RecordId::FEWEST => {
            format!(
                "{id} is too short: give at least {} digits",
                RecordId::FEWEST
            )
        }
        0 => format!("no record's id begins with {id}"),
        many => format!("{many} records' ids begin with {id}"),
    };
    Stop::refuse(Finding::new(&rows::UNKNOWN_RECORD, message).hint("git plan-audit log"))
}
