//! `close`: ends the lineage of a plan, with a proof or by giving it up.

use super::append::{Entry, concluded, restore, seen};
use super::audit;
use super::bound::{BoundPlan, in_tree, on_disk};
use super::judge::{Judge, given_up_by, resolved};
use super::own_key;
use super::place::Place;
use super::select::one;
use super::standing::{Facts, Standing};
use super::stop::Stop;
use super::world::{Recorder, World};
use crate::model::finding::{Finding, ledger as ledger_rows, lineage as rows};
use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::outcome::{Became, Closed, Details, Outcome, Word};
use crate::model::record::{CloseBody, Ending, Kind, Role};
use crate::model::verdict::Verdict;
use crate::wire::body;

/// What is asked of `close`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// The plan; none for the only one, else `default`.
    pub(crate) plan: Option<PlanName>,
    /// How it ends.
    pub(crate) how: How,
}

/// How a lineage is to end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum How {
    /// With the proof of a commit.
    Proven {
        /// The revision that names it.
        revision: String,
    },
    /// Given up.
    Abandoned {
        /// The beginning of a seal's id; none for the seal that stands.
        seal: Option<String>,
        /// Why.
        reason: String,
        /// The role in which it is signed.
        role: Role,
    },
}

/// What is going to end.
struct Target {
    plan: PlanName,
    contract: Digest,
    seals: Vec<RecordId>,
    ending: Ending,
    /// The object whose note gains the record.
    head: Oid,
}

impl Target {
    /// Returns the first line of the commit that holds the record.
    fn subject(&self) -> String {
        let verb = match &self.ending {
            Ending::Done { .. } => "close",
            Ending::Abandoned { .. } => "abandon",
        };
        format!("{verb} {}: contract {}", self.plan, self.contract.short())
    }
}

/// Ends a lineage.
pub(crate) fn close(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    request: &Request,
) -> Result<Outcome, Stop> {
    let identity = audit::identity(world)?;
    let role = match &request.how {
        How::Proven { .. } => Role::Record,
        How::Abandoned { role, .. } => *role,
    };
    super::seal::demand_role(world, recorder, role)?;
    let restored =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    let (judge, target) = match &request.how {
        How::Proven { revision } => proven(world, request.plan.as_ref(), revision)?,
        How::Abandoned { seal, reason, .. } => {
            let asked = (request.plan.as_ref(), seal.as_deref());
            abandoned(world, asked, reason)?
        }
    };
    let mut findings = judge.findings.clone();
    findings.extend(restored);
    findings.extend(own_key::of_recorder(&judge, recorder, role));
    if let Some(end) = target
        .seals
        .iter()
        .find_map(|id| judge.facts.seals.ended(*id))
    {
        return Ok(done(&target, end.record, Became::EndedBefore, findings));
    }
    let body = CloseBody {
        plan: target.plan.clone(),
        contract: target.contract,
        seals: target.seals.clone(),
        ending: target.ending.clone(),
    };
    let entry = Entry {
        target: target.head,
        // A body of ids and texts always has a canonical form.
        records: vec![(Kind::Close, body::write_close(&body).unwrap_or_default())],
        kept: Vec::new(),
        subject: target.subject(),
        seen: seen(&judge.ledger, recorder, identity),
        role,
        time: recorder.clock.now(),
    };
    let ends = (entry, findings);
    Ok(concluded(
        &judge,
        (recorder, identity),
        ends,
        |record, mut findings| {
            let waiting = waiting(&judge, &target, role);
            let became = waiting.as_ref().map_or(Became::Ended, |_| Became::Waiting);
            findings.extend(waiting);
            findings.extend(kept_here(world));
            done(&target, record, became, findings)
        },
    ))
}

/// Says that nobody else knows of the end yet.
fn kept_here(world: &World<'_>) -> Option<Finding> {
    let exchange = world.objects.exchange()?;
    let message = format!("{} does not have this record yet", exchange.remote);
    Some(Finding::new(&ledger_rows::UNSENT, message).hint("git plan-audit sync"))
}

/// Finds what ends with a commit that is proven.
fn proven<'a>(
    world: &World<'a>,
    only: Option<&PlanName>,
    revision: &str,
) -> Result<(Judge<'a>, Target), Stop> {
    let commit = resolved(world, revision)?;
    let judge = Judge::of_commit(world, &commit, None)?;
    let all = in_tree(world.objects, &commit.tree)?;
    let plan = one(all.clone(), only)?;
    let (seal, contract) = stands(&judge.facts, &plan, &all)?;
    let (judged, said) = judge.plans(&all, &Place::of_tree(commit.tree), Some(&plan.name))?;
    let is_fine = judged
        .iter()
        .all(|judged| judged.is_closed || judged.verdict == Verdict::Pass);
    if !is_fine {
        let message = format!(
            "plan {} is not proven for commit {}",
            plan.name,
            commit.id.short()
        );
        let mut refused = said;
        refused.push(
            Finding::new(&rows::NOT_CLOSABLE, message)
                .hint(world.settings.audit_command())
                .of_plan(&plan.name),
        );
        return Err(Stop::Refused(refused));
    }
    let target = Target {
        plan: plan.name,
        contract,
        seals: vec![seal],
        ending: Ending::Done {
            commit: commit.id,
            tree: commit.tree,
        },
        head: commit.id,
    };
    Ok((judge, target))
}

/// Returns the seal that stands for a plan, or refuses.
fn stands(facts: &Facts, plan: &BoundPlan, all: &[BoundPlan]) -> Result<(RecordId, Digest), Stop> {
    let standing = facts.standing(plan, &facts.covered(all));
    match (&standing, &plan.contract) {
        (Standing::Sealed(seal), Some(sealable)) => Ok((*seal, sealable.digest)),
        (_, _) => Err(nothing(&plan.name, standing.as_str())),
    }
}

/// Refuses where no seal is open.
fn nothing(plan: &PlanName, standing: &str) -> Stop {
    let message = format!("plan {plan} has no open seal that stands here: it is {standing}");
    let finding = Finding::new(&rows::NOT_CLOSABLE, message).hint("git plan-audit status");
    Stop::refuse(finding.of_plan(plan))
}

/// Finds what is given up.
fn abandoned<'a>(
    world: &World<'a>,
    (only, seal): (Option<&PlanName>, Option<&str>),
    reason: &str,
) -> Result<(Judge<'a>, Target), Stop> {
    let workspace = audit::workspace(world)?;
    audit::identity(world)?;
    let state = workspace.state()?;
    let judge = Judge::of_workspace(world, state.head.as_ref())?;
    let facts = audit::facts_here(&judge, state.branch.as_deref())?;
    let seals = match seal {
        Some(start) => vec![named(&facts, start)?],
        None => present(&facts, &on_disk(workspace)?, only)?,
    };
    let sealed = seals.first().and_then(|id| facts.seals.get(*id));
    let Some(body) = sealed.map(|seal| &seal.body) else {
        return Err(super::select::nothing());
    };
    let target = Target {
        plan: body.plan.clone(),
        contract: body.contract,
        seals,
        ending: Ending::Abandoned {
            reason: reason.to_owned(),
        },
        head: state.head.unwrap_or_else(|| world.objects.empty_tree()),
    };
    Ok((judge, target))
}

/// Returns the seals that bind a plan on this line of work.
fn present(
    facts: &Facts,
    all: &[BoundPlan],
    only: Option<&PlanName>,
) -> Result<Vec<RecordId>, Stop> {
    let name = match (only, all) {
        (Some(name), _) => name.clone(),
        // A plan whose file is gone can be given up too.
        (None, []) => {
            let mut removed = facts.removed(all, &facts.covered(all)).into_iter();
            let only = removed.next().filter(|_| removed.next().is_none());
            only.ok_or_else(super::select::nothing)?.0
        }
        (None, _) => one(all.to_vec(), None)?.name,
    };
    let mut seals = facts.heads(&name, &facts.covered(&[]));
    if let Some(plan) = all.iter().find(|plan| plan.name == name)
        && let Standing::Sealed(seal) = facts.standing(plan, &facts.covered(all))
    {
        seals.insert(seal);
    }
    let seals: Vec<RecordId> = facts.seals.newest(&seals).into_iter().collect();
    if seals.is_empty() {
        return Err(nothing(&name, "not sealed"));
    }
    Ok(seals)
}

/// Returns the one seal whose id begins so.
fn named(facts: &Facts, start: &str) -> Result<RecordId, Stop> {
    let found = facts.seals.begin_with(start);
    match found.as_slice() {
        [id] => Ok(*id),
        many => {
            let shown = crate::model::text::shown(start);
            let message = format!("{} seals have an id that begins with {shown}", many.len());
            let finding = Finding::new(&rows::NOT_CLOSABLE, message);
            Err(Stop::refuse(finding.hint("git plan-audit log")))
        }
    }
}

/// Says that a plan binds on until somebody approves that it is given up; none where it does not.
fn waiting(judge: &Judge<'_>, target: &Target, role: Role) -> Option<Finding> {
    let is_given_up = matches!(target.ending, Ending::Abandoned { .. });
    let needs_approval = judge.trusting.trust.signers.has_approver() && role == Role::Record;
    let plan = &target.plan;
    let message =
        format!("plan {plan} binds on: giving it up counts once somebody who may approve does");
    let finding = Finding::new(&rows::CLOSE_UNAPPROVED, message).hint(given_up_by(plan));
    (is_given_up && needs_approval).then(|| finding.of_plan(plan))
}

/// Tells what has ended.
fn done(target: &Target, record: RecordId, became: Became, findings: Vec<Finding>) -> Outcome {
    let closed = Closed {
        plan: target.plan.clone(),
        contract: target.contract,
        record,
        seals: target.seals.clone(),
        is_abandoned: matches!(target.ending, Ending::Abandoned { .. }),
        became,
    };
    Outcome::new(Word::Ok, findings, Details::Close(Box::new(closed)))
}
