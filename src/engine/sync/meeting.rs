//! How two ledgers stand to each other, and what follows from it.

use std::collections::BTreeSet;

use super::unread;
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::ledger::notes::{Joins, NoteEntry};
use crate::ledger::reading;
use crate::ledger::union::{Union, union};
use crate::model::finding::{Finding, judging as judging_rows};
use crate::model::ids::{LedgerId, Oid};
use crate::model::repository;
use crate::trust::soundness::sound;
use crate::wire::record::claimed;

/// How many records are named.
const SHOWN: usize = 3;

/// What is to be done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// What is here is all there is.
    Keep,
    /// What is there is all there is.
    Take,
    /// Either has what the other lacks.
    Join,
}

/// Two ledgers that meet.
#[derive(Debug)]
pub(super) struct Meeting {
    /// What is to be done.
    pub(super) step: Step,
    /// What both hold together.
    pub(super) union: Union,
}

/// How the histories of two tips stand to each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relation {
    /// They are the same, or there is nothing on the other side.
    Same,
    /// That of this clone is part of the other.
    Older,
    /// That of the other is part of this one's.
    Newer,
    /// Either has its own.
    Apart,
    /// They have nothing in common.
    Unrelated,
}

impl Meeting {
    /// Lets the tip here and that of a remote meet.
    pub(super) fn of(
        world: &World<'_>,
        notes: &dyn Joins,
        (ours, theirs): (Option<Oid>, Option<Oid>),
    ) -> Result<Self, Stop> {
        let (mine, other) = (listed(notes, ours)?, listed(notes, theirs)?);
        let union = union((&mine, &other), notes).map_err(unread)?;
        let relation = relation(world, ours, theirs)?;
        if let (Relation::Unrelated, Some(theirs)) = (relation, theirs) {
            demand_same_ledger(world, notes, theirs)?;
        }
        let step = decide(relation, &union, (ours.is_some(), theirs.is_some()));
        Ok(Self { step, union })
    }

    /// Counts the lines that came.
    pub(super) const fn received(&self) -> usize {
        self.union.first_lacks.lines.len()
    }

    /// Counts the lines that the other side lacked.
    pub(super) const fn sendable(&self) -> usize {
        self.union.second_lacks.lines.len()
    }
}

/// Decides what follows from how two ledgers stand to each other.
///
/// A tip that another one follows may still hold lines that the later one dropped: those are joined
/// again, and nobody takes a ledger over that lacks what is here.
fn decide(relation: Relation, union: &Union, (is_here, is_there): (bool, bool)) -> Step {
    match (relation, is_here, is_there) {
        (_, false, true) => Step::Take,
        (_, _, false) | (Relation::Same, _, _) => Step::Keep,
        (Relation::Older, ..) if union.second_lacks.is_nothing() => Step::Take,
        (Relation::Newer, ..) if union.first_lacks.is_nothing() => Step::Keep,
        (Relation::Older | Relation::Newer | Relation::Apart | Relation::Unrelated, ..) => {
            Step::Join
        }
    }
}

/// Finds out how two tips stand to each other.
fn relation(world: &World<'_>, ours: Option<Oid>, theirs: Option<Oid>) -> Result<Relation, Stop> {
    let (Some(ours), Some(theirs)) = (ours, theirs) else {
        // A ledger that is taken over whole must be this one too.
        return Ok(if theirs.is_some() {
            Relation::Unrelated
        } else {
            Relation::Same
        });
    };
    if ours == theirs {
        return Ok(Relation::Same);
    }
    let met = world.objects.merge_base(&ours, &theirs);
    Ok(match met.map_err(Stop::broken("compare two ledgers"))? {
        repository::Meeting::At(base) if base == ours => Relation::Older,
        repository::Meeting::At(base) if base == theirs => Relation::Newer,
        repository::Meeting::At(_) | repository::Meeting::CutOff => Relation::Apart,
        repository::Meeting::Nowhere => Relation::Unrelated,
    })
}

/// Returns the lines that the remote had when it was seen last and has no more.
pub(super) fn lost(
    world: &World<'_>,
    notes: &dyn Joins,
    (seen, now): (Option<Oid>, Option<Oid>),
) -> Result<Vec<Vec<u8>>, Stop> {
    if seen.is_none() || relation(world, seen, now)? == Relation::Older || seen == now {
        return Ok(Vec::new());
    }
    let (before, after) = (listed(notes, seen)?, listed(notes, now)?);
    let union = union((&before, &after), notes).map_err(unread)?;
    Ok(union.second_lacks.lines)
}

/// Counts lines, and names the first of them by the ids that they claim.
pub(super) fn names(lines: &[Vec<u8>]) -> String {
    let ids = lines.iter().filter_map(|line| {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        claimed(line).map(|(id, _)| id.short())
    });
    let ids: Vec<String> = ids.collect();
    let shown = ids.get(..ids.len().min(SHOWN)).unwrap_or_default();
    match (ids.len(), lines.len()) {
        (0, count) => format!("{count} lines, none of them a record"),
        (1, _) => format!("record {}", shown.join(", ")),
        (count, _) if count > SHOWN => format!("{count} records, {} …", shown.join(", ")),
        (_, _) => format!("records {}", shown.join(", ")),
    }
}

/// Lists the notes of a tip.
fn listed(notes: &dyn Joins, tip: Option<Oid>) -> Result<Vec<NoteEntry>, Stop> {
    let list = tip.map(|tip| notes.list(&tip)).transpose();
    list.map(Option::unwrap_or_default).map_err(unread)
}

/// Refuses the ledger of another project: joined, nobody could say which one counts.
fn demand_same_ledger(world: &World<'_>, notes: &dyn Joins, theirs: Oid) -> Result<(), Stop> {
    let pinned = super::super::trusting::pinned(world)?;
    let Some(own) = pinned.or(world.identity.map(|identity| identity.ledger)) else {
        return Ok(());
    };
    let reading = reading::read_at(notes, theirs).map_err(unread)?;
    let sound = sound(&reading.copies, &world.settings.keyring);
    let named: BTreeSet<LedgerId> = sound.values().map(|record| record.header.ledger).collect();
    if named.is_empty() || named.contains(&own) {
        return Ok(());
    }
    let message = format!("the ledger there is another one than {own}, which counts here");
    Err(Stop::refuse(
        Finding::new(&judging_rows::OTHER_LEDGER, message).hint(super::super::ledgers::SETS_ASIDE),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::union::Lacks;

    fn lacks(lines: usize) -> Lacks {
        Lacks {
            lines: vec![b"x\n".to_vec(); lines],
            kept: 0,
        }
    }

    #[test]
    fn nobody_takes_over_what_lacks_a_line() {
        for (relation, (first, second), expected) in [
            (Relation::Same, (0, 0), Step::Keep),
            (Relation::Older, (1, 0), Step::Take),
            (Relation::Older, (1, 1), Step::Join),
            (Relation::Older, (0, 1), Step::Join),
            (Relation::Newer, (0, 1), Step::Keep),
            (Relation::Newer, (1, 0), Step::Join),
            (Relation::Apart, (0, 0), Step::Join),
            (Relation::Unrelated, (1, 1), Step::Join),
        ] {
            let union = Union {
                first_lacks: lacks(first),
                second_lacks: lacks(second),
                ..Union::default()
            };

            let step = decide(relation, &union, (true, true));

            assert_eq!(step, expected, "{relation:?} {first} {second}");
        }
        let none = Union::default();
        assert_eq!(
            decide(Relation::Unrelated, &none, (false, true)),
            Step::Take
        );
        assert_eq!(decide(Relation::Same, &none, (true, false)), Step::Keep);
        assert_eq!(decide(Relation::Same, &none, (false, false)), Step::Keep);
    }
}
