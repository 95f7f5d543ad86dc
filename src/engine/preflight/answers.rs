//! Answers that count, and what they say of claims.

use crate::engine::judge::Judge;
use crate::model::claim::answer::{AnswerBody, Answered, Decision, QuestionBody};
use crate::model::claim::evidence::Tested;
use crate::model::claim::statement::Statement;
use crate::model::claim::types::Layer;
use crate::model::finding::{Finding, claims as rows};
use crate::model::ids::{Digest, RecordId, Writer};
use crate::model::outcome::TestedClaim;
use crate::model::record::Record;
use crate::model::time::Timestamp;
use crate::trust::signers::Signers;

/// One answer of the ledger, by a key that may approve.
#[derive(Debug)]
struct Given {
    record: RecordId,
    writer: Writer,
    time: Timestamp,
    body: AnswerBody,
}

/// The questions and answers of a ledger.
#[derive(Debug)]
pub(in crate::engine) struct Answers {
    questions: Vec<(RecordId, QuestionBody)>,
    given: Vec<Given>,
    signers: Signers,
    now: Timestamp,
}

/// What answers say of one statement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::engine) enum Said {
    /// Nothing.
    Nothing,
    /// This.
    One(Answered),
    /// Different things, so that none of them counts.
    Several,
}

impl Answers {
    /// Takes the questions and answers that count.
    pub(in crate::engine) fn of(judge: &Judge<'_>) -> Self {
        let ledger = &judge.ledger;
        let given = |(record, body): (&Record, AnswerBody)| Given {
            record: record.id,
            writer: record.header.writer.clone(),
            time: record.header.time,
            body,
        };
        let answers = ledger.answers().into_iter();
        let questions = ledger.questions().into_iter();
        Self {
            questions: questions.map(|(record, body)| (record.id, body)).collect(),
            given: answers
                .filter(|(record, _)| ledger.is_approved(record.id))
                .map(given)
                .collect(),
            signers: judge.trusting.trust.signers.clone(),
            now: judge.world.clock.now(),
        }
    }

    /// Returns the question that was asked of a statement and what it speaks of.
    pub(in crate::engine) fn question(&self, claim: Digest, scope: Digest) -> Option<RecordId> {
        let mut asked = self.questions.iter();
        asked
            .find(|(_, body)| body.claim == claim && body.scope == scope)
            .map(|(id, _)| *id)
    }

    /// Lists the questions whose ids begin so.
    pub(in crate::engine) fn named(&self, start: &str) -> Vec<&(RecordId, QuestionBody)> {
        let asked = self.questions.iter();
        asked.filter(|(id, _)| id.is_named_by(start)).collect()
    }

    /// Says what is answered to a statement about what it speaks of now.
    pub(in crate::engine) fn said(&self, statement: &Statement, at: (Digest, Digest)) -> Said {
        let (claim, scope) = at;
        let is_meant = |given: &&Given| {
            given.body.claim == claim
                && given.body.scope == scope
                && given
                    .body
                    .decision
                    .until()
                    .is_none_or(|until| self.now <= until)
                && may_answer(&self.signers, statement, (&given.writer, given.time))
        };
        let all: Vec<&Given> = self.given.iter().filter(is_meant).collect();
        // What was put off may be answered after all.
        let mut decided = all
            .iter()
            .filter(|given| given.body.decision != Decision::Defer);
        let Some(mut strictest) = decided.next() else {
            let last = all.last();
            return last.map_or(Said::Nothing, |given| Said::One(self.answered(given)));
        };
        for given in decided {
            let (one, other) = (strictest.body.decision, given.body.decision);
            if one.as_str() != other.as_str() {
                return Said::Several;
            }
            if other < one {
                strictest = given;
            }
        }
        Said::One(self.answered(strictest))
    }

    /// Makes what is shown of an answer.
    fn answered(&self, given: &Given) -> Answered {
        let by = self.signers.principals(&given.writer);
        Answered {
            decision: given.body.decision,
            reason: given.body.reason.clone(),
            by: by.map(str::to_owned),
            record: given.record,
        }
    }
}

/// Returns who has to answer a statement; none where anybody may who approves.
pub(in crate::engine) fn authority(statement: &Statement) -> Option<&str> {
    (statement.kind.layer == Layer::People).then(|| statement.text("authority"))
}

/// Says whether a key may answer for a statement.
pub(in crate::engine) fn may_answer(
    signers: &Signers,
    statement: &Statement,
    (writer, time): (&Writer, Timestamp),
) -> bool {
    match authority(statement) {
        Some(authority) => signers.speaks_for(writer, authority, time),
        None => signers.approves(writer, time),
    }
}

/// Lets what is answered count for a claim.
pub(super) fn settle(claim: &mut TestedClaim, said: Said) {
    match said {
        Said::Nothing => {}
        Said::Several => claim.has_answers_that_differ = true,
        Said::One(answered) => {
            let tested = claim.evidence.tested;
            // What code found to be so needs nobody.
            if tested != Tested::Verified {
                claim.gate = answered.decision.gate(tested, claim.criticality);
                claim.answer = Some(answered);
            }
        }
    }
}

/// Says what people have to know of the answers to a claim.
pub(in crate::engine) fn findings(claim: &TestedClaim) -> Vec<Finding> {
    let ids = claim.ids.join(", ");
    if claim.has_answers_that_differ {
        let message = format!("claim {ids} has answers that say different things, so none counts");
        let hint = "git plan-audit log, then git plan-audit revoke --record ID of the wrong one";
        return vec![Finding::new(&rows::ANSWERS_DIFFER, message).hint(hint)];
    }
    let Some(answer) = &claim.answer else {
        return Vec::new();
    };
    let Some(until) = answer.decision.until() else {
        return Vec::new();
    };
    let message = format!(
        "{} accepts up to {until} that claim {ids} is {}: {}",
        answer.by.as_deref().unwrap_or("an approver"),
        claim.evidence.tested.as_str(),
        answer.reason.as_deref().unwrap_or_default()
    );
    let hint = format!("git plan-audit show {}", answer.record.short());
    vec![Finding::new(&rows::RISK_ACCEPTED, message).hint(hint)]
}
