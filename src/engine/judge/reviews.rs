//! What people decided who may approve: on a tree and contract, and on changes of who is trusted.
//!
//! The last decision of each key on a subject counts; of two that have not seen each other, the
//! rejection. A rejection is told and takes back what the same key approved, nobody else's approval.

use std::collections::BTreeSet;

use super::Judge;
use crate::engine::earlier::main_line;
use crate::engine::stop::Stop;
use crate::engine::trusting::{differing_files, trust_files};
use crate::ledger::judged::Ledger;
use crate::model::finding::{Finding, judging, review as rows};
use crate::model::ids::{Digest, Oid, PlanName, RecordId, Writer};
use crate::model::record::{Decision, Record, ReviewBody, TrustChange};
use crate::model::state::TrustFiles;
use crate::model::text::shown;
use crate::model::verdict::Verdict;
use crate::trust::signers::Signers;

/// A decision that counts as a record.
pub(in crate::engine) type Decided<'l> = (&'l Record, ReviewBody);

/// What was decided on one subject: the last word of each key.
#[derive(Default)]
struct Words<'l> {
    approved: Vec<&'l Record>,
    rejected: Vec<Decided<'l>>,
}

impl<'l> Words<'l> {
    /// Takes the last word of each key from decisions on one subject, in order.
    fn of(ledger: &'l Ledger, decisions: Vec<Decided<'l>>) -> Self {
        let last = last(ledger, decisions);
        let mut words = Self::default();
        for (record, body) in last {
            let of_same = |other: &&Record| other.header.writer == record.header.writer;
            match body.decision {
                Decision::Reject => {
                    words.approved.retain(|other| !of_same(other));
                    words.rejected.push((record, body));
                }
                Decision::Approve if words.rejected.iter().any(|(one, _)| of_same(one)) => {}
                Decision::Approve => words.approved.push(record),
            }
        }
        words
    }
}

/// Drops the decisions that a later one of the same key has seen.
pub(in crate::engine) fn last<'l>(
    ledger: &Ledger,
    decisions: Vec<Decided<'l>>,
) -> Vec<Decided<'l>> {
    let seen_by_own = |id: RecordId, writer: &Writer| {
        decisions
            .iter()
            .filter(|(other, _)| other.header.writer == *writer && other.id != id)
            .any(|(other, _)| ledger.ancestors(other.id).contains(&id))
    };
    let is_last: Vec<bool> = decisions
        .iter()
        .map(|(record, _)| !seen_by_own(record.id, &record.header.writer))
        .collect();
    let pairs = decisions.into_iter().zip(is_last);
    pairs
        .filter_map(|(one, is_last)| is_last.then_some(one))
        .collect()
}

/// People that keys stand for: keys that share a name in the list of signers are one person's.
#[derive(Default)]
struct People(Vec<BTreeSet<String>>);

impl People {
    /// Adds who holds a key.
    fn add(&mut self, signers: &Signers, writer: &Writer) {
        let mut all = names(signers, writer);
        self.0.retain(|known| {
            let is_same = !known.is_disjoint(&all);
            if is_same {
                all.extend(known.iter().cloned());
            }
            !is_same
        });
        self.0.push(all);
    }

    /// Says whether one of them holds a key.
    fn holds(&self, signers: &Signers, writer: &Writer) -> bool {
        let names = names(signers, writer);
        self.0.iter().any(|known| !known.is_disjoint(&names))
    }
}

/// Returns the names of who holds a key: the key itself, and those that the list of signers gives.
fn names(signers: &Signers, writer: &Writer) -> BTreeSet<String> {
    let listed = signers.principals(writer).unwrap_or_default();
    let listed = listed.split(',').map(|name| name.trim().to_lowercase());
    let listed = listed.filter(|name| !name.is_empty());
    listed.chain([writer.to_string()]).collect()
}

impl Judge<'_> {
    /// Lists the decisions of keys that may approve, signed as such, on one subject, in order.
    fn decisions(&self, is_about: impl Fn(&ReviewBody) -> bool) -> Vec<Decided<'_>> {
        let mut all = self.ledger.reviews();
        all.retain(|(record, body)| self.ledger.is_approved(record.id) && is_about(body));
        all
    }

    /// Names who wrote records, each once.
    fn authors<'r>(&self, records: impl Iterator<Item = &'r Record>) -> String {
        let names: BTreeSet<String> = records.map(|record| self.author(record.id)).collect();
        names.into_iter().collect::<Vec<_>>().join(", ")
    }

    /// Says whether who holds a key sealed a contract.
    pub(in crate::engine) fn has_sealed(
        &self,
        writer: &Writer,
        (plan, contract): (&PlanName, &Digest),
    ) -> bool {
        let mut people = People::default();
        let signers = &self.trusting.trust.signers;
        for seal in self.facts.seals.of_contract(plan, contract) {
            if let Some(record) = self.ledger.get(seal) {
                people.add(signers, &record.header.writer);
            }
        }
        people.holds(signers, writer)
    }

    /// Weighs a verdict on a plan with what people decided on its tree and contract.
    pub(super) fn reviewed(
        &self,
        (plan, contract, tree): (&PlanName, &Digest, &Oid),
        verdict: Verdict,
    ) -> (Verdict, Vec<Finding>) {
        let decisions = self.decisions(|body| {
            let seen = body.plans.get(plan);
            body.tree == *tree && seen.is_some_and(|seen| seen.contract == *contract)
        });
        let words = Words::of(&self.ledger, decisions);
        let mut findings: Vec<Finding> = self.rejections(&words).collect();
        let wanted = self.world.settings.reviews;
        if wanted == 0 || verdict != Verdict::Pass {
            return (verdict, of_plan(findings, plan));
        }
        let is_other =
            |record: &&&Record| !self.has_sealed(&record.header.writer, (plan, contract));
        let approved: Vec<&Record> = words.approved.iter().filter(is_other).copied().collect();
        let mut people = People::default();
        for record in &approved {
            people.add(&self.trusting.trust.signers, &record.header.writer);
        }
        let who = self.authors(approved.into_iter());
        let count = people.0.len();
        if u32::try_from(count).unwrap_or(u32::MAX) >= wanted {
            let message = format!("this tree and contract were approved by {who}");
            findings.push(Finding::new(&rows::REVIEWED, message));
            return (verdict, of_plan(findings, plan));
        }
        let is_own = count == 0 && !words.approved.is_empty();
        findings.push(missing((wanted, count), &who, is_own));
        (self.without_evidence(), of_plan(findings, plan))
    }

    /// Tells of rejections.
    fn rejections<'w>(&'w self, words: &'w Words<'_>) -> impl Iterator<Item = Finding> + 'w {
        words.rejected.iter().map(|(record, body)| {
            let message = format!(
                "{} rejected it: {}",
                self.author(record.id),
                shown(&body.text)
            );
            let hint = format!("git plan-audit show {}", record.id.short());
            Finding::new(&rows::REJECTED, message).hint(hint)
        })
    }

    /// Puts what people decided in the place of a change of who is trusted, where they approved it.
    pub(super) fn decided_on_trust(
        &self,
        changed: Option<Finding>,
        trust: &TrustFiles,
    ) -> Result<Vec<Finding>, Stop> {
        let is_change = |finding: &&Finding| *finding.row == judging::TRUST_CHANGED;
        let Some(point) = &self.trusting.tree else {
            return Ok(changed.into_iter().collect());
        };
        let Some(finding) = changed.as_ref().filter(is_change) else {
            return Ok(changed.into_iter().collect());
        };
        let before = trust_files(self.world.objects, point)?;
        let differs = differing_files(&before, trust);
        let mut decisions = Vec::new();
        for (record, body) in self.decisions(|body| holds(&body.trust, &differs)) {
            if self.is_fresh(body.base.as_ref(), &differs, &before)? {
                decisions.push((record, body));
            }
        }
        let words = Words::of(&self.ledger, decisions);
        let mut findings: Vec<Finding> = self.rejections(&words).collect();
        if words.approved.is_empty() {
            findings.push(finding.clone());
        } else {
            let who = self.authors(words.approved.iter().copied());
            let paths: Vec<&str> = differs.keys().map(String::as_str).collect();
            let message = format!(
                "{} in .plan-auditor/ differ from the trust point, and {who} approved what they are now",
                shown(&paths.join(", "))
            );
            findings.push(Finding::new(&rows::TRUST_APPROVED, message));
        }
        Ok(findings)
    }

    /// Says whether files that carry trust are at the trust point what they were when somebody decided,
    /// and have not been anything else there since: once the trust point has taken a change over, or
    /// has another one, the decision is spent.
    fn is_fresh(
        &self,
        base: Option<&Oid>,
        differs: &TrustChange,
        before: &TrustFiles,
    ) -> Result<bool, Stop> {
        let (Some(base), Some(point)) = (base, &self.trusting.point) else {
            return Ok(false);
        };
        let of = |files: &TrustFiles| -> Vec<Option<(u32, Oid)>> {
            let paths = differs.keys();
            paths.map(|path| files.get(path).copied()).collect()
        };
        let now = of(before);
        for commit in main_line(self.world.objects, point.commit) {
            let Some(commit) = commit? else {
                return Ok(false);
            };
            if of(&trust_files(self.world.objects, &commit.tree)?) != now {
                return Ok(false);
            }
            if commit.id == *base {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Says whether a decision names each of these files as it is now.
fn holds(decided: &TrustChange, differs: &TrustChange) -> bool {
    let mut all = differs.iter();
    all.all(|(path, file)| decided.get(path) == Some(file))
}

/// Names the plan that findings speak of.
fn of_plan(findings: Vec<Finding>, plan: &PlanName) -> Vec<Finding> {
    let all = findings.into_iter();
    all.map(|finding| finding.of_plan(plan)).collect()
}

/// Says that too few people approved.
fn missing((wanted, count): (u32, usize), who: &str, is_own: bool) -> Finding {
    let wanted = match wanted {
        1 => "1 person has".to_owned(),
        many => format!("{many} people have"),
    };
    let have = match (count, is_own) {
        (0, false) => "nobody did".to_owned(),
        (0, true) => "only who sealed it did".to_owned(),
        (_, _) => format!("{who} did"),
    };
    let message =
        format!("{wanted} to approve this tree and contract, beside who sealed it: {have}");
    Finding::new(&rows::MISSING, message).hint(
        "git plan-audit review shows it; somebody who may approve: git plan-audit review --approve -m TEXT \
         COMMIT, git plan-audit sync",
    )
}
