//! How the steps of a plan hang together: numbers, dependencies and outputs.
//!
//! What cannot be known because something else could not be read is not reported: every finding
//! is a fault of the plan, none is the echo of another.

use std::collections::{BTreeMap, BTreeSet};

use super::members::Items;
use super::reader::{Dialect, Reader};
use super::row;
use super::step::{Draft, Required, Spotted, without_places};
use crate::model::contract::Step;
use crate::model::graph::{Ancestors, Graph, is_chain};
use crate::wire::strict::quoted;

/// Looks at everything that more than one step has a part in.
pub(super) fn check(reader: &mut Reader<'_>, drafts: &Items<Draft>) {
    let steps = Steps::new(reader.dialect(), drafts);
    refuse_same_ids(reader, drafts);
    for draft in &drafts.values {
        reader.speak_of_step(draft.number());
        check_declared(reader, draft, &steps);
        check_dependencies(reader, draft, &steps);
        check_output_names(reader, draft);
        check_requires(reader, draft, &steps);
    }
    refuse_circles(reader, drafts, &steps);
    reader.speak_of_step(None);
}

/// Makes the steps, each with its effective dependencies.
pub(super) fn effective(drafts: Items<Draft>) -> Option<Vec<Step>> {
    let is_explicit = is_explicit(&drafts);
    let mut before = None;
    let mut steps = Vec::new();
    for mut draft in drafts.whole()? {
        let declared = draft.depends_on.take();
        let number = draft.number();
        let depends_on = if is_explicit {
            without_places(declared?)?
        } else {
            before.into_iter().collect()
        };
        steps.push(draft.into_step(depends_on)?);
        before = number;
    }
    Some(steps)
}

/// Says whether the plan spells its graph out: one step that does makes it so for all.
fn is_explicit(drafts: &Items<Draft>) -> bool {
    drafts.values.iter().any(|draft| draft.depends_on.is_some())
}

/// How the graph is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
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
    const fn must_be_declared(self) -> bool {
        match self {
            Self::Sequential => false,
            Self::SequentialSpeltOut | Self::Explicit => true,
        }
    }
}

/// What is known of all steps together.
#[derive(Debug)]
struct Steps<'d> {
    by_id: BTreeMap<u64, &'d Draft>,
    graph: Graph,
    kind: Kind,
    /// Whether every number could be read.
    has_all_ids: bool,
    /// Whether every edge could be read.
    has_all_edges: bool,
}

impl<'d> Steps<'d> {
    fn new(dialect: Dialect, drafts: &'d Items<Draft>) -> Self {
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
            by_id,
            kind: Kind::of(dialect, is_explicit, &edges),
            has_all_ids,
            has_all_edges: has_all_ids && (!is_explicit || drafts.values.iter().all(is_read)),
        }
    }
}

impl Steps<'_> {
    /// Says whether a step comes before another, or that cannot be known.
    ///
    /// Ancestors are looked for once a step, and only where the plan does not name the edge.
    fn is_before<'s>(
        &'s self,
        id: u64,
        draft: &Draft,
        ancestors: &mut Option<Ancestors<'s>>,
    ) -> bool {
        let (Some(step), Some(_)) = (draft.number(), self.by_id.get(&id)) else {
            return true;
        };
        let declared = draft.depends_on.iter().flat_map(|list| &list.values);
        if !self.has_all_edges
            || declared
                .into_iter()
                .any(|(named, _)| *named == id && id != step)
        {
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

fn refuse_same_ids(reader: &mut Reader<'_>, drafts: &Items<Draft>) {
    let ids = drafts.values.iter().filter_map(|draft| draft.id.as_ref());
    refuse_repeated(ids, |(id, spot)| {
        reader.speak_of_step(Some(*id));
        let message = format!("another step has the number {id} already");
        reader.refuse(&row::STEP_ID_DUPLICATE, spot, message);
    });
}

/// Calls `refuse` for every value that was there before.
pub(super) fn refuse_repeated<'t, T: Ord + 't>(
    values: impl IntoIterator<Item = &'t Spotted<T>>,
    mut refuse: impl FnMut(&Spotted<T>),
) {
    let mut seen = BTreeSet::new();
    for value in values {
        if !seen.insert(&value.0) {
            refuse(value);
        }
    }
}

/// An explicit graph is explicit in every step.
fn check_declared(reader: &mut Reader<'_>, draft: &Draft, steps: &Steps<'_>) {
    if steps.kind.must_be_declared() && draft.depends_on.is_none() {
        let message = "other steps say what they depend on, so this one must say it too";
        let hint = Some("write \"depends_on\": [] for a step that depends on none".to_owned());
        reader.refuse_hinted(&row::DEPENDS_ON_MISSING, &draft.opening, message, hint);
    }
}

/// Looks at each dependency of a step.
fn check_dependencies(reader: &mut Reader<'_>, draft: &Draft, steps: &Steps<'_>) {
    let Some(depends_on) = &draft.depends_on else {
        return;
    };
    refuse_repeated(&depends_on.values, |(id, spot)| {
        let message = format!("step {id} is named here already");
        reader.refuse(&row::DEPENDS_ON_DUPLICATE, spot, message);
    });
    let mut seen = BTreeSet::new();
    for dependency in &depends_on.values {
        if seen.insert(dependency.0) {
            check_dependency(reader, draft, dependency, steps);
        }
    }
}

/// Looks at one edge: it leads to another step of the plan, and an output goes along it.
fn check_dependency(
    reader: &mut Reader<'_>,
    draft: &Draft,
    (id, spot): &Spotted<u64>,
    steps: &Steps<'_>,
) {
    if draft.number() == Some(*id) {
        reader.refuse(
            &row::DEPENDS_ON_SELF,
            spot,
            "a step cannot depend on itself",
        );
    } else if !steps.by_id.contains_key(id) {
        if steps.has_all_ids {
            let message = format!("there is no step {id} in the plan");
            reader.refuse(&row::DEPENDS_ON_UNKNOWN, spot, message);
        }
    } else if steps.kind == Kind::Explicit && draft.requires.is_complete && !requires_of(draft, *id)
    {
        let message = format!("the step requires no output of step {id}, so why depend on it?");
        let hint = Some(format!(
            "add {{\"step\": {id}, \"name\": …}} to `requires_outputs`"
        ));
        reader.refuse_hinted(&row::DEPENDENCY_UNBACKED, spot, message, hint);
    }
}

/// Says whether a step requires an output of another.
fn requires_of(draft: &Draft, id: u64) -> bool {
    draft
        .requires
        .values
        .iter()
        .any(|required| required.value.step == id)
}

fn check_output_names(reader: &mut Reader<'_>, draft: &Draft) {
    refuse_repeated(&draft.output_names.values, |(name, spot)| {
        let message = format!("the step has an output {} already", quoted(name));
        reader.refuse(&row::OUTPUT_DUPLICATE, spot, message);
    });
}

/// Looks at what a step requires: declared by a step that comes before.
fn check_requires(reader: &mut Reader<'_>, draft: &Draft, steps: &Steps<'_>) {
    let mut seen = BTreeSet::new();
    let mut ancestors = None;
    for required in &draft.requires.values {
        if !seen.insert(&required.value) {
            let message = "this output is required here already";
            reader.refuse(&row::REQUIRED_OUTPUT_DUPLICATE, &required.item, message);
            continue;
        }
        if !steps.is_before(required.value.step, draft, &mut ancestors) {
            let message = format!("this step does not depend on step {}", required.value.step);
            reader.refuse(&row::REQUIRED_OUTPUT_UNREACHABLE, &required.step, message);
        }
        check_source(reader, required, steps);
    }
}

/// Looks for the step that declares a required output.
fn check_source(reader: &mut Reader<'_>, required: &Required, steps: &Steps<'_>) {
    let id = required.value.step;
    let Some(source) = steps.by_id.get(&id) else {
        if steps.has_all_ids {
            let message = format!("there is no step {id} in the plan");
            reader.refuse(&row::REQUIRED_OUTPUT_UNKNOWN, &required.step, message);
        }
        return;
    };
    let names = &source.output_names;
    let is_declared = names
        .values
        .iter()
        .any(|(name, _)| *name == required.value.name);
    if names.is_complete && !is_declared {
        let message = format!(
            "step {id} declares no output {}",
            quoted(&required.value.name)
        );
        reader.refuse(&row::REQUIRED_OUTPUT_UNKNOWN, &required.name, message);
    }
}

/// Names each circle once, at its first step.
fn refuse_circles(reader: &mut Reader<'_>, drafts: &Items<Draft>, steps: &Steps<'_>) {
    for circle in steps.graph.circles() {
        let first = circle.first().copied();
        let draft = drafts.values.iter().find(|draft| draft.number() == first);
        let Some((_, spot)) = draft.and_then(|draft| draft.id.as_ref()) else {
            continue;
        };
        let named: Vec<String> = circle.iter().take(8).map(u64::to_string).collect();
        let more = if circle.len() > named.len() {
            ", …"
        } else {
            ""
        };
        reader.speak_of_step(first);
        let message = format!(
            "steps {}{more} depend on each other in a circle",
            named.join(", ")
        );
        reader.refuse(&row::DEPENDS_ON_CYCLE, spot, message);
    }
}
