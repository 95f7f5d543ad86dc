//! Reads claims: one reader for all types, led by their table.

use std::collections::{BTreeMap, BTreeSet};

use super::members::{Empty, Items, Members};
use super::reader::Reader;
use super::row;
use super::step::{Draft, Spotted};
use super::suggest;
use crate::model::claim::statement::{Parameter, Statement, Value};
use crate::model::claim::types::{self, Field, Form, Need, Type};
use crate::model::claim::{Claim, Criticality, LONGEST, MOST};
use crate::model::ids::{Digest, Oid};
use crate::wire::canonical::MAX_INTEGER;
use crate::wire::strict::{self, Node, Spot, quoted};

/// The members that every claim may have, whatever its type.
const COMMON: [&str; 7] = [
    "id",
    "steps",
    "type",
    "criticality",
    "expect",
    "hold",
    "because",
];
/// What a claim is called.
const CLAIM: &str = "a claim";

/// Reads the claims of a plan.
pub(super) fn read(
    reader: &mut Reader<'_>,
    plan: &Members<'_>,
    drafts: &Items<Draft>,
) -> Option<Vec<Claim>> {
    match plan.get("claims") {
        Some(node) => list(reader, node, Some(drafts)),
        None => Some(Vec::new()),
    }
}

/// Reads claims that belong to no plan, so that nothing is known of steps.
pub(super) fn read_list(reader: &mut Reader<'_>, node: &Node) -> Option<Vec<Claim>> {
    list(reader, node, None)
}

/// Reads a list of claims.
fn list(reader: &mut Reader<'_>, node: &Node, drafts: Option<&Items<Draft>>) -> Option<Vec<Claim>> {
    let claims = reader.list(node, Empty::Allowed, |reader, node| {
        one(reader, node, drafts).map(|claim| (claim, node.spot.opening()))
    });
    if claims.values.len() > MOST {
        let message = format!("a plan has at most {MOST} claims");
        reader.refuse(&row::CLAIMS_TOO_MANY, &node.spot.opening(), message);
        return None;
    }
    let mut seen = BTreeSet::new();
    for (claim, spot) in &claims.values {
        if !seen.insert(claim.id.as_str()) {
            let message = format!("another claim has the id {} already", quoted(&claim.id));
            reader.refuse(&row::CLAIM_ID_DUPLICATE, spot, message);
        }
    }
    let claims = claims.whole()?;
    Some(claims.into_iter().map(|(claim, _)| claim).collect())
}

/// Reads one claim.
fn one(reader: &mut Reader<'_>, node: &Node, drafts: Option<&Items<Draft>>) -> Option<Claim> {
    let kind = kind(reader, node)?;
    let mut keys = COMMON.to_vec();
    keys.extend(kind.fields.iter().map(|field| field.name));
    let claim = reader.object_of(node, CLAIM, &keys)?;
    let id = reader
        .required(&claim, "id")
        .and_then(|node| bounded(reader, node, Reader::text));
    let steps = reader.optional_list(&claim, "steps", |reader, node| step(reader, node, drafts));
    let criticality = reader
        .required(&claim, "criticality")
        .and_then(|node| criticality(reader, node));
    let expect = reader
        .required(&claim, "expect")
        .and_then(|node| reader.boolean(node));
    let hold = reader.optional(&claim, "hold", false, Reader::boolean);
    let because = reader.optional(&claim, "because", None, |reader, node| {
        bounded(reader, node, Reader::text).map(Some)
    });
    let fields = fields(reader, &claim, kind);
    Some(Claim {
        id: id?,
        steps: steps.whole()?.into_iter().map(|(step, _)| step).collect(),
        criticality: criticality?,
        hold: hold?,
        because: because?,
        statement: Statement {
            kind,
            expect: demand_polarity(reader, &claim, kind, expect?)?,
            fields: fields?,
        },
    })
}

/// Reads the type of a claim; one that is not tested is refused by name.
fn kind(reader: &mut Reader<'_>, node: &Node) -> Option<&'static Type> {
    let strict::Value::Object(list) = &node.value else {
        reader.refuse_kind(node, CLAIM);
        return None;
    };
    let claim = Members::of(CLAIM, node.spot.opening(), list);
    let node = reader.required(&claim, "type")?;
    let name = reader.text(node)?;
    let Some(kind) = Type::find(&name) else {
        let known = types::ALL.iter().map(|one| one.name);
        let meant = suggest::nearest(&name, known).map(|meant| format!("did you mean `{meant}`?"));
        let hint = meant.or_else(|| Some("git plan-audit claims explain".to_owned()));
        let message = format!("no type of claim is called {}", quoted(&name));
        reader.refuse_hinted(&row::CLAIM_TYPE_UNKNOWN, &node.spot, message, hint);
        return None;
    };
    if kind.is_built() {
        return Some(kind);
    }
    let message = format!("claims of type `{}` are not supported yet", kind.name);
    let hint = Some("git plan-audit claims explain lists those that are".to_owned());
    reader.refuse_hinted(&row::CLAIM_TYPE_UNSUPPORTED, &node.spot, message, hint);
    None
}

/// Reads the number of a step of this plan.
fn step(
    reader: &mut Reader<'_>,
    node: &Node,
    drafts: Option<&Items<Draft>>,
) -> Option<Spotted<u64>> {
    let id = reader.step_id(node)?;
    let Some(drafts) = drafts else {
        return Some((id, node.spot.clone()));
    };
    let is_known = drafts.values.iter().any(|draft| draft.number() == Some(id));
    let are_known = drafts.is_complete && drafts.values.iter().all(|draft| draft.id.is_some());
    if are_known && !is_known {
        let message = format!("the plan has no step {id}");
        reader.refuse(&row::CLAIM_STEP_UNKNOWN, &node.spot, message);
        return None;
    }
    Some((id, node.spot.clone()))
}

/// Reads how much rests on a claim.
fn criticality(reader: &mut Reader<'_>, node: &Node) -> Option<Criticality> {
    let words = Criticality::TABLE.map(|(_, word)| word);
    let word = choice(reader, node, &words)?;
    Criticality::parse(&word)
}

/// What only people know is stated as it is: the contrary of a sentence is another sentence.
fn demand_polarity(
    reader: &mut Reader<'_>,
    claim: &Members<'_>,
    kind: &Type,
    expect: bool,
) -> Option<bool> {
    if expect || kind.layer != types::Layer::People {
        return Some(expect);
    }
    let message =
        "what people confirm is stated as it is: `expect` is true, and the sentence says it";
    let spot = claim
        .get("expect")
        .map_or(claim.opening(), |node| &node.spot);
    reader.refuse(&row::CLAIM_FIELD, spot, message);
    None
}

/// Reads the fields of a type.
fn fields(
    reader: &mut Reader<'_>,
    claim: &Members<'_>,
    kind: &'static Type,
) -> Option<BTreeMap<&'static str, Value>> {
    let mut read = BTreeMap::new();
    let mut is_complete = demand_groups(reader, claim, kind);
    for each in kind.fields {
        let node = match each.need {
            Need::Must => {
                let node = reader.required(claim, each.name);
                is_complete &= node.is_some();
                node
            }
            Need::May | Need::OneOf(_) | Need::SomeOf(_) => claim.get(each.name),
        };
        let Some(node) = node else { continue };
        match field(reader, claim, each, node) {
            Some(value) => drop(read.insert(each.name, value)),
            None => is_complete = false,
        }
    }
    is_complete.then_some(read)
}

/// Demands exactly one field, or at least one, of each group.
fn demand_groups(reader: &mut Reader<'_>, claim: &Members<'_>, kind: &Type) -> bool {
    let mut groups: BTreeMap<&str, (bool, Vec<&str>)> = BTreeMap::new();
    for each in kind.fields {
        let (name, is_exact) = match each.need {
            Need::OneOf(name) => (name, true),
            Need::SomeOf(name) => (name, false),
            Need::Must | Need::May => continue,
        };
        let group = groups.entry(name).or_insert((is_exact, Vec::new()));
        group.1.push(each.name);
    }
    let mut is_kept = true;
    for (is_exact, names) in groups.into_values() {
        let count = names
            .iter()
            .filter(|name| claim.get(name).is_some())
            .count();
        if count == 0 || (is_exact && count > 1) {
            let how = if is_exact { "exactly" } else { "at least" };
            let message = format!("`{}` needs {how} one of {}", kind.name, names.join(", "));
            reader.refuse(&row::CLAIM_FIELD, claim.opening(), message);
            is_kept = false;
        }
    }
    is_kept
}

/// Reads one field.
fn field(
    reader: &mut Reader<'_>,
    claim: &Members<'_>,
    field: &Field,
    node: &Node,
) -> Option<Value> {
    match field.form {
        Form::Path => bounded(reader, node, Reader::path).map(Value::Text),
        Form::Text => bounded(reader, node, Reader::text).map(Value::Text),
        Form::Word => bounded(reader, node, Reader::word).map(Value::Text),
        Form::Expression => bounded(reader, node, Reader::expression).map(Value::Text),
        Form::Globs => {
            let globs = reader.patterns(claim, field.name, Empty::Refused)?;
            Some(Value::Texts(globs))
        }
        Form::Texts => {
            let list = reader.list(node, Empty::Refused, |reader, node| {
                bounded(reader, node, Reader::word)
            });
            list.whole().map(Value::Texts)
        }
        Form::Commit | Form::Object => {
            let what = "no full id of an object, in lower case hex";
            spelled(reader, node, what, |text| Oid::parse(text).is_some())
        }
        Form::Sha256 => {
            let what = "no SHA-256, in lower case hex";
            spelled(reader, node, what, |text| Digest::parse(text).is_some())
        }
        Form::Number => {
            let number = reader.integer(node, 0..=MAX_INTEGER)?;
            number.try_into().ok().map(Value::Number)
        }
        Form::Choice(words) => choice(reader, node, words).map(Value::Text),
        Form::Versions => {
            let what = "no requirement on versions such as `>=1.2, <2`";
            spelled(reader, node, what, |text| {
                semver::VersionReq::parse(text).is_ok()
            })
        }
        Form::Parameters => {
            let list = reader.list(node, Empty::Allowed, parameter);
            list.whole().map(Value::Parameters)
        }
    }
}

/// Reads a parameter of a function.
fn parameter(reader: &mut Reader<'_>, node: &Node) -> Option<Parameter> {
    let members = reader.object_of(node, "a parameter", &["name", "optional"])?;
    let name = reader
        .required(&members, "name")
        .and_then(|node| bounded(reader, node, Reader::text));
    let optional = reader.optional(&members, "optional", None, |reader, node| {
        reader.boolean(node).map(Some)
    });
    Some(Parameter {
        name: name?,
        optional: optional?,
    })
}

/// Reads a text of bounded length.
fn bounded<'r>(
    reader: &mut Reader<'r>,
    node: &Node,
    read: impl FnOnce(&mut Reader<'r>, &Node) -> Option<String>,
) -> Option<String> {
    let text = read(reader, node)?;
    if text.chars().count() <= LONGEST {
        return Some(text);
    }
    let message = format!("a text of a claim has at most {LONGEST} characters");
    reader.refuse(&row::CLAIM_FIELD, &node.spot, message);
    None
}

/// Reads a text of one spelling.
fn spelled(
    reader: &mut Reader<'_>,
    node: &Node,
    what: &str,
    is_spelled: impl FnOnce(&str) -> bool,
) -> Option<Value> {
    let text = bounded(reader, node, Reader::text)?;
    if is_spelled(&text) {
        return Some(Value::Text(text));
    }
    refuse(reader, &node.spot, &format!("{} is {what}", quoted(&text)));
    None
}

/// Reads one word of several.
fn choice(reader: &mut Reader<'_>, node: &Node, words: &[&'static str]) -> Option<String> {
    let text = reader.text(node)?;
    if words.contains(&text.as_str()) {
        return Some(text);
    }
    let message = format!("{} is none of {}", quoted(&text), words.join(", "));
    refuse(reader, &node.spot, &message);
    None
}

/// Refuses a field.
fn refuse(reader: &mut Reader<'_>, spot: &Spot, message: &str) {
    reader.refuse(&row::CLAIM_FIELD, spot, message);
}
