//! `api_contract`, `api_compatible_with`: what an `OpenAPI` document promises, and whether it kept it.

use super::config::point;
use crate::model::claim::evidence::Reason;
use crate::model::claim::statement::Statement;
use crate::model::ids::Oid;
use crate::preflight::api::{Api, Operation, Parameter, breaks};
use crate::preflight::data::{self, Format, Node};
use crate::preflight::look::{EXECUTABLE, Found, REGULAR, look};
use crate::preflight::probe::{Answer, Probe};
use crate::preflight::tree::Lack;

/// Decides `api_contract`.
pub(in crate::preflight) fn contract(probe: &mut Probe<'_>) -> Answer {
    let Some((file, document)) = probe.document("path", None) else {
        return probe.absent();
    };
    match promised(&document, probe.statement()) {
        Ok((node, holds)) => {
            point(probe, &file, node, holds);
            Answer::when(holds)
        }
        Err(reason) => Answer::Unknown(reason),
    }
}

/// Says whether a document promises what is stated, and where it is written.
fn promised<'d>(document: &'d Node, statement: &Statement) -> Result<(&'d Node, bool), Reason> {
    let api = Api::of(document)?;
    let (method, route) = (statement.text("method"), statement.text("route"));
    let Some(operation) = api.operation(method, route)? else {
        return Ok((document, false));
    };
    if let Some(status) = statement.optional("status")
        && operation.response(status)?.is_none()
    {
        if operation.may_mean(status)? {
            return Err(Reason::Ambiguous);
        }
        return Ok((operation.node, false));
    }
    let stated = match (
        statement.optional("parameter"),
        statement.optional("property"),
    ) {
        (Some(name), None) => parameter(&operation, name)?,
        (None, Some(name)) => property(api, &operation, (statement.optional("status"), name))?,
        (None, None) if !says_more(statement) => return Ok((operation.node, true)),
        // Of which of them the rest is stated, or of what at all, is not said.
        (Some(_), Some(_)) | (None, None) => return Err(Reason::Ambiguous),
    };
    let Some((node, is_required, schema)) = stated else {
        return Ok((operation.node, false));
    };
    let required = statement.optional("required");
    if required.is_some_and(|required| required != is_required.to_string()) {
        return Ok((node, false));
    }
    let Some(name) = statement.optional("value_type") else {
        return Ok((node, true));
    };
    let schema = schema.ok_or(Reason::Ambiguous)?;
    Ok((node, api.is_of(schema, name)?))
}

/// Says whether something is stated that needs a parameter or a property.
fn says_more(statement: &Statement) -> bool {
    ["required", "value_type"]
        .iter()
        .any(|field| statement.optional(field).is_some())
}

/// What is stated of: where it is written, whether it is required, and its schema.
type Stated<'d> = Option<(&'d Node, bool, Option<&'d Node>)>;

/// Finds a parameter, wherever it is given.
fn parameter<'d>(operation: &Operation<'d>, name: &str) -> Result<Stated<'d>, Reason> {
    let parameters = operation.parameters()?;
    let named: Vec<&Parameter<'d>> = parameters.iter().filter(|one| one.name == name).collect();
    match named.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some((
            one.node,
            operation.requires(one)?,
            operation.schema(one)?,
        ))),
        [_, ..] => Err(Reason::Ambiguous),
    }
}

/// Finds a property of the body of the request, or of the response with a status.
fn property<'d>(
    api: Api<'d>,
    operation: &Operation<'d>,
    (status, name): (Option<&str>, &str),
) -> Result<Stated<'d>, Reason> {
    let schema = match status {
        Some(status) => operation.answer(status)?,
        None => operation.request()?,
    };
    let Some(schema) = schema else {
        return Ok(None);
    };
    let found = api.property(schema, name)?;
    Ok(found.map(|(node, is_required)| (node, is_required, Some(node))))
}

/// Decides `api_compatible_with`.
pub(in crate::preflight) fn compatible(probe: &mut Probe<'_>) -> Answer {
    let Some((file, after)) = probe.document("path", None) else {
        return probe.absent();
    };
    let earlier = match earlier(probe) {
        Ok(earlier) => earlier,
        Err(reason) => return Answer::Unknown(reason),
    };
    let compared = Api::of(&earlier).and_then(|before| breaks(before, Api::of(&after)?));
    match compared {
        // What is broken stays broken, whatever could not be compared.
        Ok((rules, _)) if !rules.is_empty() => {
            probe.point(&file.entry, None, false);
            Answer::Fails
        }
        Err(reason) | Ok((_, Some(reason))) => Answer::Unknown(reason),
        Ok((_, None)) => {
            probe.point(&file.entry, None, true);
            Answer::Holds
        }
    }
}

/// Reads the document as it was at the commit of the statement.
fn earlier(probe: &Probe<'_>) -> Result<Node, Reason> {
    let (snapshot, statement) = (probe.snapshot(), probe.statement());
    let commit = Oid::parse(statement.text("commit")).ok_or(Reason::MissingObject)?;
    let commit = snapshot.tree().commit(&commit).map_err(Lack::reason)?;
    let path = statement.text("path");
    let Found::Here(entry) = look(snapshot, &commit.tree, path)? else {
        // It promised nothing then.
        return Err(Reason::CoverageIncomplete);
    };
    if ![REGULAR, EXECUTABLE].contains(&entry.mode) {
        return Err(Reason::CoverageIncomplete);
    }
    let bytes = snapshot
        .blob(&entry.id, snapshot.limits().file)
        .map_err(Lack::reason)?;
    let text = std::str::from_utf8(&bytes).map_err(|_| Reason::Encoding)?;
    let format = Format::of(&entry.path).ok_or(Reason::UnsupportedLanguage)?;
    data::read(format, text)
}
