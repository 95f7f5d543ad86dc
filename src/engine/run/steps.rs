//! Running the chosen steps one after the other, each written down before it starts.

use std::collections::BTreeMap;

use super::Task;
use super::history::end_of;
use crate::engine::ports::Begun;
use crate::engine::run_steps::{StepRunner, result_of};
use crate::engine::schedule::Readiness;
use crate::engine::stop::Stop;
use crate::model::contract::Step;
use crate::model::ids::AttemptId;
use crate::model::outcome::{AuditedStep, StepEnd};
use crate::model::record::Intent;

/// A run in the making.
pub(super) struct Running<'a> {
    task: &'a Task<'a>,
    /// Its random id.
    pub(super) attempt: AttemptId,
    /// What was begun, in order.
    pub(super) done: Vec<(AuditedStep, StepEnd)>,
    /// What was chosen and not begun, because we were told to stop.
    pub(super) left: Vec<u64>,
    /// What is written down of the steps that were begun.
    begun: Vec<Box<dyn Begun>>,
}

impl<'a> Running<'a> {
    /// Begins a run.
    pub(super) fn new(task: &'a Task<'a>) -> Result<Self, Stop> {
        let attempt = task.recorder.local.draw_attempt();
        Ok(Self {
            task,
            attempt: attempt.map_err(Stop::broken("draw a random number"))?,
            done: Vec::new(),
            left: Vec::new(),
            begun: Vec::new(),
        })
    }

    /// Runs steps until the last or until we are told to stop.
    pub(super) fn run(&mut self, chosen: &[u64]) -> Result<(), Stop> {
        let contract = &self.task.ready.sealable.contract;
        for (place, id) in chosen.iter().enumerate() {
            if self.task.recorder.runner.interrupted() {
                self.left = chosen.iter().skip(place).copied().collect();
                return Ok(());
            }
            if let Some(step) = contract.step(*id) {
                self.step(step, chosen)?;
            }
        }
        Ok(())
    }

    /// Runs one step; without its intent on disk it is not started.
    fn step(&mut self, step: &Step, chosen: &[u64]) -> Result<(), Stop> {
        let Task {
            recorder,
            ready,
            listener,
            ..
        } = *self.task;
        let is_ready = step
            .depends_on
            .iter()
            .all(|id| self.has_passed(*id, chosen));
        if is_ready {
            let intent = Intent {
                plan: ready.plan.name.clone(),
                contract: ready.sealable.digest,
                attempt: self.attempt,
                step: step.id,
            };
            let begun = recorder.local.begin(&intent);
            let begun = begun.map_err(Stop::broken("write down that a step starts"))?;
            self.begun.push(begun);
        }
        let runner = StepRunner {
            runner: recorder.runner,
            listener,
            plan: &ready.plan.name,
            contract: &ready.sealable.contract,
        };
        let readiness = if is_ready {
            Readiness::Ready
        } else {
            Readiness::Blocked
        };
        let audited = runner.step(step, readiness);
        let end = end_of(&ready.sealable.contract, &result_of(&audited));
        self.done.push((audited, end));
        Ok(())
    }

    /// Says whether a dependency passed: in this run if it was chosen, else when it was last run.
    fn has_passed(&self, id: u64, chosen: &[u64]) -> bool {
        let ends: BTreeMap<u64, StepEnd> = self
            .done
            .iter()
            .map(|(step, end)| (step.id, *end))
            .collect();
        let end = if chosen.contains(&id) {
            ends.get(&id).copied()
        } else {
            self.task.history.latest(id)
        };
        end == Some(StepEnd::Passed)
    }

    /// Forgets what is written down, once the results are recorded. What cannot be forgotten is
    /// recorded as interrupted by a later append, and counts for nothing beside the result.
    pub(super) fn close(&mut self) {
        for begun in self.begun.drain(..) {
            drop(begun.close());
        }
    }
}
