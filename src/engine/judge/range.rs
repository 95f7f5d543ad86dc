//! Judging what a range adds: its tip, with all that its commits and its beginning bind (D4).

use super::{Judge, resolved};
use crate::engine::place::Place;
use crate::engine::ports::Commit;
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::model::finding::{Effect, Finding, judging as rows};
use crate::model::ids::{Oid, PlanName};
use crate::model::outcome::{Details, JudgedCommit, Outcome};
use crate::model::verdict::Verdict;

/// Which commits of a range have an outcome of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counted {
    /// The tip; what lies below it and is not proven is named.
    Tip,
    /// Each of them.
    Each,
}

/// How many commits below the tip are named.
const NAMED: usize = 5;

/// Judges what a revision or a range names. With a name only that plan is judged.
pub(crate) fn verify(
    world: &World<'_>,
    revision: &str,
    only: Option<&PlanName>,
    counted: Counted,
) -> Result<Outcome, Stop> {
    let is_tip = counted == Counted::Tip && !world.settings.each;
    let ends = ends(revision)?;
    if let Some(ends) = ends.filter(|_| is_tip) {
        return tip(world, ends, only);
    }
    let mut all = Vec::new();
    let mut said = Vec::new();
    each(world, revision, only, &mut |_, commit, judged, findings| {
        all.push(judged);
        said.extend(findings.into_iter().map(|each| (commit.clone(), each)));
        Ok(())
    })?;
    let findings = match ends {
        Some(_) => gathered(said),
        None => said.into_iter().map(|(_, finding)| finding).collect(),
    };
    Ok(outcome(all, findings))
}

/// Takes one commit that was judged, with the judge and what it found.
pub(crate) type Take<'t> =
    &'t mut dyn FnMut(&Judge<'_>, &Commit, JudgedCommit, Vec<Finding>) -> Result<(), Stop>;

/// Judges each commit that a revision or a range names, oldest first, and hands it on.
pub(crate) fn each(
    world: &World<'_>,
    revision: &str,
    only: Option<&PlanName>,
    take: Take<'_>,
) -> Result<(), Stop> {
    let (commits, old) = match ends(revision)? {
        None => (vec![resolved(world, revision)?], None),
        Some((old, new)) => {
            let (old, new) = (resolved(world, old)?, resolved(world, new)?);
            let mut commits = below(world, Some(&old.id), &new)?;
            commits.push(new);
            (commits, Some(old.id))
        }
    };
    for commit in &commits {
        let judge = Judge::of_commit(world, commit, old.as_ref())?;
        let (judged, findings) = judge.commit(commit, only)?;
        take(&judge, commit, judged, findings)?;
    }
    Ok(())
}

/// Judges the tip of a range, and names what lies below it and is not proven.
fn tip(
    world: &World<'_>,
    (old, new): (&str, &str),
    only: Option<&PlanName>,
) -> Result<Outcome, Stop> {
    let (old, new) = (resolved(world, old)?, resolved(world, new)?);
    let below = below(world, Some(&old.id), &new)?;
    let judge = Judge::of_commit(world, &new, Some(&old.id))?;
    let (judged, mut findings) = judge.commit(&new, only)?;
    findings.extend(unproven(&judge, &below, (&old, only))?);
    Ok(outcome(vec![judged], findings))
}

/// Takes a range apart; none for a single revision. A side that is left out is HEAD.
fn ends(revision: &str) -> Result<Option<(&str, &str)>, Stop> {
    let Some((old, new)) = revision.split_once("..") else {
        return Ok(None);
    };
    if new.starts_with('.') || new.contains("..") {
        let shown = crate::model::text::shown(revision);
        let finding = Finding::new(&rows::NO_REVISION, format!("{shown} is no range A..B"));
        return Err(Stop::refuse(
            finding.hint("git plan-audit verify origin/main..HEAD"),
        ));
    }
    Ok(Some((or_head(old), or_head(new))))
}

/// Returns a side of a range, or what an empty one stands for.
const fn or_head(side: &str) -> &str {
    if side.is_empty() { "HEAD" } else { side }
}

/// Lists the commits that are reachable from `new` and not from `old`, but for `new`; oldest first.
pub(in crate::engine) fn below(
    world: &World<'_>,
    old: Option<&Oid>,
    new: &Commit,
) -> Result<Vec<Commit>, Stop> {
    let walk = world.objects.between(&new.id, old);
    let walk = walk.map_err(Stop::broken("walk the range"))?;
    let ids = walk.commits.into_iter().filter(|id| *id != new.id).rev();
    let read = |id: Oid| {
        let commit = world.objects.commit(&id);
        commit.map_err(Stop::broken("read a commit")).transpose()
    };
    ids.filter_map(read).collect()
}

/// Names the commits below the tip that nothing proves.
fn unproven(
    judge: &Judge<'_>,
    below: &[Commit],
    (old, only): (&Commit, Option<&PlanName>),
) -> Result<Option<Finding>, Stop> {
    let audits = judge.ledger.audits();
    let was_audited = |tree| audits.iter().any(|(_, audit)| audit.saw(tree));
    let lacks = |verdict| matches!(verdict, Verdict::Fail | Verdict::Unknown);
    let mut names = Vec::new();
    for commit in below {
        let plans = crate::engine::bound::in_tree(judge.world.objects, &commit.tree)?;
        let (judged, _) = judge.plans(&plans, &Place::of_tree(commit.tree), only)?;
        let verdict = Verdict::join(judged.iter().map(|plan| plan.verdict));
        // What the tip holds later is no fault of an earlier commit: it is judged as itself, where
        // that may make a difference.
        let is_lacking = lacks(verdict)
            && (!was_audited(&commit.tree) || {
                let own = Judge::of_commit(&judge.world, commit, Some(&old.id))?;
                lacks(own.commit(commit, only)?.0.verdict)
            });
        if is_lacking {
            names.push(commit.id.short());
        }
    }
    let count = names.len();
    names.truncate(NAMED);
    let message = format!(
        "{} below the tip without evidence: {}{}",
        crate::model::text::counted(count, "commit"),
        names.join(", "),
        if count > NAMED { ", …" } else { "" }
    );
    let finding = Finding::new(&rows::RANGE_UNPROVEN, message).hint("--each counts them too");
    Ok((count > 0).then_some(finding))
}

/// Says of each finding which commit it is of; one that bears on nothing and is said of several is
/// told once.
fn gathered(said: Vec<(Commit, Finding)>) -> Vec<Finding> {
    let mut found: Vec<(Commit, Finding, usize)> = Vec::new();
    for (commit, finding) in said {
        let is_light = finding.row.effect == Effect::None;
        match found
            .iter_mut()
            .find(|(_, known, _)| is_light && *known == finding)
        {
            Some((_, _, count)) => *count += 1,
            None => found.push((commit, finding, 1)),
        }
    }
    let told = found.into_iter().map(|(commit, mut finding, count)| {
        if count == 1 {
            return of(&commit, finding);
        }
        finding.message = format!("{count} commits: {}", finding.message);
        finding
    });
    told.collect()
}

/// Says which commit a finding is of.
fn of(commit: &Commit, mut finding: Finding) -> Finding {
    finding.message = format!("commit {}: {}", commit.id.short(), finding.message);
    finding
}

/// Makes the outcome of what was judged.
fn outcome(judged: Vec<JudgedCommit>, findings: Vec<Finding>) -> Outcome {
    let verdict = Verdict::join(judged.iter().map(|commit| commit.verdict));
    Outcome::new(verdict.into(), findings, Details::Verify(judged))
}
