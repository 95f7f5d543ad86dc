//! `seal`: records that a contract was approved. Nothing unsealed is ever executed.

use super::append::{Appended, Entry, append, restore, seen, uncounted};
use super::audit;
use super::bound::{BoundPlan, Sealable, on_disk};
use super::judge::Judge;
use super::ports::Workspace;
use super::select::one;
use super::standing::Standing;
use super::stop::Stop;
use super::validate::demand_valid;
use super::world::{Recorder, World};
use crate::model::finding::{Finding, judging as rows};
use crate::model::ids::{Digest, PlanName, RecordId};
use crate::model::outcome::{Details, Outcome, Sealed, Word};
use crate::model::record::{Kept, Kind, SealBody};
use crate::wire::body;
use crate::wire::digest::sha256;

/// Seals the plan that is named, the only one, or `default`.
pub(crate) fn seal(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    only: Option<&PlanName>,
) -> Result<Outcome, Stop> {
    let workspace = audit::workspace(world)?;
    let identity = audit::identity(world)?;
    let plan = one(on_disk(workspace)?, only)?;
    demand_valid(std::slice::from_ref(&plan))?;
    let Some(sealable) = &plan.contract else {
        return Err(super::select::nothing());
    };
    demand_sealable(workspace, &plan, sealable)?;
    let restored =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    let state = workspace.state()?;
    audit::demand_merged(&state)?;
    let judge = Judge::of_workspace(world, state.head.as_ref())?;
    let facts = audit::with_own_branch(&judge, identity, state.branch.as_deref());
    let mut findings = plan.findings.clone();
    findings.extend(judge.findings.iter().cloned());
    findings.extend(restored);
    findings.extend(audit::key_finding(&judge, recorder));
    match facts.standing(&plan) {
        Standing::Sealed(record) => Ok(done(&plan, sealable.digest, record, true, findings)),
        Standing::Edited(other) | Standing::Broken(other) => Err(differs(&plan, other)),
        Standing::Draft | Standing::DraftAtBase | Standing::Invalid | Standing::Removed(_) => {
            let target = state.head.unwrap_or_else(|| world.objects.empty_tree());
            let body = seal_body(world, &judge, &plan, sealable, state.branch.clone());
            let entry = Entry {
                target,
                records: vec![(Kind::Seal, body)],
                kept: vec![sealable.bytes.clone()],
                subject: format!("seal {}: contract {}", plan.name, sealable.digest.short()),
                seen: seen(&judge.ledger, recorder, identity),
            };
            match append(world, recorder, identity, entry) {
                Ok(appended) => {
                    let record = appended.records.last().copied().unwrap_or(RecordId::NONE);
                    findings.extend(told(&judge, recorder, appended));
                    Ok(done(&plan, sealable.digest, record, false, findings))
                }
                Err(finding) => {
                    findings.push(*finding);
                    Ok(Outcome::new(Word::Unknown, findings, Details::None))
                }
            }
        }
    }
}

/// Says what is to be told of a seal that was recorded.
fn told(judge: &Judge<'_>, recorder: &Recorder<'_>, appended: Appended) -> Vec<Finding> {
    let is_listed = audit::key_finding(judge, recorder).is_none();
    let uncounted = is_listed.then(|| uncounted(judge, &appended)).flatten();
    uncounted.into_iter().chain(appended.forgotten).collect()
}

/// Makes the body of a seal.
fn seal_body(
    world: &World<'_>,
    judge: &Judge<'_>,
    plan: &BoundPlan,
    sealable: &Sealable,
    branch: Option<String>,
) -> String {
    let kept = Kept {
        blob: world.notes.blob_id(&sealable.bytes),
        bytes: u64::try_from(sealable.bytes.len()).unwrap_or(u64::MAX),
        sha256: sha256(&sealable.bytes),
    };
    let body = SealBody {
        plan: plan.name.clone(),
        contract: sealable.digest,
        kept,
        continues: Vec::new(),
        generation: 1,
        branch,
        profile: judge.trusting.profile.clone(),
    };
    // A body of strings and small numbers always has a canonical form.
    body::write_seal(&body).unwrap_or_default()
}

/// Tells what was sealed.
fn done(
    plan: &BoundPlan,
    contract: Digest,
    record: RecordId,
    already: bool,
    findings: Vec<Finding>,
) -> Outcome {
    let sealed = Sealed {
        plan: plan.name.clone(),
        contract,
        record,
        already,
    };
    Outcome::new(Word::Ok, findings, Details::Seal(Box::new(sealed)))
}

/// Refuses what a seal could not hold.
fn demand_sealable(
    workspace: &dyn Workspace,
    plan: &BoundPlan,
    sealable: &Sealable,
) -> Result<(), Stop> {
    let mut findings: Vec<Finding> = unbuilt(sealable)
        .map(|what| {
            let message = format!("plan {} uses {what}, which is not supported yet", plan.name);
            Finding::new(&rows::NOT_BUILT, message).of_plan(&plan.name)
        })
        .collect();
    if workspace
        .ignores(&plan.path)
        .map_err(Stop::broken("ask for ignore rules"))?
    {
        let message = format!(
            "git ignores {}, so no commit could hold the plan",
            plan.path
        );
        let hint = format!("git check-ignore -v {} names the rule", plan.path);
        findings.push(
            Finding::new(&rows::IGNORED_PLAN, message)
                .hint(hint)
                .of_plan(&plan.name),
        );
    }
    if workspace
        .has_request()
        .map_err(Stop::broken("look for a request"))?
    {
        let message = ".plan-auditor/request.json is there, and requests are not supported yet";
        findings.push(Finding::new(&rows::REQUEST, message).of_plan(&plan.name));
    }
    if findings.is_empty() {
        Ok(())
    } else {
        Err(Stop::Refused(findings))
    }
}

/// Says what keeps a valid plan from being sealed, for those who only read it.
pub(crate) fn notes(workspace: &dyn Workspace, plan: &BoundPlan) -> Result<Vec<Finding>, Stop> {
    let note = |what: String| {
        let message = format!("{what}; it can be read and not sealed");
        Finding::new(&rows::NOT_BUILT_NOTE, message).of_plan(&plan.name)
    };
    let parts = plan.contract.iter().flat_map(unbuilt);
    let mut notes: Vec<Finding> = parts
        .map(|part| {
            note(format!(
                "plan {} uses {part}, which is not supported yet",
                plan.name
            ))
        })
        .collect();
    if workspace
        .ignores(&plan.path)
        .map_err(Stop::broken("ask for ignore rules"))?
    {
        notes.push(note(format!("git ignores {}", plan.path)));
    }
    Ok(notes)
}

/// Names the parts of the format that are bound by a seal and not judged yet.
fn unbuilt(sealable: &Sealable) -> impl Iterator<Item = &'static str> {
    let contract = &sealable.contract;
    let any = |holds: fn(&crate::model::contract::Step) -> bool| contract.steps.iter().any(holds);
    [
        ("`pins`", !contract.pins.is_empty()),
        ("`scope`", !contract.scope.is_empty()),
        ("`modifies`", any(|step| !step.modifies.is_empty())),
        ("`creates`", any(|step| !step.creates.is_empty())),
        ("`deletes`", any(|step| !step.deletes.is_empty())),
        ("`uses_symbol`", any(|step| !step.uses_symbol.is_empty())),
    ]
    .into_iter()
    .filter(|(_, used)| *used)
    .map(|(name, _)| name)
}

/// Refuses a contract that differs from an open seal of this line of work.
fn differs(plan: &BoundPlan, other: Digest) -> Stop {
    let message = format!(
        "plan {} is sealed as {} on this line of work, and its file differs from that",
        plan.name,
        other.short()
    );
    let hint = format!(
        "put the sealed text back (git log -p -- {}), or give the new work a plan of its own in \
         .plan-auditor/plans/NAME.json",
        plan.path
    );
    Stop::refuse(
        Finding::new(&rows::EDITED, message)
            .hint(hint)
            .of_plan(&plan.name),
    )
}
