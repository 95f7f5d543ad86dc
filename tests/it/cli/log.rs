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

/// Lists the kinds that a narrowed log shows, newest first.
fn kinds<const N: usize>(world: &World, line: [&str; N]) -> Vec<String> {
    let json = world.json(line).is("OK", 0);
    let records = json.list("/records").iter();
    records
        .map(|record| record["kind"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_log_is_narrowed_by_what_records_say() {
    let world = World::sealed();
    world.run(["run"]).exits(1);
    let world = world.finished();
    let writer = world
        .json(["log"])
        .is("OK", 0)
        .text("/records/0/writer")
        .to_owned();
    let stranger = format!("SHA256:{}", "a".repeat(43));

    for (line, expected) in [
        (["log", "--kind", "seal"], vec!["seal"]),
        (["log", "--kind", "waiver"], vec![]),
        (["log", "--step", "1"], vec!["audit", "run"]),
        (["log", "--step", "7"], vec![]),
        (["log", "--outcome", "pass"], vec!["audit"]),
        (["log", "--outcome", "fail"], vec!["run"]),
        (["log", "--outcome", "unknown"], vec![]),
        (["log", "--plan", "default"], vec!["audit", "run", "seal"]),
        (
            ["log", "--since", "1 hour ago"],
            vec!["audit", "run", "seal", "instance"],
        ),
        (["log", "--since", "2999-01-01"], vec![]),
        (
            ["log", "--writer", &writer],
            vec!["audit", "run", "seal", "instance"],
        ),
        (["log", "--writer", &stranger], vec![]),
        (["log", "--max-count", "2"], vec!["audit", "run"]),
    ] {
        assert_eq!(kinds(&world, line), expected, "{line:?}");
    }
    let both = ["log", "--kind", "audit", "--kind", "seal", "--step", "1"];
    assert_eq!(kinds(&world, both), ["audit"]);
    world.json(["log", "--plan", "nothing"]).is("REFUSED", 2);
    world
        .run(["log", "--since", "yesterday"])
        .exits(129)
        .says("2 weeks ago");
    world.run(["log", "--kind", "sael"]).exits(129).says("seal");
}

#[test]
fn a_graph_goes_past_records_that_are_not_listed() {
    let world = World::sealed();
    world.run(["run"]).exits(1);
    world.write("work.txt", "good\n");
    world.run(["audit"]).exits(0);

    let json = world.json(["log", "--graph"]).is("OK", 0);
    let drawn = world.run(["log", "--graph", "--kind", "seal", "--kind", "audit"]);

    let records = json.list("/records");
    let graph = json.at("/graph").as_object().unwrap().clone();
    assert_eq!(graph.len(), records.len());
    let audit = records[0]["id"].as_str().unwrap();
    assert_eq!(graph[audit], records[0]["prev"], "{}", json.ran);
    let lines: Vec<&str> = drawn.stdout.lines().collect();
    let [first, between, last] = lines.as_slice() else {
        panic!("{drawn}");
    };
    assert!(
        first.starts_with("*  ") && first.contains(" audit "),
        "{drawn}"
    );
    assert_eq!(between.trim(), ".", "{drawn}");
    assert!(
        last.starts_with("*  ") && last.contains(" seal "),
        "{drawn}"
    );
}
