//! Members of `question` and `answer`.

use serde::{Deserialize, Serialize};

use super::NotABody;
use crate::model::claim::answer::{AnswerBody, Decision, QuestionBody};
use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::time::Timestamp;
use crate::wire::text::Text;

/// The members of a question as written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct QuestionMembers {
    claim_digest: Text<Digest>,
    commit: Text<Oid>,
    list_digest: Text<Digest>,
    plan: Text<PlanName>,
}

impl From<&QuestionBody> for QuestionMembers {
    fn from(body: &QuestionBody) -> Self {
        Self {
            claim_digest: Text(body.claim),
            commit: Text(body.commit),
            list_digest: Text(body.scope),
            plan: Text(body.plan.clone()),
        }
    }
}

impl From<QuestionMembers> for QuestionBody {
    fn from(members: QuestionMembers) -> Self {
        Self {
            plan: members.plan.0,
            claim: members.claim_digest.0,
            scope: members.list_digest.0,
            commit: members.commit.0,
        }
    }
}

/// The members of an answer as written; `reason` is left out only of a confirmation, `until` is there
/// only of an accepted risk.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AnswerMembers {
    claim_digest: Text<Digest>,
    decision: String,
    list_digest: Text<Digest>,
    question: Text<RecordId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<String>,
}

impl From<&AnswerBody> for AnswerMembers {
    fn from(body: &AnswerBody) -> Self {
        Self {
            claim_digest: Text(body.claim),
            decision: body.decision.as_str().to_owned(),
            list_digest: Text(body.scope),
            question: Text(body.question),
            reason: body.reason.clone(),
            until: body.decision.until().map(|until| until.to_string()),
        }
    }
}

impl AnswerMembers {
    /// Makes the body.
    pub(super) fn into_body(self) -> Result<AnswerBody, NotABody> {
        let until = self.until.as_deref();
        let until = until.map(|text| Timestamp::parse(text).ok_or(NotABody));
        let decision = Decision::parse(&self.decision, until.transpose()?).ok_or(NotABody)?;
        let says_why = self
            .reason
            .as_ref()
            .is_some_and(|reason| !reason.trim().is_empty());
        if !says_why && decision != Decision::Confirm {
            return Err(NotABody);
        }
        Ok(AnswerBody {
            question: self.question.0,
            claim: self.claim_digest.0,
            scope: self.list_digest.0,
            decision,
            reason: self.reason,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::body;

    fn answer(decision: Decision, reason: Option<&str>) -> AnswerBody {
        AnswerBody {
            question: RecordId::NONE,
            claim: Digest::ZERO,
            scope: Digest::ZERO,
            decision,
            reason: reason.map(str::to_owned),
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let question = QuestionBody {
            plan: PlanName::parse("default").unwrap(),
            claim: Digest::ZERO,
            scope: Digest::ZERO,
            commit: Oid::parse(&"1".repeat(40)).unwrap(),
        };
        let text = body::write_question(&question).unwrap();
        assert_eq!(body::read_question(&text), Ok(question));

        for body in [
            answer(Decision::Confirm, None),
            answer(Decision::Reject, Some("no")),
            answer(Decision::AcceptRisk(Timestamp::EPOCH), Some("soon gone")),
        ] {
            let text = body::write_answer(&body).unwrap();
            assert_eq!(body::read_answer(&text), Ok(body));
        }
    }

    #[test]
    fn what_says_no_reason_or_no_date_is_no_answer() {
        let risk = Decision::AcceptRisk(Timestamp::EPOCH);
        let accepted = body::write_answer(&answer(risk, Some("x"))).unwrap();
        let confirmed = body::write_answer(&answer(Decision::Confirm, None)).unwrap();
        for text in [
            body::write_answer(&answer(Decision::Reject, None)).unwrap(),
            body::write_answer(&answer(Decision::Defer, Some(" "))).unwrap(),
            accepted.replace("1970-01-01T00:00:00Z", "1970-01-01"),
            accepted.replace("accept-risk", "confirm"),
            confirmed.replace("confirm", "accept-risk"),
            confirmed.replace("confirm", "allow"),
        ] {
            assert_eq!(body::read_answer(&text), Err(NotABody), "{text}");
        }
    }
}
