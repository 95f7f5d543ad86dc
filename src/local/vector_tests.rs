//! Every vector of our own local files, and what only a file system can hold in their place.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::places::Places;
use super::{LocalError, anchors, identity, instance, intents, pending, unproven};
use crate::model::ids::{InstanceId, LedgerId, Writer};
use crate::model::repository::Identity;
use crate::wire::own::OwnError;

/// The kinds of files that have vectors.
const ALL: [&str; 6] = [
    "anchors", "identity", "instance", "intents", "pending", "unproven",
];

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/local")
}

/// The files of a clone in a directory of its own.
#[derive(Debug)]
pub(crate) struct Files {
    scratch: tempfile::TempDir,
    places: Places,
}

impl Files {
    /// Makes a clone without files.
    pub(crate) fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let common_dir = scratch.path().join("git");
        std::fs::create_dir_all(&common_dir).unwrap();
        let home = BTreeMap::from([("HOME".into(), scratch.path().into())]);
        let places = Places::find(&common_dir, &common_dir, &home).unwrap();
        Self { scratch, places }
    }

    /// Returns the places of the clone.
    pub(crate) const fn places(&self) -> &Places {
        &self.places
    }

    /// Returns where a file of a kind is, in a directory that is there.
    pub(crate) fn path(&self, kind: &str) -> PathBuf {
        let path = match kind {
            "instance" => self.places.common.join("instance"),
            "identity" => identity::path(&self.places).unwrap(),
            "anchors" => anchors::path(&self.places, &writer(), clone()).unwrap(),
            "intents" => self
                .places
                .common
                .join("intents")
                .join("07".repeat(16) + "-1.json"),
            "unproven" => {
                let directory = unproven::directory(&self.places).unwrap();
                directory.join("000000-x.json")
            }
            _ => self.places.common.join("pending/000000-x.json"),
        };
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    /// Reads the file of a kind, and says in the table's words what becomes of it.
    pub(crate) fn outcome(&self, kind: &str) -> String {
        let read = match kind {
            "instance" => instance::read(&self.places).map(drop),
            "identity" => identity::read(&self.places).map(drop),
            "anchors" => {
                let found = anchors::read(&self.places, &writer(), clone());
                return if found.is_some() { "read" } else { "forgotten" }.to_owned();
            }
            "intents" => {
                let found = intents::list(&self.places).unwrap();
                return if found.is_empty() {
                    "forgotten"
                } else {
                    "read"
                }
                .to_owned();
            }
            "unproven" => unproven::list(&self.places, &who()).map(drop),
            _ => pending::list(&self.places).map(drop),
        };
        match read {
            Ok(()) => "read".to_owned(),
            Err(LocalError::Read { path, cause }) => {
                assert_eq!(Path::new(&path), self.path(kind));
                match cause.downcast_ref() {
                    Some(OwnError::Malformed { .. }) => "Malformed".to_owned(),
                    Some(OwnError::Spelling) => "Spelling".to_owned(),
                    None if cause.is::<base64::DecodeError>() => "Kept".to_owned(),
                    None => match cause.downcast_ref() {
                        Some(unproven::Unfit::Kept(_)) => "Kept".to_owned(),
                        Some(unproven::Unfit::Kind) => "Kind".to_owned(),
                        None => cause.to_string(),
                    },
                }
            }
            Err(other) => panic!("{other:?}"),
        }
    }
}

fn writer() -> Writer {
    Writer::Hmac("0".repeat(16))
}

fn clone() -> InstanceId {
    InstanceId::new([1; 16])
}

/// Returns whose entries are listed; the vectors are of another clone, and all are read.
fn who() -> Identity {
    Identity {
        ledger: LedgerId::new([1; 32]),
        instance: clone(),
    }
}

/// An anchor or intent that cannot be read is none, whatever is wrong with it.
fn of_kind(kind: &str, outcome: &str) -> String {
    let is_forgotten = ["anchors", "intents"].contains(&kind) && outcome != "read";
    if is_forgotten { "forgotten" } else { outcome }.to_owned()
}

#[test]
fn every_vector_gives_exactly_the_outcome_of_the_table() {
    let table = std::fs::read_to_string(directory().join("expected.tsv")).unwrap();
    let mut files = Vec::new();
    for line in table.lines().skip(1) {
        let (file, outcome) = line.split_once('\t').unwrap();
        let (kind, _) = file.split_once('/').unwrap();
        files.push(file.to_owned());
        let local = Files::new();
        std::fs::copy(directory().join(file), local.path(kind)).unwrap();

        assert_eq!(local.outcome(kind), of_kind(kind, outcome), "{file}");
    }
    let mut found = Vec::new();
    for kind in ALL {
        let names = std::fs::read_dir(directory().join(kind)).unwrap();
        found.extend(names.map(|file| format!("{kind}/{}", file.unwrap().file_name().display())));
    }
    found.sort();
    assert_eq!(files, found);
}

/// Something else in the place of a file: its name, and how it is made.
type Make<'a> = (&'static str, &'a dyn Fn(&Path));

#[test]
fn nothing_but_a_regular_file_is_read_and_nothing_hangs() {
    for kind in ALL {
        let good = directory().join(kind).join("valid.json");
        let makes: [Make<'_>; 4] = [
            ("link", &|path| symlink(&good, path).unwrap()),
            ("loop", &|path| symlink(path, path).unwrap()),
            ("pipe", &|path| {
                nix::unistd::mkfifo(path, nix::sys::stat::Mode::S_IRWXU).unwrap();
            }),
            ("directory", &|path| {
                std::fs::create_dir_all(path).unwrap();
            }),
        ];
        for (what, make) in makes {
            let local = Files::new();
            make(&local.path(kind));

            assert_ne!(local.outcome(kind), "read", "{what} as {kind}");
            assert!(local.scratch.path().exists());
        }
    }
}

#[test]
fn a_lock_that_is_no_regular_file_is_refused_at_once() {
    let local = Files::new();
    let path = local.places.common.join("append.lock");
    std::fs::create_dir_all(&local.places.common).unwrap();
    nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRWXU).unwrap();

    let taken = super::lock::take_now(&path, "append");

    assert!(matches!(taken, Err(LocalError::Write { .. })), "{taken:?}");
}
