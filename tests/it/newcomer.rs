//! What a person meets who comes new: commands at once, ways back, locks that stayed.

use std::process::Stdio;

use crate::support::{Key, World, finish, plans};

#[test]
fn inits_at_once_make_one_ledger_and_one_clone() {
    let world = World::new();
    let start = || {
        let mut command = world.ours(["init", "--no-hooks"]);
        command.stdout(Stdio::null()).spawn().unwrap()
    };

    let started = [start(), start(), start()];

    for mut each in started {
        assert!(each.wait().unwrap().success());
    }
    assert_eq!(world.lines().len(), 1, "{:?}", world.lines());
    let world = world.prepared(&plans::of_argv(&["true"])).finished();
    let json = world.json(["verify"]).is("PASS", 0);
    assert!(!json.codes().contains(&"ledger-ambiguous"), "{}", json.ran);
}

#[test]
fn the_undo_of_another_key_goes_back_to_the_first() {
    let world = World::proven();
    let own = Key::own(&world);
    let other = Key::make(&world, "other");
    let json = world.json(["init", "--no-hooks", "--key", other.path()]);
    let undo = json.is("OK", 0).text("/undo").to_owned();

    assert_eq!(
        undo,
        format!("git plan-audit init --no-hooks --key {}", own.path())
    );
    world.tool("sh", ["-ec", &undo]);

    world.json(["verify"]).is("PASS", 0);
    world.write("work.txt", "good\n\n");
    let plan = world.top.join(".plan-auditor/plan.json");
    assert!(plan.exists());
    world.json(["audit"]);
    let record = world.record("audit");
    assert!(record.text.contains(&own.writer(&world)), "{}", record.text);
}

#[test]
fn a_second_home_is_not_told_to_use_the_key_that_it_just_made() {
    let world = World::proven();
    let home = world.temp_path().join("home2");
    std::fs::create_dir_all(&home).unwrap();
    let mut command = world.ours(["init", "--no-hooks"]);
    command.env("HOME", &home);
    for name in [
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "XDG_CACHE_HOME",
        "XDG_DATA_HOME",
    ] {
        command.env_remove(name);
    }

    let ran = finish(&mut command).exits(0);

    assert!(!ran.stdout.contains("to go on with the key"), "{ran}");
}

#[test]
fn a_ledger_that_a_check_deletes_is_told_with_the_way_back() {
    let argv = ["git", "update-ref", "-d", "refs/notes/plan-audit"];
    let world = World::new().prepared(&plans::of_argv(&argv));
    let head = world.rev("HEAD");
    world.add_line(&head, "a line of somebody else");
    let has_line = || {
        world
            .lines()
            .iter()
            .any(|line| line.text.starts_with("a line of"))
    };

    let json = world.json(["audit"]).is("PASS", 0);

    let codes = json.codes();
    assert!(
        codes.contains(&"restored") && codes.contains(&"ledger-replaced"),
        "{}",
        json.ran
    );
    assert!(!has_line());
    let found = json
        .list("/findings")
        .iter()
        .find(|each| each["code"] == "ledger-replaced");
    world.tool("sh", ["-ec", found.unwrap()["hint"].as_str().unwrap()]);
    assert!(has_line());
    world.git(["commit", "-qm", "Work"]);
    let json = world.json(["verify"]).is("PASS", 0);
    assert!(!json.codes().contains(&"ledger-replaced"), "{}", json.ran);
}

#[test]
fn a_stale_lock_is_named_before_any_check_runs_with_what_removes_it() {
    let world = World::new().prepared(&plans::of_argv(&["touch", ".git/ran"]));
    let lock = world.top.join(".git/refs/notes/plan-audit.lock");
    std::fs::write(&lock, "").unwrap();

    let json = world.json(["audit"]).is("UNKNOWN", 3);

    assert!(!world.top.join(".git/ran").exists());
    let hint = json.list("/findings")[0]["hint"].as_str().unwrap();
    let (_, command) = hint.split_once(": ").unwrap();
    let (command, _) = command.split_once(", then").unwrap();
    world.tool("sh", ["-ec", command]);
    assert!(!lock.exists());
    world.json(["audit"]).is("PASS", 0);
}

#[test]
fn a_word_that_means_nothing_here_is_named() {
    let world = World::proven();
    world.git(["config", "planAudit.place", "bogus"]);
    let verify = world.json(["verify"]).is("UNKNOWN", 3);
    world.git(["config", "--unset", "planAudit.place"]);

    let log = world.json(["log", "--plan", "typo"]).is("REFUSED", 2);
    world.run(["close"]).exits(0);
    let of_plan = world.run(["log", "--plan", "default"]).exits(0);

    assert!(
        verify.codes().contains(&"settings-invalid"),
        "{}",
        verify.ran
    );
    assert_eq!(log.codes(), ["unknown-plan"]);
    assert!(of_plan.stdout.contains(" close default"), "{of_plan}");
}

#[test]
fn a_plan_under_another_name_goes_on_by_the_command_that_is_named() {
    let world = World::new().prepared(&plans::of_argv(&["true"])).finished();
    std::fs::create_dir_all(world.top.join(".plan-auditor/plans")).unwrap();
    world.git([
        "mv",
        ".plan-auditor/plan.json",
        ".plan-auditor/plans/new.json",
    ]);
    world.run(["seal"]).exits(0);
    let audit = world.json(["audit"]).is("REFUSED", 2);
    let hint = audit.list("/findings")[0]["hint"].as_str().unwrap();
    assert!(
        hint.contains("git plan-audit seal --plan NAME --from default"),
        "{hint}"
    );

    world
        .run(["seal", "--plan", "new", "--from", "default"])
        .exits(0);

    world.json(["audit"]).is("PASS", 0);
    world.git(["commit", "-qam", "Another name"]);
    world.json(["verify"]).is("PASS", 0);
    let again = world
        .run(["seal", "--plan", "new", "--from", "default"])
        .exits(0);
    assert!(again.stdout.contains("was sealed before"), "{again}");
}

#[test]
fn a_clone_that_forgot_itself_is_told_what_init_asks_for() {
    let world = World::proven();
    std::fs::remove_dir_all(world.top.join(".git/plan-audit")).unwrap();
    let again = "init --no-hooks --new-instance --reason TEXT";

    world.run(["audit"]).exits(2).says(again);
    world.run(["status"]).exits(0).says(again);

    let reason = ["init", "--no-hooks", "--new-instance", "--reason", "gone"];
    world.run(reason).exits(0);
    world.run(["audit"]).exits(0);
    let mut homeless = world.ours(["audit"]);
    for name in [
        "HOME",
        "XDG_CONFIG_HOME",
        "XDG_STATE_HOME",
        "XDG_CACHE_HOME",
    ] {
        homeless.env_remove(name);
    }
    finish(&mut homeless).exits(2).says("hint: set HOME");
}
