//! `revoke`: says that a record, or what a key wrote after a record, no longer counts.

use super::append::{Entry, concluded, restore, seen};
use super::audit;
use super::judge::Judge;
use super::own_key;
use super::stop::Stop;
use super::world::{Recorder, World};
use crate::model::finding::{Finding, judging as judging_rows, lineage as rows};
use crate::model::ids::{RecordId, Writer};
use crate::model::outcome::{Details, Outcome, Revocation, Word};
use crate::model::record::{Kind, RevokeBody, Revoked, Role};
use crate::model::text::shown;
use crate::wire::body;

/// What is asked of `revoke`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Request {
    /// What is taken back.
    pub(crate) what: What,
    /// Why.
    pub(crate) reason: String,
    /// The role in which it is signed.
    pub(crate) role: Role,
}

/// What is taken back, as a person names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum What {
    /// The record whose id begins so.
    Record(String),
    /// What a key wrote.
    Key {
        /// The key.
        writer: Writer,
        /// The beginning of the id of the last record of it that counts; none if none does.
        last: Option<String>,
    },
}

/// Takes something back.
pub(crate) fn revoke(
    world: &World<'_>,
    recorder: &Recorder<'_>,
    request: &Request,
) -> Result<Outcome, Stop> {
    let identity = audit::identity(world)?;
    super::seal::demand_role(world, recorder, request.role)?;
    let restored =
        restore(world, recorder, identity).map_err(|finding| Stop::Unknown(vec![*finding]))?;
    let judge = Judge::of_workspace(world, None)?;
    demand_approver(&judge, request.role)?;
    // It would say that evidence is taken back, and nobody would heed it.
    if let Some(idle) = own_key::of_recorder(&judge, recorder, request.role) {
        return Err(Stop::refuse(idle));
    }
    let what = resolved(&judge, &request.what)?;
    let mut findings = judge.findings.clone();
    findings.extend(restored);
    let mut known = judge.ledger.revocations();
    if let Some((record, _)) = known.find(|(_, body)| body.what == what) {
        return Ok(done(what, record.id, true, findings));
    }
    let head = world.objects.resolve("HEAD");
    let head = head.map_err(Stop::broken("resolve HEAD"))?;
    let text = body::write_revoke(&RevokeBody {
        what: what.clone(),
        reason: request.reason.clone(),
    });
    let entry = Entry {
        target: head.map_or_else(|| world.objects.empty_tree(), |head| head.id),
        // A body of ids and texts always has a canonical form.
        records: vec![(Kind::Revoke, text.unwrap_or_default())],
        kept: Vec::new(),
        subject: subject(&what),
        seen: seen(&judge.ledger, recorder, identity),
        role: request.role,
        time: recorder.clock.now(),
    };
    let ends = (entry, findings);
    Ok(concluded(
        &judge,
        (recorder, identity),
        ends,
        |record, findings| done(what, record, false, findings),
    ))
}

/// Refuses what would have no effect: where somebody may approve, only they take something back. That
/// the key may is known by now.
fn demand_approver(judge: &Judge<'_>, role: Role) -> Result<(), Stop> {
    if role == Role::Approve || !judge.trusting.trust.signers.has_approver() {
        return Ok(());
    }
    let message = "only a key that may approve takes evidence back here";
    let hint = "git plan-audit revoke --approve, with a key whose namespaces in \
                .plan-auditor/allowed_signers name git-plan-audit-approve";
    Err(Stop::refuse(
        Finding::new(&rows::CANNOT_APPROVE, message).hint(hint),
    ))
}

/// Finds the records that a person names.
fn resolved(judge: &Judge<'_>, what: &What) -> Result<Revoked, Stop> {
    match what {
        What::Record(start) => named(judge, start, None).map(Revoked::Record),
        What::Key { writer, last } => {
            demand_known(judge, writer)?;
            let last = last.as_ref();
            let last = last.map(|start| named(judge, start, Some(writer)));
            Ok(Revoked::Key {
                writer: writer.clone(),
                last: last.transpose()?,
            })
        }
    }
}

/// Refuses a key that is not listed and has proven no record here: it may be misspelled.
fn demand_known(judge: &Judge<'_>, writer: &Writer) -> Result<(), Stop> {
    let mut listed = judge.ledger.listed().into_iter();
    let has_recorded = listed.any(|record| record.is_sound && record.writer == *writer);
    if has_recorded || judge.trusting.trust.signers.lists(writer) {
        return Ok(());
    }
    let message = format!(
        "{writer} has recorded nothing here, and evidence counts from {}",
        judge.trusting.sentence()
    );
    let hint = "git plan-audit log names the keys that recorded; nothing is to be taken back of another one";
    Err(Stop::refuse(
        Finding::new(&judging_rows::KEY_UNKNOWN, message).hint(hint),
    ))
}

/// Finds the one record, of a key where one is named, whose id begins so.
fn named(judge: &Judge<'_>, start: &str, writer: Option<&Writer>) -> Result<RecordId, Stop> {
    let listed = judge.ledger.listed().into_iter();
    let found: Vec<RecordId> = listed
        .filter(|record| record.is_sound && writer.is_none_or(|writer| record.writer == *writer))
        .filter(|record| record.id.is_named_by(start))
        .map(|record| record.id)
        .collect();
    if let [id] = found.as_slice() {
        return Ok(*id);
    }
    let message = format!(
        "{} records, of those that are asked for, have an id that begins with {}",
        found.len(),
        shown(start)
    );
    Err(Stop::refuse(
        Finding::new(&judging_rows::UNKNOWN_RECORD, message).hint("git plan-audit log"),
    ))
}

/// Writes the subject of the commit.
fn subject(what: &Revoked) -> String {
    match what {
        Revoked::Record(id) => format!("revoke record {}", id.short()),
        Revoked::Key { writer, last: None } => format!("revoke {writer}"),
        Revoked::Key {
            writer,
            last: Some(last),
        } => format!("revoke {writer} after {}", last.short()),
    }
}

/// Tells what is taken back.
fn done(what: Revoked, record: RecordId, already: bool, findings: Vec<Finding>) -> Outcome {
    let revocation = Revocation {
        what,
        record,
        already,
    };
    Outcome::new(Word::Ok, findings, Details::Revoke(Box::new(revocation)))
}
