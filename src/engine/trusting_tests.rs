//! What settings and the trust point may do to a judgement, in a world in memory.

use super::testing::{Fake, PLAN, Proves, plan, said};
use crate::ledger::testing::ledger;
use crate::model::outcome::Word;
use crate::model::repository::Certainty;

/// The settings of a project.
const SETTINGS: &str = ".plan-auditor/supervisor.json";

/// Makes a world whose sealed plan passes once and then fails, and is committed.
fn lucky() -> Fake {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([0, 1]);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake
}

/// Judges HEAD where the repository, and where the user asks for this platform.
fn asked_for(fake: &Fake, platform: &str) -> [Word; 2] {
    let verdict = || fake.verify("HEAD").unwrap().word;
    let asked = vec![platform.to_owned()];
    fake.configured.borrow_mut().platforms.clone_from(&asked);
    let inside = verdict();
    fake.configured.borrow_mut().outside.platforms = asked;
    let outside = verdict();
    *fake.configured.borrow_mut() = super::world::Settings::default();
    [inside, outside]
}

#[test]
fn what_the_repository_asks_for_drops_passes_and_no_failure() {
    let fake = lucky();
    fake.platform.set("moon");
    assert_eq!(fake.audit().unwrap().word, Word::Fail);
    fake.commit();

    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Fail);
    assert_eq!(asked_for(&fake, "linux-x86_64"), [Word::Fail, Word::Pass]);
    assert_eq!(asked_for(&fake, "moon"), [Word::Fail, Word::Fail]);
    assert_eq!(asked_for(&fake, "mars"), [Word::Fail, Word::Fail]);
}

#[test]
fn a_failure_that_was_mended_elsewhere_bears_on_nothing() {
    let fake = lucky();
    fake.platform.set("moon");
    assert_eq!(fake.audit().unwrap().word, Word::Fail);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();

    assert_eq!(asked_for(&fake, "linux-x86_64"), [Word::Pass, Word::Pass]);
    assert_eq!(asked_for(&fake, "mars"), [Word::Fail, Word::Fail]);
}

/// Makes a world whose trust point is a commit with a plan, and a commit after it that is proven.
fn accepted() -> Fake {
    let fake = Fake::sealed("true");
    let base = fake.commit();
    fake.trust(base);
    fake.accept();
    fake
}

/// Moves the trust point to a commit with other settings, and proves the commit after it.
fn with_settings(fake: &Fake, text: &str) -> (Word, Vec<&'static str>) {
    fake.write(SETTINGS, text);
    let base = fake.commit();
    fake.trust(base);
    fake.write("more", text);
    fake.audit().unwrap();
    fake.commit();
    said(&fake.verify("HEAD").unwrap())
}

#[test]
fn other_settings_at_the_trust_point_must_be_accepted_again() {
    let fake = accepted();
    for text in [
        "{\"allow_flags\":[\"absent\"]}",
        "{\"profile\":\"light\"}",
        "{}",
        "x",
    ] {
        let found = with_settings(&fake, text);

        assert_eq!(found.0, Word::Unknown, "{text}");
        assert!(
            found.1.contains(&"signers-not-accepted"),
            "{text}: {found:?}"
        );
    }
    with_settings(&fake, "{\"profile\":\"light\"}");
    fake.accept();
    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
}

#[test]
fn a_pin_of_the_own_ledger_need_not_be_accepted_again() {
    let fake = accepted();
    let pin = |id| format!("{{\"ledger\":\"{}\"}}", ledger(id));
    assert_eq!(with_settings(&fake, &pin(1)).0, Word::Unknown);

    fake.configured.borrow_mut().own_ledger = Some(ledger(1));

    assert_eq!(with_settings(&fake, &pin(1)), (Word::Pass, vec![]));
    let other = with_settings(&fake, &pin(2));
    assert!(other.1.contains(&"signers-not-accepted"), "{other:?}");
}

#[test]
fn a_file_of_trust_that_was_lost_is_not_one_that_nobody_wrote() {
    for path in [SETTINGS, ".plan-auditor/allowed_signers"] {
        let fake = Fake::with(Proves::Ssh);
        fake.write(PLAN, &plan("true"));
        fake.write(path, "{\"profile\":\"strict\"}");
        let base = fake.commit();
        fake.trust(base);
        fake.commit();
        fake.notes.lose(&crate::ledger::notes::Notes::blob_id(
            &fake.notes,
            b"{\"profile\":\"strict\"}",
        ));

        let found = said(&fake.verify("HEAD").unwrap());

        assert_eq!(found, (Word::Unknown, vec!["history-missing"]), "{path}");
    }
}

#[test]
fn a_trust_point_that_somebody_may_have_made_is_doubt() {
    let fake = accepted();
    fake.write("more", "");
    fake.audit().unwrap();
    fake.commit();
    let accepted = fake.configured.borrow().accepted;
    for (certainty, accepted, expected) in [
        (Certainty::Named, None, Word::Pass),
        (Certainty::Usual, accepted, Word::Pass),
        (Certainty::Usual, None, Word::Unknown),
        (Certainty::Torn, accepted, Word::Unknown),
    ] {
        fake.configured.borrow_mut().accepted = accepted;
        if let Some(base) = fake.base.borrow_mut().as_mut() {
            base.certainty = certainty;
        }

        let found = said(&fake.verify("HEAD").unwrap());

        assert_eq!(found.0, expected, "{certainty:?}");
        let is_told = found.1.contains(&"trust-point-uncertain");
        assert_eq!(is_told, expected == Word::Unknown, "{found:?}");
    }
}
