//! `log`: the records, newest first.

use crate::support::World;

#[test]
fn every_record_is_listed_once() {
    let world = World::proven();

    let json = world.json(["log"]).is("OK", 0);

    let kinds: Vec<_> = json
        .list("/records")
        .iter()
        .map(|record| record["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["audit", "seal", "instance"]);
    assert!(
        json.list("/records")
            .iter()
            .all(|record| record["authenticated"] == true)
    );
}

#[test]
fn a_revision_selects_the_records_of_its_tree() {
    let world = World::proven();
    world.commit("work.txt", "worse\n");

    let proven = world.json(["log", "HEAD^"]).is("OK", 0);
    let unproven = world.json(["log", "HEAD"]).is("OK", 0);

    let has_audit = |json: &crate::support::Json| {
        json.list("/records")
            .iter()
            .any(|record| record["kind"] == "audit")
    };
    assert!(has_audit(&proven), "{}", proven.ran);
    assert!(!has_audit(&unproven), "{}", unproven.ran);
}

#[test]
fn noise_is_shown_as_what_it_is() {
    let world = World::proven();
    let line = world.record("audit");
    let forged = line
        .text
        .replace("\"kind\":\"audit\"", "\"kind\":\"audlt\"");
    world.add_line(&line.target, &forged);

    let json = world.json(["log"]).is("OK", 0);

    let known = json
        .list("/records")
        .iter()
        .filter(|record| record["authenticated"] == true);
    assert_eq!(known.count(), 3, "{}", json.ran);
}

#[test]
fn an_empty_ledger_is_no_error() {
    let json = World::new().json(["log"]).is("OK", 0);

    assert!(json.list("/records").is_empty());
}
