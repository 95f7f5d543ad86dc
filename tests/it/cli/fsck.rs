//! `fsck`: the whole ledger, each finding with what ends it.

use std::fs;

use crate::support::{Json, Parts, Proof, World, plans};

/// Returns what is said of a record.
fn proof_of(json: &Json, id: &str) -> String {
    let records = json.list("/records").iter();
    let mut own = records.filter(|record| record["id"] == id);
    let record = own.next().unwrap_or_else(|| panic!("{}", json.ran));
    record["proof"].as_str().unwrap().to_owned()
}

/// Demands that every finding that does something names what ends it.
#[track_caller]
fn names_remedies(json: &Json) {
    for finding in json.list("/findings") {
        let is_felt = finding["effect"] != "none";
        assert!(!is_felt || finding["hint"].is_string(), "{finding}");
    }
}

/// Demands a finding, and returns what it says.
#[track_caller]
fn says(json: &Json, code: &str) -> String {
    names_remedies(json);
    let mut all = json.list("/findings").iter();
    let found = all.find(|finding| finding["code"] == code);
    let found = found.unwrap_or_else(|| panic!("no {code}: {}", json.ran));
    found["message"].as_str().unwrap().to_owned()
}

#[test]
fn a_ledger_in_order_is_ok_and_lists_every_record() {
    for proof in Proof::ALL {
        let world = World::with(crate::support::Layout::Main, proof)
            .prepared(&plans::good())
            .finished();

        let json = world.json(["fsck"]).is("OK", 0);

        let kinds = json.list("/records").iter().map(|record| {
            assert!(
                record["proof"] == "ok" && record["authenticated"] == true,
                "{record}"
            );
            record["kind"].as_str().unwrap().to_owned()
        });
        let mut kinds: Vec<String> = kinds.collect();
        kinds.sort();
        assert_eq!(kinds, ["audit", "instance", "seal"]);
        assert_eq!(json.text("/ledger/tip"), world.rev("refs/notes/plan-audit"));
        assert_eq!(json.list("/ledger/heads").len(), 1);
        assert_eq!(json.at("/ledger/records"), 3);
    }
}

#[test]
fn an_empty_ledger_is_ok() {
    let json = World::new().json(["fsck"]).is("OK", 0);

    assert!(json.list("/records").is_empty() && json.at("/ledger/tip").is_null());
}

#[test]
fn a_removed_record_is_doubt_whatever_tree_it_speaks_of() {
    let world = World::proven();
    let target = world.record("audit").target;
    world.commit("work.txt", "other\n");
    world.json(["verify", "HEAD"]).is("FAIL", 1);
    let kept = world.lines().into_iter();
    let without = kept.filter(|line| !line.text.contains("\"kind\":\"audit\""));
    let text = crate::support::note_of(&without.collect::<Vec<_>>(), &target);
    let blob = world.blob(&text);
    world.hang(&blob, &target);

    let json = world.json(["fsck"]).is("UNKNOWN", 3);

    assert!(
        says(&json, "ledger-removed").contains("audit"),
        "{}",
        json.ran
    );
    says(&json, "ledger-rolled-back");
    world.run(["audit"]);
    world.json(["fsck"]).is("OK", 0);
}

#[test]
fn noise_is_counted_and_is_no_fault() {
    let world = World::proven();
    let line = world.record("audit");
    let forged = Parts::of(&line.text).with("time", "\"2001-01-01T00:00:00Z\"");
    let forged = forged.with_true_id();
    world.add_line(&line.target, &forged.line());
    world.add_line(&line.target, "x");
    world.add_line(&world.rev("HEAD"), &line.text);

    let json = world.json(["fsck"]).is("OK", 0);

    assert_eq!(proof_of(&json, forged.id()), "BAD");
    assert_eq!(proof_of(&json, Parts::of(&line.text).id()), "ok");
    for (count, place) in [
        (3, "/ledger/records"),
        (1, "/ledger/unproven"),
        (1, "/ledger/moved"),
        (1, "/ledger/malformed"),
    ] {
        assert_eq!(json.at(place), count, "{place}: {}", json.ran);
    }
}

#[test]
fn what_does_not_count_is_a_failure() {
    let (world, key) = World::owned();
    let line = world.record("audit");
    let twice = Parts::of(&line.text).with("time", "\"2001-01-01T00:00:00Z\"");
    let twice = twice.with_true_id().signed(&world, &key);
    world.add_line(&line.target, &twice.line());

    let json = world.json(["fsck"]).is("FAIL", 1);

    says(&json, "ledger-fork");
    assert_eq!(proof_of(&json, twice.id()), "ok");
    assert_eq!(json.at("/ledger/records"), 2);
}

#[test]
fn a_kept_blob_is_looked_at() {
    let world = World::proven();
    let seal = world.record("seal");
    let (_, rest) = seal.text.split_once("\"blob\":\"").unwrap();
    let blob: String = rest.chars().take_while(|c| *c != '"').collect();

    world.git(["notes", "--ref=plan-audit", "remove", &blob]);
    let loose = world.json(["fsck"]).is("OK", 0);
    let said = says(&loose, "ledger-kept-loose");
    assert!(said.contains(&blob), "{said}");
    let hints = loose.list("/findings").iter();
    let hint = hints.filter_map(|each| each["hint"].as_str());
    let mut hint = hint.filter(|hint| hint.contains(&blob));
    let hint: Vec<&str> = hint.next().unwrap().split(' ').skip(1).collect();
    world.git(hint);
    assert!(world.json(["fsck"]).is("OK", 0).codes().is_empty());

    let object = world.top.join(format!(
        ".git/objects/{}/{}",
        blob.split_at(2).0,
        blob.split_at(2).1
    ));
    fs::remove_file(object).unwrap();
    let gone = world.json(["fsck"]).is("UNKNOWN", 3);
    says(&gone, "ledger-missing");
}

#[test]
fn what_lies_in_the_tree_and_is_no_note_is_named() {
    let world = World::proven();
    let blob = world.blob("x");
    let listing = world.git(["ls-tree", "refs/notes/plan-audit"]).stdout;
    let listing = format!("{listing}120000 blob {blob}\tREADME\n");
    let tree = world.git_with_input(["mktree"], &listing).trimmed();
    let tip = world.rev("refs/notes/plan-audit");
    let commit = world.git(["commit-tree", "-m", "x", "-p", &tip, &tree]);
    world.git(["update-ref", "refs/notes/plan-audit", &commit.trimmed()]);

    let json = world.json(["fsck"]).is("OK", 0);

    assert!(
        says(&json, "ledger-stray").contains("README"),
        "{}",
        json.ran
    );
}

#[test]
fn what_waits_and_what_is_in_the_way_is_told() {
    let world = World::proven();
    let lock = world.top.join(".git/refs/notes/plan-audit.lock");
    fs::write(&lock, "").unwrap();

    let locked = world.json(["fsck"]).is("OK", 0);
    says(&locked, "ledger-locked");
    fs::remove_file(&lock).unwrap();
    assert!(world.json(["fsck"]).is("OK", 0).codes().is_empty());

    let pending = world.top.join(".git/plan-audit/pending");
    fs::create_dir_all(&pending).unwrap();
    fs::write(pending.join("000000-0000000000000000.json"), "x").unwrap();
    let waiting = world.json(["fsck"]).is("OK", 0);
    says(&waiting, "ledger-waiting-unreadable");
}

#[test]
fn the_text_ends_with_what_it_comes_to() {
    let good = World::proven().run(["fsck"]).exits(0);
    assert!(
        good.stdout
            .ends_with("OK: nothing is wrong with the ledger\n"),
        "{good}"
    );
    assert!(good.stdout.contains("records 3 count; 0 of keys"), "{good}");

    let world = World::proven();
    world.git(["update-ref", "-d", "refs/notes/plan-audit"]);
    let gone = world.run(["fsck"]).exits(3);

    assert!(
        gone.stdout.ends_with("UNKNOWN: 1 finding with an effect\n"),
        "{gone}"
    );
    assert!(gone.stdout.contains("ledger-rolled-back"), "{gone}");
}
