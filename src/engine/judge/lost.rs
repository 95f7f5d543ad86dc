//! What does not count although a trusted key recorded it: a fork took it, or somebody took it out of
//! the ledger.

use crate::engine::world::World;
use crate::ledger::judged::Ledger;
use crate::ledger::reading::Reading;
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::{Oid, PlanName, RecordId};
use crate::model::record::{Kind, Record};
use crate::wire::body;

/// Says which seals and ends of plans a fork took, unless a later one of that plan has seen them.
pub(in crate::engine) fn forked_decisions(ledger: &Ledger) -> Vec<Finding> {
    let finding = |record: &Record| {
        let plan = plan_of(record)?;
        (!is_settled(ledger, &plan, record.id)).then(|| {
            let message = format!(
                "{} {} of plan {plan} does not count: its chain was written twice",
                record.header.kind,
                record.id.short()
            );
            Finding::new(&rows::FORK_BEARS, message).hint(format!(
                "git plan-audit init --no-hooks --new-instance --reason 'the chain was written \
                 twice', then git plan-audit seal --plan {plan} --new-generation --reason TEXT"
            ))
        })
    };
    ledger.forked().filter_map(finding).collect()
}

/// Says whether a seal of a plan was removed or taken by a fork.
pub(super) fn has_seal_of(ledger: &Ledger, name: &PlanName) -> bool {
    let lost = ledger.removed.iter().chain(ledger.forked());
    lost.filter(|record| record.header.kind == Kind::Seal.as_str())
        .any(|record| plan_of(record).as_ref() == Some(name))
}

/// Says whether a seal or an end of a plan that counts has seen a record.
fn is_settled(ledger: &Ledger, plan: &PlanName, id: RecordId) -> bool {
    let counting = ledger.in_order().into_iter();
    let mut later = counting.filter(|record| plan_of(record).as_ref() == Some(plan));
    later.any(|record| ledger.seen_by(record.id).contains(&id))
}

/// Returns the plan that a seal or an end speaks of.
fn plan_of(record: &Record) -> Option<PlanName> {
    let kind = record.header.kind.as_str();
    if kind == Kind::Seal.as_str() {
        body::read_seal(&record.body).ok().map(|seal| seal.plan)
    } else if kind == Kind::Close.as_str() {
        body::read_close(&record.body).ok().map(|close| close.plan)
    } else {
        None
    }
}

/// Says that a record was removed; an audit of another tree than the one that is judged does not bear
/// on it (D3), and a run on no judgement at all (D5).
pub(in crate::engine) fn removed(record: &Record, tree: Option<&Oid>) -> Finding {
    let audit = body::read_audit(&record.body).ok();
    let is_elsewhere = record.header.kind == Kind::Run.as_str()
        || record.header.kind == Kind::Audit.as_str()
            && audit
                .zip(tree)
                .is_some_and(|(audit, tree)| !audit.saw(tree));
    let row = if is_elsewhere {
        &rows::REMOVED_OTHER
    } else {
        &rows::REMOVED
    };
    let message = format!(
        "{} {} was removed from the ledger",
        record.header.kind,
        record.id.short()
    );
    Finding::new(row, message)
        .hint("git log -p refs/notes/plan-audit shows who removed it; git plan-audit sync --repair puts it back")
}

/// Says that records which this clone wrote are not in the ledger.
pub(super) fn rolled_back(world: &World<'_>, reading: &Reading) -> Option<Finding> {
    let own = &world.settings.anchored;
    let gone: Vec<&RecordId> = own
        .iter()
        .filter(|id| !reading.copies.contains_key(id))
        .collect();
    let first = gone.first()?;
    let message = format!(
        "record {}, which this clone wrote, is not in the ledger",
        first.short()
    );
    Some(Finding::new(&rows::ROLLED_BACK, message).hint(
        "git plan-audit audit puts it back; git plan-audit init --no-hooks --new-instance --reason TEXT gives it up",
    ))
}
