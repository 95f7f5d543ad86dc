//! Programs that ran, in a world in memory: what `audit` and `verify` tell of them.

use super::testing::{Fake, PLAN, plan, plan_of};
use crate::model::outcome::{Outcome, Word};
use crate::model::record::Role;

/// Returns what is said of programs: codes and messages.
fn told(outcome: &Outcome) -> Vec<(&'static str, &str)> {
    let findings = outcome.findings.iter();
    findings
        .filter(|finding| finding.row.code.starts_with("program-"))
        .map(|finding| (finding.row.code, finding.message.as_str()))
        .collect()
}

/// Audits, commits and judges; says what both tell of programs. Warnings take nothing away.
#[track_caller]
fn both(fake: &Fake) -> [Vec<(&'static str, String)>; 2] {
    let audited = fake.audit().unwrap();
    fake.commit();
    let judged = fake.verify("HEAD").unwrap();
    assert_eq!((audited.word, judged.word), (Word::Pass, Word::Pass));
    [&audited, &judged].map(|outcome| {
        let told = told(outcome).into_iter();
        told.map(|(code, message)| (code, message.to_owned()))
            .collect()
    })
}

#[test]
fn a_program_that_is_not_tracked_or_temporary_is_told_by_audit_and_by_verify() {
    for (path, why) in [
        ("./tool", "lies in the work tree and is not tracked"),
        (
            "/tmp/x/tool",
            "lies below /tmp, which is for temporary files",
        ),
    ] {
        let fake = Fake::sealed(&format!("run {path}"));

        let expected = vec![("program-place", format!("program {path} {why}"))];

        assert_eq!(both(&fake), [expected.clone(), expected]);
    }
}

#[test]
fn a_tracked_program_and_one_of_the_system_are_not_told() {
    let fake = Fake::planned("run ./deep/tool");
    fake.write("deep/tool", "x");
    fake.write(".plan-auditor/plans/other.json", &plan("run /usr/bin/tool"));
    for name in ["default", "other"] {
        assert_eq!(fake.seal_plan(name).unwrap().word, Word::Ok);
    }

    assert_eq!(both(&fake), [vec![], vec![]]);
}

#[test]
fn a_program_is_told_once_however_often_it_ran() {
    let fake = Fake::planned("true");
    fake.write(PLAN, &plan_of(&["run ./tool", "run ./tool"]));
    fake.seal().unwrap();

    let outcome = fake.audit().unwrap();

    assert_eq!(told(&outcome).len(), 1);
}

#[test]
fn another_program_than_in_the_audit_before_is_told_once() {
    let fake = Fake::sealed("run /opt/tool");
    assert_eq!(both(&fake), [vec![], vec![]]);

    fake.exchange("/opt/tool", "new");
    let [audited, judged] = both(&fake);

    assert_eq!(audited.len(), 1);
    let (code, message) = &audited[0];
    assert_eq!(*code, "program-differs");
    assert!(
        message.starts_with("`run` is /opt/tool (sha256 ") && message.contains("linux-x86_64"),
        "{message}"
    );
    assert_eq!(audited, judged);
    assert_eq!(both(&fake)[0], vec![]);
}

#[test]
fn a_program_is_compared_over_the_lineage_and_not_beyond_it() {
    let fake = Fake::sealed("run /opt/tool");
    both(&fake);
    fake.exchange("/opt/tool", "new");
    fake.write(PLAN, &plan_of(&["run /opt/tool", "true"]));
    assert_eq!(fake.renew(Role::Record).unwrap().word, Word::Ok);
    fake.write(".plan-auditor/plans/other.json", &plan("run /opt/tool"));
    assert_eq!(fake.seal_plan("other").unwrap().word, Word::Ok);

    let outcome = fake.audit().unwrap();

    let plans: Vec<_> = outcome
        .findings
        .iter()
        .filter(|finding| finding.row.code == "program-differs")
        .map(|finding| finding.plan.as_ref().map(ToString::to_string))
        .collect();
    assert_eq!(plans, [Some("default".to_owned())]);
}
