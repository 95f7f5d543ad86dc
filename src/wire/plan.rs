//! The reader of plan files: from bytes that people wrote to a contract, or to every reason why not.

mod check;
mod claims;
mod covers;
mod limits;
mod links;
mod members;
mod name;
mod reader;
mod requirement;
mod step;
mod steps;
mod suggest;
mod texts;
mod words;

use crate::model::claim::Claim;
use crate::model::contract::Contract;
use crate::model::finding::{Finding, Severity, plan as row};
use crate::model::ids::PlanName;
use crate::wire::strict::{self, Node};

use members::{Empty, Members, Shape};
pub(crate) use name::plan_name_of;
pub(super) use reader::Dialect;
use reader::Reader;

/// What a plan file says.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The contract; none if a finding is an error.
    pub(crate) contract: Option<Contract>,
    /// All errors and warnings in the order of the text, each with its place.
    pub(crate) findings: Vec<Finding>,
    /// How many bytes all its patterns have once they are compiled, which is what takes the time.
    pub(crate) compiled: usize,
}

/// Reads a plan file. Nothing stops it at the first error; no bytes make it fail otherwise.
pub(crate) fn read(name: &PlanName, path: &str, bytes: &[u8]) -> Reading {
    let file = File {
        name,
        path,
        bytes,
        max_bytes: strict::MAX_BYTES,
    };
    read_as(Dialect::Plan, &file)
}

/// Reads a file of claims that belong to no plan: a JSON list of them.
pub(crate) fn read_claims(path: &str, bytes: &[u8]) -> (Option<Vec<Claim>>, Vec<Finding>) {
    let (root, defects) = strict::read(path, bytes, strict::MAX_BYTES);
    let mut reader = Reader::new(Dialect::Plan, defects);
    let claims = root.and_then(|root| claims::read_list(&mut reader, &root));
    let findings = reader.finish(&PlanName::default_plan());
    let is_refused = findings
        .iter()
        .any(|finding| finding.row.severity == Severity::Error);
    (claims.filter(|_| !is_refused), findings)
}

/// A file to be read.
#[derive(Debug)]
pub(super) struct File<'a> {
    /// The plan that it is of.
    pub(super) name: &'a PlanName,
    /// Its path, for places.
    pub(super) path: &'a str,
    /// What it holds.
    pub(super) bytes: &'a [u8],
    /// How much it may hold.
    pub(super) max_bytes: usize,
}

/// Reads a plan, or a contract, which is a plan in normal form.
pub(super) fn read_as(dialect: Dialect, file: &File<'_>) -> Reading {
    let (root, defects) = strict::read(file.path, file.bytes, file.max_bytes);
    let mut reader = Reader::new(dialect, defects);
    let contract = root.and_then(|root| contract(&mut reader, &root));
    let compiled = reader.compiled();
    let findings = reader.finish(file.name);
    let is_refused = findings
        .iter()
        .any(|finding| finding.row.severity == Severity::Error);
    Reading {
        contract: contract.filter(|_| !is_refused),
        findings,
        compiled,
    }
}

/// The members of a plan.
const PLAN: Shape = Shape {
    what: "a plan",
    keys: &[
        "task",
        "created",
        "requirements",
        "required_tools",
        "pins",
        "scope",
        "claims",
        "steps",
        "snapshot",
    ],
    contract_keys: &[],
    ignored: &["id"],
};

/// Reads the root of a plan.
fn contract(reader: &mut Reader<'_>, root: &Node) -> Option<Contract> {
    let plan = reader.object(root, &PLAN)?;
    let task = reader
        .required(&plan, "task")
        .and_then(|node| task(reader, node));
    let created = reader
        .required(&plan, "created")
        .and_then(|node| created(reader, node));
    let required_tools = reader
        .optional_list(&plan, "required_tools", Reader::text)
        .whole();
    let pins = reader.patterns(&plan, "pins", Empty::Allowed);
    let scope = scope(reader, &plan);
    // Where a snapshot is kept is no part of what is to be proven: read, then dropped.
    reader.optional_list(&plan, "snapshot", Reader::path);
    let requirements = requirement::read(reader, &plan);
    let drafts = step::read_all(reader, &plan);
    links::check(reader, &drafts);
    covers::check(reader, &drafts, &requirements);
    let claims = claims::read(reader, &plan, &drafts);
    let steps = links::effective(drafts);
    Some(Contract {
        task: task?,
        created: created?,
        requirements: requirements.whole()?,
        required_tools: required_tools?,
        pins: pins?,
        scope: scope?,
        claims: claims?,
        steps: steps?,
    })
}

/// The task of the skeleton that `init --starter` writes.
pub(crate) const SKELETON_TASK: &str = "Say in one sentence what the work is";

/// Reads the task; that of the skeleton is nobody's.
fn task(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let text = reader.text(node)?;
    if text == SKELETON_TASK && matches!(reader.dialect(), Dialect::Plan) {
        let message = "the task is still that of the skeleton";
        let hint = Some("say what is asked for, and which checks prove it".to_owned());
        reader.refuse_hinted(&row::SKELETON, &node.spot, message, hint);
    }
    Some(text)
}

/// Reads when the plan was made; kept as its author wrote it.
fn created(reader: &mut Reader<'_>, node: &Node) -> Option<String> {
    let text = reader.text(node)?;
    if crate::model::time::is_iso_8601(&text) {
        return Some(text);
    }
    let message = format!("{} is no date or time of ISO 8601", strict::quoted(&text));
    let hint = Some("write it like 2026-11-29T16:40:00Z".to_owned());
    reader.refuse_hinted(&row::CREATED_INVALID, &node.spot, message, hint);
    None
}

/// Reads the scope. An empty one would read as "nothing may be touched" and mean "anything may".
fn scope(reader: &mut Reader<'_>, plan: &Members<'_>) -> Option<Vec<String>> {
    let empty = match reader.dialect() {
        Dialect::Plan => Empty::Refused,
        Dialect::Contract => Empty::Allowed,
    };
    reader.patterns(plan, "scope", empty)
}

#[cfg(test)]
mod tests;
