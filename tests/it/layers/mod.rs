//! The layers: which folder of src/ may name which other, and which crates; and what every file keeps.

mod source;

use std::fs;
use std::path::{Path, PathBuf};

use source::Source;

/// What one folder may name. A layer may be narrowed to one of its modules: `engine::ports`.
struct Row {
    folder: &'static str,
    layers: &'static [&'static str],
    crates: &'static [&'static str],
}

/// The table of the layers. `thiserror` is allowed everywhere; `app` and `main` may name all.
const TABLE: &[Row] = &[
    Row {
        folder: "model",
        layers: &[],
        crates: &["globset", "jiff", "petgraph", "regex"],
    },
    // shell_words because a contract holds `cmd` as the words it stands for; semver because a claim
    // holds a requirement that can be read.
    Row {
        folder: "wire",
        layers: &["model"],
        crates: &[
            "base64",
            "json_syntax",
            "semver",
            "serde",
            "serde_json",
            "serde_json_canonicalizer",
            "sha2",
            "shell_words",
        ],
    },
    // sha2 because an HMAC names its hash; ssh_encoding because ssh_key decodes with it and does
    // not hand it on.
    Row {
        folder: "trust",
        layers: &["model", "wire"],
        crates: &["hmac", "sha2", "ssh_encoding", "ssh_key"],
    },
    Row {
        folder: "ledger",
        layers: &["model", "wire", "trust"],
        crates: &[],
    },
    Row {
        folder: "proc",
        layers: &["model", "wire"],
        crates: &["nix", "signal_hook"],
    },
    // serde and base64 for its own small files, which go through wire::own; a batch that waits is
    // a value of the ledger's storage.
    Row {
        folder: "local",
        layers: &["model", "wire", "engine::ports", "ledger::notes"],
        crates: &["base64", "nix", "serde", "tempfile"],
    },
    // nix to read files without following links; shell_words for git's configuration in the environment.
    Row {
        folder: "git",
        layers: &["model", "wire", "ledger::notes", "proc", "engine::ports"],
        crates: &["gix", "nix", "shell_words"],
    },
    // base64 for the armour of ssh-keygen, tempfile for a public key that it shall read.
    Row {
        folder: "sign",
        layers: &["model", "wire", "trust", "proc", "local", "engine::ports"],
        crates: &["base64", "nix", "tempfile"],
    },
    Row {
        folder: "check",
        layers: &["model", "wire", "proc", "engine::ports"],
        crates: &["regex", "shell_words"],
    },
    // Evaluators of claims over their own trait `Tree`; `app` gives them the repository.
    Row {
        folder: "preflight",
        layers: &["model", "wire"],
        crates: &[
            "jsonschema",
            "regex",
            "saphyr_parser",
            "semver",
            "serde_json",
            "toml_edit",
            "tree_sitter",
            "tree_sitter_c",
            "tree_sitter_go",
            "tree_sitter_java",
            "tree_sitter_javascript",
            "tree_sitter_python",
            "tree_sitter_rust",
            "tree_sitter_typescript",
        ],
    },
    Row {
        folder: "engine",
        layers: &["model", "wire", "trust", "ledger"],
        crates: &[],
    },
    // serde_json for the values of the machine view; nothing that is stored is written there.
    Row {
        folder: "report",
        layers: &["model", "wire"],
        crates: &["annotate_snippets", "maud", "renderdag", "serde_json"],
    },
    Row {
        folder: "ui",
        layers: &[],
        crates: &["anstream", "indicatif"],
    },
    Row {
        folder: "commands",
        layers: &["engine", "report", "ui", "model"],
        crates: &["clap"],
    },
];

/// Folders that may name everything: they wire the rest together.
const FREE: &[&str] = &["app", "main"];
/// Crates that every folder may name.
const EVERYWHERE: &[&str] = &["thiserror"];
/// The longest that a file may be, tests not counted.
const LONGEST: usize = 600;

/// A file of src/.
struct File {
    /// Its path from src/.
    path: PathBuf,
    text: String,
}

impl File {
    /// Returns the layer: the first folder, or the name of a file at the top.
    fn folder(&self) -> String {
        let first = self.path.components().next().unwrap();
        let name = first.as_os_str().to_str().unwrap();
        name.strip_suffix(".rs").unwrap_or(name).to_owned()
    }

    /// Returns how many modules lie between the crate and this file.
    fn depth(&self) -> usize {
        let is_root = ["mod.rs", "main.rs"].map(Path::new);
        let own = !is_root.iter().any(|name| self.path.ends_with(name));
        self.path.components().count() - 1 + usize::from(own)
    }

    /// Reads the file without comments, texts and tests.
    fn source(&self) -> Source {
        Source::of(&self.text)
    }
}

/// Says whether a path names a Rust file that is no module of tests.
fn holds_more_than_tests(path: &Path) -> bool {
    let stem = path.file_stem().and_then(|stem| stem.to_str());
    let is_rust = path.extension().is_some_and(|end| end == "rs");
    is_rust
        && stem.is_some_and(|stem| !stem.ends_with("tests") && stem != "testing")
        && !path
            .components()
            .any(|part| part.as_os_str() == "tests" || part.as_os_str() == "testing")
}

/// Reads every Rust file below a folder, in order; files that hold only tests are left out.
fn files() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut folders) = (Vec::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if holds_more_than_tests(&path) {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.strip_prefix(&root).unwrap().to_owned();
                found.push(File { path, text });
            }
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// Names the crates that Cargo.toml depends on, as code spells them.
fn dependencies() -> Vec<String> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let text = fs::read_to_string(manifest).unwrap();
    let (_, after) = text.split_once("[dependencies]\n").unwrap();
    let lines = after.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.replace('-', "_"))
        .collect()
}

/// Says whether a path such as `ledger::notes` is inside what a row allows.
fn is_within(path: &str, allowed: &str) -> bool {
    path == allowed
        || path
            .strip_prefix(allowed)
            .is_some_and(|rest| rest.starts_with("::"))
}

/// Names what a file may not name but does.
fn trespasses(row: &Row, source: &Source, depth: usize, crates: &[String]) -> Vec<String> {
    let ours = source.own_paths(depth).into_iter().filter(|path| {
        let allowed = row.layers.iter().chain([&row.folder]);
        !allowed.into_iter().any(|layer| is_within(path, layer))
    });
    let outside = source.outside_crates(crates).into_iter().filter(|name| {
        let allowed = row.crates.iter().chain(EVERYWHERE);
        !allowed.into_iter().any(|own| own == name)
    });
    ours.chain(outside).collect()
}

#[test]
fn every_folder_names_only_what_its_layer_may() {
    let crates = dependencies();
    let mut wrong = Vec::new();

    for file in files()
        .iter()
        .filter(|file| !FREE.contains(&file.folder().as_str()))
    {
        let folder = file.folder();
        let row = TABLE.iter().find(|row| row.folder == folder);
        let row = row.unwrap_or_else(|| panic!("src/{folder} has no row in the table"));
        for name in trespasses(row, &file.source(), file.depth(), &crates) {
            wrong.push(format!("src/{} names {name}", file.path.display()));
        }
    }

    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_opens_with_its_duty() {
    for file in files() {
        assert!(file.text.starts_with("//! "), "{}", file.path.display());
    }
}

#[test]
fn files_are_short() {
    let mut lengths = Vec::new();

    for file in files() {
        let length = source::length_without_tests(&file.text);
        assert!(
            length <= LONGEST,
            "{} has {length} lines",
            file.path.display()
        );
        lengths.push(length);
    }

    lengths.sort_unstable();
    let median = lengths[lengths.len() / 2];
    eprintln!("{} files, median {median} lines", lengths.len());
    assert!(median <= 200, "the median is {median} lines");
}

#[test]
fn nothing_stops_without_a_word() {
    for file in files() {
        let source = file.source();
        for word in [
            ".unwrap()",
            "todo!",
            "unimplemented!",
            "#[allow(",
            "#![allow(",
        ] {
            assert!(!source.holds(word), "{} holds {word}", file.path.display());
        }
    }
}

#[test]
fn a_trespass_is_seen() {
    let row = Row {
        folder: "wire",
        layers: &["model", "engine::ports"],
        crates: &["serde"],
    };
    let crates = ["serde", "gix"].map(str::to_owned);
    let of = |text| trespasses(&row, &Source::of(text), 2, &crates);

    assert_eq!(
        of("use crate::model::ids::Oid; use super::digest; use serde::Serialize;"),
        [""; 0]
    );
    assert_eq!(of("use crate::engine::ports::Cause;"), [""; 0]);
    assert_eq!(of("use crate::engine::audit;"), ["engine::audit"]);
    assert_eq!(of("use crate::modelling::x;"), ["modelling::x"]);
    assert_eq!(
        of("fn a() -> gix::Id { crate::git::open() }"),
        ["git::open", "gix"]
    );
    assert_eq!(of("use super::super::git;"), ["git"]);
}
