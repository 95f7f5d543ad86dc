//! Chains: the records of one key in one clone, linked by `prev[0]`, and what breaks them.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::ids::{InstanceId, RecordId, Writer};
use crate::model::record::{Kind, Record};
use crate::trust::soundness::Verified;

/// The name of a chain.
type ChainId = (Writer, InstanceId);

/// Sound records by id.
pub(crate) type Sound = BTreeMap<RecordId, Verified<Record>>;

/// What breaks a chain.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Break {
    /// The predecessor that a record names is not there.
    Gap {
        /// The record.
        after: RecordId,
        /// What it names.
        missing: RecordId,
    },
    /// A record of another chain that a record names as seen is not there.
    Unseen {
        /// The record.
        after: RecordId,
        /// What it names.
        missing: RecordId,
    },
    /// Several records follow the same one: the chain was written twice.
    Fork {
        /// Those records.
        branches: Vec<RecordId>,
    },
    /// A record opens a chain and is not of the kind that does.
    Headless {
        /// The record.
        first: RecordId,
    },
}

/// Returns what breaks the chains, in the order of ids.
pub(crate) fn breaks(sound: &Sound) -> Vec<Break> {
    let mut found: Vec<Break> = sound
        .iter()
        .filter_map(|(id, each)| own_break(sound, *id, each))
        .collect();
    found.extend(unseen(sound));
    let forks = successors(sound)
        .into_values()
        .filter(|branches| branches.len() > 1);
    found.extend(forks.map(|branches| Break::Fork { branches }));
    found
}

/// Returns what is wrong with the place of one record in its chain.
fn own_break(sound: &Sound, id: RecordId, record: &Record) -> Option<Break> {
    let before = predecessor(record);
    if before == RecordId::NONE {
        let opens = record.header.kind == Kind::Instance.as_str();
        return (!opens).then_some(Break::Headless { first: id });
    }
    let holds = sound
        .get(&before)
        .is_some_and(|other| chain(other) == chain(record));
    (!holds).then_some(Break::Gap {
        after: id,
        missing: before,
    })
}

/// Returns what records name beside their predecessor and that is not there.
fn unseen(sound: &Sound) -> impl Iterator<Item = Break> {
    sound.iter().flat_map(|(id, record)| {
        let others = record.header.prev.iter().skip(1).copied();
        let gone = others.filter(|other| !sound.contains_key(other));
        gone.map(|missing| Break::Unseen {
            after: *id,
            missing,
        })
    })
}

/// Returns the records that do not count because their chain was written twice before them.
pub(crate) fn after_forks(sound: &Sound) -> BTreeSet<RecordId> {
    let next = successors(sound);
    let mut todo: Vec<(ChainId, RecordId)> = next
        .iter()
        .filter(|(_, branches)| branches.len() > 1)
        .flat_map(|((chain, _), branches)| branches.iter().map(move |id| (chain.clone(), *id)))
        .collect();
    let mut found = BTreeSet::new();
    while let Some((chain, id)) = todo.pop() {
        if found.insert(id) {
            let after = next.get(&(chain.clone(), id)).into_iter().flatten();
            todo.extend(after.map(|id| (chain.clone(), *id)));
        }
    }
    found
}

/// Returns the last record of a chain; of a forked one the greatest id among its ends.
pub(crate) fn last(sound: &Sound, writer: &Writer, instance: InstanceId) -> Option<RecordId> {
    let name = (writer.clone(), instance);
    let next = successors(sound);
    let is_end = |id: &RecordId| !next.contains_key(&(name.clone(), *id));
    let own = sound
        .iter()
        .filter(|(_, record)| chain(record) == name)
        .map(|(id, _)| *id);
    own.filter(is_end).max()
}

/// Returns the end of a chain from one of its records on, that one where it is not there; of a forked one
/// the end that the greater ids lead to.
///
/// Where a record before it is missing, the chain has more ends, and none of these is to be gone on after.
pub(crate) fn end_from(sound: &Sound, first: RecordId) -> RecordId {
    let Some(record) = sound.get(&first) else {
        return first;
    };
    let (name, next) = (chain(record), successors(sound));
    let after = |id: &RecordId| next.get(&(name.clone(), *id))?.iter().max().copied();
    std::iter::successors(Some(first), after)
        .last()
        .unwrap_or(first)
}

/// Returns the records that no other one names: the heads of the whole graph.
pub(crate) fn heads(sound: &Sound) -> BTreeSet<RecordId> {
    let named: BTreeSet<RecordId> = sound
        .values()
        .flat_map(|record| record.header.prev.iter().copied())
        .collect();
    sound
        .keys()
        .filter(|id| !named.contains(id))
        .copied()
        .collect()
}

/// Returns everything that a record has seen, itself not included.
pub(crate) fn ancestors(sound: &Sound, id: RecordId) -> BTreeSet<RecordId> {
    let before = |id: &RecordId| sound.get(id).map(|record| record.header.prev.clone());
    let mut todo = before(&id).unwrap_or_default();
    let mut found = BTreeSet::new();
    while let Some(id) = todo.pop() {
        if found.insert(id) {
            todo.extend(before(&id).unwrap_or_default());
        }
    }
    found
}

/// Returns the records in an order in which each comes after all that it has seen; where that
/// leaves a choice, by time, then by id.
pub(crate) fn in_order(sound: &Sound) -> Vec<RecordId> {
    let mut waiting: BTreeMap<RecordId, usize> = BTreeMap::new();
    let mut after: BTreeMap<RecordId, Vec<RecordId>> = BTreeMap::new();
    for (id, record) in sound {
        let before: BTreeSet<_> = record
            .header
            .prev
            .iter()
            .filter(|id| sound.contains_key(id))
            .copied()
            .collect();
        waiting.insert(*id, before.len());
        for one in before {
            after.entry(one).or_default().push(*id);
        }
    }
    let key = |id: RecordId| sound.get(&id).map(|record| (record.header.time, id));
    let mut ready: BTreeSet<_> = waiting
        .iter()
        .filter(|(_, n)| **n == 0)
        .filter_map(|(id, _)| key(*id))
        .collect();
    let mut order = Vec::with_capacity(sound.len());
    while let Some((_, id)) = ready.pop_first() {
        order.push(id);
        for next in after.remove(&id).unwrap_or_default() {
            if let Some(count) = waiting.get_mut(&next) {
                *count -= 1;
                ready.extend((*count == 0).then(|| key(next)).flatten());
            }
        }
    }
    order
}

/// Returns the chain of a record.
fn chain(record: &Record) -> ChainId {
    (record.header.writer.clone(), record.header.instance)
}

/// Returns what a record names as the one before it in its chain.
fn predecessor(record: &Record) -> RecordId {
    record
        .header
        .prev
        .first()
        .copied()
        .unwrap_or(RecordId::NONE)
}

/// Returns what follows each record in each chain.
fn successors(sound: &Sound) -> BTreeMap<(ChainId, RecordId), Vec<RecordId>> {
    let mut next: BTreeMap<_, Vec<RecordId>> = BTreeMap::new();
    for (id, record) in sound {
        next.entry((chain(record), predecessor(record)))
            .or_default()
            .push(*id);
    }
    next
}

#[cfg(test)]
mod tests;
