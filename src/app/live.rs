//! Progress of an audit as lines for people.

use crate::engine::events::Event;
use crate::model::check::Met;
use crate::model::text::shown;

/// Turns what happened into a line; none where nothing is worth one.
pub(super) fn line(event: &Event<'_>) -> Option<String> {
    match event {
        Event::TakingState => None,
        Event::MakingCheckout => Some("making a private checkout ...".to_owned()),
        Event::StepStarted { plan, step, title } => {
            Some(format!("{plan}: step {step} {} ...", shown(title)))
        }
        Event::CheckStarted { label } => Some(format!("  {}", shown(label))),
        Event::StepEnded { plan, step } => {
            let word = match step.met {
                Met::Passed => "passed",
                Met::Unknown => "not run",
                Met::Failed => "failed",
            };
            Some(format!("{plan}: step {} {word}", step.id))
        }
    }
}
