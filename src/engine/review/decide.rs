//! `review --approve` and `--reject`: records what a person who may approve decides on a commit.

use std::collections::BTreeMap;

use crate::engine::append::{Entry, concluded, restore, seen};
use crate::engine::audit;
use crate::engine::judge::{Judge, resolved, reviews};
use crate::engine::own_key;
use crate::engine::ports::Commit;
use crate::engine::seal::{demand_approver, demand_role};
use crate::engine::stop::Stop;
use crate::engine::trusting::{differing_files, trust_files};
use crate::engine::world::{Recorder, World};
use crate::model::finding::{Finding, judging, review as rows};
use crate::model::ids::{PlanName, RecordId, Writer};
use crate::model::outcome::{Decided, Details, JudgedPlan, Outcome, Word};
use crate::model::record::{Decision, Kind, ReviewBody, ReviewedContract, Role, TrustChange};
use crate::wire::body;

/// What a person decides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// The revision that names the commit.
    pub(crate) revision: String,
    /// What is decided.
    pub(crate) decision: Decision,
    /// Why.
    pub(crate) text: String,
}

/// Records a decision in the approve role. Nothing runs.
pub(crate) fn decide(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    request: &Request,
) -> Result<Outcome, Stop> {
    demand_one(&request.revision)?;
    let identity = audit::identity(world)?;
    demand_role(world, recorder, Role::Approve)?;
    let restored =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    let commit = resolved(world, &request.revision)?;
    let judge = Judge::of_commit(world, &commit, None)?;
    // Of the trust point itself its parent says who counts.
    demand_approver(&judge.trusting, recorder)?;
    // What a key decides that was taken back, nobody would heed.
    if let Some(idle) = own_key::of_recorder(&judge, recorder, Role::Approve) {
        return Err(Stop::refuse(idle));
    }
    let body = drafted(&judge, &commit, request)?;
    let writer = recorder.signer.writer();
    demand_effect(&judge, &body, &writer)?;
    let mut findings = judge.findings.clone();
    findings.extend(restored);
    if let Some(record) = decided_already(&judge, &body, &writer) {
        return Ok(done(record, body, true, findings));
    }
    let entry = Entry {
        target: commit.id,
        // A body of ids and texts always has a canonical form.
        records: vec![(Kind::Review, body::write_review(&body).unwrap_or_default())],
        kept: Vec::new(),
        subject: format!(
            "review: {} tree {}",
            body.decision.as_str(),
            body.tree.short()
        ),
        seen: seen(&judge.ledger, recorder, identity),
        role: Role::Approve,
        time: recorder.clock.now(),
    };
    let ends = (entry, findings);
    Ok(concluded(
        &judge,
        (recorder, identity),
        ends,
        |record, findings| done(record, body, false, findings),
    ))
}

/// Refuses a range: whoever decides has looked at one tree.
fn demand_one(revision: &str) -> Result<(), Stop> {
    if !revision.contains("..") {
        return Ok(());
    }
    let message = "a decision is on one commit, and a range was named";
    Err(Stop::refuse(Finding::new(&rows::RANGE, message).hint(
        "name its tip: what it holds is what would be merged",
    )))
}

/// Writes down what the reviewer sees.
fn drafted(judge: &Judge<'_>, commit: &Commit, request: &Request) -> Result<ReviewBody, Stop> {
    let (judged, findings) = judge.commit(commit, None)?;
    let changes = [&judging::TRUST_CHANGED, &rows::TRUST_APPROVED];
    let is_change = findings
        .iter()
        .any(|finding| changes.contains(&finding.row));
    Ok(ReviewBody {
        base: judge.trusting.point.as_ref().map(|point| point.commit),
        commit: commit.id,
        tree: commit.tree,
        decision: request.decision,
        text: request.text.clone(),
        plans: sealed(&judged.plans),
        trust: if is_change {
            trust(judge, commit)?
        } else {
            TrustChange::new()
        },
    })
}

/// Returns the sealed contracts of plans that count.
fn sealed(plans: &[JudgedPlan]) -> BTreeMap<PlanName, ReviewedContract> {
    let counting = plans.iter().filter(|plan| !plan.is_closed);
    let sealed = counting.filter_map(|plan| {
        let (contract, seal) = (plan.contract?, plan.seal.as_ref()?.record);
        Some((plan.name.clone(), ReviewedContract { contract, seal }))
    });
    sealed.collect()
}

/// Returns what carries trust in a commit and is not as at the trust point.
fn trust(judge: &Judge<'_>, commit: &Commit) -> Result<TrustChange, Stop> {
    let objects = judge.world.objects;
    let Some(point) = &judge.trusting.tree else {
        return Ok(TrustChange::new());
    };
    let before = trust_files(objects, point)?;
    Ok(differing_files(
        &before,
        &trust_files(objects, &commit.tree)?,
    ))
}

/// Refuses what would count for nothing.
fn demand_effect(judge: &Judge<'_>, body: &ReviewBody, writer: &Writer) -> Result<(), Stop> {
    if !body.trust.is_empty() {
        return Ok(());
    }
    if body.plans.is_empty() {
        let message = "there is nothing to decide: no plan that counts is sealed in this commit, and no \
                       change of who is trusted waits";
        return Err(Stop::refuse(
            Finding::new(&rows::IDLE, message).hint("git plan-audit review tells what is lacking"),
        ));
    }
    let mut plans = body.plans.iter();
    let is_own = plans.all(|(plan, seen)| judge.has_sealed(writer, (plan, &seen.contract)));
    if is_own && body.decision == Decision::Approve {
        let message =
            "who sealed a plan does not approve what came of it: it would count for nothing";
        return Err(Stop::refuse(Finding::new(&rows::IDLE, message).hint(
            "git plan-audit sync, and let somebody else who may approve review it",
        )));
    }
    Ok(())
}

/// Finds a decision of the same key that says the same and that none came after.
fn decided_already(judge: &Judge<'_>, body: &ReviewBody, writer: &Writer) -> Option<RecordId> {
    let ledger = &judge.ledger;
    let mut own = ledger.reviews();
    own.retain(|(record, known)| {
        let is_own = record.header.writer == *writer && ledger.is_approved(record.id);
        is_own && known.tree == body.tree
    });
    let last = reviews::last(ledger, own);
    let [(record, known)] = last.as_slice() else {
        return None;
    };
    (known == body).then_some(record.id)
}

/// Tells what was decided.
fn done(record: RecordId, body: ReviewBody, already: bool, findings: Vec<Finding>) -> Outcome {
    let decided = Decided {
        record,
        body,
        already,
    };
    Outcome::new(Word::Ok, findings, Details::Decided(Box::new(decided)))
}
