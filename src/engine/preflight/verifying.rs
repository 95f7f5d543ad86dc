//! `preflight --verify`: makes the evidence of a record again from git, and compares.

use std::collections::BTreeMap;

use super::testing::{self, Known, gate_of};
use crate::engine::judge::Judge;
use crate::engine::lineage::read_contract;
use crate::engine::ports::Commit;
use crate::engine::stop::Stop;
use crate::engine::world::World;
use crate::model::claim::Claim;
use crate::model::claim::derived;
use crate::model::claim::evidence::Evidence;
use crate::model::contract::Contract;
use crate::model::finding::{Finding, claims as rows, judging};
use crate::model::ids::{Digest, RecordId};
use crate::model::outcome::{Details, Outcome, Preflighted, PreflightedPlan, Word};
use crate::model::record::ClaimsBody;
use crate::model::text;
use crate::wire::{claim, evidence};

/// Makes the evidence of the record whose id begins so again.
///
/// PASS where every piece is the same, byte for byte, and they add up to what the record says.
pub(crate) fn verify(world: &World<'_>, start: &str) -> Result<Outcome, Stop> {
    let judge = Judge::of_workspace(world, None)?;
    let (record, body) = named(&judge, start)?;
    let mut findings = judge.findings.clone();
    let (Some(contract), Some(recorded), Some(commit)) = (
        read_contract(world.notes, &body.kept, &body.contract)?,
        testing::read(world, &body)?,
        commit_of(world, &body)?,
    ) else {
        let message = format!(
            "the contract, the evidence or the commit of record {} is not in this clone",
            record.short()
        );
        findings.push(Finding::new(&rows::NOT_HERE, message).hint("git fetch --refetch"));
        return Ok(Outcome::new(Word::Unknown, findings, Details::None));
    };
    let stated = stated(&contract, &recorded);
    let claims = testing::test((world, &commit), &stated, &Known::nothing())?;
    let again: BTreeMap<Digest, &Evidence> = claims
        .iter()
        .map(|claim| (claim.evidence.claim, &claim.evidence))
        .collect();
    let mut differing: Vec<String> = recorded
        .iter()
        .filter(|each| !is_same(each, again.get(&each.claim).copied()))
        .map(|each| format!("evidence for claim {} is another here", each.claim.short()))
        .collect();
    if recorded.len() != again.len() {
        differing.push("the record has evidence twice, or for what is not claimed".to_owned());
    }
    if gate_of(&claims) != Some(body.gate) {
        let word = body.gate.as_str();
        differing.push(format!("the results do not add up to `{word}`"));
    }
    let word = if differing.is_empty() {
        Word::Pass
    } else {
        Word::Fail
    };
    findings.extend(differing.into_iter().map(|why| {
        let message = format!("record {}: {why}", record.short());
        Finding::new(&rows::DIFFERS, message).of_plan(&body.plan)
    }));
    let gate = gate_of(&claims);
    let preflighted = Preflighted {
        commit: commit.id,
        subject: commit.subject,
        gate,
        plans: vec![PreflightedPlan {
            name: Some(body.plan),
            contract: Some(body.contract),
            gate,
            record: Some(record),
            claims,
        }],
        is_comparison: true,
    };
    let details = Details::Preflight(Box::new(preflighted));
    Ok(Outcome::new(word, findings, details))
}

/// Finds the one record of claims whose id begins so.
fn named(judge: &Judge<'_>, start: &str) -> Result<(RecordId, ClaimsBody), Stop> {
    let found = judge.ledger.claims().into_iter();
    let mut found = found.filter(|(record, _)| record.id.is_named_by(start));
    if let (Some((record, body)), None) = (found.next(), found.next()) {
        return Ok((record.id, body));
    }
    let shown = text::shown(start);
    let message = format!("{shown} does not name one record of claims that counts here");
    let finding = Finding::new(&judging::UNKNOWN_RECORD, message);
    Err(Stop::refuse(finding.hint("git plan-audit log")))
}

/// Reads the commit of a record.
fn commit_of(world: &World<'_>, body: &ClaimsBody) -> Result<Option<Commit>, Stop> {
    let commit = world.objects.commit(&body.commit);
    commit.map_err(Stop::broken("read the commit of a record"))
}

/// Takes those claims of a contract that a record has evidence for: a seal that continues another one
/// tests only what is new.
fn stated(contract: &Contract, recorded: &[Evidence]) -> Vec<Claim> {
    let mut claims = derived::all(contract);
    claims.retain(|one| {
        let digest = claim::digest(&one.statement);
        recorded.iter().any(|each| each.claim == digest)
    });
    claims
}

/// Says whether two pieces of evidence are the same bytes.
fn is_same(one: &Evidence, other: Option<&Evidence>) -> bool {
    let text = |evidence: &Evidence| evidence::write(evidence).ok();
    other.is_some_and(|other| text(one).is_some() && text(one) == text(other))
}
