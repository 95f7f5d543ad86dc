//! The files that a seal freezes: those of the seals that it continues, copied, and what its own
//! patterns match besides.

use super::Sealing;
use super::before::{Before, hint};
use crate::engine::audit::record::INLINE;
use crate::engine::judge::bounds::listed;
use crate::engine::lineage::Frozen;
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::model::files::Files;
use crate::model::finding::{Finding, bounds as rows, lineage as lineage_rows};
use crate::model::ids::RecordId;
use crate::model::pins::{PinPatterns, Pins, Violation, lost, take, violations};
use crate::model::record::SealedPins;
use crate::model::text::shown;
use crate::wire::body;

/// What one seal froze.
struct Earlier {
    patterns: PinPatterns,
    pins: Pins,
}

/// Returns the files that a new seal freezes; none where its contract pins nothing. Refuses what
/// would let go of a file that a seal before it froze.
pub(super) fn frozen(sealing: &Sealing<'_>, before: &Before) -> Result<Option<Pins>, Stop> {
    let now = sealing.state.files();
    let fork = sealing.judge.fork.files(&sealing.judge.world)?;
    let is_new = sealing.renewal(before).is_some();
    let heads = before.heads.iter().filter(|_| !is_new);
    let mut kept = Vec::new();
    for head in heads {
        kept.extend(untouched(sealing, *head, (&now, fork))?);
    }
    let pins = &sealing.sealable.contract.pins;
    if pins.is_empty() {
        return Ok(None);
    }
    let mut all = take(&compiled(sealing, pins)?, &now, fork);
    // What earlier patterns match is copied from there, and nothing is added to it.
    for earlier in &kept {
        for path in earlier.patterns.matched(&now) {
            all.remove(path);
        }
    }
    for earlier in &kept {
        all.extend(earlier.pins.iter().map(|(path, pin)| (path.clone(), *pin)));
    }
    for earlier in &kept {
        refuse(sealing, &lost(&earlier.patterns, &earlier.pins, &all))?;
    }
    Ok(Some(all))
}

/// Refuses where a seal that stands froze files which are not as they were.
pub(super) fn demand_untouched(sealing: &Sealing<'_>, seal: RecordId) -> Result<(), Stop> {
    let (seals, name) = (&sealing.facts.seals, &sealing.plan.name);
    if sealing.sealable.contract.pins.is_empty() {
        return Ok(());
    }
    let now = sealing.state.files();
    let fork = sealing.judge.fork.files(&sealing.judge.world)?;
    for seal in seals.pinning(name, &sealing.sealable.digest, seal) {
        drop(untouched(sealing, seal, (&now, fork))?);
    }
    Ok(())
}

/// Returns what a seal froze, if all of it is as it was or as at the fork point.
fn untouched(
    sealing: &Sealing<'_>,
    seal: RecordId,
    (now, fork): (&Files, Option<&Files>),
) -> Result<Option<Earlier>, Stop> {
    let notes = sealing.judge.world.notes;
    let seals = &sealing.facts.seals;
    let contract = seals.contract(seal, notes)?;
    let contract = contract.ok_or_else(|| crate::engine::diff::missing(seal))?;
    let pins = match seals.frozen(seal, notes)? {
        Frozen::Nothing => return Ok(None),
        Frozen::Missing => return Err(crate::engine::diff::missing(seal)),
        Frozen::These(pins) => pins,
    };
    let patterns = compiled(sealing, &contract.pins)?;
    refuse(sealing, &violations(&patterns, &pins, (now, fork)))?;
    Ok(Some(Earlier { patterns, pins }))
}

/// Compiles patterns that a contract holds.
fn compiled(sealing: &Sealing<'_>, patterns: &[String]) -> Result<PinPatterns, Stop> {
    PinPatterns::new(patterns).map_err(|fault| {
        let message = format!("the patterns of `pins` cannot be compiled: {fault}");
        let finding = Finding::new(&lineage_rows::WEAKENED, message);
        Stop::refuse(finding.of_plan(&sealing.plan.name))
    })
}

/// Refuses what lets go of frozen files: that is a weakening (DESIGN section 4).
fn refuse(sealing: &Sealing<'_>, found: &[Violation]) -> Result<(), Stop> {
    if found.is_empty() {
        return Ok(());
    }
    let message = format!(
        "pinned files are not as they were sealed: {}",
        listed(found)
    );
    let name = &sealing.plan.name;
    let finding = Finding::new(&lineage_rows::WEAKENED, message).hint(hint(name));
    Err(Stop::refuse(finding.of_plan(name)))
}

/// Says where a seal has its pinned files, and with which blob beside the line.
pub(super) fn placed(world: &World<'_>, pins: &Pins) -> (SealedPins, Option<Vec<u8>>) {
    // A list of texts always has a canonical form.
    let text = body::write_pins(pins).unwrap_or_default();
    if text.len() <= INLINE {
        return (SealedPins::Listed(pins.clone()), None);
    }
    let bytes = text.into_bytes();
    let kept = body::kept(world.notes.blob_id(&bytes), &bytes);
    (SealedPins::Kept(kept), Some(bytes))
}

/// Names the patterns of a plan that freeze no file.
pub(super) fn idle(patterns: &[String], files: &Files) -> Vec<Finding> {
    let Ok(compiled) = PinPatterns::new(patterns) else {
        return Vec::new();
    };
    let texts = compiled.idle(files).into_iter();
    let texts = texts.filter_map(|place| patterns.get(place));
    let finding = |text: &String| {
        let message = format!("the pattern {} of `pins` matches no file", shown(text));
        Finding::new(&rows::IDLE, message)
            .hint("git ls-files shows paths as patterns are matched against them")
    };
    texts.map(finding).collect()
}
