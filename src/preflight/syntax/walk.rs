//! Walks a tree once, with a cursor, and gathers what its language's table says of each node.

use tree_sitter::{Node, Tree, TreeCursor};

use super::parse::Deadline;
use super::{Definition, Facts, Grammar, named};
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
    let mut walk = Walk {
        grammar,
        text,
        depth: 0,
        containers: Vec::new(),
        facts: Facts::default(),
    };
    let mut cursor = tree.walk();
    walk.visit(cursor.node());
    let mut count = 0_usize;
    while walk.step(&mut cursor) {
        count += 1;
        if count.is_multiple_of(OFTEN) && deadline.is_over() {
            return Err(Reason::Limit);
        }
        walk.visit(cursor.node());
    }
    Ok(walk.facts)
}

/// A walk under way.
struct Walk<'w> {
    grammar: &'w Grammar,
    text: &'w str,
    depth: usize,
    /// Names of the nodes around, each with the depth of its node.
    containers: Vec<(usize, String)>,
    facts: Facts,
}

impl Walk<'_> {
    /// Moves to the next node in the order of the text; says whether there is one.
    fn step(&mut self, cursor: &mut TreeCursor<'_>) -> bool {
        if cursor.goto_first_child() {
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
            self.depth -= 1;
        }
    }

    /// Forgets the names of nodes that the walk has left.
    fn leave(&mut self) {
        while self
            .containers
            .last()
            .is_some_and(|(depth, _)| *depth >= self.depth)
        {
            self.containers.pop();
        }
    }

    /// Notes what a node says.
    fn visit(&mut self, node: Node<'_>) {
        if !node.is_named() {
            return;
        }
        let kind = node.kind();
        if self.grammar.names.contains(&kind) {
            let name = named(node, self.text);
            self.facts.names_open |=
                name.name.contains('\\') || (self.grammar.normalises && !name.name.is_ascii());
            self.facts.names.push(name);
        }
        if self.grammar.texts.contains(&kind) {
            self.facts.texts.push(node.byte_range());
        }
        for defined in (self.grammar.define)(node, self.text, &self.facts) {
            let name = self.text.get(defined.name.clone()).unwrap_or_default();
            let around = self.containers.iter().map(|(_, name)| name.clone());
            let path = around.chain(defined.within).chain([name.to_owned()]);
            self.facts.definitions.push(Definition {
                path: path.collect(),
                kind: defined.kind,
                name: defined.name,
                whole: node.byte_range(),
                signature: defined.signature,
            });
        }
        (self.grammar.note)(node, self.text, &mut self.facts);
        if let Some(name) = (self.grammar.container)(node, self.text) {
            self.containers.push((self.depth, name));
        }
    }
}
