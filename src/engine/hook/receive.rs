//! On a server: what is pushed to it (DESIGN section 10). Nothing is run and nothing is written.
//!
//! Evidence is looked at first, and what else is pushed is judged by the ledger that the server will have
//! then: the one of this push, where it only gains, else the one that is stored.

mod ledger;

use super::push::{Peeled, known, peeled, unreadable};
use super::{Found, settings};
use crate::engine::judge::Judge;
use crate::engine::judge::range::below;
use crate::engine::ports::Commit;
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::model::finding::{Finding, hook as hook_rows, judging as judging_rows, receive as rows};
use crate::model::hook::{Caller, JudgedReference, ReferenceEnd};
use crate::model::ids::Oid;
use crate::model::outcome::{Outcome, Word};
use crate::model::pushed::{Line, Said};
use crate::model::text::shown;
use crate::model::verdict::Verdict;

/// Judges what is pushed to this repository.
pub(crate) fn receive(world: &World<'_>, caller: Caller, said: &Said) -> Result<Outcome, Stop> {
    let mut found = Found::nothing(caller, Word::Ok);
    found.findings = settings(world)?;
    let lines = match said {
        Said::Lines(lines) => lines,
        Said::Nothing | Said::Unread => return Ok(unreadable(found, "there is none")),
        Said::Unreadable(why) => return Ok(unreadable(found, why)),
    };
    let (evidence, others): (Vec<&Line>, Vec<&Line>) =
        lines.iter().partition(|line| line.is_evidence());
    let mut taken = None;
    for line in evidence {
        let faults = ledger::faults(world, line)?;
        let is_taken = faults.is_empty();
        if is_taken {
            taken = line.new;
        }
        found.findings.extend(faults);
        let end = if is_taken {
            ReferenceEnd::Evidence
        } else {
            ReferenceEnd::Refused
        };
        found.references.push(ended(line, end));
    }
    let received = taken.map(|tip| ledger::Received::new(world.notes, tip));
    let world = match &received {
        Some(notes) => World { notes, ..*world },
        None => *world,
    };
    for line in others {
        let judged = reference(&world, line, &mut found)?;
        found.references.push(judged);
    }
    found.word = word(&found.references);
    Ok(found.outcome())
}

/// Joins what became of the references.
fn word(references: &[JudgedReference]) -> Word {
    let is_refused = |reference: &JudgedReference| reference.end == ReferenceEnd::Refused;
    let verdicts = references
        .iter()
        .filter_map(|reference| match reference.end {
            ReferenceEnd::Judged(verdict) => Some(verdict),
            ReferenceEnd::Deleted
            | ReferenceEnd::Evidence
            | ReferenceEnd::Unprotected
            | ReferenceEnd::Refused => None,
        });
    let mut verdicts = verdicts.peekable();
    if references.iter().any(is_refused) {
        Word::Fail
    } else if verdicts.peek().is_none() {
        Word::Ok
    } else {
        Verdict::join(verdicts).into()
    }
}

/// Says what became of a reference without judging it.
fn ended(line: &Line, end: ReferenceEnd) -> JudgedReference {
    JudgedReference {
        name: line.name.clone(),
        old: line.old,
        commit: line.new,
        end,
    }
}

/// Judges one line that brings no evidence.
fn reference(world: &World<'_>, line: &Line, found: &mut Found) -> Result<JudgedReference, Stop> {
    let end_of = |name: &str| {
        let end = world.objects.end_of(name);
        end.map_err(Stop::broken("follow a symbolic reference"))
    };
    // A detached HEAD leads to itself: then nobody can tell which branch is the default one.
    let default = Some(end_of("HEAD")?).filter(|name| name != "HEAD");
    // Git writes where a symbolic reference leads.
    let names = [line.name.clone(), end_of(&line.name)?];
    let protected = &world.settings.gates.protected;
    let is_protected = |name: &String| protected.covers_on_server(name, default.as_deref());
    if !names.iter().any(is_protected) {
        return Ok(ended(line, ReferenceEnd::Unprotected));
    }
    let Some(new) = line.new else {
        found.findings.push(deleted(line));
        return Ok(ended(line, ReferenceEnd::Refused));
    };
    let mut judged = ended(line, ReferenceEnd::Refused);
    let (verdict, findings) = match peeled(world, &new)? {
        Peeled::Commit(commit) => {
            judged.commit = Some(commit.id);
            update(world, line, &commit)?
        }
        Peeled::Other(verdict, finding) => (verdict, vec![*finding]),
    };
    judged.end = ReferenceEnd::Judged(verdict);
    for finding in findings {
        if !found.findings.contains(&finding) {
            found.findings.push(finding);
        }
    }
    Ok(judged)
}

/// Says that a protected reference is not deleted.
fn deleted(line: &Line) -> Finding {
    let message = format!("{} is protected, and is not deleted", shown(&line.name));
    let hint = "ask who runs this server; git update-ref -d there, if that is meant";
    Finding::new(&rows::PROTECTED_DELETED, message).hint(hint)
}

/// Judges an update by its tip or, where that is asked for, by each of its commits.
fn update(world: &World<'_>, line: &Line, tip: &Commit) -> Result<(Verdict, Vec<Finding>), Stop> {
    let old = match &line.old {
        None => None,
        Some(id) => match known(world, id)? {
            Some(old) => Some(old.id),
            None => return Ok((Verdict::Unknown, vec![no_commit_before(line, id)])),
        },
    };
    let judge = Judge::of_commit(world, tip, old.as_ref())?;
    let (judged, mut findings) = judge.commit(tip, None)?;
    let mut verdicts = vec![judged.verdict];
    for finding in &mut findings {
        mend(finding, tip);
    }
    if world.settings.each {
        let stop = old.or(judge.fork.commit().copied());
        for commit in below(world, stop.as_ref(), tip)? {
            let judge = Judge::of_commit(world, &commit, old.as_ref())?;
            let (judged, said) = judge.commit(&commit, None)?;
            verdicts.push(judged.verdict);
            let said = said.into_iter().map(|mut finding| {
                mend(&mut finding, &commit);
                finding.message = format!("commit {}: {}", commit.id.short(), finding.message);
                finding
            });
            findings.extend(said);
        }
    }
    Ok((Verdict::join(verdicts), findings))
}

/// Says that what stands there cannot be compared.
fn no_commit_before(line: &Line, old: &Oid) -> Finding {
    let message = format!(
        "{} is {}, which leads to no commit here: what it binds cannot be told",
        shown(&line.name),
        old.short()
    );
    Finding::new(&hook_rows::OLD_UNKNOWN, message).hint("push it under another name")
}

/// Names what whoever pushes has to type: evidence is made in a clone and published from there.
fn mend(finding: &mut Finding, commit: &Commit) {
    if *finding.row == judging_rows::NO_EVIDENCE {
        finding.hint = Some(format!(
            "git plan-audit sync, if it was audited; else first git plan-audit audit --commit {}",
            commit.id.short()
        ));
    } else if *finding.row == judging_rows::TRUST_UNCERTAIN {
        let hint =
            "ask who runs this server: git config --global planAudit.base refs/heads/NAME there";
        finding.hint = Some(hint.to_owned());
    } else if *finding.row == judging_rows::DRAFT {
        let seal = finding.hint.as_deref().unwrap_or("git plan-audit seal");
        finding.hint = Some(format!(
            "git plan-audit sync, if it was sealed; else first {seal}"
        ));
    }
}
