//! One page of HTML for people who must decide: whole in itself, without scripts, and nothing is fetched.
//!
//! What records and the repository hold is escaped twice: control characters and those that turn the
//! direction of text as everywhere, markup by the templates. The policy in its head lets a browser
//! load and run nothing, should anything have been missed.

mod decisions;
mod parts;
mod plan;
mod steps;

use maud::{DOCTYPE, Markup, html};

use crate::model::finding::Finding;
use crate::model::outcome::ReviewedCommit;
use crate::model::text::{counted, shown};
use crate::wire::digest::sha256_base64;
use parts::{finding, foreign, mark, of_verdict};

/// The style, which the policy names by its digest.
const STYLE: &str = include_str!("html/style.css");

/// Writes the page.
pub(crate) fn page(commits: &[ReviewedCommit], version: &str) -> String {
    let count = counted(commits.len(), "commit");
    let title = match commits {
        [one] => format!("Review of commit {}", one.commit.short()),
        _ => format!("Review of {count}"),
    };
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        sha256_base64(STYLE.as_bytes())
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="referrer" content="no-referrer";
                meta name="generator" content=(format!("git plan-audit {version}"));
                title { (title) }
                style { (maud::PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#commits" { "Skip to the commits" }
                header {
                    h1 { (title) }
                    p.soft {
                        "Judged from recorded evidence alone: nothing was run for this page."
                    }
                    (contents(commits))
                }
                main #commits { @for each in commits { (commit(each)) } }
                (footer(version))
            }
        }
    };
    page.into_string()
}

/// Writes the list of commits, where there are several.
fn contents(commits: &[ReviewedCommit]) -> Markup {
    html! {
        @if commits.len() > 1 {
            nav aria-label="Commits" {
                ol {
                    @for each in commits {
                        li {
                            (mark(of_verdict(each.verdict.as_str()))) " "
                            a href=(format!("#commit-{}", each.commit)) {
                                code { (each.commit.short()) } " " (foreign(&each.subject))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Writes one commit.
fn commit(commit: &ReviewedCommit) -> Markup {
    let id = format!("commit-{}", commit.commit);
    let heading = format!("{id}-heading");
    let (own, of_plans): (Vec<&Finding>, Vec<&Finding>) =
        commit.findings.iter().partition(|each| {
            let mut plans = commit.plans.iter();
            !plans.any(|plan| each.plan.as_ref() == Some(&plan.judged.name))
        });
    html! {
        article #(id) aria-labelledby=(heading) {
            h2 #(heading) {
                (mark(of_verdict(commit.verdict.as_str()))) " "
                (foreign(&commit.subject))
            }
            dl {
                dt { "Commit" } dd { code { (commit.commit) } }
                dt { "Tree" } dd { code { (commit.tree) } }
                dt { "Evidence counts from" } dd { (shown(&commit.trust)) }
                @if let Some(point) = &commit.trust_point {
                    dt { "Trust point" } dd { code { (point) } }
                }
            }
            (findings(&own))
            (decisions::table(commit, &id))
            @for each in &commit.plans {
                @let its = of_plans.iter().filter(|it| it.plan.as_ref() == Some(&each.judged.name));
                (plan::section(each, &its.copied().collect::<Vec<_>>(), &id))
            }
            @if commit.plans.is_empty() { p { "No plan binds this commit." } }
        }
    }
}

/// Writes findings, the loudest first.
fn findings(all: &[&Finding]) -> Markup {
    let mut sorted = all.to_vec();
    sorted.sort_by_key(|finding| finding.row.severity);
    html! {
        @if !sorted.is_empty() {
            ul.findings aria-label="Findings" { @for each in sorted { (finding(each)) } }
        }
    }
}

/// Says what a verdict is worth.
fn footer(version: &str) -> Markup {
    html! {
        footer {
            p {
                "PASS says: the holder of the key that is named ran these checks on this tree, and they \
                 gave the sealed results. If the author of the work can use that key, it is the author's \
                 statement. Whether the checks are the right ones is for people to say."
            }
            p { "Written by git plan-audit " (version) "." }
        }
    }
}
