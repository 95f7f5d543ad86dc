//! Walks a tree once, with a cursor, and gathers what its language's table says of each node.

use std::collections::BTreeSet;

use tree_sitter::{Language, Tree, TreeCursor};

use super::parse::Deadline;
use super::place::{Around, Place};
use super::spelling::{Spelt, spelt};
use super::{Defined, Definition, Facts, Grammar, Named};
use crate::model::claim::evidence::Reason;

/// After how many nodes the time is looked at.
const OFTEN: usize = 256;

/// Gathers the facts of a tree.
pub(super) fn walk(
    grammar: &Grammar,
    tree: &Tree,
    text: &str,
    deadline: &Deadline,
) -> Result<Facts, Reason> {
    let language = (grammar.language)();
    let mut walk = Walk {
        grammar,
        language: &language,
        text,
        depth: 0,
        containers: Vec::new(),
        around: Vec::new(),
        scopes: Vec::new(),
        defined: BTreeSet::new(),
        facts: Facts::default(),
    };
    let mut cursor = tree.walk();
    walk.visit(&cursor);
    let mut count = 0_usize;
    while walk.step(&mut cursor) {
        count += 1;
        if count.is_multiple_of(OFTEN) && deadline.is_over() {
            return Err(Reason::Limit);
        }
        walk.visit(&cursor);
    }
    Ok(walk.facts)
}

/// A walk under way.
struct Walk<'w> {
    grammar: &'w Grammar,
    language: &'w Language,
    text: &'w str,
    depth: usize,
    /// Names of the nodes around, each with the depth of its node.
    containers: Vec<(usize, String)>,
    /// The nodes around.
    around: Vec<Around<'w>>,
    /// The nodes around in which names are local, or no more, each with its depth.
    scopes: Vec<(usize, bool)>,
    /// Where the names of definitions begin.
    defined: BTreeSet<usize>,
    facts: Facts,
}

impl<'w> Walk<'w> {
    /// Moves to the next node in the order of the text; says whether there is one.
    fn step(&mut self, cursor: &mut TreeCursor<'_>) -> bool {
        let language = self.language;
        let kind = language.node_kind_for_id(cursor.node().kind_id());
        let here = (kind.unwrap_or_default(), self.field(cursor));
        if cursor.goto_first_child() {
            self.around.push(here);
            self.depth += 1;
            return true;
        }
        loop {
            if cursor.goto_next_sibling() {
                self.leave();
                return true;
            }
            if !cursor.goto_parent() {
                return false;
            }
            self.around.pop();
            self.depth -= 1;
        }
    }

    /// Returns which field a node is of the one around it.
    fn field(&self, cursor: &TreeCursor<'_>) -> Option<&'w str> {
        let id = cursor.field_id()?;
        self.language.field_name_for_id(id.get())
    }

    /// Forgets the names of nodes that the walk has left.
    fn leave(&mut self) {
        let depth = self.depth;
        while self.containers.last().is_some_and(|(of, _)| *of >= depth) {
            self.containers.pop();
        }
        while self.scopes.last().is_some_and(|(of, _)| *of >= depth) {
            self.scopes.pop();
        }
    }

    /// Notes what a node says.
    fn visit(&mut self, cursor: &TreeCursor<'_>) {
        let node = cursor.node();
        if !node.is_named() {
            return;
        }
        let kind = node.kind();
        let around = std::mem::take(&mut self.around);
        let place = Place {
            around: &around,
            field: self.field(cursor),
            is_local: self.scopes.last().is_some_and(|(_, is_local)| *is_local),
        };
        if self.grammar.names.contains(&kind) {
            self.name(cursor, &place);
        }
        if self.grammar.texts.contains(&kind) {
            self.facts.texts.push(node.byte_range());
        }
        if self.grammar.speaks {
            self.speak(cursor);
        }
        for defined in (self.grammar.define)(node, self.text, &place) {
            self.define(defined, node.byte_range());
        }
        (self.grammar.note)(node, self.text, &place, &mut self.facts);
        let container = (self.grammar.container)(node, self.text, &place);
        for name in container.iter().flat_map(|name| name.split('.')) {
            let name = self.plain(name).to_owned();
            self.containers.push((self.depth, name));
        }
        if self.grammar.local.contains(&kind) {
            self.scopes.push((self.depth, true));
        } else if self.grammar.members.contains(&kind) {
            self.scopes.push((self.depth, false));
        }
        self.around = around;
    }

    /// Notes a name.
    fn name(&mut self, cursor: &TreeCursor<'_>, place: &Place<'_>) {
        let node = cursor.node();
        let written = self.text.get(node.byte_range()).unwrap_or_default();
        let name = Named {
            name: self.plain(written).to_owned(),
            range: node.byte_range(),
        };
        self.facts.names_open |=
            name.name.contains('\\') || (self.grammar.normalises && !name.name.is_ascii());
        let is_defined = self.defined.contains(&node.start_byte());
        if !is_defined && (self.grammar.binds)(node, place, &self.facts) {
            self.facts.bound.insert(name.name.clone());
        }
        self.facts.names.push(name);
    }

    /// Returns a name without what only marks it as one.
    fn plain<'n>(&self, name: &'n str) -> &'n str {
        let raw = self.grammar.raw;
        name.strip_prefix(raw).unwrap_or(name)
    }

    /// Notes what a text says that may become a name.
    fn speak(&mut self, cursor: &TreeCursor<'_>) {
        /// How long a text is looked at as a name, in bytes, which is more than claims may name.
        const LONGEST: usize = 8000;
        let node = cursor.node();
        let text = self.text.get(node.byte_range()).unwrap_or_default();
        match node.kind() {
            // A line that goes on within no name spells none.
            "escape_sequence" if text.ends_with('\n') => {
                let is_of_name = |sign: char| sign.is_alphanumeric() || sign == '_';
                let before = self.text.get(..node.start_byte()).unwrap_or_default();
                let after = self.text.get(node.end_byte()..).unwrap_or_default();
                self.facts.names_open |=
                    before.ends_with(is_of_name) && after.starts_with(is_of_name);
            }
            "escape_sequence" => match spelt(text) {
                Spelt::Any => self.facts.names_open = true,
                Spelt::Wide => self.facts.wide_names_open = true,
                Spelt::Nothing => {}
            },
            kind if self.grammar.texts.contains(&kind) && text.len() <= LONGEST => {
                self.facts.said.insert(text.to_owned());
            }
            _ => {}
        }
    }

    /// Notes a definition.
    fn define(&mut self, defined: Defined, whole: std::ops::Range<usize>) {
        self.defined.insert(defined.name.start);
        if defined.is_use {
            self.facts.used_too.insert(defined.name.start);
        }
        let name = self.text.get(defined.name.clone()).unwrap_or_default();
        let parts = name
            .split('.')
            .map(|part| self.plain(part.trim()).to_owned());
        let kept = self.containers.len().saturating_sub(defined.out_of);
        let around = self.containers.iter().take(kept);
        let around = around.map(|(_, name)| name.clone());
        self.facts.definitions.push(Definition {
            path: around.chain(defined.within).chain(parts).collect(),
            kind: defined.kind,
            name: defined.name,
            whole,
            signature: defined.signature,
        });
    }
}
