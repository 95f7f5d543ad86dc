//! The programs that checks ran: where they lie, and whether they are those of the audit before (D8).
//!
//! A program of the work tree that is tracked is bound by the tree, and one that is not is told of
//! by its place; so only programs outside are compared.

use std::collections::{BTreeMap, BTreeSet};

use super::judge::{self, Judge};
use super::ports::Objects;
use crate::model::check::{Check, CheckResult};
use crate::model::contract::Contract;
use crate::model::finding::{Finding, auditing as rows};
use crate::model::ids::{Digest, Oid, PlanName, RecordId};
use crate::model::place::Lies;
use crate::model::record::{AuditBody, Record, StepResult};
use crate::model::text::shown;

/// The mode of a submodule in a tree.
const SUBMODULE: u32 = 0o160_000;

/// Some programs: path and digest of each.
type Set = BTreeSet<(String, Digest)>;

/// Programs outside the work tree by the name that asked for them.
type Named = BTreeMap<String, Set>;

/// What an audit ran.
pub(super) struct Programs<'a> {
    /// The plan.
    pub(super) plan: &'a PlanName,
    /// Its contract.
    pub(super) contract: &'a Contract,
    /// The digest of that.
    pub(super) digest: Digest,
    /// Where it ran.
    pub(super) platform: &'a str,
    /// What became of its steps.
    pub(super) steps: &'a [StepResult],
}

/// Says which programs are others than those of the last audit of this lineage on this platform.
///
/// `audits` are those before the one in question, each after all that it has seen. What cannot be
/// read of them is not compared.
pub(super) fn differing<'a>(
    judge: &Judge<'_>,
    audit: &Programs<'_>,
    audits: impl DoubleEndedIterator<Item = &'a (&'a Record, AuditBody)>,
) -> Vec<Finding> {
    let contracts = contracts(judge, audit);
    let is_of = |body: &AuditBody| {
        let key = (body.plan.clone(), body.contract);
        body.platform == audit.platform && contracts.contains_key(&key)
    };
    let last = audits.rev().find(|(_, body)| is_of(body));
    let Some((before, (record, body))) =
        last.and_then(|(record, body)| Some((before(judge, &contracts, body)?, (record, body))))
    else {
        return Vec::new();
    };
    let now = named(audit.contract, audit.steps);
    let others = now.iter().filter_map(|(name, programs)| {
        let known = before.get(name)?;
        let new: Set = programs.difference(known).cloned().collect();
        (!new.is_empty()).then(|| other(name, (&new, known), (record.id, &body.platform)))
    });
    others.map(|finding| finding.of_plan(audit.plan)).collect()
}

/// Lists the contracts of the lineage of an audit's contract, each with a seal of it.
fn contracts(judge: &Judge<'_>, audit: &Programs<'_>) -> BTreeMap<(PlanName, Digest), RecordId> {
    let seals = &judge.facts.seals;
    let own = seals.of_contract(audit.plan, &audit.digest).into_iter();
    let all = own
        .filter(|id| seals.holds(*id))
        .flat_map(|id| seals.lineage(id));
    all.filter_map(|id| {
        let body = &seals.get(id)?.body;
        Some(((body.plan.clone(), body.contract), id))
    })
    .collect()
}

/// Reads which programs an earlier audit ran.
fn before(
    judge: &Judge<'_>,
    contracts: &BTreeMap<(PlanName, Digest), RecordId>,
    body: &AuditBody,
) -> Option<Named> {
    let seal = contracts.get(&(body.plan.clone(), body.contract))?;
    let contract = judge.facts.seals.contract(*seal, judge.world.notes);
    let contract = contract.ok().flatten()?;
    let steps = judge::steps(judge.world.objects, &body.steps, body.kept.as_ref()).ok()?;
    Some(named(&contract, &steps))
}

/// Takes the programs outside the work tree from results.
fn named(contract: &Contract, steps: &[StepResult]) -> Named {
    let mut found = Named::new();
    for (step, result) in contract.steps.iter().zip(steps) {
        let outputs = step.outputs.iter().zip(&result.outputs);
        let outputs = outputs.flat_map(|(output, result)| output.verify.iter().zip(&result.checks));
        let own = step.verify.iter().zip(&result.checks);
        for (check, result) in own.chain(outputs) {
            if let Some((name, program)) = found_by(check, result) {
                found.entry(name).or_default().insert(program);
            }
        }
    }
    found
}

/// Takes the program outside the work tree that one check ran, with the name that asked for it.
fn found_by(check: &Check, result: &CheckResult) -> Option<(String, (String, Digest))> {
    let program = result.program.as_ref()?;
    let is_outside = !program.path.starts_with("./");
    let name = check.asks_for().filter(|_| is_outside)?;
    Some((name.to_owned(), (program.path.clone(), program.sha256)))
}

/// Says that a program is another than before.
fn other(name: &str, (now, before): (&Set, &Set), (audit, platform): (RecordId, &str)) -> Finding {
    let list = |programs: &Set| {
        let programs = programs.iter();
        let each = programs.map(|(path, digest)| format!("{path} (sha256 {})", digest.short()));
        each.collect::<Vec<_>>().join(", ")
    };
    let message = format!(
        "`{}` is {}; in audit {}, the last one before on {}, it was {}",
        shown(name),
        list(now),
        audit.short(),
        shown(platform),
        list(before)
    );
    let hint =
        "an update of that tool is fine; else find out what put it there: command -v, and PATH";
    Finding::new(&rows::PROGRAM_DIFFERS, message).hint(hint)
}

/// Says which programs could be exchanged where they lie. Each is told once.
pub(super) fn misplaced<'a>(
    programs: impl IntoIterator<Item = (&'a CheckResult, Lies)>,
    is_tracked: &dyn Fn(&str) -> bool,
) -> Vec<Finding> {
    let mut found: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (result, lies) in programs {
        let Some(program) = &result.program else {
            continue;
        };
        let mut odd: BTreeSet<String> = lies.open.iter().map(ToString::to_string).collect();
        if lies.in_tree.iter().any(|path| !is_tracked(path)) {
            odd.insert("lies in the work tree and is not tracked".to_owned());
        }
        if !odd.is_empty() {
            found.entry(&program.path).or_default().append(&mut odd);
        }
    }
    let finding = |(path, odd): (&str, BTreeSet<String>)| {
        let why = odd.into_iter().collect::<Vec<_>>().join(", ");
        let hint = "run one that only you or root can replace: put its directory first in PATH, or git add it";
        Finding::new(&rows::PROGRAM_PLACE, format!("program {path} {why}")).hint(hint)
    };
    found.into_iter().map(finding).collect()
}

/// Says whether a tree holds a path, or a submodule in which it lies; none where that cannot be read.
pub(super) fn holds(objects: &dyn Objects, tree: &Oid, path: &str) -> Option<bool> {
    let mut directory = String::new();
    for name in path.split('/') {
        let entries = objects.entries(tree, &directory).ok()??;
        let Some(entry) = entries.iter().find(|entry| entry.name == name.as_bytes()) else {
            return Some(false);
        };
        if entry.mode == SUBMODULE {
            return Some(true);
        }
        if !directory.is_empty() {
            directory.push('/');
        }
        directory.push_str(name);
        if directory == path {
            return Some(true);
        }
        if entry.mode != 0o040_000 {
            return Some(false);
        }
    }
    Some(false)
}
