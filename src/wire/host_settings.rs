//! The settings of agent hosts: files of others, of which every member stays as it is.

use json_syntax::object::Entry;
use json_syntax::print::{Limit, Options};
use json_syntax::{Object, Parse as _, Print as _, Value};

/// What marks an entry as ours.
const MARK: &str = "plan-audit host ";
/// How deep the brackets of a file may be nested.
const MAX_NESTING: usize = 64;

/// Why a file is not added to.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsError {
    /// It is no JSON.
    #[error("it is not JSON: {why}")]
    NoJson {
        /// Why.
        why: String,
    },
    /// Something else stands where entries belong.
    #[error("{place} is not what the host reads")]
    Shape {
        /// Where.
        place: String,
    },
}

/// Adds what our own settings hold to those of a file, and returns the whole as it would be written.
///
/// An event that calls us already gets no second entry. What is there keeps its order and its values.
pub(crate) fn merged(present: &str, ours: &str) -> Result<String, SettingsError> {
    let present = if present.trim().is_empty() {
        "{}"
    } else {
        present
    };
    let mut root = object(present)?;
    for entry in object(ours)? {
        let name = entry.key.to_string();
        if name == "hooks" {
            let place = "hooks".to_owned();
            let own = entry
                .value
                .into_object()
                .ok_or(SettingsError::Shape { place })?;
            add(&mut root, own)?;
        } else if root.get(name.as_str()).next().is_none() {
            root.push(entry.key, entry.value);
        }
    }
    let mut options = Options::pretty();
    options.array_limit = Some(Limit::Item(0));
    options.object_limit = Some(Limit::Item(0));
    Ok(format!("{}\n", Value::Object(root).print_with(options)))
}

/// Names the events of a file that call us.
pub(crate) fn events(present: &str) -> Vec<String> {
    let Ok(root) = object(present) else {
        return Vec::new();
    };
    let hooks = root.get("hooks").next().and_then(Value::as_object);
    let entries = hooks.into_iter().flat_map(Object::iter);
    let ours = entries.filter(|entry| is_ours(&entry.value));
    ours.map(|entry| entry.key.to_string()).collect()
}

/// Reads an object.
fn object(text: &str) -> Result<Object, SettingsError> {
    // The parser follows brackets into the ground.
    if nesting(text) > MAX_NESTING {
        let place = "the file, with so many brackets,".to_owned();
        return Err(SettingsError::Shape { place });
    }
    let (value, _) = Value::parse_str(text).map_err(|error| SettingsError::NoJson {
        why: error.to_string(),
    })?;
    let place = "the file".to_owned();
    value.into_object().ok_or(SettingsError::Shape { place })
}

/// Counts how deep brackets are nested at most, those in texts too.
fn nesting(text: &str) -> usize {
    let (mut depth, mut most) = (0_usize, 0);
    for letter in text.bytes() {
        match letter {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

/// Adds the entries of each event that does not call us yet.
fn add(root: &mut Object, own: Object) -> Result<(), SettingsError> {
    let mut entries: Vec<Entry> = std::mem::take(root).into_iter().collect();
    let at = entries
        .iter()
        .position(|entry| entry.key.as_str() == "hooks");
    let mut hooks = match at.and_then(|at| entries.get(at)) {
        Some(entry) => {
            let found = entry.value.as_object().cloned();
            let place = "hooks".to_owned();
            found.ok_or(SettingsError::Shape { place })?
        }
        None => Object::new(),
    };
    for event in own {
        hooks = with(hooks, event)?;
    }
    match at.and_then(|at| entries.get_mut(at)) {
        Some(entry) => entry.value = Value::Object(hooks),
        None => entries.push(Entry::new("hooks".into(), Value::Object(hooks))),
    }
    *root = Object::from_vec(entries);
    Ok(())
}

/// Adds what is ours of one event.
fn with(hooks: Object, event: Entry) -> Result<Object, SettingsError> {
    let mut entries: Vec<Entry> = hooks.into_iter().collect();
    let found = entries.iter_mut().find(|entry| entry.key == event.key);
    match found {
        None => entries.push(event),
        Some(entry) if is_ours(&entry.value) => {}
        Some(entry) => {
            let place = format!("hooks.{}", entry.key);
            let (Some(present), Value::Array(own)) = (entry.value.as_array_mut(), event.value)
            else {
                return Err(SettingsError::Shape { place });
            };
            present.extend(own);
        }
    }
    Ok(Object::from_vec(entries))
}

/// Says whether a value holds a command of ours.
fn is_ours(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MARK),
        Value::Array(items) => items.iter().any(is_ours),
        Value::Object(object) => object.iter().any(|entry| is_ours(&entry.value)),
        Value::Null | Value::Boolean(_) | Value::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OURS: &str =
        r#"{"version":1,"hooks":{"Stop":[{"command":"git plan-audit host hook --host x"}]}}"#;

    #[test]
    fn what_is_there_stays_in_its_order_and_ours_is_added_once() {
        let present =
            r#"{"z":1.50,"hooks":{"Other":[1],"Stop":[{"command":"mine"}]},"a":"\u00e9"}"#;

        let once = merged(present, OURS).unwrap();
        let twice = merged(&once, OURS).unwrap();

        assert_eq!(once, twice);
        assert_eq!(events(&once), ["Stop"]);
        let places: Vec<_> = [
            "\"z\": 1.50",
            "\"Other\"",
            "\"mine\"",
            "plan-audit host",
            "\"a\"",
        ]
        .into_iter()
        .map(|word| once.find(word).unwrap_or_else(|| panic!("{word}\n{once}")))
        .collect();
        assert!(places.is_sorted(), "{once}");
    }

    #[test]
    fn an_empty_file_becomes_ours() {
        for text in ["", " \n", "{}"] {
            assert_eq!(events(&merged(text, OURS).unwrap()), ["Stop"], "{text:?}");
        }
        assert!(events("{}").is_empty() && events("x").is_empty());
    }

    #[test]
    fn what_is_not_as_the_host_reads_it_is_left() {
        for text in [
            "x",
            "[]",
            "{\"hooks\":[]}",
            "{\"hooks\":{\"Stop\":{}}}",
            "// comment\n{}",
        ] {
            assert!(merged(text, OURS).is_err(), "{text}");
        }
    }
}
