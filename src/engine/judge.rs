//! Judging a commit from recorded evidence alone: nothing runs, nothing is written.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use super::bound::{BoundPlan, in_tree};
use super::earlier::{self, add_own_branch, earlier};
use super::lineage::Seals;
use super::place::Place;
use super::ports::{Commit, Objects};
use super::standing::{Covered, Facts, Standing};
use super::stop::Stop;
use super::trusting::{self, Line, Replaced, Trusting};
use super::usable::Demands;
use super::world::World;
use crate::ledger::judged::Ledger;
use crate::model::finding::{
    Effect, Finding, bounds as bounds_rows, judging as rows, ledger as ledger_rows,
};
use crate::model::ids::{Digest, InstanceId, Oid, PlanName, RecordId};
use crate::model::outcome::{Evidence, JudgedCommit, JudgedPlan};
use crate::model::record::Record;
use crate::model::revision::{self, Several};
use crate::model::state::TrustFiles;
use crate::model::verdict::Verdict;

mod absent;
mod anchors;
mod audits;
pub(super) mod bounds;
mod endings;
pub(super) mod fork;
mod held;
mod lost;
mod overall;
pub(crate) mod range;
pub(super) mod reviews;
mod scope;
mod since;
mod standings;

pub(crate) use audits::steps;
pub(super) use endings::given_up_by;
use fork::Fork;
use lost::rolled_back;
pub(super) use lost::{forked_decisions, removed};
use since::Since;
pub(super) use standings::{approved_by, finding as standing_finding};

/// Finds the commit that a revision names, or refuses.
pub(crate) fn resolved(world: &World<'_>, revision: &str) -> Result<Commit, Stop> {
    let found = asked(world.objects, revision)?;
    found.ok_or_else(|| {
        let shown = crate::model::text::shown(revision);
        if revision == "HEAD" && matches!(world.objects.branch(), Ok(Some(_))) {
            let message = "HEAD names no commit here: nothing was committed on this branch yet";
            let finding = Finding::new(&rows::NO_REVISION, message);
            return Stop::refuse(finding.hint("git commit"));
        }
        let message = format!("{shown} names no commit here");
        Stop::refuse(Finding::new(&rows::NO_REVISION, message).hint("git log --oneline --all"))
    })
}

/// Resolves a revision, or refuses one that is not certain; none where it names no commit here.
pub(super) fn asked(objects: &dyn Objects, revision: &str) -> Result<Option<Commit>, Stop> {
    demand_proven(revision)?;
    objects.resolve(revision).map_err(|cause| {
        let first: &(dyn std::error::Error + 'static) = &*cause;
        let chain = std::iter::successors(Some(first), |error| error.source());
        let mut several = chain.filter_map(|error| error.downcast_ref::<Several>());
        match several.next() {
            Some(several) => Stop::refuse(ambiguous(several)),
            None => Stop::broken("resolve a revision")(cause),
        }
    })
}

/// Says that a name is that of several commits.
fn ambiguous(several: &Several) -> Finding {
    let message = crate::model::text::shown(&several.to_string());
    let full = several.candidates.last().map_or("", String::as_str);
    let full = crate::model::text::quoted(full);
    Finding::new(&rows::NO_REVISION, message)
        .hint(format!("write in full which one is meant, such as {full}"))
}

/// Refuses a revision whose answer is nowhere proven.
fn demand_proven(asked: &str) -> Result<(), Stop> {
    let Some(what) = revision::unproven(asked) else {
        return Ok(());
    };
    let shown = crate::model::text::shown(asked);
    let message = format!("{shown} asks {what}, which anybody can write to");
    let hint = format!("git rev-parse '{shown}', and name the commit by its id");
    Err(Stop::refuse(
        Finding::new(&rows::NO_REVISION, message).hint(hint),
    ))
}

pub(super) use standings::two_in_one;

/// Everything that the judgement of one place rests on.
pub(crate) struct Judge<'a> {
    /// The ports.
    pub(super) world: World<'a>,
    /// The commit that is judged; none for a workspace.
    judged: Option<Oid>,
    /// Whose evidence counts.
    pub(crate) trusting: Trusting,
    /// The commit that is judged, or on which the workspace stands.
    tip: Option<Oid>,
    /// Where the line of work left the trust point.
    pub(super) fork: Fork,
    /// What came since the fork point, once a plan asks for it.
    since_fork: OnceCell<Option<Since>>,
    /// Whether an update is judged.
    is_update: bool,
    /// What an update brings, where one is judged and all of it is here.
    update: Option<Since>,
    /// The evidence.
    pub(crate) ledger: Ledger,
    /// What is known of seals and earlier contracts.
    pub(crate) facts: Facts,
    /// What is to be said of the whole.
    pub(crate) findings: Vec<Finding>,
}

impl<'a> Judge<'a> {
    /// Gathers what the judgement of a commit rests on. Of an update, what its old value and the
    /// commits since then held binds too.
    pub(crate) fn of_commit(
        world: &World<'a>,
        commit: &Commit,
        old: Option<&Oid>,
    ) -> Result<Self, Stop> {
        let mut judge = Self::gather(world, Some(&commit.id), Some(&commit.id), old)?;
        if let Some(branch) = branch_of(world, commit)? {
            let instances = judge.own_instances();
            let earlier = &mut judge.facts.earlier;
            add_own_branch(&judge.ledger, &instances, &branch, earlier);
        }
        Ok(judge)
    }

    /// Gathers what the judgement of a workspace with this HEAD rests on.
    pub(crate) fn of_workspace(world: &World<'a>, head: Option<&Oid>) -> Result<Self, Stop> {
        let mut judge = Self::gather(world, None, head, None)?;
        // Earlier contracts of what is being merged are added where they are asked for.
        if !world.settings.merging.is_empty() {
            judge.fork = Fork::of_merge(world, &judge.trusting, head)?;
            judge.since_fork = OnceCell::new();
        }
        Ok(judge)
    }

    /// Gathers trust, evidence and earlier contracts.
    fn gather(
        world: &World<'a>,
        judged: Option<&Oid>,
        tip: Option<&Oid>,
        old: Option<&Oid>,
    ) -> Result<Self, Stop> {
        let trusting = trusting::resolve(world, judged)?;
        let reading = world.reading()?;
        let rolled_back = rolled_back(world, &reading);
        let ledger = Ledger::judge(&reading, &trusting.trust);
        let mut findings = trusting.findings.clone();
        findings.extend(ledger.findings.iter().cloned());
        findings.extend(rolled_back);
        findings.extend(anchors::missing(world, &trusting, &reading)?);
        findings.extend(super::ledgers::unpinned(&trusting, &ledger));
        findings.extend(super::ledgers::astray(world, &trusting, &ledger));
        findings.extend(super::ledgers::unmerged(world, &trusting, &reading));
        if ledger.tip.is_none() && world.objects.has_remote() {
            findings.push(not_fetched());
        }
        let fork = Fork::find(world, &trusting, tip)?;
        let mut earlier = earlier(world.objects, tip, fork.commit())?;
        if old.is_some() && old != fork.commit() {
            earlier.extend(earlier::earlier(world.objects, tip, old)?);
        }
        let update = match old {
            Some(old) => Since::of(world, tip, old)?,
            None => None,
        };
        if matches!(fork, Fork::CutOff) || !earlier.complete {
            findings.push(history_missing());
        }
        let at_base = contracts_at(world, trusting.tree.as_ref())?;
        let facts = Facts {
            seals: Seals::of(&ledger, world.notes)?,
            earlier: earlier.contracts,
            at_base,
        };
        findings.extend(standings::contracts_missing(&facts.seals));
        let mut judge = Self {
            world: *world,
            judged: judged.copied(),
            trusting,
            tip: tip.copied(),
            fork,
            since_fork: OnceCell::new(),
            is_update: old.is_some(),
            update,
            ledger,
            facts,
            findings,
        };
        endings::apply(&mut judge)?;
        Ok(judge)
    }

    /// Judges a commit.
    pub(crate) fn commit(
        &self,
        commit: &Commit,
        only: Option<&PlanName>,
    ) -> Result<(JudgedCommit, Vec<Finding>), Stop> {
        let plans = in_tree(self.world.objects, &commit.tree)?;
        let trust = trusting::trust_files(self.world.objects, &commit.tree)?;
        let mut findings = self.whole(&commit.tree, &trust)?;
        let place = Place::of_tree(commit.tree);
        let (judged, own) = self.plans(&plans, &place, only)?;
        demand_known(only, &plans, &judged)?;
        let binds = judged.iter().any(|plan| plan.verdict != Verdict::NoPlan);
        if binds && self.trusting.trust.signers.is_empty() {
            findings.push(self.no_trust_root());
        }
        findings.extend(own);
        let verdict = self.overall(&judged, &findings);
        if verdict == Verdict::NoPlan {
            findings.push(self.no_plan(&plans, &judged));
        }
        let judged = JudgedCommit {
            commit: commit.id,
            tree: commit.tree,
            subject: commit.subject.clone(),
            verdict,
            plans: judged,
            trust: self.trusting.sentence(),
            trust_point: self.trusting.point.as_ref().map(|point| point.commit),
        };
        Ok((judged, findings))
    }

    /// Returns what is to be said of a commit of a tree beside its plans; the tree need not be there.
    pub(crate) fn whole(&self, tree: &Oid, trust: &TrustFiles) -> Result<Vec<Finding>, Stop> {
        let mut findings = self.findings.clone();
        let line = Line {
            tip: self.tip.as_ref(),
            old: match &self.update {
                Some(since) => Replaced::Tree(since.place.tree()),
                None if self.is_update => Replaced::Unknown,
                None => Replaced::Nothing,
            },
        };
        let changed = self.trusting.changed(self.world.objects, trust, line)?;
        findings.extend(self.decided_on_trust(changed, trust)?);
        let all = self.ledger.removed.iter();
        findings.extend(all.map(|record| removed(record, Some(tree))));
        findings.extend(forked_decisions(&self.ledger));
        Ok(findings)
    }

    /// Judges the plans of a place, and those that are gone from it.
    pub(crate) fn plans(
        &self,
        plans: &[BoundPlan],
        place: &Place,
        only: Option<&PlanName>,
    ) -> Result<(Vec<JudgedPlan>, Vec<Finding>), Stop> {
        let is_asked = |name: &PlanName| only.is_none_or(|only| only == name);
        let covered = self.facts.covered(plans);
        let mut judged = Vec::new();
        let mut findings = Vec::new();
        for plan in plans.iter().filter(|plan| is_asked(&plan.name)) {
            let (one, own) = self.plan(plan, &covered, place)?;
            judged.push(one);
            findings.extend(own);
        }
        for name in self.facts.earlier.keys().filter(|name| is_asked(name)) {
            let ended = self.facts.ended(name, &covered).into_iter();
            findings.extend(ended.filter_map(|seal| self.ended_finding(name, seal)));
        }
        for (name, standing) in self.facts.removed(plans, &covered) {
            if is_asked(&name) {
                findings.extend(standings::finding(&name, &standing));
                judged.push(unproven(&name, None, Verdict::Fail));
            }
        }
        let may_lack = self.may_lack_evidence();
        let may_be_bound = |name: &PlanName| may_lack || lost::has_seal_of(&self.ledger, name);
        for name in self.facts.gone(plans).filter(|name| is_asked(name)) {
            if may_be_bound(name) {
                findings.push(unseen(name));
                judged.push(unproven(name, None, Verdict::Unknown));
            }
        }
        Ok((judged, findings))
    }

    /// Judges one plan file.
    fn plan(
        &self,
        plan: &BoundPlan,
        covered: &Covered,
        place: &Place,
    ) -> Result<(JudgedPlan, Vec<Finding>), Stop> {
        let standing = self.facts.standing(plan, covered);
        let contract = plan.contract.as_ref().map(|sealable| sealable.digest);
        let mut findings: Vec<Finding> = plan.findings.clone();
        let is_draft = matches!(standing, Standing::Draft | Standing::DraftAtBase);
        if is_draft && self.may_lack_evidence() {
            findings.push(unseen(&plan.name));
        } else {
            let found = standings::finding(&plan.name, &standing);
            findings.extend(found.map(|finding| self.with_unlisted(finding)));
        }
        if standing == Standing::DraftAtBase {
            findings.extend(contract.and_then(|contract| self.was_sealed(&plan.name, &contract)));
        }
        let verdict = match &standing {
            Standing::Sealed(seal) => return self.sealed(plan, place, *seal),
            Standing::Draft | Standing::Edited(_) => self.without_evidence(),
            Standing::DraftAtBase if self.may_lack_evidence() => Verdict::Unknown,
            Standing::DraftAtBase => Verdict::NoPlan,
            Standing::Invalid
            | Standing::Broken(_)
            | Standing::RolledBack(_)
            | Standing::Unfounded(_)
            | Standing::Removed(_) => Verdict::Fail,
        };
        Ok((unproven(&plan.name, contract, verdict), findings))
    }

    /// Says that somebody sealed a plan who does not count here, or no more: whoever takes a key out of
    /// the list takes away what it bound.
    fn was_sealed(&self, plan: &PlanName, contract: &Digest) -> Option<Finding> {
        let seal = self.ledger.strange_seal(plan, contract)?;
        let message = format!(
            "plan {plan} is sealed by {}, which does not count here: it binds nobody",
            seal.header.writer
        );
        let hint =
            format!("if it is to bind, by somebody who counts: git plan-audit seal --plan {plan}");
        Some(
            Finding::new(&rows::DRAFT_WAS_SEALED, message)
                .of_plan(plan)
                .hint(hint),
        )
    }

    /// Judges a sealed plan by its audits, unless its lineage has ended.
    fn sealed(
        &self,
        plan: &BoundPlan,
        place: &Place,
        seal: RecordId,
    ) -> Result<(JudgedPlan, Vec<Finding>), Stop> {
        let mut findings = self.lineage_findings(&plan.name, seal);
        let fails = |finding: &Finding| finding.row.effect == Effect::Fail;
        let is_unfounded = findings.iter().any(fails);
        findings.extend(plan.findings.iter().cloned());
        let mut judged = JudgedPlan {
            seal: self.ledger.get(seal).map(|record| self.evidence(record)),
            ..unproven(
                &plan.name,
                plan.contract.as_ref().map(|sealable| sealable.digest),
                Verdict::NoPlan,
            )
        };
        if self.is_spent(plan, seal)? {
            findings.extend(self.closed_finding(&plan.name, seal));
            judged.is_closed = true;
            return Ok((judged, findings));
        }
        if !is_unfounded && self.is_untouched(plan, seal, place)? {
            findings.push(untouched(&plan.name));
            judged.is_untouched = true;
            return Ok((judged, findings));
        }
        let found = audits::counted(self, plan, place.tree())?;
        let bounds = self.bounds((plan, seal), place)?;
        let is_kept = bounds::weighed(Verdict::Pass, &bounds) == Verdict::Pass;
        let own = found.findings.into_iter();
        let proven = found
            .verdict
            .filter(|verdict| is_kept || *verdict != Verdict::Pass);
        match (proven, self.closed_finding(&plan.name, seal)) {
            (None, Some(closed)) => {
                findings.push(closed);
                judged.is_closed = true;
                return Ok((judged, findings));
            }
            (_, closed) => {
                judged.verdict = found.verdict.unwrap_or_else(|| self.without_evidence());
                findings.extend(closed);
            }
        }
        judged.verdict = bounds::weighed(judged.verdict, &bounds);
        findings.extend(bounds);
        findings.extend(own.map(|each| each.of_plan(&plan.name)));
        if is_unfounded {
            judged.verdict = Verdict::Fail;
        }
        if let Some(sealable) = plan.contract.as_ref().filter(|_| self.judged.is_some()) {
            let subject = (&plan.name, &sealable.digest, place.tree());
            let (verdict, decided) = self.reviewed(subject, judged.verdict);
            judged.verdict = verdict;
            findings.extend(decided);
        }
        judged.audits = found.audits;
        judged.near = found.near;
        Ok((judged, findings))
    }

    /// Returns what lacking evidence means: FAIL, but UNKNOWN where some may be missing.
    pub(super) fn without_evidence(&self) -> Verdict {
        if self.may_lack_evidence() {
            Verdict::Unknown
        } else {
            Verdict::Fail
        }
    }

    /// Says whether evidence may exist that is not to be seen here.
    fn may_lack_evidence(&self) -> bool {
        let is_unknown = |finding: &Finding| finding.row.effect == Effect::Unknown;
        self.findings.iter().any(is_unknown) || self.trusting.trust.signers.is_empty()
    }

    /// Names a record that a judgement rests on.
    pub(super) fn evidence(&self, record: &Record) -> Evidence {
        let signers = &self.trusting.trust.signers;
        Evidence {
            record: record.id,
            writer: record.header.writer.clone(),
            principals: signers.principals(&record.header.writer).map(str::to_owned),
            time: record.header.time,
            audit: None,
        }
    }

    /// Writes the command that audits what is judged; only HEAD may lie in the work tree.
    pub(super) fn audit_command(&self) -> String {
        let head = self.world.objects.resolve("HEAD").ok().flatten();
        let is_head = head.map(|commit| commit.id) == self.judged;
        match &self.judged {
            Some(id) if !is_head || self.world.workspace.is_none() => {
                format!("git plan-audit audit --commit {id}")
            }
            Some(_) | None => self.world.settings.audit_command(),
        }
    }

    /// Returns the instances under which this clone has recorded: those that it remembers, that of
    /// its file, and those whose last records it knows.
    pub(crate) fn own_instances(&self) -> BTreeSet<InstanceId> {
        let settings = self.world.settings;
        let anchored = settings.anchored.iter();
        let anchored = anchored.filter_map(|id| self.ledger.get(*id));
        let own = self.world.identity.map(|identity| identity.instance);
        let remembered = settings.own_instances.iter().copied().chain(own);
        let written = anchored.map(|record| record.header.instance);
        remembered.chain(written).collect()
    }

    /// Returns what is asked of audits from outside the repository: failures count by these alone,
    /// for what the repository asks for may only make a judgement stricter.
    pub(crate) fn demands_from_outside(&self) -> Demands {
        let outside = &self.world.settings.outside;
        Demands {
            allowed: self.trusting.allowed.clone(),
            places: outside.places.clone(),
            platforms: outside.platforms.clone(),
        }
    }

    /// Returns what is asked of audits here.
    pub(crate) fn demands(&self) -> Demands {
        Demands {
            allowed: self.trusting.allowed.clone(),
            places: self.world.settings.places.clone(),
            platforms: self.world.settings.platforms.clone(),
        }
    }
}

/// Returns the branch that is checked out, where a commit is its tip.
fn branch_of(world: &World<'_>, commit: &Commit) -> Result<Option<String>, Stop> {
    let head = world.objects.resolve("HEAD");
    let head = head.map_err(Stop::broken("resolve HEAD"))?;
    if head.is_none_or(|head| head.id != commit.id) {
        return Ok(None);
    }
    let branch = world.objects.branch();
    branch.map_err(Stop::broken("read HEAD"))
}

/// Refuses the name of a plan that is neither here nor was removed.
fn demand_known(
    only: Option<&PlanName>,
    plans: &[BoundPlan],
    judged: &[JudgedPlan],
) -> Result<(), Stop> {
    match only {
        Some(name) if judged.is_empty() => Err(super::select::unknown(name, plans)),
        Some(_) | None => Ok(()),
    }
}

/// Says that no seal of a plan is to be seen where evidence may be missing.
fn unseen(name: &PlanName) -> Finding {
    let message = format!("no seal of plan {name} is to be seen, and evidence may be missing here");
    Finding::new(&rows::UNSEEN, message).of_plan(name)
}

/// Says that an update is no work of a plan.
fn untouched(name: &PlanName) -> Finding {
    let message = format!("plan {name} is untouched: the update is no work of it");
    Finding::new(&bounds_rows::UNTOUCHED, message).of_plan(name)
}

/// Makes a plan that nothing proves.
fn unproven(name: &PlanName, contract: Option<Digest>, verdict: Verdict) -> JudgedPlan {
    JudgedPlan {
        name: name.clone(),
        contract,
        verdict,
        seal: None,
        audits: Vec::new(),
        near: None,
        is_closed: false,
        is_untouched: false,
    }
}

/// Reads the contracts that the trust point holds.
fn contracts_at(world: &World<'_>, tree: Option<&Oid>) -> Result<BTreeMap<PlanName, Digest>, Stop> {
    let Some(tree) = tree else {
        return Ok(BTreeMap::new());
    };
    let plans = in_tree(world.objects, tree)?.into_iter();
    Ok(plans
        .filter_map(|plan| Some((plan.name, plan.contract?.digest)))
        .collect())
}

/// Says that the ledger was not fetched.
fn not_fetched() -> Finding {
    let message = "there is no ledger here, and a remote is configured: evidence may exist there";
    Finding::new(&ledger_rows::NOT_FETCHED, message)
        .hint("git plan-audit sync --fetch-only; where the remote has none: git plan-audit init")
}

/// Says that history is cut off.
fn history_missing() -> Finding {
    let message =
        "commits back to the fork point are not all here, so earlier contracts are unknown";
    Finding::new(&rows::HISTORY, message).hint("git fetch --unshallow")
}
