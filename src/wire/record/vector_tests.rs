//! Every vector of records and bodies: what is read, and why not.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::*;
use crate::model::record::{Kind, Role};
use crate::model::state::Flag;
use crate::wire::body;

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/record")
}

/// Returns what the table expects of each file.
fn expected() -> BTreeMap<String, String> {
    let table = std::fs::read_to_string(directory().join("expected.tsv")).unwrap();
    let rows = table
        .lines()
        .skip(1)
        .map(|line| line.split_once('\t').unwrap());
    rows.map(|(file, outcome)| (file.to_owned(), outcome.to_owned()))
        .collect()
}

/// Lists the vectors of the folder, and of `steps/` and `pins/` below it.
fn files() -> Vec<String> {
    let mut found = Vec::new();
    for folder in ["", "steps/", "pins/"] {
        for entry in std::fs::read_dir(directory().join(folder)).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            found.extend(name.contains(".json").then(|| format!("{folder}{name}")));
        }
    }
    found.sort();
    found
}

/// Returns the bytes of a vector; a line without its newline.
fn vector(file: &str) -> Vec<u8> {
    let bytes = std::fs::read(directory().join(file)).unwrap();
    let line = bytes.strip_suffix(b"\n").filter(|_| !is_blob(file));
    line.map(<[u8]>::to_vec).unwrap_or(bytes)
}

/// Says whether a vector is a blob beside a line.
fn is_blob(file: &str) -> bool {
    file.starts_with("steps/") || file.starts_with("pins/")
}

/// Says in the table's words what becomes of a vector.
fn outcome(file: &str) -> String {
    let bytes = vector(file);
    if file.starts_with("steps/") {
        let read = body::read_steps(&bytes);
        return read.map_or("NotABody", |_| "steps").to_owned();
    }
    if file.starts_with("pins/") {
        let read = body::read_pins(&bytes);
        return read.map_or("NotABody", |_| "pins").to_owned();
    }
    match parse(&bytes) {
        Ok(Line::Record(record)) if has_body(&record) => "record".to_owned(),
        Ok(Line::Record(_)) => "NotABody".to_owned(),
        Ok(Line::Newer(_)) => "newer".to_owned(),
        Ok(Line::Continues(_)) => "continues".to_owned(),
        Err(why) => format!("{why:?}"),
    }
}

/// Says whether a record of a kind that this version writes has a body of that kind.
fn has_body(record: &Record) -> bool {
    match Kind::parse(&record.header.kind) {
        Some(Kind::Instance) => body::read_instance(&record.body).is_ok(),
        Some(Kind::Seal) => body::read_seal(&record.body).is_ok(),
        Some(Kind::Claims) => body::read_claims(&record.body).is_ok(),
        Some(Kind::Close) => body::read_close(&record.body).is_ok(),
        Some(Kind::Audit) => body::read_audit(&record.body).is_ok(),
        Some(Kind::Run) => body::read_run(&record.body).is_ok(),
        Some(Kind::Review) => body::read_review(&record.body).is_ok(),
        Some(Kind::Revoke) => body::read_revoke(&record.body).is_ok(),
        Some(_) | None => true,
    }
}

#[test]
fn the_vector_of_every_flag_has_every_flag() {
    let Ok(Line::Record(record)) = parse(&vector("valid-audit-every-flag.json")) else {
        panic!("no record");
    };

    let flags = body::read_audit(&record.body).unwrap().before.flags;

    let all = Flag::TABLE.map(|(flag, ..)| flag);
    assert!(flags.into_keys().eq(all));
}

#[test]
fn every_vector_gives_exactly_the_outcome_of_the_table() {
    let mut expected = expected();
    for file in files() {
        let found = outcome(&file);

        let is_refused = found.starts_with(char::is_uppercase);
        assert_eq!(is_refused, file.contains("refused-"), "{file}: {found}");
        assert_eq!(expected.remove(&file), Some(found), "{file}");
    }
    assert_eq!(expected, BTreeMap::new(), "rows without a vector");
}

#[test]
fn every_reason_has_a_vector() {
    let reasons: Vec<String> = expected().into_values().collect();
    for reason in [
        Malformed::TooLong,
        Malformed::NotUtf8,
        Malformed::NoId,
        Malformed::WrongId,
        Malformed::NoProof,
        Malformed::NotARecord,
    ] {
        assert!(reasons.contains(&format!("{reason:?}")), "{reason:?}");
    }
    assert!(reasons.contains(&format!("{:?}", body::NotABody)));
}

#[test]
fn valid_vectors_are_written_again_byte_for_byte() {
    for file in files() {
        if let Ok(Line::Record(record)) = parse(&vector(&file)) {
            let draft = Draft::new(&record.header, &record.body);
            assert_eq!(
                draft.line(&record.proof).as_bytes(),
                vector(&file),
                "{file}"
            );
        }
    }
}

#[test]
fn the_proofs_of_vectors_hold() {
    let mut keyring = crate::trust::keyring::Keyring::default();
    keyring.add(vec![7; 32]);
    for file in [
        "valid-proof-hmac.json",
        "valid-proof-sshsig.json",
        "valid-audit.json",
    ] {
        let Ok(Line::Record(record)) = parse(&vector(file)) else {
            panic!("{file}")
        };
        let writer = &record.header.writer;
        let role = keyring.role(writer, &record.id, &record.proof);
        assert_eq!(role, Some(Role::Record), "{file}");
    }
}
