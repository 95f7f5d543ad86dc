//! Nothing that is not sealed is ever executed.

use serde_json::{Value, json};

use crate::support::{World, plans};

/// A world with a sealed plan, and what a check would leave if it ran.
struct Trap {
    world: World,
    marker: std::path::PathBuf,
}

impl Trap {
    fn new() -> Self {
        let world = World::sealed();
        let marker = world.temp_path().join("marker");
        Self { world, marker }
    }

    /// A check that springs the trap.
    fn check(&self) -> Value {
        json!({ "type": "run", "argv": ["touch", self.marker.to_str().unwrap()] })
    }

    /// Audits and runs, and demands that an audit is refused and that no check ran.
    #[track_caller]
    fn is_not_sprung(&self) {
        self.world.json(["audit"]).is("REFUSED", 2);
        // A sealed plan beside a draft may be run by itself.
        assert_ne!(self.world.run(["run"]).code, 0);
        let forced = ["run", "1", "--force", "--reason", "x"];
        assert_ne!(self.world.run(forced).code, 0);
        assert!(!self.marker.exists());
    }
}

#[test]
fn a_check_added_after_the_seal_does_not_run() {
    for staged in [false, true] {
        let trap = Trap::new();
        let mut plan = plans::good();
        plan["steps"][0]["verify"]
            .as_array_mut()
            .unwrap()
            .push(trap.check());
        trap.world
            .write(".plan-auditor/plan.json", plan.to_string());
        if staged {
            trap.world.git(["add", "-A"]);
        }

        trap.is_not_sprung();
    }
}

#[test]
fn a_draft_beside_a_sealed_plan_stops_both() {
    let trap = Trap::new();
    let draft = plans::of_checks(&json!([trap.check()]));
    trap.world
        .write(".plan-auditor/plans/other.json", draft.to_string());

    trap.is_not_sprung();
}

#[test]
fn a_plan_that_was_never_sealed_does_not_run() {
    let world = World::new();
    let marker = world.temp_path().join("marker");
    let trap = Trap { world, marker };
    trap.world.init();
    trap.world
        .with_plan(&plans::of_checks(&json!([trap.check()])));

    trap.is_not_sprung();
}

#[test]
fn a_seal_by_an_unknown_key_opens_nothing() {
    let other = World::new();
    let marker = other.temp_path().join("marker");
    let trap = Trap {
        world: World::new(),
        marker,
    };
    let plan = plans::of_checks(&json!([trap.check()]));
    let other = other.prepared(&plan);
    trap.world.init();
    trap.world.with_plan(&plan);
    let path = other.top.to_str().unwrap();
    trap.world
        .git(["fetch", "-q", path, "refs/notes/plan-audit:refs/copied"]);
    let own = trap.world.rev("refs/notes/plan-audit");
    trap.world
        .git(["update-ref", "refs/notes/plan-audit", "refs/copied", &own]);

    let ran = trap.world.run(["audit"]);

    assert!([1, 2, 3].contains(&ran.code), "{ran}");
    assert!(!trap.marker.exists());
}

#[test]
fn what_only_validates_or_reads_runs_nothing() {
    let trap = Trap::new();
    let plan = plans::of_checks(&json!([trap.check()]));
    trap.world
        .write(".plan-auditor/plan.json", plan.to_string());

    for command in ["validate", "seal", "verify", "status", "log", "fingerprint"] {
        trap.world.run([command]);
        assert!(!trap.marker.exists(), "{command}");
    }
}

/// Hooks that a command of git could run on our behalf.
const HOOKS: [&str; 6] = [
    "reference-transaction",
    "post-index-change",
    "pre-auto-gc",
    "post-checkout",
    "pre-commit",
    "post-commit",
];

#[test]
fn no_command_runs_what_the_configuration_of_the_repository_names() {
    let world = World::sealed();
    let marker = world.temp_path().join("marker");
    let script = world.temp_path().join("spy");
    std::fs::write(&script, format!("#!/bin/sh\ntouch {}\n", marker.display())).unwrap();
    world.tool("chmod", ["+x", script.to_str().unwrap()]);
    let spy = script.to_str().unwrap();
    let keys = [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "diff.external",
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "credential.helper",
        "gpg.program",
        "gpg.ssh.program",
        "gpg.ssh.defaultKeyCommand",
        "core.gitProxy",
        "pager.log",
        "alias.plan-audit",
        "core.alternateRefsCommand",
        "uploadpack.packObjectsHook",
    ];
    for key in keys {
        world.git(["config", key, spy]);
    }
    world.write(".git/info/attributes", "* filter=x\n");
    let hooks = world.temp_path().join("hooks");
    std::fs::create_dir_all(&hooks).unwrap();
    for hook in HOOKS {
        std::fs::copy(&script, hooks.join(hook)).unwrap();
    }
    world.git(["config", "core.hooksPath", hooks.to_str().unwrap()]);

    let commands = [
        vec!["init", "--no-hooks"],
        vec!["validate"],
        vec!["seal"],
        vec!["audit"],
        vec!["verify"],
        vec!["status"],
        vec!["log"],
        vec!["fingerprint"],
    ];
    for line in commands {
        let ran = world.run(&line);
        assert!(!marker.exists(), "{ran}");
    }
}
