//! What the records of audits tell of the programs that ran (D8).
//!
//! A judge has not seen the machine: it knows temporary places by their usual paths alone, and
//! nothing of who may write where.

use super::Candidate;
use crate::engine::bound::BoundPlan;
use crate::engine::judge::Judge;
use crate::engine::programs::{Programs, differing, holds, misplaced};
use crate::model::check::CheckResult;
use crate::model::finding::Finding;
use crate::model::ids::Oid;
use crate::model::place;
use crate::model::record::{AuditBody, Record};

/// Says which programs could be exchanged where they lay, and which are others than before.
pub(super) fn findings(
    judge: &Judge<'_>,
    (plan, tree): (&BoundPlan, &Oid),
    current: &[Candidate<'_>],
    audits: &[(&Record, AuditBody)],
) -> Vec<Finding> {
    let lies = |result: &CheckResult| {
        let program = result.program.as_ref();
        program.map_or_else(place::Lies::default, |program| {
            place::recorded(&program.path)
        })
    };
    let results = current.iter().flat_map(Candidate::results);
    let programs = results.map(|result| (result, lies(result)));
    let objects = judge.world.objects;
    let is_tracked = |path: &str| holds(objects, tree, path).unwrap_or(true);
    let mut findings = misplaced(programs, &is_tracked);
    let others = current
        .iter()
        .flat_map(|each| differs(judge, plan, each, audits));
    findings.extend(others);
    findings
}

/// Says which programs of one audit are others than those of the one before it.
fn differs(
    judge: &Judge<'_>,
    plan: &BoundPlan,
    each: &Candidate<'_>,
    audits: &[(&Record, AuditBody)],
) -> Vec<Finding> {
    let Some(sealable) = &plan.contract else {
        return Vec::new();
    };
    let audit = Programs {
        plan: &plan.name,
        contract: &sealable.contract,
        digest: sealable.digest,
        platform: &each.body.platform,
        steps: &each.steps,
    };
    // Audits come in an order in which each follows all that it has seen.
    let before = audits
        .iter()
        .position(|(record, _)| record.id == each.record.id);
    let (before, _) = audits.split_at(before.unwrap_or_default());
    differing(judge, &audit, before.iter())
}
