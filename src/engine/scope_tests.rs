//! Scopes in a world in memory: what work may touch, and which plans an update leaves alone.

use super::testing::{Fake, PLAN, said};
use crate::model::outcome::{Outcome, Word};
use crate::model::record::Role;

const OTHER: &str = ".plan-auditor/plans/other.json";

/// Writes a plan of one check with members of the root.
fn plan(members: &str) -> String {
    super::testing::plan("true").replacen('{', &format!("{{{members},"), 1)
}

/// A world whose trust point has files and no plan, and on which a plan with a scope is sealed.
fn scoped() -> Fake {
    let fake = Fake::planned("true");
    fake.remove(PLAN);
    fake.write("src/a", "1");
    fake.write("docs/a", "1");
    fake.trust(fake.commit());
    fake.write(PLAN, &plan(r#""scope":["src/**"]"#));
    assert_eq!(said(&fake.seal().unwrap()), (Word::Ok, vec![]));
    fake
}

/// Audits what is on disk and judges the commit of it.
fn judged(fake: &Fake) -> (Outcome, Outcome) {
    let audit = fake.audit().unwrap();
    fake.commit();
    (audit, fake.verify("HEAD").unwrap())
}

/// Demands that what is on disk leaves the scope, before and after it is committed.
fn demand_outside(fake: &Fake, what: &str) {
    let (audit, verified) = judged(fake);
    for outcome in [audit, verified] {
        assert_eq!(said(&outcome), (Word::Fail, vec!["out-of-scope"]));
        let mut found = outcome.findings.iter();
        let found = found.find(|each| each.row.code == "out-of-scope").unwrap();
        assert!(found.message.ends_with(what), "{}", found.message);
    }
}

#[test]
fn work_inside_of_the_scope_passes() {
    let fake = scoped();
    fake.write("src/a", "2");
    fake.write("src/b/c", "1");

    let (audit, verified) = judged(&fake);

    assert_eq!(said(&audit), (Word::Pass, vec![]));
    assert_eq!(said(&verified), (Word::Pass, vec![]));
}

#[test]
fn what_changed_came_or_went_outside_of_the_scope_fails() {
    let fake = scoped();
    fake.write("docs/a", "2");
    demand_outside(&fake, ": docs/a");

    fake.remove("docs/a");
    fake.write("docs/b", "1");
    demand_outside(&fake, ": docs/a, docs/b");

    fake.write("docs/a", "1");
    fake.remove("docs/b");
    fake.write(".plan-auditor/allowed_signers", "");
    demand_outside_with_trust(&fake);
}

/// Demands that a change of who counts is outside of a scope too.
fn demand_outside_with_trust(fake: &Fake) {
    let (_, verified) = judged(fake);

    let (word, codes) = said(&verified);
    assert_eq!(word, Word::Fail);
    assert!(codes.contains(&"out-of-scope"), "{codes:?}");
}

#[test]
fn without_a_fork_point_the_first_seal_begins_the_work() {
    let fake = Fake::planned("true");
    fake.remove(PLAN);
    fake.write("docs/a", "1");
    fake.commit();
    fake.write(PLAN, &plan(r#""scope":["src/**"]"#));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.write("src/a", "1");
    assert_eq!(judged(&fake).1.word, Word::Pass);
    assert_eq!(fake.renew(Role::Record).unwrap().word, Word::Ok);
    fake.write("docs/a", "2");

    let (_, verified) = judged(&fake);

    let codes = vec!["generation-unapproved", "out-of-scope"];
    assert_eq!(said(&verified), (Word::Fail, codes));
}

#[test]
fn before_the_first_commit_everything_is_work() {
    let fake = Fake::planned("true");
    fake.write(PLAN, &plan(r#""scope":["src/**"]"#));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.write("src/a", "1");
    assert_eq!(judged(&fake).1.word, Word::Pass);

    fake.write("docs/a", "1");
    demand_outside(&fake, ": docs/a");
}

#[test]
fn where_the_first_seal_was_made_is_lost_nothing_is_said() {
    let fake = Fake::planned("true");
    fake.remove(PLAN);
    fake.write("docs/a", "1");
    let begin = fake.commit();
    fake.write(PLAN, &plan(r#""scope":["src/**"]"#));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    assert_eq!(judged(&fake).1.word, Word::Pass);

    fake.lose(&begin);

    let (word, codes) = said(&fake.verify("HEAD").unwrap());
    assert_eq!(word, Word::Unknown);
    assert!(codes.contains(&"bounds-unknown"), "{codes:?}");
}

#[test]
fn the_light_profile_warns() {
    let fake = Fake::planned("true");
    fake.remove(PLAN);
    fake.write(".plan-auditor/supervisor.json", r#"{"profile":"light"}"#);
    fake.trust(fake.commit());
    fake.write(PLAN, &plan(r#""scope":["src/**"]"#));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.write("docs/a", "1");

    let (audit, verified) = judged(&fake);

    assert_eq!(said(&audit), (Word::Pass, vec!["out-of-scope-light"]));
    assert_eq!(said(&verified), (Word::Pass, vec!["out-of-scope-light"]));
}

/// A world whose main line holds a sealed plan with a scope and pins, and no evidence for it.
fn merged() -> Fake {
    let fake = scoped();
    fake.write(PLAN, &plan(r#""scope":["src/**"],"pins":["tests/**"]"#));
    fake.write("tests/a", "1");
    assert_eq!(fake.renew(Role::Record).unwrap().word, Word::Ok);
    let old = fake.commit();
    fake.trust(old);
    fake.point("old", old);
    fake
}

#[test]
fn an_update_that_leaves_a_plan_alone_does_not_count_it() {
    let fake = merged();
    fake.write("docs/a", "2");
    fake.commit();

    let update = fake.verify("old..HEAD").unwrap();

    assert_eq!(said(&update), (Word::NoPlan, vec!["generation-unapproved"]));
    assert!(
        update
            .findings
            .iter()
            .any(|each| each.row.code == "untouched")
    );
    let whole = fake.verify("HEAD").unwrap();
    assert_eq!(whole.word, Word::Fail, "a commit alone needs evidence");
    assert!(!said(&whole).1.contains(&"out-of-scope"));
    let codes = vec!["generation-unapproved"];
    assert_eq!(said(&fake.audit().unwrap()), (Word::Pass, codes));
}

#[test]
fn an_update_that_goes_on_with_the_work_of_a_plan_counts_it() {
    let fake = merged();
    fake.write("src/a", "2");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    let first = fake.commit();
    fake.point("first", first);
    let codes = vec!["generation-unapproved"];
    assert_eq!(
        said(&fake.verify("old..HEAD").unwrap()),
        (Word::Pass, codes)
    );

    fake.write("elsewhere", "2");
    fake.commit();

    let update = fake.verify("first..HEAD").unwrap();
    let mut codes = said(&update).1;
    codes.sort_unstable();
    assert_eq!(
        codes,
        ["generation-unapproved", "no-evidence", "out-of-scope"]
    );
    assert_eq!(update.word, Word::Fail);
}

#[test]
fn an_update_that_touches_scope_pins_or_plan_counts_it() {
    for path in ["src/a", "src/new", "tests/a", "tests/new", "TESTS/b"] {
        let fake = merged();
        fake.write(path, "2");
        fake.commit();

        assert_eq!(fake.verify("old..HEAD").unwrap().word, Word::Fail, "{path}");
    }
    let fake = merged();
    fake.remove("tests/a");
    fake.commit();
    assert_eq!(fake.verify("old..HEAD").unwrap().word, Word::Fail);

    let fake = merged();
    let more = plan(r#""scope":["src/**"],"pins":["tests/**","docs/**"]"#);
    fake.write(PLAN, &more);
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.commit();
    assert_eq!(fake.verify("old..HEAD").unwrap().word, Word::Fail);
}

#[test]
fn a_plan_that_was_changed_and_put_back_counts() {
    let fake = merged();
    let text = plan(r#""scope":["src/**"],"pins":["tests/**"]"#);
    fake.write(PLAN, &plan(r#""scope":["**"],"pins":["tests/**"]"#));
    fake.commit();
    fake.write(PLAN, &text);
    fake.write("docs/a", "2");
    fake.commit();

    assert_eq!(fake.verify("old..HEAD").unwrap().word, Word::Fail);
}

#[test]
fn a_plan_that_the_update_seals_counts() {
    let fake = merged();
    fake.write(OTHER, &plan(r#""scope":["src/**"]"#));
    fake.commit();
    let draft = fake.verify("old..HEAD").unwrap();

    assert_eq!(draft.word, Word::Fail);
    assert!(said(&draft).1.contains(&"draft"));
}

#[test]
fn plans_side_by_side_are_each_judged_by_their_own_work() {
    let fake = merged();
    fake.write(OTHER, &plan(r#""scope":["docs/**"]"#));
    let other = super::seal::Request {
        plan: crate::model::ids::PlanName::parse("other"),
        ..super::seal::Request::default()
    };
    assert_eq!(fake.seal_as(&other).unwrap().word, Word::Ok);
    fake.write("docs/a", "2");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();

    let codes = vec!["generation-unapproved"];
    assert_eq!(
        said(&fake.verify("old..HEAD").unwrap()),
        (Word::Pass, codes)
    );
}
