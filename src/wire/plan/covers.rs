//! Coverage: what the steps answer of what the user asked for.

use std::collections::BTreeSet;

use super::links::refuse_repeated;
use super::members::Items;
use super::reader::Reader;
use super::requirement::Requirements;
use super::row;
use super::step::Draft;
use crate::model::coverage;
use crate::wire::strict::quoted;

/// Looks at what each step covers, and at what no step does.
pub(super) fn check(reader: &mut Reader<'_>, drafts: &Items<Draft>, requirements: &Requirements) {
    let known: BTreeSet<&str> = requirements
        .asked
        .iter()
        .map(|asked| asked.id.as_str())
        .collect();
    for draft in &drafts.values {
        reader.speak_of_step(draft.number());
        refuse_same(reader, draft);
        if requirements.has_all_ids {
            refuse_unknown(reader, draft, &known);
        }
    }
    reader.speak_of_step(None);
    if drafts.is_complete && drafts.values.iter().all(|draft| draft.covers.is_complete) {
        refuse_uncovered(reader, drafts, requirements);
    }
}

fn refuse_same(reader: &mut Reader<'_>, draft: &Draft) {
    refuse_repeated(&draft.covers.values, |(id, spot)| {
        let message = format!("the step covers {} already", quoted(id));
        reader.refuse(&row::COVERS_DUPLICATE, spot, message);
    });
}

fn refuse_unknown(reader: &mut Reader<'_>, draft: &Draft, known: &BTreeSet<&str>) {
    let mut seen = BTreeSet::new();
    for (id, spot) in &draft.covers.values {
        if seen.insert(id) && !known.contains(id.as_str()) {
            let message = format!("the plan has no requirement {}", quoted(id));
            reader.refuse(&row::COVERS_UNKNOWN, spot, message);
        }
    }
}

fn refuse_uncovered(reader: &mut Reader<'_>, drafts: &Items<Draft>, requirements: &Requirements) {
    let covers = drafts.values.iter().flat_map(|draft| &draft.covers.values);
    let covered: BTreeSet<&str> = covers.map(|(id, _)| id.as_str()).collect();
    for asked in &requirements.asked {
        let needs_step = asked.priority.is_some_and(coverage::needs_step);
        if needs_step && !covered.contains(asked.id.as_str()) {
            let message = format!("no step covers {}", quoted(&asked.id));
            let hint = Some("name it in `covers` of the step that answers it".to_owned());
            reader.refuse_hinted(&row::REQUIREMENT_UNCOVERED, &asked.spot, message, hint);
        }
    }
}
