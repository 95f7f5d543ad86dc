//! Pinned files in a world in memory: every way to change one unseen.

use std::collections::BTreeMap;

use super::testing::{Fake, PLAN, said};
use crate::ledger::notes::Notes as _;
use crate::model::files::File;
use crate::model::outcome::{Details, Outcome, Word};
use crate::model::pins::{Pin, Pins};
use crate::model::record::{Role, SealedPins};

/// Writes a plan of one check that pins files.
fn plan(pins: &str, checks: &str) -> String {
    format!(
        "{{\"task\":\"x\",\"created\":\"2026-11-29\",\"pins\":{pins},\
         \"requirements\":[{{\"id\":\"R\",\"description\":\"d\"}}],\
         \"steps\":[{{\"id\":1,\"title\":\"x\",\"covers\":[\"R\"],\"verify\":[{checks}]}}]}}"
    )
}

const TRUE: &str = r#"{"type":"run","argv":["true"]}"#;
const MORE: &str = r#"{"type":"run","argv":["true"]},{"type":"run","argv":["true","2"]}"#;
const TESTS: &str = r#"["tests/**"]"#;

/// A world whose plan pins its tests and is sealed; the trust point has the same tests and no plan.
fn pinned() -> Fake {
    let fake = Fake::planned("true");
    fake.remove(PLAN);
    fake.write("tests/a", "1");
    fake.write("src/a", "1");
    fake.trust(fake.commit());
    fake.write(PLAN, &plan(TESTS, TRUE));
    assert_eq!(said(&fake.seal().unwrap()), (Word::Ok, vec![]));
    fake
}

/// Audits what is on disk and judges the commit of it.
fn judged(fake: &Fake) -> (Outcome, Outcome) {
    let audit = fake.audit().unwrap();
    fake.commit();
    (audit, fake.verify("HEAD").unwrap())
}

/// Demands that what is on disk fails for its pins, before and after it is committed.
fn demand_found(fake: &Fake, what: &str) {
    let (audit, verified) = judged(fake);

    for outcome in [audit, verified] {
        assert_eq!(said(&outcome), (Word::Fail, vec!["pin-changed"]));
        let mut found = outcome.findings.iter();
        let found = found.find(|each| each.row.code == "pin-changed").unwrap();
        assert!(found.message.ends_with(what), "{}", found.message);
    }
}

#[test]
fn work_that_leaves_pinned_files_alone_passes() {
    let fake = pinned();
    fake.write("src/a", "2");

    let (audit, verified) = judged(&fake);

    assert_eq!(said(&audit), (Word::Pass, vec![]));
    assert_eq!(said(&verified), (Word::Pass, vec![]));
}

#[test]
fn a_pinned_file_that_changed_was_removed_or_is_new_fails() {
    let fake = pinned();
    fake.write("tests/a", "2");
    demand_found(&fake, ": tests/a (changed)");

    fake.remove("tests/a");
    demand_found(&fake, ": tests/a (removed)");

    fake.write("tests/a", "1");
    fake.write("Tests/b", "1");
    demand_found(&fake, ": Tests/b (new)");
}

#[test]
fn the_checks_run_all_the_same_and_the_audit_proves_nothing() {
    let fake = pinned();
    fake.write("tests/a", "2");

    let Details::Audit(audited) = fake.audit().unwrap().details else {
        panic!("an audit tells what it found");
    };

    assert_eq!(*fake.ran.borrow(), ["true"]);
    assert!(audited.plans[0].record.is_some());
    assert!(!audited.plans[0].usable);
}

#[test]
fn a_file_that_was_pinned_and_put_back_is_untouched() {
    let fake = pinned();
    fake.write("tests/a", "2");
    fake.commit();
    fake.write("tests/a", "1");

    let (audit, verified) = judged(&fake);

    assert_eq!((audit.word, verified.word), (Word::Pass, Word::Pass));
}

#[test]
fn whoever_merges_the_main_line_takes_its_tests_along() {
    let fake = pinned();
    let work = fake.commit();
    fake.write("tests/a", "main");
    fake.write("tests/new", "main");
    fake.trust(fake.commit());
    fake.point("HEAD", work);
    demand_found(&fake, ": tests/a (changed), tests/new (new)");

    // The fork point moves to the commit that was merged.
    let merged = fake.base.borrow().clone().unwrap().commit;
    fake.point("HEAD", merged);

    let (audit, verified) = judged(&fake);

    // The merged commit itself, which is the trust point, is measured from its parent.
    assert_eq!(said(&audit), (Word::Pass, vec!["head-unproven"]));
    assert_eq!(said(&verified), (Word::Pass, vec![]));
}

#[test]
fn a_later_seal_cannot_take_a_changed_file_along() {
    let fake = pinned();
    fake.commit();
    fake.write(PLAN, &plan(TESTS, MORE));
    fake.write("tests/a", "2");

    let refused = fake.seal().unwrap();

    assert_eq!(said(&refused), (Word::Refused, vec!["weakened"]));
    fake.write("tests/a", "1");
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake.write("tests/a", "2");
    demand_found(&fake, ": tests/a (changed)");
}

#[test]
fn sealing_again_says_that_pinned_files_changed() {
    let fake = pinned();
    fake.write("tests/a", "2");

    assert_eq!(
        said(&fake.seal().unwrap()),
        (Word::Refused, vec!["weakened"])
    );
}

#[test]
fn more_pins_are_taken_and_those_before_are_copied() {
    let fake = pinned();
    fake.commit();
    fake.write(PLAN, &plan(r#"["tests/**","src/*"]"#, TRUE));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    assert_eq!(judged(&fake).1.word, Word::Pass);

    fake.write("src/a", "2");
    demand_found(&fake, ": src/a (changed)");
}

#[test]
fn a_new_generation_takes_fresh_pins() {
    let fake = pinned();
    fake.commit();
    fake.write("tests/a", "2");
    assert_eq!(fake.renew(Role::Record).unwrap().word, Word::Ok);

    let (audit, verified) = judged(&fake);

    assert_eq!(said(&audit), (Word::Pass, vec!["generation-unapproved"]));
    assert_eq!(said(&verified), (Word::Pass, vec!["generation-unapproved"]));
}

#[test]
fn a_seal_by_hand_that_lets_go_of_a_file_does_not_hold() {
    let fake = pinned();
    fake.commit();
    let first = fake.end_of_chain();
    fake.write(PLAN, &plan(TESTS, MORE));
    fake.write("tests/a", "2");
    let pin = |text: &str| Pin {
        file: File {
            mode: 0o100_644,
            id: fake.notes.blob_id(text.as_bytes()),
        },
        at_fork: true,
    };
    for pins in [
        None,
        Some(Pins::new()),
        Some(BTreeMap::from([(b"tests/a".to_vec(), pin("2"))])),
        Some(BTreeMap::from([
            (b"tests/a".to_vec(), pin("1")),
            (b"tests/b".to_vec(), pin("2")),
        ])),
    ] {
        let pins = pins.map(SealedPins::Listed);
        fake.seal_pins_by_hand(&[first], 1, None, pins);
        fake.commit();

        let verified = fake.verify("HEAD").unwrap();

        assert_eq!(said(&verified), (Word::Fail, vec!["seal-broken"]));
    }
}

#[test]
fn a_second_first_seal_does_not_take_fresh_pins() {
    let fake = pinned();
    fake.write("tests/a", "2");
    let file = File {
        mode: 0o100_644,
        id: fake.notes.blob_id(b"2"),
    };
    let pins = BTreeMap::from([(
        b"tests/a".to_vec(),
        Pin {
            file,
            at_fork: true,
        },
    )]);
    fake.seal_pins_by_hand(&[], 1, None, Some(SealedPins::Listed(pins)));

    demand_found(&fake, ": tests/a (changed)");
}

#[test]
fn a_first_seal_without_the_list_does_not_hold() {
    let fake = Fake::planned("true");
    fake.write("tests/a", "1");
    fake.write(PLAN, &plan(TESTS, TRUE));
    fake.commit();
    fake.seal_pins_by_hand(&[], 1, None, None);

    let (audit, verified) = judged(&fake);

    assert_eq!(said(&audit), (Word::Fail, vec!["seal-broken"]));
    assert_eq!(said(&verified), (Word::Fail, vec!["seal-broken"]));
}

#[test]
fn many_pins_lie_in_a_blob_and_without_it_nothing_is_said() {
    let fake = Fake::planned("true");
    for number in 0..200 {
        fake.write(&format!("tests/{number}"), "1");
    }
    fake.write(PLAN, &plan(TESTS, TRUE));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    assert_eq!(judged(&fake).1.word, Word::Pass);
    fake.write("tests/77", "2");
    demand_found(&fake, ": tests/77 (changed)");

    let tree = fake.notes.tree();
    let kept = tree
        .iter()
        .filter(|(target, blob)| target == blob)
        .map(|(id, _)| id);
    let list = kept.copied().find(|id| {
        let bytes = fake.notes.blob(id).unwrap().unwrap();
        bytes.starts_with(b"[{\"fork\"")
    });
    fake.notes.lose(&list.unwrap());

    let verified = fake.verify("HEAD").unwrap();

    assert_eq!(said(&verified), (Word::Unknown, vec!["bounds-unknown"]));
}

#[test]
fn a_pattern_that_freezes_nothing_is_named() {
    let fake = Fake::planned("true");
    fake.write(PLAN, &plan(r#"["tests/**","none/*"]"#, TRUE));
    fake.write("tests/a", "1");

    let sealed = fake.seal().unwrap();

    assert_eq!(said(&sealed), (Word::Ok, vec!["pin-matches-nothing"]));
    assert!(
        sealed
            .findings
            .iter()
            .any(|each| each.message.contains("none/*"))
    );
}

#[test]
fn a_plan_that_has_ended_pins_nothing_more() {
    let fake = pinned();
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    let how = super::close::How::Proven {
        revision: "HEAD".to_owned(),
    };
    assert_eq!(fake.close(how).unwrap().word, Word::Ok);
    fake.write("tests/a", "2");
    fake.commit();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::NoPlan, vec![]));
}

#[test]
fn a_plan_whose_pins_were_touched_cannot_be_closed() {
    let fake = pinned();
    fake.write("tests/a", "2");
    assert_eq!(fake.audit().unwrap().word, Word::Fail);
    fake.commit();
    let how = super::close::How::Proven {
        revision: "HEAD".to_owned(),
    };

    let refused = fake.close(how).unwrap();

    assert_eq!(said(&refused).0, Word::Refused);
}
