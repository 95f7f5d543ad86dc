//! Running the steps of one contract in order, every check of each.

use std::collections::BTreeSet;

use super::events::{Event, Listener};
use super::ports::{Ran, Runner};
use crate::model::check::{Check, CheckResult, End, Met};
use crate::model::contract::{Contract, RequiredOutput, Step};
use crate::model::graph::Graph;
use crate::model::ids::PlanName;
use crate::model::outcome::{AuditedCheck, AuditedStep};
use crate::model::recompute;
use crate::model::record::{OutputResult, StepResult};

/// What became of the steps, in the order of the contract.
#[derive(Debug, Default)]
pub(crate) struct Results {
    /// What is recorded.
    pub(crate) steps: Vec<StepResult>,
    /// What a person sees.
    pub(crate) shown: Vec<AuditedStep>,
}

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
}

impl StepRunner<'_> {
    /// Runs every step; one whose dependency did not pass is blocked.
    pub(crate) fn run(&self) -> Results {
        let mut passed = BTreeSet::new();
        let mut done: Vec<(StepResult, AuditedStep)> = Vec::new();
        for id in order(self.contract) {
            let Some(step) = self.contract.step(id) else {
                continue;
            };
            let ready = step.depends_on.iter().all(|id| passed.contains(id));
            let ran = self.step(step, ready);
            if ran.1.met == Met::Passed {
                passed.insert(step.id);
            }
            done.push(ran);
        }
        in_contract_order(self.contract, done)
    }

    /// Runs one step, or blocks it.
    fn step(&self, step: &Step, ready: bool) -> (StepResult, AuditedStep) {
        let Step { id, title, .. } = step;
        (self.listener)(&Event::StepStarted {
            plan: self.plan,
            step: *id,
            title,
        });
        let mut shown = Vec::new();
        let required: Vec<OutputResult> = step
            .requires_outputs
            .iter()
            .map(|required| self.required(required, ready, &mut shown))
            .collect();
        let holds = ready && shown.iter().all(|check| check.met == Met::Passed);
        let checks = self.checks(&step.verify, holds, &mut shown);
        let outputs = step.outputs.iter().map(|output| {
            let checks = self.checks(&output.verify, holds, &mut shown);
            OutputResult {
                step: step.id,
                name: output.name.clone(),
                checks,
            }
        });
        let result = StepResult {
            id: *id,
            required,
            outputs: outputs.collect(),
            checks,
        };
        let met = recompute::step(self.contract, step, &result);
        let audited = AuditedStep {
            id: *id,
            title: title.clone(),
            met,
            checks: shown,
        };
        (self.listener)(&Event::StepEnded {
            plan: self.plan,
            step: &audited,
            met,
        });
        (result, audited)
    }

    /// Checks a required output again, just before the step that needs it.
    fn required(
        &self,
        required: &RequiredOutput,
        ready: bool,
        shown: &mut Vec<AuditedCheck>,
    ) -> OutputResult {
        let source = self.contract.step(required.step);
        let output = source.and_then(|step| {
            step.outputs
                .iter()
                .find(|output| output.name == required.name)
        });
        let checks = output.map_or(&[][..], |output| &output.verify);
        let checks = self.checks(checks, ready, shown);
        OutputResult {
            step: required.step,
            name: required.name.clone(),
            checks,
        }
    }

    /// Runs checks, or blocks them; none is skipped because another failed.
    fn checks(
        &self,
        checks: &[Check],
        ready: bool,
        shown: &mut Vec<AuditedCheck>,
    ) -> Vec<CheckResult> {
        let run = |check: &Check| {
            let ran = self.check(check, ready);
            let met = check.judge(&ran.result);
            let result = ran.result.clone();
            let Ran { tail, withheld, .. } = ran;
            let label = crate::model::text::shown(&check.label());
            shown.push(AuditedCheck {
                label,
                met,
                result: result.clone(),
                tail,
                withheld,
            });
            result
        };
        checks.iter().map(run).collect()
    }

    /// Runs one check unless it is blocked or we were told to stop.
    fn check(&self, check: &Check, ready: bool) -> Ran {
        let skipped = |end| Ran {
            result: CheckResult::of(end),
            tail: String::new(),
            withheld: Vec::new(),
        };
        if self.runner.interrupted() {
            return skipped(End::Interrupted);
        }
        if !ready {
            return skipped(End::Blocked);
        }
        (self.listener)(&Event::CheckStarted {
            label: &check.label(),
        });
        self.runner.run(check)
    }
}

/// Returns the steps in an order in which each comes after its dependencies.
fn order(contract: &Contract) -> Vec<u64> {
    let steps = contract
        .steps
        .iter()
        .map(|step| (step.id, step.depends_on.as_slice()));
    // A contract that exists has no circle.
    Graph::new(steps).order().unwrap_or_default()
}

/// Brings results from the order of running into the order of the contract.
fn in_contract_order(contract: &Contract, done: Vec<(StepResult, AuditedStep)>) -> Results {
    let place = |id: u64| contract.steps.iter().position(|step| step.id == id);
    let mut done = done;
    done.sort_by_key(|(result, _)| place(result.id));
    let (steps, shown) = done.into_iter().unzip();
    Results { steps, shown }
}
