//! A closed list of changes that break who relied on a document.

use std::collections::BTreeSet;

use super::{Api, METHODS, Operation};
use crate::model::claim::evidence::Reason;
use crate::preflight::data::{Node, Value};

/// How many pairs of schemas are compared.
const PAIRS: usize = 20_000;

/// Which way a value goes: what is accepted must not get narrower, and what is given not wider.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    In,
    Out,
}

/// Lists the rules that a later document breaks of an earlier one, and why something could not be compared.
pub(in crate::preflight) fn breaks<'d>(
    before: Api<'d>,
    after: Api<'d>,
) -> Result<(Vec<&'static str>, Option<Reason>), Reason> {
    let mut comparison = Comparison {
        before,
        after,
        routes: after
            .paths()?
            .into_iter()
            .map(|(route, _)| unnamed(route))
            .collect(),
        seen: BTreeSet::new(),
        breaks: Vec::new(),
        open: None,
    };
    for (route, item) in before.paths()? {
        for method in METHODS {
            if before.member(item, method)?.is_none() {
                continue;
            }
            let compared = comparison.operation(method, route);
            comparison.note(compared);
        }
    }
    Ok((comparison.breaks, comparison.open))
}

/// A comparison under way.
struct Comparison<'d> {
    before: Api<'d>,
    after: Api<'d>,
    /// The paths of the later document, without the names of what stands in them.
    routes: BTreeSet<String>,
    /// The pairs that are compared or were: a schema may hold itself.
    seen: BTreeSet<(Way, *const Node, *const Node)>,
    /// The rules that were broken.
    breaks: Vec<&'static str>,
    open: Option<Reason>,
}

impl<'d> Comparison<'d> {
    /// Notes why something could not be compared; what breaks elsewhere breaks all the same.
    fn note(&mut self, compared: Result<(), Reason>) {
        if let Err(reason) = compared {
            self.open.get_or_insert(reason);
        }
    }

    /// Notes a change.
    fn breaks(&mut self, rule: &'static str) {
        self.breaks.push(rule);
    }

    /// Compares one operation of the earlier document with what became of it.
    fn operation(&mut self, method: &str, route: &str) -> Result<(), Reason> {
        let Some(old) = self.before.operation(method, route)? else {
            return Ok(());
        };
        let Some(new) = self.after.operation(method, route)? else {
            // Other names of what stands in a path are no other path.
            if self.routes.contains(&unnamed(route)) && !self.has_route(route)? {
                return Err(Reason::Ambiguous);
            }
            self.breaks("operation-removed");
            return Ok(());
        };
        let parameters = self.parameters(&old, &new);
        self.note(parameters);
        let request = self.request(&old, &new);
        self.note(request);
        self.responses(&old, &new)
    }

    /// Says whether the later document has a path, as it is written.
    fn has_route(&self, route: &str) -> Result<bool, Reason> {
        let paths = self.after.member(self.after.root, "paths")?;
        Ok(paths
            .and_then(Node::map)
            .is_some_and(|paths| paths.get(route).is_some()))
    }

    /// Compares what can be given beside the body.
    fn parameters(&mut self, old: &Operation<'d>, new: &Operation<'d>) -> Result<(), Reason> {
        let (before, after) = (old.parameters()?, new.parameters()?);
        for one in &before {
            let is_it =
                |other: &&super::Parameter<'d>| other.name == one.name && other.place == one.place;
            let Some(other) = after.iter().find(is_it) else {
                self.breaks("parameter-removed");
                continue;
            };
            if new.requires(other)? && !old.requires(one)? {
                self.breaks("parameter-required");
            }
            let pair = (old.schema(one)?, new.schema(other)?);
            let compared = self.bodies(pair, Way::In);
            self.note(compared);
        }
        for other in &after {
            let is_new = !before
                .iter()
                .any(|one| one.name == other.name && one.place == other.place);
            if is_new && new.requires(other)? {
                self.breaks("parameter-required");
            }
        }
        Ok(())
    }

    /// Compares the bodies of requests.
    fn request(&mut self, old: &Operation<'d>, new: &Operation<'d>) -> Result<(), Reason> {
        let body = |operation: &Operation<'d>| operation.api.member(operation.node, "requestBody");
        let (before, after) = (body(old)?, body(new)?);
        let is_required = match after {
            Some(after) => new.flag(after, "required")?,
            None => false,
        };
        match before {
            None if is_required => self.breaks("body-required"),
            Some(before) if is_required && !old.flag(before, "required")? => {
                self.breaks("body-required");
            }
            Some(_) if after.is_none() => self.breaks("body-removed"),
            Some(_) | None => {}
        }
        self.bodies((old.request()?, new.request()?), Way::In)
    }

    /// Compares what is given back.
    fn responses(&mut self, old: &Operation<'d>, new: &Operation<'d>) -> Result<(), Reason> {
        let Some(before) = old.api.member(old.node, "responses")? else {
            return Ok(());
        };
        for (status, _) in &before.map().ok_or(Reason::ParseError)?.members {
            if new.response(status)?.is_none() {
                self.breaks("response-removed");
                continue;
            }
            let compared = self.bodies((old.answer(status)?, new.answer(status)?), Way::Out);
            self.note(compared);
        }
        Ok(())
    }

    /// Compares two schemas, where both are there.
    fn bodies(
        &mut self,
        (before, after): (Option<&'d Node>, Option<&'d Node>),
        way: Way,
    ) -> Result<(), Reason> {
        match (before, after) {
            (Some(before), Some(after)) => self.schemas(before, after, way),
            (Some(_), None) if way == Way::Out => {
                self.breaks("schema-removed");
                Ok(())
            }
            (None, Some(_)) if way == Way::In => Err(Reason::Ambiguous),
            (_, _) => Ok(()),
        }
    }

    /// Compares two schemas.
    fn schemas(&mut self, before: &'d Node, after: &'d Node, way: Way) -> Result<(), Reason> {
        let pair = (way, std::ptr::from_ref(before), std::ptr::from_ref(after));
        if !self.seen.insert(pair) {
            return Ok(());
        }
        if self.seen.len() > PAIRS {
            return Err(Reason::Limit);
        }
        if Api::plain(before).is_err() || Api::plain(after).is_err() {
            // What is put together is only known to be the same where it is written the same, and leads
            // nowhere else.
            return if is_written_alike(before, after) && !refers(before) {
                Ok(())
            } else {
                Err(Reason::Ambiguous)
            };
        }
        self.types(before, after, way)?;
        self.values(before, after, way)?;
        self.properties(before, after, way)?;
        let items = |api: Api<'d>, schema| api.member(schema, "items");
        match (items(self.before, before)?, items(self.after, after)?) {
            (Some(old), Some(new)) => self.schemas(old, new, way),
            (_, _) => Ok(()),
        }
    }

    /// Compares the types of values.
    fn types(&mut self, before: &'d Node, after: &'d Node, way: Way) -> Result<(), Reason> {
        let (old, new) = (self.before.types(before)?, self.after.types(after)?);
        let (wide, narrow) = match way {
            Way::In => (&new, &old),
            Way::Out => (&old, &new),
        };
        let is_kept = match (wide, narrow) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(wide), Some(narrow)) => narrow
                .iter()
                .all(|name| wide.contains(name) || *name == "integer" && wide.contains(&"number")),
        };
        if !is_kept {
            self.breaks("type-changed");
        }
        Ok(())
    }

    /// Compares the values that are listed.
    fn values(&mut self, before: &'d Node, after: &'d Node, way: Way) -> Result<(), Reason> {
        let list = |api: Api<'d>, schema| -> Result<Option<&'d [Node]>, Reason> {
            let list = api.member(schema, "enum")?;
            list.map(|list| list.list().ok_or(Reason::ParseError))
                .transpose()
        };
        let (old, new) = (list(self.before, before)?, list(self.after, after)?);
        let (wide, narrow) = match way {
            Way::In => (new, old),
            Way::Out => (old, new),
        };
        let is_kept = match (wide, narrow) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(wide), Some(narrow)) => narrow
                .iter()
                .all(|one| wide.iter().any(|other| is_written_alike(one, other))),
        };
        if !is_kept {
            self.breaks("enum-changed");
        }
        Ok(())
    }

    /// Compares properties.
    fn properties(&mut self, before: &'d Node, after: &'d Node, way: Way) -> Result<(), Reason> {
        let (old, new) = (self.before.required(before)?, self.after.required(after)?);
        let (rule, is_kept) = match way {
            Way::In => (
                "property-required",
                new.iter().all(|name| old.contains(name)),
            ),
            Way::Out => (
                "property-optional",
                old.iter().all(|name| new.contains(name)),
            ),
        };
        if !is_kept {
            self.breaks(rule);
        }
        let Some(properties) = self.before.member(before, "properties")? else {
            return Ok(());
        };
        for (name, node) in &properties.map().ok_or(Reason::ParseError)?.members {
            let one = self.before.follow(node)?;
            match self.after.property(after, name)? {
                None => self.breaks("property-removed"),
                Some((other, _)) => {
                    let compared = self.schemas(one, other, way);
                    self.note(compared);
                }
            }
        }
        Ok(())
    }
}

/// Writes a path without the names of what stands in it.
fn unnamed(route: &str) -> String {
    let parts = route
        .split('/')
        .map(|part| match (part.find('{'), part.rfind('}')) {
            (Some(_), Some(_)) => "{}",
            (_, _) => part,
        });
    parts.collect::<Vec<_>>().join("/")
}

/// Says whether two values are written the same, whatever stands around them.
fn is_written_alike(one: &Node, other: &Node) -> bool {
    match (&one.value, &other.value) {
        (Value::Scalar(one), Value::Scalar(other)) => one == other,
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_written_alike(one, other))
        }
        (Value::Map(one), Value::Map(other)) => {
            one.members.len() == other.members.len()
                && !one.is_open
                && !other.is_open
                && one.members.iter().all(|(key, node)| {
                    other
                        .get(key)
                        .is_some_and(|other| is_written_alike(node, other))
                })
        }
        (_, _) => false,
    }
}

/// Says whether a value refers to another one.
fn refers(node: &Node) -> bool {
    match &node.value {
        Value::Scalar(_) => false,
        Value::Open => true,
        Value::List(items) => items.iter().any(refers),
        Value::Map(map) => map
            .members
            .iter()
            .any(|(key, node)| key == "$ref" || refers(node)),
    }
}
