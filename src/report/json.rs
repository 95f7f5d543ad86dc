//! The machine view: exactly one JSON object (DESIGN section 11; schemas in docs/reference/json).

mod audit;
mod checked;
mod claims;
mod hook;
mod host;
mod judged;
mod ledger;
mod lineage;
mod review;
mod run;
mod state;
mod sync;

use serde_json::{Map, Value, json};

use crate::model::finding::Finding;
use crate::model::outcome::{
    ByHand, Demonstrated, Details, ExaminedGate, Initialised, Outcome, ReadPlan, Sealed,
};

/// Writes an outcome as one line.
pub(crate) fn render(command: &str, version: &str, outcome: &Outcome) -> String {
    let findings: Vec<Value> = outcome.findings.iter().map(finding).collect();
    let mut root = members(json!({
        "tool": "git-plan-audit",
        "version": version,
        "command": command,
        "outcome": outcome.word.as_str(),
        "exit": outcome.exit,
        "findings": findings,
    }));
    root.append(&mut members(details(&outcome.details)));
    format!("{}\n", Value::Object(root))
}

/// Takes the members of an object.
fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            Map::new()
        }
    }
}

/// Writes the members that a command adds.
fn details(details: &Details) -> Value {
    match details {
        Details::None => Value::Null,
        Details::Init(init) => initialised(init),
        Details::Doctor(examined) => without_nulls(json!({
            "gates": examined.gates.iter().map(gate).collect::<Vec<_>>(),
            "trust": examined.trust.as_ref().map(|source| json!({ "source": source })),
        })),
        Details::Deinit(done) => json!({ "removed": done.removed, "left": done.left }),
        Details::Validate(plans) => json!({ "plans": by_name(plans.iter().map(read_plan)) }),
        Details::Seal(seal) => sealed(seal),
        Details::Diff(plans) => json!({ "plans": by_name(plans.iter().map(lineage::compared)) }),
        Details::Close(closed) => lineage::closed(closed),
        Details::Anchor(anchored) => {
            json!({ "tip": anchored.tip.to_string(), "trailer": anchored.line })
        }
        Details::Export(document) => json!({
            "as": document.form.as_str(),
            "signed": document.is_signed,
            "document": document.text,
        }),
        Details::Sync(synced) => sync::synced(synced),
        Details::Audit(audit) => audit::audited(audit),
        Details::Run(ran) => run::ran(ran),
        Details::Verify(commits) => judged::verified(commits),
        Details::Preflight(found) => claims::preflighted(found),
        Details::Questions(questions) => claims::questions(questions),
        Details::Answer(given) => claims::answered(given),
        Details::Lint(plans) => claims::linted(plans),
        Details::Explain(types) => claims::explained(types),
        Details::Status(status) => judged::status(status),
        Details::Log(log) => ledger::log(log),
        Details::Show(shown) => ledger::shown(shown),
        Details::Review(reviewed) => review::reviewed(reviewed),
        Details::Decided(decided) => review::decided(decided),
        Details::Revoke(revocation) => checked::revoked(revocation),
        Details::Fsck(ledger) => checked::checked(ledger),
        Details::Fingerprint(state) => state::state(state),
        Details::Hook(hooked) => hook::hooked(hooked),
        Details::Host(hosted) => host::hosted(hosted),
        Details::Demo(demo) => demonstrated(demo),
    }
}

/// Makes an object of named values.
fn by_name(values: impl Iterator<Item = (String, Value)>) -> Value {
    Value::Object(values.collect())
}

/// Takes members that have no value out of an object.
fn without_nulls(value: Value) -> Value {
    let mut members = members(value);
    members.retain(|_, value| !value.is_null());
    Value::Object(members)
}

/// Writes a finding.
pub(super) fn finding(finding: &Finding) -> Value {
    let place = finding.place.as_ref().map(|place| {
        json!({
            "path": place.path,
            "line": place.line,
            "column": place.column,
            "json_path": place.json_path,
        })
    });
    without_nulls(json!({
        "code": finding.row.code,
        "severity": finding.row.severity.as_str(),
        "effect": finding.row.effect.as_str(),
        "plan": finding.plan.as_ref().map(ToString::to_string),
        "step": finding.step,
        "place": place,
        "message": finding.message,
        "hint": finding.hint,
    }))
}

/// Writes what `init` did.
fn initialised(init: &Initialised) -> Value {
    without_nulls(json!({
        "repo": init.ledger,
        "inst": init.instance,
        "writer": init.writer.to_string(),
        "key": init.key,
        "record": init.record.map(|id| id.to_string()),
        "wrote": init.wrote,
        "add": add(&init.by_hand),
        "undo": init.undo,
        "next": init.next,
    }))
}

/// Writes what `doctor` found of one gate.
fn gate(gate: &ExaminedGate) -> Value {
    json!({ "worktree": gate.top, "gate": gate.heard.as_str() })
}

/// Writes the lines that a person has to add, where there are some.
fn add(by_hand: &[ByHand]) -> Option<Vec<Value>> {
    let each = |each: &ByHand| json!({ "file": each.file, "lines": each.lines });
    (!by_hand.is_empty()).then(|| by_hand.iter().map(each).collect())
}

/// Writes a plan that was read.
fn read_plan(plan: &ReadPlan) -> (String, Value) {
    let is_valid = plan.contract.is_some();
    let value = without_nulls(json!({
        "path": plan.path,
        "valid": is_valid,
        "contract": plan.contract.map(|digest| digest.to_string()),
        "steps": is_valid.then_some(plan.steps),
    }));
    (plan.name.to_string(), value)
}

/// Writes what `seal` did.
fn sealed(seal: &Sealed) -> Value {
    json!({
        "plan": seal.plan.to_string(),
        "contract": seal.contract.to_string(),
        "record": seal.record.to_string(),
        "generation": seal.generation,
        "continues": seal.continues.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "already": seal.already,
        "changes": seal.changes.iter().map(lineage::change).collect::<Vec<_>>(),
    })
}

/// Writes what `demo` did.
fn demonstrated(demo: &Demonstrated) -> Value {
    let steps: Vec<Value> = demo
        .steps
        .iter()
        .map(|step| json!({ "title": step.title, "command": step.command, "exit": step.exit }))
        .collect();
    json!({ "dir": demo.directory, "home": demo.home, "steps": steps })
}
