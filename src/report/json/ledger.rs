//! Records, for machines.

use serde_json::{Value, json};

use super::{by_name, members, without_nulls};
use crate::model::ids::RecordId;
use crate::model::outcome::{Log, LogEntry, Nearest, Shown, ShownOutput, ShownPin};

/// Writes one line of the log; with a reason the record does not count.
pub(super) fn entry(entry: &LogEntry, unfit: Option<&str>) -> Value {
    // Every audit takes all steps; of a run they are what there is to say.
    let steps = entry.steps.iter().filter(|_| entry.verdict.is_none());
    let steps: Vec<Value> = steps
        .map(|(id, end)| json!({ "id": id, "result": end.as_str() }))
        .collect();
    without_nulls(json!({
        "id": entry.record.to_string(),
        "kind": entry.kind,
        "writer": entry.writer.to_string(),
        "inst": entry.instance.to_string(),
        "time": entry.time.to_string(),
        "head": entry.head.to_string(),
        "authenticated": unfit.is_none(),
        "reason": unfit,
        "plan": entry.plan.as_ref().map(ToString::to_string),
        "contract": entry.contract.map(|digest| digest.to_string()),
        "tree": entry.tree.map(|id| id.to_string()),
        "prev": ids(&entry.prev),
        "steps": (!steps.is_empty()).then_some(steps),
        "usable": entry.usable,
        "outcome": entry.verdict.map(crate::model::verdict::Verdict::as_str),
    }))
}

/// Writes the members of `log`.
pub(super) fn log(log: &Log) -> Value {
    let entries = log.entries.iter().map(|each| entry(each, None));
    let graph = log.graph.as_ref().map(|graph| {
        let of_entry = log.entries.iter().zip(graph);
        by_name(of_entry.map(|(entry, near)| (entry.record.to_string(), nearest(near))))
    });
    without_nulls(json!({ "records": entries.collect::<Vec<_>>(), "graph": graph }))
}

/// Writes which listed records one has seen.
fn nearest(near: &[Nearest]) -> Value {
    let records: Vec<RecordId> = near.iter().map(|near| near.record).collect();
    Value::from(ids(&records))
}

/// Writes ids.
fn ids(ids: &[RecordId]) -> Vec<String> {
    ids.iter().map(ToString::to_string).collect()
}

/// Writes the members of `show`.
pub(super) fn shown(shown: &Shown) -> Value {
    let mut record = members(entry(&shown.entry, shown.unfit));
    record.append(&mut members(json!({
        "v": 1,
        "repo": shown.ledger,
        "covers": shown.covers,
        "body": body(&shown.body),
        "proof": shown.proof,
        "notes": shown.notes.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })));
    let outputs: Vec<Value> = shown.outputs.iter().map(output).collect();
    let pins: Vec<Value> = shown.pins.iter().map(pin).collect();
    without_nulls(json!({
        "record": record,
        "pins": (!pins.is_empty()).then_some(pins),
        "outputs": (!outputs.is_empty()).then_some(outputs),
    }))
}

/// Writes a file that a seal pins.
fn pin(pin: &ShownPin) -> Value {
    json!({
        "path": pin.path,
        "mode": pin.mode,
        "id": pin.id.to_string(),
        "fork": pin.at_fork,
    })
}

/// Writes what one check wrote; the text is escaped as for people.
fn output(output: &ShownOutput) -> Value {
    without_nulls(json!({
        "step": output.step,
        "label": output.label,
        "bytes": output.captured.bytes,
        "sha256": output.captured.sha256.to_string(),
        "text": output.text,
        "whole": output.text.is_some().then_some(output.is_whole),
    }))
}

/// Reads a body back into a value; it was canonical when it was read.
#[expect(
    clippy::disallowed_methods,
    reason = "the text is a body that wire has checked"
)]
fn body(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}
