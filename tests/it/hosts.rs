//! Agent hosts: what each writes to a hook, and what it gets.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Proof, Ran, World, finish};

/// Every host.
const HOSTS: [&str; 7] = [
    "claude", "codex", "gemini", "copilot", "cursor", "windsurf", "generic",
];

/// Returns what a host writes, of an agent that works at the top of a world.
fn payload(world: &World, host: &str, event: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/hosts/payloads");
    let text = fs::read_to_string(folder.join(format!("{host}-{event}.json"))).unwrap();
    text.replace("@CWD@", world.top.to_str().unwrap())
}

/// Calls `host VERB` as a host does that was started elsewhere.
fn called(world: &World, line: &[&str], said: &str) -> Ran {
    let file = world.temp_path().join("said");
    fs::write(&file, said).unwrap();
    // Windsurf says nowhere where the agent works at the end of a turn: it starts hooks there.
    let dir = if line.contains(&"windsurf") {
        world.top.clone()
    } else {
        world.home()
    };
    let line = ["host"].iter().chain(line);
    let mut command = world.command(crate::support::BINARY, &dir, line);
    finish(command.stdin(fs::File::open(file).unwrap()))
}

/// Calls one and reads its one object.
#[track_caller]
fn answered(world: &World, host: &str, verb: &str, event: &str) -> Value {
    let said = payload(world, host, event);
    let ran = called(world, &[verb, "--host", host], &said).exits(0);
    assert_eq!(ran.stderr, "", "{ran}");
    let mut values = serde_json::Deserializer::from_str(&ran.stdout).into_iter::<Value>();
    let value = values.next().unwrap().unwrap();
    assert!(value.is_object() && values.next().is_none(), "{ran}");
    value
}

/// Says whether an answer keeps an agent going.
fn keeps(value: &Value) -> bool {
    value["decision"] == "block"
        || value["decision"] == "deny"
        || value.get("followup_message").is_some()
}

#[test]
fn an_agent_is_kept_going_until_the_plan_is_proven() {
    for host in HOSTS {
        let world = World::sealed();

        let bad = answered(&world, host, "hook", "stop");
        world.write("work.txt", "good\n");
        world.git(["add", "-A"]);
        let unproven = answered(&world, host, "hook", "stop");
        world.run(["audit"]).exits(0);
        let good = answered(&world, host, "hook", "stop");

        if host == "windsurf" {
            assert_eq!((&bad, &unproven), (&json!({}), &json!({})));
        } else {
            assert!(keeps(&bad) && keeps(&unproven), "{host}: {bad} {unproven}");
            let text = bad.to_string();
            assert!(
                text.contains("git plan-audit: FAIL")
                    && text.contains("Next: git plan-audit audit"),
                "{host}: {text}"
            );
        }
        assert_eq!(good, json!({}), "{host}");
    }
}

#[test]
fn without_a_plan_or_a_repository_nothing_is_said() {
    let plain = World::new();
    let none = World::empty(Proof::Ssh);
    let bare = World::proven().bare();
    for world in [&plain, &none, &bare] {
        for (verb, event) in [("hook", "stop"), ("context", "start")] {
            assert_eq!(answered(world, "claude", verb, event), json!({}));
        }
    }
    let gone = r#"{"cwd":"/no/such/place","session_id":"x","hook_event_name":"Stop"}"#;
    let ran = called(&none, &["hook", "--host", "claude"], gone).exits(0);
    assert_eq!(ran.stdout, "{}\n");
}

#[test]
fn an_agent_that_makes_no_progress_is_let_go_and_its_push_is_not() {
    let world = World::sealed();
    let stop = || answered(&world, "claude", "hook", "stop");
    assert!(keeps(&stop()));
    // The file of the session says when we spoke last: as if that were a while ago.
    let folder = world.home().join(".local/state/git-plan-audit/hosts");
    let session = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut sessions = session.filter(|path| path.to_str().unwrap().contains("session-"));
    let session = sessions.next().unwrap();
    let text = fs::read_to_string(&session).unwrap();
    let (before, _) = text.split_once("\"at\":").unwrap();
    fs::write(&session, format!("{before}\"at\":1}}\n")).unwrap();

    let free = stop();

    let said = free["systemMessage"].as_str().unwrap();
    assert!(said.starts_with("NOT VERIFIED") && !keeps(&free), "{free}");
    // Work that is done begins anew.
    world.write("work.txt", "good\n");
    world.git(["add", "-A"]);
    world.run(["audit"]).exits(0);
    assert_eq!(stop(), json!({}));
    world.write("work.txt", "worse\n");
    assert!(keeps(&stop()));
}

#[test]
fn an_agent_is_kept_going_three_times_at_most() {
    let world = World::sealed();
    let mut kept = 0;
    for number in 0..6 {
        world.write("work.txt", format!("bad {number}\n"));
        kept += u32::from(keeps(&answered(&world, "codex", "hook", "stop")));
    }
    assert_eq!(kept, 3);
}

#[test]
fn a_turn_that_was_stopped_is_no_end() {
    let world = World::sealed();
    let said = payload(&world, "cursor", "stop").replace("completed", "aborted");
    let ran = called(&world, &["hook", "--host", "cursor"], &said).exits(0);
    assert_eq!(ran.stdout, "{}\n");
}

#[test]
fn a_session_begins_with_what_is_asked() {
    let world = World::sealed();
    for (host, pointer) in [
        ("claude", "/hookSpecificOutput/additionalContext"),
        ("codex", "/hookSpecificOutput/additionalContext"),
        ("gemini", "/hookSpecificOutput/additionalContext"),
        ("generic", "/hookSpecificOutput/additionalContext"),
        ("copilot", "/additionalContext"),
        ("cursor", "/additional_context"),
    ] {
        let told = answered(&world, host, "context", "start");

        let text = told.pointer(pointer).and_then(Value::as_str).unwrap();
        assert!(
            text.contains("plan default (sealed)") && text.contains("Next: "),
            "{host}: {text}"
        );
    }
}

#[test]
fn a_command_past_the_gate_is_refused_in_the_words_of_each_host() {
    let world = World::sealed();
    for (host, pointer) in [
        ("claude", "/hookSpecificOutput/permissionDecisionReason"),
        ("codex", "/hookSpecificOutput/permissionDecisionReason"),
        ("generic", "/hookSpecificOutput/permissionDecisionReason"),
        ("gemini", "/reason"),
        ("copilot", "/permissionDecisionReason"),
        ("cursor", "/agent_message"),
    ] {
        let denied = answered(&world, host, "guard", "tool");

        let text = denied.pointer(pointer).and_then(Value::as_str).unwrap();
        assert!(
            text.contains("push --no-verify") && text.contains("seat belt"),
            "{host}: {text}"
        );
        let said = payload(&world, host, "tool").replace(" --no-verify", "");
        let ran = called(&world, &["guard", "--host", host], &said).exits(0);
        assert_eq!(ran.stdout, "{}\n", "{host}");
    }
    let said = payload(&world, "windsurf", "tool");
    let ran = called(&world, &["guard", "--host", "windsurf"], &said).exits(2);
    assert!(
        ran.stdout.is_empty() && ran.stderr.contains("seat belt"),
        "{ran}"
    );
}

#[test]
fn what_a_host_says_can_be_anything() {
    let world = World::sealed();
    for said in ["", "nonsense", "[]", "{\"cwd\":7}", "\0"] {
        for verb in ["hook", "context", "guard"] {
            let ran = called(&world, &[verb, "--host", "claude"], said).exits(0);
            assert_eq!(ran.stdout, "{}\n", "{verb} {said:?}");
        }
    }
}

#[test]
fn the_answer_comes_before_the_deadline() {
    let world = World::sealed();
    // Gigabytes of nothing, which the index does not know, take longer to read than a second.
    let blob = world.blob("x");
    fs::create_dir_all(world.top.join("large")).unwrap();
    for number in 0..60 {
        let path = format!("large/{number}");
        let entry = format!("100644,{blob},{path}");
        world.git(["update-index", "--add", "--cacheinfo", &entry]);
        let file = fs::File::create(world.top.join(path)).unwrap();
        file.set_len(60 << 20).unwrap();
    }
    let began = Instant::now();
    let said = payload(&world, "claude", "stop");

    let ran = called(
        &world,
        &["hook", "--host", "claude", "--deadline", "1"],
        &said,
    )
    .exits(0);

    assert!(began.elapsed() < Duration::from_secs(10));
    let answer: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(
        keeps(&answer) && ran.stdout.contains("took more than 1 s"),
        "{ran}"
    );
}

#[test]
fn settings_are_shown_written_once_and_seen_again() {
    let world = World::new();
    for host in HOSTS.into_iter().filter(|host| *host != "generic") {
        let shown = world.run(["host", "setup", host]).exits(0).stdout;
        let settings: Value = serde_json::from_str(&shown).unwrap();
        assert!(settings["hooks"].is_object(), "{shown}");

        world
            .run(["host", "setup", host, "--write"])
            .exits(0)
            .says("wrote   /");
        world
            .run(["host", "setup", host, "--write"])
            .exits(0)
            .says("wrote   nothing");
        assert_eq!(world.run(["host", "setup", host]).exits(0).stdout, shown);
    }
    let json = world.json(["host", "status"]).is("OK", 0);
    let hosts = json.list("/hosts");
    assert_eq!(hosts.len(), HOSTS.len());
    for host in hosts.iter().filter(|host| host["host"] != "generic") {
        assert_eq!(host["installed"].as_array().unwrap().len(), 1, "{host}");
        assert!(host.get("last_fired").is_none(), "{host}");
    }
    answered(&world, "claude", "hook", "stop");
    world
        .run(["host", "status"])
        .exits(0)
        .says("claude   ")
        .says("(Stop)")
        .says("never fired");
}

#[test]
fn settings_of_others_stay_and_what_cannot_be_read_is_left() {
    let world = World::new();
    let mine = "{\"model\":\"x\",\"hooks\":{\"Stop\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"mine\"}]}]},\"a\":1}";
    world.write(".claude/settings.json", mine);

    world.run(["host", "setup", "claude", "--write"]).exits(0);

    let text = fs::read_to_string(world.top.join(".claude/settings.json")).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["hooks"]["Stop"].as_array().unwrap().len(), 2);
    assert!(
        text.find("\"model\"") < text.find("\"hooks\"")
            && text.find("\"hooks\"") < text.find("\"a\"")
    );
    for bad in ["// comment\n{}", "[]", "{\"hooks\":7}"] {
        world.write(".codex/hooks.json", bad);
        world
            .run(["host", "setup", "codex", "--write"])
            .exits(2)
            .says("host-settings-left");
        let left = fs::read_to_string(world.top.join(".codex/hooks.json")).unwrap();
        assert_eq!(left, bad);
    }
    std::os::unix::fs::symlink(world.temp_path(), world.top.join(".gemini")).unwrap();
    world.run(["host", "setup", "gemini", "--write"]).exits(2);
    world.run(["host", "setup", "generic", "--write"]).exits(2);
    world
        .run(["host", "setup", "cursor", "--write", "--scope", "user"])
        .exits(0);
    assert!(world.home().join(".cursor/hooks.json").is_file());
}

#[test]
fn the_skill_names_only_commands_that_are_there() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("contrib/skills/plan-audit/SKILL.md");
    let text = fs::read_to_string(path).unwrap();
    let commands = crate::schemas::commands(&World::empty(Proof::Ssh));

    assert!(
        text.starts_with("---\nname: plan-audit\ndescription: ") && text.lines().count() <= 150
    );
    for part in text.split("git plan-audit ").skip(1) {
        let word: String = part.chars().take_while(char::is_ascii_lowercase).collect();
        assert!(word.is_empty() || commands.contains(&word), "{word}");
    }
}
