//! `seal`: records that a contract was approved. Nothing unsealed is ever executed.

use super::append::{Entry, concluded, restore, seen};
use super::audit::{self, ready::reopens};
use super::bound::{BoundPlan, Sealable, on_disk};
use super::judge::{Judge, approved_by};
use super::own_key;
use super::preflight::{self, sealing as claims};
use super::select::one;
use super::standing::{Facts, Standing};
use super::stop::Stop;
use super::trusting::{self, Trusting};
use super::validate::demand_valid;
use super::world::{Recorder, World};
use crate::model::finding::{Finding, lineage as rows};
use crate::model::ids::{PlanName, RecordId, Writer};
use crate::model::outcome::{Details, Outcome, Sealed, Word};
use crate::model::record::{Kind, Role, SealBody, SealedPins};
use crate::model::state::State;
use crate::wire::body;

pub(crate) mod before;
mod demands;
mod pinned;

use before::Before;
pub(crate) use demands::notes;

/// What is asked of `seal`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Request {
    /// The plan; none for the only one, else `default`.
    pub(crate) plan: Option<PlanName>,
    /// The plan whose lineage goes on under this name.
    pub(crate) from: Option<PlanName>,
    /// A new generation, where one is asked for.
    pub(crate) renewal: Option<Renewal>,
}

/// A new generation that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Renewal {
    /// Why.
    pub(crate) reason: String,
    /// The role in which it is signed.
    pub(crate) role: Role,
}

/// Records with their kinds, and the blobs that they name.
type Drafted = (Vec<(Kind, String)>, Vec<Vec<u8>>);

/// One seal that is being made.
struct Sealing<'a> {
    request: &'a Request,
    judge: &'a Judge<'a>,
    facts: Facts,
    state: &'a State,
    /// Every plan on disk.
    all: &'a [BoundPlan],
    plan: &'a BoundPlan,
    sealable: &'a Sealable,
}

/// Seals a plan.
pub(crate) fn seal(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    request: &Request,
) -> Result<Outcome, Stop> {
    let workspace = audit::workspace(world)?;
    let identity = audit::identity(world)?;
    let role = request.renewal.as_ref().map(|renewal| renewal.role);
    let role = role.unwrap_or(Role::Record);
    demand_role(world, recorder, role)?;
    let all = on_disk(workspace)?;
    let plan = one(all.clone(), request.plan.as_ref())?;
    demand_valid(std::slice::from_ref(&plan))?;
    let Some(sealable) = &plan.contract else {
        return Err(super::select::nothing());
    };
    demands::demand_sealable(workspace, &plan)?;
    let restored =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    let state = workspace.state()?;
    audit::demand_merged(&state)?;
    let judge = Judge::of_workspace(world, state.head.as_ref())?;
    let sealing = Sealing {
        request,
        facts: audit::facts_here(&judge, state.branch.as_deref())?,
        judge: &judge,
        state: &state,
        all: &all,
        plan: &plan,
        sealable,
    };
    let mut findings = plan.findings.clone();
    findings.extend(judge.findings.iter().cloned());
    findings.extend(restored);
    findings.extend(own_key::of_recorder(&judge, recorder, role));
    findings.extend(demands::idle(&plan.name, &sealable.contract, &state));
    if let Some(record) = sealing.sealed_already() {
        pinned::demand_untouched(&sealing, record)?;
        return Ok(sealing.outcome(record, findings, None));
    }
    let before = Before::find(&sealing)?;
    before.demand_allowed(&sealing)?;
    let (records, kept) = sealing.records(recorder, &before, role)?;
    let entry = Entry {
        target: state.head.unwrap_or_else(|| world.objects.empty_tree()),
        records,
        kept,
        subject: format!("seal {}: contract {}", plan.name, sealable.digest.short()),
        seen: seen(&judge.ledger, recorder, identity),
        role,
        time: recorder.clock.now(),
    };
    let ends = (entry, findings);
    Ok(concluded(
        &judge,
        (recorder, identity),
        ends,
        |record, findings| sealing.outcome(record, findings, Some(&before)),
    ))
}

impl Sealing<'_> {
    /// Drafts the seal, after the record of what is claimed anew, and the blobs that they name.
    ///
    /// What is approved vouches for nothing that is only recorded.
    fn records(
        &self,
        recorder: &Recorder<'_>,
        before: &Before,
        role: Role,
    ) -> Result<Drafted, Stop> {
        let world = &self.judge.world;
        let head = self.state.head.as_ref();
        let tested = claims::demand(self.judge, (self.plan, &before.contracts), head)?;
        let tested = tested.filter(|_| role == Role::Record);
        let claims = tested.and_then(|(commit, tested)| {
            preflight::drafted((world, recorder), &commit, self.plan, &tested)
        });
        let (claims, evidence) = claims.unzip();
        let pins = pinned::frozen(self, before)?;
        let (pins, beside) = pins.map(|pins| pinned::placed(world, &pins)).unzip();
        let claims = claims.map(|body| (Kind::Claims, body));
        let seal = (Kind::Seal, self.body(before, pins));
        let kept = std::iter::once(self.sealable.bytes.clone())
            .chain(beside.flatten())
            .chain(evidence.into_iter().flatten());
        Ok((claims.into_iter().chain([seal]).collect(), kept.collect()))
    }

    /// Returns the seal that stands, when there is nothing to do.
    fn sealed_already(&self) -> Option<RecordId> {
        let covered = self.facts.covered(self.all);
        let stands = self.facts.standing(self.plan, &covered).seal()?;
        let seals = &self.facts.seals;
        let is_left = || {
            // Another lineage may be left to continue although the contract has a seal.
            let own = seals.lineage(stands);
            let heads = before::heads(self);
            self.request.from.is_some() && heads.iter().any(|head| !own.contains(head))
        };
        let is_asked_for_more = self.request.renewal.is_some() || is_left();
        (!is_asked_for_more && seals.concurrent(stands).is_none()).then_some(stands)
    }

    /// Makes the body of the seal.
    fn body(&self, before: &Before, pins: Option<SealedPins>) -> String {
        let bytes = &self.sealable.bytes;
        let kept = body::kept(self.judge.world.notes.blob_id(bytes), bytes);
        let body = SealBody {
            plan: self.plan.name.clone(),
            contract: self.sealable.digest,
            kept,
            continues: before.heads.clone(),
            generation: self.generation(before),
            branch: self.state.branch.clone(),
            profile: self.judge.trusting.profile.clone(),
            pins,
            reason: self.renewal(before).map(|renewal| renewal.reason.clone()),
        };
        // A body of strings and small numbers always has a canonical form.
        body::write_seal(&body).unwrap_or_default()
    }

    /// Returns the new generation that is begun. The first seal of a lineage is none, whatever is
    /// asked for.
    fn renewal(&self, before: &Before) -> Option<&Renewal> {
        let renewal = self.request.renewal.as_ref();
        renewal.filter(|_| !before.heads.is_empty())
    }

    /// Returns the number of the seal in its lineage.
    fn generation(&self, before: &Before) -> u32 {
        let is_new = before.heads.is_empty() || self.renewal(before).is_some();
        before.generation.saturating_add(u32::from(is_new))
    }

    /// Says whether nothing can be audited before somebody approves: a new generation was sealed, now or
    /// before, in the usual role, and somebody is listed who may approve.
    fn waits(&self, record: RecordId, before: Option<&Before>) -> bool {
        let waits = |seal: &RecordId| {
            let said = self.judge.lineage_findings(&self.plan.name, *seal);
            said.iter()
                .any(|found| found.row == &rows::GENERATION_REFUSED)
        };
        let Some(before) = before else {
            return waits(&record);
        };
        match self.renewal(before).map(|renewal| renewal.role) {
            Some(Role::Approve) => false,
            Some(Role::Record) => self.judge.trusting.trust.signers.has_approver(),
            None => before.heads.iter().any(waits),
        }
    }

    /// Names the next command: an audit runs nothing before every plan is sealed, and brings no plan
    /// back that has come to its end.
    fn next(&self, record: RecordId, before: Option<&Before>) -> String {
        if self.waits(record, before) {
            return approved_by(&self.plan.name);
        }
        if self.facts.seals.ended(record).is_some() {
            return format!("nothing: it is closed; {}", reopens(&self.plan.name));
        }
        let covered = self.facts.covered(self.all);
        let is_draft = |plan: &&BoundPlan| {
            plan.name != self.plan.name && self.facts.standing(plan, &covered) == Standing::Draft
        };
        match self.all.iter().find(is_draft) {
            Some(draft) => format!("git plan-audit seal --plan {}", draft.name),
            None => self.judge.world.settings.audit_command(),
        }
    }

    /// Tells what was sealed; without `before` it was sealed already.
    fn outcome(
        &self,
        record: RecordId,
        findings: Vec<Finding>,
        before: Option<&Before>,
    ) -> Outcome {
        let known = self
            .facts
            .seals
            .get(record)
            .map(|seal| seal.body.generation);
        let generation =
            known.unwrap_or_else(|| before.map_or(1, |before| self.generation(before)));
        let sealed = Sealed {
            plan: self.plan.name.clone(),
            contract: self.sealable.digest,
            record,
            already: before.is_none(),
            generation,
            continues: before
                .map(|before| before.heads.clone())
                .unwrap_or_default(),
            changes: before
                .map(|before| before.changes.clone())
                .unwrap_or_default(),
            next: self.next(record, before),
        };
        Outcome::new(Word::Ok, findings, Details::Seal(Box::new(sealed)))
    }
}

/// Refuses to approve with a key that cannot: it has no namespaces, or it is not listed for that. What
/// it approved would count for nothing, and nobody would be told before the next judgement.
pub(super) fn demand_role(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    role: Role,
) -> Result<(), Stop> {
    match role {
        Role::Record => Ok(()),
        Role::Approve => demand_approver(&trusting::resolve(world, None)?, recorder),
    }
}

/// Refuses to approve with a key that may not by this trust.
pub(super) fn demand_approver(trusting: &Trusting, recorder: &Recorder<'_>) -> Result<(), Stop> {
    let writer = recorder.signer.writer();
    match &writer {
        Writer::Hmac(_) => {
            let message = "an HMAC key says who, not for what: it cannot approve";
            let finding = Finding::new(&rows::CANNOT_APPROVE, message);
            return Err(Stop::refuse(finding.hint(
                "git plan-audit init --no-hooks --key PATH takes an SSH key",
            )));
        }
        Writer::Ssh(_) => {}
    }
    let signers = &trusting.trust.signers;
    if signers.approves(&writer, recorder.clock.now()) {
        return Ok(());
    }
    let source = trusting.sentence();
    let (message, hint) = if signers.has_approver() {
        (
            format!("this clone's key {writer} may not approve: evidence counts from {source}"),
            "leave --approve out, git plan-audit sync, and let somebody who is listed for \
             git-plan-audit-approve there do the same with --approve",
        )
    } else {
        (
            format!("this clone's key {writer} does not count: evidence counts from {source}"),
            "let somebody who is trusted list it in .plan-auditor/allowed_signers there, or take the \
             key that is: git plan-audit init --no-hooks --key PATH",
        )
    };
    Err(Stop::refuse(
        Finding::new(&rows::CANNOT_APPROVE, message).hint(hint),
    ))
}
