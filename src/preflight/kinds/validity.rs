//! `json_schema_valid`: whether a document is valid under a schema of the same tree.

use super::config;
use crate::preflight::data::{Format, Found};
use crate::preflight::probe::{Answer, Probe};
use crate::preflight::schema::{self, Validity};

/// Decides `json_schema_valid`.
pub(in crate::preflight) fn valid(probe: &mut Probe<'_>) -> Answer {
    let document = probe.document("path", Some(Format::Json));
    let rules = probe.document("schema", Some(Format::Json));
    let (Some((file, document)), Some((rules_file, rules))) = (document, rules) else {
        return match probe.gap() {
            Some(reason) => Answer::Unknown(reason),
            // Without a document or a schema nothing is valid, and nothing is invalid.
            None => Answer::Vacuous { holds: false },
        };
    };
    match schema::validate(&rules, &document) {
        Err(reason) => Answer::Unknown(reason),
        Ok(Validity::Valid) => {
            probe.point(&file.entry, None, true);
            probe.point(&rules_file.entry, None, true);
            Answer::Holds
        }
        Ok(Validity::Invalid(key)) => {
            let node = match document.at(&key) {
                Found::Here(node) | Found::Nothing(node) => node,
                Found::Open => &document,
            };
            config::point(probe, &file, node, false);
            Answer::Fails
        }
    }
}
