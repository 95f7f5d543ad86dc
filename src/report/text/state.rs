//! A state, for people.

use std::fmt::Write as _;

use crate::model::state::{Noted, State};
use crate::model::text::shown;

/// Writes a state, one line a field; flags that disqualify are marked with `!`.
pub(super) fn render(state: &State) -> String {
    let head = state
        .head
        .map_or_else(|| "none".to_owned(), |id| id.to_string());
    let branch = shown(state.branch.as_deref().unwrap_or("none"));
    let mut text = String::new();
    for (name, value) in [
        ("head", head),
        ("branch", branch),
        ("tree", state.tree.to_string()),
        ("content", state.content.to_string()),
        ("index", state.index.to_string()),
        ("untracked", noted(&state.untracked.noted)),
        ("hidden", noted(&state.hidden)),
    ] {
        let _ = writeln!(text, "{name:<9} {value}");
    }
    for (flag, each) in &state.flags {
        let mark = if flag.is_disqualifying() { "!" } else { " " };
        let _ = writeln!(text, "flag    {mark} {} {}", flag.as_str(), noted(each));
    }
    text
}

/// Writes a count and the first paths.
fn noted(noted: &Noted) -> String {
    if noted.paths.is_empty() {
        return noted.count.to_string();
    }
    let kept = u64::try_from(noted.paths.len()).unwrap_or(u64::MAX);
    let more = if noted.count > kept { ", ..." } else { "" };
    format!("{} ({}{more})", noted.count, noted.paths.join(", "))
}
