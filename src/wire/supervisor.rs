//! `supervisor.json`: the settings of a project, in the file that plan-auditor reads too.
//!
//! Keys that only the other tool knows are left to it.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use super::strict::{self, Member, Node, Source, Spot, Value, quoted};
use crate::model::finding::Place;
use crate::model::ids::{LedgerId, Oid, PlanName};
use crate::model::state::Flag;

/// The file from the top of the tree.
const PATH: &str = ".plan-auditor/supervisor.json";
/// What is wrong with an item of `disregard_anchors`.
const NO_ANCHOR: &str = "disregard_anchors names what is no commit id in full";
/// What `max_attempts` may say, as in plan-auditor.
const ATTEMPTS: RangeInclusive<u64> = 1..=100;

/// What the file says, or its defaults.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Supervisor {
    /// `light`, `standard` or `strict`.
    pub(crate) profile: String,
    /// The pinned ledger.
    pub(crate) ledger: Option<LedgerId>,
    /// Flags that do not disqualify a state.
    pub(crate) allow_flags: BTreeSet<Flag>,
    /// How often a step may fail before `run` asks for a reason.
    pub(crate) max_attempts: u64,
    /// Tips of the ledger that trailers name and that nobody has: they are not asked for.
    pub(crate) disregard_anchors: BTreeSet<Oid>,
}

impl Default for Supervisor {
    fn default() -> Self {
        Self {
            profile: "standard".to_owned(),
            ledger: None,
            allow_flags: BTreeSet::new(),
            max_attempts: 3,
            disregard_anchors: BTreeSet::new(),
        }
    }
}

/// What is wrong with the file, and where: the first defect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Wrong {
    /// Where it is.
    pub(crate) place: Option<Place>,
    /// What is wrong; safe to print.
    pub(crate) message: String,
}

/// Reads the file; nothing of it counts where anything that we act upon is wrong.
pub(crate) fn read(bytes: &[u8]) -> Result<Supervisor, Wrong> {
    let (root, defects) = strict::read(PATH, bytes, strict::MAX_BYTES);
    if let Some(defect) = defects.finish(&PlanName::default_plan()).into_iter().next() {
        return Err(Wrong {
            place: defect.place,
            message: defect.message,
        });
    }
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let settings = root.map_or_else(|| Ok(Supervisor::default()), |root| settings(&root));
    settings.map_err(|(spot, message)| {
        let Spot { span, path } = spot;
        let place = Source::new(PATH, text).place(span.start, span.end, path.to_string());
        Wrong {
            place: Some(place),
            message,
        }
    })
}

/// A value that is wrong, and why.
type Fault = (Spot, String);

/// Says that a value is wrong.
fn fault<T>(node: &Node, message: impl Into<String>) -> Result<T, Fault> {
    Err((node.spot.clone(), message.into()))
}

/// Takes the settings from the root.
fn settings(root: &Node) -> Result<Supervisor, Fault> {
    let Value::Object(members) = &root.value else {
        return fault(root, "the root is no object");
    };
    let mut settings = Supervisor::default();
    for Member { key, node, .. } in members {
        match key.as_str() {
            "profile" => settings.profile = profile(node)?,
            "ledger" => settings.ledger = Some(ledger(node)?),
            "allow_flags" => settings.allow_flags = flags(node)?,
            "max_attempts" => settings.max_attempts = attempts(node)?,
            "disregard_anchors" => settings.disregard_anchors = anchors(node)?,
            // A key of the other tool.
            _ => {}
        }
    }
    Ok(settings)
}

/// Reads the profile, ignoring case as plan-auditor does.
fn profile(node: &Node) -> Result<String, Fault> {
    if let Value::Text(text) = &node.value {
        let text = text.to_ascii_lowercase();
        if matches!(text.as_str(), "light" | "standard" | "strict") {
            return Ok(text);
        }
    }
    fault(node, "profile is none of light, standard, strict")
}

/// Reads the pinned ledger.
fn ledger(node: &Node) -> Result<LedgerId, Fault> {
    if let Value::Text(text) = &node.value
        && let Some(ledger) = LedgerId::parse(text)
    {
        return Ok(ledger);
    }
    fault(node, "ledger is not 64 lower-case hex digits")
}

/// Reads names of flags.
fn flags(node: &Node) -> Result<BTreeSet<Flag>, Fault> {
    let Value::List(items) = &node.value else {
        return fault(node, "allow_flags is no list");
    };
    items.iter().map(flag).collect()
}

/// Reads the name of a flag.
fn flag(node: &Node) -> Result<Flag, Fault> {
    let Value::Text(name) = &node.value else {
        let message = format!("allow_flags names {}, which is no flag", node.value.kind());
        return fault(node, message);
    };
    if let Some(flag) = Flag::parse(name).filter(|flag| flag.is_disqualifying()) {
        return Ok(flag);
    }
    let name = quoted(name);
    let message = format!("allow_flags names {name}, which is no flag that disqualifies");
    fault(node, message)
}

/// Reads ids of tips of the ledger.
fn anchors(node: &Node) -> Result<BTreeSet<Oid>, Fault> {
    let Value::List(items) = &node.value else {
        return fault(node, "disregard_anchors is no list");
    };
    let anchor = |node: &Node| {
        if let Value::Text(text) = &node.value
            && let Some(id) = Oid::parse(text)
        {
            return Ok(id);
        }
        fault(node, NO_ANCHOR)
    };
    items.iter().map(anchor).collect()
}

/// Reads how often a step may fail: digits alone, so that no two readers see two numbers.
fn attempts(node: &Node) -> Result<u64, Fault> {
    if let Value::Number(number) = &node.value
        && let Some(number) = number.parse().ok().filter(|count| ATTEMPTS.contains(count))
    {
        return Ok(number);
    }
    fault(node, "max_attempts is no whole number from 1 to 100")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_keys_are_read_and_others_left_alone() {
        let text =
            br#"{"profile":"Light","allow_flags":["nested"],"max_attempts":7,"heartbeat_sec":30}"#;

        let settings = read(text).unwrap();

        assert_eq!(
            (settings.profile.as_str(), settings.max_attempts),
            ("light", 7)
        );
        assert_eq!(settings.allow_flags, BTreeSet::from([Flag::Nested]));
        assert_eq!(read(b"{}"), Ok(Supervisor::default()));
    }

    #[test]
    fn a_wrong_value_has_a_place() {
        let wrong = read(b"{\n  \"profile\": \"light\",\n  \"max_attempts\": 2.0\n}").unwrap_err();

        let place = wrong.place.unwrap();
        assert_eq!((place.line, place.column), (3, 19));
        assert_eq!(place.json_path, "$.max_attempts");
    }

    #[test]
    fn a_wrong_value_is_named() {
        for (text, word) in [
            ("[]", "root"),
            (r#"{"max_attempts":0}"#, "max_attempts"),
            (r#"{"profile":"hard"}"#, "profile"),
            (r#"{"ledger":"x"}"#, "ledger"),
            (r#"{"allow_flags":["x"]}"#, "allow_flags"),
            (r#"{"disregard_anchors":"x"}"#, "disregard_anchors"),
            (r#"{"disregard_anchors":["4b825d"]}"#, "disregard_anchors"),
            (r#"{"allow_flags":["renormalise"]}"#, "allow_flags"),
            (r#"{"profile":"light","profile":"strict"}"#, "before"),
        ] {
            let wrong = read(text.as_bytes()).unwrap_err();
            assert!(wrong.message.contains(word), "{text}");
        }
    }
}

#[cfg(test)]
mod vector_tests;
