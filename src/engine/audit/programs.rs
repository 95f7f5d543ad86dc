//! What an audit tells of the programs that its checks ran (D8).

use super::{Ground, Ready, Task};
use crate::engine::judge::Judge;
use crate::engine::programs::{Programs, differing, holds, misplaced};
use crate::engine::run_steps::result_of;
use crate::model::finding::Finding;
use crate::model::ids::Oid;
use crate::model::outcome::AuditedStep;
use crate::model::record::StepResult;

/// Says which programs could be exchanged where they lie, and which are others than before.
pub(super) fn findings(
    task: &Task<'_>,
    judge: &Judge<'_>,
    (ground, tree): (Ground<'_>, &Oid),
    (ready, results): (&[Ready], &[Vec<AuditedStep>]),
) -> Vec<Finding> {
    let checks = results.iter().flatten().flat_map(AuditedStep::all_checks);
    let programs = checks.map(|check| (&check.result, check.lies.clone()));
    let is_tracked = |path: &str| is_tracked(task, (ground, tree), path);
    let mut findings = misplaced(programs, &is_tracked);
    let audits = judge.ledger.audits();
    for (ready, results) in ready.iter().zip(results) {
        let steps: Vec<StepResult> = results.iter().map(result_of).collect();
        let audit = Programs {
            plan: &ready.plan.name,
            contract: &ready.sealable.contract,
            digest: ready.sealable.digest,
            platform: task.recorder.platform,
            steps: &steps,
        };
        findings.extend(differing(judge, &audit, audits.iter()));
    }
    findings
}

/// Says whether a path of the place is tracked; what cannot be asked is taken for not.
fn is_tracked(task: &Task<'_>, (ground, tree): (Ground<'_>, &Oid), path: &str) -> bool {
    let by_index = || {
        let workspace = task.world.workspace;
        workspace.and_then(|workspace| workspace.tracks(path).ok())
    };
    let known = match ground {
        Ground::Worktree(..) => by_index(),
        // What is staged is a tree that may not be written yet.
        Ground::Checkout(_) => holds(task.world.objects, tree, path).or_else(by_index),
    };
    known.unwrap_or(false)
}
