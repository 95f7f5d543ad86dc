//! Every vector of contracts: what is read, and why not.

use std::path::{Path, PathBuf};

use super::*;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/contract")
}

#[test]
fn every_vector_gives_exactly_the_outcome_of_the_table() {
    let table = std::fs::read_to_string(directory().join("expected.tsv")).unwrap();
    let mut files = Vec::new();
    for line in table.lines().skip(1) {
        let (file, outcome) = line.split_once('\t').unwrap();
        files.push(file.to_owned());
        let bytes = std::fs::read(directory().join(file)).unwrap();

        match (read(&bytes), outcome.strip_prefix("Invalid ")) {
            (Ok(contract), None) => {
                assert_eq!((outcome, write(&contract)), ("contract", bytes), "{file}");
            }
            (Err(ContractError::NotCanonical), None) => {
                assert_eq!(outcome, "NotCanonical", "{file}");
            }
            (Err(ContractError::Invalid { first }), Some(path)) => {
                assert!(first.ends_with(&format!(" at {path}")), "{file}: {first}");
            }
            (found, _) => panic!("{file}: {outcome}, but {found:?}"),
        }
    }
    let names = std::fs::read_dir(directory())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.contains(".json")).collect();
    names.sort();
    assert_eq!(files, names);
}
