//! Tips of the ledger that the protected branch names: what a ledger must hold that nobody rolled back
//! (DESIGN 7.3).
//!
//! A trailer proves nothing, it only asks: whoever writes one that is wrong makes verdicts UNKNOWN, never
//! PASS, until the settings at the trust point say that it is not asked for.

use crate::engine::earlier::main_line;
use crate::engine::stop::Stop;
use crate::engine::trusting::Trusting;
use crate::engine::world::World;
use crate::ledger::reading::Reading;
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::Oid;
use crate::model::repository::ANCHOR;

/// How many commits of the first-parent history are looked at, from the trust point back.
const LOOKED_AT: usize = 500;

/// Says that the ledger lacks what the newest trailer names which it does not hold.
pub(super) fn missing(
    world: &World<'_>,
    trusting: &Trusting,
    reading: &Reading,
) -> Result<Option<Finding>, Stop> {
    // Where there is no ledger, or less than all of it, that is said by itself.
    let (Some(point), Some(tip)) = (&trusting.point, reading.tip) else {
        return Ok(None);
    };
    for commit in main_line(world.objects, point.commit).take(LOOKED_AT) {
        let Some(commit) = commit? else { break };
        let asked = commit.anchors.iter();
        let mut asked = asked.filter(|anchor| !trusting.disregarded.contains(anchor));
        if let Some(anchor) = asked.find(|anchor| !holds(world, (tip, reading), anchor)) {
            return Ok(Some(lacking(&point.name, &commit.id, anchor)));
        }
    }
    Ok(None)
}

/// Says whether the ledger follows an earlier tip, or has every record that it had.
fn holds(world: &World<'_>, (tip, reading): (Oid, &Reading), anchor: &Oid) -> bool {
    let has_all = |earlier: &Reading| {
        let mut ids = earlier.copies.keys();
        ids.all(|id| reading.copies.contains_key(id))
    };
    // What cannot be followed or read is not held.
    let (readings, notes) = (world.readings, world.notes);
    readings.follows(notes, (tip, *anchor))
        || readings
            .read_at(notes, *anchor)
            .is_ok_and(|earlier| has_all(&earlier))
}

/// Says what is lacking, and the ways out.
fn lacking(point: &str, commit: &Oid, anchor: &Oid) -> Finding {
    let commit = commit.short();
    let message = format!(
        "the ledger lacks {anchor}, which commit {commit} of {point} names as its tip: it was rolled back, or it \
         was not fetched whole"
    );
    Finding::new(&rows::ANCHOR_MISSING, message).hint(format!(
        "git plan-audit sync, from a clone or a remote that has it; where nobody ever had it, the {ANCHOR} trailer \
         is wrong: add \"disregard_anchors\":[\"{anchor}\"] to .plan-auditor/supervisor.json at the trust point"
    ))
}
