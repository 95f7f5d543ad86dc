//! `revoke`: what a trusted key takes back no longer counts, and nothing else does.

use crate::support::{Key, Parts, Proof, World, plans};

/// Returns the id of the last record of a kind.
fn id(world: &World, kind: &str) -> String {
    Parts::of(&world.record(kind).text).id().to_owned()
}

#[test]
fn a_record_that_is_taken_back_proves_nothing_and_is_told() {
    for proof in Proof::ALL {
        let world = World::with(crate::support::Layout::Main, proof)
            .prepared(&plans::good())
            .finished();
        let audit = id(&world, "audit");

        let json = world.json(["revoke", "--record", &audit, "--reason", "broken disk"]);
        let json = json.is("OK", 0);
        assert_eq!(json.text("/revoked/record"), audit);
        assert_eq!(json.at("/already"), false);

        let verdict = world.json(["verify", "HEAD"]).is("FAIL", 1);
        assert!(
            verdict.codes().contains(&"ledger-revoked"),
            "{}",
            verdict.ran
        );
        world.run(["verify", "HEAD"]).exits(1).says("broken disk");
        let again = world.json(["revoke", "--record", &audit, "--reason", "again"]);
        assert_eq!(again.is("OK", 0).at("/already"), true);
        // It is no end: what is audited anew counts.
        world.json(["audit"]).is("PASS", 0);
        world.json(["verify", "HEAD"]).is("PASS", 0);
        world.json(["fsck"]).is("OK", 0);
    }
}

#[test]
fn a_revocation_that_is_removed_is_doubt_and_no_pass() {
    let (world, _) = World::owned();
    let (audit, before) = (id(&world, "audit"), world.lines());
    world
        .json(["revoke", "--record", &audit, "--reason", "broken disk"])
        .is("OK", 0);
    world.json(["verify", "HEAD"]).is("FAIL", 1);
    let target = world.record("revoke").target;

    let text = crate::support::note_of(&before, &target);
    let blob = world.blob(&text);
    if text.is_empty() {
        world.git(["notes", "--ref=plan-audit", "remove", &target]);
    } else {
        world.hang(&blob, &target);
    }
    world.forget();

    let json = world.json(["verify", "HEAD"]).is("UNKNOWN", 3);
    assert!(json.codes().contains(&"ledger-removed"), "{}", json.ran);
}

#[test]
fn a_key_that_leaked_counts_as_far_as_its_owner_says() {
    let (world, key) = World::owned();
    let last = id(&world, "audit");
    let writer = key.writer(&world);
    // Whoever stole the key proves what is not so, later in its chain.
    world.commit("work.txt", "evil\n");
    let honest = world.record("audit");
    let good = world.rev("HEAD^^{tree}");
    let good = if honest.text.contains(&good) {
        good
    } else {
        world.rev("HEAD^{tree}")
    };
    let parts = Parts::of(&honest.text);
    let body = parts.get("body").replace(&good, &world.rev("HEAD^{tree}"));
    let forged = Parts::of(&honest.text)
        .with("prev", format!("[\"{last}\"]"))
        .with("body", body)
        .with_true_id()
        .signed(&world, &key);
    world.add_line(&honest.target, &forged.line());
    world.json(["verify", "HEAD"]).is("PASS", 0);
    world.forget();
    let other = Key::make(&world, "other");
    world
        .run(["init", "--no-hooks", "--key", other.path()])
        .exits(0);

    world
        .json([
            "revoke", "--key", &writer, "--last", &last, "--reason", "leaked",
        ])
        .is("OK", 0);

    world.json(["verify", "HEAD"]).is("FAIL", 1);
    world.json(["verify", "HEAD^"]).is("PASS", 0);
    world
        .json([
            "revoke",
            "--key",
            &writer,
            "--all",
            "--reason",
            "it was never ours",
        ])
        .is("OK", 0);
    assert_ne!(world.json(["verify", "HEAD^"]).ran.code, 0);
}

#[test]
fn a_clone_whose_own_key_is_taken_back_is_told_so_and_goes_on_with_another() {
    let (world, key) = World::owned();
    let (seal, audit) = (id(&world, "seal"), id(&world, "audit"));
    let writer = key.writer(&world);
    world
        .json([
            "revoke", "--key", &writer, "--last", &seal, "--reason", "leaked",
        ])
        .is("OK", 0);
    world.commit("more.txt", "more\n");

    let audited = world.json(["audit"]).is("PASS", 0);
    assert_eq!(audited.at("/plans/default/usable"), false);
    for said in [&audited, &world.json(["status"]), &world.json(["doctor"])] {
        assert!(said.codes().contains(&"key-revoked"), "{}", said.ran);
    }
    let refused = world.json(["revoke", "--record", &audit, "--reason", "x"]);
    let refused = refused.is("REFUSED", 2);
    assert_eq!(refused.codes(), ["key-revoked"]);

    let other = Key::make(&world, "other");
    world
        .run(["init", "--no-hooks", "--key", other.path()])
        .exits(0);
    world.json(["audit"]).is("PASS", 0);
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_key_that_nobody_has_is_not_taken_back() {
    let world = World::proven();
    let nobody = format!("ssh:SHA256:{}", "A".repeat(43));

    let json = world.json(["revoke", "--key", &nobody, "--all", "--reason", "leaked"]);

    assert_eq!(json.is("REFUSED", 2).codes(), ["key-unknown"]);
}

#[test]
fn where_somebody_may_approve_nobody_else_takes_anything_back() {
    let world = World::new();
    let worker = Key::make(&world, "worker");
    let boss = Key::make(&world, "boss");
    let list = format!(
        "{}boss@example.com namespaces=\"git-plan-audit,git-plan-audit-approve\" {}\n",
        worker.signers(),
        boss.public()
    );
    world.commit(".plan-auditor/allowed_signers", list);
    world.git(["update-ref", "refs/remotes/origin/main", "HEAD"]);
    world.git([
        "symbolic-ref",
        "refs/remotes/origin/HEAD",
        "refs/remotes/origin/main",
    ]);
    world
        .run(["init", "--no-hooks", "--key", worker.path()])
        .exits(0);
    let world = world.prepared(&plans::good()).finished();
    let audit = id(&world, "audit");

    let refused = world.json(["revoke", "--record", &audit, "--reason", "x"]);
    assert!(refused.is("REFUSED", 2).codes().contains(&"cannot-approve"));
    let refused = world.json(["revoke", "--record", &audit, "--reason", "x", "--approve"]);
    assert!(refused.is("REFUSED", 2).codes().contains(&"cannot-approve"));
    world.json(["verify", "HEAD"]).is("PASS", 0);

    world
        .run(["init", "--no-hooks", "--key", boss.path()])
        .exits(0);
    world
        .json(["revoke", "--record", &audit, "--reason", "x", "--approve"])
        .is("OK", 0);
    world.json(["verify", "HEAD"]).is("FAIL", 1);
}

#[test]
fn what_cannot_be_told_is_refused() {
    let world = World::proven();

    for id in ["0123456789ab", "", "nonsense"] {
        let json = world.json(["revoke", "--record", id, "--reason", "x"]);
        assert!(json.is("REFUSED", 2).codes().contains(&"unknown-record"));
    }
    for line in [
        vec!["revoke", "--reason", "x"],
        vec!["revoke", "--record", "0123"],
        vec!["revoke", "--key", "ada", "--all", "--reason", "x"],
        vec!["revoke", "--key", "hmac:0123456789abcdef", "--reason", "x"],
        vec![
            "revoke", "--record", "0123", "--last", "0123", "--reason", "x",
        ],
        vec!["revoke", "--record", "0123", "--reason", " "],
    ] {
        world.run(line).exits(129);
    }
}
