//! `contrib/verify.sh` knows the formats and nothing of this program: what it calls proven is what
//! `fsck` calls proven, on every ledger that the tests can think of.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::support::{Key, Layout, Line, Parts, Proof, Ran, World, finish, need, note_of, plans};

/// The ref of the ledger.
const LEDGER: &str = "refs/notes/plan-audit";

/// The verifier.
fn script() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("contrib/verify.sh")
}

/// Finds the HMAC key of a world: the one that is configured, else the one that `init` made.
fn hmac_key(world: &World) -> Option<PathBuf> {
    let mut ask = world.command("git", &world.top, ["config", "planAudit.hmacKeyFile"]);
    let named = finish(&mut ask).trimmed();
    let made = fs::read_dir(world.home().join(".config/git-plan-audit/keys"));
    let made = made.into_iter().flatten().map(|file| file.unwrap().path());
    let mut keys = made.filter(|path| path.to_string_lossy().ends_with("hmac"));
    if named.is_empty() {
        keys.next()
    } else {
        Some(named.into())
    }
}

/// Runs the verifier, with the HMAC key of the world where there is one.
fn verifier(world: &World) -> Ran {
    let mut command = world.command(script().to_str().unwrap(), &world.top, [""; 0]);
    if let Some(key) = hmac_key(world) {
        command.env("PLAN_AUDIT_HMAC_KEY_FILE", key);
    }
    finish(&mut command)
}

/// Demands that both call the same records proven, and returns these and how many lines are not.
#[track_caller]
fn agree(world: &World) -> (BTreeSet<String>, usize) {
    let said = verifier(world).exits(0);
    let mut bad = 0;
    let mut proven = BTreeSet::new();
    for line in said.stdout.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [id, _, _, state] = words.as_slice() else {
            panic!("{line}");
        };
        match *state {
            "ok" => drop(proven.insert((*id).to_owned())),
            "BAD" => bad += 1,
            _ => panic!("{line}"),
        }
    }
    let json = world.json(["fsck"]);
    let records = json.list("/records").iter();
    let sound = records.filter(|record| record["proof"] == "ok");
    let sound: BTreeSet<String> = sound
        .map(|record| record["id"].as_str().unwrap().to_owned())
        .collect();
    let differ: Vec<&String> = proven.symmetric_difference(&sound).collect();
    assert!(
        differ.is_empty(),
        "only one of both calls these proven: {differ:?}"
    );
    (proven, bad)
}

/// Hangs bytes on an object as its note.
fn hang_bytes(world: &World, bytes: &[u8], target: &str) {
    let file = world.temp_path().join("note");
    fs::write(&file, bytes).unwrap();
    let blob = world.git(["hash-object", "-w", file.to_str().unwrap()]);
    world.hang(&blob.trimmed(), target);
}

#[test]
fn honest_ledgers_of_every_layout_and_proof_are_proven_for_both() {
    if !need("jq") {
        return;
    }
    for layout in Layout::ALL {
        for proof in Proof::ALL {
            let world = World::with(layout, proof).prepared(&plans::of_argv(&["true"]));
            world.json(["audit"]).is("PASS", 0);

            let (proven, bad) = agree(&world);

            assert_eq!((proven.len(), bad), (3, 0), "{layout:?} {proof:?}");
        }
    }
}

#[test]
fn without_the_hmac_key_nobody_can_tell() {
    if !need("jq") {
        return;
    }
    let world = World::with(Layout::Main, Proof::Hmac).prepared(&plans::good());

    let said = finish(&mut world.command(script().to_str().unwrap(), &world.top, [""; 0]));

    let said = said.exits(0);
    assert!(
        said.stdout.lines().all(|line| line.ends_with(" BAD")),
        "{said}"
    );
    assert_eq!(said.stdout.lines().count(), 2, "{said}");
}

#[test]
fn a_repository_without_a_ledger_has_nothing_to_verify() {
    if need("jq") {
        finish(&mut World::new().command(script().to_str().unwrap(), Path::new("/"), [""; 0]))
            .exits(2);
    }
}

/// Every vector of a record as a line of the note of the object that it names.
fn vectors() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/record");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .collect();
    files.sort();
    let target = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (_, rest) = text.split_once("\"head\":\"")?;
        let head: String = rest.chars().take(40).collect();
        head.bytes()
            .all(|b| b.is_ascii_hexdigit())
            .then(|| head.to_lowercase())
    };
    files
        .iter()
        .map(|path| {
            let bytes = fs::read(path).unwrap();
            let head = target(&bytes).filter(|head| head.len() == 40);
            (head.unwrap_or_else(|| "1".repeat(40)), bytes)
        })
        .collect()
}

#[test]
fn every_vector_of_a_record_is_the_same_to_both() {
    if !need("jq") {
        return;
    }
    let world = World::new();
    world.init();
    let key = world.home().join("shared");
    fs::write(&key, [7; 32]).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    world.git([
        "config",
        "--global",
        "planAudit.hmacKeyFile",
        key.to_str().unwrap(),
    ]);
    let vectors = vectors();
    let targets: BTreeSet<&String> = vectors.iter().map(|(target, _)| target).collect();
    let mut rows = String::new();
    for target in targets {
        let own = vectors.iter().filter(|(own, _)| own == target);
        let note: Vec<u8> = own.flat_map(|(_, bytes)| bytes.iter().copied()).collect();
        let file = world.temp_path().join("note");
        fs::write(&file, note).unwrap();
        let blob = world.git(["hash-object", "-w", file.to_str().unwrap()]);
        rows += &["100644 blob ", &blob.trimmed(), "\t", target, "\n"].concat();
    }
    let tree = world.git_with_input(["mktree"], &rows).trimmed();
    let commit = world.git(["commit-tree", "-m", "Vectors", &tree]).trimmed();
    world.git(["update-ref", LEDGER, &commit]);

    let (proven, bad) = agree(&world);

    assert!(proven.len() > 10 && bad > 100, "{} {bad}", proven.len());
}

/// Times, some of which never were.
const TIMES: [&str; 9] = [
    "0000-01-01T00:00:00Z",
    "2024-02-29T23:59:59Z",
    "2023-02-29T00:00:00Z",
    "2100-02-29T00:00:00Z",
    "2026-06-30T23:59:60Z",
    "9999-12-30T22:00:00Z",
    "9999-12-30T22:00:01Z",
    "9999-12-31T00:00:00Z",
    "2026-1-01T00:00:00Z",
];

/// Changes of a line that a reader may take for nothing, and none may.
fn spellings(text: &str) -> Vec<Vec<u8>> {
    let deep = |depth: usize| {
        let body = format!(
            "{}{}",
            "{\"a\":".repeat(depth - 1) + "{}",
            "}".repeat(depth - 1)
        );
        Parts::of(text)
            .with("body", body)
            .with_true_id()
            .line()
            .into_bytes()
    };
    let with_body = |body: &str| {
        Parts::of(text)
            .with("body", body)
            .with_true_id()
            .line()
            .into_bytes()
    };
    let with_time = |time: &str| {
        let parts = Parts::of(text).with("time", format!("\"{time}\""));
        parts.with_true_id().line().into_bytes()
    };
    let mut all = vec![
        format!(" {text}").into_bytes(),
        format!("{text} ").into_bytes(),
        format!("{text}\r").into_bytes(),
        text.replacen(',', ", ", 1).into_bytes(),
        text.replacen("\"v\":1", "\"v\":1.0", 1).into_bytes(),
        [text.as_bytes(), b"\0"].concat(),
        [text.as_bytes(), b"\xff"].concat(),
        text.replacen("\"kind\":\"a", "\"kind\":\"\\u0061", 1)
            .into_bytes(),
        with_body("{\"a\":\"\u{7f}\u{2028}\\u007f\\\\u007f/\"}"),
        with_body("{\"a\":\"\u{7f}\u{2028}\\\\u007f/\\u0001\\b\"}"),
        with_body("{\"\u{10000}\":1,\"\u{ffff}\":2}"),
        with_body("{\"\u{ffff}\":1,\"\u{10000}\":2}"),
        with_body("{\"a\":9007199254740991,\"b\":-9007199254740991}"),
        with_body("{\"a\":9007199254740992}"),
        with_body("{\"a\":-0}"),
        with_body("{\"a\":1e1}"),
        with_body("{\"b\":1,\"a\":2}"),
        with_body("{\"a\":1,\"a\":1}"),
        with_body("{\"a\":[true,false,null,\"\"]}"),
        with_body("{\"a\":\"\\ud800\"}"),
        with_body("[]"),
    ];
    all.extend([126, 127, 128, 129].map(deep));
    all.extend(TIMES.map(with_time));
    all
}

#[test]
fn odd_spellings_are_the_same_to_both() {
    if !need("jq") {
        return;
    }
    let (world, key) = World::owned();
    let line = world.record("audit");
    let mut note = note_of(&world.lines(), &line.target).into_bytes();
    for mut odd in spellings(&line.text) {
        // Each is proven for its id, so that only its spelling can be held against it.
        if let Ok(text) = String::from_utf8(odd.clone())
            && text.starts_with("{\"v\":1,")
            && text.ends_with('}')
        {
            odd = Parts::of(&text).signed(&world, &key).line().into_bytes();
        }
        note.extend_from_slice(&odd);
        note.push(b'\n');
    }

    hang_bytes(&world, &note, &line.target);

    let (proven, bad) = agree(&world);
    assert!(proven.len() > 8 && bad > 15, "{} {bad}", proven.len());
}

#[test]
fn every_kind_of_key_and_purpose_is_the_same_to_both() {
    if !need("jq") {
        return;
    }
    let (world, own) = World::owned();
    let line = world.record("audit");
    let mut note = note_of(&world.lines(), &line.target);
    let mut add = |parts: Parts| note.push_str(&(parts.line() + "\n"));
    let honest = Parts::of(&line.text);
    let message = |parts: &Parts| [b"git-plan-audit/proof/v1\0", parts.id().as_bytes()].concat();
    for (name, options) in [
        ("rsa2048", ["-t", "rsa", "-b", "2048"]),
        ("rsa1024", ["-t", "rsa", "-b", "1024"]),
        ("ecdsa256", ["-t", "ecdsa", "-b", "256"]),
        ("ecdsa521", ["-t", "ecdsa", "-b", "521"]),
    ] {
        let file = world.home().join("test-keys").join(name);
        let end = ["-q", "-N", "", "-f", file.to_str().unwrap()];
        world.tool("ssh-keygen", options.into_iter().chain(end));
        let key = Key { file };
        let writer = format!("\"{}\"", key.writer(&world));
        let parts = honest.clone().with("writer", writer).with_true_id();
        if name != "rsa1024" {
            add(parts.clone().signed(&world, &key));
        }
        // A key that is not the one that is named.
        add(parts.signed(&world, &own));
    }
    for namespace in ["git-plan-audit-approve", "git", "git-plan-audit-"] {
        let time = format!("\"2001-01-01T00:00:{:02}Z\"", namespace.len());
        let parts = honest.clone().with("time", time).with_true_id();
        let signature = own.sign(&world, namespace, &message(&parts));
        add(parts.with("proof", format!("{{\"sshsig\":\"{signature}\"}}")));
    }
    // Bytes after the end, and another spelling of the same base64.
    let proof = honest.get("proof").to_owned();
    add(honest
        .clone()
        .with("proof", proof.replace("\"}", "AAAA\"}")));
    add(honest.clone().with("proof", "{\"sshsig\":\"\"}"));
    add(honest.with("proof", proof.replace("\"}", "=\"}")));

    hang_bytes(&world, note.as_bytes(), &line.target);

    let (proven, bad) = agree(&world);
    assert_eq!((proven.len(), bad), (3 + 3 + 1, 4 + 2 + 3));
}

#[test]
fn what_a_record_vouches_for_is_the_same_to_both() {
    if !need("jq") {
        return;
    }
    let world = World::with(Layout::Main, Proof::Ssh);
    let key = Key::make(&world, "owner");
    world
        .run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);
    let world = world.prepared(&plans::good()).finished();
    let line = world.record("audit");
    let honest = Parts::of(&line.text);
    // A chain of five, of which the last is proven and vouches for two, three or nine.
    for (place, covers) in ["2", "3", "9"].into_iter().enumerate() {
        let mut chain: Vec<Parts> = Vec::new();
        for number in 0..5 {
            let before = chain
                .last()
                .map_or("0".repeat(64), |parts| parts.id().to_owned());
            let covers = if number == 4 { covers } else { "0" };
            let time = format!("\"2001-01-01T00:{place:02}:{number:02}Z\"");
            chain.push(
                honest
                    .clone()
                    .with("prev", format!("[\"{before}\"]"))
                    .with("time", time)
                    .with("covers", covers)
                    .with_true_id(),
            );
        }
        let last = chain[4].id().to_owned();
        for (number, parts) in chain.into_iter().enumerate() {
            let by = format!("{{\"by\":\"{last}\"}}");
            let text = match number {
                4 => parts.signed(&world, &key).line(),
                // One of a row that names another one ends the row.
                1 if place == 2 => parts
                    .with("proof", format!("{{\"by\":\"{}\"}}", "1".repeat(64)))
                    .line(),
                _ => parts.with("proof", by).line(),
            };
            world.add_line(&line.target, &text);
        }
    }

    let (proven, bad) = agree(&world);

    assert_eq!((proven.len(), bad), (3 + 3 + 4 + 3, 2 + 1 + 2));
}

#[test]
fn notes_that_go_on_and_trees_of_any_shape_are_the_same_to_both() {
    if !need("jq") {
        return;
    }
    let world = World::proven();
    let line = world.record("audit");
    // The note rolls over; a kept blob that no line names is not read.
    let text = note_of(&world.lines(), &line.target);
    world.hang(
        &world.blob(&(text + &"x".repeat(63_000) + "\n")),
        &line.target,
    );
    world.json(["audit"]).is("PASS", 0);
    let loose = world.blob(&(world.record("audit").text + "\n"));
    world.hang(&loose, &loose);
    world.add_line(
        &world.rev("HEAD"),
        &format!("{{\"continues\":\"{}\"}}", "1".repeat(40)),
    );
    let (proven, bad) = agree(&world);
    assert_eq!((proven.len(), bad), (4, 2));

    // The same notes at other depths, beside what is no note.
    let listing = world.git(["ls-tree", "-r", LEDGER]).stdout;
    world.git(["read-tree", "--empty"]);
    for (place, row) in listing.lines().enumerate() {
        let (head, name) = row.split_once('\t').unwrap();
        let blob = head.split(' ').nth(2).unwrap();
        let name = name.replace('/', "");
        let (mode, name) = match place % 3 {
            0 => ("100755", name),
            1 => (
                "100644",
                format!("{}/{}", name.split_at(2).0, name.split_at(2).1),
            ),
            _ => {
                let (first, rest) = name.split_at(2);
                let (second, rest) = rest.split_at(2);
                ("100644", format!("{first}/{second}/{rest}"))
            }
        };
        let strange = ["120000", "100644", "100644"][place % 3];
        let other = ["2".repeat(40), "A".repeat(40), "README".to_owned()][place % 3].clone();
        for (mode, name) in [(mode, &name), (strange, &other)] {
            let entry = format!("{mode},{blob},{name}");
            world.git(["update-index", "--add", "--cacheinfo", &entry]);
        }
    }
    let tree = world.git(["write-tree"]).trimmed();
    let commit = world.git(["commit-tree", "-m", "x", "-p", LEDGER, &tree]);
    world.git(["update-ref", LEDGER, &commit.trimmed()]);

    assert_eq!(agree(&world), (proven, bad));
}

#[test]
fn a_note_that_is_not_here_is_told() {
    if !need("jq") {
        return;
    }
    let world = World::proven();
    let target = world.record("audit").target;
    let listed = world
        .git(["notes", "--ref=plan-audit", "list", &target])
        .trimmed();
    let (folder, rest) = listed.split_at(2);
    fs::remove_file(world.top.join(format!(".git/objects/{folder}/{rest}"))).unwrap();

    verifier(&world).exits(3).says("is not here");
    world.json(["fsck"]).is("UNKNOWN", 3);
}

/// Changes bytes of a text here and there.
fn mutated(text: &str, seed: &mut u64) -> Vec<u8> {
    let mut next = |below: usize| {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 33).unwrap() % below
    };
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=next(2) {
        let at = next(bytes.len());
        match next(4) {
            0 => bytes[at] ^= 1 << next(8),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, b"0\",{}[]\\"[next(8)]),
            _ => bytes.truncate(at.max(1)),
        }
    }
    bytes.retain(|byte| *byte != b'\n');
    bytes
}

#[test]
fn mutated_lines_are_the_same_to_both() {
    if !need("jq") {
        return;
    }
    let world = World::proven();
    let target = world.record("audit").target;
    let lines: Vec<Line> = world.lines();
    let mut seed = 20_261_130;
    let mut note = Vec::new();
    for _ in 0..60 {
        for line in &lines {
            note.extend(mutated(&line.text, &mut seed));
            note.push(b'\n');
        }
    }
    // Only the last of them is as it was, so that no other copy can lend its proof.
    note.extend_from_slice(lines[lines.len() - 1].text.as_bytes());

    hang_bytes(&world, &note, &target);

    let (proven, bad) = agree(&world);
    assert!(
        !proven.is_empty() && proven.len() <= 3 && bad > 150,
        "{proven:?} {bad}"
    );
}
