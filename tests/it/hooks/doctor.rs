//! `doctor`: the gate is tried, and what is said is what git does.

use std::fs;

use super::hooked;
use crate::support::{Json, World, finish};

/// Returns what is said of each gate.
fn gates(json: &Json) -> Vec<&str> {
    let gates = json.list("/gates").iter();
    gates.map(|gate| gate["gate"].as_str().unwrap()).collect()
}

#[test]
fn a_gate_that_fires_is_told_from_one_that_does_not() {
    let world = World::proven();
    let linked = world.linked("work");
    let bare = world.json(["doctor"]).is("FAIL", 1);
    assert_eq!(gates(&bare), ["does not fire"; 2], "{}", bare.ran);
    assert!(bare.codes().contains(&"hook-not-run"), "{}", bare.ran);

    let world = hooked(world);
    let open = world.json(["doctor"]).is("OK", 0);
    assert_eq!(
        gates(&open),
        ["fires for every reference"; 2],
        "{}",
        open.ran
    );
    assert_eq!(gates(&linked.json(["doctor"]).is("OK", 0)), gates(&open));

    // A setting of one work tree alone is seen from everywhere.
    world.git(["config", "extensions.worktreeConfig", "true"]);
    for place in ["/nowhere", "/dev/null"] {
        linked.git(["config", "--worktree", "core.hooksPath", place]);
        let half = world.json(["doctor"]).is("FAIL", 1);
        assert_eq!(
            gates(&half),
            ["fires for every reference", "does not fire"],
            "{}",
            half.ran
        );
    }
    linked.git(["config", "--worktree", "--unset", "core.hooksPath"]);

    let hook = world.top.join(".git/hooks/pre-push");
    world.git(["config", "advice.ignoredHook", "false"]);
    world.tool("chmod", ["-x", hook.to_str().unwrap()]);
    let json = world.json(["doctor"]).is("FAIL", 1);
    for code in ["gate-silent", "hook-not-run", "hook-advice-off"] {
        assert!(json.codes().contains(&code), "{code}: {}", json.ran);
    }
    json.ran.says("not executable").says("chmod +x");
    world.run(["init"]).exits(0);
    world.json(["doctor"]).is("OK", 0);
}

#[test]
fn a_hook_that_is_told_of_less_than_is_pushed_is_found_out() {
    let world = hooked(World::proven());
    let hook = world.top.join(".git/hooks/pre-push");
    for (line, code, gate) in [
        (
            "git plan-audit hook pre-push \"$@\"",
            None,
            "fires for every reference",
        ),
        (
            "git plan-audit hook pre-push \"$@\" </dev/null",
            Some("gate-blind"),
            "fires blindly",
        ),
        (
            "head -n 1 | git plan-audit hook pre-push \"$@\"",
            Some("gate-partial"),
            "fires for some references",
        ),
        ("exit 3", Some("gate-silent"), "does not fire"),
        ("cat >/dev/null", Some("gate-silent"), "does not fire"),
        (
            "git plan-audit hook pre-push \"$@\" || true",
            Some("gate-open"),
            "fires and is passed over",
        ),
        (
            "git plan-audit hook pre-push \"$@\"; exit 0",
            Some("gate-open"),
            "fires and is passed over",
        ),
        (
            "git plan-audit hook pre-push \"$@\" | cat",
            Some("gate-open"),
            "fires and is passed over",
        ),
    ] {
        fs::write(&hook, format!("#!/bin/sh\n{line}\n")).unwrap();

        let json = world.json(["doctor"]);

        let json = json.is(
            if code.is_some() { "FAIL" } else { "OK" },
            code.is_some().into(),
        );
        assert_eq!(gates(&json), [gate], "{line}: {}", json.ran);
        assert!(
            code.is_none_or(|code| json.codes().contains(&code)),
            "{line}: {}",
            json.ran
        );
        assert_eq!(
            json.codes().contains(&"hook-wrapped"),
            line.contains("plan-audit"),
            "{line}: {}",
            json.ran
        );
    }
}

#[test]
fn the_variable_of_the_trial_gets_nothing_past_the_gate() {
    let world = hooked(World::proven());
    let place = world.temp_path().join("place");
    let remote = place.join("remote.git");
    world.git(["init", "-q", "--bare", remote.to_str().unwrap()]);
    let seen = place.join("seen");
    let nonce = "0".repeat(32);
    for text in [String::new(), format!("plan-audit trial {nonce}\n")] {
        fs::write(&seen, &text).unwrap();

        // Proven, into the place where doctor would push, with all that doctor would set.
        let line = ["push", "-q", remote.to_str().unwrap(), "main"];
        let mut push = world.command("git", &world.top, line);
        let ran = finish(push.env("PLAN_AUDIT_CANARY", &seen)).exits(1);

        ran.says("unset PLAN_AUDIT_CANARY");
        let noted = fs::read_to_string(&seen).unwrap();
        let expected = if text.is_empty() {
            String::new()
        } else {
            format!("{text}{nonce} refs/heads/main\n")
        };
        assert_eq!(noted, expected);
    }
    assert_eq!(world.at(&remote).git(["for-each-ref"]).stdout, "");
}

#[test]
fn a_hook_of_ours_that_was_edited_is_named_though_it_fires() {
    let world = hooked(World::proven());
    let hooks = world.top.join(".git/hooks");
    for (name, code, exit) in [
        ("pre-push", "hook-edited", 0),
        ("pre-commit", "hook-not-run", 1),
    ] {
        let hook = hooks.join(name);
        let text = fs::read_to_string(&hook).unwrap();
        for (old, new) in [
            (
                "#!/bin/sh\n",
                "#!/bin/sh\n[ \"$1\" = elsewhere ] && exit 0\n",
            ),
            ("\nkept=", "\n:\nkept="),
            ("# `git plan-audit init`", "# `nobody`"),
        ] {
            assert!(text.contains(old), "{old}");
            fs::write(&hook, text.replacen(old, new, 1)).unwrap();

            let json = world
                .json(["doctor"])
                .is(if exit == 0 { "OK" } else { "FAIL" }, exit);

            assert!(json.codes().contains(&code), "{name} {old}: {}", json.ran);
            json.ran.says("was edited");
        }
        fs::write(&hook, text).unwrap();
    }
    world.json(["doctor"]).is("OK", 0);
}

#[test]
fn settings_by_which_evidence_is_lost_are_named_with_what_mends_them() {
    let world = hooked(World::proven());
    world.git(["remote", "add", "origin", "../nowhere"]);
    for (key, value) in [
        ("remote.origin.fetch", "+refs/notes/*:refs/notes/*"),
        ("remote.origin.mirror", "true"),
        ("notes.rewriteRef", "refs/notes/*"),
        ("hook.mine.command", "true"),
    ] {
        world.git(["config", "--add", key, value]);
    }

    let json = world.json(["doctor"]).is("OK", 0);

    let codes = json.codes();
    for code in [
        "refspec-overwrites",
        "refspec-missing",
        "notes-rewritten",
        "hook-configured",
    ] {
        assert!(codes.contains(&code), "{code}: {}", json.ran);
    }
    for finding in json.list("/findings") {
        let hint = finding["hint"].as_str().unwrap_or_default();
        if hint.starts_with("git config --unset") {
            world.tool("sh", ["-ec", hint]);
        }
    }
    world.run(["init"]).exits(0);
    let mended = world.json(["doctor"]).is("OK", 0);
    let is_left =
        |code: &&&str| ["refspec-overwrites", "refspec-missing", "notes-rewritten"].contains(*code);
    assert_eq!(
        mended.codes().iter().filter(is_left).count(),
        0,
        "{}",
        mended.ran
    );
}

#[test]
fn a_gate_that_is_switched_off_or_narrowed_is_told() {
    let world = hooked(World::proven());
    for (key, value, code, exit) in [
        ("planAudit.prePush", "off", "gate-off", 1),
        ("planAudit.preCommit", "off", "gate-narrow", 0),
        (
            "planAudit.protect",
            "refs/heads/release/**",
            "gate-narrow",
            0,
        ),
        ("planAudit.prePush", "of", "settings-invalid", 0),
    ] {
        world.git(["config", "--global", key, value]);

        let json = world
            .json(["doctor"])
            .is(if exit == 0 { "OK" } else { "FAIL" }, exit);

        assert!(json.codes().contains(&code), "{key}: {}", json.ran);
        let is_off = code == "gate-off";
        assert_eq!(gates(&json) == ["is switched off"], is_off, "{}", json.ran);
        world.git(["config", "--global", "--unset", key]);
    }
    // What the repository itself says cannot loosen it, and evidence alone is no less of a gate.
    world.git(["config", "planAudit.prePush", "off"]);
    world.git(["config", "--global", "planAudit.prePush", "evidence"]);
    let json = world.json(["doctor"]).is("OK", 0);
    assert_eq!(gates(&json), ["fires for every reference"]);
}
