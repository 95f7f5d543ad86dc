//! What a command for agent hosts gave, for machines.

use serde_json::{Value, json};

use super::without_nulls;
use crate::model::host::{HostState, Hosted};
use crate::report::host::answer as said;

/// Writes the members of `host`.
pub(super) fn hosted(hosted: &Hosted) -> Value {
    match hosted {
        Hosted::Answer {
            host,
            event,
            answer,
        } => json!({
            "host": host.as_str(),
            "answer": said(*host, event.as_deref(), answer),
        }),
        Hosted::Settings(settings) => without_nulls(json!({
            "host": settings.host.as_str(),
            "file": settings.path,
            "text": settings.text,
            "written": settings.is_written,
        })),
        Hosted::States(states) => {
            json!({ "hosts": states.iter().map(state).collect::<Vec<_>>() })
        }
    }
}

/// Writes what is set up for a host.
fn state(state: &HostState) -> Value {
    let file = |(path, events): &(String, Vec<String>)| json!({ "file": path, "events": events });
    let fired = state.fired.as_ref();
    without_nulls(json!({
        "host": state.host.as_str(),
        "installed": state.files.iter().map(file).collect::<Vec<_>>(),
        "last_fired": fired.map(|(time, event)| json!({ "time": time.to_string(), "event": event })),
        "note": state.host.note(),
    }))
}
