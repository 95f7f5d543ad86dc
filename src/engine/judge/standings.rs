//! What is to be said of where plans stand and of the lineages of their seals.

use super::Judge;
use crate::engine::audit::ready::gone;
use crate::engine::lineage::Seals;
use crate::engine::standing::Standing;
use crate::model::finding::{
    Finding, judging as rows, ledger as ledger_rows, lineage as lineage_rows,
};
use crate::model::ids::{PlanName, RecordId};
use crate::model::text::{counted, shown};

/// Says where a plan stands, when that is not well.
pub(in crate::engine) fn finding(name: &PlanName, standing: &Standing) -> Option<Finding> {
    let path = name.path();
    let finding = match standing {
        Standing::Sealed(_) | Standing::Invalid => return None,
        Standing::Draft => Finding::new(
            &rows::DRAFT,
            format!("plan {name} is a draft: its contract has no seal that counts here"),
        )
        .hint(format!("git plan-audit seal --plan {name}")),
        Standing::DraftAtBase => Finding::new(
            &rows::DRAFT_AT_BASE,
            format!("plan {name} is a draft that the trust point holds too: it does not count"),
        ),
        Standing::Edited(sealed) => Finding::new(
            &rows::DRAFT,
            format!(
                "plan {name} differs from its sealed contract {}",
                sealed.short()
            ),
        )
        .hint(format!(
            "git plan-audit diff --plan {name} shows the edit; put the sealed text back, or seal it"
        )),
        Standing::Broken(_) | Standing::RolledBack(_) | Standing::Unfounded(_) => {
            return broken(name, standing);
        }
        Standing::Removed(sealed) => Finding::new(
            &rows::PLAN_REMOVED,
            format!(
                "plan {name} is sealed ({}) and its file {path} is gone",
                sealed.short()
            ),
        )
        .hint(gone(name)),
    };
    Some(finding.of_plan(name))
}

/// Says what ends that two branches wrote their plan into one file.
pub(in crate::engine) fn two_in_one(name: &PlanName) -> String {
    format!(
        "where two branches wrote {path}: put the other one's text back there, yours into \
         .plan-auditor/plans/NEW.json, then git plan-audit seal --plan NEW --from {name}",
        path = name.path()
    )
}

/// Says why the seal of a plan does not stand.
fn broken(name: &PlanName, standing: &Standing) -> Option<Finding> {
    let path = name.path();
    let finding = match standing {
        Standing::Broken(other) => Finding::new(
            &rows::SEAL_BROKEN,
            format!(
                "plan {name} was sealed as {} earlier on this line of work, and its present \
                 contract does not continue that",
                other.short()
            ),
        )
        .hint(format!(
            "git plan-audit diff --plan {name}; git plan-audit seal --plan {name}; {}",
            two_in_one(name)
        )),
        Standing::RolledBack(later) => Finding::new(
            &lineage_rows::ROLLED_BACK,
            format!(
                "plan {name} was sealed as {} earlier on this line of work, and holds an earlier \
                 contract of that lineage again",
                later.short()
            ),
        )
        .hint(format!("git log -p -- {path}; put the later text back")),
        Standing::Unfounded(seal) => Finding::new(
            &rows::SEAL_BROKEN,
            format!(
                "seal {} of plan {name} follows others and is neither stronger than they nor a new \
                 generation with a reason",
                seal.short()
            ),
        )
        .hint(format!(
            "git plan-audit log; git plan-audit show {}",
            seal.short()
        )),
        Standing::Sealed(_)
        | Standing::Invalid
        | Standing::Draft
        | Standing::DraftAtBase
        | Standing::Edited(_)
        | Standing::Removed(_) => return None,
    };
    Some(finding.of_plan(name))
}

/// Names what ends the waiting of a new generation for approval.
pub(in crate::engine) fn approved_by(plan: &PlanName) -> String {
    format!(
        "git plan-audit sync; then somebody who may approve: git plan-audit sync, git plan-audit seal \
         --plan {plan} --new-generation --reason TEXT --approve, git plan-audit sync"
    )
}

/// Says that contracts are missing by which links of lineages have to be judged.
pub(super) fn contracts_missing(seals: &Seals) -> Option<Finding> {
    let first = seals.missing.first()?;
    let message = format!(
        "the contract of seal {}, or of one that it continues, is not in this clone",
        first.short()
    );
    Some(Finding::new(&ledger_rows::MISSING, message).hint("git fetch --refetch"))
}

impl Judge<'_> {
    /// Says what a reader must know of the lineage of a seal: new generations first.
    pub(in crate::engine) fn lineage_findings(
        &self,
        plan: &PlanName,
        seal: RecordId,
    ) -> Vec<Finding> {
        let mut findings = self.renewal_findings(plan, seal);
        findings.extend(self.concurrent_finding(plan, seal));
        findings
            .into_iter()
            .map(|each| each.of_plan(plan))
            .collect()
    }

    /// Says that a lineage has several current seals.
    pub(in crate::engine) fn concurrent_finding(
        &self,
        plan: &PlanName,
        seal: RecordId,
    ) -> Option<Finding> {
        let heads = self.facts.seals.concurrent(seal)?;
        let ids: Vec<String> = heads.iter().map(RecordId::short).collect();
        let message = format!(
            "seals {} of plan {plan} continue the same one and have not seen each other",
            ids.join(" and ")
        );
        let hint = format!("git plan-audit seal --plan {plan} with a contract that holds both");
        let finding = Finding::new(&lineage_rows::CONCURRENT, message).hint(hint);
        Some(finding.of_plan(plan))
    }

    /// Tells of new generations, one line for those that are as loud as each other: the newest, with
    /// how many came before it. One command shows all of them.
    fn renewal_findings(&self, plan: &PlanName, seal: RecordId) -> Vec<Finding> {
        let mut is_approved = false;
        let mut told: Vec<(Finding, usize)> = Vec::new();
        // Newest first: who approves a generation approves what came before it.
        for (id, renewed) in self.facts.seals.renewals(seal) {
            is_approved |= renewed.is_approved;
            let row = self.renewal_row(is_approved);
            if let Some((_, more)) = told.iter_mut().find(|(finding, _)| *finding.row == *row) {
                *more += 1;
                continue;
            }
            let reason = renewed.body.reason.as_deref().unwrap_or_default();
            let message = format!(
                "plan {plan} was sealed anew as generation {} by {}: {}",
                renewed.body.generation,
                self.author(id),
                shown(reason)
            );
            told.push((Finding::new(row, message), 0));
        }
        let finding = |(mut finding, more): (Finding, usize)| {
            if more > 0 {
                let generations = counted(more, "generation");
                finding.message = format!("{} ({generations} before it likewise)", finding.message);
            }
            let is_waiting = finding.row.code == lineage_rows::GENERATION_REFUSED.code;
            finding.hint(if is_waiting {
                approved_by(plan)
            } else {
                format!("git plan-audit diff --lineage --plan {plan}")
            })
        };
        told.into_iter().map(finding).collect()
    }

    /// Says whether a new generation counts only with approval: somebody is listed who may approve.
    fn needs_approval(&self) -> bool {
        self.trusting.trust.signers.has_approver()
    }

    /// Chooses how loud a new generation is.
    fn renewal_row(&self, is_approved: bool) -> &'static crate::model::finding::Row {
        match (is_approved, self.needs_approval()) {
            (true, _) => &lineage_rows::GENERATION,
            (false, false) => &lineage_rows::GENERATION_UNAPPROVED,
            (false, true) => &lineage_rows::GENERATION_REFUSED,
        }
    }

    /// Names who wrote a record.
    pub(super) fn author(&self, id: RecordId) -> String {
        let Some(record) = self.ledger.get(id) else {
            return "somebody".to_owned();
        };
        let writer = &record.header.writer;
        let signers = &self.trusting.trust.signers;
        signers
            .principals(writer)
            .map_or_else(|| writer.to_string(), shown)
    }
}
