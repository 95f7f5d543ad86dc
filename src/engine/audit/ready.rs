//! Which plans are audited, and why one may not be: nothing that is not sealed is ever executed.

use super::Ready;
use crate::engine::bound::BoundPlan;
use crate::engine::judge::Judge;
use crate::engine::select::all_or;
use crate::engine::standing::{Facts, Standing};
use crate::engine::stop::Stop;
use crate::engine::validate::demand_valid;
use crate::model::finding::{Effect, Finding, judging as rows, lineage as lineage_rows};
use crate::model::ids::{PlanName, RecordId};

/// Returns the plans that are going to be audited; refuses when one of them may not be run.
pub(super) fn ready(
    (judge, facts): (&Judge<'_>, &Facts),
    all: Vec<BoundPlan>,
    only: Option<&PlanName>,
    findings: &mut Vec<Finding>,
) -> Result<Vec<Ready>, Stop> {
    let covered = facts.covered(&all);
    let removed = facts.removed(&all, &covered).into_iter();
    let mut refusals: Vec<Finding> = removed
        .filter(|(name, _)| only.is_none_or(|only| only == name))
        .filter_map(|(name, standing)| refusal(&name, &standing))
        .collect();
    let asked = if refusals.is_empty() {
        all_or(all, only)?
    } else {
        all
    };
    demand_valid(&asked)?;
    let mut ready = Vec::new();
    for plan in asked {
        let standing = facts.standing(&plan, &covered);
        findings.extend(plan.findings.iter().cloned());
        match (&standing, plan.contract.clone()) {
            (Standing::Sealed(seal), Some(sealable)) => {
                let is_spent = judge.is_spent(&plan, *seal)?;
                let closed = facts.seals.ended(*seal).filter(|_| only.is_none());
                if closed.is_some() {
                    findings.push(closed_is_skipped(&plan.name, is_spent));
                    continue;
                }
                findings.extend(is_spent.then(|| spent(&plan.name)));
                let (bad, said) = of_lineage(judge, &plan.name, *seal);
                refusals.extend(bad);
                findings.extend(said);
                let seal = *seal;
                ready.push(Ready {
                    plan,
                    sealable,
                    seal,
                });
            }
            (Standing::DraftAtBase, _) => findings.push(skipped(&plan.name)),
            (_, _) => {
                let refused = refusal(&plan.name, &standing);
                refusals.extend(refused.map(|finding| sealable_here(judge, finding)));
            }
        }
    }
    if refusals.is_empty() {
        Ok(ready)
    } else {
        Err(Stop::Refused(refusals))
    }
}

/// Parts what is to be said of a seal's lineage into what keeps the plan from being run, and the
/// rest.
pub(in crate::engine) fn of_lineage(
    judge: &Judge<'_>,
    plan: &PlanName,
    seal: RecordId,
) -> (Vec<Finding>, Vec<Finding>) {
    let findings = judge.lineage_findings(plan, seal).into_iter();
    findings.partition(|finding| finding.row.effect == Effect::Fail)
}

/// Says that a plan has come to its end and was not named. An audit proves nothing of it once it is
/// spent.
fn closed_is_skipped(name: &PlanName, is_spent: bool) -> Finding {
    let message = format!("plan {name} is closed: it is skipped");
    let finding = Finding::new(&lineage_rows::CLOSED, message).of_plan(name);
    finding.hint(if is_spent {
        reopens(name)
    } else {
        format!("git plan-audit audit --plan {name} runs it")
    })
}

/// Says that a plan which is audited nevertheless is not brought back by that.
fn spent(name: &PlanName) -> Finding {
    let message = format!(
        "plan {name} is closed, and the trust point has held its contract: this audit does not bring it back"
    );
    let finding = Finding::new(&lineage_rows::SPENT, message).of_plan(name);
    finding.hint(reopens(name))
}

/// Names what opens a closed plan again.
pub(in crate::engine) fn reopens(name: &PlanName) -> String {
    format!("git plan-audit seal --plan {name} --new-generation --reason TEXT opens it again")
}

/// Says that a draft of the trust point does not count.
fn skipped(name: &PlanName) -> Finding {
    let message = format!("plan {name} is a draft that the trust point holds too: it is skipped");
    Finding::new(&rows::DRAFT_AT_BASE, message).of_plan(name)
}

/// Says where a plan can be sealed, where that is not here.
fn sealable_here(judge: &Judge<'_>, mut finding: Finding) -> Finding {
    if judge.world.workspace.is_none() && *finding.row == rows::UNSEALED {
        let hint = finding.hint.unwrap_or_default();
        finding.hint = Some(format!(
            "{hint}, in a clone with a work tree; then git push its refs/notes/plan-audit to here"
        ));
    }
    finding
}

/// Names the ways out where the file of a sealed plan is gone.
pub(in crate::engine) fn gone(name: &PlanName) -> String {
    let path = name.path();
    format!(
        "let the commit have the file (git add {path}; where it is gone, git log --all -- {path} names what had \
         it); or go on under another name: git plan-audit seal --plan NAME \
         --from {name}; or give it up: git plan-audit close --plan {name} --abandon --reason TEXT"
    )
}

/// Says why a plan may not be run.
pub(in crate::engine) fn refusal(name: &PlanName, standing: &Standing) -> Option<Finding> {
    let path = name.path();
    let finding = match standing {
        Standing::Sealed(_) | Standing::Invalid | Standing::DraftAtBase => return None,
        Standing::Draft => {
            let message = format!("plan {name} has no seal that counts here; nothing was run");
            Finding::new(&rows::UNSEALED, message)
                .hint(format!("git plan-audit seal --plan {name}"))
        }
        Standing::Edited(other) => {
            let message = format!(
                "plan {name} differs from its sealed contract {}; nothing was run",
                other.short()
            );
            Finding::new(&rows::EDITED, message).hint(format!(
                "git plan-audit diff --plan {name}, then git plan-audit seal --plan {name}, or put \
                 the sealed text back"
            ))
        }
        Standing::Broken(other) => {
            let message = format!(
                "plan {name} was sealed as {} earlier on this line of work, and its present \
                 contract does not continue that; nothing was run",
                other.short()
            );
            Finding::new(&rows::SEAL_BROKEN, message).hint(format!("git log -p -- {path}"))
        }
        Standing::RolledBack(later) => {
            let message = format!(
                "plan {name} holds an earlier contract than {}, which was here before; nothing was run",
                later.short()
            );
            Finding::new(&lineage_rows::ROLLED_BACK, message)
                .hint(format!("put the later text back: git log -p -- {path}"))
        }
        Standing::Unfounded(seal) => {
            let message = format!(
                "seal {} of plan {name} breaks the rules of its lineage; nothing was run",
                seal.short()
            );
            Finding::new(&rows::SEAL_BROKEN, message)
                .hint(format!("git plan-audit show {}", seal.short()))
        }
        Standing::Removed(other) => {
            let message = format!(
                "plan {name} is sealed ({}) and its file {path} is gone; nothing was run",
                other.short()
            );
            Finding::new(&rows::PLAN_REMOVED, message).hint(gone(name))
        }
    };
    Some(finding.of_plan(name))
}
