//! Tests of the plan reader: every vector, every row of the table, and what mutation cannot break.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use proptest::prelude::*;

use super::*;
use crate::model::check::{Check, DEFAULT_TIMEOUT_MS};
use crate::model::contract::Priority;
use crate::model::finding::Place;
use crate::wire::contract;

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/plan")
}

fn read_bytes(bytes: &[u8]) -> Reading {
    read(&PlanName::default_plan(), ".plan-auditor/plan.json", bytes)
}

fn vector(file: &str) -> Vec<u8> {
    std::fs::read(directory().join(file)).unwrap()
}

/// Code, line, column and JSON path of a finding.
type Expected = (String, usize, usize, String);

fn expected() -> BTreeMap<String, BTreeSet<Expected>> {
    let table = String::from_utf8(vector("expected.tsv")).unwrap();
    let mut by_file: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [file, code, line, column, path] = cells.as_slice() else {
            panic!("{line}")
        };
        let number = |cell: &str| cell.parse().unwrap();
        let row = (
            String::from(*code),
            number(line),
            number(column),
            String::from(*path),
        );
        by_file.entry(String::from(*file)).or_default().insert(row);
    }
    by_file
}

fn found(findings: &[Finding]) -> BTreeSet<Expected> {
    let row = |finding: &Finding| {
        let place = finding.place.as_ref().unwrap();
        (
            finding.row.code.to_owned(),
            place.line,
            place.column,
            place.json_path.clone(),
        )
    };
    findings.iter().map(row).collect()
}

/// Returns the vectors by name, also the one that is too large to be kept.
fn vectors() -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(directory()).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let json = names.filter(|name| name.contains(".json"));
    let mut vectors: BTreeMap<_, _> = json.map(|name| (name.clone(), vector(&name))).collect();
    vectors.insert("refused-too-large.json".to_owned(), vec![b' '; 2_000_001]);
    vectors
}

#[test]
fn every_vector_gives_exactly_the_findings_of_the_table() {
    let mut expected = expected();
    for (name, bytes) in vectors() {
        let reading = read_bytes(&bytes);

        let findings = found(&reading.findings);
        assert_eq!(
            findings,
            expected.remove(&name).unwrap_or_default(),
            "{name}"
        );
        assert_eq!(
            findings.len(),
            reading.findings.len(),
            "{name} has a finding twice"
        );
        assert_eq!(
            reading.contract.is_some(),
            name.starts_with("valid-"),
            "{name}"
        );
    }
    assert_eq!(expected, BTreeMap::new(), "rows without a vector");
}

#[test]
fn every_row_of_the_table_has_a_vector() {
    let found: BTreeSet<String> = expected()
        .into_values()
        .flatten()
        .map(|(code, ..)| code)
        .collect();
    for row in crate::model::finding::plan::ALL {
        assert!(found.contains(row.code), "no vector for {}", row.code);
    }
}

#[test]
fn twenty_defects_give_twenty_findings_in_the_order_of_the_text() {
    let findings = read_bytes(&vector("refused-twenty-defects.json")).findings;

    assert_eq!(findings.len(), 20);
    let starts: Vec<_> = findings
        .iter()
        .map(|f| f.place.as_ref().unwrap().start)
        .collect();
    assert!(starts.is_sorted());
}

#[test]
fn findings_name_the_plan_and_the_step() {
    let name = PlanName::parse("other").unwrap();

    let reading = read(&name, "p.json", &vector("refused-requires-undeclared.json"));

    let finding = &reading.findings[0];
    assert_eq!(
        (finding.plan.as_ref(), finding.step),
        (Some(&name), Some(2))
    );
    assert_eq!(finding.place.as_ref().unwrap().path, "p.json");
}

#[test]
fn the_mark_covers_the_value() {
    let bytes = vector("refused-priority-unknown.json");
    let Reading { findings, .. } = read_bytes(&bytes);

    let Place { start, end, .. } = *findings[0].place.as_ref().unwrap();
    assert_eq!(&bytes[start..end], b"\"high\"");
}

#[test]
fn typing_errors_get_a_suggestion() {
    let finding = &read_bytes(&vector("refused-step-unknown-key.json")).findings[0];

    assert_eq!(finding.hint.as_deref(), Some("did you mean `depends_on`?"));
}

#[test]
fn foreign_text_in_messages_is_escaped_and_cut() {
    let text = format!("{{\"\\u001b[2J{}\": 1}}", "x".repeat(100_000));
    for finding in read_bytes(text.as_bytes()).findings {
        let place = finding.place.unwrap();
        assert!(!finding.message.contains('\u{1b}') && !place.json_path.contains('\u{1b}'));
        assert!(finding.message.len() < 200 && place.json_path.len() < 200);
    }
}

#[test]
fn a_plan_at_the_bound_of_size_is_read() {
    let mut bytes = vector("valid-smallest.json");
    bytes.resize(strict::MAX_BYTES, b' ');
    assert!(read_bytes(&bytes).contract.is_some());

    bytes.push(b' ');

    assert!(read_bytes(&bytes).contract.is_none());
}

#[test]
fn a_plan_without_dependencies_is_sequential() {
    let contract = read_bytes(&vector("valid-fib.json")).contract.unwrap();

    let depends_on: Vec<_> = contract
        .steps
        .iter()
        .map(|step| step.depends_on.clone())
        .collect();
    assert_eq!(depends_on, [vec![], vec![1]]);
    let ids: Vec<_> = contract
        .requirements
        .iter()
        .map(|r| r.id.as_str())
        .collect();
    assert_eq!(ids, ["REQ-001", "REQ-002"]);
}

#[test]
fn ids_are_trimmed_and_priorities_have_no_case() {
    let contract = read_bytes(&vector("valid-skill.json")).contract.unwrap();

    assert_eq!(contract.requirements[0].id, "settings-file");
    assert_eq!(contract.requirements[1].priority, Priority::Should);
    assert_eq!(contract.steps[1].covers, ["defaults"]);
}

#[test]
fn checks_are_brought_into_normal_form() {
    let contract = read_bytes(&vector("valid-every-feature.json"))
        .contract
        .unwrap();

    let checks = &contract.steps[0].verify;
    let Check::Run { argv, limits } = &checks[1] else {
        panic!()
    };
    assert_eq!(argv, &["make", "a b", "c d", "e f", "#g"]);
    assert_eq!((limits.timeout_ms, limits.expect_exit), (86_400_000, 255));
    let Check::Run { limits, .. } = &checks[0] else {
        panic!()
    };
    assert_eq!((limits.timeout_ms, limits.expect_exit), (1, -9));
    let Check::Pytest { args, limits } = &checks[2] else {
        panic!()
    };
    assert_eq!((args.len(), limits.timeout_ms), (0, DEFAULT_TIMEOUT_MS));
}

#[test]
fn a_plan_with_very_many_steps_is_read_in_bounds() {
    let step = |id: usize| {
        format!(
            r#"{{"id":{id},"title":"x","outputs":[{{"name":"o","verify":[{{"type":"file_exists","path":"a"}}]}}],"requires_outputs":[{{"step":1,"name":"o"}}],"verify":[{{"type":"run","argv":["a"]}}]}}"#
        )
    };
    let first = step(1).replace(r#"{"step":1,"name":"o"}"#, "");
    let steps: Vec<_> = std::iter::once(first)
        .chain((2..11_000).map(step))
        .collect();
    let plan = format!(
        r#"{{"task":"x","created":"2026-11-29","steps":[{}]}}"#,
        steps.join(",")
    );

    let contract = read_bytes(plan.as_bytes()).contract.unwrap();

    assert_eq!(contract.steps.len(), 10_999);
}

/// Writes a value with its members in another order and with other white space.
fn respelt(value: &serde_json::Value, order: u64, into: &mut String) {
    match value {
        serde_json::Value::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            let length = u64::try_from(members.len()).unwrap().max(1);
            members.rotate_left(usize::try_from(order % length).unwrap());
            if order % 2 == 1 {
                members.reverse();
            }
            into.push('{');
            for (index, (key, value)) in members.into_iter().enumerate() {
                into.push_str(if index == 0 { "\n" } else { " ,\t" });
                into.push_str(&serde_json::Value::String(key.clone()).to_string());
                into.push_str(" : ");
                respelt(value, order / 3, into);
            }
            into.push_str("\r\n}");
        }
        serde_json::Value::Array(items) => {
            into.push('[');
            for (index, item) in items.iter().enumerate() {
                into.push_str(if index == 0 { " " } else { "," });
                respelt(item, order / 3, into);
            }
            into.push(']');
        }
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => into.push_str(&value.to_string()),
    }
}

fn valid() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "valid-fib.json",
        "valid-quick-start.json",
        "valid-skill.json",
        "valid-smallest.json",
    ])
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_bytes(&bytes);
    }

    #[test]
    fn no_mutation_of_a_plan_makes_the_reader_panic(
        cuts in proptest::collection::vec((any::<prop::sample::Index>(), 0..6_usize, "[\\[\\]{}\",:0-9a-z ]{0,3}"), 1..6)
    ) {
        let mut text = String::from_utf8(vector("valid-every-feature.json")).unwrap();
        for (at, length, put) in cuts {
            let starts: Vec<_> = text.char_indices().map(|(start, _)| start).collect();
            let first = at.index(starts.len().max(1));
            let start = starts.get(first).copied().unwrap_or(0);
            let end = starts.get(first + length).copied().unwrap_or(text.len());
            text.replace_range(start..end, &put);
        }

        let reading = read_bytes(text.as_bytes());

        for finding in &reading.findings {
            let place = finding.place.as_ref().unwrap();
            prop_assert!(text.get(place.start..place.end).is_some());
        }
        if let Some(read) = reading.contract {
            let bytes = contract::write(&read);
            prop_assert_eq!(contract::read(&bytes), Ok(read));
        }
    }

    #[test]
    fn order_of_keys_and_white_space_do_not_change_the_digest(name in valid(), order in any::<u64>()) {
        let bytes = vector(name);
        let digest = |bytes: &[u8]| {
            contract::digest(&contract::write(&read_bytes(bytes).contract.unwrap()))
        };
        let value: serde_json::Value = std::str::from_utf8(&bytes).unwrap().parse().unwrap();

        let mut other = String::new();
        respelt(&value, order, &mut other);

        prop_assert_eq!(digest(other.as_bytes()), digest(&bytes));
    }
}
