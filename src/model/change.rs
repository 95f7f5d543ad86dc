//! What differs between two contracts, and what each difference means for a seal (DESIGN section 4).
//!
//! Total: two contracts without a difference here are the same contract. The order of a list is
//! significant, so a new order is a scope change; only the order of checks means nothing.

mod claims;
mod lists;

use super::check::{Check, DEFAULT_MAX_BYTES, DEFAULT_TIMEOUT_MS, Limits};
use super::contract::{Contract, Output, RequiredOutput, Requirement, Step};
use lists::{Classes, by_key, compared};

/// What a difference means for a sealed contract.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Class {
    /// The contract asks for the same.
    Neutral,
    /// It asks for more.
    Strengthening,
    /// It asks for less.
    Weakening,
    /// It asks for something else.
    ScopeChange,
}

impl Class {
    /// Returns the word for people and machines.
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Strengthening => "strengthening",
            Self::Weakening => "weakening",
            Self::ScopeChange => "scope change",
        }
    }

    /// Says whether a seal may take it without a new generation.
    pub(crate) const fn is_allowed(self) -> bool {
        match self {
            Self::Neutral | Self::Strengthening => true,
            Self::Weakening | Self::ScopeChange => false,
        }
    }
}

/// One difference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Change {
    /// What it means.
    pub(crate) class: Class,
    /// Where it is: a member of the plan format, with the step before it.
    pub(crate) member: String,
    /// What stood there; none when something was added.
    pub(crate) before: Option<String>,
    /// What stands there; none when something was removed.
    pub(crate) after: Option<String>,
}

/// Says whether a contract with these differences may be sealed after the other one.
pub(crate) fn are_allowed(changes: &[Change]) -> bool {
    changes.iter().all(|change| change.class.is_allowed())
}

/// Checks: more of them are welcome, their order means nothing.
const CHECKS: Classes = Classes {
    added: Class::Strengthening,
    removed: Class::Weakening,
    reordered: Class::Neutral,
};
/// Dependencies, required outputs and pins.
const DEMANDS: Classes = Classes {
    added: Class::Strengthening,
    removed: Class::Weakening,
    reordered: Class::ScopeChange,
};
/// Declared outputs.
const OUTPUTS: Classes = Classes {
    added: Class::ScopeChange,
    removed: Class::Weakening,
    reordered: Class::ScopeChange,
};
/// Everything else.
const OTHER: Classes = Classes {
    added: Class::ScopeChange,
    removed: Class::ScopeChange,
    reordered: Class::ScopeChange,
};

/// Lists every difference, in the order of the plan format.
pub(crate) fn compare(before: &Contract, after: &Contract) -> Vec<Change> {
    // Every member by name, so that a new one cannot be forgotten.
    let Contract {
        task,
        created,
        requirements,
        required_tools,
        pins,
        scope,
        claims,
        steps,
    } = before;
    let mut changes = Vec::new();
    changes.extend(replaced("task", task, &after.task));
    changes.extend(replaced("created", created, &after.created));
    let asked = &after.requirements;
    changes.extend(compared(
        "requirements",
        (requirements, asked),
        OTHER,
        requirement,
    ));
    let tools = (required_tools.as_slice(), after.required_tools.as_slice());
    changes.extend(compared("required_tools", tools, OTHER, String::clone));
    changes.extend(compared(
        "pins",
        (pins, &after.pins),
        DEMANDS,
        String::clone,
    ));
    changes.extend(compared(
        "scope",
        (scope, &after.scope),
        OTHER,
        String::clone,
    ));
    changes.extend(claims::compare(claims, &after.claims));
    let (met, paired) = by_key(
        "steps",
        (steps, &after.steps),
        OTHER,
        |step| step.id,
        titled,
    );
    changes.extend(met);
    changes.extend(paired.into_iter().flat_map(|(old, new)| of_step(old, new)));
    changes
}

/// Lists the differences of a step that both contracts have.
fn of_step(before: &Step, after: &Step) -> Vec<Change> {
    let Step {
        id,
        title,
        covers,
        depends_on,
        requires_outputs,
        outputs,
        verify,
        inputs,
        exclusive,
        modifies,
        creates,
        deletes,
        uses_symbol,
    } = before;
    let at = |member: &str| format!("step {id} {member}");
    let mut changes = Vec::new();
    changes.extend(replaced(&at("title"), title, &after.title));
    changes.extend(compared(
        &at("depends_on"),
        (depends_on, &after.depends_on),
        DEMANDS,
        u64::to_string,
    ));
    let needed = (
        requires_outputs.as_slice(),
        after.requires_outputs.as_slice(),
    );
    changes.extend(compared(&at("requires_outputs"), needed, DEMANDS, required));
    let declared = (outputs.as_slice(), after.outputs.as_slice());
    let name = |output: &Output| output.name.clone();
    let (met, paired) = by_key(&at("outputs"), declared, OUTPUTS, name, output);
    changes.extend(met);
    for (old, new) in paired {
        let member = at(&format!("output {} verify", old.name));
        changes.extend(compared(&member, (&old.verify, &new.verify), CHECKS, check));
    }
    changes.extend(compared(
        &at("verify"),
        (verify, &after.verify),
        CHECKS,
        check,
    ));
    let (old, new) = (exclusive.to_string(), after.exclusive.to_string());
    changes.extend(replaced(&at("exclusive"), &old, &new));
    for (member, old, new) in [
        ("covers", covers, &after.covers),
        ("inputs", inputs, &after.inputs),
        ("modifies", modifies, &after.modifies),
        ("creates", creates, &after.creates),
        ("deletes", deletes, &after.deletes),
        ("uses_symbol", uses_symbol, &after.uses_symbol),
    ] {
        changes.extend(compared(&at(member), (old, new), OTHER, String::clone));
    }
    changes
}

/// Says that a text was replaced by another, where it was.
fn replaced(member: &str, before: &str, after: &str) -> Option<Change> {
    (before != after).then(|| Change {
        class: Class::ScopeChange,
        member: member.to_owned(),
        before: Some(before.to_owned()),
        after: Some(after.to_owned()),
    })
}

fn requirement(requirement: &Requirement) -> String {
    let Requirement {
        id,
        description,
        priority,
    } = requirement;
    format!("{id} ({}): {description}", priority.as_str())
}

fn required(required: &RequiredOutput) -> String {
    format!("{} of step {}", required.name, required.step)
}

fn titled(step: &Step) -> String {
    let checks: Vec<String> = step.verify.iter().map(check).collect();
    format!("{} {}: {}", step.id, step.title, checks.join("; "))
}

fn output(output: &Output) -> String {
    let checks: Vec<String> = output.verify.iter().map(check).collect();
    format!("{}: {}", output.name, checks.join("; "))
}

/// Writes a check with all that a seal binds of it and that is not the default.
fn check(check: &Check) -> String {
    let more = match check {
        Check::Run { limits, .. } | Check::Pytest { limits, .. } => bounds(limits),
        Check::FileExists { .. } => Vec::new(),
        Check::Regex { max_bytes, .. } => beyond("max_bytes", max_bytes, &DEFAULT_MAX_BYTES),
    };
    let label = check.label();
    if more.is_empty() {
        label
    } else {
        format!("{label} [{}]", more.join(", "))
    }
}

/// Lists the bounds of a program that its label does not show.
fn bounds(limits: &Limits) -> Vec<String> {
    let mut bounds = beyond("expect_exit", &limits.expect_exit, &0);
    bounds.extend(beyond(
        "timeout_ms",
        &limits.timeout_ms,
        &DEFAULT_TIMEOUT_MS,
    ));
    bounds.extend(beyond(
        "max_output_bytes",
        &limits.max_output_bytes,
        &DEFAULT_MAX_BYTES,
    ));
    if !limits.env.is_empty() {
        bounds.push(format!("env {}", limits.env.join(" ")));
    }
    bounds
}

fn beyond<T: PartialEq + std::fmt::Display>(name: &str, value: &T, usual: &T) -> Vec<String> {
    let said = (value != usual).then(|| format!("{name} {value}"));
    said.into_iter().collect()
}

#[cfg(test)]
mod tests;
