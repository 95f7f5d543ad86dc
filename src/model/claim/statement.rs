//! What a claim states: a type, its fields, and the answer that is expected.

use std::collections::BTreeMap;

use super::types::Type;

/// A statement that can be tested. Two claims with the same one are tested once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Statement {
    /// Its type.
    pub(crate) kind: &'static Type,
    /// The answer that is expected; `false` states the contrary.
    pub(crate) expect: bool,
    /// Its fields by their names, as the type asks for them.
    pub(crate) fields: BTreeMap<&'static str, Value>,
}

/// The value of a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    /// A text, path, pattern, id or word.
    Text(String),
    /// A list of them.
    Texts(Vec<String>),
    /// A count.
    Number(u64),
    /// Parameters of a function.
    Parameters(Vec<Parameter>),
}

/// A parameter of a function, as a claim states it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parameter {
    /// Its name.
    pub(crate) name: String,
    /// Whether callers may leave it out; none where the claim does not say.
    pub(crate) optional: Option<bool>,
}

impl Statement {
    /// Returns a text field; empty where there is none, which no field is that must be there.
    pub(crate) fn text(&self, field: &str) -> &str {
        self.optional(field).unwrap_or_default()
    }

    /// Returns a text field that may be absent.
    pub(crate) fn optional(&self, field: &str) -> Option<&str> {
        match self.fields.get(field) {
            Some(Value::Text(text)) => Some(text),
            Some(Value::Texts(_) | Value::Number(_) | Value::Parameters(_)) | None => None,
        }
    }

    /// Returns a list of texts; empty where there is none.
    pub(crate) fn texts(&self, field: &str) -> &[String] {
        match self.fields.get(field) {
            Some(Value::Texts(texts)) => texts,
            Some(Value::Text(_) | Value::Number(_) | Value::Parameters(_)) | None => &[],
        }
    }

    /// Returns a count.
    pub(crate) fn number(&self, field: &str) -> Option<u64> {
        match self.fields.get(field) {
            Some(Value::Number(number)) => Some(*number),
            Some(Value::Text(_) | Value::Texts(_) | Value::Parameters(_)) | None => None,
        }
    }

    /// Returns the parameters of a function; none where nothing is stated of them.
    pub(crate) fn parameters(&self, field: &str) -> Option<&[Parameter]> {
        match self.fields.get(field) {
            Some(Value::Parameters(parameters)) => Some(parameters),
            Some(Value::Text(_) | Value::Texts(_) | Value::Number(_)) | None => None,
        }
    }

    /// Writes it as one line, for people.
    pub(crate) fn line(&self) -> String {
        let fields = self.fields.iter();
        let fields: Vec<String> = fields
            .map(|(name, value)| format!("{name} {}", value.line()))
            .collect();
        let not = if self.expect { "" } else { "not " };
        format!("{not}{} {}", self.kind.name, fields.join(", "))
    }
}

impl Value {
    /// Writes it for people.
    fn line(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Texts(texts) => texts.join(" "),
            Self::Number(number) => number.to_string(),
            Self::Parameters(parameters) => {
                let each = parameters.iter().map(|parameter| {
                    let mark = match parameter.optional {
                        Some(true) => "?",
                        Some(false) => "!",
                        None => "",
                    };
                    format!("{}{mark}", parameter.name)
                });
                format!("({})", each.collect::<Vec<_>>().join(", "))
            }
        }
    }
}
