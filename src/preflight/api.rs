//! `OpenAPI` documents (3.0, 3.1): operations and what they promise.
//!
//! Only what is written in the document itself counts. A reference to another file, one that goes round
//! in a circle, and schemas that are put together of others on the way leave it open.

mod changes;

use super::data::{Node, Value};
use crate::model::claim::evidence::Reason;

pub(super) use changes::breaks;

/// How many references may lead to each other.
const HOPS: usize = 32;
/// Keywords that put a schema together of others.
const COMPOSED: [&str; 10] = [
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "if",
    "dependentSchemas",
    "patternProperties",
    "unevaluatedProperties",
    "$dynamicRef",
    "discriminator",
];
/// Members that may stand beside a reference without changing what it names.
const BESIDE: [&str; 2] = ["description", "summary"];
/// The media type that is meant where there are several.
const JSON: &str = "application/json";
/// The methods of a path.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// A document.
#[derive(Clone, Copy)]
pub(super) struct Api<'d> {
    root: &'d Node,
}

/// One operation, and the path item that it is part of.
#[derive(Clone, Copy)]
pub(super) struct Operation<'d> {
    api: Api<'d>,
    item: &'d Node,
    /// Where it is written.
    pub(super) node: &'d Node,
}

/// One parameter.
#[derive(Clone, Copy)]
pub(super) struct Parameter<'d> {
    /// Where it is written.
    pub(super) node: &'d Node,
    /// Its name.
    pub(super) name: &'d str,
    /// Where it is given: `path`, `query`, `header`, `cookie`.
    place: &'d str,
}

impl<'d> Api<'d> {
    /// Takes a document of a version that is read.
    pub(super) fn of(root: &'d Node) -> Result<Self, Reason> {
        let version = root.at(&["openapi"]).here()?;
        let version = version.and_then(Node::as_scalar);
        let version = version.map_or("", |scalar| scalar.text.as_str());
        let is_known = ["3.0.", "3.1."]
            .iter()
            .any(|start| version.starts_with(start));
        if is_known {
            Ok(Self { root })
        } else {
            Err(Reason::UnsupportedLanguage)
        }
    }

    /// Follows references to what they name.
    fn follow(self, node: &'d Node) -> Result<&'d Node, Reason> {
        let mut here = node;
        for _ in 0..HOPS {
            if here.value == Value::Open {
                return Err(Reason::Ambiguous);
            }
            let Some(map) = here.map() else {
                return Ok(here);
            };
            if map.is_open {
                return Err(Reason::Ambiguous);
            }
            let Some(reference) = map.get("$ref") else {
                return Ok(here);
            };
            let is_alone = |key: &str| key == "$ref" || BESIDE.contains(&key);
            if !map.members.iter().all(|(key, _)| is_alone(key)) {
                return Err(Reason::Ambiguous);
            }
            let pointer = reference.text().ok_or(Reason::ParseError)?;
            let pointer = pointer
                .strip_prefix("#/")
                .ok_or(Reason::CoverageIncomplete)?;
            if pointer.contains('%') {
                return Err(Reason::Ambiguous);
            }
            let parts = pointer.split('/');
            let parts = parts.map(|part| part.replace("~1", "/").replace("~0", "~"));
            let parts: Vec<String> = parts.collect();
            here = self.root.at(&parts).here()?.ok_or(Reason::ParseError)?;
        }
        // They lead round in a circle, or nobody wrote them by hand.
        Err(Reason::Limit)
    }

    /// Returns a member of an object, followed.
    fn member(self, node: &'d Node, key: &str) -> Result<Option<&'d Node>, Reason> {
        let member = node.at(&[key]).here()?;
        member.map(|member| self.follow(member)).transpose()
    }

    /// Lists every path with its item.
    fn paths(self) -> Result<Vec<(&'d str, &'d Node)>, Reason> {
        let Some(paths) = self.member(self.root, "paths")? else {
            return Ok(Vec::new());
        };
        let paths = paths.map().ok_or(Reason::ParseError)?;
        let paths = paths.members.iter().filter(|(key, _)| key.starts_with('/'));
        paths
            .map(|(key, item)| Ok((key.as_str(), self.follow(item)?)))
            .collect()
    }

    /// Finds an operation.
    pub(super) fn operation(
        self,
        method: &str,
        route: &str,
    ) -> Result<Option<Operation<'d>>, Reason> {
        let Some(paths) = self.member(self.root, "paths")? else {
            return Ok(None);
        };
        let Some(item) = self.member(paths, route)? else {
            return Ok(None);
        };
        let node = self.member(item, method)?;
        let api = self;
        Ok(node.map(|node| Operation { api, item, node }))
    }

    /// Returns the schema of a body: of its JSON, or of its only media type.
    fn body(self, node: &'d Node) -> Result<Option<&'d Node>, Reason> {
        let Some(content) = self.member(node, "content")? else {
            return Ok(None);
        };
        let types = content.map().ok_or(Reason::ParseError)?;
        let media = match (types.get(JSON), types.members.as_slice()) {
            (Some(media), _) | (None, [(_, media)]) => media,
            (None, []) => return Ok(None),
            (None, _) => return Err(Reason::Ambiguous),
        };
        self.member(self.follow(media)?, "schema")
    }

    /// Refuses a schema that is put together of others.
    fn plain(schema: &Node) -> Result<(), Reason> {
        let map = schema.map().ok_or(Reason::Ambiguous)?;
        let is_composed = map
            .members
            .iter()
            .any(|(key, _)| COMPOSED.contains(&key.as_str()));
        if is_composed || map.is_open {
            return Err(Reason::Ambiguous);
        }
        Ok(())
    }

    /// Returns the types of a schema; none where it allows any.
    fn types(self, schema: &'d Node) -> Result<Option<Vec<&'d str>>, Reason> {
        Self::plain(schema)?;
        let Some(stated) = self.member(schema, "type")? else {
            return Ok(None);
        };
        let names: Option<Vec<&str>> = match stated.list() {
            Some(items) => items.iter().map(Node::text).collect(),
            None => stated.text().map(|name| vec![name]),
        };
        names.map(Some).ok_or(Reason::ParseError)
    }

    /// Says whether a schema is of a type: none of several.
    pub(super) fn is_of(self, schema: &'d Node, name: &str) -> Result<bool, Reason> {
        match self.types(schema)?.as_deref() {
            Some([only]) => Ok(*only == name),
            Some(several) if !several.contains(&name) => Ok(false),
            Some(_) | None => Err(Reason::Ambiguous),
        }
    }

    /// Finds a property of a schema, and says whether it is required.
    pub(super) fn property(
        self,
        schema: &'d Node,
        name: &str,
    ) -> Result<Option<(&'d Node, bool)>, Reason> {
        Self::plain(schema)?;
        let Some(properties) = self.member(schema, "properties")? else {
            return Ok(None);
        };
        let Some(property) = self.member(properties, name)? else {
            return Ok(None);
        };
        Ok(Some((property, self.required(schema)?.contains(&name))))
    }

    /// Lists the properties that a schema requires.
    fn required(self, schema: &'d Node) -> Result<Vec<&'d str>, Reason> {
        let Some(required) = self.member(schema, "required")? else {
            return Ok(Vec::new());
        };
        let names = required.list().ok_or(Reason::ParseError)?.iter();
        names
            .map(|name| name.text().ok_or(Reason::ParseError))
            .collect()
    }
}

impl<'d> Operation<'d> {
    /// Lists its parameters; one of the operation replaces one of the path.
    pub(super) fn parameters(&self) -> Result<Vec<Parameter<'d>>, Reason> {
        let mut found: Vec<Parameter<'d>> = Vec::new();
        for of in [self.node, self.item] {
            let Some(list) = self.api.member(of, "parameters")? else {
                continue;
            };
            for node in list.list().ok_or(Reason::ParseError)? {
                let node = self.api.follow(node)?;
                let text = |key: &str| {
                    let member = self.api.member(node, key)?;
                    member.and_then(Node::text).ok_or(Reason::ParseError)
                };
                let (name, place) = (text("name")?, text("in")?);
                if !found
                    .iter()
                    .any(|one| one.name == name && one.place == place)
                {
                    found.push(Parameter { node, name, place });
                }
            }
        }
        Ok(found)
    }

    /// Says whether a parameter must be given.
    pub(super) fn requires(&self, parameter: &Parameter<'d>) -> Result<bool, Reason> {
        Ok(parameter.place == "path" || self.flag(parameter.node, "required")?)
    }

    /// Returns the schema of a parameter.
    pub(super) fn schema(&self, parameter: &Parameter<'d>) -> Result<Option<&'d Node>, Reason> {
        match self.api.member(parameter.node, "schema")? {
            Some(schema) => Ok(Some(schema)),
            None => self.api.body(parameter.node),
        }
    }

    /// Returns what is documented of a response.
    pub(super) fn response(&self, status: &str) -> Result<Option<&'d Node>, Reason> {
        let Some(responses) = self.api.member(self.node, "responses")? else {
            return Ok(None);
        };
        self.api.member(responses, status)
    }

    /// Says whether a response may be meant by `default`, or by one for a range.
    pub(super) fn may_mean(&self, status: &str) -> Result<bool, Reason> {
        let range = status.chars().next().map(|first| format!("{first}XX"));
        let range = range.unwrap_or_default();
        Ok(self.response("default")?.is_some() || self.response(&range)?.is_some())
    }

    /// Returns the schema of its request.
    pub(super) fn request(&self) -> Result<Option<&'d Node>, Reason> {
        match self.api.member(self.node, "requestBody")? {
            Some(body) => self.api.body(body),
            None => Ok(None),
        }
    }

    /// Returns the schema of a response.
    pub(super) fn answer(&self, status: &str) -> Result<Option<&'d Node>, Reason> {
        match self.response(status)? {
            Some(response) => self.api.body(response),
            None => Ok(None),
        }
    }

    /// Says whether a member is true.
    fn flag(&self, node: &'d Node, key: &str) -> Result<bool, Reason> {
        let member = self.api.member(node, key)?;
        let member = member.and_then(Node::as_scalar);
        Ok(member.is_some_and(|scalar| scalar.text == "true"))
    }
}

#[cfg(test)]
mod tests;
