//! What a command for agent hosts gave: for a host its one object, for people lines.

use std::fmt::Write as _;

use crate::model::host::{Answer, HostSettings, HostState, Hosted, Scope};
use crate::model::text::shown;
use crate::report::host::answer as said;

/// Writes it.
pub(super) fn render(hosted: &Hosted) -> String {
    match hosted {
        Hosted::Answer {
            answer: Answer::Deny(reason),
            ..
        } if hosted.is_remark() => format!("{reason}\n"),
        Hosted::Answer {
            host,
            event,
            answer,
        } => format!("{}\n", said(*host, event.as_deref(), answer)),
        Hosted::Settings(settings) => written(settings),
        Hosted::States(states) => states.iter().map(state).collect(),
    }
}

/// Writes settings, or what became of them.
fn written(settings: &HostSettings) -> String {
    let path = settings.path.as_deref().map(shown);
    match path {
        Some(path) if !settings.is_shown => {
            let what = if settings.is_written && settings.scope == Scope::Project {
                format!(
                    "wrote   {path}\nthen    git add it and commit: while it is untracked no audit counts"
                )
            } else if settings.is_written {
                format!("wrote   {path}")
            } else {
                format!("wrote   nothing: {path} has it")
            };
            format!(
                "{what}\nnote    {}\nnext    git plan-audit host status\n",
                settings.host.note()
            )
        }
        Some(_) | None => settings.text.clone(),
    }
}

/// Writes what is set up for a host.
fn state(state: &HostState) -> String {
    let name = state.host.as_str();
    let mut text = String::new();
    if state.files.is_empty() {
        let _ = writeln!(
            text,
            "{name:<9}not set up (git plan-audit host setup {name}{})",
            if state.host.file(Scope::Project).is_some() {
                " --write"
            } else {
                ", which shows the lines"
            }
        );
    }
    for (path, events) in &state.files {
        let _ = writeln!(
            text,
            "{name:<9}{}: {}",
            shown(path),
            shown(&events.join(", "))
        );
    }
    match &state.fired {
        Some((time, event)) => {
            let _ = writeln!(text, "         fired last at {time} ({})", shown(event));
        }
        None if state.files.is_empty() => {}
        None => {
            let _ = writeln!(text, "         never fired; {}", state.host.note());
        }
    }
    text
}
