//! Failures that do not count and that a pass must have seen all the same.
//!
//! An audit that ran where something was odd or changed proves nothing, nor does one in a chain
//! that was written twice; so none of them takes a pass back. But whoever can write to the
//! repository can make the place odd, have a check write to a tracked file, or make the chain
//! fork, before somebody else runs the checks: that those failed must not be lost. A later pass that has seen the failure stands for it, as for any other.

use std::collections::BTreeSet;

use super::steps;
use crate::engine::bound::BoundPlan;
use crate::engine::judge::Judge;
use crate::engine::stop::Stop;
use crate::engine::usable::{Unfit, unfit};
use crate::model::contract::Contract;
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::{Oid, RecordId};
use crate::model::recompute;
use crate::model::record::{AuditBody, Kind, Record};
use crate::model::verdict::Verdict;
use crate::wire::body;

/// Finds an audit of this tree and contract that failed, does not count, and that none of the audits
/// that were asked has seen.
pub(super) fn unseen_failure(
    judge: &Judge<'_>,
    (plan, contract): (&BoundPlan, &Contract),
    tree: &Oid,
    asked: &BTreeSet<RecordId>,
) -> Result<Option<Finding>, Stop> {
    let seen = asked.iter().flat_map(|id| {
        let seen = judge.ledger.seen_by(*id).into_iter();
        seen.chain([*id])
    });
    let seen: BTreeSet<RecordId> = seen.collect();
    for (record, body) in others(judge) {
        let is_of = plan
            .contract
            .iter()
            .any(|sealable| sealable.digest == body.contract)
            && body.plan == plan.name
            && body.saw(tree);
        if !is_of || seen.contains(&record.id) || is_waived(judge, &body, tree) {
            continue;
        }
        if recompute::audit(
            contract,
            &steps(judge.world.objects, &body.steps, body.kept.as_ref())?,
        ) == Verdict::Fail
        {
            return Ok(Some(failure(judge, plan, tree, record)));
        }
    }
    Ok(None)
}

/// Lists all audits: those that count, of which the current ones have been asked already, and
/// those of chains that were written twice.
fn others<'a>(judge: &'a Judge<'_>) -> Vec<(&'a Record, AuditBody)> {
    let forked = judge.ledger.forked();
    let forked = forked
        .filter(|record| record.header.kind == Kind::Audit.as_str())
        .filter_map(|record| Some((record, body::read_audit(&record.body).ok()?)));
    judge.ledger.audits().into_iter().chain(forked).collect()
}

/// Says whether settings outside the repository ask for another place or platform than that of an audit: then what
/// happened there is of no interest here.
fn is_waived(judge: &Judge<'_>, body: &AuditBody, tree: &Oid) -> bool {
    let reasons = unfit(body, tree, &judge.demands_from_outside());
    let is_elsewhere = |reason: &Unfit| matches!(reason, Unfit::OtherPlace | Unfit::OtherPlatform);
    reasons.iter().any(is_elsewhere)
}

/// Says that checks failed and nothing stands for it.
fn failure(judge: &Judge<'_>, plan: &BoundPlan, tree: &Oid, record: &Record) -> Finding {
    let message = format!(
        "audit {} of plan {} for tree {} failed; it does not count, and no later audit has seen it",
        record.id.short(),
        plan.name,
        tree.short()
    );
    Finding::new(&rows::FAILURE_UNSEEN, message).hint(judge.world.settings.audit_command())
}
