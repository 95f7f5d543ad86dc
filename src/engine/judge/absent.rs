//! What is said where nobody could prove anything, where no plan binds, and where a key is not listed.

use super::Judge;
use crate::engine::audit::ready::reopens;
use crate::engine::bound::{BoundPlan, on_disk};
use crate::model::finding::{Finding, judging as rows};
use crate::model::outcome::JudgedPlan;
use crate::trust::signers::Source;

impl Judge<'_> {
    /// Adds to a draft that it may have a seal whose key does not count here, and what ends that.
    pub(super) fn with_unlisted(&self, finding: Finding) -> Finding {
        let is_draft = [&rows::DRAFT, &rows::DRAFT_AT_BASE].contains(&finding.row);
        if !is_draft || self.ledger.counts.untrusted == 0 {
            return finding;
        }
        let why = if self.trusting.trust.signers.source == Source::OwnKeys {
            "unless another key sealed it: with one of yours, git plan-audit init --no-hooks --key FILE; \
             somebody else's counts once .plan-auditor/allowed_signers lists it at the trust point"
        } else {
            "unless it is sealed by a key that is to be listed in .plan-auditor/allowed_signers at the \
             trust point"
        };
        let hint = match &finding.hint {
            Some(hint) => format!("{hint}, {why}"),
            None => why.to_owned(),
        };
        finding.hint(hint)
    }

    /// Says that nobody could prove anything.
    pub(super) fn no_trust_root(&self) -> Finding {
        if let Some(name) = &self.trusting.first {
            let message = format!(
                "a plan binds, and no key is known whose evidence could count: {name} is the commit that is judged, \
                 and the first, so that none before it says who counts"
            );
            return Finding::new(&rows::NO_TRUST_ROOT, message)
                .hint("git plan-audit init --no-hooks");
        }
        let is_cut = self.trusting.point.is_none() && self.world.objects.has_remote();
        let (message, hint) = if is_cut {
            (
                "a plan binds, and no key is known whose evidence could count: there is no trust point \
                 here, neither origin/HEAD nor origin/main nor origin/master",
                "git config remote.origin.fetch '+refs/heads/*:refs/remotes/origin/*' && git fetch origin && \
                 git remote set-head origin --auto, or name a commit with --base",
            )
        } else {
            (
                "a plan binds, and no key is known whose evidence could count",
                "git plan-audit init --no-hooks, or list keys in .plan-auditor/allowed_signers at the trust point",
            )
        };
        Finding::new(&rows::NO_TRUST_ROOT, message).hint(hint)
    }

    /// Says that no plan binds: none is here, those that are do not count, or they lie on disk only.
    ///
    /// The disk is asked for a hint alone: where it cannot be read, nothing is said of it.
    pub(super) fn no_plan(&self, plans: &[BoundPlan], judged: &[JudgedPlan]) -> Finding {
        let closed = judged.iter().find(|plan| plan.is_closed);
        if !plans.is_empty() {
            let message = if judged.iter().all(|plan| plan.is_closed) && closed.is_some() {
                "each one that is here is closed"
            } else {
                "each one that is here has ended, is untouched, or is a draft that the trust point holds too"
            };
            let message = format!("no plan binds here: {message}");
            let finding = Finding::new(&rows::NO_PLAN_FOUND, message);
            return match closed {
                Some(plan) => finding.hint(reopens(&plan.name)),
                None => finding,
            };
        }
        let workspace = self.world.workspace;
        let on_disk = workspace.and_then(|workspace| on_disk(workspace).ok());
        let on_disk = on_disk.unwrap_or_default();
        let (message, hint) = match on_disk.first() {
            Some(plan) => (
                format!("no plan binds this commit: {} is on disk, not in it", plan.path),
                "git add .plan-auditor, then git commit",
            ),
            None => (
                "no plan binds here: neither .plan-auditor/plan.json nor .plan-auditor/plans/*.json"
                    .to_owned(),
                "git plan-audit init --no-hooks --starter",
            ),
        };
        Finding::new(&rows::NO_PLAN_FOUND, message).hint(hint)
    }
}
