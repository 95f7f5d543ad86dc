//! Findings about a plan file, each with its source line.

use super::finding;
use crate::model::finding::Finding;
use crate::model::outcome::ReadPlan;
use crate::report::diagnostic;

/// Writes the findings of one plan file, in the order of the file.
pub(super) fn render(plan: &ReadPlan, findings: &[&Finding]) -> String {
    findings
        .iter()
        .map(|each| match each.place {
            Some(_) => diagnostic::render(each, &plan.source, true),
            None => finding(each),
        })
        .map(|text| {
            if text.ends_with('\n') {
                text
            } else {
                text + "\n"
            }
        })
        .collect()
}
