//! What is known of all steps of a plan together, as far as they could be read.

use std::collections::{BTreeMap, BTreeSet};

use super::members::Items;
use super::reader::Dialect;
use super::step::{Draft, Spotted};
use crate::model::graph::{Ancestors, Graph, is_chain};

/// Says whether the plan spells its graph out: one step that does makes it so for all.
pub(super) fn is_explicit(drafts: &Items<Draft>) -> bool {
    drafts.values.iter().any(|draft| draft.depends_on.is_some())
}

/// How the graph is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Every step follows the one before it.
    Sequential,
    /// The same, spelt out by a contract: nothing need be required along the edges.
    SequentialSpeltOut,
    /// Every step says what it depends on and requires an output along each edge.
    Explicit,
}

impl Kind {
    fn of(dialect: Dialect, is_explicit: bool, edges: &[(u64, Vec<u64>)]) -> Self {
        match dialect {
            Dialect::Plan | Dialect::Contract if !is_explicit => Self::Sequential,
            Dialect::Contract if is_chain(edges) => Self::SequentialSpeltOut,
            Dialect::Plan | Dialect::Contract => Self::Explicit,
        }
    }

    /// Says whether every step must name its dependencies.
    pub(super) const fn must_be_declared(self) -> bool {
        match self {
            Self::Sequential => false,
            Self::SequentialSpeltOut | Self::Explicit => true,
        }
    }
}

/// What is known of all steps together.
#[derive(Debug)]
pub(super) struct Steps<'d> {
    /// The first step of each number.
    pub(super) by_id: BTreeMap<u64, &'d Draft>,
    /// The edges as far as they could be read.
    pub(super) graph: Graph,
    /// How the graph is given.
    pub(super) kind: Kind,
    /// Whether every number could be read.
    pub(super) has_all_ids: bool,
    declared: BTreeSet<(u64, &'d str)>,
    /// Whether every edge could be read.
    has_all_edges: bool,
}

impl<'d> Steps<'d> {
    /// Looks over all steps.
    pub(super) fn new(dialect: Dialect, drafts: &'d Items<Draft>) -> Self {
        let is_explicit = is_explicit(drafts);
        let edges = edges(drafts, is_explicit);
        let mut by_id = BTreeMap::new();
        for draft in &drafts.values {
            if let Some(id) = draft.number() {
                by_id.entry(id).or_insert(draft);
            }
        }
        let is_whole = |list: &Items<Spotted<u64>>| list.is_complete;
        let is_read = |draft: &Draft| draft.depends_on.as_ref().is_some_and(is_whole);
        let has_all_ids = drafts.is_complete && drafts.values.iter().all(|d| d.id.is_some());
        Self {
            graph: Graph::new(edges.iter().map(|(id, before)| (*id, before.as_slice()))),
            declared: declared(&by_id),
            by_id,
            kind: Kind::of(dialect, is_explicit, &edges),
            has_all_ids,
            has_all_edges: has_all_ids && (!is_explicit || drafts.values.iter().all(is_read)),
        }
    }
}

impl Steps<'_> {
    /// Says whether a step declares an output, or that cannot be known.
    pub(super) fn declares(&self, id: u64, name: &str) -> bool {
        let source = self.by_id.get(&id);
        source.is_none_or(|source| !source.output_names.is_complete)
            || self.declared.contains(&(id, name))
    }

    /// Says whether a step comes before another by more than one edge, or that cannot be known.
    ///
    /// Ancestors are looked for once a step, and only when first asked for.
    pub(super) fn is_before<'s>(
        &'s self,
        id: u64,
        draft: &Draft,
        ancestors: &mut Option<Ancestors<'s>>,
    ) -> bool {
        let Some(step) = draft.number().filter(|_| self.has_all_edges) else {
            return true;
        };
        if !self.by_id.contains_key(&id) {
            return true;
        }
        ancestors
            .get_or_insert_with(|| self.graph.ancestors(step))
            .contains(id)
    }
}

/// Returns every step with what it depends on, as far as known.
fn edges(drafts: &Items<Draft>, is_explicit: bool) -> Vec<(u64, Vec<u64>)> {
    let mut before = None;
    let mut edges = Vec::new();
    for draft in &drafts.values {
        let declared = draft.depends_on.iter().flat_map(|list| &list.values);
        let depends_on = if is_explicit {
            declared.map(|(id, _)| *id).collect()
        } else {
            before.into_iter().collect()
        };
        before = draft.number();
        edges.extend(before.map(|id| (id, depends_on)));
    }
    edges
}

/// Returns every output that is declared, with the number of its step.
fn declared<'d>(by_id: &BTreeMap<u64, &'d Draft>) -> BTreeSet<(u64, &'d str)> {
    let mut declared = BTreeSet::new();
    for (id, draft) in by_id {
        let names = draft.output_names.values.iter();
        declared.extend(names.map(|(name, _)| (*id, name.as_str())));
    }
    declared
}
