//! Reads the texts of a plan: words, paths, path patterns and regular expressions.

use super::members::{Empty, Members};
use super::reader::Reader;
use crate::model::finding::plan as row;
use crate::model::pattern::{self, PathPatterns, PatternFault};
use crate::model::relative;
use crate::wire::strict::{Node, Value, quoted};

/// How many regular expressions a plan may hold: each takes milliseconds to compile.
const MAX_EXPRESSIONS: usize = 1000;
/// How many bytes the regular expressions of a plan may have once compiled: some seconds of work.
const MAX_COMPILED: usize = 128 << 20;

impl Reader<'_> {
    /// Reads a text of any content but U+0000.
    pub(super) fn any_text(&mut self, node: &Node) -> Option<String> {
        let Value::Text(text) = &node.value else {
            self.refuse_kind(node, "a text");
            return None;
        };
        if text.contains('\0') {
            self.refuse(
                &row::NUL_CHARACTER,
                &node.spot,
                "the text holds the character U+0000",
            );
            return None;
        }
        Some(text.clone())
    }

    /// Reads a text that says something.
    pub(super) fn text(&mut self, node: &Node) -> Option<String> {
        let text = self.any_text(node)?;
        if text.trim().is_empty() {
            self.refuse(&row::BLANK_TEXT, &node.spot, "the text is blank");
            return None;
        }
        Some(text)
    }

    /// Reads a text that is not empty.
    pub(super) fn word(&mut self, node: &Node) -> Option<String> {
        let text = self.any_text(node)?;
        if text.is_empty() {
            self.refuse(&row::BLANK_TEXT, &node.spot, "the text is empty");
            return None;
        }
        Some(text)
    }

    /// Reads a safe relative path.
    pub(super) fn path(&mut self, node: &Node) -> Option<String> {
        let path = self.text(node)?;
        let Some(fault) = relative::fault(&path) else {
            return Some(path);
        };
        let message = format!("{} is no path inside the tree: {fault}", quoted(&path));
        self.refuse(&row::PATH_UNSAFE, &node.spot, message);
        None
    }

    /// Reads a regular expression.
    pub(super) fn expression(&mut self, node: &Node) -> Option<String> {
        let text = self.word(node)?;
        if self.count_expression() > MAX_EXPRESSIONS {
            let message = format!("a plan holds at most {MAX_EXPRESSIONS} regular expressions");
            self.refuse(&row::TOO_MANY_PATTERNS, &node.spot, message);
            return None;
        }
        if self.compiled() > MAX_COMPILED {
            let message = "the patterns of this plan are too large, all together, once compiled";
            self.refuse(&row::TOO_MANY_PATTERNS, &node.spot, message);
            return None;
        }
        let fault = match pattern::text(&text) {
            Ok(bytes) => {
                self.count_compiled(bytes);
                return Some(text);
            }
            Err(fault) => fault,
        };
        if fault == PatternFault::TooLarge {
            self.count_compiled(pattern::TOO_LARGE);
        }
        let row = match fault {
            PatternFault::Unsupported => &row::REGEX_UNSUPPORTED,
            PatternFault::Invalid(_) | PatternFault::TooLarge | PatternFault::TooMany => {
                &row::REGEX_INVALID
            }
        };
        let message = format!("{} is no pattern of this tool: {fault}", quoted(&text));
        self.refuse(row, &node.spot, message);
        None
    }

    /// Reads a list of path patterns that may be absent.
    pub(super) fn patterns(
        &mut self,
        of: &Members<'_>,
        key: &str,
        empty: Empty,
    ) -> Option<Vec<String>> {
        let Some(node) = of.get(key) else {
            return Some(Vec::new());
        };
        let patterns = self.list(node, empty, Self::pattern).whole()?;
        self.count_compiled(patterns.len().saturating_mul(pattern::GLOB));
        let Err(fault) = PathPatterns::new(&patterns) else {
            return Some(patterns);
        };
        let row = match fault {
            PatternFault::TooMany => &row::TOO_MANY_PATTERNS,
            PatternFault::Invalid(_) | PatternFault::TooLarge | PatternFault::Unsupported => {
                &row::PATTERN_INVALID
            }
        };
        self.refuse(row, &node.spot.opening(), fault.to_string());
        None
    }

    /// Reads one path pattern.
    fn pattern(&mut self, node: &Node) -> Option<String> {
        let text = self.text(node)?;
        let Some(fault) = pattern::path_fault(&text) else {
            return Some(text);
        };
        let message = format!("{} is no path pattern: {fault}", quoted(&text));
        self.refuse(&row::PATTERN_INVALID, &node.spot, message);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::Dialect;
    use super::*;
    use crate::model::ids::PlanName;
    use crate::wire::strict;

    #[test]
    fn the_expressions_of_a_plan_are_bounded_by_what_compiling_them_takes() {
        let (root, defects) = strict::read("plan.json", br#"{"a":"b"}"#, 100);
        let Some(Value::Object(members)) = root.map(|root| root.value) else {
            panic!("no object");
        };
        let node = &members.first().unwrap().node;
        let mut reader = Reader::new(Dialect::Plan, defects);
        assert_eq!(reader.expression(node).as_deref(), Some("b"));

        reader.count_compiled(MAX_COMPILED);

        assert_eq!(reader.expression(node), None);
        let findings = reader.finish(&PlanName::default_plan());
        let codes: Vec<&str> = findings.iter().map(|each| each.row.code).collect();
        assert_eq!(codes, ["too-many-patterns"]);
    }
}
