//! The graph of steps: circles, order and who comes before whom.

use std::collections::{BTreeMap, BTreeSet};

use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::{Dfs, Reversed, VisitMap as _, Visitable};

use super::contract::{Contract, Step};

/// Steps and what they depend on; edges lead from a step to those that depend on it.
#[derive(Debug)]
pub(crate) struct Graph {
    steps: DiGraph<u64, ()>,
    by_id: BTreeMap<u64, NodeIndex>,
}

/// The steps that come before one step.
#[derive(Debug)]
pub(crate) struct Ancestors<'g> {
    graph: &'g Graph,
    step: Option<NodeIndex>,
    reached: <DiGraph<u64, ()> as Visitable>::Map,
}

impl Ancestors<'_> {
    /// Says whether a step comes before.
    pub(crate) fn contains(&self, id: u64) -> bool {
        let node = self.graph.by_id.get(&id);
        node.is_some_and(|node| Some(*node) != self.step && self.reached.is_visited(node))
    }
}

impl Graph {
    /// Takes steps in document order with what each depends on.
    ///
    /// Of two steps with one id the first counts; edges to unknown steps and to the step itself
    /// are left out, for they are faults of their own.
    pub(crate) fn new<'a>(steps: impl IntoIterator<Item = (u64, &'a [u64])>) -> Self {
        let mut graph = Self {
            steps: DiGraph::new(),
            by_id: BTreeMap::new(),
        };
        let mut listed = Vec::new();
        for (id, depends_on) in steps {
            if !graph.by_id.contains_key(&id) {
                let node = graph.steps.add_node(id);
                graph.by_id.insert(id, node);
                listed.push((node, depends_on));
            }
        }
        for (node, depends_on) in listed {
            graph.add_edges(node, depends_on);
        }
        graph
    }

    fn add_edges(&mut self, node: NodeIndex, depends_on: &[u64]) {
        let known = depends_on.iter().filter_map(|id| self.by_id.get(id));
        let others: BTreeSet<_> = known.copied().filter(|other| *other != node).collect();
        for other in others {
            self.steps.add_edge(other, node, ());
        }
    }

    fn id(&self, node: NodeIndex) -> Option<u64> {
        self.steps.node_weight(node).copied()
    }

    /// Returns the groups of steps that depend on each other in a circle, all in document order.
    pub(crate) fn circles(&self) -> Vec<Vec<u64>> {
        // Not Tarjan's algorithm: the library's is recursive, and a plan may have 30,000 steps.
        let mut groups = kosaraju_scc(&self.steps);
        groups.retain(|group| group.len() > 1);
        for group in &mut groups {
            group.sort_unstable();
        }
        groups.sort_unstable();
        let ids = |group: Vec<NodeIndex>| group.into_iter().filter_map(|n| self.id(n)).collect();
        groups.into_iter().map(ids).collect()
    }

    /// Returns the steps so that each comes after all it depends on, ties by document order.
    ///
    /// None if there is a circle.
    pub(crate) fn order(&self) -> Option<Vec<u64>> {
        let count_before = |node| self.steps.neighbors_directed(node, Incoming).count();
        let mut waiting: BTreeMap<_, _> = self
            .steps
            .node_indices()
            .map(|node| (node, count_before(node)))
            .collect();
        let mut ready: BTreeSet<_> = waiting
            .iter()
            .filter(|(_, count)| **count == 0)
            .map(|(node, _)| *node)
            .collect();
        let mut order = Vec::new();
        while let Some(node) = ready.pop_first() {
            order.extend(self.id(node));
            for after in self.steps.neighbors_directed(node, Outgoing) {
                let count = waiting.entry(after).or_default();
                *count = count.saturating_sub(1);
                if *count == 0 {
                    ready.insert(after);
                }
            }
        }
        (order.len() == self.steps.node_count()).then_some(order)
    }

    /// Returns all steps that a step depends on, directly or over others.
    pub(crate) fn ancestors(&self, id: u64) -> Ancestors<'_> {
        let backwards = Reversed(&self.steps);
        let mut walk = Dfs::empty(backwards);
        let step = self.by_id.get(&id).copied();
        walk.stack.extend(step);
        while walk.next(backwards).is_some() {}
        Ancestors {
            graph: self,
            step,
            reached: walk.discovered,
        }
    }
}

/// Returns the steps of a contract so that each comes after all it depends on.
///
/// A contract has no circle; if one had, there would be no order and so nothing would run.
pub(crate) fn in_order(contract: &Contract) -> Vec<&Step> {
    let edges = contract.steps.iter();
    let graph = Graph::new(edges.map(|step| (step.id, step.depends_on.as_slice())));
    let order = graph.order().unwrap_or_default();
    order
        .into_iter()
        .filter_map(|id| contract.step(id))
        .collect()
}

/// Says whether each step depends on exactly the one before it, as in a sequential plan.
pub(crate) fn is_chain(steps: &[(u64, Vec<u64>)]) -> bool {
    let mut before: &[u64] = &[];
    steps.iter().all(|(id, depends_on)| {
        let follows = depends_on == before;
        before = std::slice::from_ref(id);
        follows
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(steps: &[(u64, &[u64])]) -> Graph {
        Graph::new(steps.iter().copied())
    }

    #[test]
    fn ties_are_broken_by_document_order() {
        let graph = graph(&[(9, &[]), (2, &[9]), (7, &[]), (1, &[2, 7])]);

        assert_eq!(graph.order().unwrap(), [9, 2, 7, 1]);
    }

    #[test]
    fn a_step_comes_after_all_it_depends_on() {
        let graph = graph(&[(1, &[3]), (2, &[]), (3, &[2])]);

        assert_eq!(graph.order().unwrap(), [2, 3, 1]);
    }

    #[test]
    fn circles_are_named_once_and_have_no_order() {
        let graph = graph(&[
            (5, &[4]),
            (1, &[3]),
            (2, &[1]),
            (3, &[2]),
            (4, &[5]),
            (6, &[6]),
        ]);

        assert_eq!(graph.circles(), [vec![5, 4], vec![1, 2, 3]]);
        assert_eq!(graph.order(), None);
    }

    #[test]
    fn ancestors_are_found_over_others() {
        let graph = graph(&[(1, &[]), (2, &[1]), (3, &[2]), (4, &[])]);

        let ancestors = graph.ancestors(3);

        assert!(ancestors.contains(1) && ancestors.contains(2));
        assert!(!ancestors.contains(3) && !ancestors.contains(4));
    }

    #[test]
    fn only_a_chain_is_a_chain() {
        assert!(is_chain(&[(3, vec![]), (1, vec![3]), (2, vec![1])]));
        assert!(!is_chain(&[(3, vec![]), (1, vec![3]), (2, vec![3, 1])]));
        assert!(!is_chain(&[(3, vec![]), (1, vec![])]));
    }

    #[test]
    fn a_long_chain_and_a_long_circle_do_not_overflow() {
        let ids: Vec<u64> = (0..30_000).collect();
        let chain = ids.iter().map(|&id| (id, before(&ids, id)));
        assert!(Graph::new(chain.clone()).circles().is_empty());
        assert_eq!(Graph::new(chain).order().unwrap(), ids);

        let ring = ids.iter().map(|&id| (id, around(&ids, id)));
        assert_eq!(Graph::new(ring).circles().len(), 1);
    }

    fn before(ids: &[u64], id: u64) -> &[u64] {
        let at = usize::try_from(id).unwrap();
        &ids[at.saturating_sub(1)..at]
    }

    fn around(ids: &[u64], id: u64) -> &[u64] {
        if id == 0 {
            &ids[ids.len() - 1..]
        } else {
            before(ids, id)
        }
    }
}
