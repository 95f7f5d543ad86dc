//! `answer`: what somebody with authority says to a question.

use super::answers::{Answers, Said, authority, may_answer};
use crate::engine::append::{Entry, concluded, restore, seen};
use crate::engine::audit;
use crate::engine::bound::{in_tree, on_disk};
use crate::engine::judge::Judge;
use crate::engine::seal::demand_role;
use crate::engine::stop::Stop;
use crate::engine::world::{Recorder, World};
use crate::model::claim::answer::{AnswerBody, Answered, Decision, QuestionBody};
use crate::model::claim::derived;
use crate::model::claim::statement::Statement;
use crate::model::claim::types::Layer;
use crate::model::finding::{Finding, claims as rows};
use crate::model::ids::RecordId;
use crate::model::outcome::{Details, GivenAnswer, Outcome, Word};
use crate::model::record::{Kind, Role};
use crate::model::text::shown;
use crate::wire::{body, claim};

/// What is asked of `answer`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// The question, by the beginning of its id.
    pub(crate) question: String,
    /// What is said.
    pub(crate) decision: Decision,
    /// Why.
    pub(crate) reason: Option<String>,
}

/// Answers a question; refuses who may not, and what says something else than what was said before.
pub(crate) fn answer(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    request: &Request,
) -> Result<Outcome, Stop> {
    let identity = audit::identity(world)?;
    demand_role(world, recorder, Role::Approve)?;
    let restored =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    let judge = Judge::of_workspace(world, None)?;
    let answers = Answers::of(&judge);
    let (id, question) = named(&answers, &request.question)?;
    let statement = statement(world, &question)?;
    demand_decision(&statement, request.decision, recorder)?;
    demand_authority(&judge, &statement, recorder)?;
    let mut findings = judge.findings.clone();
    findings.extend(restored);
    let done = |record, already, findings| {
        let given = GivenAnswer {
            question: id,
            record,
            decision: request.decision,
            line: statement.line(),
            already,
        };
        Outcome::new(Word::Ok, findings, Details::Answer(Box::new(given)))
    };
    if let Some(answered) = before(&answers, &statement, &question, request)? {
        return Ok(done(answered.record, true, findings));
    }
    let text = body::write_answer(&AnswerBody {
        question: id,
        claim: question.claim,
        scope: question.scope,
        decision: request.decision,
        reason: request.reason.clone(),
    });
    let entry = Entry {
        target: question.commit,
        // A body of ids and texts always has a canonical form.
        records: vec![(Kind::Answer, text.unwrap_or_default())],
        kept: Vec::new(),
        subject: format!("answer {}: {}", id.short(), request.decision.as_str()),
        seen: seen(&judge.ledger, recorder, identity),
        role: Role::Approve,
        time: recorder.clock.now(),
    };
    let ends = (entry, findings);
    Ok(concluded(
        &judge,
        (recorder, identity),
        ends,
        |record, findings| done(record, false, findings),
    ))
}

/// Finds the one question whose id begins so.
fn named(answers: &Answers, start: &str) -> Result<(RecordId, QuestionBody), Stop> {
    let found = answers.named(start);
    if let [one] = found.as_slice() {
        return Ok((*one).clone());
    }
    let message = format!(
        "{} questions have an id that begins with {}",
        found.len(),
        shown(start)
    );
    Err(Stop::refuse(
        Finding::new(&rows::QUESTION_UNKNOWN, message).hint("git plan-audit questions"),
    ))
}

/// Finds what is asked in the plans here: a question alone says only its digest, and nobody shall answer
/// what they cannot read.
fn statement(world: &World<'_>, question: &QuestionBody) -> Result<Statement, Stop> {
    let plans = if let Some(workspace) = world.workspace {
        on_disk(workspace)?
    } else {
        let head = world.objects.resolve("HEAD");
        let head = head.map_err(Stop::broken("resolve HEAD"))?;
        let plans = head.map(|head| in_tree(world.objects, &head.tree));
        plans.transpose()?.unwrap_or_default()
    };
    let contracts = plans.iter().filter_map(|plan| plan.contract.as_ref());
    let mut claims = contracts.flat_map(|sealable| derived::all(&sealable.contract));
    let found = claims.find(|one| claim::digest(&one.statement) == question.claim);
    found.map(|one| one.statement).ok_or_else(|| {
        let message = "no plan here makes the claim that is asked about (any more)";
        let hint = "git plan-audit questions";
        Stop::refuse(Finding::new(&rows::QUESTION_UNKNOWN, message).hint(hint))
    })
}

/// Refuses what cannot be said: people neither confirm nor reject what code decides, and no risk is
/// accepted for a time that is over.
fn demand_decision(
    statement: &Statement,
    decision: Decision,
    recorder: &Recorder<'_>,
) -> Result<(), Stop> {
    let is_of_people = statement.kind.layer == Layer::People;
    let (message, hint) = match decision {
        Decision::Confirm | Decision::Reject if !is_of_people => (
            "the code decides this claim: nobody can confirm or reject it",
            "git plan-audit answer Q --accept-risk --until DATE --reason TEXT",
        ),
        Decision::AcceptRisk(until) if until < recorder.clock.now() => (
            "the date of --until is over",
            "git plan-audit answer Q --accept-risk --until DATE --reason TEXT",
        ),
        Decision::Confirm | Decision::Reject | Decision::Defer | Decision::AcceptRisk(_) => {
            return Ok(());
        }
    };
    Err(Stop::refuse(
        Finding::new(&rows::ANSWER_REFUSED, message).hint(hint),
    ))
}

/// Refuses the key of somebody who is not asked.
fn demand_authority(
    judge: &Judge<'_>,
    statement: &Statement,
    recorder: &Recorder<'_>,
) -> Result<(), Stop> {
    let signers = &judge.trusting.trust.signers;
    let (writer, now) = (recorder.signer.writer(), recorder.clock.now());
    if may_answer(signers, statement, (&writer, now)) {
        return Ok(());
    }
    let who = shown(authority(statement).unwrap_or_default());
    let message = format!("{who} is asked, and this clone's key is not listed as {who}");
    let hint = format!(
        "let {who} answer; who that is, is said by .plan-auditor/allowed_signers at the trust point: {who} \
         namespaces=\"git-plan-audit,git-plan-audit-approve\" KEY"
    );
    Err(Stop::refuse(
        Finding::new(&rows::ANSWER_REFUSED, message).hint(hint),
    ))
}

/// Returns the same answer where it was given before; refuses another one.
fn before(
    answers: &Answers,
    statement: &Statement,
    question: &QuestionBody,
    request: &Request,
) -> Result<Option<Answered>, Stop> {
    let message = match answers.said(statement, (question.claim, question.scope)) {
        Said::Nothing => return Ok(None),
        Said::One(answered) if answered.decision == request.decision => return Ok(Some(answered)),
        Said::One(answered) if answered.decision == Decision::Defer => return Ok(None),
        Said::One(answered) => format!(
            "record {} answered it already: {}",
            answered.record.short(),
            answered.decision.as_str()
        ),
        Said::Several => "it has answers that say different things".to_owned(),
    };
    let hint = "git plan-audit revoke --record ID --reason TEXT --approve takes an answer back";
    Err(Stop::refuse(
        Finding::new(&rows::ANSWER_REFUSED, message).hint(hint),
    ))
}
