//! in-toto statements (version 1): the test-result predicate and the SLSA verification summary.
//!
//! Of a statement only what a judgement knows for certain is a subject: the commit. Record ids are no
//! plain SHA-256, so that they stand in URIs and not in digests.

use serde_json::{Value, json};

use crate::model::check::Met;
use crate::model::export::{Exported, ExportedPlan, Summary};
use crate::model::text::shown;
use crate::model::verdict::Verdict;

/// Writes a test result: `PASSED` for a PASS alone.
pub(super) fn test_result(exported: &Exported) -> String {
    let plans = exported.judged.plans.iter().zip(&exported.plans);
    let named = |is_wanted: &dyn Fn(Option<Met>) -> bool| {
        let checks = plans.clone().flat_map(|(judged, plan)| {
            let wanted = plan.checks.iter().filter(|check| is_wanted(check.met));
            wanted.map(|check| shown(&format!("{}/{}", judged.name, check.name)))
        });
        checks.collect::<Vec<_>>()
    };
    let configuration: Vec<Value> = plans
        .clone()
        .flat_map(|(judged, plan)| configuration(judged.name.as_str(), plan))
        .collect();
    let predicate = json!({
        "result": result(exported.judged.verdict),
        "configuration": configuration,
        "passedTests": named(&|met| met == Some(Met::Passed)),
        "warnedTests": [],
        "failedTests": named(&|met| met != Some(Met::Passed)),
        "urn:git-plan-audit:outcome": exported.judged.verdict.as_str(),
    });
    statement(
        exported,
        "https://in-toto.io/attestation/test-result/v0.1",
        &predicate,
    )
}

/// Names what a plan was judged by: its contract and its records.
fn configuration(name: &str, plan: &ExportedPlan) -> Vec<Value> {
    let contract = plan.contract.map(|contract| {
        json!({
            "name": format!("contract of plan {name}"),
            "digest": { "sha256": contract.to_string() },
            "mediaType": "application/json",
        })
    });
    let records = plan.records.iter().map(|record| {
        json!({
            "name": format!("record of plan {name}"),
            "uri": format!("urn:git-plan-audit:record:{record}"),
        })
    });
    contract.into_iter().chain(records).collect()
}

/// Writes a verification summary: `PASSED` for a PASS alone.
pub(super) fn verification_summary(exported: &Exported, summary: &Summary) -> String {
    let judged = &exported.judged;
    let (level, result) = match result(judged.verdict) {
        "PASSED" => ("PLAN_AUDIT_VERIFIED", "PASSED"),
        failed => ("FAILED", failed),
    };
    let policy = judged.trust_point.map_or_else(
        || json!({ "uri": "urn:git-plan-audit:trust-point:none" }),
        |point| {
            json!({
                "uri": format!("urn:git-plan-audit:trust-point:{point}"),
                "digest": { "gitCommit": point.to_string() },
            })
        },
    );
    let predicate = json!({
        "verifier": {
            "id": summary.verifier,
            "version": { "git-plan-audit": env!("CARGO_PKG_VERSION") },
        },
        "timeVerified": exported.now.to_string(),
        "resourceUri": summary.resource,
        "policy": policy,
        "verificationResult": result,
        "verifiedLevels": [level],
        "slsaVersion": "1.1",
        "urn:git-plan-audit:outcome": judged.verdict.as_str(),
    });
    statement(
        exported,
        "https://slsa.dev/verification_summary/v1",
        &predicate,
    )
}

/// Returns the word that both predicates have for a verdict.
const fn result(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "PASSED",
        Verdict::Fail | Verdict::Unknown | Verdict::NoPlan => "FAILED",
    }
}

/// Writes a statement about the commit.
fn statement(exported: &Exported, predicate_type: &str, predicate: &Value) -> String {
    let commit = exported.judged.commit.to_string();
    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{ "name": "commit", "digest": { "gitCommit": commit } }],
        "predicateType": predicate_type,
        "predicate": predicate,
    });
    statement.to_string()
}
