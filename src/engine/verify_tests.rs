//! `verify` in a world in memory: every way in which a commit is not proven, and the ways in which it is.

use std::collections::BTreeMap;

use super::testing::{Fake, PLAN, Proves, plan, said};
use crate::model::outcome::{Details, Word};
use crate::model::record::Role;
use crate::model::state::{Flag, Noted};

/// A world whose sealed plan passed and is committed.
fn proven() -> Fake {
    let fake = Fake::sealed("true");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    fake
}

/// Takes the lines with a text out of the ledger, as plain git could.
fn take_out(fake: &Fake, text: &str) {
    let mut lines = fake.lines();
    for each in lines.values_mut() {
        each.retain(|line| !line.contains(text));
    }
    fake.notes.rewrite(&lines);
}

#[test]
fn a_commit_of_what_was_audited_is_proven() {
    assert_eq!(
        said(&proven().verify("HEAD").unwrap()),
        (Word::Pass, vec![])
    );
}

#[test]
fn a_later_commit_of_the_same_tree_is_proven_and_of_another_is_not() {
    let fake = proven();
    fake.commit();
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Pass);

    fake.write("more", "");
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["no-evidence"])
    );
}

#[test]
fn a_name_of_nothing_is_refused() {
    assert_eq!(
        said(&proven().verify("x").unwrap()),
        (Word::Refused, vec!["no-revision"])
    );
}

#[test]
fn a_commit_without_a_plan_is_no_plan() {
    let fake = Fake::planned("true");
    fake.remove(PLAN);
    fake.write("a", "");
    fake.commit();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::NoPlan, vec![]));
}

#[test]
fn a_draft_fails_and_one_of_the_trust_point_does_not_count() {
    let fake = Fake::planned("true");
    let base = fake.commit();
    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["draft"])
    );

    fake.trust(base);
    fake.write("more", "");
    fake.commit();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::NoPlan, vec![]));
}

#[test]
fn an_edited_plan_fails() {
    let fake = proven();
    fake.write(PLAN, &plan("other"));
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["draft"])
    );
}

#[test]
fn a_removed_plan_fails() {
    let fake = proven();
    fake.remove(PLAN);
    fake.write("a", "");
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["plan-removed"])
    );
}

#[test]
fn a_trust_point_that_was_moved_makes_nobody_forget_what_this_clone_sealed() {
    let fake = proven();
    fake.remove(PLAN);
    fake.write("a", "");
    let work = fake.commit();
    fake.trust(fake.commit());
    fake.point("HEAD", work);
    let removed = (Word::Fail, vec!["plan-removed"]);

    assert_eq!(said(&fake.verify("HEAD").unwrap()), removed);

    fake.be(2);
    assert_eq!(
        fake.verify("HEAD").unwrap().word,
        Word::NoPlan,
        "it sealed nothing here"
    );
}

#[test]
fn evidence_of_a_key_that_nobody_trusts_does_not_count() {
    let fake = Fake::sealed("true");
    fake.be(3);
    // The third clone trusts only its own user's keys, which are those of the others.
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.be(1);
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["no-evidence"])
    );
}

/// A world with SSH keys whose trust point lists clone 1, and a commit after it.
fn listed(list: &str) -> Fake {
    let fake = Fake::with(Proves::Ssh);
    fake.write(".plan-auditor/allowed_signers", list);
    let base = fake.commit();
    fake.trust(base);
    fake.write(PLAN, &plan("true"));
    fake
}

fn audited(fake: &Fake) {
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
}

#[test]
fn a_signer_of_the_trust_point_proves() {
    let fake = listed(&Fake::signer_line(1));

    audited(&fake);

    let unpinned = (Word::Pass, vec!["ledger-not-pinned"]);
    assert_eq!(said(&fake.verify("HEAD").unwrap()), unpinned);
    fake.configured.borrow_mut().own_ledger = Some(crate::ledger::testing::ledger(1));
    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
}

#[test]
fn a_change_of_who_is_trusted_fails() {
    let fake = listed(&Fake::signer_line(1));
    let more = Fake::signer_line(1) + &Fake::signer_line(2);
    fake.write(".plan-auditor/allowed_signers", &more);
    fake.seal().unwrap();

    let audit = fake.audit().unwrap();

    let told = (Word::Fail, vec!["ledger-not-pinned", "trust-changed"]);
    assert_eq!(said(&audit), told);
    fake.commit();
    assert_eq!(said(&fake.verify("HEAD").unwrap()), told);
}

#[test]
fn whoever_is_added_in_the_judged_commit_proves_nothing() {
    let fake = listed(&Fake::signer_line(1));
    let more = Fake::signer_line(1) + &Fake::signer_line(2);
    fake.write(".plan-auditor/allowed_signers", &more);
    fake.be(2);
    assert_eq!(fake.seal().unwrap().word, Word::Ok);

    assert_eq!(
        said(&fake.audit().unwrap()),
        (Word::Refused, vec!["unsealed"])
    );

    fake.commit();
    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["draft", "trust-changed"])
    );
}

#[test]
fn a_list_in_which_no_line_can_be_used_trusts_nobody() {
    let fake = listed("builder ssh-ed25519 AAAA\n");
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (
            Word::Unknown,
            vec!["no-trust-root", "seal-not-seen", "signers-unused"]
        )
    );
}

#[test]
fn a_key_that_may_only_approve_proves_nothing() {
    let line = Fake::signer_line(1);
    let only = line.replacen(' ', " namespaces=\"git-plan-audit-approve\" ", 1);
    let fake = listed(&(only + &Fake::signer_line(2)));
    assert_eq!(fake.seal().unwrap().word, Word::Ok);

    assert_eq!(
        said(&fake.audit().unwrap()),
        (Word::Refused, vec!["unsealed"])
    );
}

#[test]
fn settings_at_the_trust_point_that_cannot_be_read_are_unknown() {
    let fake = Fake::planned("true");
    fake.write(".plan-auditor/supervisor.json", "{\"profile\":1}");
    let base = fake.commit();
    fake.trust(base);
    fake.write("more", "");
    assert_eq!(fake.seal().unwrap().word, Word::Ok);
    assert_eq!(
        said(&fake.audit().unwrap()),
        (Word::Unknown, vec!["settings-invalid"])
    );
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["settings-invalid"])
    );
}

#[test]
fn a_ledger_that_was_not_fetched_is_unknown() {
    let fake = Fake::planned("true");
    fake.commit();
    fake.has_remote.set(true);

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["ledger-not-fetched", "seal-not-seen"])
    );
}

#[test]
fn a_judged_commit_that_is_the_trust_point_is_told() {
    let fake = Fake::sealed("true");
    let nobody = fake.commit();
    fake.trust(nobody);
    // Where neither it nor its parent says who counts, it makes no difference.
    let outcome = fake.verify("HEAD").unwrap();
    let mut codes = outcome.findings.iter().map(|finding| finding.row.code);
    assert!(codes.all(|code| code != "trust-point-parent"));
    fake.write(".plan-auditor/supervisor.json", "{}");
    let first = fake.commit();
    fake.write("more", "");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    let tip = fake.commit();

    for (base, is_told) in [(first, false), (tip, true)] {
        fake.trust(base);
        let outcome = fake.verify("HEAD").unwrap();
        let codes = outcome.findings.iter().map(|finding| finding.row.code);
        assert_eq!(
            codes.filter(|code| *code == "trust-point-parent").count() == 1,
            is_told
        );
    }
}

#[test]
fn a_ledger_whose_history_is_cut_off_is_unknown() {
    let fake = Fake::sealed("true");
    fake.audit().unwrap();
    fake.commit();

    fake.notes.cut();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["ledger-missing"])
    );
}

#[test]
fn history_that_is_cut_off_is_unknown() {
    let fake = Fake::sealed("true");
    let first = fake.commit();
    fake.write("more", "");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    fake.lose(&first);

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["history-missing"])
    );
}

#[test]
fn a_pass_and_a_failure_that_have_not_seen_each_other_fail() {
    let fake = Fake::sealed("flaky");
    let before = fake.lines();
    fake.exits.borrow_mut().extend([1, 0]);
    assert_eq!(fake.audit().unwrap().word, Word::Fail);
    let with_failure = fake.lines();
    // The other clone works on the ledger as it was, and then both are joined.
    fake.notes.rewrite(&before);
    fake.notes.forget_history();
    fake.be(2);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    let mut both = fake.lines();
    for (target, texts) in with_failure {
        both.entry(target).or_default().extend(texts);
    }
    fake.notes.rewrite(&both);
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["audit-failed", "concurrent"])
    );
}

#[test]
fn a_later_pass_in_the_same_chain_stands_for_an_earlier_failure() {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([1, 0]);
    assert_eq!(fake.audit().unwrap().word, Word::Fail);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
}

#[test]
fn a_later_pass_of_a_clone_that_saw_the_failure_stands_for_it() {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([1, 0]);
    fake.audit().unwrap();
    fake.be(2);
    fake.audit().unwrap();
    fake.commit();

    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Pass);
}

#[test]
fn a_later_failure_stands_for_an_earlier_pass() {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([0, 1]);
    fake.audit().unwrap();
    fake.audit().unwrap();
    fake.commit();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Fail, vec!["audit-failed"])
    );
}

#[test]
fn a_check_that_could_not_start_stands_for_nothing() {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([0, Fake::GONE]);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    assert_eq!(fake.audit().unwrap().word, Word::Unknown);
    fake.commit();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
}

/// A world whose tree passed, then failed, and then lost the failure to a fork of the chain.
fn forked() -> Fake {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([0, 1]);
    fake.audit().unwrap();
    let pass = fake.end_of_chain();
    fake.audit().unwrap();
    fake.go_back_to(pass);
    fake.write("a", "other");
    fake.audit().unwrap();
    fake.remove("a");
    fake.commit();
    fake
}

#[test]
fn a_failure_that_a_fork_took_leaves_no_pass() {
    let fake = forked();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["failure-unseen", "ledger-fork"])
    );
}

#[test]
fn a_later_pass_that_has_seen_what_a_fork_took_stands_for_it() {
    let fake = forked();
    fake.be(2);
    fake.audit().unwrap();

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Pass, vec!["ledger-fork"])
    );
}

#[test]
fn a_seal_that_a_fork_took_leaves_no_pass_until_a_later_one_has_seen_it() {
    let fake = Fake::sealed("true");
    fake.audit().unwrap();
    let end = fake.end_of_chain();
    fake.write(PLAN, &plan("false"));
    fake.renew(Role::Record).unwrap();
    fake.go_back_to(end);
    fake.audit().unwrap();
    fake.be(2);
    fake.write(PLAN, &plan("true"));
    fake.audit().unwrap();
    fake.commit();
    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["ledger-fork", "ledger-fork-bears"])
    );

    fake.renew(Role::Record).unwrap();

    let said = said(&fake.verify("HEAD").unwrap());
    assert!(!said.1.contains(&"ledger-fork-bears"), "{said:?}");
}

#[test]
fn a_failure_where_something_was_odd_leaves_no_older_pass() {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([0, 1]);
    fake.audit().unwrap();
    let odd = || BTreeMap::from([(Flag::Grafts, Noted::of(["x"]))]);
    fake.flags.replace(odd());
    fake.audit().unwrap();
    fake.commit();
    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["failure-unseen"])
    );
    fake.audit().unwrap();
    assert_eq!(
        fake.verify("HEAD").unwrap().word,
        Word::Unknown,
        "a pass that is as odd"
    );
    fake.flags.take();

    fake.audit().unwrap();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
}

#[test]
fn a_failure_that_changed_a_file_leaves_no_older_pass() {
    let fake = Fake::sealed("flaky log.txt");
    fake.exits.borrow_mut().extend([0, 1]);
    fake.audit().unwrap();
    fake.commit();
    fake.audit().unwrap();
    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["failure-unseen"])
    );
    let failed = fake.lines().into_values().flatten().last().unwrap();
    fake.remove("log.txt");

    fake.audit().unwrap();

    assert_eq!(said(&fake.verify("HEAD").unwrap()), (Word::Pass, vec![]));
    take_out(&fake, &failed);
    assert_eq!(fake.verify("HEAD").unwrap().word, Word::Unknown);
}

#[test]
fn a_failure_that_was_taken_out_is_unknown() {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([0, 1]);
    fake.audit().unwrap();
    fake.audit().unwrap();
    fake.commit();
    let last = fake.lines().into_values().flatten().last().unwrap();

    take_out(&fake, &last);

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (Word::Unknown, vec!["ledger-removed"])
    );
}

/// A world in which another clone's failure was seen by a later record about another tree.
fn seen_failure() -> (Fake, String) {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().extend([0, 1, 0]);
    fake.audit().unwrap();
    fake.commit();
    fake.point("work", fake.commit());
    fake.be(2);
    fake.audit().unwrap();
    let mark = format!("\"id\":\"{}\"", fake.end_of_chain());
    fake.be(1);
    fake.write("more", "");
    fake.audit().unwrap();
    fake.commit();
    (fake, mark)
}

#[test]
fn a_failure_that_a_later_record_of_another_chain_has_seen_is_missed() {
    let (fake, mark) = seen_failure();
    assert_eq!(fake.verify("work").unwrap().word, Word::Fail);

    take_out(&fake, &mark);
    fake.notes.forget_history();

    assert_eq!(
        said(&fake.verify("work").unwrap()),
        (Word::Unknown, vec!["ledger-gap"])
    );
}

#[test]
fn a_failure_whose_proof_was_spoilt_is_missed_by_who_has_seen_it() {
    let (fake, mark) = seen_failure();
    let mut lines = fake.lines();
    for line in lines
        .values_mut()
        .flatten()
        .filter(|line| line.contains(&mark))
    {
        let (before, _) = line.rsplit_once(",\"proof\":").unwrap();
        *line = format!("{before},\"proof\":{{\"by\":\"{}\"}}}}", "0".repeat(64));
    }
    fake.notes.rewrite(&lines);
    fake.notes.forget_history();

    assert_eq!(
        said(&fake.verify("work").unwrap()),
        (Word::Unknown, vec!["ledger-gap"])
    );
}

#[test]
fn a_seal_that_was_taken_out_is_unknown() {
    let fake = proven();

    take_out(&fake, "\"kind\":\"seal\"");

    assert_eq!(
        said(&fake.verify("HEAD").unwrap()),
        (
            Word::Unknown,
            vec!["ledger-gap", "ledger-removed", "seal-not-seen"]
        )
    );
}

/// A world with a base, a commit that is not proven, and a proven tip; HEAD~2 is the base.
fn three() -> Fake {
    let fake = Fake::sealed("flaky");
    fake.exits.borrow_mut().push_back(0);
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    let base = fake.commit();
    fake.point("base", base);
    fake.write("work", "unproven");
    let middle = fake.commit();
    fake.point("middle", middle);
    fake.write("work", "proven");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    fake
}

#[test]
fn of_a_range_the_tip_counts_and_the_others_are_named() {
    let fake = three();

    let outcome = fake.verify("base..HEAD").unwrap();

    assert_eq!(outcome.word, Word::Pass);
    let codes = outcome.findings.iter().map(|finding| finding.row.code);
    assert_eq!(codes.filter(|code| *code == "range-unproven").count(), 1);
}

#[test]
fn a_commit_that_was_proven_before_a_new_generation_is_not_said_to_lack_evidence() {
    let fake = Fake::sealed("true");
    let base = fake.commit();
    fake.point("base", base);
    fake.write("work", "proven");
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();
    fake.write(PLAN, &plan("also"));
    fake.renew(Role::Record).unwrap();
    assert_eq!(fake.audit().unwrap().word, Word::Pass);
    fake.commit();

    let outcome = fake.verify("base..HEAD").unwrap();

    assert_eq!(said(&outcome), (Word::Pass, vec!["generation-unapproved"]));
}

#[test]
fn what_is_said_of_several_commits_of_a_range_is_told_once() {
    let fake = Fake::sealed("true");
    let base = fake.commit();
    fake.point("base", base);
    fake.write(PLAN, &plan("also"));
    fake.renew(Role::Record).unwrap();
    for work in ["one", "two", "three"] {
        fake.write("work", work);
        assert_eq!(fake.audit().unwrap().word, Word::Pass);
        fake.commit();
    }

    let outcome = fake.verify_each("base..HEAD").unwrap();

    assert_eq!(said(&outcome), (Word::Pass, vec!["generation-unapproved"]));
    let told = &outcome.findings[0].message;
    assert!(told.starts_with("3 commits: plan default"), "{told}");
}

#[test]
fn each_commit_of_a_range_counts_where_that_is_asked_for() {
    let fake = three();

    let whole = fake.verify_each("base..HEAD").unwrap();
    let last = fake.verify_each("middle..HEAD").unwrap();

    assert_eq!(said(&whole), (Word::Fail, vec!["no-evidence"]));
    assert!(matches!(&whole.details, Details::Verify(commits) if commits.len() == 2));
    assert_eq!(said(&last), (Word::Pass, vec![]));
}

#[test]
fn what_an_update_takes_away_is_found_from_its_old_value_on() {
    let fake = three();
    let tip = fake.verify("HEAD").unwrap();
    assert_eq!(tip.word, Word::Pass);
    fake.remove(PLAN);
    let gone = fake.commit();
    fake.write("more", "");
    fake.commit();

    // Against a trust point that has lost the plan already, nothing binds in another clone.
    fake.trust(gone);
    fake.be(2);

    assert_eq!(fake.verify("HEAD").unwrap().word, Word::NoPlan);
    let (word, codes) = said(&fake.verify("middle..HEAD").unwrap());
    assert_eq!((word, codes), (Word::Fail, vec!["plan-removed"]));
}

#[test]
fn what_is_no_range_is_refused() {
    let fake = three();

    for range in [
        "base...HEAD",
        "base..HEAD..HEAD",
        "nothing..HEAD",
        "base..nothing",
    ] {
        let (word, codes) = said(&fake.verify(range).unwrap());
        assert_eq!(
            (word, codes),
            (Word::Refused, vec!["no-revision"]),
            "{range}"
        );
    }
    assert_eq!(fake.verify("base..").unwrap().word, Word::Pass);
}
