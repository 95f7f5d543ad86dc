//! What `audit` and `status` promise of a commit is what `verify` says of it, in a world in memory.

use super::close::How;
use super::testing::{Fake, PLAN, Proves, plan, said};
use crate::ledger::testing::ledger;
use crate::model::outcome::{Details, PlanStatus, Word};
use crate::model::record::Role;
use crate::model::repository::Accepted;
use crate::model::state::{Flag, Noted};
use crate::wire::digest::sha256;

/// The list of signers.
const SIGNERS: &str = ".plan-auditor/allowed_signers";

/// A world whose trust point lists clone 1, and whose plan is sealed after it.
fn listed() -> Fake {
    let fake = Fake::with(Proves::Ssh);
    fake.write(SIGNERS, &Fake::signer_line(1));
    fake.trust(fake.commit());
    fake.configured.borrow_mut().own_ledger = Some(ledger(1));
    fake.write(PLAN, &plan("true"));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    fake
}

/// Returns what `status` says of the plan `default`.
fn line(fake: &Fake) -> PlanStatus {
    let Details::Status(status) = fake.status().unwrap().details else {
        panic!("status tells of a status");
    };
    status.plans[0].clone()
}

/// Returns what `status` says is next for the plan `default`.
fn next(fake: &Fake) -> String {
    line(fake).next
}

#[test]
fn a_new_signer_fails_in_audit_as_in_verify_and_is_not_called_proven() {
    let fake = listed();
    let more = Fake::signer_line(1) + &Fake::signer_line(2);
    fake.write(SIGNERS, &more);
    let told = (Word::Fail, vec!["trust-changed"]);

    assert_eq!(said(&fake.audit().unwrap()), told);
    fake.commit();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), told);
    assert!(next(&fake).starts_with("git plan-audit verify"));
    let status = fake.status().unwrap();
    assert_eq!(said(&status), (Word::Ok, vec!["trust-changed"]));
    let mut changed = status.findings.iter();
    let changed = changed.find(|each| each.row.code == "trust-changed");
    assert!(changed.unwrap().hint.is_some());
}

#[test]
fn a_tip_that_its_parent_does_not_trust_is_not_called_proven() {
    let fake = listed();
    fake.commit();
    fake.write(SIGNERS, &Fake::signer_line(2));
    fake.trust(fake.commit());
    fake.be(2);
    assert_eq!(fake.seal().unwrap().word, Word::Ok);

    let audit = fake.audit().unwrap();

    assert_eq!(said(&audit), (Word::Pass, vec!["head-unproven"]));
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Fail);
    assert!(next(&fake).starts_with("git plan-audit verify"));
    fake.write("more", "");
    assert_eq!(said(&fake.audit().unwrap()), (Word::Pass, vec![]));
    fake.commit();
    assert_eq!(next(&fake), "nothing: HEAD is proven");
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Pass);
}

#[test]
fn a_spent_plan_is_not_brought_back_by_an_audit() {
    let fake = Fake::sealed("true");
    fake.audit().unwrap();
    fake.commit();
    let revision = "HEAD".to_owned();
    fake.close(How::Proven { revision }).unwrap();
    fake.trust(fake.commit());
    fake.write("more", "");
    let skipped = fake.audit().unwrap();

    let audit = fake.audit_of("default").unwrap();

    assert_eq!(said(&audit), (Word::Pass, vec!["spent"]));
    let Details::Audit(audited) = &audit.details else {
        panic!("an audit tells of an audit");
    };
    assert!(!audited.plans[0].usable);
    fake.commit();
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::NoPlan);
    let hints = skipped.findings.iter().filter_map(|each| each.hint.clone());
    let hints: Vec<String> = hints.collect();
    assert!(
        hints.iter().any(|hint| hint.contains("--new-generation")),
        "{hints:?}"
    );
}

#[test]
fn the_list_of_a_first_commit_is_accepted_by_a_person() {
    let fake = Fake::with(Proves::Ssh);
    fake.configured.borrow_mut().own_ledger = Some(ledger(1));
    fake.write(PLAN, &plan("true"));
    fake.write(SIGNERS, &Fake::signer_line(1));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.trust(fake.commit());
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Pass);

    fake.accept();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
    assert_eq!(next(&fake), "nothing: HEAD is proven");
    let other = Accepted::of(Some(sha256(b"other")));
    fake.configured.borrow_mut().accepted = Some(other);
    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["signers-not-accepted"])
    );
}

#[test]
fn an_audit_that_does_not_count_is_told_with_its_reason() {
    let fake = Fake::sealed("true");
    let odd = |path: &str| [(Flag::Special, Noted::of([path]))].into();
    fake.flags.replace(odd("ff"));
    fake.audit().unwrap();

    let status = fake.status().unwrap();

    assert_eq!(said(&status), (Word::Ok, vec!["state-flag"]));
    assert_eq!(line(&fake).unusable.as_deref(), Some("special: ff"));
    assert!(next(&fake).ends_with("git plan-audit audit"));
    fake.flags.take();
    assert_eq!(next(&fake), "git plan-audit audit");
    fake.audit().unwrap();
    assert_eq!(line(&fake).unusable, None);
    fake.commit();
    fake.flags.replace(odd("later"));
    assert_eq!(said(&fake.status().unwrap()).1, ["state-flag"]);
    assert_eq!(next(&fake), "nothing: HEAD is proven");
}

#[test]
fn audits_that_do_not_count_are_counted_and_the_last_is_named() {
    let fake = Fake::sealed("true");
    let odd = [(Flag::Special, Noted::of(["ff"]))].into();
    fake.flags.replace(odd);
    for _ in 0..3 {
        fake.audit().unwrap();
    }
    fake.commit();

    let outcome = fake.verify("HEAD").unwrap();

    let mut findings = outcome.findings.iter();
    let found = findings.find(|each| each.row.code == "no-evidence");
    let message = &found.unwrap().message;
    assert!(message.contains("3 audits"), "{message}");
    assert_eq!(message.matches("special: ff").count(), 1, "{message}");
}

#[test]
fn what_is_closed_is_called_closed_and_how_it_opens_is_named() {
    let fake = Fake::sealed("true");
    fake.audit().unwrap();
    fake.commit();
    let revision = "HEAD".to_owned();
    fake.close(How::Proven { revision }).unwrap();
    let opens = "git plan-audit seal --plan default --new-generation --reason TEXT opens it again";

    let (verified, sealed) = (fake.verify("HEAD").unwrap(), fake.seal().unwrap());

    assert_eq!(line(&fake).standing, "closed");
    assert!(next(&fake).ends_with(opens));
    assert_eq!(verified.word, Word::Pass);
    let mut codes = verified.findings.iter().map(|each| each.row.code);
    assert!(codes.any(|code| code == "closed"));
    assert!(matches!(sealed.details, Details::Seal(sealed) if sealed.next.ends_with(opens)));
    fake.write("more", "");
    fake.commit();
    let later = fake.verify("HEAD").unwrap();
    let mut later = later.findings.iter();
    let found = later.find(|each| each.row.code == "no-plan").unwrap();
    assert!(found.message.ends_with("is closed"), "{}", found.message);
    assert_eq!(found.hint.as_deref(), Some(opens));
    fake.renew(Role::Record).unwrap();
    assert_eq!(line(&fake).standing, "sealed");
}
