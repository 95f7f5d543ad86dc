//! `run` in a world in memory: which steps it takes, what counts as an attempt, and what is recorded.

use super::bound::on_disk;
use super::close::How;
use super::ports::{Noticed, Run};
use super::testing::{Fake, PLAN, plan_of, said};
use crate::ledger::judged::Ledger;
use crate::ledger::reading;
use crate::ledger::testing::trust;
use crate::model::ids::{AttemptId, Digest, PlanName};
use crate::model::outcome::{Details, Outcome, RanSteps, StepEnd, Word};
use crate::model::record::{Intent, Role};

/// Makes a world whose plan of several steps is sealed.
fn sealed(steps: &[&str]) -> Fake {
    let fake = Fake::planned("true");
    fake.write(PLAN, &plan_of(steps));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake
}

/// Returns what a run did.
#[track_caller]
fn ran(outcome: &Outcome) -> &RanSteps {
    let Details::Run(ran) = &outcome.details else {
        panic!("{outcome:?}")
    };
    ran
}

/// Returns how each step of a run ended.
#[track_caller]
fn ends(outcome: &Outcome) -> Vec<(u64, StepEnd)> {
    let steps = ran(outcome).steps.iter();
    steps.map(|each| (each.step.id, each.end)).collect()
}

/// Demands a refusal for a reason, before anything ran or was written.
#[track_caller]
fn is_refused(fake: &Fake, outcome: &Outcome, code: &'static str) {
    assert_eq!(said(outcome), (Word::Refused, vec![code]));
    assert_eq!(fake.ran.borrow().as_slice(), [""; 0]);
    assert_eq!(fake.intents.borrow().as_slice(), []);
}

/// Returns the contract that the first seal of the ledger names.
fn contract(fake: &Fake) -> Digest {
    let ledger = Ledger::judge(&reading::read(&fake.notes).unwrap(), &trust(&[1, 2]));
    ledger.seals()[0].1.contract
}

/// Writes a plan of these steps whose first has one check more.
fn stronger(steps: &[&str]) -> String {
    let check = "{\"type\":\"run\",\"argv\":[\"more\"]}";
    plan_of(steps).replacen("\"verify\":[", &format!("\"verify\":[{check},"), 1)
}

/// Plants what a killed run of the sealed plan would leave.
fn plant(fake: &Fake, attempt: u8, step: u64, run: Run) {
    plant_of(fake, (contract(fake), step), attempt, run);
}

/// Plants what a killed run of a step of a contract would leave.
fn plant_of(fake: &Fake, (contract, step): (Digest, u64), attempt: u8, run: Run) {
    let intent = Intent {
        plan: PlanName::default_plan(),
        contract,
        attempt: AttemptId::new([attempt; 16]),
        step,
    };
    let name = format!("planted {attempt}");
    fake.intents
        .borrow_mut()
        .push(Noticed { name, intent, run });
}

#[test]
fn nothing_unsealed_is_run() {
    let fake = Fake::planned("true");

    let outcome = fake.run(&[], None).unwrap();

    is_refused(&fake, &outcome, "unsealed");
}

#[test]
fn a_draft_that_the_trust_point_holds_is_not_run_either() {
    let fake = Fake::planned("true");
    let base = fake.commit();
    fake.trust(base);

    let outcome = fake.run(&[], None).unwrap();

    is_refused(&fake, &outcome, "unsealed");
}

#[test]
fn an_edited_plan_is_not_run() {
    let fake = sealed(&["true"]);
    fake.write(PLAN, &plan_of(&["false"]));

    let outcome = fake.run(&[1], Some("x")).unwrap();

    is_refused(&fake, &outcome, "edited-after-seal");
}

#[test]
fn an_unknown_step_is_refused() {
    let fake = sealed(&["true"]);

    let outcome = fake.run(&[1, 2], None).unwrap();

    is_refused(&fake, &outcome, "unknown-step");
}

#[test]
fn without_a_number_it_takes_the_steps_that_have_not_passed_for_this_content() {
    let fake = sealed(&["true", "flaky"]);
    fake.exits.borrow_mut().push_back(1);

    let first = fake.run(&[], None).unwrap();
    let second = fake.run(&[], None).unwrap();
    let third = fake.run(&[], None).unwrap();
    fake.write("other", "content");
    let fourth = fake.run(&[], None).unwrap();

    let (passed, failed) = (StepEnd::Passed, StepEnd::Failed);
    assert_eq!(
        (first.word, ends(&first)),
        (Word::Fail, vec![(1, passed), (2, failed)])
    );
    assert_eq!((second.word, ends(&second)), (Word::Ok, vec![(2, passed)]));
    assert_eq!((third.word, ends(&third)), (Word::Ok, vec![]));
    assert_eq!(ran(&third).record, None);
    assert_eq!(ends(&fourth), [(1, passed), (2, passed)]);
}

#[test]
fn a_step_that_changes_the_content_has_not_passed_for_it() {
    let fake = sealed(&["write made text"]);

    assert_eq!(ends(&fake.run(&[], None).unwrap()), [(1, StepEnd::Passed)]);
    assert_eq!(ends(&fake.run(&[], None).unwrap()), [(1, StepEnd::Passed)]);
    assert_eq!(ends(&fake.run(&[], None).unwrap()), []);
}

#[test]
fn an_audit_counts_as_a_result_and_not_as_an_attempt() {
    let fake = sealed(&["true", "false"]);
    for _ in 0..4 {
        fake.audit().unwrap();
    }

    let outcome = fake.run(&[], None).unwrap();

    assert_eq!(ends(&outcome), [(2, StepEnd::Failed)]);
    assert_eq!(ran(&outcome).steps[0].failed, 1);
}

#[test]
fn a_run_proves_nothing() {
    let fake = sealed(&["true"]);
    assert_eq!(fake.run(&[], None).unwrap().word, Word::Ok);
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["no-evidence"])
    );
}

#[test]
fn a_step_is_blocked_until_what_it_depends_on_has_passed_and_that_is_no_attempt() {
    let fake = sealed(&["flaky", "true"]);
    fake.exits.borrow_mut().push_back(1);

    let never = fake.run(&[2], None).unwrap();
    let failed = fake.run(&[], None).unwrap();
    let both = fake.run(&[1, 2], None).unwrap();
    let alone = fake.run(&[2], None).unwrap();

    let (passed, blocked) = (StepEnd::Passed, StepEnd::Blocked);
    assert_eq!(said(&never).1, ["check-not-run", "step-blocked"]);
    assert_eq!((never.word, ends(&never)), (Word::Fail, vec![(2, blocked)]));
    assert_eq!(ends(&failed), [(1, StepEnd::Failed), (2, blocked)]);
    assert_eq!(ends(&both), [(1, passed), (2, passed)]);
    assert_eq!(ends(&alone), [(2, passed)]);
    assert_eq!(ran(&alone).steps[0].failed, 0);
}

#[test]
fn the_fourth_attempt_needs_a_reason_which_is_recorded() {
    let fake = sealed(&["false"]);
    for count in 1..=3 {
        let outcome = fake.run(&[], None).unwrap();
        assert_eq!(ran(&outcome).steps[0].failed, count);
    }
    fake.ran.borrow_mut().clear();

    let refused = fake.run(&[1], None).unwrap();
    is_refused(&fake, &refused, "attempts-used-up");
    let forced = fake.run(&[1], Some("the disk was full")).unwrap();

    assert_eq!((forced.word, ran(&forced).steps[0].failed), (Word::Fail, 4));
    let lines: Vec<String> = fake.lines().into_values().flatten().collect();
    let told = lines
        .iter()
        .filter(|line| line.contains("\"forced\":\"the disk was full\""));
    assert_eq!(told.count(), 1);
}

#[test]
fn what_could_not_be_started_is_a_failed_attempt() {
    let fake = sealed(&["gone"]);

    let outcome = fake.run(&[], None).unwrap();

    assert_eq!(
        (outcome.word, ends(&outcome)),
        (Word::Fail, vec![(1, StepEnd::Failed)])
    );
}

#[test]
fn an_interrupted_step_is_an_attempt_and_what_comes_after_it_is_not_reached() {
    let fake = sealed(&["true", "stop", "true"]);

    let outcome = fake.run(&[], None).unwrap();

    assert_eq!(
        ends(&outcome),
        [(1, StepEnd::Passed), (2, StepEnd::Interrupted)]
    );
    assert_eq!(
        (ran(&outcome).left.as_slice(), outcome.word),
        (&[3][..], Word::Fail)
    );
    assert_eq!(ran(&outcome).steps[1].failed, 1);
    assert_eq!(fake.intents.borrow().as_slice(), []);
}

#[test]
fn a_run_that_is_stopped_before_its_first_step_records_nothing() {
    let fake = sealed(&["true"]);
    fake.is_stopped.set(true);
    let commits = fake.notes.commits();

    let outcome = fake.run(&[], None).unwrap();

    assert_eq!(
        (outcome.word, ran(&outcome).left.as_slice()),
        (Word::Fail, &[1][..])
    );
    assert_eq!(fake.notes.commits(), commits);
}

#[test]
fn a_killed_run_counts_before_and_after_it_is_recorded() {
    let fake = sealed(&["flaky"]);
    for attempt in 101..=103 {
        plant(&fake, attempt, 1, Run::Killed);
    }

    let refused = fake.run(&[1], None).unwrap();
    assert_eq!(said(&refused).1, ["attempts-used-up"]);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);

    assert_eq!(fake.intents.borrow().as_slice(), []);
    let refused = fake.run(&[1], None).unwrap();
    assert_eq!(said(&refused).1, ["attempts-used-up"]);
}

#[test]
fn a_step_that_is_under_way_elsewhere_counts_and_is_left_alone() {
    let fake = sealed(&["true"]);
    for attempt in 101..=103 {
        plant(&fake, attempt, 1, Run::Alive);
    }

    assert_eq!(said(&fake.run(&[1], None).unwrap()).1, ["attempts-used-up"]);
    fake.audit().unwrap();

    assert_eq!(fake.intents.borrow().len(), 3);
}

#[test]
fn what_was_planted_makes_no_pass_and_takes_no_failure_back() {
    let fake = sealed(&["flaky", "true"]);
    fake.exits.borrow_mut().push_back(1);
    fake.run(&[1], None).unwrap();
    // The first run drew this number.
    plant(&fake, 1, 1, Run::Killed);
    plant(&fake, 99, 1, Run::Killed);

    let blocked = fake.run(&[2], None).unwrap();
    let outcome = fake.run(&[1], None).unwrap();

    assert_eq!(ends(&blocked), [(2, StepEnd::Blocked)]);
    assert_eq!(ran(&outcome).steps[0].failed, 2);
}

#[test]
fn a_number_that_no_plan_can_have_does_not_keep_an_append_from_its_work() {
    let fake = sealed(&["true"]);
    plant(&fake, 9, u64::MAX, Run::Killed);

    assert_eq!(fake.run(&[1], None).unwrap().word, Word::Ok);

    assert_eq!(fake.intents.borrow().as_slice(), []);
}

#[test]
fn what_is_not_recorded_stays_written_down_and_is_one_attempt() {
    let fake = sealed(&["flaky"]);
    fake.exits.borrow_mut().push_back(1);
    fake.notes.stick(true);

    let outcome = fake.run(&[1], None).unwrap();

    assert_eq!(
        said(&outcome),
        (Word::Unknown, vec!["check-failed", "not-recorded"])
    );
    assert_eq!(fake.intents.borrow().len(), 1);
    fake.notes.stick(false);
    let outcome = fake.run(&[1], None).unwrap();
    assert_eq!((outcome.word, ran(&outcome).steps[0].failed), (Word::Ok, 1));
    assert_eq!(fake.intents.borrow().as_slice(), []);
}

#[test]
fn attempts_of_another_clone_count() {
    let fake = sealed(&["false"]);
    for who in [2, 1, 2] {
        fake.be(who);
        fake.run(&[1], None).unwrap();
    }
    fake.be(1);

    assert_eq!(said(&fake.run(&[1], None).unwrap()).1, ["attempts-used-up"]);
}

#[test]
fn attempts_count_over_the_seals_that_a_plan_continues() {
    let fake = sealed(&["false"]);
    fake.commit();
    fake.run(&[1], None).unwrap();
    fake.write(PLAN, &stronger(&["false"]));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.run(&[1], None).unwrap();
    fake.write(PLAN, &plan_of(&["false", "true"]));
    assert_eq!(fake.renew(Role::Record).unwrap().word, Word::Ok);

    let third = fake.run(&[1], None).unwrap();

    assert_eq!(ran(&third).steps[0].failed, 3);
    assert!(
        said(&fake.run(&[1], None).unwrap())
            .1
            .contains(&"attempts-used-up")
    );
}

#[test]
fn what_is_signed_to_approve_takes_no_killed_run_along() {
    let fake = Fake::with_approver();
    let first = on_disk(&fake).unwrap()[0].contract.clone().unwrap();
    plant_of(&fake, (first.digest, 1), 9, Run::Killed);
    fake.write(PLAN, &plan_of(&["flaky"]));

    assert_eq!(fake.renew(Role::Approve).unwrap().word, Word::Ok);

    assert_eq!(fake.intents.borrow().len(), 1);
    fake.exits.borrow_mut().push_back(1);
    let outcome = fake.run(&[1], None).unwrap();
    assert_eq!(ran(&outcome).steps[0].failed, 2);
    assert_eq!(fake.intents.borrow().as_slice(), []);
}

#[test]
fn what_no_key_could_prove_is_recorded_later_and_is_one_attempt() {
    let fake = sealed(&["flaky"]);
    fake.exits.borrow_mut().push_back(1);
    plant(&fake, 9, 1, Run::Killed);
    fake.can_sign.set(false);

    let outcome = fake.run(&[1], None).unwrap();

    assert_eq!(
        said(&outcome),
        (Word::Unknown, vec!["check-failed", "not-recorded"])
    );
    // The killed run is written down still, and does not wait twice.
    let waiting: Vec<usize> = fake
        .unproven
        .borrow()
        .iter()
        .map(|each| each.records.len())
        .collect();
    assert_eq!(waiting, [1]);
    fake.can_sign.set(true);
    let outcome = fake.run(&[1], None).unwrap();
    assert_eq!((outcome.word, ran(&outcome).steps[0].failed), (Word::Ok, 2));
    assert_eq!(fake.unproven.borrow().len(), 0);
}

#[test]
fn a_plan_whose_lineage_does_not_hold_is_not_run() {
    let fake = sealed(&["true"]);
    fake.commit();
    fake.write(PLAN, &stronger(&["true"]));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.commit();
    fake.write(PLAN, &plan_of(&["true"]));

    let outcome = fake.run(&[1], None).unwrap();

    is_refused(&fake, &outcome, "contract-rolled-back");
}

#[test]
fn a_generation_that_nobody_approved_is_not_run() {
    let fake = Fake::with_approver();
    fake.write(PLAN, &plan_of(&["true"]));
    fake.renew(Role::Record).unwrap();

    let outcome = fake.run(&[1], None).unwrap();

    is_refused(&fake, &outcome, "generation-not-approved");
}

#[test]
fn a_closed_plan_is_run_and_that_it_is_closed_is_told() {
    let fake = sealed(&["true"]);
    let reason = "too much".to_owned();
    let (seal, role) = (None, Role::Record);
    fake.close(How::Abandoned { seal, reason, role }).unwrap();

    let outcome = fake.run(&[1], None).unwrap();

    assert_eq!(outcome.word, Word::Ok);
    let told = outcome.findings.iter().map(|finding| finding.row.code);
    assert_eq!(told.filter(|code| *code == "closed").count(), 1);
}

#[test]
fn attempts_of_a_key_that_does_not_count_do_not() {
    let fake = sealed(&["false"]);
    fake.be(3);
    for _ in 0..3 {
        fake.run(&[1], None).unwrap();
    }
    fake.be(1);

    assert_eq!(fake.run(&[1], None).unwrap().word, Word::Fail);
}

#[test]
fn a_second_run_at_the_same_time_is_refused() {
    let fake = sealed(&["true"]);
    fake.is_locked.set(true);

    let outcome = fake.run(&[1], None).unwrap();

    is_refused(&fake, &outcome, "audit-running");
}

/// Makes a world whose trust point has settings, and whose plan of one failing step is sealed.
fn with_settings(text: &str) -> Fake {
    let fake = Fake::planned("false");
    fake.write(".plan-auditor/supervisor.json", text);
    let base = fake.commit();
    fake.trust(base);
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake
}

#[test]
fn the_trust_point_says_how_often_a_step_may_fail() {
    let fake = with_settings("{\"max_attempts\":2}");
    // What the work tree says of it is nobody's business.
    fake.write(".plan-auditor/supervisor.json", "{\"max_attempts\":9}");

    let first = fake.run(&[1], None).unwrap();
    fake.run(&[1], None).unwrap();
    let refused = fake.run(&[1], None).unwrap();

    assert_eq!(ran(&first).max_attempts, Some(2));
    assert_eq!(refused.word, Word::Refused);
    let message = &refused.findings[0].message;
    assert!(message.contains("and 2 are allowed"), "{message}");
}

#[test]
fn where_the_settings_are_wrong_no_step_is_taken_again_that_failed() {
    let fake = with_settings("{\n \"max_attempts\": 0\n}");

    let first = fake.run(&[1], None).unwrap();
    let second = fake.run(&[1], None).unwrap();

    let of_settings = first.findings.iter();
    let mut of_settings = of_settings.filter(|finding| finding.row.code == "settings-invalid");
    let wrong = of_settings.next().unwrap();
    let place = wrong.place.as_ref().unwrap();
    assert_eq!((place.line, place.column), (2, 18));
    assert!(wrong.message.contains("at origin/main: max_attempts"));
    assert_eq!(ran(&first).max_attempts, None);
    assert_eq!(second.word, Word::Refused);
    assert!(second.findings[0].message.contains("is not known"));
}
