//! Reads the steps of a plan, each for itself; how they hang together is looked at in `links`.

use super::check;
use super::members::{Empty, Items, Members, Shape};
use super::reader::Reader;
use crate::model::check::Check;
use crate::model::contract::{Output, RequiredOutput, Step};
use crate::wire::strict::{Node, Spot, Value};

/// The members of a step.
const STEP: Shape = Shape {
    what: "a step",
    keys: &[
        "id",
        "title",
        "covers",
        "depends_on",
        "requires_outputs",
        "outputs",
        "verify",
        "inputs",
        "exclusive",
        "modifies",
        "creates",
        "deletes",
        "uses_symbol",
    ],
    contract_keys: &[],
    ignored: &["status"],
};

/// The members of an output.
const OUTPUT: Shape = Shape {
    what: "an output",
    keys: &["name", "verify"],
    contract_keys: &[],
    ignored: &[],
};

/// The members of a required output.
const REQUIRED: Shape = Shape {
    what: "a required output",
    keys: &["step", "name"],
    contract_keys: &[],
    ignored: &[],
};

/// A value with its place.
pub(super) type Spotted<T> = (T, Spot);

/// A step as far as it could be read.
#[derive(Debug)]
pub(super) struct Draft {
    /// The place of its opening bracket.
    pub(super) opening: Spot,
    /// Its number.
    pub(super) id: Option<Spotted<u64>>,
    /// What it says it depends on; none if it does not say.
    pub(super) depends_on: Option<Items<Spotted<u64>>>,
    /// What it requires.
    pub(super) requires: Items<Required>,
    /// The names of its outputs.
    pub(super) output_names: Items<Spotted<String>>,
    /// The requirements that it covers.
    pub(super) covers: Items<Spotted<String>>,
    title: Option<String>,
    outputs: Option<Vec<Output>>,
    verify: Option<Vec<Check>>,
    touched: Option<Touched>,
}

/// What a step depends on and touches in the tree.
#[derive(Debug)]
struct Touched {
    inputs: Vec<String>,
    exclusive: bool,
    modifies: Vec<String>,
    creates: Vec<String>,
    deletes: Vec<String>,
    uses_symbol: Vec<String>,
}

impl Draft {
    /// Returns its number.
    pub(super) fn number(&self) -> Option<u64> {
        self.id.as_ref().map(|(id, _)| *id)
    }

    /// Makes the step with these effective dependencies; none if a part of it could not be read.
    pub(super) fn into_step(self, depends_on: Vec<u64>) -> Option<Step> {
        let touched = self.touched?;
        Some(Step {
            id: self.id?.0,
            title: self.title?,
            covers: without_places(self.covers)?,
            depends_on,
            requires_outputs: required_values(self.requires)?,
            outputs: self.outputs?,
            verify: self.verify?,
            inputs: touched.inputs,
            exclusive: touched.exclusive,
            modifies: touched.modifies,
            creates: touched.creates,
            deletes: touched.deletes,
            uses_symbol: touched.uses_symbol,
        })
    }
}

/// A required output with its places.
#[derive(Debug)]
pub(super) struct Required {
    /// What is required.
    pub(super) value: RequiredOutput,
    /// The place of the whole.
    pub(super) item: Spot,
    /// The place of the step's number.
    pub(super) step: Spot,
    /// The place of the name.
    pub(super) name: Spot,
}

/// Reads all steps.
pub(super) fn read_all(reader: &mut Reader<'_>, plan: &Members<'_>) -> Items<Draft> {
    let steps = reader.required(plan, "steps");
    let drafts = match steps {
        Some(node) => reader.list(node, Empty::Refused, read),
        None => Items {
            values: Vec::new(),
            is_complete: false,
        },
    };
    reader.speak_of_step(None);
    drafts
}

/// Reads one step.
fn read(reader: &mut Reader<'_>, node: &Node) -> Option<Draft> {
    reader.speak_of_step(peek_id(node));
    let members = reader.object(node, &STEP)?;
    let id = reader.required(&members, "id");
    let id = id.and_then(|node| step_id(reader, node));
    let title = reader
        .required(&members, "title")
        .and_then(|node| reader.text(node));
    let covers = reader.optional_list(&members, "covers", covered);
    let depends_on = members.get("depends_on");
    let depends_on = depends_on.map(|node| reader.list(node, Empty::Allowed, step_id));
    let requires = nullable_list(reader, &members, "requires_outputs", required_output);
    let outputs = nullable_list(reader, &members, "outputs", output);
    let (outputs, output_names) = split_outputs(outputs);
    Some(Draft {
        opening: members.opening().clone(),
        id,
        depends_on,
        requires,
        output_names,
        covers,
        title,
        outputs,
        verify: check::read_all(reader, &members, check::Proof::Behaviour),
        touched: touched(reader, &members),
    })
}

/// Looks for the number of a step before it is read, so that every finding can name it.
fn peek_id(node: &Node) -> Option<u64> {
    let Value::Object(members) = &node.value else {
        return None;
    };
    let id = members.iter().find(|member| member.key == "id")?;
    let Value::Number(spelling) = &id.node.value else {
        return None;
    };
    spelling.parse().ok()
}

/// Keeps the place of a value that was read.
fn spotted<T>(node: &Node, value: Option<T>) -> Option<Spotted<T>> {
    value.map(|value| (value, node.spot.clone()))
}

/// Reads the number of a step that another names.
fn step_id(reader: &mut Reader<'_>, node: &Node) -> Option<Spotted<u64>> {
    spotted(node, reader.step_id(node))
}

/// Returns the values of a list without their places.
pub(super) fn without_places<T>(items: Items<Spotted<T>>) -> Option<Vec<T>> {
    items
        .whole()
        .map(|values| values.into_iter().map(|(value, _)| value).collect())
}

/// Reads the id of a requirement that is covered.
fn covered(reader: &mut Reader<'_>, node: &Node) -> Option<Spotted<String>> {
    spotted(node, reader.text(node).map(|id| id.trim().to_owned()))
}

/// Reads a list for which `null` stands as for none.
fn nullable_list<T>(
    reader: &mut Reader<'_>,
    step: &Members<'_>,
    key: &str,
    read: impl FnMut(&mut Reader<'_>, &Node) -> Option<T>,
) -> Items<T> {
    match step.get(key) {
        Some(Node {
            value: Value::Null, ..
        }) => Items::none(),
        Some(_) | None => reader.optional_list(step, key, read),
    }
}

/// Reads one required output.
fn required_output(reader: &mut Reader<'_>, node: &Node) -> Option<Required> {
    let members = reader.object(node, &REQUIRED)?;
    let step_node = reader.required(&members, "step");
    let step = step_node.and_then(|node| reader.step_id(node));
    let name_node = reader.required(&members, "name");
    let name = name_node.and_then(|node| reader.text(node));
    Some(Required {
        value: RequiredOutput {
            step: step?,
            name: name?,
        },
        item: members.opening().clone(),
        step: step_node?.spot.clone(),
        name: name_node?.spot.clone(),
    })
}

fn required_values(requires: Items<Required>) -> Option<Vec<RequiredOutput>> {
    requires
        .whole()
        .map(|all| all.into_iter().map(|required| required.value).collect())
}

/// An output as far as it could be read.
#[derive(Debug)]
struct OutputDraft {
    name: Option<Spotted<String>>,
    output: Option<Output>,
}

/// Reads one output.
fn output(reader: &mut Reader<'_>, node: &Node) -> Option<OutputDraft> {
    let members = reader.object(node, &OUTPUT)?;
    let name_node = reader.required(&members, "name");
    let name = name_node.and_then(|node| spotted(node, reader.text(node)));
    let verify = check::read_all(reader, &members, check::Proof::Any);
    let plain = name.as_ref().map(|(name, _)| name.clone());
    let output = plain
        .zip(verify)
        .map(|(name, verify)| Output { name, verify });
    Some(OutputDraft { name, output })
}

/// Parts outputs into themselves, if all could be read, and their names, as far as they could.
fn split_outputs(drafts: Items<OutputDraft>) -> (Option<Vec<Output>>, Items<Spotted<String>>) {
    let are_listed = drafts.is_complete;
    let are_named = drafts.values.iter().all(|draft| draft.name.is_some());
    let (names, outputs): (Vec<_>, Vec<_>) = drafts
        .values
        .into_iter()
        .map(|draft| (draft.name, draft.output))
        .unzip();
    let outputs: Option<Vec<_>> = outputs.into_iter().collect();
    let names = names.into_iter().flatten().collect();
    let names = Items {
        values: names,
        is_complete: are_listed && are_named,
    };
    (outputs.filter(|_| are_listed), names)
}

/// Reads what a step depends on and touches in the tree.
fn touched(reader: &mut Reader<'_>, members: &Members<'_>) -> Option<Touched> {
    let inputs = reader.patterns(members, "inputs", Empty::Allowed);
    let exclusive = reader.optional(members, "exclusive", false, Reader::boolean);
    let modifies = reader
        .optional_list(members, "modifies", Reader::path)
        .whole();
    let creates = reader
        .optional_list(members, "creates", Reader::path)
        .whole();
    let deletes = reader
        .optional_list(members, "deletes", Reader::path)
        .whole();
    let uses_symbol = reader
        .optional_list(members, "uses_symbol", Reader::text)
        .whole();
    Some(Touched {
        inputs: inputs?,
        exclusive: exclusive?,
        modifies: modifies?,
        creates: creates?,
        deletes: deletes?,
        uses_symbol: uses_symbol?,
    })
}
