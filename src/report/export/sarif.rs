//! SARIF 2.1.0 (OASIS): each finding, each check that did not give the sealed result, and the verdict.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::model::check::Met;
use crate::model::export::{Exported, ExportedCheck};
use crate::model::finding::{Finding, Severity};
use crate::model::ids::PlanName;
use crate::model::text::shown;
use crate::model::verdict::Verdict;
use crate::wire::digest::sha256;

/// The rule of checks.
const CHECK: &str = "check-failed";
/// What it means.
const CHECK_MEANS: &str =
    "A check of a sealed plan did not give the sealed result, or nothing tells what it gave.";
/// The rule of the verdict.
const VERDICT: &str = "verdict";
/// What it means.
const VERDICT_MEANS: &str = "What recorded evidence says of the commit as a whole.";
/// How many results there are at most: GitHub refuses a run that has more.
const MOST: usize = 25_000;

/// Writes the document.
pub(super) fn document(exported: &Exported) -> String {
    let judged = &exported.judged;
    let plans = judged.plans.iter().zip(&exported.plans);
    let checks = plans.flat_map(|(judged, plan)| {
        let failed = plan
            .checks
            .iter()
            .filter(|check| check.met != Some(Met::Passed));
        failed.map(|check| of_check(&judged.name, check))
    });
    let findings = exported.findings.iter().map(of_finding);
    let results: Vec<Value> = std::iter::once(of_verdict(exported))
        .chain(checks)
        .chain(findings)
        .take(MOST)
        .collect();
    let document = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "git plan-audit",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules(&exported.findings),
            }},
            "columnKind": "unicodeCodePoints",
            "versionControlProvenance": [{
                "repositoryUri": format!("urn:git-plan-audit:commit:{}", judged.commit),
                "revisionId": judged.commit.to_string(),
            }],
            "results": results,
        }],
    });
    format!("{document}\n")
}

/// Lists the rules, each once.
fn rules(findings: &[Finding]) -> Vec<Value> {
    let mut rules = BTreeMap::from([(CHECK, CHECK_MEANS), (VERDICT, VERDICT_MEANS)]);
    rules.extend(
        findings
            .iter()
            .map(|finding| (finding.row.code, finding.row.meaning)),
    );
    let rule = |(code, meaning)| {
        json!({
            "id": code,
            "shortDescription": { "text": code },
            "fullDescription": { "text": meaning },
            "help": { "text": meaning },
        })
    };
    rules.into_iter().map(rule).collect()
}

/// Writes the verdict: what is no PASS is a failure, also where it could not be said.
fn of_verdict(exported: &Exported) -> Value {
    let judged = &exported.judged;
    let (kind, level) = match judged.verdict {
        Verdict::Pass => ("pass", "none"),
        Verdict::NoPlan => ("notApplicable", "none"),
        Verdict::Fail | Verdict::Unknown => ("fail", "error"),
    };
    let message = format!("{} for commit {}", judged.verdict.as_str(), judged.commit);
    let path = PlanName::default_plan().path();
    result((VERDICT, kind, level), &message, (&path, 1, 1))
}

/// Writes a check that did not give the sealed result.
fn of_check(plan: &PlanName, check: &ExportedCheck) -> Value {
    let message = format!(
        "plan {plan}, step {} ({}): {}: {}",
        check.step, check.title, check.name, check.ended
    );
    result((CHECK, "fail", "error"), &message, (&plan.path(), 1, 1))
}

/// Writes a finding.
fn of_finding(finding: &Finding) -> Value {
    let level = match finding.row.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    };
    let hint = finding.hint.as_ref().map(|hint| format!(" (hint: {hint})"));
    let message = format!("{}{}", finding.message, hint.unwrap_or_default());
    let plan = finding.plan.clone().unwrap_or_else(PlanName::default_plan);
    let place = finding.place.as_ref();
    let path = place.map_or_else(|| plan.path(), |place| place.path.clone());
    let (line, column) = place.map_or((1, 1), |place| (place.line, place.column));
    result(
        (finding.row.code, "fail", level),
        &message,
        (&path, line, column),
    )
}

/// Writes one result at a place.
fn result(
    (rule, kind, level): (&str, &str, &str),
    message: &str,
    (path, line, column): (&str, usize, usize),
) -> Value {
    let message = shown(message);
    let print = sha256(format!("{rule}\n{path}\n{message}").as_bytes());
    json!({
        "ruleId": rule,
        "kind": kind,
        "level": level,
        "message": { "text": message },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": path },
            "region": {
                "startLine": line,
                "startColumn": column,
                "endLine": line,
                "endColumn": column + 1,
            },
        }}],
        "partialFingerprints": { "primaryLocationLineHash": print.to_string() },
    })
}
