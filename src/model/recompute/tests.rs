//! Tests of outcomes recomputed from what a record says of its checks.

use super::*;
use crate::model::check::{End, Limits};
use crate::model::contract::RequiredOutput;

fn run() -> Check {
    let limits = Limits {
        expect_exit: 0,
        timeout_ms: 1,
        max_output_bytes: 1024,
        output_regex: None,
        env: Vec::new(),
    };
    Check::Run {
        argv: vec!["true".to_owned()],
        limits,
    }
}

fn plan_step(id: u64) -> Step {
    Step {
        id,
        title: String::new(),
        covers: Vec::new(),
        depends_on: Vec::new(),
        requires_outputs: Vec::new(),
        outputs: Vec::new(),
        verify: vec![run()],
        inputs: Vec::new(),
        exclusive: false,
        modifies: Vec::new(),
        creates: Vec::new(),
        deletes: Vec::new(),
        uses_symbol: Vec::new(),
    }
}

/// Step 1 makes `bin`; step 2 needs it.
fn contract() -> Contract {
    let output = Output {
        name: "bin".to_owned(),
        verify: vec![Check::FileExists {
            path: "bin".to_owned(),
        }],
    };
    let needs = vec![RequiredOutput {
        step: 1,
        name: "bin".to_owned(),
    }];
    let first = Step {
        outputs: vec![output],
        ..plan_step(1)
    };
    let second = Step {
        depends_on: vec![1],
        requires_outputs: needs,
        ..plan_step(2)
    };
    Contract {
        task: String::new(),
        created: String::new(),
        requirements: Vec::new(),
        required_tools: Vec::new(),
        pins: Vec::new(),
        scope: Vec::new(),
        claims: Vec::new(),
        steps: vec![first, second],
    }
}

fn passed() -> CheckResult {
    CheckResult::of(End::Exited(0))
}

fn bin(end: End) -> OutputResult {
    OutputResult {
        step: 1,
        name: "bin".to_owned(),
        checks: vec![CheckResult::of(end)],
    }
}

fn results() -> Vec<StepResult> {
    let first = StepResult {
        id: 1,
        required: Vec::new(),
        checks: vec![passed()],
        outputs: vec![bin(End::Found)],
    };
    let second = StepResult {
        id: 2,
        required: vec![bin(End::Found)],
        checks: vec![passed()],
        outputs: Vec::new(),
    };
    vec![first, second]
}

#[test]
fn everything_as_expected_is_a_pass() {
    assert_eq!(audit(&contract(), &results()), Verdict::Pass);
}

#[test]
fn a_failed_check_anywhere_is_a_failure() {
    let failed = || CheckResult::of(End::Exited(1));
    let spoil: [fn(&mut Vec<StepResult>, CheckResult); 3] = [
        |steps, result| steps[1].checks[0] = result,
        |steps, result| steps[0].outputs[0].checks[0] = result,
        |steps, result| steps[1].required[0].checks[0] = result,
    ];
    for spoil in spoil {
        let mut steps = results();
        spoil(&mut steps, failed());
        assert_eq!(audit(&contract(), &steps), Verdict::Fail);
    }
}

#[test]
fn what_could_not_start_is_unknown_unless_something_failed() {
    let mut steps = results();
    steps[1].checks[0] = CheckResult::of(End::CouldNotStart("gone".to_owned()));
    assert_eq!(audit(&contract(), &steps), Verdict::Unknown);

    steps[0].checks[0] = CheckResult::of(End::Exited(1));
    assert_eq!(audit(&contract(), &steps), Verdict::Fail);
}

#[test]
fn results_that_leave_something_out_or_add_something_fail() {
    let spoil: [fn(&mut Vec<StepResult>); 10] = [
        |steps| steps.clear(),
        |steps| drop(steps.pop()),
        |steps| steps.reverse(),
        |steps| steps.push(steps[0].clone()),
        |steps| steps[0].checks.clear(),
        |steps| steps[0].checks.push(passed()),
        |steps| steps[0].outputs.clear(),
        |steps| steps[1].required.clear(),
        |steps| steps[1].required[0].step = 2,
        |steps| steps[0].outputs[0].name = "other".to_owned(),
    ];
    for (index, spoil) in spoil.iter().enumerate() {
        let mut steps = results();
        spoil(&mut steps);
        assert_eq!(audit(&contract(), &steps), Verdict::Fail, "case {index}");
    }
}
