//! `supervisor.json`: the settings of a project, in the file that plan-auditor reads too.
//!
//! Keys that only the other tool knows are left to it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::strict;
use crate::model::ids::{LedgerId, PlanName};
use crate::model::state::Flag;

/// What the file says, or its defaults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Supervisor {
    /// `light`, `standard` or `strict`.
    pub(crate) profile: String,
    /// The pinned ledger.
    pub(crate) ledger: Option<LedgerId>,
    /// Flags that do not disqualify a state.
    pub(crate) allow_flags: BTreeSet<Flag>,
}

impl Default for Supervisor {
    fn default() -> Self {
        Self {
            profile: "standard".to_owned(),
            ledger: None,
            allow_flags: BTreeSet::new(),
        }
    }
}

/// Reads the file; an error says what is wrong with which key.
pub(crate) fn read(bytes: &[u8]) -> Result<Supervisor, String> {
    let root = value(bytes)?;
    let members = root.as_object().ok_or("the root is no object")?;
    let mut settings = Supervisor::default();
    if let Some(profile) = members.get("profile") {
        settings.profile = read_profile(profile)?;
    }
    if let Some(ledger) = members.get("ledger") {
        let text = ledger.as_str().and_then(LedgerId::parse);
        settings.ledger = Some(text.ok_or("ledger is not 64 lower-case hex digits")?);
    }
    if let Some(flags) = members.get("allow_flags") {
        settings.allow_flags = read_flags(flags)?;
    }
    Ok(settings)
}

/// Reads strict JSON as a value; an error names the first defect and its place.
#[expect(
    clippy::disallowed_methods,
    reason = "the text was read strictly just before"
)]
fn value(bytes: &[u8]) -> Result<Value, String> {
    let (_, defects) = strict::read("supervisor.json", bytes, strict::MAX_BYTES);
    if let Some(defect) = defects.finish(&PlanName::default_plan()).first() {
        let line = defect.place.as_ref().map_or(1, |place| place.line);
        return Err(format!("line {line}: {}", defect.message));
    }
    serde_json::from_slice(bytes).map_err(|error| error.to_string())
}

/// Reads the profile, ignoring case as plan-auditor does.
fn read_profile(value: &Value) -> Result<String, String> {
    let text = value.as_str().map(str::to_ascii_lowercase);
    text.filter(|text| matches!(text.as_str(), "light" | "standard" | "strict"))
        .ok_or_else(|| "profile is none of light, standard, strict".to_owned())
}

/// Reads names of flags.
fn read_flags(value: &Value) -> Result<BTreeSet<Flag>, String> {
    let names = value.as_array().ok_or("allow_flags is no list")?;
    let flag = |name: &Value| {
        let flag = name.as_str().and_then(Flag::parse);
        flag.filter(|flag| flag.is_disqualifying())
            .ok_or_else(|| format!("allow_flags names {name}, which is no flag that disqualifies"))
    };
    names.iter().map(flag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_keys_are_read_and_others_left_alone() {
        let text = br#"{"profile":"Light","allow_flags":["nested"],"heartbeat_sec":30}"#;

        let settings = read(text).unwrap();

        assert_eq!(settings.profile, "light");
        assert_eq!(settings.allow_flags, BTreeSet::from([Flag::Nested]));
        assert_eq!(read(b"{}"), Ok(Supervisor::default()));
    }

    #[test]
    fn a_wrong_value_is_named() {
        for (text, word) in [
            ("[]", "root"),
            (r#"{"profile":"hard"}"#, "profile"),
            (r#"{"ledger":"x"}"#, "ledger"),
            (r#"{"allow_flags":["x"]}"#, "allow_flags"),
            (r#"{"allow_flags":["renormalise"]}"#, "allow_flags"),
            (r#"{"profile":"light","profile":"strict"}"#, "before"),
        ] {
            assert!(read(text.as_bytes()).unwrap_err().contains(word), "{text}");
        }
    }
}

#[cfg(test)]
mod vector_tests;
