//! A review as GitHub-flavoured Markdown, for a pull request.

mod escape;
mod plan;

use std::fmt::Write as _;

use crate::model::finding::{Finding, Severity};
use crate::model::outcome::{ReviewedCommit, SignedReview};
use crate::model::record::Decision;
use crate::model::text::{counted, shown};
use escape::{Where, code, prose};

/// What a comment may hold, with some room: GitHub takes 65,536 characters.
const LONGEST: usize = 60_000;

/// How much is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Detail {
    /// All of it.
    Whole,
    /// Not the single checks, nor who recorded what.
    Short,
}

/// Writes the report; where it would be longer than a comment may be, without the single checks.
pub(crate) fn render(commits: &[ReviewedCommit]) -> String {
    let whole = written(commits, Detail::Whole);
    if whole.len() <= LONGEST {
        return whole;
    }
    written(commits, Detail::Short)
        + "\nThe single checks are left out here, for length: `git plan-audit review` has them.\n"
}

/// Writes the commits.
fn written(commits: &[ReviewedCommit], detail: Detail) -> String {
    let each = |each: &ReviewedCommit| commit(each, detail);
    let texts: Vec<String> = commits.iter().map(each).collect();
    format!(
        "## Review of {}\n\nJudged from recorded evidence alone by `git plan-audit review`: nothing was run.\n\n{}",
        counted(commits.len(), "commit"),
        texts.join("\n")
    )
}

/// Writes one commit.
fn commit(commit: &ReviewedCommit, detail: Detail) -> String {
    let mut text = format!(
        "### {} `{}` {}\n\nTree `{}`; evidence counts from {}.\n",
        word(commit.verdict.as_str()),
        commit.commit.short(),
        prose(&commit.subject),
        commit.tree.short(),
        prose(&commit.trust)
    );
    if !commit.reviews.is_empty() {
        text.push_str("\n| Decision | Who | What was said |\n|---|---|---|\n");
        text.extend(commit.reviews.iter().map(review));
    }
    for plan in &commit.plans {
        text.push_str(&plan::section(plan, detail));
    }
    if commit.plans.is_empty() {
        text.push_str("\nNo plan binds this commit.\n");
    }
    text + &findings(&commit.findings)
}

/// Writes one review as a row.
fn review(review: &SignedReview) -> String {
    let body = &review.body;
    let said = match (body.decision, review.unfit) {
        (Decision::Approve, None) => "✅ approved".to_owned(),
        (Decision::Reject, None) => "❌ rejected".to_owned(),
        (_, Some(why)) => format!("➖ {}, does not count: {why}", body.decision.as_str()),
    };
    let mut trust = String::new();
    for path in body.trust.keys() {
        let path = code(&format!(".plan-auditor/{path}"), Where::Cell);
        let _ = write!(trust, "; decided on {path}");
    }
    let who = plan::who(&review.signed);
    format!("| {said} | {who} | {}{trust} |\n", prose(&body.text))
}

/// Writes findings, the loudest first.
fn findings(all: &[Finding]) -> String {
    let mut sorted: Vec<&Finding> = all.iter().collect();
    sorted.sort_by_key(|finding| finding.row.severity);
    let mut text = String::new();
    for (place, finding) in sorted.into_iter().enumerate() {
        let sign = match finding.row.severity {
            Severity::Error => "❌",
            Severity::Warning => "⚠️",
            Severity::Info => "ℹ️",
        };
        let of = finding
            .plan
            .as_ref()
            .map_or_else(String::new, |plan| format!(" plan `{plan}`:"));
        let _ = writeln!(
            text,
            "{}- {sign} {} `{}`:{of} {}",
            if place == 0 { "\n" } else { "" },
            finding.row.severity.as_str(),
            finding.row.code,
            prose(&finding.message)
        );
    }
    text
}

/// Writes the word of a verdict or a result with its sign.
fn word(text: &str) -> String {
    let sign = match text {
        "PASS" | "passed" | "strengthening" => "✅",
        "FAIL" | "failed" | "weakening" | "scope change" => "❌",
        "UNKNOWN" | "not run" => "❔",
        _ => "➖",
    };
    format!("{sign} {}", shown(text))
}
