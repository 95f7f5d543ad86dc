//! Bodies of records: the members of each kind that this version writes, in RFC 8785 form.
//!
//! Reading is strict by one rule: the value is written again and must be the same bytes.

mod audit;
mod check;
mod claims;
mod close;
mod instance;
mod pins;
mod question;
mod review;
mod revoke;
mod run;
mod seal;
mod state;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::canonical;
use crate::model::claim::answer::{AnswerBody, QuestionBody};
use crate::model::ids::Oid;
use crate::model::pins::Pins;
use crate::model::record::{
    AuditBody, ClaimsBody, CloseBody, InstanceBody, Kept, ReviewBody, RevokeBody, RunBody,
    SealBody, StepResult,
};

/// A body is not one that this version writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the body is not one of its kind")]
pub(crate) struct NotABody;

/// Writes the body of an `instance` record.
pub(crate) fn write_instance(body: &InstanceBody) -> Result<String, NotABody> {
    write(&instance::Members::from(body))
}

/// Reads the body of an `instance` record.
pub(crate) fn read_instance(text: &str) -> Result<InstanceBody, NotABody> {
    read::<instance::Members>(text).map(InstanceBody::from)
}

/// Writes the body of a `seal` record.
pub(crate) fn write_seal(body: &SealBody) -> Result<String, NotABody> {
    write(&seal::Members::from(body))
}

/// Reads the body of a `seal` record.
pub(crate) fn read_seal(text: &str) -> Result<SealBody, NotABody> {
    read::<seal::Members>(text)?.into_body()
}

/// Writes the body of a `claims` record.
pub(crate) fn write_claims(body: &ClaimsBody) -> Result<String, NotABody> {
    write(&claims::Members::from(body))
}

/// Reads the body of a `claims` record.
pub(crate) fn read_claims(text: &str) -> Result<ClaimsBody, NotABody> {
    read::<claims::Members>(text)?.into_body()
}

/// Writes the body of a `question` record.
pub(crate) fn write_question(body: &QuestionBody) -> Result<String, NotABody> {
    write(&question::QuestionMembers::from(body))
}

/// Reads the body of a `question` record.
pub(crate) fn read_question(text: &str) -> Result<QuestionBody, NotABody> {
    read::<question::QuestionMembers>(text).map(QuestionBody::from)
}

/// Writes the body of an `answer` record.
pub(crate) fn write_answer(body: &AnswerBody) -> Result<String, NotABody> {
    write(&question::AnswerMembers::from(body))
}

/// Reads the body of an `answer` record.
pub(crate) fn read_answer(text: &str) -> Result<AnswerBody, NotABody> {
    read::<question::AnswerMembers>(text)?.into_body()
}

/// Writes the body of a `close` record.
pub(crate) fn write_close(body: &CloseBody) -> Result<String, NotABody> {
    write(&close::Members::from(body))
}

/// Reads the body of a `close` record.
pub(crate) fn read_close(text: &str) -> Result<CloseBody, NotABody> {
    read::<close::Members>(text)?.into_body()
}

/// Writes the body of a `review` record.
pub(crate) fn write_review(body: &ReviewBody) -> Result<String, NotABody> {
    write(&review::Members::from(body))
}

/// Reads the body of a `review` record.
pub(crate) fn read_review(text: &str) -> Result<ReviewBody, NotABody> {
    read::<review::Members>(text)?.into_body()
}

/// Writes the body of a `revoke` record.
pub(crate) fn write_revoke(body: &RevokeBody) -> Result<String, NotABody> {
    write(&revoke::Members::from(body))
}

/// Reads the body of a `revoke` record.
pub(crate) fn read_revoke(text: &str) -> Result<RevokeBody, NotABody> {
    read::<revoke::Members>(text)?.into_body()
}

/// Writes the body of an `audit` record.
pub(crate) fn write_audit(body: &AuditBody) -> Result<String, NotABody> {
    write(&audit::Members::from(body))
}

/// Reads the body of an `audit` record.
pub(crate) fn read_audit(text: &str) -> Result<AuditBody, NotABody> {
    read::<audit::Members>(text)?.into_body()
}

/// Writes the body of a `run` record.
pub(crate) fn write_run(body: &RunBody) -> Result<String, NotABody> {
    write(&run::Members::from(body))
}

/// Reads the body of a `run` record.
pub(crate) fn read_run(text: &str) -> Result<RunBody, NotABody> {
    read::<run::Members>(text)?.into_body()
}

/// Writes step results, for the line or for a blob beside it (D22).
pub(crate) fn write_steps(steps: &[StepResult]) -> Result<String, NotABody> {
    write(&steps.iter().map(audit::Step::from).collect::<Vec<_>>())
}

/// Reads step results from the blob that an `audit` or `run` record keeps.
pub(crate) fn read_steps(bytes: &[u8]) -> Result<Vec<StepResult>, NotABody> {
    let text = std::str::from_utf8(bytes).map_err(|_| NotABody)?;
    read::<Vec<audit::Step>>(text)?
        .into_iter()
        .map(audit::Step::into_result)
        .collect()
}

/// Writes pinned files, for the line or for a blob beside it (D22).
pub(crate) fn write_pins(pins: &Pins) -> Result<String, NotABody> {
    write(&pins::members(pins))
}

/// Reads pinned files from the blob that a `seal` record keeps.
pub(crate) fn read_pins(bytes: &[u8]) -> Result<Pins, NotABody> {
    let text = std::str::from_utf8(bytes).map_err(|_| NotABody)?;
    pins::pins(read::<Vec<pins::Members>>(text)?)
}

/// Names kept bytes, given what their blob is called.
pub(crate) fn kept(blob: Oid, bytes: &[u8]) -> Kept {
    Kept {
        blob,
        bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        sha256: super::digest::sha256(bytes),
    }
}

/// Says whether kept bytes are those that a record names.
pub(crate) fn is_kept(kept: &Kept, bytes: &[u8]) -> bool {
    u64::try_from(bytes.len()).is_ok_and(|length| length == kept.bytes)
        && super::digest::sha256(bytes) == kept.sha256
}

/// Writes members in RFC 8785 form.
fn write<T: Serialize>(members: &T) -> Result<String, NotABody> {
    let value = serde_json::to_value(members).map_err(|_| NotABody)?;
    canonical::write(&value).map_err(|_| NotABody)
}

/// Reads members and demands that they are written as the text is.
#[expect(
    clippy::disallowed_methods,
    reason = "this is wire; the bytes are compared"
)]
fn read<T: Serialize + DeserializeOwned>(text: &str) -> Result<T, NotABody> {
    let members: T = serde_json::from_str(text).map_err(|_| NotABody)?;
    if write(&members)? == text {
        Ok(members)
    } else {
        Err(NotABody)
    }
}

#[cfg(test)]
mod tests;
