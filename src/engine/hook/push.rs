//! Before a push: every reference by itself, judged as the update that it is.
//!
//! What git was told to push is fixed before the hook runs. So the ids of the lines are judged, never
//! what is checked out; only where they are the same, an audit can give what is missing.

use super::publish::publish;
use super::{Apart, Found, Tools, audited, bears, settings};
use crate::engine::judge::Judge;
use crate::engine::ledgers::not_taken_over;
use crate::engine::ports::Commit;
use crate::engine::stop::Stop;
use crate::engine::sync::{Direction, Request, sync};
use crate::engine::world::World;
use crate::model::finding::{Finding, hook as rows, judging as judging_rows};
use crate::model::gate::PushGate;
use crate::model::hook::{Caller, Hook, JudgedReference, ReferenceEnd};
use crate::model::ids::Oid;
use crate::model::outcome::{Outcome, Word};
use crate::model::pushed::{Line, Push, Said};
use crate::model::text::{quoted, shown};
use crate::model::verdict::Verdict;

/// Judges a push.
pub(crate) fn push(world: &World<'_>, tools: &Tools<'_>, push: &Push) -> Result<Outcome, Stop> {
    let mut found = Found::nothing(Caller::Clone(Hook::Push), Word::Ok);
    if push.is_trial {
        return Ok(trial(found));
    }
    if is_evidence_only(push) {
        return Ok(found.outcome());
    }
    found.findings = settings(world)?;
    if world.settings.gates.push == PushGate::Off {
        return Ok(found.outcome());
    }
    let lines = match &push.said {
        Said::Lines(lines) => lines.clone(),
        Said::Nothing | Said::Unread => instead((world, tools), push, &mut found)?,
        Said::Unreadable(why) => return Ok(unreadable(found, why)),
    };
    take_over(world, tools)?;
    for line in &lines {
        let judged = reference((world, tools), push, line, &mut found)?;
        found.references.push(judged);
    }
    let ends = found.references.iter();
    let verdicts = ends.filter_map(|reference| match reference.end {
        ReferenceEnd::Judged(verdict) => Some(verdict),
        ReferenceEnd::Deleted
        | ReferenceEnd::Evidence
        | ReferenceEnd::Unprotected
        | ReferenceEnd::Refused => None,
    });
    let verdicts: Vec<Verdict> = verdicts.collect();
    if !verdicts.is_empty() {
        found.word = Verdict::join(verdicts).into();
    }
    // Where no plan binds there may still be what nobody else has: the first record, a close.
    if matches!(found.word, Word::Pass | Word::NoPlan) {
        publish((world, tools), push, &mut found)?;
    }
    Ok(found.outcome())
}

/// Takes over what remotes had and the ledger here lacks, so that the push is judged by it: it would be
/// joined with what is published in any case. What cannot be taken over leaves the judgement in doubt.
fn take_over(world: &World<'_>, tools: &Tools<'_>) -> Result<(), Stop> {
    let tip = world.notes.tip();
    let tip = tip.map_err(|error| Stop::broken("read the ledger")(error.into()))?;
    for (remote, _) in not_taken_over(world, tip) {
        let request = Request {
            remote: Some(remote.clone()),
            direction: Direction::Fetch,
            repair: false,
        };
        // What it would say, the judgement says.
        drop(sync(world, None, tools.ways, &request));
    }
    Ok(())
}

/// Refuses a push that `doctor` tries: that it does not pass is the proof that it is asked for. So
/// nobody gets past the gate by saying that it is one.
fn trial(mut found: Found) -> Outcome {
    let message = "PLAN_AUDIT_CANARY is set, as git plan-audit doctor does for the push that it \
                   tries: no such push passes";
    let finding = Finding::new(&rows::UNREADABLE, message);
    found.findings.push(finding.hint("unset PLAN_AUDIT_CANARY"));
    found.word = Word::Fail;
    found.outcome()
}

/// Says whether all that is pushed is evidence, as by our own push.
fn is_evidence_only(push: &Push) -> bool {
    match &push.said {
        Said::Lines(lines) => lines.iter().all(Line::is_evidence),
        Said::Nothing | Said::Unread | Said::Unreadable(_) => false,
    }
}

/// Refuses what git would not have written.
pub(super) fn unreadable(mut found: Found, why: &str) -> Outcome {
    let message = format!("the lines on standard input are not those of git: {why}");
    found.findings.push(
        Finding::new(&rows::UNREADABLE, message).hint("git plan-audit verify judges what you name"),
    );
    found.word = Word::Fail;
    found.outcome()
}

/// Makes the line that stands for none: HEAD as a push to its upstream. Where HEAD has nothing that
/// its upstream lacks, there is none; without an upstream, where the branch of its name at the remote
/// has it all: git hands on nothing where all is up to date.
fn instead(
    (world, tools): (&World<'_>, &Tools<'_>),
    push: &Push,
    found: &mut Found,
) -> Result<Vec<Line>, Stop> {
    let resolved = |revision: &str| {
        let commit = world.objects.resolve(revision);
        commit.map_err(Stop::broken("resolve a revision"))
    };
    let Some(head) = resolved("HEAD")? else {
        return Ok(Vec::new());
    };
    let branch = world.objects.branch();
    let branch = branch.map_err(Stop::broken("read HEAD"))?;
    let upstream = match &branch {
        Some(branch) => match resolved("@{upstream}")? {
            None => namesake((world, tools), &push.remote, branch)?,
            upstream => upstream,
        },
        None => None,
    };
    if let Some(upstream) = &upstream {
        let walk = world.objects.between(&head.id, Some(&upstream.id));
        let walk = walk.map_err(Stop::broken("walk from HEAD to its upstream"))?;
        if walk.commits.is_empty() {
            return Ok(Vec::new());
        }
    }
    let why = match &push.said {
        Said::Unread => "standard input is a terminal, or never ends",
        Said::Nothing | Said::Lines(_) | Said::Unreadable(_) => "standard input was empty",
    };
    let message = format!("{why}: HEAD is judged as a push to its upstream");
    let finding = Finding::new(&rows::UNREAD, message);
    found.findings.push(
        finding.hint("let what calls this hook hand on standard input (lefthook: use_stdin: true)"),
    );
    Ok(vec![Line {
        new: Some(head.id),
        name: branch.unwrap_or_else(|| "refs/heads/HEAD".to_owned()),
        old: upstream.map(|commit| commit.id),
    }])
}

/// Returns what the branch of the same name was at a remote when it was asked last.
fn namesake(
    (world, tools): (&World<'_>, &Tools<'_>),
    remote: &str,
    branch: &str,
) -> Result<Option<Commit>, Stop> {
    let remotes = tools.ways.transport.remotes();
    let is_name = remotes.iter().any(|name| name == remote);
    let name = branch.strip_prefix("refs/heads/").filter(|_| is_name);
    let Some(name) = name else { return Ok(None) };
    let found = world
        .objects
        .resolve(&format!("refs/remotes/{remote}/{name}"));
    found.map_err(Stop::broken("read what the remote had"))
}

/// Judges one line.
fn reference(
    (world, tools): (&World<'_>, &Tools<'_>),
    push: &Push,
    line: &Line,
    found: &mut Found,
) -> Result<JudgedReference, Stop> {
    let mut judged = JudgedReference {
        name: line.name.clone(),
        old: line.old,
        commit: None,
        end: ReferenceEnd::Deleted,
    };
    let Some(new) = line.new else {
        return Ok(judged);
    };
    if line.is_evidence() {
        judged.end = ReferenceEnd::Evidence;
        return Ok(judged);
    }
    judged.commit = Some(new);
    if !world.settings.gates.protected.covers(&line.name) {
        judged.end = ReferenceEnd::Unprotected;
        return Ok(judged);
    }
    let (verdict, findings) = match peeled(world, &new)? {
        Peeled::Commit(commit) => {
            judged.commit = Some(commit.id);
            update((world, tools), (push, line), &commit, found)?
        }
        Peeled::Other(verdict, finding) => (verdict, vec![*finding]),
    };
    judged.end = ReferenceEnd::Judged(verdict);
    let is_new = |finding: &Finding, all: &[Finding]| !all.contains(finding);
    for finding in findings {
        if is_new(&finding, &found.findings) {
            found.findings.push(finding);
        }
    }
    Ok(judged)
}

/// What an object leads to.
pub(super) enum Peeled {
    /// A commit.
    Commit(Commit),
    /// No commit, with what that means.
    Other(Verdict, Box<Finding>),
}

/// Follows an object to its commit.
pub(super) fn peeled(world: &World<'_>, id: &Oid) -> Result<Peeled, Stop> {
    let commit = world.objects.resolve(&id.to_string());
    if let Some(commit) = commit.map_err(Stop::broken("read what is pushed"))? {
        return Ok(Peeled::Commit(commit));
    }
    let is_content = world.objects.is_content(id);
    Ok(
        if is_content.map_err(Stop::broken("read what is pushed"))? {
            let message = format!("{} leads to no commit: no plan binds it", id.short());
            Peeled::Other(
                Verdict::NoPlan,
                Box::new(Finding::new(&rows::NO_COMMIT, message)),
            )
        } else {
            let message = format!(
                "{} is not in this clone, or is a tag of too many tags",
                id.short()
            );
            let finding = Finding::new(&rows::MISSING, message);
            Peeled::Other(
                Verdict::Unknown,
                Box::new(finding.hint("git fetch --no-filter --refetch; git fsck")),
            )
        },
    )
}

/// Judges an update, and once more after an audit that it lacked.
fn update(
    (world, tools): (&World<'_>, &Tools<'_>),
    (push, line): (&Push, &Line),
    commit: &Commit,
    found: &mut Found,
) -> Result<(Verdict, Vec<Finding>), Stop> {
    let old = match &line.old {
        None => None,
        Some(id) => match known(world, id)? {
            Some(old) => Some(old.id),
            None => return Ok((Verdict::Unknown, vec![unknown_old(push, line, id)])),
        },
    };
    let judge = Judge::of_commit(world, commit, old.as_ref())?;
    let (judged, findings) = judge.commit(commit, None)?;
    if !lacks_only_an_audit(world, commit, judged.verdict, &findings)? {
        return Ok((judged.verdict, findings));
    }
    let name = commit.id.to_string();
    let what = (Apart::Commit(&name), None);
    let outcome = audited((world, tools), &judge, &commit.tree, what)?;
    let judge = Judge::of_commit(world, commit, old.as_ref())?;
    let (judged, mut findings) = judge.commit(commit, None)?;
    if judged.verdict != Verdict::Pass {
        let said = outcome.findings.iter().filter(|finding| bears(finding));
        findings.extend(said.cloned());
    }
    found.audit = Some(Box::new(outcome));
    Ok((judged.verdict, findings))
}

/// Finds the commit that the remote has; none if it is not here.
pub(super) fn known(world: &World<'_>, id: &Oid) -> Result<Option<Commit>, Stop> {
    let found = world.objects.resolve(&id.to_string());
    found.map_err(Stop::broken("read what the remote has"))
}

/// Says that what the remote has is not here.
fn unknown_old(push: &Push, line: &Line, id: &Oid) -> Finding {
    let message = format!(
        "{} at {} is {}, which is not in this clone: what it binds cannot be told",
        shown(&line.name),
        shown(&push.remote),
        id.short()
    );
    let hint = format!("git fetch {} {}", quoted(&push.remote), quoted(&line.name));
    Finding::new(&rows::OLD_UNKNOWN, message).hint(hint)
}

/// Says whether all that a commit lacks is an audit that can be run now: it is what is checked out,
/// and its plans are sealed.
fn lacks_only_an_audit(
    world: &World<'_>,
    commit: &Commit,
    verdict: Verdict,
    findings: &[Finding],
) -> Result<bool, Stop> {
    if world.settings.gates.push != PushGate::Audit || world.workspace.is_none() {
        return Ok(false);
    }
    let mut bearing = findings.iter().filter(|finding| bears(finding)).peekable();
    let is_lacking = verdict == Verdict::Fail
        && bearing.peek().is_some()
        && bearing.all(|finding| *finding.row == judging_rows::NO_EVIDENCE);
    let head = world.objects.resolve("HEAD");
    let head = head.map_err(Stop::broken("resolve HEAD"))?;
    Ok(is_lacking && head.is_some_and(|head| head.id == commit.id))
}
