//! The canonical form of claims, and the digest of what they state.

use serde_json::{Map, Value, json};

use super::canonical;
use super::digest::{Label, labelled};
use crate::model::claim::Claim;
use crate::model::claim::statement::{self, Parameter, Statement};
use crate::model::ids::Digest;

/// Writes a claim as a contract holds it: members that the plan leaves out are left out, but for `steps`.
pub(crate) fn to_value(claim: &Claim) -> Value {
    let mut members = statement_members(&claim.statement);
    members.insert("id".to_owned(), json!(claim.id));
    members.insert("steps".to_owned(), json!(claim.steps));
    members.insert("criticality".to_owned(), json!(claim.criticality.as_str()));
    // Left out where it is not, so that contracts that do not speak of it are the bytes that they were.
    if claim.hold {
        members.insert("hold".to_owned(), json!(true));
    }
    if let Some(because) = &claim.because {
        members.insert("because".to_owned(), json!(because));
    }
    Value::Object(members)
}

/// Returns the digest of a statement: over its type, its fields and what is expected, in RFC 8785 form.
///
/// Neither the id of a claim nor how much rests on it is in it, so that what is known of a
/// statement stays known when the plan says it elsewhere.
#[expect(
    clippy::expect_used,
    reason = "the numbers of a claim are integers below 2^53"
)]
pub(crate) fn digest(statement: &Statement) -> Digest {
    let value = Value::Object(statement_members(statement));
    let text = canonical::write(&value).expect("a claim holds only small integers");
    labelled(Label::Claim, text.as_bytes())
}

/// Writes what a claim states.
fn statement_members(statement: &Statement) -> Map<String, Value> {
    let fields = statement.fields.iter();
    let mut members: Map<String, Value> = fields
        .map(|(name, value)| ((*name).to_owned(), field(value)))
        .collect();
    members.insert("type".to_owned(), json!(statement.kind.name));
    members.insert("expect".to_owned(), json!(statement.expect));
    members
}

/// Writes one field.
fn field(value: &statement::Value) -> Value {
    match value {
        statement::Value::Text(text) => json!(text),
        statement::Value::Texts(texts) => json!(texts),
        statement::Value::Number(number) => json!(number),
        statement::Value::Parameters(parameters) => {
            Value::Array(parameters.iter().map(parameter).collect())
        }
    }
}

/// Writes one parameter.
fn parameter(parameter: &Parameter) -> Value {
    match parameter.optional {
        Some(optional) => json!({ "name": parameter.name, "optional": optional }),
        None => json!({ "name": parameter.name }),
    }
}
