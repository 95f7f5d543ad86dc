//! The verdict on a whole: of its plans, and of what was found beside them.

use super::Judge;
use crate::model::finding::{Effect, Finding, judging as rows};
use crate::model::outcome::JudgedPlan;
use crate::model::verdict::Verdict;

impl Judge<'_> {
    /// Joins the verdicts of plans with what findings do to the whole: a change of who is trusted
    /// counts even where no plan binds, and so does history that may hide one which does.
    pub(in crate::engine) fn overall(&self, plans: &[JudgedPlan], findings: &[Finding]) -> Verdict {
        let verdict = Verdict::join(plans.iter().map(|plan| plan.verdict));
        let binds = verdict != Verdict::NoPlan;
        let may_bind = self.facts.seals.has_open() || !self.facts.at_base.is_empty();
        let hides = |finding: &Finding| may_bind && finding.row.code == rows::HISTORY.code;
        let whole = findings.iter().filter(|finding| finding.plan.is_none());
        let effects = whole.filter_map(|finding| match finding.row.effect {
            Effect::Fail => Some(Verdict::Fail),
            Effect::Unknown => (binds || hides(finding)).then_some(Verdict::Unknown),
            Effect::None | Effect::DoesNotCount | Effect::Refused => None,
        });
        Verdict::join(effects.chain([verdict]))
    }
}
