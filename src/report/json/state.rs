//! A state, for machines: the members of DESIGN section 6.

use serde_json::{Value, json};

use super::by_name;
use crate::model::state::{Noted, State};

/// Writes a state.
pub(super) fn state(state: &State) -> Value {
    let flags = state
        .flags
        .iter()
        .map(|(flag, each)| (flag.as_str().to_owned(), noted(each)));
    json!({
        "head": state.head.map(|id| id.to_string()),
        "branch": state.branch,
        "tree": state.tree.to_string(),
        "content": state.content.to_string(),
        "index": state.index.to_string(),
        "untracked": {
            "count": state.untracked.noted.count,
            "paths": state.untracked.noted.paths,
            "digest": state.untracked.digest.to_string(),
        },
        "hidden": noted(&state.hidden),
        "flags": by_name(flags),
        "control": {
            "config": state.control.config.to_string(),
            "hooks": state.control.hooks.to_string(),
            "info": state.control.info.to_string(),
            "replace": state.control.replace.to_string(),
        },
    })
}

/// Writes a count and the first paths.
fn noted(noted: &Noted) -> Value {
    json!({ "count": noted.count, "paths": noted.paths })
}
