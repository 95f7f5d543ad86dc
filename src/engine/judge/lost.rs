//! Decisions that do not count although a trusted key made them: a fork took them, or somebody took
//! them out of the ledger.

use crate::ledger::judged::Ledger;
use crate::model::finding::{Finding, ledger as rows};
use crate::model::ids::{PlanName, RecordId};
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
