//! The schemas of the machine output, one per command, in docs/reference/json.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use jsonschema::{Registry, Validator};
use serde_json::Value;

use super::Json;

/// Where the schemas lie.
fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/reference/json")
}

/// Reads every schema by the name of its command.
fn read_all() -> BTreeMap<String, Value> {
    let files = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap());
    files
        .filter_map(|file| {
            let name = file.file_name().into_string().unwrap();
            let command = name.strip_suffix(".schema.json")?.to_owned();
            let text = fs::read_to_string(file.path()).unwrap();
            let schema = serde_json::from_str(&text);
            Some((
                command,
                schema.unwrap_or_else(|cause| panic!("{name}: {cause}")),
            ))
        })
        .collect()
}

/// Names the commands that have a schema.
pub(crate) fn commands_with_a_schema() -> Vec<String> {
    read_all()
        .into_keys()
        .filter(|name| name != "common")
        .collect()
}

/// Makes the validator of a command.
fn validator(command: &str) -> Validator {
    let mut schemas = read_all();
    let common = schemas.remove("common").unwrap();
    let schema = schemas
        .remove(command)
        .unwrap_or_else(|| panic!("docs/reference/json has no schema of `{command}`"));
    let registry = Registry::new()
        .add("json-schema:///common.schema.json", common)
        .unwrap()
        .prepare()
        .unwrap();
    jsonschema::options()
        .with_registry(&registry)
        .build(&schema)
        .unwrap()
}

/// Demands that the output of a command is what its schema says.
#[track_caller]
pub(crate) fn check(command: &str, json: &Json) {
    let errors: Vec<String> = validator(command)
        .iter_errors(&json.value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(
        errors.is_empty(),
        "not what {command}.schema.json says:\n{}\n{}",
        errors.join("\n"),
        json.ran
    );
}
