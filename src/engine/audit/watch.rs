//! Running the plans of one audit and watching the place meanwhile (D7).

use std::cell::RefCell;
use std::num::NonZeroUsize;

use super::{Ground, Ready};
use crate::engine::events::Listener;
use crate::engine::run_steps::{AllSteps, StepRunner};
use crate::model::ids::PlanName;
use crate::model::record::AuditPlace;
use crate::model::state::{Flag, Noted, State};

/// How many looks at a file all steps together may cost in a work tree: about a second of one processor.
///
/// Beyond that the files are looked at once, after the last step: what was touched is seen all the
/// same, since a time of change goes forward only, but not in which step.
const MOST_LOOKS: usize = 500_000;

/// When files were touched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum When {
    /// While these steps of this plan ran, one or several side by side.
    During(PlanName, Vec<u64>),
    /// After the last step.
    Afterwards,
    /// While steps ran that were not watched one by one.
    Meanwhile,
}

/// Files that were touched.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Touch {
    /// When.
    pub(super) when: When,
    /// Their paths.
    pub(super) paths: Vec<Vec<u8>>,
}

/// Watches one place.
pub(super) struct Watch<'a> {
    ground: Ground<'a>,
    /// Whether it is looked at after each step.
    each_step: bool,
    touches: RefCell<Vec<Touch>>,
}

impl<'a> Watch<'a> {
    /// Begins before the first step of these plans.
    pub(super) fn new(ground: Ground<'a>, ready: &[Ready]) -> Self {
        let steps = ready.iter().map(|each| each.sealable.contract.steps.len());
        let looks = ground.watched().count().saturating_mul(steps.sum());
        Self {
            ground,
            each_step: match ground.place() {
                AuditPlace::Checkout => true,
                AuditPlace::Worktree => looks <= MOST_LOOKS,
            },
            touches: RefCell::new(Vec::new()),
        }
    }

    /// Runs the checks of one plan, so many steps at a time.
    pub(super) fn run(
        &self,
        ready: &Ready,
        jobs: NonZeroUsize,
        listener: Listener<'_>,
    ) -> AllSteps {
        let name = &ready.plan.name;
        let after_step = |steps: &[u64]| {
            if self.each_step {
                self.look(When::During(name.clone(), steps.to_vec()));
            }
        };
        let runner = StepRunner {
            runner: self.ground.runner(),
            listener,
            plan: name,
            contract: &ready.sealable.contract,
        };
        runner.run(jobs, &after_step)
    }

    /// Notes what was touched since the last look.
    fn look(&self, when: When) {
        let paths = self.ground.watched().touched();
        if !paths.is_empty() {
            self.touches.borrow_mut().push(Touch { when, paths });
        }
    }

    /// Looks for the last time, and flags the state after the checks with all that was touched.
    pub(super) fn end(self, mut after: State) -> (State, Vec<Touch>) {
        self.look(if self.each_step {
            When::Afterwards
        } else {
            When::Meanwhile
        });
        let touches = self.touches.into_inner();
        let paths = touches.iter().flat_map(|touch| &touch.paths);
        let noted = Noted::of(paths);
        if noted.count > 0 {
            after.flags.insert(Flag::Touched, noted);
        }
        (after, touches)
    }
}
