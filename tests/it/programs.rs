//! Which program a check ran: a fake one first in PATH is told of, by `audit` and by `verify` (D8).

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::{Json, World, check_schema, finish, need, plans, search_path};

/// Makes a directory with a program that always passes.
fn fake(directory: PathBuf, name: &str, text: &str) -> PathBuf {
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join(name), format!("#!/bin/sh\n{text}\n")).unwrap();
    let program = fs::Permissions::from_mode(0o755);
    fs::set_permissions(directory.join(name), program).unwrap();
    directory
}

/// Audits with a directory first in PATH; it must pass.
#[track_caller]
fn audit_with(world: &World, first: &Path) -> Json {
    let path = [first.to_owned()].into_iter().chain(search_path());
    let mut command = world.ours(["audit", "--format", "json"]);
    command.env("PATH", env::join_paths(path).unwrap());
    let json = finish(&mut command).into_json().is("PASS", 0);
    check_schema("audit", &json);
    json
}

/// Returns what is said under a code.
fn said(json: &Json, code: &str) -> Vec<String> {
    let findings = json.list("/findings").iter();
    let of_code = findings.filter(|each| each["code"] == code);
    of_code
        .map(|each| each["message"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_fake_program_first_in_the_path_is_told_of() {
    let world = World::sealed();
    let real = world.temp_path().join("bin");
    fake(real.clone(), "grep", "exec /bin/grep \"$@\"");
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    let first = audit_with(&world, &real);
    assert_eq!(said(&first, "program-differs"), [""; 0], "{}", first.ran);

    let temporary = world.temp_path().join("tmp/evil");
    let audit = audit_with(&world, &fake(temporary.clone(), "grep", "exit 0"));
    world.git(["commit", "-qm", "Work"]);
    let judged = world.json(["verify", "HEAD"]).is("PASS", 0);

    let place = said(&audit, "program-place").concat();
    let below = world.temp_path().join("tmp");
    assert!(
        place.contains("evil/grep") && place.contains(below.to_str().unwrap()),
        "{place}"
    );
    for json in [&audit, &judged] {
        let differs = said(json, "program-differs").concat();
        assert!(
            differs.starts_with("`grep` is ") && differs.contains("/tmp/evil/grep"),
            "{differs}"
        );
    }
    audit_with(&world, &temporary);
    let writable = fake(world.home().join("open"), "grep", "exit 0");
    fs::set_permissions(&writable, fs::Permissions::from_mode(0o777)).unwrap();
    let open = said(&audit_with(&world, &writable), "program-place").concat();
    assert!(open.contains("everybody may write to"), "{open}");
}

#[test]
fn a_program_of_the_work_tree_is_told_of_unless_it_is_tracked() {
    let checks = json!([
        { "type": "run", "argv": ["./built/tool"] },
        { "type": "run", "argv": ["./tracked.sh"] }
    ]);
    let world = World::new();
    fake(world.top.join("built"), "tool", "exit 0");
    fake(world.top.clone(), "tracked.sh", "exit 0");
    world.write(".gitignore", "built\n");
    let world = world.prepared(&plans::of_checks(&checks));
    let expected = ["program ./built/tool lies in the work tree and is not tracked"];

    let audit = world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qm", "Work"]);
    let judged = world.json(["verify", "HEAD"]).is("PASS", 0);

    assert_eq!(said(&audit, "program-place"), expected);
    assert_eq!(said(&judged, "program-place"), expected);
    world.run(["verify", "HEAD"]).exits(0).says("program-place");
}

#[test]
fn switches_that_let_a_tool_pretend_reach_no_check() {
    if !need("make") {
        return;
    }
    let seen =
        r#"test -z "$GNUMAKEFLAGS$PYTEST_ADDOPTS$NODE_OPTIONS$RUBYOPT$PERL5OPT$RUSTFLAGS$ENV""#;
    let checks = json!([
        { "type": "run", "argv": ["make"] },
        { "type": "run", "argv": ["sh", "-c", seen] }
    ]);
    let world = World::new();
    world.write("Makefile", "all:\n\t@exit 1\n");
    let world = world.prepared(&plans::of_checks(&checks));
    let mut command = world.ours(["audit", "--format", "json"]);
    for (name, switch) in [
        ("MAKEFLAGS", "-n"),
        ("GNUMAKEFLAGS", "-n"),
        ("PYTEST_ADDOPTS", "--collect-only"),
        ("NODE_OPTIONS", "--check"),
        ("RUBYOPT", "-c"),
        ("PERL5OPT", "-Mstrict"),
        ("RUSTFLAGS", "--cap-lints=allow"),
        ("ENV", "/dev/null"),
    ] {
        command.env(name, switch);
    }

    let audit = finish(&mut command).into_json().is("FAIL", 1);

    let results = audit.list("/plans/default/steps/0/checks").iter();
    let results: Vec<&str> = results.filter_map(|each| each["result"].as_str()).collect();
    assert_eq!(results, ["failed", "passed"]);
    let withheld = said(&audit, "withheld").concat();
    assert!(withheld.contains("MAKEFLAGS"), "{withheld} {}", audit.ran);
}
