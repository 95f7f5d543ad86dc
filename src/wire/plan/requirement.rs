//! Reads what the user asked for.

use std::collections::BTreeSet;

use super::members::{Empty, Items, Members, Shape};
use super::reader::Reader;
use super::{Dialect, row};
use crate::model::contract::{Priority, Requirement};
use crate::model::coverage;
use crate::wire::strict::{Node, Spot, Value, quoted};

/// The members of a requirement.
const REQUIREMENT: Shape = Shape {
    what: "a requirement",
    keys: &["id", "description", "priority"],
    contract_keys: &[],
    ignored: &[],
};

/// The requirements of a plan as far as they could be read.
#[derive(Debug)]
pub(super) struct Requirements {
    /// What could be read of each, also of those that are wrong otherwise.
    pub(super) asked: Vec<Asked>,
    /// Whether every id could be read.
    pub(super) has_all_ids: bool,
    listed: Items<Requirement>,
}

/// What coverage needs to know of a requirement.
#[derive(Debug)]
pub(super) struct Asked {
    /// Its id.
    pub(super) id: String,
    /// The place of the id.
    pub(super) spot: Spot,
    /// Its priority, if it could be read.
    pub(super) priority: Option<Priority>,
}

impl Requirements {
    /// Returns the requirements, or none if one could not be read.
    pub(super) fn whole(self) -> Option<Vec<Requirement>> {
        self.listed.whole()
    }
}

/// Reads the requirements of a plan.
pub(super) fn read(reader: &mut Reader<'_>, plan: &Members<'_>) -> Requirements {
    let Some(node) = plan.get("requirements") else {
        warn_of_none(reader, plan);
        return Requirements {
            asked: Vec::new(),
            has_all_ids: true,
            listed: Items::none(),
        };
    };
    let mut asked = Vec::new();
    let listed = read_list(reader, node, &mut asked);
    let count = match &node.value {
        Value::List(nodes) => Some(nodes.len()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Text(_) | Value::Object(_) => None,
    };
    refuse_duplicates(reader, &asked);
    Requirements {
        has_all_ids: count == Some(asked.len()),
        asked,
        listed,
    }
}

fn read_list(reader: &mut Reader<'_>, node: &Node, asked: &mut Vec<Asked>) -> Items<Requirement> {
    let empty = match reader.dialect() {
        Dialect::Plan => Empty::Refused,
        Dialect::Contract => Empty::Allowed,
    };
    let mut position = 0;
    reader.list(node, empty, |reader, node| {
        position += 1;
        match &node.value {
            Value::Text(_) => bare(reader, node, position, asked),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::List(_) | Value::Object(_) => {
                full(reader, node, asked)
            }
        }
    })
}

/// Reads a requirement that is only a text.
fn bare(
    reader: &mut Reader<'_>,
    node: &Node,
    position: usize,
    asked: &mut Vec<Asked>,
) -> Option<Requirement> {
    let id = coverage::positional_id(position);
    let priority = Priority::Must;
    let spot = node.spot.clone();
    asked.push(Asked {
        id: id.clone(),
        spot,
        priority: Some(priority),
    });
    Some(Requirement {
        id,
        description: reader.text(node)?,
        priority,
    })
}

/// Reads a requirement with members.
fn full(reader: &mut Reader<'_>, node: &Node, asked: &mut Vec<Asked>) -> Option<Requirement> {
    let members = reader.object(node, &REQUIREMENT)?;
    let id_node = reader.required(&members, "id");
    let id = id_node
        .and_then(|node| reader.text(node))
        .map(|id| id.trim().to_owned());
    let description = reader
        .required(&members, "description")
        .and_then(|node| reader.text(node));
    let priority = reader.optional(&members, "priority", Priority::Must, priority);
    if let (Some(id), Some(node)) = (&id, id_node) {
        asked.push(Asked {
            id: id.clone(),
            spot: node.spot.clone(),
            priority,
        });
    }
    Some(Requirement {
        id: id?,
        description: description?,
        priority: priority?,
    })
}

/// Reads a priority; case does not matter.
fn priority(reader: &mut Reader<'_>, node: &Node) -> Option<Priority> {
    let text = reader.text(node)?;
    let all = [Priority::Must, Priority::Should, Priority::May];
    let found = all
        .into_iter()
        .find(|priority| text.eq_ignore_ascii_case(priority.as_str()));
    if found.is_none() {
        let message = format!("{} is not must, should or may", quoted(&text));
        reader.refuse(&row::PRIORITY_UNKNOWN, &node.spot, message);
    }
    found
}

fn refuse_duplicates(reader: &mut Reader<'_>, asked: &[Asked]) {
    let mut seen = BTreeSet::new();
    for Asked { id, spot, .. } in asked {
        if !seen.insert(id) {
            let message = format!("another requirement has the id {} already", quoted(id));
            reader.refuse(&row::REQUIREMENT_DUPLICATE, spot, message);
        }
    }
}

fn warn_of_none(reader: &mut Reader<'_>, plan: &Members<'_>) {
    let message = "the plan has no requirements: nothing says what it is for";
    let hint = "add `requirements` and let steps cover them".to_owned();
    reader.refuse_hinted(&row::NO_REQUIREMENTS, plan.opening(), message, Some(hint));
}
