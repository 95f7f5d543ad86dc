//! Parsing with a deadline.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{ParseOptions, ParseState, Parser, Tree};

use super::Grammar;
use crate::model::claim::evidence::Reason;

/// How long one file may take, from its first byte to its last fact.
pub(super) struct Deadline {
    begun: Instant,
    most: Duration,
}

impl Deadline {
    /// Begins now and ends after so many milliseconds.
    pub(super) fn after(most: u64) -> Self {
        Self {
            begun: Instant::now(),
            most: Duration::from_millis(most),
        }
    }

    /// Says whether it is over.
    pub(super) fn is_over(&self) -> bool {
        self.begun.elapsed() > self.most
    }
}

/// Parses a text. A syntax error anywhere is an error.
pub(super) fn parse(grammar: &Grammar, text: &str, deadline: &Deadline) -> Result<Tree, Reason> {
    let mut parser = Parser::new();
    let language = (grammar.language)();
    // All grammars are of versions that the parser knows, which the corpus shows.
    parser
        .set_language(&language)
        .map_err(|_| Reason::UnsupportedLanguage)?;
    let mut progress = |_: &ParseState| {
        if deadline.is_over() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = text.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut read, None, Some(options));
    let tree = tree.ok_or(Reason::Limit)?;
    if tree.root_node().has_error() {
        return Err(Reason::ParseError);
    }
    Ok(tree)
}
