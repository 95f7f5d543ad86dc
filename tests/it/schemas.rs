//! The machine output of every command is what its schema says, for success and for refusal.

use crate::support::{Layout, Proof, World, commands_with_a_schema, plans};

/// Commands whose output is text for people only.
const TEXT_ONLY: [&str; 1] = ["help"];

/// A claim that holds.
const CLAIMS: &str =
    r#"[{"id":"C1","type":"path_exists","criticality":"high","expect":true,"path":"work.txt"}]"#;

/// The good plan with a claim that a path exists.
fn claiming(path: &str) -> serde_json::Value {
    let mut plan = plans::good();
    plan["claims"] = serde_json::json!([{
        "id": "C1", "type": "path_exists", "criticality": "high", "expect": true, "path": path,
    }]);
    plan
}

/// Reads the names of the commands from the help of the binary.
pub(crate) fn commands(world: &World) -> Vec<String> {
    let help = world.run(["help"]).exits(0).stdout;
    let (_, after) = help.split_once("Commands:\n").unwrap();
    let lines = after.lines().take_while(|line| line.starts_with("  "));
    lines
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| !TEXT_ONLY.contains(name))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_a_schema_and_every_schema_a_command() {
    let world = World::empty(Proof::Ssh);
    let mut named = commands(&world);

    named.sort_unstable();

    assert_eq!(named, commands_with_a_schema());
}

/// Runs a command so that it succeeds.
fn succeed(command: &str) {
    let world = if command == "demo" {
        World::empty(Proof::Ssh)
    } else {
        World::proven()
    };
    let id = || {
        crate::support::Parts::of(&world.record("audit").text)
            .id()
            .to_owned()
    };
    let dir = world.temp_path().join("story");
    let ran = match command {
        "show" => world.json(["show", &id()]),
        "revoke" => world.json(["revoke", "--record", &id(), "--reason", "x"]),
        "demo" => world.json(["demo", "--dir", dir.to_str().unwrap()]),
        "init" => world.json(["init"]),
        "doctor" => {
            world.run(["init"]).exits(0);
            world.json(["doctor"])
        }
        "hook" => world.json(["hook", "pre-push", "origin", "nowhere"]),
        "host" => world.json(["host", "status"]),
        "anchor" => world.json(["anchor"]),
        "export" => world.json(["export", "--as", "vsa", "--resource", "urn:x"]),
        "sync" => {
            world.with_remote();
            world.json(["sync"])
        }
        "claims" => world.json(["claims", "explain"]),
        "answer" => {
            world.with_plan(&claiming("none.txt"));
            world.json(["preflight"]).is("FAIL", 1);
            let question = crate::support::Parts::of(&world.record("question").text);
            world.json(["answer", question.id(), "--defer", "--reason", "later"])
        }
        "questions" => {
            world.with_plan(&claiming("none.txt"));
            world.json(["questions"])
        }
        "preflight" => {
            world.write("claims.json", CLAIMS);
            world.json(["preflight", "--claims", "claims.json"])
        }
        other => world.json([other]),
    };
    assert_eq!(ran.ran.code, 0, "{}", ran.ran);
}

#[test]
fn success_is_what_the_schema_says() {
    let world = World::empty(Proof::Ssh);

    for command in commands(&world) {
        succeed(&command);
    }
}

#[test]
fn refusal_is_what_the_schema_says() {
    let nowhere = World::empty(Proof::Ssh);
    nowhere.write("mine.txt", "x");
    let here = nowhere.top.to_str().unwrap();

    for command in commands(&nowhere) {
        let json = match command.as_str() {
            "show" => nowhere.json(["show", "0123456789ab"]),
            "revoke" => nowhere.json(["revoke", "--record", "0123", "--reason", "x"]),
            "answer" => nowhere.json(["answer", "0123", "--confirm"]),
            "demo" => nowhere.json(["demo", "--dir", here]),
            "init" => nowhere.json(["init", "--no-hooks"]),
            "claims" => nowhere.json(["claims", "lint"]),
            "host" => nowhere.json(["host", "status"]),
            "export" => nowhere.json(["export", "--as", "junit"]),
            // Git knows one way of refusing.
            "hook" => {
                nowhere.json(["hook", "pre-commit"]).is("FAIL", 1);
                continue;
            }
            other => nowhere.json([other]),
        };
        json.is("REFUSED", 2);
    }
}

#[test]
fn every_outcome_of_an_audit_is_what_the_schema_says() {
    let none = World::new();
    none.init();
    none.json(["audit"]).is("NO_PLAN", 3);
    World::sealed().json(["audit"]).is("FAIL", 1);
    let unknown = World::new().prepared(&plans::of_argv(&["no-such-program-anywhere"]));
    unknown.json(["audit"]).is("UNKNOWN", 3);
    unknown.with_plan(&plans::good());
    unknown.json(["audit"]).is("REFUSED", 2);
}

#[test]
fn every_layout_gives_the_same_shape() {
    for layout in Layout::ALL {
        let world = World::with(layout, Proof::Ssh);
        world.init();
        world.json(["status"]).is("OK", 0);
        world.json(["log"]).is("OK", 0);
        world.json(["fingerprint"]).is("OK", 0);
    }
}

#[test]
fn a_usage_error_is_text_on_stderr() {
    let ran = World::new()
        .run(["audit", "--nonsense", "--format", "json"])
        .exits(129);

    assert!(ran.stdout.is_empty() && !ran.stderr.is_empty(), "{ran}");
}
