//! Steps side by side, in a world in memory where the step that began last ends first.

use std::cell::RefCell;
use std::num::NonZeroUsize;

use super::testing::{Fake, PLAN, plan_of};
use crate::model::outcome::{AuditedStep, Details, Outcome, Word};

/// Makes a world with a sealed plan of independent steps, so many at a time.
fn wide(all: &[&str], jobs: usize) -> Fake {
    let fake = Fake::planned("true");
    let text = plan_of(all).replace("\"verify\"", "\"depends_on\":[],\"verify\"");
    fake.write(PLAN, &text);
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.jobs.set(NonZeroUsize::new(jobs).unwrap());
    fake
}

/// Returns the steps of the one plan.
fn steps(outcome: &Outcome) -> &[AuditedStep] {
    let Details::Audit(audited) = &outcome.details else {
        panic!("{outcome:?}")
    };
    &audited.plans[0].steps
}

#[test]
fn results_have_the_order_of_the_plan_whatever_ended_first() {
    let fake = wide(&["true a", "false b", "true c"], 2);

    let outcome = fake.audit().unwrap();

    assert_eq!(
        fake.ran.borrow().as_slice(),
        ["false b", "true c", "true a"]
    );
    let labels: Vec<&str> = steps(&outcome)
        .iter()
        .map(|step| step.checks[0].label.as_str())
        .collect();
    assert_eq!(labels, ["true a", "false b", "true c"]);
    let record = |fake: &Fake| fake.lines().into_values().flatten().collect::<Vec<_>>();
    let alone = wide(&["true a", "false b", "true c"], 1);
    alone.audit().unwrap();
    assert_eq!(record(&fake), record(&alone));
}

#[test]
fn files_touched_while_several_ran_are_blamed_on_all_of_them() {
    let fake = wide(&["true a", "true b"], 2);
    fake.touching.set((1, "a.txt"));

    let outcome = fake.audit().unwrap();

    let found = outcome.findings.iter();
    let found: Vec<_> = found
        .filter(|finding| finding.row.code == "files-touched")
        .map(|finding| (finding.step, finding.message.as_str()))
        .collect();
    let (first, second) = (&found[0], &found[1]);
    assert_eq!(first.0, None);
    assert!(
        first
            .1
            .contains("steps 1, 2 of plan default ran side by side")
    );
    assert_eq!(second.0, Some(1));
}

#[test]
fn what_was_left_by_nobody_in_particular_is_told_of_the_plan() {
    for (jobs, told) in [(2, 1), (1, 0)] {
        let fake = wide(&["true a", "true b"], jobs);
        fake.hides_orphans.set(true);

        let outcome = fake.audit().unwrap();

        let leaked = outcome.findings.iter();
        let leaked = leaked.filter(|finding| finding.row.code == "check-leaked");
        assert_eq!(leaked.count(), told);
        assert_eq!(outcome.word, Word::Pass);
    }
}

#[test]
fn after_being_told_to_stop_no_other_step_runs() {
    let fake = wide(&["true a", "stop b", "true c"], 2);

    let outcome = fake.audit().unwrap();

    assert_eq!(outcome.word, Word::Unknown);
    assert_eq!(fake.ran.borrow().as_slice(), ["stop b"]);
    assert_eq!(steps(&outcome).len(), 3);
}

#[test]
fn progress_says_of_each_check_whose_it_is() {
    let fake = wide(&["true a", "true b"], 2);
    let told = RefCell::new(Vec::new());

    fake.audit_with(&|event| told.borrow_mut().push(format!("{event:?}")))
        .unwrap();

    let told = told.borrow();
    let place = |text: &str| told.iter().position(|line| line.contains(text));
    let check = place("CheckStarted { step: 2, is_beside: true");
    assert!(
        place("StepStarted") < check && check < place("StepEnded"),
        "{told:?}"
    );
}
