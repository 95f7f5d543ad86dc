//! `questions`: what the plans here wait for, all at once.

use super::testing::{self, Known};
use crate::engine::bound::{in_tree, on_disk};
use crate::engine::judge::{Judge, resolved};
use crate::engine::select::{all_or, nothing};
use crate::engine::stop::Stop;
use crate::engine::validate::demand_valid;
use crate::engine::world::World;
use crate::model::claim::answer::Decision;
use crate::model::claim::derived;
use crate::model::claim::gate::Gate;
use crate::model::finding::{Finding, claims as rows};
use crate::model::ids::PlanName;
use crate::model::outcome::{Details, Outcome, ShownQuestion, Word};

/// Lists every claim that keeps a plan from beginning, and every answer that counts.
pub(crate) fn questions(
    world: &World<'_>,
    revision: &str,
    only: Option<&PlanName>,
) -> Result<Outcome, Stop> {
    let commit = resolved(world, revision)?;
    let plans = match world.workspace {
        Some(workspace) => on_disk(workspace)?,
        None => in_tree(world.objects, &commit.tree)?,
    };
    let plans = all_or(plans, only)?;
    if plans.is_empty() {
        return Err(nothing());
    }
    demand_valid(&plans)?;
    let judge = Judge::of_workspace(world, Some(&commit.id))?;
    let known = Known::answered(&judge);
    let mut findings = judge.findings.clone();
    let mut questions = Vec::new();
    for plan in &plans {
        let Some(sealable) = &plan.contract else {
            continue;
        };
        let claims = derived::all(&sealable.contract);
        for claim in testing::test((world, &commit), &claims, &known)? {
            findings.extend(
                super::answers::findings(&claim)
                    .into_iter()
                    .map(|finding| finding.of_plan(&plan.name)),
            );
            if claim.gate == Gate::Pass && claim.answer.is_none() {
                continue;
            }
            let record = known.question(&claim);
            let answer = claim.answer.as_ref();
            let is_open = claim.gate != Gate::Pass
                && answer.is_none_or(|answer| answer.decision == Decision::Defer);
            questions.push(ShownQuestion {
                plan: plan.name.clone(),
                record,
                is_open,
                claim,
            });
        }
    }
    let is_unasked = |question: &ShownQuestion| question.is_open && question.record.is_none();
    if questions.iter().any(is_unasked) {
        let message = "some questions are not recorded, so that nobody can answer them";
        let hint = format!("git plan-audit preflight {}", commit.id.short());
        findings.push(Finding::new(&rows::QUESTION_UNASKED, message).hint(hint));
    }
    Ok(Outcome::new(
        Word::Ok,
        findings,
        Details::Questions(questions),
    ))
}
