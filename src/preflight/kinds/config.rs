//! `config_value`: what a file of settings says at a key.

use regex::{Regex, RegexBuilder};

use super::text::COMPILED;
use crate::model::claim::evidence::Reason;
use crate::model::claim::statement::Statement;
use crate::preflight::data::{Found, Node, Value};
use crate::preflight::probe::{Answer, Probe, TextFile};

/// Decides `config_value`.
pub(in crate::preflight) fn value(probe: &mut Probe<'_>) -> Answer {
    let wanted = match Wanted::of(probe.statement()) {
        Ok(wanted) => wanted,
        Err(reason) => return Answer::Unknown(reason),
    };
    let Some((file, document)) = probe.document("path", None) else {
        return probe.absent();
    };
    let (node, holds) = match document.at(probe.statement().texts("key")) {
        Found::Here(node) => (node, wanted.is(node)),
        Found::Nothing(nearest) => (nearest, Some(false)),
        Found::Open => (&document, None),
    };
    let Some(holds) = holds else {
        return Answer::Unknown(Reason::Ambiguous);
    };
    point(probe, &file, node, holds);
    Answer::when(holds)
}

/// Notes where a value stands.
pub(super) fn point(probe: &mut Probe<'_>, file: &TextFile, node: &Node, holds: bool) {
    // The whole of a document has no range of its own in some formats.
    let range = (!node.span.is_empty()).then(|| file.range(node.span.clone()));
    probe.point(&file.entry, range, holds);
}

/// What a value must be.
struct Wanted<'s> {
    equals: Option<&'s str>,
    one_of: &'s [String],
    matches: Option<Regex>,
}

impl<'s> Wanted<'s> {
    /// Reads what is stated.
    fn of(statement: &'s Statement) -> Result<Self, Reason> {
        let matches = statement.optional("matches").map(|pattern| {
            let built = RegexBuilder::new(pattern).size_limit(COMPILED).build();
            built.map_err(|_| Reason::Limit)
        });
        Ok(Self {
            equals: statement.optional("equals"),
            one_of: statement.texts("one_of"),
            matches: matches.transpose()?,
        })
    }

    /// Says whether a value is it; none where the file leaves it open.
    fn is(&self, node: &Node) -> Option<bool> {
        let is_any = self.equals.is_none() && self.one_of.is_empty() && self.matches.is_none();
        let text = match &node.value {
            Value::Open => return None,
            Value::List(_) | Value::Map(_) => return Some(is_any),
            Value::Scalar(scalar) => scalar.text.as_str(),
        };
        let is_equal = self.equals.is_none_or(|equals| equals == text);
        let is_one = self.one_of.is_empty() || self.one_of.iter().any(|one| one == text);
        let is_match = self.matches.as_ref().is_none_or(|it| it.is_match(text));
        Some(is_equal && is_one && is_match)
    }
}
