//! The bytes of a contract: one canonical form, whatever the plan file looks like.
//!
//! Every member is always there, defaults are filled in, times are integer milliseconds. Reading
//! takes the bytes for a plan in normal form, holds them to every rule of plans, then writes the
//! contract again and demands the same bytes.

use serde_json::{Value, json};

use super::canonical;
use super::claim;
use super::digest::{Label, labelled};
use super::plan::{Dialect, File, read_as};
use crate::model::check::{Check, Limits};
use crate::model::contract::{Contract, Output, RequiredOutput, Requirement, Step};
use crate::model::finding::{Finding, Severity};
use crate::model::ids::{Digest, PlanName};

/// The greatest size of a contract, in bytes: more than any plan grows to when defaults are
/// filled in.
pub(crate) const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Why bytes are no contract.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum ContractError {
    /// They break a rule of plans.
    #[error("the bytes are no valid contract: {first}")]
    Invalid {
        /// The first rule that is broken, and where.
        first: String,
    },
    /// They say something valid in another spelling.
    #[error("the contract is not in canonical form")]
    NotCanonical,
}

/// Writes a contract in its canonical form.
#[expect(
    clippy::expect_used,
    reason = "the numbers of a contract are integers below 2^53"
)]
pub(crate) fn write(contract: &Contract) -> Vec<u8> {
    let value = to_value(contract);
    canonical::write(&value)
        .expect("a contract holds only small integers")
        .into_bytes()
}

/// Returns the digest that a seal binds, over the canonical bytes.
pub(crate) fn digest(bytes: &[u8]) -> Digest {
    labelled(Label::Contract, bytes)
}

/// Reads canonical bytes; what is returned holds every rule of plans.
pub(crate) fn read(bytes: &[u8]) -> Result<Contract, ContractError> {
    let name = PlanName::default_plan();
    let file = File {
        name: &name,
        path: "contract",
        bytes,
        max_bytes: MAX_BYTES,
    };
    let reading = read_as(Dialect::Contract, &file);
    let Some(contract) = reading.contract else {
        let first = reading
            .findings
            .iter()
            .find(|f| f.row.severity == Severity::Error);
        return Err(ContractError::Invalid {
            first: first.map(describe).unwrap_or_default(),
        });
    };
    if write(&contract) == bytes {
        Ok(contract)
    } else {
        Err(ContractError::NotCanonical)
    }
}

/// Says in a line what a finding is about.
fn describe(finding: &Finding) -> String {
    let place = finding.place.as_ref();
    let json_path = place
        .map(|place| place.json_path.as_str())
        .unwrap_or_default();
    format!("{} at {json_path}", finding.message)
}

fn to_value(contract: &Contract) -> Value {
    json!({
        "task": contract.task,
        "created": contract.created,
        "requirements": list(&contract.requirements, requirement),
        "required_tools": contract.required_tools,
        "pins": contract.pins,
        "scope": contract.scope,
        "claims": list(&contract.claims, claim::to_value),
        "steps": list(&contract.steps, step),
    })
}

fn list<T>(items: &[T], to_value: impl Fn(&T) -> Value) -> Value {
    Value::Array(items.iter().map(to_value).collect())
}

fn requirement(requirement: &Requirement) -> Value {
    json!({
        "id": requirement.id,
        "description": requirement.description,
        "priority": requirement.priority.as_str(),
    })
}

fn step(step: &Step) -> Value {
    json!({
        "id": step.id,
        "title": step.title,
        "depends_on": step.depends_on,
        "requires_outputs": list(&step.requires_outputs, required_output),
        "outputs": list(&step.outputs, output),
        "covers": step.covers,
        "verify": list(&step.verify, check),
        "inputs": step.inputs,
        "exclusive": step.exclusive,
        "modifies": step.modifies,
        "creates": step.creates,
        "deletes": step.deletes,
        "uses_symbol": step.uses_symbol,
    })
}

fn required_output(required: &RequiredOutput) -> Value {
    json!({ "step": required.step, "name": required.name })
}

fn output(output: &Output) -> Value {
    json!({ "name": output.name, "verify": list(&output.verify, check) })
}

/// Writes a check in normal form.
fn check(check: &Check) -> Value {
    match check {
        Check::Run { argv, limits } => program("run", "argv", argv, limits),
        Check::Pytest { args, limits } => program("pytest", "args", args, limits),
        Check::FileExists { path } => json!({ "type": "file_exists", "path": path }),
        Check::Regex {
            path,
            pattern,
            max_bytes,
        } => {
            json!({ "type": "regex", "path": path, "pattern": pattern, "max_bytes": max_bytes })
        }
    }
}

fn program(kind: &str, words_key: &str, words: &[String], limits: &Limits) -> Value {
    json!({
        "type": kind,
        words_key: words,
        "expect_exit": limits.expect_exit,
        "timeout_ms": limits.timeout_ms,
        "max_output_bytes": limits.max_output_bytes,
        "output_regex": limits.output_regex,
        "env": limits.env,
    })
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod vector_tests;
