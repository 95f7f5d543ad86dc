//! `preflight`: tests what plans claim at a commit, before work begins (PREFLIGHT).

use super::append::{Entry, append, restore, seen};
use super::audit;
use super::bound::{BoundPlan, in_tree, on_disk};
use super::judge::{Judge, resolved};
use super::own_key;
use super::ports::Commit;
use super::select::{all_or, nothing};
use super::stop::Stop;
use super::validate::demand_valid;
use super::world::{Recorder, World};
use crate::model::claim::Claim;
use crate::model::claim::answer::QuestionBody;
use crate::model::claim::derived;
use crate::model::claim::gate::Gate;
use crate::model::finding::{Finding, claims as rows};
use crate::model::ids::PlanName;
use crate::model::outcome::{Details, Outcome, Preflighted, PreflightedPlan, TestedClaim, Word};
use crate::model::record::{ClaimsBody, Kind, Role};
use crate::wire::{body, evidence, plan};

pub(crate) mod answering;
pub(super) mod answers;
pub(crate) mod lint;
pub(crate) mod questions;
pub(super) mod sealing;
pub(super) mod testing;
pub(crate) mod verifying;

use testing::{Known, finding, gate_of};

/// What is asked of `preflight`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Request {
    /// The commit.
    pub(crate) revision: String,
    /// The plan; none for all.
    pub(crate) plan: Option<PlanName>,
    /// A file of claims in place of plans: its name and bytes.
    pub(crate) claims: Option<(String, Vec<u8>)>,
    /// Whether evidence of earlier commits may be taken over.
    pub(crate) reuse: bool,
}

/// Tests what is claimed; recorded where there is somebody to record.
pub(crate) fn preflight(
    world: &World<'_>,
    recorder: Option<&Recorder<'_>>,
    request: &Request,
) -> Result<Outcome, Stop> {
    let commit = resolved(world, &request.revision)?;
    if let Some((name, bytes)) = &request.claims {
        return of_file(world, &commit, (name, bytes));
    }
    let plans = match world.workspace {
        Some(workspace) => on_disk(workspace)?,
        None => in_tree(world.objects, &commit.tree)?,
    };
    let plans = all_or(plans, request.plan.as_ref())?;
    if plans.is_empty() {
        return Err(nothing());
    }
    demand_valid(&plans)?;
    let judge = Judge::of_workspace(world, Some(&commit.id))?;
    let known = if request.reuse {
        Known::of(&judge)?
    } else {
        Known::answered(&judge)
    };
    let mut findings = judge.findings.clone();
    let mut tested = Vec::new();
    for plan in &plans {
        findings.extend(plan.findings.iter().cloned());
        tested.push(of_plan((world, &commit), plan, &known)?);
    }
    if world.prober.is_stopped() {
        return Err(stopped());
    }
    let told = if let Some(recorder) = recorder {
        record(
            (world, recorder),
            &judge,
            &known,
            (&commit, &plans, &mut tested),
        )?
    } else {
        unrecorded()
    };
    findings.extend(told.findings);
    Ok(concluded(&commit, tested, findings, told.is_recorded))
}

/// Says that the preflight was told to stop, so that nothing is recorded.
fn stopped() -> Stop {
    let message = "the preflight was told to stop: nothing is recorded";
    let finding = Finding::new(&rows::STOPPED, message);
    Stop::Unknown(vec![finding.hint("git plan-audit preflight")])
}

/// Tests the claims of a file.
fn of_file(
    world: &World<'_>,
    commit: &Commit,
    (name, bytes): (&str, &[u8]),
) -> Result<Outcome, Stop> {
    let (claims, findings) = plan::read_claims(name, bytes);
    let Some(claims) = claims else {
        return Err(Stop::Refused(findings));
    };
    let claims = testing::test((world, commit), &claims, &Known::nothing())?;
    let tested = PreflightedPlan {
        name: None,
        contract: None,
        gate: gate_of(&claims),
        record: None,
        claims,
    };
    Ok(concluded(commit, vec![tested], findings, true))
}

/// Tests the claims of a plan.
fn of_plan(
    at: (&World<'_>, &Commit),
    plan: &BoundPlan,
    known: &Known,
) -> Result<PreflightedPlan, Stop> {
    let sealable = plan.contract.as_ref();
    let claims: Vec<Claim> =
        sealable.map_or_else(Vec::new, |sealable| derived::all(&sealable.contract));
    let claims = testing::test(at, &claims, known)?;
    Ok(PreflightedPlan {
        name: Some(plan.name.clone()),
        contract: sealable.map(|sealable| sealable.digest),
        gate: gate_of(&claims),
        record: None,
        claims,
    })
}

/// What became of recording.
struct Told {
    findings: Vec<Finding>,
    is_recorded: bool,
}

/// Says that nothing is recorded, which was not asked for either.
fn unrecorded() -> Told {
    let message = "the result is not recorded: this clone has no key to record with";
    let finding = Finding::new(&rows::NOT_RECORDED, message);
    Told {
        findings: vec![finding.hint("git plan-audit init --no-hooks")],
        is_recorded: true,
    }
}

/// Records what the claims of plans gave, one record for each plan that has some.
fn record(
    (world, recorder): (&World<'_>, &Recorder<'_>),
    judge: &Judge<'_>,
    known: &Known,
    (commit, plans, tested): (&Commit, &[BoundPlan], &mut [PreflightedPlan]),
) -> Result<Told, Stop> {
    let identity = audit::identity(world)?;
    let mut findings =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    let (mut records, mut kept, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for (at, (plan, result)) in plans.iter().zip(tested.iter()).enumerate() {
        let Some((body, blobs)) = drafted((world, recorder), commit, plan, result) else {
            continue;
        };
        records.push((Kind::Claims, body));
        kept.extend(blobs);
        kept.extend(plan.contract.iter().map(|sealable| sealable.bytes.clone()));
        places.push(at);
    }
    if records.is_empty() {
        return Ok(Told {
            findings: findings.into_iter().collect(),
            is_recorded: true,
        });
    }
    for plan in tested.iter() {
        records.extend(asked(known, commit, plan));
    }
    let worst = Gate::worst(tested.iter().filter_map(|each| each.gate));
    let entry = Entry {
        target: commit.id,
        records,
        kept,
        subject: format!(
            "preflight: {} at commit {}",
            worst.map_or("", Gate::as_str),
            commit.id.short()
        ),
        seen: seen(&judge.ledger, recorder, identity),
        role: Role::Record,
        time: recorder.clock.now(),
    };
    let is_recorded = match append(world, recorder, identity, entry) {
        Ok(appended) => {
            for (at, id) in places.iter().zip(&appended.records) {
                if let Some(result) = tested.get_mut(*at) {
                    result.record = Some(*id);
                }
            }
            findings.extend(own_key::told(judge, (recorder, Role::Record), appended));
            true
        }
        Err(finding) => {
            findings.push(*finding);
            false
        }
    };
    Ok(Told {
        findings,
        is_recorded,
    })
}

/// Drafts the questions of a plan that nobody asked yet: one for each claim that keeps it from beginning.
fn asked(known: &Known, commit: &Commit, plan: &PreflightedPlan) -> Vec<(Kind, String)> {
    let Some(name) = &plan.name else {
        return Vec::new();
    };
    let keeps = |claim: &&TestedClaim| claim.gate != Gate::Pass && known.question(claim).is_none();
    let question = |claim: &TestedClaim| {
        let body = QuestionBody {
            plan: name.clone(),
            claim: claim.evidence.claim,
            scope: claim.evidence.scope.list,
            commit: commit.id,
        };
        Some((Kind::Question, body::write_question(&body).ok()?))
    };
    plan.claims
        .iter()
        .filter(keeps)
        .filter_map(question)
        .collect()
}

/// Drafts the record of one plan and the blob of its evidence, which it names beside the contract;
/// none where nothing is claimed.
pub(super) fn drafted(
    (world, recorder): (&World<'_>, &Recorder<'_>),
    commit: &Commit,
    plan: &BoundPlan,
    result: &PreflightedPlan,
) -> Option<(String, Vec<Vec<u8>>)> {
    let sealable = plan.contract.as_ref()?;
    // A record says what anybody can make again from git; what was answered is recorded by itself.
    let gate = Gate::worst(result.claims.iter().map(TestedClaim::gate_of_code))?;
    let list: Vec<_> = result
        .claims
        .iter()
        .map(|claim| claim.evidence.clone())
        .collect();
    let list = evidence::write_all(&list).ok()?.into_bytes();
    let kept = |bytes: &[u8]| body::kept(world.notes.blob_id(bytes), bytes);
    let body = ClaimsBody {
        plan: plan.name.clone(),
        contract: sealable.digest,
        kept: kept(&sealable.bytes),
        commit: commit.id,
        gate,
        evidence: kept(&list),
        tool: recorder.tool.to_owned(),
    };
    let text = body::write_claims(&body).ok()?;
    Some((text, vec![list]))
}

/// Concludes what all plans add up to.
fn concluded(
    commit: &Commit,
    plans: Vec<PreflightedPlan>,
    mut findings: Vec<Finding>,
    is_recorded: bool,
) -> Outcome {
    for plan in &plans {
        findings.extend(plan.claims.iter().flat_map(|claim| {
            let found = answers::findings(claim).into_iter().chain(finding(claim));
            found.map(|finding| match &plan.name {
                Some(name) => finding.of_plan(name),
                None => finding,
            })
        }));
        if plan.claims.is_empty() {
            let message = "nothing is claimed, so nothing was tested";
            let finding = Finding::new(&rows::NONE, message).hint("git plan-audit claims explain");
            findings.push(match &plan.name {
                Some(name) => finding.of_plan(name),
                None => finding,
            });
        }
    }
    let gate = Gate::worst(plans.iter().filter_map(|plan| plan.gate));
    let word = match gate {
        Some(Gate::Blocked) => Word::Fail,
        Some(Gate::Pass) if is_recorded => Word::Pass,
        Some(Gate::Pass | Gate::Review | Gate::Waiting) | None => Word::Unknown,
    };
    let preflighted = Preflighted {
        commit: commit.id,
        subject: commit.subject.clone(),
        gate,
        plans,
        is_comparison: false,
    };
    Outcome::new(word, findings, Details::Preflight(Box::new(preflighted)))
}
