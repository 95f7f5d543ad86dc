//! `review`: tells people who must decide what a commit rests on, and records what they decide. It judges
//! nothing itself: verdicts are the judge's, differences those of `diff`, results those that records hold.

use super::judge::Judge;
use super::judge::range;
use super::ports::Commit;
use super::stop::Stop;
use super::world::World;
use crate::model::finding::Finding;
use crate::model::ids::{PlanName, RecordId};
use crate::model::outcome::{JudgedCommit, ReviewedCommit, Signed};
use crate::model::record::{Kind, Record};

mod decide;
mod decisions;
mod plan;
mod steps;

pub(crate) use decide::{Request, decide};

/// Reports on each commit that a revision or a range names. Nothing runs, nothing is written.
pub(crate) fn report(
    world: &World<'_>,
    revision: &str,
    only: Option<&PlanName>,
) -> Result<Vec<ReviewedCommit>, Stop> {
    let mut commits = Vec::new();
    range::each(
        world,
        revision,
        only,
        &mut |judge, commit, judged, findings| {
            commits.push(reviewed(judge, commit, judged, findings)?);
            Ok(())
        },
    )?;
    Ok(commits)
}

/// Gathers what one commit rests on.
fn reviewed(
    judge: &Judge<'_>,
    commit: &Commit,
    judged: JudgedCommit,
    findings: Vec<Finding>,
) -> Result<ReviewedCommit, Stop> {
    let plans = plan::all(judge, commit, judged.plans)?;
    Ok(ReviewedCommit {
        commit: judged.commit,
        tree: judged.tree,
        subject: judged.subject,
        verdict: judged.verdict,
        trust: judged.trust,
        trust_point: judged.trust_point,
        findings,
        plans,
        reviews: decisions::on(judge, commit),
        waivers: waivers(judge, commit),
    })
}

/// Lists the waivers that hang on a commit.
fn waivers(judge: &Judge<'_>, commit: &Commit) -> Vec<Signed> {
    let is_of = |record: &&Record| {
        record.header.kind == Kind::Waiver.as_str() && record.header.head == commit.id
    };
    let all = judge.ledger.in_order().into_iter();
    all.filter(is_of).map(|each| signed(judge, each)).collect()
}

/// Says who proved a record that counts, and in which role.
fn signed(judge: &Judge<'_>, record: &Record) -> Signed {
    Signed {
        evidence: judge.evidence(record),
        is_approved: judge.ledger.is_approved(record.id),
    }
}

/// Says who proved a record that counts, by its id; none where it does not.
fn signed_by_id(judge: &Judge<'_>, id: RecordId) -> Option<Signed> {
    judge.ledger.get(id).map(|record| signed(judge, record))
}
