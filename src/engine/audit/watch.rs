//! Running the plans of one audit and watching the place after each step (D7).

use std::cell::RefCell;

use super::{Ground, Ready};
use crate::engine::events::Listener;
use crate::engine::run_steps::StepRunner;
use crate::model::ids::PlanName;
use crate::model::outcome::AuditedStep;
use crate::model::state::{Flag, Noted, State};

/// Tracked files that were touched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Touch {
    /// The plan and the step in which it happened; none after the last step.
    pub(super) step: Option<(PlanName, u64)>,
    /// Their paths.
    pub(super) paths: Vec<Vec<u8>>,
}

/// Watches one place.
pub(super) struct Watch<'a> {
    ground: Ground<'a>,
    touches: RefCell<Vec<Touch>>,
}

impl<'a> Watch<'a> {
    /// Begins before the first step.
    pub(super) const fn new(ground: Ground<'a>) -> Self {
        Self {
            ground,
            touches: RefCell::new(Vec::new()),
        }
    }

    /// Runs the checks of one plan.
    pub(super) fn run(&self, ready: &Ready, listener: Listener<'_>) -> Vec<AuditedStep> {
        let name = &ready.plan.name;
        let runner = StepRunner {
            runner: self.ground.runner(),
            listener,
            plan: name,
            contract: &ready.sealable.contract,
            after_step: &|step| self.look(Some((name.clone(), step))),
        };
        runner.run()
    }

    /// Notes what was touched since the last look.
    fn look(&self, step: Option<(PlanName, u64)>) {
        let paths = self.ground.touched();
        if !paths.is_empty() {
            self.touches.borrow_mut().push(Touch { step, paths });
        }
    }

    /// Looks for the last time, and flags the state after the checks with all that was touched.
    pub(super) fn end(self, mut after: State) -> (State, Vec<Touch>) {
        self.look(None);
        let touches = self.touches.into_inner();
        let paths = touches.iter().flat_map(|touch| &touch.paths);
        let noted = Noted::of(paths);
        if noted.count > 0 {
            after.flags.insert(Flag::Touched, noted);
        }
        (after, touches)
    }
}
