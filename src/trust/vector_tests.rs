//! Every vector of signatures and of signers, and what the real ssh-keygen says of them.

use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ssh_key::PublicKey;

use super::allowed_signers::read;
use super::signers::{Grant, Signers, Source};
use super::sshsig::{RECORD, verify, writer_of};
use crate::model::ids::Writer;
use crate::model::time::Timestamp;

/// Returns the path of a vector.
fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/vectors")
        .join(file)
}

fn text(file: &str) -> String {
    std::fs::read_to_string(path(file)).unwrap()
}

/// Returns the rows of a table without its head.
fn rows(file: &str) -> Vec<Vec<String>> {
    let table = text(file);
    let rows = table
        .lines()
        .skip(1)
        .map(|line| line.split('\t').map(str::to_owned).collect());
    rows.collect()
}

/// Lists the names in a folder with an ending, in order.
fn names(folder: &str, ending: &str) -> Vec<String> {
    let files = std::fs::read_dir(path(folder)).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(ending)).collect();
    names.sort();
    names
}

fn signature(file: &str) -> Vec<u8> {
    STANDARD
        .decode(text(&format!("sshsig/{file}")).trim())
        .unwrap()
}

fn writer(key: &str) -> Writer {
    writer_of(&PublicKey::from_openssh(&text(&format!("sshsig/{key}"))).unwrap()).unwrap()
}

#[test]
fn every_signature_gives_exactly_the_outcome_of_the_table() {
    let rows = rows("sshsig/expected.tsv");
    for row in &rows {
        let [file, outcome, key] = row.as_slice() else {
            panic!("{row:?}")
        };

        let found = verify(&signature(file), RECORD, b"message");

        match found {
            Ok(found) => assert_eq!((outcome.as_str(), found), ("good", writer(key)), "{file}"),
            Err(why) => assert_eq!(*outcome, format!("{why:?}"), "{file}"),
        }
    }
    let files: Vec<&String> = rows.iter().map(|row| &row[0]).collect();
    assert_eq!(files, names("sshsig", ".b64").iter().collect::<Vec<_>>());
}

#[test]
fn every_list_of_signers_gives_exactly_the_outcome_of_the_table() {
    let rows = rows("signers/expected.tsv");
    for row in &rows {
        let [file, outcome] = row.as_slice() else {
            panic!("{row:?}")
        };

        let listed = read(&std::fs::read(path(&format!("signers/{file}"))).unwrap());

        let found = match (listed.entries.as_slice(), listed.unused.as_slice()) {
            ([(_, grant)], []) => may(grant),
            ([], [unused]) => unused.why.clone(),
            _ => panic!("{file}: {listed:?}"),
        };
        assert_eq!(found, *outcome, "{file}");
    }
    let files: Vec<&String> = rows.iter().map(|row| &row[0]).collect();
    let names = ["refused-", "valid-"].map(|start| {
        let mut names = names("signers", "");
        names.retain(|name| name.starts_with(start));
        names
    });
    assert_eq!(files, names.iter().flatten().collect::<Vec<_>>());
}

/// Says in the table's words what a grant gives.
fn may(grant: &Grant) -> String {
    let words = [
        (!grant.only_approves, "records"),
        (grant.approves, "approves"),
    ];
    let words = words.into_iter().filter(|(holds, _)| *holds);
    words.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
}

/// What ssh-keygen verifies with.
struct Oracle {
    scratch: tempfile::TempDir,
}

impl Oracle {
    fn new() -> Self {
        Self {
            scratch: tempfile::tempdir().unwrap(),
        }
    }

    /// Says whether ssh-keygen takes a signature over "message" by whoever this list names.
    #[expect(clippy::disallowed_methods, reason = "tests drive the real ssh-keygen")]
    fn accepts(&self, list: &[u8], principal: &str, signature: &str, time: &str) -> bool {
        let file = |name: &str| self.scratch.path().join(name);
        let blob = text(&format!("sshsig/{signature}"));
        let lines: Vec<&str> = blob
            .trim()
            .as_bytes()
            .chunks(70)
            .map(|c| std::str::from_utf8(c).unwrap())
            .collect();
        let armour = format!(
            "-----BEGIN SSH SIGNATURE-----\n{}\n-----END SSH SIGNATURE-----\n",
            lines.join("\n")
        );
        std::fs::write(file("list"), list).unwrap();
        std::fs::write(file("signature"), armour).unwrap();
        std::fs::write(file("message"), "message").unwrap();
        let mut command = std::process::Command::new("ssh-keygen");
        command
            .env_clear()
            .env("TZ", "UTC")
            .env("HOME", self.scratch.path());
        command.env("PATH", std::env::var_os("PATH").unwrap());
        command.args(["-Y", "verify", "-n", RECORD, "-I", principal]);
        command.arg(format!("-Overify-time={time}"));
        command
            .arg("-f")
            .arg(file("list"))
            .arg("-s")
            .arg(file("signature"));
        command.stdin(std::fs::File::open(file("message")).unwrap());
        command.output().unwrap().status.success()
    }
}

/// Returns the signature in the vectors that a key made.
fn signature_by(writer_wanted: &Writer) -> String {
    let rows = rows("sshsig/expected.tsv");
    let good = rows.iter().filter(|row| row[1] == "good");
    let found = good
        .filter(|row| writer(&row[2]) == *writer_wanted)
        .map(|row| row[0].clone());
    found.max().unwrap()
}

/// Returns somebody whom principals name.
fn somebody(principals: &str) -> String {
    let first = principals.split(',').next().unwrap();
    first.replace('*', "anybody").replace('?', "x")
}

/// Writes a moment as ssh-keygen reads it.
fn moment(time: Timestamp) -> String {
    time.to_string().replace(['-', ':', 'T', 'Z'], "")
}

/// Moments at which lines are compared, among them the bounds that vectors name.
fn moments() -> Vec<Timestamp> {
    let texts = [
        "2025-12-31T23:59:59Z",
        "2026-01-01T00:00:00Z",
        "2026-01-01T02:02:59Z",
        "2026-01-01T02:03:00Z",
        "2026-12-31T00:00:00Z",
        "2026-12-31T00:00:01Z",
        "2026-12-31T04:05:06Z",
        "2026-12-31T04:05:07Z",
    ];
    texts
        .into_iter()
        .map(|text| Timestamp::parse(text).unwrap())
        .collect()
}

#[test]
fn whoever_counts_at_a_time_counts_for_ssh_keygen_too_and_at_no_other() {
    let oracle = Oracle::new();
    for row in rows("signers/expected.tsv") {
        let list = std::fs::read(path(&format!("signers/{}", row[0]))).unwrap();
        let listed = read(&list);
        let signers = Signers::new(Source::OwnKeys, listed.entries.clone());
        for (writer, grant) in &listed.entries {
            let (principal, signature) = (somebody(&grant.principals), signature_by(writer));
            for time in moments() {
                assert_eq!(
                    signers.trusts(writer, time),
                    oracle.accepts(&list, &principal, &signature, &moment(time)),
                    "{} at {time}",
                    row[0]
                );
            }
        }
    }
}

#[test]
fn no_line_counts_that_ssh_keygen_would_not_take() {
    let (oracle, time) = (
        Oracle::new(),
        Timestamp::parse("2026-06-01T00:00:00Z").unwrap(),
    );
    let key = text("sshsig/key.pub").trim().to_owned();
    let mut counted = 0;
    for principals in [
        "a", "*", "a,b", "!a,*", "\"a\"", "\"a b\"", "\"\"", "a\"b\"", "a\u{a0}b", "a\0",
    ] {
        for options in [
            "",
            "namespaces=\"git-plan-audit\"",
            "namespaces=\"git-plan-audit-approve\"",
            "namespaces=\"*\"",
            "namespaces=\"g*t?p*\"",
            "namespaces=\"!git,*\"",
            "namespaces=\"*,!git-plan-audit\"",
            "namespaces=\"**/*\"",
            "namespaces=\"[g]*\"",
            "namespaces=\"git\\-plan-audit\"",
            "namespaces=\"git-plan-audit\",",
            ",namespaces=\"git-plan-audit\"",
            "namespaces=\"git-plan-audit\"valid-after=\"20260101Z\"",
            "namespaces=\"\",namespaces=\"*\"",
            "namespaces",
            "valid-after=\"20260101Z\"",
            "valid-before=\"20260101Z\"",
            "valid-after=\"20260601Z\",valid-before=\"20260602Z\"",
            "valid-before=\"20260601Z\"",
            "valid-before=\"20270101Z\",namespaces=\"git*\"",
            "valid-after=\"19700101Z\"",
            "cert-authority",
            "no-touch-required",
            "x",
        ] {
            let line = format!("{principals} {options} {key}\n");
            let listed = read(line.as_bytes());
            let signers = Signers::new(Source::OwnKeys, listed.entries.clone());
            for (writer, grant) in &listed.entries {
                if signers.trusts(writer, time) {
                    counted += 1;
                    let principal = somebody(&grant.principals);
                    assert!(
                        oracle.accepts(line.as_bytes(), &principal, "good.b64", &moment(time)),
                        "{line}"
                    );
                }
            }
        }
    }
    assert!(counted > 20, "only {counted} lines were compared");
}
