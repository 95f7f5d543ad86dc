//! An audit in a private checkout: of what is staged, or of a commit.

use super::{
    Ground, Prepared, Task, beside, conclude, demand_merged, facts_here, ready, workspace,
};
use crate::engine::bound::{BoundPlan, in_tree, of_files};
use crate::engine::events::Event;
use crate::engine::judge::{Judge, resolved};
use crate::engine::place::Place;
use crate::engine::ports::{CheckoutError, Checkouts, Source, Wanted};
use crate::engine::standing::Facts;
use crate::engine::stop::{Stop, causes};
use crate::engine::trusting::trust_files;
use crate::engine::usable::listed;
use crate::model::files::Files;
use crate::model::finding::{Finding, checkout as rows};
use crate::model::outcome::Outcome;
use crate::model::record::AuditPlace;
use crate::model::state::{State, TRUST_FILES, TrustFiles};
use crate::model::text;

/// Audits what is staged. The work tree must hold the same, so that nobody is surprised.
pub(super) fn staged(task: &Task<'_>, checkouts: &dyn Checkouts) -> Result<Outcome, Stop> {
    let workspace = workspace(task.world)?;
    (task.listener)(&Event::TakingState);
    let now = workspace.state()?;
    demand_merged(&now)?;
    demand_staged(&now)?;
    let staged = checkouts.staged().map_err(stop)?;
    if now.staged_tree != Some(staged.tree) {
        return Err(stop(CheckoutError::Changed));
    }
    let judge = Judge::of_workspace(task.world, now.head.as_ref())?;
    let facts = facts_here(&judge, now.branch.as_deref())?;
    let wanted = Wanted {
        source: Source::Index,
        tree: staged.tree,
        head: now.head,
    };
    let plans = of_files(staged.plans);
    let place = Place::of_state(&now);
    // What is on disk is what is staged.
    let here = (&wanted, &place, &now.aside.trust);
    inside(task, checkouts, here, (&judge, &facts, plans))
}

/// Audits what is staged, whatever lies on disk: what a commit will hold is all that is asked for.
pub(super) fn index(task: &Task<'_>, checkouts: &dyn Checkouts) -> Result<Outcome, Stop> {
    let staged = checkouts.staged().map_err(stop)?;
    let head = task.world.objects.resolve("HEAD");
    let head = head
        .map_err(Stop::broken("resolve HEAD"))?
        .map(|commit| commit.id);
    let branch = task.world.objects.branch();
    let branch = branch.map_err(Stop::broken("read HEAD"))?;
    let judge = Judge::of_workspace(task.world, head.as_ref())?;
    let facts = facts_here(&judge, branch.as_deref())?;
    let wanted = Wanted {
        source: Source::Index,
        tree: staged.tree,
        head,
    };
    let trust = trust_in(&staged.files);
    let plans = of_files(staged.plans.clone());
    let place = Place::of_staged(staged);
    inside(
        task,
        checkouts,
        (&wanted, &place, &trust),
        (&judge, &facts, plans),
    )
}

/// Audits the commit that a revision names.
pub(super) fn commit(
    task: &Task<'_>,
    checkouts: &dyn Checkouts,
    revision: &str,
) -> Result<Outcome, Stop> {
    let commit = resolved(task.world, revision)?;
    let judge = Judge::of_commit(task.world, &commit, None)?;
    let wanted = Wanted {
        source: Source::Tree,
        tree: commit.tree,
        head: Some(commit.id),
    };
    let plans = in_tree(task.world.objects, &commit.tree)?;
    let trust = trust_files(task.world.objects, &commit.tree)?;
    let place = Place::of_tree(commit.tree);
    let what = (&judge, &judge.facts, plans);
    inside(task, checkouts, (&wanted, &place, &trust), what)
}

/// Says that not all that was done to the files of a checkout is seen.
fn in_memory() -> Finding {
    let message = "the checkout lay in memory (tmpfs): bytes that a check exchanged through a mapping and took \
                   back within its step were not seen";
    let hint = "set XDG_CACHE_HOME to a directory on a disk";
    Finding::new(&rows::IN_MEMORY, message).hint(hint)
}

/// Returns what carries trust among files, as it is in `.plan-auditor`.
fn trust_in(files: &Files) -> TrustFiles {
    let found = files.iter().filter_map(|(path, file)| {
        let path = text::path(path.strip_prefix(b".plan-auditor/")?);
        let first = path.split('/').next()?;
        let carries = TRUST_FILES.contains(&first);
        carries.then_some((path, (file.mode, file.id)))
    });
    found.collect()
}

/// Makes a checkout, audits in it, and removes it; nothing is written for a plan that may not run.
fn inside(
    task: &Task<'_>,
    checkouts: &dyn Checkouts,
    (wanted, place, trust): (&Wanted, &Place, &TrustFiles),
    (judge, facts, plans): (&Judge<'_>, &Facts, Vec<BoundPlan>),
) -> Result<Outcome, Stop> {
    let mut findings = task.findings(judge, (&wanted.tree, trust))?;
    findings.extend(beside::others(judge, &plans, task.only, place)?);
    let ready = ready((judge, facts), plans, task.only, &mut findings)?;
    if ready.is_empty() {
        let what = (wanted.tree, None);
        return Ok(conclude::no_plan(AuditPlace::Checkout, what, findings));
    }
    let bounds = task.bounds(judge, &ready, place)?;
    (task.listener)(&Event::MakingCheckout);
    let checkout = checkouts.make(wanted).map_err(stop)?;
    let prepared = Prepared {
        ready,
        bounds,
        before: checkout.before().clone(),
        findings,
    };
    let is_in_memory = checkout.watched().is_in_memory();
    let mut outcome = task.run(judge, Ground::Checkout(&*checkout), prepared)?;
    outcome.findings.extend(is_in_memory.then(in_memory));
    if let Err(cause) = checkout.remove() {
        let message = format!("the checkout is still there: {}", causes(&*cause));
        outcome.findings.push(Finding::new(&rows::LEFT, message));
    }
    Ok(outcome)
}

/// Refuses where the work tree holds something else than what is staged.
fn demand_staged(state: &State) -> Result<(), Stop> {
    let untracked = &state.untracked.noted;
    if untracked.count > 0 {
        let message = format!(
            "{} untracked, which the checkout of what is staged would not hold: {}",
            untracked.count,
            listed(untracked)
        );
        return Err(Stop::refuse(Finding::new(&rows::UNCLEAN, message).hint(
            "git add them, list them in a tracked .gitignore, or audit the last commit: \
                 git plan-audit audit --commit HEAD",
        )));
    }
    if state.staged_tree == Some(state.tree) {
        return Ok(());
    }
    let message = "what is on disk differs from what is staged, which is what a checkout holds";
    Err(Stop::refuse(Finding::new(&rows::UNCLEAN, message).hint(
        "git add -u, or audit the last commit: git plan-audit audit --commit HEAD",
    )))
}

/// Says why there is no checkout, and the way out.
pub(in crate::engine) fn stop(error: CheckoutError) -> Stop {
    let text = causes(&error);
    match error {
        CheckoutError::Place { .. } => Stop::refuse(Finding::new(&rows::PLACE, text).hint(
            "set XDG_CACHE_HOME to a directory outside the work tree that only you may write",
        )),
        CheckoutError::Unserved { .. } => Stop::refuse(
            Finding::new(&rows::UNSERVED, text)
                .hint(
                    "git plan-audit audit runs the checks in the work tree; of files under a filter that counts \
                     where supervisor.json at the trust point has \"allow_flags\":[\"filtered\"]",
                ),
        ),
        CheckoutError::Unfit { .. } => Stop::refuse(
            Finding::new(&rows::UNSERVED, text).hint("git fsck tells what is wrong with it"),
        ),
        CheckoutError::Changed => Stop::refuse(
            Finding::new(&rows::UNCLEAN, text).hint("stop what else writes here, then try again"),
        ),
        CheckoutError::Missing { .. } => Stop::Unknown(vec![
            Finding::new(&rows::MISSING, text).hint("git fetch --no-filter --refetch; git fsck"),
        ]),
        CheckoutError::Stopped => Stop::Unknown(vec![Finding::new(&rows::STOPPED, text)]),
        CheckoutError::Broken { cause } => Stop::Broken {
            doing: "make a private checkout".to_owned(),
            cause,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::files::File;
    use crate::model::ids::Oid;

    #[test]
    fn what_carries_trust_is_told_by_its_place() {
        let file = |id| File {
            mode: 0o100_644,
            id: Oid::Sha1([id; 20]),
        };
        let all = [
            ".plan-auditor/allowed_signers",
            ".plan-auditor/policies/a/b",
            ".plan-auditor/plan.json",
            ".plan-auditor/policies2",
            "x/.plan-auditor/allowed_signers",
            "allowed_signers",
        ];
        let files: Files = all
            .iter()
            .map(|path| (path.as_bytes().to_vec(), file(1)))
            .collect();

        let found: Vec<String> = trust_in(&files).into_keys().collect();

        assert_eq!(found, ["allowed_signers", "policies/a/b"]);
    }
}
