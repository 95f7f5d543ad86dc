//! Running the steps of one contract in order, every check of each.

use std::collections::BTreeSet;

use super::events::{Event, Listener};
use super::ports::{Ran, Runner};
use crate::model::check::{Check, End, Met};
use crate::model::contract::{Contract, RequiredOutput, Step};
use crate::model::graph;
use crate::model::ids::PlanName;
use crate::model::outcome::{AuditedCheck, AuditedOutput, AuditedStep};
use crate::model::recompute;
use crate::model::record::{OutputResult, StepResult};

/// Runs a contract.
#[derive(Clone, Copy)]
pub(crate) struct StepRunner<'a> {
    /// Runs checks.
    pub(crate) runner: &'a dyn Runner,
    /// Hears of progress.
    pub(crate) listener: Listener<'a>,
    /// The plan's name.
    pub(crate) plan: &'a PlanName,
    /// The contract.
    pub(crate) contract: &'a Contract,
    /// Looks at the place after each step, whose number it is given.
    pub(crate) after_step: &'a dyn Fn(u64),
}

impl StepRunner<'_> {
    /// Runs every step; one whose dependency did not pass is blocked.
    pub(crate) fn run(&self) -> Vec<AuditedStep> {
        let mut passed = BTreeSet::new();
        let mut done = Vec::new();
        for step in graph::in_order(self.contract) {
            let is_ready = step.depends_on.iter().all(|id| passed.contains(id));
            let audited = self.step(step, is_ready);
            (self.after_step)(step.id);
            if audited.met == Met::Passed {
                passed.insert(step.id);
            }
            done.push(audited);
        }
        let place = |id| self.contract.steps.iter().position(|step| step.id == id);
        done.sort_by_key(|step| place(step.id));
        done
    }

    /// Runs one step, or blocks it.
    pub(super) fn step(&self, step: &Step, is_ready: bool) -> AuditedStep {
        let (id, title) = (step.id, step.title.clone());
        (self.listener)(&Event::StepStarted {
            plan: self.plan,
            step: id,
            title: &title,
        });
        let needs = step.requires_outputs.iter();
        let required: Vec<AuditedOutput> = needs
            .map(|needed| self.required(needed, is_ready))
            .collect();
        let has_all = required
            .iter()
            .flat_map(|output| &output.checks)
            .all(is_passed);
        let checks = self.checks(&step.verify, is_ready && has_all);
        let outputs = step.outputs.iter().map(|output| AuditedOutput {
            step: id,
            name: output.name.clone(),
            checks: self.checks(&output.verify, is_ready && has_all),
        });
        let outputs = outputs.collect();
        let mut audited = AuditedStep {
            id,
            title,
            met: Met::Unknown,
            required,
            checks,
            outputs,
        };
        audited.met = recompute::step(self.contract, step, &result_of(&audited));
        (self.listener)(&Event::StepEnded {
            plan: self.plan,
            step: &audited,
        });
        audited
    }

    /// Checks a required output again, just before the step that needs it.
    fn required(&self, needed: &RequiredOutput, is_ready: bool) -> AuditedOutput {
        let source = self.contract.step(needed.step);
        let output = source.and_then(|step| {
            step.outputs
                .iter()
                .find(|output| output.name == needed.name)
        });
        let checks = output.map_or(&[][..], |output| &output.verify);
        let checks = self.checks(checks, is_ready);
        AuditedOutput {
            step: needed.step,
            name: needed.name.clone(),
            checks,
        }
    }

    /// Runs checks, or blocks them; none is skipped because another failed.
    fn checks(&self, checks: &[Check], is_ready: bool) -> Vec<AuditedCheck> {
        let run = |check: &Check| {
            let Ran {
                result,
                tail,
                withheld,
                lies,
            } = self.check(check, is_ready);
            let label = crate::model::text::shown(&check.label());
            AuditedCheck {
                label,
                met: check.judge(&result),
                result,
                tail,
                withheld,
                lies,
            }
        };
        checks.iter().map(run).collect()
    }

    /// Runs one check unless it is blocked or we were told to stop.
    fn check(&self, check: &Check, is_ready: bool) -> Ran {
        if self.runner.interrupted() {
            return Ran::nothing(End::Interrupted);
        }
        if !is_ready {
            return Ran::nothing(End::Blocked);
        }
        (self.listener)(&Event::CheckStarted {
            label: &check.label(),
        });
        self.runner.run(check)
    }
}

/// Says whether a check gave the expected result.
fn is_passed(check: &AuditedCheck) -> bool {
    check.met == Met::Passed
}

/// Takes from a step what is recorded.
pub(crate) fn result_of(step: &AuditedStep) -> StepResult {
    let results = |checks: &[AuditedCheck]| checks.iter().map(|each| each.result.clone()).collect();
    let output = |output: &AuditedOutput| OutputResult {
        step: output.step,
        name: output.name.clone(),
        checks: results(&output.checks),
    };
    StepResult {
        id: step.id,
        required: step.required.iter().map(output).collect(),
        checks: results(&step.checks),
        outputs: step.outputs.iter().map(output).collect(),
    }
}
