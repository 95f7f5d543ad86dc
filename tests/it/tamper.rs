//! Evidence in the hands of an attacker who has the repository, plain git and a key of their own:
//! whatever they do to the lines, a commit that was not proven never becomes PASS.

use crate::support::{Key, Line, Parts, World, note_of, plans};

/// Demands that HEAD is not PASS.
#[track_caller]
fn is_not_proven(world: &World, what: &str) {
    let json = world.json(["verify", "HEAD"]);
    assert_ne!(json.text("/outcome"), "PASS", "{what}\n{}", json.ran);
    assert_ne!(json.ran.code, 0, "{what}\n{}", json.ran);
}

/// Changes one letter or digit of a text near the middle.
fn flipped(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let middle = bytes.len() / 2;
    let order = (middle..bytes.len()).chain(0..middle);
    let at = order
        .into_iter()
        .find(|at| bytes[*at].is_ascii_alphanumeric());
    match at.map(|at| &mut bytes[at]) {
        // The neighbour that is still hex where the letter was.
        Some(byte) => {
            *byte ^= if matches!(*byte, b'a' | b'A' | b'f' | b'F' | b'z' | b'Z') {
                3
            } else {
                1
            }
        }
        None => bytes.insert(middle, b'0'),
    }
    String::from_utf8(bytes).unwrap()
}

/// Replaces the lines of one record by what `change` makes of it.
fn with_changed(lines: &[Line], kind: &str, change: impl Fn(&Line) -> Line) -> Vec<Line> {
    let of_kind = format!("\"kind\":\"{kind}\"");
    let changed = lines.iter().map(|line| {
        let is_meant = line.text.contains(&of_kind);
        if is_meant { change(line) } else { line.clone() }
    });
    changed.collect()
}

#[test]
fn the_same_lines_put_back_by_plain_git_are_as_good_as_before() {
    let world = World::proven();

    world.replace_ledger(&world.lines());

    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn one_flipped_byte_in_any_member_ends_a_record() {
    let world = World::proven();
    let lines = world.lines();
    for kind in ["audit", "seal"] {
        for name in Parts::of(&world.record(kind).text).names() {
            let changed = with_changed(&lines, kind, |line| {
                let parts = Parts::of(&line.text);
                let value = flipped(parts.get(&name));
                Line {
                    text: parts.with(&name, value).line(),
                    ..line.clone()
                }
            });

            world.replace_ledger(&changed);

            is_not_proven(&world, &format!("{name} of {kind}"));
            world.replace_ledger(&lines);
        }
    }
    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_record_is_nothing_without_its_own_proof() {
    let world = World::proven();
    let lines = world.lines();
    let thief = Key::make(&world, "thief");
    let writer = format!("\"{}\"", thief.writer(&world));
    let unproven = Parts::of(&world.record("instance").text);
    let changes: &[(&str, &dyn Fn(Parts) -> Parts)] = &[
        ("no proof", &|parts| parts.with("proof", "{}")),
        ("null", &|parts| parts.with("proof", "null")),
        ("an empty signature", &|parts| {
            parts.with("proof", r#"{"sshsig":""}"#)
        }),
        ("another key's", &|parts| parts.signed(&world, &thief)),
        ("another writer's", &|parts| {
            parts
                .with("writer", &writer)
                .with_true_id()
                .signed(&world, &thief)
        }),
        ("another record's", &|parts| {
            parts.with("proof", unproven.get("proof"))
        }),
        ("its own word", &|parts| {
            let id = parts.get("id").to_owned();
            parts.with("proof", format!("{{\"by\":{id}}}"))
        }),
        ("a MAC of nobody", &|parts| {
            let mac = "0".repeat(64);
            parts.with(
                "proof",
                format!(r#"{{"hmac":{{"key":"0123456789abcdef","mac":"{mac}"}}}}"#),
            )
        }),
    ];
    for kind in ["audit", "seal"] {
        for (what, change) in changes {
            let changed = with_changed(&lines, kind, |line| Line {
                text: change(Parts::of(&line.text)).line(),
                ..line.clone()
            });

            world.replace_ledger(&changed);

            is_not_proven(&world, &format!("{kind} with {what}"));
            world.replace_ledger(&lines);
        }
    }
}

#[test]
fn a_record_that_hangs_on_another_commit_is_noise() {
    let world = World::proven();
    let lines = world.lines();
    let head = world.rev("HEAD");

    let moved = with_changed(&lines, "audit", |line| Line {
        target: head.clone(),
        ..line.clone()
    });
    world.replace_ledger(&moved);

    is_not_proven(&world, "moved to the commit it should prove");
    let json = world.json(["verify", "HEAD"]);
    let codes = json.codes();
    assert!(codes.contains(&"ledger-moved"), "{codes:?}");
}

/// A commit that is bad after one that was proven, and the lines of the proven one.
struct Bad {
    world: World,
    /// The key that proves the honest records.
    owner: Key,
    honest: Line,
    /// The body of the honest audit, as if it were about the bad tree.
    body: String,
}

impl Bad {
    fn new() -> Self {
        let world = World::new();
        let owner = Key::make(&world, "owner");
        world
            .run(["init", "--no-hooks", "--key", owner.path()])
            .exits(0);
        let world = world.prepared(&plans::good()).finished();
        let good = world.rev("HEAD^{tree}");
        world.commit("work.txt", "evil\n");
        world.json(["verify", "HEAD"]).is("FAIL", 1);
        let honest = world.record("audit");
        let body = Parts::of(&honest.text)
            .get("body")
            .replace(&good, &world.rev("HEAD^{tree}"));
        Self {
            world,
            owner,
            honest,
            body,
        }
    }

    /// Returns the honest record with the forged body and a true id, after the honest one.
    fn forged(&self) -> Parts {
        let parts = Parts::of(&self.honest.text);
        let prev = format!("[\"{}\"]", parts.id());
        parts
            .with("prev", prev)
            .with("body", &self.body)
            .with_true_id()
    }

    /// Hangs up a line, judges, and takes it down again.
    #[track_caller]
    fn is_not_proven_by(&self, text: &str, what: &str) {
        let before = self.world.rev("refs/notes/plan-audit");
        for target in [self.honest.target.clone(), self.world.rev("HEAD")] {
            self.world.add_line(&target, text);
            is_not_proven(&self.world, what);
            self.world
                .git(["update-ref", "refs/notes/plan-audit", &before]);
            self.world.forget();
        }
    }
}

#[test]
fn only_the_owners_key_makes_a_line_that_counts() {
    let bad = Bad::new();
    let line = bad.forged().signed(&bad.world, &bad.owner).line();

    bad.world.add_line(&bad.honest.target, &line);

    // The owner can state anything: this shows that the forgeries below fail for want of the key.
    bad.world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn forged_lines_prove_nothing() {
    let bad = Bad::new();
    let thief = Key::make(&bad.world, "thief");
    let writer = format!("\"{}\"", thief.writer(&bad.world));
    let honest = Parts::of(&bad.honest.text);
    let fresh_chain = format!("[\"{}\"]", "0".repeat(64));
    let own = bad.forged().with("writer", &writer);

    bad.is_not_proven_by(&bad.forged().with("proof", "{}").line(), "no proof");
    bad.is_not_proven_by(&bad.forged().line(), "the proof of another record");
    bad.is_not_proven_by(
        &bad.forged().signed(&bad.world, &thief).line(),
        "a key that is not the writer's",
    );
    let line = own.clone().with_true_id().signed(&bad.world, &thief).line();
    bad.is_not_proven_by(&line, "an unlisted key");
    let line = own
        .with("prev", fresh_chain)
        .with_true_id()
        .signed(&bad.world, &thief)
        .line();
    bad.is_not_proven_by(&line, "a chain of an unlisted key");
    let stale = honest.clone().with("body", &bad.body);
    bad.is_not_proven_by(&stale.line(), "the old id");
}

#[test]
fn a_later_record_vouches_only_for_its_own_append() {
    let bad = Bad::new();
    let honest = Parts::of(&bad.honest.text);
    let by = |id: &str| format!("{{\"by\":\"{id}\"}}");

    bad.is_not_proven_by(
        &bad.forged().with("proof", by(honest.id())).line(),
        "by an earlier record",
    );
    bad.world.run(["audit"]).exits(1);
    let later = bad.world.record("audit");
    let later = Parts::of(&later.text);
    bad.is_not_proven_by(
        &bad.forged().with("proof", by(later.id())).line(),
        "by a later record",
    );
    let before_later = bad.forged().with("prev", later.get("prev")).with_true_id();
    bad.is_not_proven_by(
        &before_later.with("proof", by(later.id())).line(),
        "in the place of another",
    );
}

#[test]
fn two_ids_in_one_line_do_not_borrow_a_proof() {
    let bad = Bad::new();
    let honest = Parts::of(&bad.honest.text);
    let tail = format!(
        ",\"id\":\"{}\",\"proof\":{}}}",
        honest.id(),
        honest.get("proof")
    );
    let forged = bad.forged().line();
    let open = forged.strip_suffix('}').unwrap();

    bad.is_not_proven_by(&format!("{open}{tail}"), "a second id at the end");
    let (head, rest) = forged.split_once(",\"id\":\"").unwrap();
    bad.is_not_proven_by(&format!("{head}{tail}"), "a borrowed id");
    let doubled = format!("{head},\"id\":\"{}\",\"id\":\"{rest}", honest.id());
    bad.is_not_proven_by(&doubled, "two ids in a row");
    let (honest_head, _) = bad.honest.text.split_once(",\"id\":\"").unwrap();
    let nested = honest_head.replacen("\"body\":", &format!("\"body\":{},\"body\":", bad.body), 1);
    bad.is_not_proven_by(&format!("{nested}{tail}"), "two bodies");
}

#[test]
fn an_id_inside_a_title_is_only_text() {
    let title = format!(
        "x\",\"id\":\"{}\",\"proof\":{{\"by\":\"{}\"}}}} ,\"id\":\"",
        "0".repeat(64),
        "1".repeat(64)
    );
    let check = serde_json::json!([{ "type": "run", "argv": ["grep", "-qx", "good", "work.txt"] }]);
    let world = World::new()
        .prepared(&plans::titled(&title, &check))
        .finished();

    world.commit("work.txt", "evil\n");

    is_not_proven(&world, "a title with an id");
}

#[test]
fn an_id_inside_a_branch_name_is_only_text() {
    let world = World::new();
    world.git(["checkout", "-q", "-b", "x\",\"id\""]);
    let world = world.prepared(&plans::good()).finished();

    world.commit("work.txt", "evil\n");

    is_not_proven(&world, "a branch with an id");
}

#[test]
fn evidence_of_another_repository_proves_nothing_here() {
    let here = World::new();
    let key = Key::make(&here, "same");
    here.run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);
    let here = here.prepared(&plans::good());
    here.write("work.txt", "good\n");
    here.git(["add", "-A"]);
    here.git(["commit", "-qm", "Work without an audit"]);
    let elsewhere = here.at(&here.temp_path().join("elsewhere"));
    std::fs::create_dir_all(&elsewhere.top).unwrap();
    elsewhere.git(["init", "-q", "-b", "main"]);
    elsewhere.commit("sub/deep/start.txt", "start\n");
    elsewhere
        .run(["init", "--no-hooks", "--key", key.path()])
        .exits(0);
    let elsewhere = elsewhere.prepared(&plans::good()).finished();
    assert_eq!(elsewhere.rev("HEAD^{tree}"), here.rev("HEAD^{tree}"));
    is_not_proven(&here, "before the copy");

    let own = here.lines();
    let start = here.rev("HEAD^");
    let foreign = elsewhere.lines().into_iter().map(|line| Line {
        target: start.clone(),
        ..line
    });
    here.git([
        "fetch",
        "-q",
        elsewhere.top.to_str().unwrap(),
        "refs/notes/plan-audit",
    ]);
    here.replace_ledger(&own.into_iter().chain(foreign).collect::<Vec<_>>());

    is_not_proven(&here, "after the copy");
}

#[test]
fn noise_takes_nothing_from_honest_evidence() {
    let world = World::proven();
    let line = world.record("audit");
    let noise = [
        "",
        "x",
        "{}",
        "[]",
        "null",
        "{\"v\":1}",
        "{\"continues\":\"0\"}",
        "\u{fffd}",
        "{\"v\":2}",
    ];

    for text in noise {
        world.add_line(&line.target, text);
        world.add_line(&world.rev("HEAD"), text);
    }
    world.add_line(&line.target, &"x".repeat(70_000));
    world.add_line(
        &line.target,
        &Parts::of(&line.text).with("proof", "{}").line(),
    );

    world.json(["verify", "HEAD"]).is("PASS", 0);
}

#[test]
fn a_ledger_that_is_gone_proves_nothing() {
    let world = World::proven();
    world.git(["update-ref", "-d", "refs/notes/plan-audit"]);

    is_not_proven(&world, "no ledger");
}

#[test]
fn removed_failures_do_not_bring_a_pass_back() {
    let world = World::new();
    let flag = world.temp_path().join("flag");
    let world = world.prepared(&plans::of_argv(&[
        "test",
        "!",
        "-e",
        flag.to_str().unwrap(),
    ]));
    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Work"]);
    let before = world.lines();
    std::fs::write(flag, "").unwrap();
    world.json(["audit"]).is("FAIL", 1);
    let ref_before = world.rev("refs/notes/plan-audit");
    let target = world.record("audit").target;
    let text = note_of(&before, &target);
    let blob = world.blob(&text);

    world.hang(&blob, &target);

    assert_ne!(world.rev("refs/notes/plan-audit"), ref_before);
    is_not_proven(&world, "the failed audit was removed at the tip");
}

#[test]
fn a_note_too_large_to_read_is_doubt_and_nothing_is_appended_after_it() {
    let world = World::proven();
    let huge = world.temp_path().join("huge");
    std::fs::File::create(&huge)
        .unwrap()
        .set_len((64 << 20) + 1)
        .unwrap();
    let blob = world.git(["hash-object", "-w", huge.to_str().unwrap()]);
    world.git([
        "notes",
        "--ref=plan-audit",
        "add",
        "-C",
        &blob.trimmed(),
        "HEAD",
    ]);
    let tip = world.rev("refs/notes/plan-audit");

    let verdict = world.json(["verify", "HEAD"]).is("UNKNOWN", 3);

    assert!(
        verdict.codes().contains(&"note-too-large"),
        "{}",
        verdict.ran
    );
    world.forget();
    world.json(["audit"]).is("UNKNOWN", 3);
    assert_eq!(world.rev("refs/notes/plan-audit"), tip);
}
