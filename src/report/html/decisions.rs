//! What people decided on a commit, and waivers that name it.

use maud::{Markup, html};

use super::parts::{code, mark, of_decision, prose, table as wrapped, time, who};
use crate::model::outcome::{ReviewedCommit, SignedReview};
use crate::model::record::Decision;

/// Writes what people decided; nothing where nobody did.
pub(super) fn table(commit: &ReviewedCommit, id: &str) -> Markup {
    let heading = format!("{id}-reviews");
    html! {
        @if !(commit.reviews.is_empty() && commit.waivers.is_empty()) {
            section aria-labelledby=(heading) {
                h3 #(heading) { "What people decided" }
                @if !commit.reviews.is_empty() {
                    (wrapped("Reviews of this commit or its tree", &rows(&commit.reviews)))
                }
                @for each in &commit.waivers {
                    p {
                        "Waiver " code { (each.evidence.record.short()) } " by " (who(&each.evidence))
                        ": no effect in this version."
                    }
                }
            }
        }
    }
}

/// Writes one row for each review.
fn rows(reviews: &[SignedReview]) -> Markup {
    html! {
        thead {
            tr {
                th scope="col" { "Decision" } th scope="col" { "Who, with which key" }
                th scope="col" { "When" } th scope="col" { "Role" } th scope="col" { "What was said" }
            }
        }
        tbody { @for each in reviews { (row(each)) } }
    }
}

/// Writes one review.
fn row(review: &SignedReview) -> Markup {
    let (evidence, body) = (&review.signed.evidence, &review.body);
    let word = of_decision(body.decision == Decision::Approve, review.unfit.is_none());
    html! {
        tr {
            td.word-cell { (mark(word)) }
            th scope="row" { (who(evidence)) }
            td { (time(evidence)) }
            td { (review.signed.role()) }
            td {
                (prose(&body.text))
                @if let Some(why) = review.unfit { p.hint { "It does not count: " (why) "." } }
                @for (path, file) in &body.trust {
                    p.hint {
                        "decided on " (code(&format!(".plan-auditor/{path}"))) ", which "
                        @match file {
                            Some((_, id)) => { "is " code { (id.short()) } }
                            None => { "is gone" }
                        }
                    }
                }
                p.hint { "record " code { (evidence.record.short()) } ", tree " code { (body.tree.short()) } }
            }
        }
    }
}
