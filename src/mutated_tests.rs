//! Mutations of every vector, given to every reader of foreign bytes: none panics, none takes long,
//! and none takes for true what nobody wrote.
//!
//! `docs/reference/testing.md` names the command for a long run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;

use crate::git::parameters;
use crate::ledger::judged::Ledger;
use crate::ledger::memory::Memory;
use crate::ledger::reading;
use crate::ledger::testing::{Pen, audit_body, instance_body, object, seal_body, trust};
use crate::local::vector_tests::Files;
use crate::model::ids::{Digest, PlanName};
use crate::model::record::{Kind, Record};
use crate::trust::sshsig::{RECORD, verify};
use crate::trust::{allowed_signers, signers::Source};
use crate::wire::digest::{Label, labelled};
use crate::wire::record::{Draft, Line, parse};
use crate::wire::{body, contract, plan, supervisor};

/// What every run tries at least, whatever the usual number is.
const LEAST: u32 = 1000;

/// How long one reading may take; a hang takes longer on any machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Pieces of text at which readers may stumble.
const WORDS: [&str; 30] = [
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "{",
    "}",
    "[[[[[[[[",
    "]",
    ":",
    ",",
    "\n",
    "\r\n",
    "\0",
    "\u{feff}",
    "-0",
    "1e999",
    "9007199254740993",
    "18446744073709551616",
    "null",
    "true",
    "\"v\":2,",
    ",\"id\":\"",
    "\",\"proof\":{",
    "{\"continues\":\"",
    "'",
    "!",
    "#",
    "*,",
    "cert-authority ",
    "namespaces=\"*,git-plan-audit-approve\" ",
];

/// One change of bytes.
#[derive(Clone, Debug)]
enum Edit {
    Flip(Index, u8),
    Byte(Index, u8),
    Cut(Index, usize),
    Repeat(Index, usize, usize),
    Word(Index, &'static str),
    /// A piece of another vector.
    Graft(Index, Index, Index, usize),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = any::<Index>;
    let edit = prop_oneof![
        (at(), 0..8_u8).prop_map(|(at, bit)| Edit::Flip(at, bit)),
        (at(), any::<u8>()).prop_map(|(at, byte)| Edit::Byte(at, byte)),
        (at(), 1..40_usize).prop_map(|(at, length)| Edit::Cut(at, length)),
        (at(), 1..40_usize, 1..20_usize).prop_map(|(at, length, n)| Edit::Repeat(at, length, n)),
        (at(), prop::sample::select(WORDS.as_slice())).prop_map(|(at, word)| Edit::Word(at, word)),
        (at(), at(), at(), 1..80_usize).prop_map(|(at, f, from, n)| Edit::Graft(at, f, from, n)),
    ];
    proptest::collection::vec(edit, 1..6)
}

/// Makes one change.
fn edit(bytes: &mut Vec<u8>, edit: &Edit, corpus: &[Vec<u8>]) {
    let place = |at: &Index| at.index(bytes.len() + 1);
    let end = |start: usize, length: usize| bytes.len().min(start + length);
    match edit {
        Edit::Flip(at, bit) => {
            let place = place(at);
            bytes
                .get_mut(place)
                .into_iter()
                .for_each(|byte| *byte ^= 1 << bit);
        }
        Edit::Byte(at, byte) => bytes.insert(place(at), *byte),
        Edit::Cut(at, length) => {
            let start = place(at);
            drop(bytes.drain(start..end(start, *length)));
        }
        Edit::Repeat(at, length, count) => {
            let start = place(at);
            let piece = bytes[start..end(start, *length)].repeat(*count);
            drop(bytes.splice(start..start, piece));
        }
        Edit::Word(at, word) => {
            let start = place(at);
            drop(bytes.splice(start..start, word.bytes()));
        }
        Edit::Graft(at, file, from, length) => {
            let start = place(at);
            let other = file.get(corpus);
            let from = from.index(other.len() + 1);
            let piece = other[from..other.len().min(from + length)].to_vec();
            drop(bytes.splice(start..start, piece));
        }
    }
}

/// Gives mutations of a corpus to a reader, which says what must hold.
#[track_caller]
fn tried(corpus: &[Vec<u8>], holds: impl Fn(&[u8]) -> Result<(), TestCaseError>) {
    assert!(!corpus.is_empty());
    let usual = ProptestConfig::default();
    let config = ProptestConfig {
        cases: usual.cases.max(LEAST),
        failure_persistence: None,
        ..usual
    };
    let run = TestRunner::new(config).run(&(any::<Index>(), edits()), |(which, edits)| {
        let mut bytes = which.get(corpus).clone();
        for each in &edits {
            edit(&mut bytes, each, corpus);
        }
        let start = Instant::now();
        holds(&bytes)?;
        prop_assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors")
}

/// Reads the files of a folder whose names begin so, in order.
fn files(folder: &str, start: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(vectors().join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        path.is_file()
            && path
                .file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with(start)
    });
    paths.sort();
    paths
        .iter()
        .map(|path| std::fs::read(path).unwrap())
        .collect()
}

/// Reads the vectors of a folder: good ones, bad ones and others.
fn all(folder: &str) -> Vec<Vec<u8>> {
    files(folder, "")
}

/// Takes the newline off a line.
fn lines(folder: &str) -> Vec<Vec<u8>> {
    let mut lines = all(folder);
    for line in &mut lines {
        line.pop();
    }
    lines
}

fn record(line: &[u8]) -> Option<Record> {
    match parse(line) {
        Ok(Line::Record(record)) => Some(*record),
        _ => None,
    }
}

#[test]
fn plans() {
    let name = PlanName::default_plan();
    tried(&all("plan"), |bytes| {
        let reading = plan::read(&name, "plan.json", bytes);

        for finding in &reading.findings {
            let place = finding.place.as_ref().unwrap();
            prop_assert!(bytes.get(place.start..place.end).is_some());
        }
        if let Some(read) = reading.contract {
            prop_assert_eq!(contract::read(&contract::write(&read)), Ok(read));
        }
        Ok(())
    });
}

#[test]
fn contracts() {
    tried(&all("contract"), |bytes| {
        if let Ok(read) = contract::read(bytes) {
            prop_assert_eq!(contract::write(&read), bytes);
        }
        Ok(())
    });
}

#[test]
fn record_lines_never_have_the_id_of_another_record() {
    let corpus = lines("record");
    let known: BTreeMap<_, _> = corpus
        .iter()
        .filter_map(|line| record(line))
        .map(|r| (r.id, r))
        .collect();
    tried(&corpus, |bytes| {
        if let Some(read) = record(bytes) {
            let original = known.get(&read.id);
            prop_assert!(
                original.is_none_or(|one| one.header == read.header && one.body == read.body)
            );
        }
        Ok(())
    });
}

/// Gives a line the id that its bytes have, where it has an id at all.
fn with_true_id(line: &[u8]) -> Vec<u8> {
    const MARK: &str = ",\"id\":\"";
    let Ok(text) = std::str::from_utf8(line) else {
        return line.to_vec();
    };
    let Some((before, after)) = text.rsplit_once(MARK) else {
        return line.to_vec();
    };
    let id = labelled(Label::Record, format!("{before}}}").as_bytes());
    let after = after.get(64..).unwrap_or_default();
    format!("{before}{MARK}{id}{after}").into_bytes()
}

#[test]
fn record_lines_with_true_ids_have_one_spelling() {
    tried(&lines("record"), |bytes| {
        let line = with_true_id(bytes);
        if let Some(read) = record(&line) {
            let draft = Draft::new(&read.header, &read.body);
            prop_assert_eq!(draft.id(), read.id);
            prop_assert_eq!(draft.line(&read.proof).into_bytes(), line);
        }
        Ok(())
    });
}

#[test]
fn bodies_have_one_spelling() {
    let mut corpus: Vec<Vec<u8>> = all("record/steps");
    corpus.extend(
        lines("record")
            .iter()
            .filter_map(|line| Some(record(line)?.body.into_bytes())),
    );
    tried(&corpus, |bytes| {
        if let Ok(steps) = body::read_steps(bytes) {
            prop_assert_eq!(body::write_steps(&steps).unwrap().into_bytes(), bytes);
        }
        let Ok(text) = std::str::from_utf8(bytes) else {
            return Ok(());
        };
        if let Ok(read) = body::read_instance(text) {
            prop_assert_eq!(body::write_instance(&read).unwrap(), text);
        }
        if let Ok(read) = body::read_seal(text) {
            prop_assert_eq!(body::write_seal(&read).unwrap(), text);
        }
        if let Ok(read) = body::read_run(text) {
            prop_assert_eq!(body::write_run(&read).unwrap(), text);
        }
        if let Ok(read) = body::read_audit(text) {
            prop_assert_eq!(body::write_audit(&read).unwrap(), text);
        }
        Ok(())
    });
}

#[test]
fn notes_prove_nothing_that_nobody_proved() {
    let target = object(1);
    let mut pen = Pen::new(1, 1);
    let audit = |code| (Kind::Audit, audit_body(Digest::ZERO, target, code));
    let records = [
        vec![(Kind::Seal, seal_body(Digest::ZERO))],
        vec![audit(1), audit(0)],
        vec![audit(0)],
    ];
    let written: Vec<String> = records
        .iter()
        .flat_map(|each| pen.write(target, each, &[]))
        .collect();
    let known: BTreeSet<_> = written
        .iter()
        .filter_map(|line| record(line.as_bytes()))
        .map(|r| r.id)
        .collect();
    let stranger = Pen::new(9, 2).write(target, &[(Kind::Instance, instance_body())], &[]);
    let corpus = [
        written.join("\n").into_bytes(),
        stranger.join("\n").into_bytes(),
    ];
    tried(&corpus, |bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let notes = Memory::default();
        notes.rewrite(&BTreeMap::from([(target, vec![text])]));

        let ledger = Ledger::judge(&reading::read(&notes).unwrap(), &trust(&[1]));

        let counting = ledger.in_order();
        prop_assert!(counting.iter().all(|record| known.contains(&record.id)));
        Ok(())
    });
}

#[test]
fn lists_of_signers_name_every_line_once() {
    let corpus: Vec<Vec<u8>> = [files("signers", "valid-"), files("signers", "refused-")].concat();
    tried(&corpus, |bytes| {
        let listed = allowed_signers::read(bytes);

        let text = String::from_utf8_lossy(bytes);
        let said = listed.entries.len() + listed.unused.len();
        prop_assert!(said <= text.lines().count());
        let approves = listed.entries.iter().any(|(_, grant)| grant.approves);
        prop_assert!(!approves || text.contains("git-plan-audit-approve"));
        drop(crate::trust::signers::Signers::new(
            Source::OwnKeys,
            listed.entries,
        ));
        Ok(())
    });
}

#[test]
fn signatures_hold_only_as_they_were_made() {
    let decoded = |texts: Vec<Vec<u8>>| -> Vec<Vec<u8>> {
        let blobs = texts
            .iter()
            .map(|text| STANDARD.decode(text.trim_ascii()).unwrap());
        blobs.collect()
    };
    let good = decoded(files("sshsig", "good"));
    let corpus = [good.clone(), decoded(files("sshsig", "refused-"))].concat();
    tried(&corpus, |bytes| {
        prop_assert!(
            verify(bytes, RECORD, b"message").is_err() || good.iter().any(|blob| blob == bytes)
        );
        Ok(())
    });
}

#[test]
fn settings_of_a_project() {
    tried(&all("supervisor"), |bytes| {
        if let Ok(settings) = supervisor::read(bytes) {
            prop_assert!(["light", "standard", "strict"].contains(&settings.profile.as_str()));
            prop_assert!(
                settings
                    .allow_flags
                    .iter()
                    .all(|flag| flag.is_disqualifying())
            );
        }
        Ok(())
    });
}

#[test]
fn own_files() {
    for kind in [
        "anchors", "identity", "instance", "intents", "pending", "unproven",
    ] {
        let local = Files::new();
        let path = local.path(kind);
        tried(&all(&format!("local/{kind}")), |bytes| {
            std::fs::write(&path, bytes).unwrap();
            prop_assert!(!local.outcome(kind).is_empty());
            Ok(())
        });
    }
}

#[test]
fn configuration_in_the_environment() {
    let corpus = [
        r"'core.bare'='true'",
        r"'core.bare=true'",
        r"'core.bare'",
        r"'a.b'='it'\''s' 'c.d'='x y'",
        r"'url.x=y.insteadof'='z'",
        "",
        "a\\\n'b'",
        "\"a\" $b `c` #d",
    ];
    let corpus: Vec<Vec<u8>> = corpus.iter().map(|text| text.as_bytes().to_vec()).collect();
    tried(&corpus, |bytes| {
        if let Some(lines) = parameters::read(bytes) {
            prop_assert!(lines.len() <= bytes.len());
        }
        Ok(())
    });
}
