//! How the steps of a plan hang together: numbers, dependencies and outputs.
//!
//! What cannot be known because something else could not be read is not reported: every finding
//! is a fault of the plan, none is the echo of another.

use std::collections::BTreeSet;

use super::members::Items;
use super::reader::Reader;
use super::row;
use super::step::{Draft, Required, Spotted, without_places};
use super::steps::{Kind, Steps, is_explicit};
use crate::model::contract::{RequiredOutput, Step};
use crate::wire::strict::{Spot, quoted};

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
    refuse_circles(reader, &steps);
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
    let required = draft
        .requires
        .values
        .iter()
        .map(|required| required.value.step);
    let required: BTreeSet<u64> = required.collect();
    let mut seen = BTreeSet::new();
    for (id, spot) in &depends_on.values {
        if !seen.insert(*id) {
            continue;
        }
        if draft.number() == Some(*id) {
            let message = "a step cannot depend on itself";
            reader.refuse(&row::DEPENDS_ON_SELF, spot, message);
        } else if !steps.by_id.contains_key(id) {
            refuse_unknown(reader, (*id, spot), steps);
        } else if draft.requires.is_complete && !required.contains(id) {
            refuse_unbacked(reader, (*id, spot), steps);
        }
    }
}

fn refuse_unknown(reader: &mut Reader<'_>, (id, spot): (u64, &Spot), steps: &Steps<'_>) {
    if steps.has_all_ids {
        let message = format!("there is no step {id} in the plan");
        reader.refuse(&row::DEPENDS_ON_UNKNOWN, spot, message);
    }
}

/// In an explicit graph an output goes along each edge.
fn refuse_unbacked(reader: &mut Reader<'_>, (id, spot): (u64, &Spot), steps: &Steps<'_>) {
    if steps.kind == Kind::Explicit {
        let message = format!("the step requires no output of step {id}, so why depend on it?");
        let hint = format!("add {{\"step\": {id}, \"name\": …}} to `requires_outputs`");
        reader.refuse_hinted(&row::DEPENDENCY_UNBACKED, spot, message, Some(hint));
    }
}

fn check_output_names(reader: &mut Reader<'_>, draft: &Draft) {
    refuse_repeated(&draft.output_names.values, |(name, spot)| {
        let message = format!("the step has an output {} already", quoted(name));
        reader.refuse(&row::OUTPUT_DUPLICATE, spot, message);
    });
}

/// Looks at what a step requires: declared by a step that comes before.
fn check_requires(reader: &mut Reader<'_>, draft: &Draft, steps: &Steps<'_>) {
    let named = draft.depends_on.iter().flat_map(|list| &list.values);
    let others = named
        .map(|(id, _)| *id)
        .filter(|id| Some(*id) != draft.number());
    let named: BTreeSet<u64> = others.collect();
    let mut seen = BTreeSet::new();
    let mut ancestors = None;
    for required in &draft.requires.values {
        let source = required.value.step;
        if !seen.insert(&required.value) {
            let message = "this output is required here already";
            reader.refuse(&row::REQUIRED_OUTPUT_DUPLICATE, &required.item, message);
            continue;
        }
        if !named.contains(&source) && !steps.is_before(source, draft, &mut ancestors) {
            let message = format!("this step does not depend on step {source}");
            reader.refuse(&row::REQUIRED_OUTPUT_UNREACHABLE, &required.step, message);
        }
        check_source(reader, required, steps);
    }
}

/// Looks for the step that declares a required output.
fn check_source(reader: &mut Reader<'_>, required: &Required, steps: &Steps<'_>) {
    let RequiredOutput { step, name } = &required.value;
    if !steps.by_id.contains_key(step) {
        if steps.has_all_ids {
            let message = format!("there is no step {step} in the plan");
            reader.refuse(&row::REQUIRED_OUTPUT_UNKNOWN, &required.step, message);
        }
    } else if !steps.declares(*step, name) {
        let message = format!("step {step} declares no output {}", quoted(name));
        reader.refuse(&row::REQUIRED_OUTPUT_UNKNOWN, &required.name, message);
    }
}

/// Names each circle once, at its first step.
fn refuse_circles(reader: &mut Reader<'_>, steps: &Steps<'_>) {
    for circle in steps.graph.circles() {
        let first = circle.first().copied();
        let draft = first.and_then(|id| steps.by_id.get(&id));
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
