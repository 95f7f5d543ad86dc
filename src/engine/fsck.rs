//! `fsck`: everything that can be told of a ledger, each finding with what ends it. Nothing runs,
//! nothing is written.
//!
//! A judgement asks what bears on one place; here the whole ledger is asked, so that a record that was
//! removed is doubt whatever it speaks of.

mod beside;
mod kept;

use super::judge::{Judge, forked_decisions, removed, standing_finding};
use super::ports::Local;
use super::standing::Standing;
use super::stop::Stop;
use super::world::World;
use crate::ledger::judged::Ledger;
use crate::model::finding::{Effect, Finding, ledger as rows};
use crate::model::outcome::{CheckedLedger, Details, Outcome, Word};
use crate::model::text::{counted, shown};

/// How many entries that are no notes are named.
const NAMED: usize = 5;

/// Examines the ledger, and what lies beside it where this clone has a place for that.
pub(crate) fn fsck(world: &World<'_>, local: Option<&dyn Local>) -> Result<Outcome, Stop> {
    let judge = Judge::of_workspace(world, None)?;
    let mut findings = judge.findings.clone();
    findings.extend(nobody(&judge));
    findings.extend(of_records(&judge.ledger));
    findings.extend(lineages(&judge));
    findings.extend(kept::wrong(world, &judge.ledger)?);
    findings.extend(strays(world, &judge.ledger)?);
    findings.extend(beside::findings(world, local)?);
    let details = Details::Fsck(Box::new(CheckedLedger {
        tip: judge.ledger.tip,
        counts: judge.ledger.counts,
        heads: judge.ledger.heads().into_iter().collect(),
        records: judge.ledger.listed(),
        trust: judge.trusting.sentence(),
    }));
    Ok(Outcome::new(word(&findings), findings, details))
}

/// Returns what findings come to: what does not hold or count is FAIL, what cannot be told UNKNOWN.
fn word(findings: &[Finding]) -> Word {
    let words = findings.iter().map(|finding| match finding.row.effect {
        Effect::None => Word::Ok,
        Effect::DoesNotCount | Effect::Fail | Effect::Refused => Word::Fail,
        Effect::Unknown => Word::Unknown,
    });
    let words: Vec<Word> = words.collect();
    let worst = [Word::Fail, Word::Unknown];
    let found = worst.into_iter().find(|word| words.contains(word));
    found.unwrap_or(Word::Ok)
}

/// Says that none of the records counts here, though nothing may be wrong with any.
fn nobody(judge: &Judge<'_>) -> Option<Finding> {
    let counts = &judge.ledger.counts;
    let all = counts.unproven + counts.untrusted + counts.foreign;
    if counts.authenticated > 0 || all == 0 {
        return None;
    }
    let message = format!(
        "none of the {} that are here counts: {} without a proof that fits, {} by keys that are not trusted, {} of \
         another ledger; evidence counts from {}",
        counted(all, "record"),
        counts.unproven,
        counts.untrusted,
        counts.foreign,
        judge.trusting.sentence()
    );
    let hint =
        "name the trust point with --base, or list keys in .plan-auditor/allowed_signers there";
    Some(Finding::new(&rows::NOBODY, message).hint(hint))
}

/// Tells of records that are gone, or that a fork took.
fn of_records(ledger: &Ledger) -> Vec<Finding> {
    let gone = ledger.removed.iter().map(|record| removed(record, None));
    gone.chain(forked_decisions(ledger)).collect()
}

/// Tells of seals that do not follow those that they continue, and of lineages with several heads
/// that nobody ended.
fn lineages(judge: &Judge<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    let seals = &judge.facts.seals;
    for (record, body) in judge.ledger.seals() {
        let is_missing = seals.missing.contains(&record.id);
        if !is_missing && !seals.has_link(record.id) {
            let broken = Standing::Unfounded(record.id);
            findings.extend(standing_finding(&body.plan, &broken));
        }
        if seals.ended(record.id).is_none() {
            let concurrent = judge.concurrent_finding(&body.plan, record.id);
            let is_new = |finding: &Finding| !findings.contains(finding);
            let concurrent: Vec<Finding> = concurrent.into_iter().filter(is_new).collect();
            findings.extend(concurrent);
        }
    }
    findings
}

/// Tells of what lies in the notes tree and is nobody's note.
fn strays(world: &World<'_>, ledger: &Ledger) -> Result<Option<Finding>, Stop> {
    let Some(tip) = ledger.tip else {
        return Ok(None);
    };
    let strays = world.notes.strays(&tip);
    let strays = strays.map_err(|error| Stop::broken("read the ledger")(error.into()))?;
    if strays.is_empty() {
        return Ok(None);
    }
    let names: Vec<String> = strays.iter().take(NAMED).map(|name| shown(name)).collect();
    let more = strays.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!(" and {more} more"));
    let message = format!(
        "the notes tree holds what is no note: {}{}",
        names.join(", "),
        more.unwrap_or_default()
    );
    Ok(Some(Finding::new(&rows::STRAY, message).hint(
        "git log --stat refs/notes/plan-audit tells who put it there; it may stay",
    )))
}
