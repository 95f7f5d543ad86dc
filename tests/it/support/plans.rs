//! Plans for tests.

use serde_json::{Value, json};

/// The plan of most tests: `work.txt` must hold the one line `good`.
pub(crate) fn good() -> Value {
    of_argv(&["grep", "-qx", "good", "work.txt"])
}

/// A plan with one step that runs a program.
pub(crate) fn of_argv(argv: &[&str]) -> Value {
    of_checks(&json!([{ "type": "run", "argv": argv }]))
}

/// A plan with one step and these checks.
pub(crate) fn of_checks(checks: &Value) -> Value {
    titled("Say good", checks)
}

/// A plan with one step of this title and these checks.
pub(crate) fn titled(title: &str, checks: &Value) -> Value {
    json!({
        "task": "Make work.txt good",
        "created": "2026-11-29T12:00:00Z",
        "requirements": [
            { "id": "R1", "description": "work.txt says good", "priority": "must" }
        ],
        "steps": [{ "id": 1, "title": title, "covers": ["R1"], "verify": checks }]
    })
}
