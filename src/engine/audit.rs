//! `audit`: runs every check of every bound plan afresh, judges, and records.

use std::num::NonZeroUsize;

use super::append::restore;
use super::bound::{BoundPlan, Sealable};
use super::earlier::{add_own_branch, earlier};
use super::events::{Event, Listener};
use super::judge::Judge;
use super::ledgers::MOVES;
use super::own_key;
use super::place::Place;
use super::ports::{
    Checkout, Checkouts, Identity, Lack, LockError, Meeting, Runner, StateError, Watched, Workspace,
};
use super::standing::Facts;
use super::stop::{Stop, causes};
use super::trusting::pinned;
use super::usable::listed;
use super::world::{Recorder, World};
use crate::model::finding::{Finding, judging as rows, state as state_rows};
use crate::model::ids::{LedgerId, Oid, PlanName, RecordId};
use crate::model::outcome::{AuditedStep, Outcome};
use crate::model::record::{AuditPlace, Role};
use crate::model::state::{Flag, State, TrustFiles};
use ready::ready;
use watch::{Touch, Watch};

mod beside;
pub(super) mod checkout;
pub(in crate::engine) mod conclude;
mod programs;
pub(in crate::engine) mod ready;
pub(super) mod record;
mod remedy;
mod watch;
pub(super) mod withheld;
mod worktree;

/// What is audited.
#[derive(Clone, Copy)]
pub(crate) enum Subject<'a> {
    /// What is on disk in the work tree.
    Worktree,
    /// What is staged, in a private checkout; the work tree has to hold the same.
    Staged(&'a dyn Checkouts),
    /// What is staged, in a private checkout, whatever lies on disk.
    Index(&'a dyn Checkouts),
    /// The commit that a revision names, in a private checkout.
    Commit(&'a dyn Checkouts, &'a str),
}

/// What is asked for.
#[derive(Clone, Copy)]
pub(crate) struct Request<'a> {
    /// What is audited.
    pub(crate) subject: Subject<'a>,
    /// The plan; none for all that bind.
    pub(crate) only: Option<&'a PlanName>,
    /// How many steps of a plan may run at a time.
    pub(crate) jobs: NonZeroUsize,
}

/// An audit to be done.
#[derive(Clone, Copy)]
struct Task<'a> {
    world: &'a World<'a>,
    recorder: &'a Recorder<'a>,
    identity: &'a Identity,
    only: Option<&'a PlanName>,
    jobs: NonZeroUsize,
    restored: &'a [Finding],
    listener: Listener<'a>,
}

/// A plan that is going to be audited, or whose steps are going to be run.
pub(super) struct Ready {
    /// The plan.
    pub(super) plan: BoundPlan,
    /// Its sealed contract.
    pub(super) sealable: Sealable,
    /// The seal that stands for it.
    pub(super) seal: RecordId,
}

/// Audits the plan that is named, or all that bind.
pub(crate) fn audit(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    request: Request<'_>,
    listener: Listener<'_>,
) -> Result<Outcome, Stop> {
    let identity = identity(world)?;
    let _lock = recorder
        .local
        .lock_audit()
        .map_err(|error| locked(&error))?;
    let restored =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    let task = Task {
        world,
        recorder,
        identity,
        only: request.only,
        jobs: request.jobs,
        restored: &restored,
        listener,
    };
    match request.subject {
        Subject::Worktree => worktree::audit(&task),
        Subject::Staged(checkouts) => checkout::staged(&task, checkouts),
        Subject::Index(checkouts) => checkout::index(&task, checkouts),
        Subject::Commit(checkouts, revision) => checkout::commit(&task, checkouts, revision),
    }
}

/// Where the checks run.
#[derive(Clone, Copy)]
enum Ground<'a> {
    /// In the work tree.
    Worktree(&'a dyn Workspace, &'a dyn Runner, &'a dyn Watched),
    /// In a private checkout.
    Checkout(&'a dyn Checkout),
}

impl<'a> Ground<'a> {
    /// Names the place.
    const fn place(self) -> AuditPlace {
        match self {
            Self::Worktree(..) => AuditPlace::Worktree,
            Self::Checkout(_) => AuditPlace::Checkout,
        }
    }

    /// Returns what runs checks there.
    fn runner(self) -> &'a dyn Runner {
        match self {
            Self::Worktree(_, runner, _) => runner,
            Self::Checkout(checkout) => checkout.runner(),
        }
    }

    /// Takes the state of the place.
    fn state(self) -> Result<State, StateError> {
        match self {
            Self::Worktree(workspace, ..) => workspace.state(),
            Self::Checkout(checkout) => checkout.state(),
        }
    }

    /// Returns what watches its files.
    fn watched(self) -> &'a dyn Watched {
        match self {
            Self::Worktree(_, _, watched) => watched,
            Self::Checkout(checkout) => checkout.watched(),
        }
    }

    /// Lists what the place lacks.
    fn lacks(self) -> &'a [Lack] {
        match self {
            Self::Worktree(..) => &[],
            Self::Checkout(checkout) => checkout.lacks(),
        }
    }
}

/// What is known before the first check.
struct Prepared {
    ready: Vec<Ready>,
    /// What of the plans' bounds does not hold.
    bounds: Vec<Finding>,
    before: State,
    findings: Vec<Finding>,
}

/// Everything that was run, between two states.
struct Ran {
    place: AuditPlace,
    ready: Vec<Ready>,
    bounds: Vec<Finding>,
    results: Vec<Vec<AuditedStep>>,
    before: State,
    after: State,
    touches: Vec<Touch>,
    lacks: Vec<Lack>,
    programs: Vec<Finding>,
    /// Plans of whose steps some left processes behind, and nobody can say which.
    orphans: Vec<PlanName>,
}

impl Task<'_> {
    /// Returns what is to be said before any plan is looked at, of a commit of this tree.
    fn findings(
        &self,
        judge: &Judge<'_>,
        (tree, trust): (&Oid, &TrustFiles),
    ) -> Result<Vec<Finding>, Stop> {
        let mut findings = judge.whole(tree, trust)?;
        findings.extend_from_slice(self.restored);
        findings.extend(own_key::of_recorder(judge, self.recorder, Role::Record));
        Ok(findings)
    }

    /// Says what of the bounds of plans does not hold, before any check runs.
    ///
    /// The checks run all the same: what they give is worth knowing, and the audit is a FAIL.
    fn bounds(
        &self,
        judge: &Judge<'_>,
        ready: &[Ready],
        place: &Place,
    ) -> Result<Vec<Finding>, Stop> {
        let mut bounds = Vec::new();
        for each in ready {
            bounds.extend(judge.bounds((&each.plan, each.seal), place)?);
            let no_longer = judge.no_longer(&each.sealable.contract, place)?;
            bounds.extend(no_longer.map(|finding| finding.of_plan(&each.plan.name)));
        }
        for finding in &bounds {
            (self.listener)(&Event::Found(finding));
        }
        Ok(bounds)
    }

    /// Runs every check, records, and judges.
    fn run(
        &self,
        judge: &Judge<'_>,
        ground: Ground<'_>,
        prepared: Prepared,
    ) -> Result<Outcome, Stop> {
        let Prepared {
            ready,
            bounds,
            before,
            mut findings,
        } = prepared;
        demand_tools(ground.runner(), &ready)?;
        let watch = Watch::new(ground, &ready);
        let (results, orphans) = self.steps(&watch, &ready);
        (self.listener)(&Event::TakingState);
        let after = ground.state()?;
        let (after, touches) = watch.end(after);
        let place = (ground, &after.tree);
        let programs = programs::findings(self, judge, place, (&ready, &results));
        let ran = Ran {
            place: ground.place(),
            ready,
            bounds,
            results,
            before,
            after,
            touches,
            lacks: ground.lacks().to_vec(),
            programs,
            orphans,
        };
        let recorded = record::append_all(self, judge, &ran);
        if recorded.is_ok() {
            findings.extend(beside::head_unproven(judge, &ran.after.tree));
        }
        findings.extend(ran.bounds.iter().cloned());
        Ok(conclude::conclude(judge, ran, recorded, findings))
    }
}

impl Task<'_> {
    /// Runs the steps of every plan, one plan after the other.
    fn steps(&self, watch: &Watch<'_>, ready: &[Ready]) -> (Vec<Vec<AuditedStep>>, Vec<PlanName>) {
        let mut orphans = Vec::new();
        let of_plan = |each: &Ready| {
            let all = watch.run(each, self.jobs, self.listener);
            orphans.extend(all.has_orphans.then(|| each.plan.name.clone()));
            all.steps
        };
        let results = ready.iter().map(of_plan).collect();
        (results, orphans)
    }
}

/// Returns what is known where this clone works: also the contracts that it sealed on the branch that
/// is checked out, and those of the commits that are being merged, which are parents of the commit
/// that will be made.
pub(crate) fn facts_here(judge: &Judge<'_>, branch: Option<&str>) -> Result<Facts, Stop> {
    let mut facts = with_merged(judge)?;
    if let Some(branch) = branch {
        let instances = judge.own_instances();
        add_own_branch(&judge.ledger, &instances, branch, &mut facts.earlier);
    }
    Ok(facts)
}

/// Adds the contracts that plans held on the lines of work that are being merged.
fn with_merged(judge: &Judge<'_>) -> Result<Facts, Stop> {
    let mut facts = judge.facts.clone();
    let objects = judge.world.objects;
    let head = objects
        .resolve("HEAD")
        .map_err(Stop::broken("resolve HEAD"))?;
    for merged in &judge.world.settings.merging {
        let meeting = head.as_ref().map_or(Ok(Meeting::Nowhere), |head| {
            objects
                .merge_base(&head.id, merged)
                .map_err(Stop::broken("find the merge base of HEAD and MERGE_HEAD"))
        })?;
        // Where the history is cut off, the search goes as far as there is any.
        let fork = match meeting {
            Meeting::At(fork) => Some(fork),
            Meeting::Nowhere | Meeting::CutOff => None,
        };
        for (plan, contracts) in earlier(objects, Some(merged), fork.as_ref())?.contracts {
            facts.earlier.entry(plan).or_default().extend(contracts);
        }
    }
    Ok(facts)
}

/// Refuses where a program of `required_tools` is not found.
pub(super) fn demand_tools(runner: &dyn Runner, ready: &[Ready]) -> Result<(), Stop> {
    let missing = ready.iter().flat_map(|each| {
        let tools = each.sealable.contract.required_tools.iter();
        tools.filter(|tool| !runner.finds(tool)).map(|tool| {
            let shown = crate::model::text::shown(tool);
            let message = format!(
                "{shown}, which plan {} requires, is not found",
                each.plan.name
            );
            Finding::new(&rows::TOOL_MISSING, message)
                .hint("install it, or put its directory into PATH")
                .of_plan(&each.plan.name)
        })
    });
    let missing: Vec<Finding> = missing.collect();
    if missing.is_empty() {
        Ok(())
    } else {
        Err(Stop::Refused(missing))
    }
}

/// Refuses an unresolved merge.
pub(crate) fn demand_merged(state: &State) -> Result<(), Stop> {
    let Some(noted) = state.flags.get(&Flag::Unmerged) else {
        return Ok(());
    };
    let message = format!("a merge is not resolved: {}", listed(noted));
    Err(Stop::refuse(
        Finding::new(&state_rows::UNMERGED, message).hint("resolve it, then git add the paths"),
    ))
}

/// Returns the work tree, or refuses.
pub(crate) fn workspace<'a>(world: &World<'a>) -> Result<&'a dyn Workspace, Stop> {
    world.workspace.ok_or_else(|| {
        let message = "this repository is bare: it has no workspace";
        let usual =
            "in a bare repository: git plan-audit verify REV, git plan-audit audit --commit REV";
        let hint = world.settings.bare_hint.as_deref().unwrap_or(usual);
        Stop::refuse(Finding::new(&state_rows::BARE, message).hint(hint))
    })
}

/// Returns who this clone is, or refuses.
pub(crate) fn identity<'a>(world: &World<'a>) -> Result<&'a Identity, Stop> {
    let identity = world.identity.ok_or_else(|| {
        let message = "this clone cannot record yet: it has no instance";
        Stop::refuse(
            Finding::new(&rows::NOT_INITIALISED, message).hint("git plan-audit init --no-hooks"),
        )
    })?;
    match pinned(world)? {
        Some(ledger) if ledger != identity.ledger => Err(other_ledger(identity, &ledger)),
        Some(_) | None => Ok(identity),
    }
}

/// Refuses to record what would count for nothing.
fn other_ledger(identity: &Identity, ledger: &LedgerId) -> Stop {
    let message = format!(
        ".git/plan-audit/instance names ledger {}, and {ledger} is the one that counts here",
        identity.ledger
    );
    Stop::refuse(
        Finding::new(&rows::OTHER_LEDGER, message)
            .hint(format!("find out who wrote that file, then {MOVES}")),
    )
}

/// Refuses while another audit or run of this worktree goes on.
pub(super) fn locked(error: &LockError) -> Stop {
    match error {
        LockError::Held(holder) => Stop::refuse(
            Finding::new(
                &rows::AUDIT_RUNNING,
                format!("the audit lock of this worktree is held by {holder}"),
            )
            .hint("wait for it to end"),
        ),
        LockError::Broken(cause) => Stop::refuse(Finding::new(&rows::LOCK, causes(&**cause))),
    }
}
