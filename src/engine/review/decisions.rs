//! What people decided on a commit or its tree, with why a decision does not count for it.

use std::collections::BTreeSet;

use super::signed;
use crate::engine::judge::{Judge, reviews};
use crate::engine::ports::Commit;
use crate::ledger::judged::Ledger;
use crate::model::ids::RecordId;
use crate::model::outcome::{Signed, SignedReview};
use crate::model::record::{Record, ReviewBody, Revoked};

/// Lists what was decided on a commit or its tree: records that count, in order, then those of keys
/// that do not.
pub(super) fn on(judge: &Judge<'_>, commit: &Commit) -> Vec<SignedReview> {
    let ledger = &judge.ledger;
    let is_about = |body: &ReviewBody| body.commit == commit.id || body.tree == commit.tree;
    let mut all = ledger.reviews();
    all.retain(|(_, body)| is_about(body));
    let last = last(judge, commit, &all);
    let told = all.into_iter().map(|(record, body)| SignedReview {
        signed: signed(judge, record),
        unfit: unfit(judge, commit, (record, &body), &last),
        body,
    });
    let strange = ledger.strange_reviews().filter(|(_, body)| is_about(body));
    let strange = strange.map(|(record, body)| SignedReview {
        signed: Signed {
            evidence: judge.evidence(record),
            is_approved: false,
        },
        unfit: Some(strange_because(ledger, record)),
        body,
    });
    told.chain(strange).collect()
}

/// Returns the decisions on this tree that are the last word of their keys.
fn last(judge: &Judge<'_>, commit: &Commit, all: &[(&Record, ReviewBody)]) -> BTreeSet<RecordId> {
    let of_tree = all
        .iter()
        .filter(|(record, body)| body.tree == commit.tree && judge.ledger.is_approved(record.id));
    let last = reviews::last(&judge.ledger, of_tree.cloned().collect());
    last.into_iter().map(|(record, _)| record.id).collect()
}

/// Says why a record that counts is no decision on this tree; none where it is one.
fn unfit(
    judge: &Judge<'_>,
    commit: &Commit,
    (record, body): (&Record, &ReviewBody),
    last: &BTreeSet<RecordId>,
) -> Option<&'static str> {
    let has_sealed_all = || {
        let mut plans = body.plans.iter();
        let has_sealed = |plan, contract| judge.has_sealed(&record.header.writer, (plan, contract));
        body.trust.is_empty()
            && !body.plans.is_empty()
            && plans.all(|(plan, seen)| has_sealed(plan, &seen.contract))
    };
    if !judge.ledger.is_approved(record.id) {
        Some("it was not made in the approve role by a key that may approve")
    } else if body.tree != commit.tree {
        Some("it is of another tree")
    } else if !last.contains(&record.id) {
        Some("the same key decided again later")
    } else if has_sealed_all() {
        Some("the same person sealed the plan")
    } else {
        None
    }
}

/// Says why a record does not count that its key proves.
fn strange_because(ledger: &Ledger, record: &Record) -> &'static str {
    let mut revocations = ledger.revocations();
    let is_taken_back = revocations.any(|(_, body)| match &body.what {
        Revoked::Record(id) => *id == record.id,
        Revoked::Key { writer, .. } => *writer == record.header.writer,
    });
    if is_taken_back {
        "it was taken back"
    } else {
        "its key does not count here, or not at that time"
    }
}
