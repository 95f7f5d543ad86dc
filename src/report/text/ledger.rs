//! Records, for people.

use std::fmt::Write as _;

use renderdag::{Ancestor, GraphRowRenderer, Renderer as _};

use crate::model::ids::{Oid, RecordId};
use crate::model::outcome::{Log, LogEntry, Nearest, Shown, ShownOutput};
use crate::model::text::shown as safe;
use crate::model::verdict::Verdict;

/// Writes the log, one line a record, with the graph beside it where one is asked for.
pub(super) fn log(log: &Log) -> String {
    let Some(graph) = &log.graph else {
        let lines = log.entries.iter().map(|entry| line(entry) + "\n");
        return lines.collect();
    };
    let renderer = GraphRowRenderer::new().output().with_min_row_height(1);
    let mut renderer = renderer.build_ascii();
    let rows = log.entries.iter().zip(graph).map(|(entry, near)| {
        let near = near.iter().map(ancestor).collect();
        renderer.next_row(entry.record, near, "*".to_owned(), line(entry))
    });
    rows.collect()
}

/// Says how a record is drawn below another one.
fn ancestor(near: &Nearest) -> Ancestor<RecordId> {
    if near.is_direct {
        Ancestor::Parent(near.record)
    } else {
        Ancestor::Ancestor(near.record)
    }
}

/// Writes one line of the log.
fn line(entry: &LogEntry) -> String {
    let mut text = format!(
        "{} {} {}",
        entry.record.short(),
        entry.time,
        safe(&entry.kind)
    );
    if let Some(plan) = &entry.plan {
        let _ = write!(text, " {plan}");
    }
    if let Some(verdict) = entry.verdict {
        let _ = write!(text, " {}", verdict.as_str());
        if verdict == Verdict::Pass && entry.usable == Some(false) {
            text.push_str(", proves no commit");
        }
    }
    if let Some(tree) = entry.tree {
        let _ = write!(text, " tree {}", tree.short());
    }
    // Every audit takes all steps; of a run they are what there is to say.
    for (step, end) in entry.steps.iter().filter(|_| entry.verdict.is_none()) {
        let _ = write!(text, " {step}:{}", end.as_str());
    }
    let _ = write!(text, " by {}", entry.writer);
    text
}

/// Writes one record, whole.
pub(super) fn shown(shown: &Shown) -> String {
    let entry = &shown.entry;
    let mut text = format!("record  {}\n", entry.record);
    let worth = shown.unfit.unwrap_or("counts");
    let prev: Vec<String> = entry.prev.iter().map(RecordId::short).collect();
    let notes: Vec<String> = shown.notes.iter().map(Oid::short).collect();
    for (name, value) in [
        ("kind", safe(&entry.kind)),
        ("worth", worth.to_owned()),
        ("time", entry.time.to_string()),
        ("writer", entry.writer.to_string()),
        ("proof", shown.proof.to_owned()),
        ("covers", shown.covers.to_string()),
        ("inst", entry.instance.to_string()),
        ("ledger", shown.ledger.clone()),
        ("head", entry.head.to_string()),
        ("prev", prev.join(" ")),
        ("notes", notes.join(" ")),
        ("body", safe(&shown.body)),
    ] {
        let _ = writeln!(text, "{name:<7} {value}");
    }
    for pin in &shown.pins {
        let id = pin.id.short();
        let _ = writeln!(text, "pinned  {} {id} {}", pin.mode, safe(&pin.path));
    }
    text.extend(shown.outputs.iter().map(output));
    text
}

/// Writes what one check wrote, or that it is not kept.
fn output(output: &ShownOutput) -> String {
    let worth = match (&output.text, output.is_whole) {
        (None, _) => "not kept here",
        (Some(_), true) => "whole",
        (Some(_), false) => "beginning and end, which nothing vouches for",
    };
    let mut text = format!(
        "output  step {}, {}: {} bytes, {worth}\n",
        output.step, output.label, output.captured.bytes
    );
    if let Some(kept) = &output.text {
        text.push_str(kept);
        text.push('\n');
    }
    text
}
