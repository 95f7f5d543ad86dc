//! Every vector of supervisor.json: what is read, and what is wrong.

use std::path::{Path, PathBuf};

use super::*;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/supervisor")
}

/// Writes settings in the words of the table: profile, ledger, flags, attempts.
fn shown(settings: &Supervisor) -> String {
    let ledger = settings
        .ledger
        .map_or("-".to_owned(), |ledger| ledger.to_string());
    let flags: Vec<&str> = settings
        .allow_flags
        .iter()
        .map(|flag| flag.as_str())
        .collect();
    let flags = if flags.is_empty() {
        "-".to_owned()
    } else {
        flags.join(",")
    };
    let attempts = settings.max_attempts;
    format!("{} {ledger} {flags} {attempts}", settings.profile)
}

/// Writes what is wrong in the words of the table: line, column, message.
fn told(wrong: &Wrong) -> String {
    let place = wrong.place.as_ref();
    let place = place.map_or("-".to_owned(), |place| {
        format!("{}:{}", place.line, place.column)
    });
    format!("{place} {}", wrong.message)
}

#[test]
fn every_vector_gives_exactly_the_outcome_of_the_table() {
    let table = std::fs::read_to_string(directory().join("expected.tsv")).unwrap();
    let mut files = Vec::new();
    for line in table.lines().skip(1) {
        let (file, outcome) = line.split_once('\t').unwrap();
        files.push(file.to_owned());

        let found = read(&std::fs::read(directory().join(file)).unwrap());

        assert_eq!(found.is_ok(), file.starts_with("valid-"), "{file}");
        assert_eq!(
            found.map_or_else(|wrong| told(&wrong), |settings| shown(&settings)),
            outcome,
            "{file}"
        );
    }
    let names = std::fs::read_dir(directory())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.contains(".json")).collect();
    names.sort();
    assert_eq!(files, names);
}

#[test]
fn a_file_beyond_the_bound_is_not_read() {
    let mut bytes = b"{}".to_vec();
    bytes.resize(strict::MAX_BYTES, b' ');
    assert!(read(&bytes).is_ok());

    bytes.push(b' ');

    assert!(
        read(&bytes)
            .unwrap_err()
            .message
            .contains("at most 2000000")
    );
}
