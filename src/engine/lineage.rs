//! Seals that count, and the lineages that they form over `continues` (D1).
//!
//! Nothing is believed of a seal but that its writer approved that contract after those seals:
//! what each link is, is found by comparing the contracts.

use std::collections::{BTreeMap, BTreeSet};

use super::stop::Stop;
use crate::ledger::judged::Ledger;
use crate::ledger::notes::Notes;
use crate::model::change::{self, Change};
use crate::model::contract::Contract;
use crate::model::ids::{Digest, InstanceId, PlanName, RecordId};
use crate::model::record::{Ending, Kept, SealBody};
use crate::wire::{body, contract};

mod pinned;

pub(crate) use pinned::Frozen;

/// One seal that counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Seal {
    /// What was sealed.
    pub(crate) body: SealBody,
    /// The clone that did.
    pub(crate) instance: InstanceId,
    /// Whether it was approved.
    pub(crate) is_approved: bool,
}

/// How the lineage of a seal ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct End {
    /// The record that says so.
    pub(crate) record: RecordId,
    /// How it ended.
    pub(crate) ending: Ending,
}

/// What a seal is to those that it continues.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Link {
    /// It continues none.
    First,
    /// It asks for what they ask for, or more.
    Stronger,
    /// It begins anew, with a reason.
    Renewed,
    /// Neither: it does not hold.
    Broken,
}

/// Every seal that counts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Seals {
    /// By record.
    records: BTreeMap<RecordId, Seal>,
    /// Records, each after all that it has seen.
    order: Vec<RecordId>,
    /// What each is to those that it continues.
    links: BTreeMap<RecordId, Link>,
    /// Those whose lineage has come to an end.
    ends: BTreeMap<RecordId, End>,
    /// Of each that shares its lineage with others that neither it nor a later one has seen: those.
    concurrent: BTreeMap<RecordId, BTreeSet<RecordId>>,
    /// Those whose contract is not here, though a link has to be judged by it.
    pub(crate) missing: Vec<RecordId>,
}

impl Seals {
    /// Takes the seals of a ledger.
    pub(crate) fn of(ledger: &Ledger, notes: &dyn Notes) -> Result<Self, Stop> {
        let mut seals = Self::default();
        for (record, body) in ledger.seals() {
            seals.order.push(record.id);
            let seal = Seal {
                body,
                instance: record.header.instance,
                is_approved: ledger.is_approved(record.id),
            };
            seals.records.insert(record.id, seal);
        }
        seals.judge_links(notes)?;
        seals.find_concurrent(ledger);
        Ok(seals)
    }

    /// Finds out what each seal is to those that it continues.
    fn judge_links(&mut self, notes: &dyn Notes) -> Result<(), Stop> {
        let mut contracts = Contracts {
            notes,
            read: BTreeMap::new(),
        };
        for (id, seal) in &self.records {
            let before: Option<Vec<&Seal>> = seal
                .body
                .continues
                .iter()
                .map(|id| self.records.get(id))
                .collect();
            let known = match before.as_deref() {
                Some(before) => link(&seal.body, before, &mut contracts)?,
                None => Some(Link::Broken),
            };
            if known.is_none() {
                self.missing.push(*id);
            }
            let link = known.unwrap_or(Link::Broken);
            self.links.insert(*id, link);
        }
        Ok(())
    }

    /// Finds seals of one lineage that have not seen each other.
    fn find_concurrent(&mut self, ledger: &Ledger) {
        for group in self.groups() {
            let seen = group.iter().flat_map(|id| ledger.ancestors(*id));
            let seen: BTreeSet<RecordId> = seen.collect();
            let current: BTreeSet<RecordId> = group.difference(&seen).copied().collect();
            if current.len() > 1 {
                let of_group = group.iter().map(|id| (*id, current.clone()));
                self.concurrent.extend(of_group);
            }
        }
    }

    /// Parts the seals into lineages: those that hang together over `continues`. A seal alone is
    /// left out.
    fn groups(&self) -> Vec<BTreeSet<RecordId>> {
        let mut groups: Vec<BTreeSet<RecordId>> = Vec::new();
        let continuing = |id: &&RecordId| {
            let seal = self.records.get(id);
            seal.is_some_and(|seal| !seal.body.continues.is_empty())
        };
        for id in self.order.iter().filter(continuing) {
            let mut joined = self.lineage(*id);
            let (met, apart) = groups
                .into_iter()
                .partition(|group| !group.is_disjoint(&joined));
            let met: Vec<BTreeSet<RecordId>> = met;
            groups = apart;
            joined.extend(met.into_iter().flatten());
            groups.push(joined);
        }
        groups
    }

    /// Ends the lineages that a record names.
    pub(crate) fn end(&mut self, record: RecordId, seals: &[RecordId], ending: &Ending) {
        let ended: BTreeSet<RecordId> = seals.iter().flat_map(|id| self.lineage(*id)).collect();
        for id in ended {
            let end = End {
                record,
                ending: ending.clone(),
            };
            self.ends.entry(id).or_insert(end);
        }
    }

    /// Returns one seal.
    pub(crate) fn get(&self, id: RecordId) -> Option<&Seal> {
        self.records.get(&id)
    }

    /// Returns a seal and all that it continues.
    pub(crate) fn lineage(&self, id: RecordId) -> BTreeSet<RecordId> {
        let mut found = BTreeSet::new();
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if let Some(seal) = self.records.get(&id).filter(|_| found.insert(id)) {
                todo.extend(&seal.body.continues);
            }
        }
        found
    }

    /// Returns the first seal of a lineage: of several, that which came first.
    pub(crate) fn first(&self, id: RecordId) -> Option<RecordId> {
        let lineage = self.lineage(id);
        let begins = |id: &&RecordId| {
            let seal = self.records.get(id);
            lineage.contains(id) && seal.is_some_and(|seal| seal.body.continues.is_empty())
        };
        self.order.iter().find(begins).copied()
    }

    /// Says whether every link of a seal's lineage holds.
    pub(crate) fn holds(&self, id: RecordId) -> bool {
        let is_whole = |id: &RecordId| {
            let link = self.links.get(id);
            link.is_some_and(|link| *link != Link::Broken)
        };
        self.records.contains_key(&id) && self.lineage(id).iter().all(is_whole)
    }

    /// Says whether a seal's own link holds.
    pub(crate) fn has_link(&self, id: RecordId) -> bool {
        let link = self.links.get(&id);
        link.is_some_and(|link| *link != Link::Broken)
    }

    /// Returns the seals of a contract, each after all that it has seen.
    pub(crate) fn of_contract(&self, plan: &PlanName, contract: &Digest) -> Vec<RecordId> {
        let is_meant = |seal: &Seal| seal.body.plan == *plan && seal.body.contract == *contract;
        let found = self.order.iter().copied();
        found
            .filter(|id| self.records.get(id).is_some_and(is_meant))
            .collect()
    }

    /// Returns the seals of a contract whose lineage has not ended.
    pub(crate) fn open(&self, plan: &PlanName, contract: &Digest) -> Vec<RecordId> {
        let mut found = self.of_contract(plan, contract);
        found.retain(|id| !self.ends.contains_key(id));
        found
    }

    /// Returns the seals whose ids begin so.
    pub(crate) fn begin_with(&self, start: &str) -> Vec<RecordId> {
        let all = self.records.keys().copied();
        all.filter(|id| !start.is_empty() && id.to_string().starts_with(start))
            .collect()
    }

    /// Says how the lineage of a seal ended; none while it is open.
    pub(crate) fn ended(&self, id: RecordId) -> Option<&End> {
        self.ends.get(&id)
    }

    /// Says whether any lineage is open.
    pub(crate) fn has_open(&self) -> bool {
        let mut all = self.records.keys();
        all.any(|id| !self.ends.contains_key(id))
    }

    /// Lists the contracts whose seals one record ended.
    pub(crate) fn ended_by(&self, record: RecordId) -> impl Iterator<Item = Digest> {
        let ended = self
            .ends
            .iter()
            .filter(move |(_, end)| end.record == record);
        ended.filter_map(|(id, _)| Some(self.records.get(id)?.body.contract))
    }

    /// Says whether any contract of a plan is sealed.
    pub(crate) fn knows(&self, plan: &PlanName) -> bool {
        self.records.values().any(|seal| seal.body.plan == *plan)
    }

    /// Returns the current seals of a seal's lineage, where there are several.
    pub(crate) fn concurrent(&self, id: RecordId) -> Option<&BTreeSet<RecordId>> {
        self.concurrent.get(&id)
    }

    /// Returns the seals of a lineage that began it anew, newest generation first.
    pub(crate) fn renewals(&self, id: RecordId) -> Vec<(RecordId, &Seal)> {
        let renewed = |id: &RecordId| self.links.get(id) == Some(&Link::Renewed);
        let lineage = self.lineage(id).into_iter().filter(renewed);
        let mut found: Vec<(RecordId, &Seal)> = lineage
            .filter_map(|id| Some((id, self.records.get(&id)?)))
            .collect();
        found.sort_by_key(|(_, seal)| std::cmp::Reverse(seal.body.generation));
        found
    }

    /// Drops the seals that another one of these continues.
    pub(crate) fn newest(&self, ids: &BTreeSet<RecordId>) -> BTreeSet<RecordId> {
        let is_continued = |id: &RecordId| {
            ids.iter()
                .any(|other| other != id && self.lineage(*other).contains(id))
        };
        ids.iter().copied().filter(|id| !is_continued(id)).collect()
    }

    /// Reads the contract of a seal; none where it is not here.
    pub(crate) fn contract(
        &self,
        id: RecordId,
        notes: &dyn Notes,
    ) -> Result<Option<Contract>, Stop> {
        match self.records.get(&id) {
            Some(seal) => read_contract(notes, &seal.body.kept, &seal.body.contract),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
impl Seals {
    /// Adds a seal whose link holds, for tests that have no ledger.
    pub(crate) fn add(&mut self, record: RecordId, body: SealBody) {
        let link = if body.continues.is_empty() {
            Link::First
        } else {
            Link::Stronger
        };
        let seal = Seal {
            body,
            instance: InstanceId::new([1; 16]),
            is_approved: false,
        };
        self.order.push(record);
        self.records.insert(record, seal);
        self.links.insert(record, link);
    }

    /// Breaks the link of a seal.
    pub(crate) fn break_link(&mut self, record: RecordId) {
        self.links.insert(record, Link::Broken);
    }
}

/// Contracts by digest, each read once.
struct Contracts<'a> {
    notes: &'a dyn Notes,
    read: BTreeMap<Digest, Option<Contract>>,
}

impl Contracts<'_> {
    /// Says what differs between the contracts of two seals; none where one is not here.
    fn compare(
        &mut self,
        before: &SealBody,
        after: &SealBody,
    ) -> Result<Option<Vec<Change>>, Stop> {
        for body in [before, after] {
            if !self.read.contains_key(&body.contract) {
                let found = read_contract(self.notes, &body.kept, &body.contract)?;
                self.read.insert(body.contract, found);
            }
        }
        let contract = |body: &SealBody| self.read.get(&body.contract)?.as_ref();
        let pair = contract(before).zip(contract(after));
        Ok(pair.map(|(before, after)| change::compare(before, after)))
    }
}

/// Reads bytes that a record names; none where they are not here or are others.
pub(super) fn read_kept(
    notes: &dyn Notes,
    kept: &Kept,
    doing: &str,
) -> Result<Option<Vec<u8>>, Stop> {
    let blob = notes
        .blob(&kept.blob)
        .map_err(|error| Stop::broken(doing)(error.into()))?;
    Ok(blob.filter(|bytes| body::is_kept(kept, bytes)))
}

/// Reads the canonical bytes of a contract; none where they are not here or are others.
pub(super) fn read_contract(
    notes: &dyn Notes,
    kept: &Kept,
    digest: &Digest,
) -> Result<Option<Contract>, Stop> {
    let bytes = read_kept(notes, kept, "read a sealed contract")?;
    let bytes = bytes.filter(|bytes| contract::digest(bytes) == *digest);
    Ok(bytes.and_then(|bytes| contract::read(&bytes).ok()))
}

/// Says what a seal is to those that it continues; none where a contract is not here.
fn link(
    seal: &SealBody,
    before: &[&Seal],
    contracts: &mut Contracts<'_>,
) -> Result<Option<Link>, Stop> {
    let Some(generation) = before.iter().map(|seal| seal.body.generation).max() else {
        let is_first = seal.generation == 1;
        return Ok(Some(if is_first { Link::First } else { Link::Broken }));
    };
    if seal.generation == generation.saturating_add(1) {
        let has_reason = seal
            .reason
            .as_ref()
            .is_some_and(|reason| !reason.trim().is_empty());
        return Ok(Some(if has_reason {
            Link::Renewed
        } else {
            Link::Broken
        }));
    }
    if seal.generation != generation {
        return Ok(Some(Link::Broken));
    }
    for other in before {
        match contracts.compare(&other.body, seal)? {
            None => return Ok(None),
            Some(changes) if !change::are_allowed(&changes) => return Ok(Some(Link::Broken)),
            Some(_) => {}
        }
        match contracts.keeps_pins(&other.body, seal)? {
            None => return Ok(None),
            Some(false) => return Ok(Some(Link::Broken)),
            Some(true) => {}
        }
    }
    Ok(Some(Link::Stronger))
}
