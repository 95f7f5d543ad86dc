//! Which audits of one tree and contract count, and what they say together (DESIGN 7.3).

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::Judge;
use crate::engine::bound::BoundPlan;
use crate::engine::ports::Objects;
use crate::engine::stop::Stop;
use crate::engine::usable::{informative, listed, unfit};
use crate::model::check::{CheckResult, Met};
use crate::model::contract::Contract;
use crate::model::finding::{Finding, judging as rows, ledger as ledger_rows, state as state_rows};
use crate::model::ids::{Oid, RecordId, Writer};
use crate::model::outcome::{Evidence, EvidenceOfAudit};
use crate::model::recompute;
use crate::model::record::{AuditBody, AuditPlace, Kept, Record, StepResult};
use crate::model::state::{Flag, Noted};
use crate::model::text;
use crate::model::verdict::Verdict;
use crate::wire::body;

mod programs;
mod shadows;

/// What the audits of one plan say.
pub(super) struct Counted {
    /// The verdict; none when no audit counts.
    pub(super) verdict: Option<Verdict>,
    /// The audits that count.
    pub(super) audits: Vec<Evidence>,
    /// Why the last one of this tree does not count; none where one counts or none is there.
    pub(super) near: Option<String>,
    /// What is to be said.
    pub(super) findings: Vec<Finding>,
}

impl Judge<'_> {
    /// Returns the audit that a piece of evidence names; none where it is no audit that counts.
    pub(in crate::engine) fn audit(&self, evidence: &Evidence) -> Option<(&Record, AuditBody)> {
        let record = self.ledger.get(evidence.record)?;
        Some((record, body::read_audit(&record.body).ok()?))
    }

    /// Returns the results of the audit that a piece of evidence names; none where it is no audit that counts.
    pub(in crate::engine) fn results(
        &self,
        evidence: &Evidence,
    ) -> Result<Option<Vec<StepResult>>, Stop> {
        let audit = self.audit(evidence);
        let read = |(_, body): (&Record, AuditBody)| {
            steps(self.world.objects, &body.steps, body.kept.as_ref())
        };
        audit.map(read).transpose()
    }
}

/// An audit of the contract that can prove the tree.
struct Candidate<'a> {
    record: &'a Record,
    body: AuditBody,
    steps: Vec<StepResult>,
    verdict: Verdict,
    /// Whether it ran where all settings ask, also those of the repository itself: else it may take
    /// a pass back and prove nothing.
    is_asked_for: bool,
}

impl Candidate<'_> {
    /// Lists the results of all its checks.
    fn results(&self) -> impl Iterator<Item = &CheckResult> {
        self.steps.iter().flat_map(|step| {
            let outputs = step.outputs.iter().chain(&step.required);
            let of_outputs = outputs.flat_map(|output| &output.checks);
            step.checks.iter().chain(of_outputs)
        })
    }
}

/// Audits of the tree and contract that cannot prove it.
#[derive(Default)]
struct Near {
    /// How many there are.
    count: usize,
    /// The last of them, and why it does not count.
    last: Option<(RecordId, String)>,
}

/// Counts the audits of a sealed plan for a tree.
pub(super) fn counted(judge: &Judge<'_>, plan: &BoundPlan, tree: &Oid) -> Result<Counted, Stop> {
    let Some(sealable) = &plan.contract else {
        return Ok(Counted {
            verdict: None,
            audits: Vec::new(),
            near: None,
            findings: Vec::new(),
        });
    };
    let mut near = Near::default();
    let mut candidates = Vec::new();
    let is_of = |body: &AuditBody| body.contract == sealable.digest && body.plan == plan.name;
    let audits = judge.ledger.audits();
    for (record, body) in audits.iter().filter(|(_, body)| is_of(body)) {
        let reasons = unfit(body, tree, &judge.demands());
        if body.after.tree == *tree && !reasons.is_empty() {
            let list: Vec<String> = reasons.iter().map(ToString::to_string).collect();
            near.count += 1;
            near.last = Some((record.id, list.join("; ")));
        }
        if unfit(body, tree, &judge.demands_from_outside()).is_empty() {
            let is_asked_for = reasons.is_empty();
            candidates.push(candidate(
                judge,
                &sealable.contract,
                (record, body.clone()),
                is_asked_for,
            )?);
        }
    }
    candidates.retain(|each| each.verdict != Verdict::Unknown);
    let asked: BTreeSet<RecordId> = candidates.iter().map(|each| each.record.id).collect();
    let current = current(judge, candidates);
    let mut counted = conclude(judge, plan, tree, &current, &near);
    let told = programs::findings(judge, (plan, tree), &current, &audits);
    counted.findings.extend(told);
    if counted.verdict == Some(Verdict::Pass) {
        let failure = shadows::unseen_failure(judge, (plan, &sealable.contract), tree, &asked)?;
        if let Some(finding) = failure {
            counted.verdict = Some(Verdict::Unknown);
            counted.findings.push(finding);
        }
    }
    Ok(counted)
}

/// Recomputes one audit.
fn candidate<'a>(
    judge: &Judge<'_>,
    contract: &Contract,
    (record, body): (&'a Record, AuditBody),
    is_asked_for: bool,
) -> Result<Candidate<'a>, Stop> {
    let steps = steps(judge.world.objects, &body.steps, body.kept.as_ref())?;
    let verdict = recompute::audit(contract, &steps);
    Ok(Candidate {
        record,
        body,
        steps,
        verdict,
        is_asked_for,
    })
}

/// Returns the step results, from the line or from the blob that it names.
///
/// A blob that is not the one named gives no results, and so no pass.
pub(crate) fn steps(
    objects: &dyn Objects,
    inline: &[StepResult],
    kept: Option<&Kept>,
) -> Result<Vec<StepResult>, Stop> {
    let Some(kept) = kept else {
        return Ok(inline.to_vec());
    };
    let blob = objects
        .blob(&kept.blob)
        .map_err(Stop::broken("read step results"))?;
    let bytes = blob.ok_or_else(|| {
        let message = format!("step results {} are not in this clone", kept.blob);
        Stop::Unknown(vec![
            Finding::new(&ledger_rows::MISSING, message).hint("git fetch --no-filter --refetch"),
        ])
    })?;
    if body::is_kept(kept, &bytes) {
        Ok(body::read_steps(&bytes).unwrap_or_default())
    } else {
        Ok(Vec::new())
    }
}

/// Drops the candidates that another one has seen, and the passes that the repository's own
/// settings do not ask for: these still stand for the failures that they have seen.
fn current<'a>(judge: &Judge<'_>, mut candidates: Vec<Candidate<'a>>) -> Vec<Candidate<'a>> {
    let seen = seen(judge, &candidates);
    let counts = |each: &Candidate<'_>| {
        let is_open = each.verdict != Verdict::Pass && !seen.contains(&each.record.id);
        each.is_asked_for || is_open
    };
    candidates.retain(counts);
    let seen = self::seen(judge, &candidates);
    candidates.retain(|each| !seen.contains(&each.record.id));
    candidates
}

/// Lists the records that some candidate has seen.
fn seen(judge: &Judge<'_>, candidates: &[Candidate<'_>]) -> BTreeSet<RecordId> {
    let ids = candidates.iter().map(|each| each.record.id);
    ids.flat_map(|id| judge.ledger.ancestors(id)).collect()
}

/// Says what the current audits say together.
fn conclude(
    judge: &Judge<'_>,
    plan: &BoundPlan,
    tree: &Oid,
    current: &[Candidate<'_>],
    near: &Near,
) -> Counted {
    let mut findings = Vec::new();
    if current.is_empty() {
        findings.push(no_evidence(judge, plan, tree, near));
        return Counted {
            verdict: None,
            audits: Vec::new(),
            near: near.last.as_ref().map(|(_, why)| why.clone()),
            findings,
        };
    }
    if current.len() > 1 {
        let message = format!(
            "{} audits of this tree and contract are current",
            current.len()
        );
        findings.push(Finding::new(&rows::CONCURRENT, message));
    }
    findings.extend(failed(judge, plan, tree, current));
    if current
        .iter()
        .any(|each| each.body.place == AuditPlace::Worktree)
    {
        let message = "checks ran in a work tree: ignored files of that machine took part";
        findings.push(Finding::new(&rows::WORKTREE_PLACE, message));
    }
    findings.extend(notes(plan, current));
    if current
        .iter()
        .any(|each| matches!(each.record.header.writer, Writer::Hmac(_)))
    {
        let message = "evidence rests on a shared key: it proves nothing to those who lack it";
        findings.push(Finding::new(&rows::HMAC_ONLY, message));
    }
    let verdict = Verdict::join(current.iter().map(|each| each.verdict));
    let audits = current.iter().map(|each| evidence(judge, each)).collect();
    Counted {
        verdict: Some(verdict),
        audits,
        near: None,
        findings,
    }
}

/// Says what was hidden or odd where the audits ran, before or after the checks; once for each.
fn notes(plan: &BoundPlan, current: &[Candidate<'_>]) -> Vec<Finding> {
    let states = || {
        current
            .iter()
            .flat_map(|each| [&each.body.after, &each.body.before])
    };
    // In a private checkout only its own checks can have made them.
    let in_place = current
        .iter()
        .filter(|each| each.body.place == AuditPlace::Worktree);
    let mut in_place = in_place.flat_map(|each| [&each.body.after, &each.body.before]);
    let hidden = in_place.find(|state| state.hidden.count > 0).map(|state| {
        let list = listed(&state.hidden);
        let message = format!(
            "files took part in the audit of plan {} that only untracked rules hide: {list}",
            plan.name
        );
        Finding::new(&state_rows::HIDDEN, message)
    });
    let note = |(flag, noted): (Flag, &Noted)| {
        let row = if flag == Flag::Touched {
            &state_rows::TOUCHED
        } else {
            &state_rows::FLAG_INFO
        };
        let message = format!("where the checks ran, {}: {}", flag.as_str(), listed(noted));
        Finding::new(row, message)
    };
    let odd = informative(states()).into_iter().map(note);
    hidden.into_iter().chain(odd).collect()
}

/// Says that a current audit failed, and what ends that.
fn failed(
    judge: &Judge<'_>,
    plan: &BoundPlan,
    tree: &Oid,
    current: &[Candidate<'_>],
) -> Option<Finding> {
    let failed = current.iter().find(|each| each.verdict == Verdict::Fail)?;
    let message = format!(
        "an audit of plan {} for tree {} failed in {}",
        plan.name,
        tree.short(),
        failed_steps(plan, current)
    );
    let hint = format!(
        "mend what failed (git plan-audit show {} has what it said), then {}",
        failed.record.id.short(),
        judge.audit_command()
    );
    Some(Finding::new(&rows::AUDIT_FAILED, message).hint(hint))
}

/// Names the steps in which audits failed.
fn failed_steps(plan: &BoundPlan, current: &[Candidate<'_>]) -> String {
    let contract = plan.contract.iter().map(|sealable| &sealable.contract);
    let mut names = BTreeSet::new();
    for contract in contract {
        for (step, result) in current
            .iter()
            .flat_map(|each| contract.steps.iter().zip(&each.steps))
        {
            if recompute::step(contract, step, result) == Met::Failed {
                names.insert(format!("step {} ({})", step.id, text::shown(&step.title)));
            }
        }
    }
    if names.is_empty() {
        return "results that do not fit the contract".to_owned();
    }
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// Says that nothing proves the tree, and what nearly does.
fn no_evidence(judge: &Judge<'_>, plan: &BoundPlan, tree: &Oid, near: &Near) -> Finding {
    let mut message = format!(
        "no usable audit of plan {} names tree {}",
        plan.name,
        tree.short()
    );
    if let Some((id, why)) = &near.last {
        let which = match near.count {
            1 => format!("audit {}", id.short()),
            count => format!(
                "{count} audits of it do not count, the last of them {}",
                id.short()
            ),
        };
        let _ = match near.count {
            1 => write!(message, "; {which} does not count: {why}"),
            _ => write!(message, "; {which}: {why}"),
        };
    }
    Finding::new(&rows::NO_EVIDENCE, message).hint(judge.audit_command())
}

/// Names an audit with what it says.
fn evidence(judge: &Judge<'_>, each: &Candidate<'_>) -> Evidence {
    let (mut programs, mut variables) = (BTreeSet::new(), BTreeSet::new());
    for result in each.results() {
        let program = result.program.as_ref();
        programs.extend(program.map(|each| format!("{} sha256:{}", each.path, each.sha256)));
        variables.extend(result.variables.iter().cloned());
    }
    let audit = EvidenceOfAudit {
        verdict: each.verdict,
        place: each.body.place.as_str(),
        platform: each.body.platform.clone(),
        programs: programs.into_iter().collect(),
        variables: variables.into_iter().collect(),
    };
    Evidence {
        audit: Some(audit),
        ..judge.evidence(each.record)
    }
}
