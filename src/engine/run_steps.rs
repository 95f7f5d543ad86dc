//! Running the steps of one contract, every check of each: in turn, or side by side.

use std::num::NonZeroUsize;

use super::events::{Event, Listener};
use super::ports::{Ran, Runner, Said, Work};
use super::schedule::{Next, Readiness, Schedule, has_room};
use crate::model::check::{Check, End, Met};
use crate::model::contract::{Contract, RequiredOutput, Step};
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
}

/// What came of all steps of a contract.
pub(crate) struct AllSteps {
    /// Each step, in the order of the contract.
    pub(crate) steps: Vec<AuditedStep>,
    /// Whether processes were left behind of which nobody can tell whose they were.
    pub(crate) has_orphans: bool,
}

impl StepRunner<'_> {
    /// Runs every step, so many at a time; one whose dependency did not pass is blocked.
    ///
    /// `after_step` is told after each step which ones ran since it was told last.
    pub(crate) fn run(&self, jobs: NonZeroUsize, after_step: &dyn Fn(&[u64])) -> AllSteps {
        let schedule = Schedule::new(self.contract, jobs);
        let mut all = if has_room(self.contract, jobs) {
            self.side_by_side(schedule, after_step)
        } else {
            self.in_turn(schedule, after_step)
        };
        let place = |id| self.contract.steps.iter().position(|step| step.id == id);
        all.steps.sort_by_key(|step| place(step.id));
        all
    }

    /// Runs one step after the other, in this thread.
    fn in_turn(&self, mut schedule: Schedule<'_>, after_step: &dyn Fn(&[u64])) -> AllSteps {
        let mut steps = Vec::new();
        while let Next::Start(step, readiness) = schedule.next() {
            let audited = self.step(step, readiness);
            after_step(&[step.id]);
            schedule.end(step.id, audited.met == Met::Passed);
            steps.push(audited);
        }
        AllSteps {
            steps,
            has_orphans: false,
        }
    }

    /// Runs steps beside each other. Decisions, progress and looks at the place stay in this thread.
    fn side_by_side(&self, mut schedule: Schedule<'_>, after_step: &dyn Fn(&[u64])) -> AllSteps {
        let mut steps = Vec::new();
        let has_orphans = self.runner.side_by_side(&mut |said| {
            match said {
                None => {}
                Some(Said::CheckStarted { step, label }) => {
                    self.tell_check(step, &label, true);
                    return Vec::new();
                }
                Some(Said::Ended(audited)) => {
                    self.tell_end(&audited);
                    // Whatever ran since the last look ends just now, or still runs.
                    after_step(&schedule.running());
                    schedule.end(audited.id, audited.met == Met::Passed);
                    steps.push(*audited);
                }
            }
            self.next_steps(&mut schedule)
        });
        AllSteps { steps, has_orphans }
    }

    /// Starts all that may start now.
    fn next_steps<'c>(&self, schedule: &mut Schedule<'c>) -> Vec<Work<'c>> {
        let mut works: Vec<Work<'c>> = Vec::new();
        while let Next::Start(step, readiness) = schedule.next() {
            self.tell_start(step);
            let one = OneStep {
                contract: schedule.contract(),
                step,
                readiness,
            };
            works.push(Box::new(move |runner, say| {
                let started = |label: &str| {
                    let (step, label) = (step.id, label.to_owned());
                    say(Said::CheckStarted { step, label });
                };
                say(Said::Ended(Box::new(one.run(runner, &started))));
            }));
        }
        works
    }

    /// Runs one step, or blocks it.
    pub(super) fn step(&self, step: &Step, readiness: Readiness) -> AuditedStep {
        self.tell_start(step);
        let one = OneStep {
            contract: self.contract,
            step,
            readiness,
        };
        let started = |label: &str| self.tell_check(step.id, label, false);
        let audited = one.run(self.runner, &started);
        self.tell_end(&audited);
        audited
    }

    /// Tells that a step begins.
    fn tell_start(&self, step: &Step) {
        (self.listener)(&Event::StepStarted {
            plan: self.plan,
            step: step.id,
            title: &step.title,
        });
    }

    /// Tells that a check begins.
    fn tell_check(&self, step: u64, label: &str, is_beside: bool) {
        (self.listener)(&Event::CheckStarted {
            step,
            label,
            is_beside,
        });
    }

    /// Tells that a step has ended.
    fn tell_end(&self, step: &AuditedStep) {
        (self.listener)(&Event::StepEnded {
            plan: self.plan,
            step,
        });
    }
}

/// One step of a contract, in whichever thread.
#[derive(Clone, Copy)]
struct OneStep<'a> {
    contract: &'a Contract,
    step: &'a Step,
    readiness: Readiness,
}

impl OneStep<'_> {
    /// Runs every check of the step, or blocks it; `started` hears of each check.
    fn run(self, runner: &dyn Runner, started: &dyn Fn(&str)) -> AuditedStep {
        let step = self.step;
        let checks = Checks {
            runner,
            started,
            step: step.id,
        };
        let is_ready = self.readiness == Readiness::Ready;
        let needs = step.requires_outputs.iter();
        let required: Vec<AuditedOutput> = needs
            .map(|needed| self.required(needed, checks, is_ready))
            .collect();
        let has_all = required
            .iter()
            .flat_map(|output| &output.checks)
            .all(is_passed);
        let own = checks.run(&step.verify, is_ready && has_all);
        let outputs = step.outputs.iter().map(|output| AuditedOutput {
            step: step.id,
            name: output.name.clone(),
            checks: checks.run(&output.verify, is_ready && has_all),
        });
        let mut audited = AuditedStep {
            id: step.id,
            title: step.title.clone(),
            met: Met::Unknown,
            outputs: outputs.collect(),
            required,
            checks: own,
        };
        audited.met = recompute::step(self.contract, step, &result_of(&audited));
        audited
    }

    /// Checks a required output again, just before the step that needs it.
    fn required(
        self,
        needed: &RequiredOutput,
        checks: Checks<'_>,
        is_ready: bool,
    ) -> AuditedOutput {
        let source = self.contract.step(needed.step);
        let output = source.and_then(|step| {
            step.outputs
                .iter()
                .find(|output| output.name == needed.name)
        });
        let verify = output.map_or(&[][..], |output| &output.verify);
        AuditedOutput {
            step: needed.step,
            name: needed.name.clone(),
            checks: checks.run(verify, is_ready),
        }
    }
}

/// Runs the checks of one step.
#[derive(Clone, Copy)]
struct Checks<'a> {
    runner: &'a dyn Runner,
    started: &'a dyn Fn(&str),
    step: u64,
}

impl Checks<'_> {
    /// Runs checks, or blocks them; none is skipped because another failed.
    fn run(self, checks: &[Check], is_ready: bool) -> Vec<AuditedCheck> {
        let run = |check: &Check| {
            let Ran {
                result,
                tail,
                withheld,
                lies,
            } = self.run_one(check, is_ready);
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
    fn run_one(self, check: &Check, is_ready: bool) -> Ran {
        if self.runner.interrupted() {
            return Ran::nothing(End::Interrupted);
        }
        if !is_ready {
            return Ran::nothing(End::Blocked);
        }
        (self.started)(&check.label());
        self.runner.run(check, self.step)
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
