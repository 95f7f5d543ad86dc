//! Progress of an audit or run, for people: live lines on a terminal, plain ones elsewhere.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::events::Event;
use crate::engine::ports::Ear;
use crate::model::ids::PlanName;
use crate::model::text::shown;
use crate::ui::live::Live;
use crate::ui::progress::Progress;
use crate::ui::pulse::Pulse;

/// How much of what a check writes is looked at for its last line, in bytes.
const LOOKED_AT: usize = 1024;

/// Tells of progress.
#[derive(Clone, Debug)]
pub(super) enum Teller {
    /// Nothing.
    Silent,
    /// Plain lines, and one every few seconds while a step runs.
    Plain(Progress, Arc<Pulse>),
    /// A live line for each step that runs, and a plain one for each that ended.
    Live(Progress, Arc<Live>),
}

impl Teller {
    /// Tells what happened.
    pub(super) fn tell(&self, event: &Event<'_>) {
        match self {
            Self::Silent => {}
            Self::Plain(progress, pulse) => {
                if let Some(line) = line(event) {
                    progress.line(&line);
                }
                feel(pulse, event);
            }
            Self::Live(progress, live) => tell_live(*progress, live, event),
        }
    }

    /// Returns what hears the checks, where their last line is told.
    pub(super) fn ear(&self) -> Option<Arc<dyn Ear>> {
        match self {
            Self::Silent | Self::Plain(..) => None,
            Self::Live(_, live) => {
                let live = Arc::clone(live);
                let last = Mutex::default();
                Some(Arc::new(LastLine { live, last }))
            }
        }
    }
}

/// Says which steps run.
fn feel(pulse: &Arc<Pulse>, event: &Event<'_>) {
    match event {
        Event::StepStarted { step, .. } => pulse.begin(*step, format!("step {step}")),
        Event::StepEnded { step, .. } => pulse.end(step.id),
        Event::TakingState
        | Event::Found(_)
        | Event::MakingCheckout
        | Event::Publishing { .. }
        | Event::CheckStarted { .. } => {}
    }
}

/// The number of the line that tells of what is no step.
const NO_STEP: u64 = 0;

/// Tells what happened on live lines.
fn tell_live(progress: Progress, live: &Live, event: &Event<'_>) {
    match event {
        Event::TakingState => live.end(NO_STEP),
        Event::MakingCheckout => live.begin(NO_STEP, "making a private checkout"),
        Event::Publishing { remote } => {
            let what = format!("publishing evidence to {}", shown(remote));
            live.begin(NO_STEP, &what);
        }
        Event::StepStarted { plan, step, title } => {
            live.end(NO_STEP);
            live.begin(*step, &started(plan, *step, title));
        }
        Event::CheckStarted { step, label, .. } => live.say(*step, &shown(label)),
        Event::Found(_) => {
            live.end(NO_STEP);
            if let Some(line) = line(event) {
                live.above(|| progress.line(&line));
            }
        }
        Event::StepEnded { step, .. } => {
            live.end(step.id);
            if let Some(line) = line(event) {
                live.above(|| progress.line(&line));
            }
        }
    }
}

/// Turns what happened into a line; none where nothing is worth one.
fn line(event: &Event<'_>) -> Option<String> {
    match event {
        Event::TakingState => None,
        Event::Found(finding) => {
            let word = finding.row.severity.as_str();
            let message = shown(&finding.message);
            Some(format!("{word}[{}]: {message}", finding.row.code))
        }
        Event::MakingCheckout => Some("making a private checkout ...".to_owned()),
        Event::Publishing { remote } => {
            Some(format!("publishing evidence to {} ...", shown(remote)))
        }
        Event::StepStarted { plan, step, title } => {
            Some(format!("{} ...", started(plan, *step, title)))
        }
        Event::CheckStarted {
            step,
            label,
            is_beside: true,
        } => Some(format!("  step {step}: {}", shown(label))),
        Event::CheckStarted {
            label,
            is_beside: false,
            ..
        } => Some(format!("  {}", shown(label))),
        Event::StepEnded { plan, step } => {
            Some(format!("{plan}: step {} {}", step.id, step.met.word()))
        }
    }
}

/// Names a step that begins.
fn started(plan: &PlanName, step: u64, title: &str) -> String {
    format!("{plan}: step {step} {}", shown(title))
}

/// Tells the last line of what the checks of each step write.
#[derive(Debug)]
struct LastLine {
    live: Arc<Live>,
    /// The end of what was heard so far of each step.
    last: Mutex<BTreeMap<u64, Vec<u8>>>,
}

impl Ear for LastLine {
    fn hear(&self, step: u64, piece: &[u8]) {
        let mut all = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let last = all.entry(step).or_default();
        last.extend_from_slice(piece);
        let surplus = last.len().saturating_sub(LOOKED_AT);
        drop(last.drain(..surplus));
        self.live.say(step, &last_line(last));
    }
}

/// Returns the last line that says something, safe to show.
fn last_line(text: &[u8]) -> String {
    let mut lines = text.rsplit(|byte| matches!(byte, b'\n' | b'\r'));
    let line = lines.find(|line| !line.trim_ascii().is_empty());
    shown(&String::from_utf8_lossy(line.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_that_says_something_is_shown_escaped() {
        assert_eq!(last_line(b"one\ntwo\n \n"), "two");
        assert_eq!(last_line(b"10%\r20%\r"), "20%");
        assert_eq!(last_line(b"a\n\x1b[2Jx\xff"), "\\u{1b}[2Jx\u{fffd}");
        assert_eq!(last_line(b""), "");
    }
}
