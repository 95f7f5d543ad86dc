//! Checks that run as another user (`planAudit.checkUser`): real users, so only where root tests.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;

use serde_json::json;

use crate::support::{BINARY, World, finish, is_root, need, plans};

/// The user of the checks, as the setting names it.
const USER: &str = "54321:54322";

fn mode(at: &Path, mode: u32) {
    fs::set_permissions(at, fs::Permissions::from_mode(mode)).unwrap();
}

/// A world that everybody may enter, with a sealed plan of these checks; checks run as another user.
fn world(checks: &serde_json::Value) -> World {
    let world = World::new().prepared(&plans::of_checks(checks));
    world.git(["commit", "-qm", "Work"]);
    mode(&world.temp_path(), 0o755);
    world.git(["config", "--global", "planAudit.checkUser", USER]);
    world
}

/// A check of one shell script, which is given the folder of its world as its first word.
fn sh(script: &str) -> serde_json::Value {
    json!([{ "type": "run", "argv": ["sh", "-c", script] }])
}

/// Makes our command with other groups than those of root.
fn with_groups(world: &World, line: &[&str]) -> Command {
    let groups = ["--groups", "0,4242", BINARY];
    world.command("setpriv", &world.top, groups.iter().chain(line))
}

#[test]
fn a_check_of_another_user_reaches_neither_the_repository_nor_the_key_nor_us() {
    if !is_root() || !need("setpriv") {
        return;
    }
    let script = r#"exec 2>&1
        is() { [ "$1" = "$2" ] || { echo "$1 is not $2"; exit 9; }; }
        not() { ! "$@" || { echo "could: $*"; exit 8; }; }
        is "$(id -u) $(id -g) $(id -G)" "54321 54322 54322"
        is "$HOME" /nonexistent; is "$TMPDIR$USER$https_proxy$CARGO_HOME" ""
        is "$(grep -c '^NoNewPrivs:.*1' /proc/self/status)" 1
        is "$(cat work.txt)" bad
        not touch new .git/new .git/refs/notes/plan-audit
        not mv .git elsewhere; not rm .git/HEAD; not kill -0 $PPID
        for key in ../home/.config/git-plan-audit/keys/*; do not cat "$key"; done
        not ls ../home/.config/git-plan-audit/keys
        not cat "/proc/$PPID/environ""#;
    let world = world(&sh(script));
    // The home of the tests is nobody's but root's; what is in it says no to others by itself.
    mode(&world.home(), 0o755);
    let mut command = with_groups(&world, &["audit"]);
    command
        .env("https_proxy", "http://us:secret@proxy")
        .env("CARGO_HOME", "/root/.cargo");

    finish(&mut command).exits(0);

    world.run(["run", "1"]).exits(0);
    world.run(["verify", "HEAD"]).exits(0);
}

#[test]
fn where_another_user_would_be_kept_from_nothing_no_check_runs() {
    if !is_root() || !need("setpriv") {
        return;
    }
    let world = world(&sh("touch ../ran"));
    let refs = world.top.join(".git/refs");
    let key = fs::read_dir(world.home().join(".config/git-plan-audit/keys")).unwrap();
    let keys: Vec<_> = key.map(|entry| entry.unwrap().path()).collect();
    let key = keys.iter().find(|key| key.extension().is_none()).unwrap();
    for (at, open, closed) in [
        (&refs, 0o775, 0o755),
        (&world.top, 0o777, 0o755),
        (&world.temp_path(), 0o700, 0o755),
    ] {
        mode(at, open);
        let refused = world.json(["audit"]).is("REFUSED", 2);
        assert_eq!(refused.codes(), ["separation"], "{}", refused.ran);
        mode(at, closed);
    }
    // ssh-keygen itself refuses an open key, so that the check of ours comes first.
    mode(key, 0o644);
    world.json(["audit"]).is("REFUSED", 2);
    mode(key, 0o600);

    let checkout = world.json(["audit", "--checkout"]).is("REFUSED", 2);
    assert_eq!(checkout.codes(), ["separation"]);
    let mut half = world.ours(["audit"]);
    half.env("PLAN_AUDITOR_CHECK_UID", "54321");
    finish(&mut half)
        .exits(2)
        .says("PLAN_AUDITOR_CHECK_ISOLATION");
    let other = [("ISOLATION", "required"), ("UID", "7"), ("GID", "7")];
    let mut two = world.ours(["audit"]);
    two.envs(other.map(|(name, value)| (format!("PLAN_AUDITOR_CHECK_{name}"), value)));
    finish(&mut two).exits(2).says("name two users");
    for user in ["0:0", "root", "54321"] {
        world.git(["config", "--global", "planAudit.checkUser", user]);
        world.run(["audit"]).exits(2).says("no UID:GID");
    }
    // What runs no check asks for nothing.
    world.run(["status"]).exits(0);
    world.run(["seal"]).exits(0);
    assert!(!world.temp_path().join("ran").exists());
}

#[test]
fn the_repository_itself_cannot_name_the_user() {
    if !is_root() {
        return;
    }
    let world = World::new();
    let world = world.prepared(&plans::of_checks(&sh("[ \"$(id -u)\" = 0 ]")));
    world.git(["config", "planAudit.checkUser", USER]);

    let audit = world.json(["audit"]).is("PASS", 0);

    assert!(audit.codes().contains(&"setting-ignored"), "{}", audit.ran);
}

#[test]
fn hooks_ask_for_no_checkout_that_they_do_not_need() {
    if !is_root() || !need("setpriv") {
        return;
    }
    let unplanned = World::new();
    unplanned.git(["config", "--global", "planAudit.checkUser", USER]);
    unplanned.run(["init"]).exits(0);
    unplanned.git(["commit", "-q", "--allow-empty", "-m", "No plan"]);

    let world = world(&sh("[ \"$(id -u)\" = 54321 ]"));
    let remote = world.temp_path().join("remote.git");
    world.git(["init", "-q", "--bare", remote.to_str().unwrap()]);
    world.git(["remote", "add", "origin", remote.to_str().unwrap()]);
    world.run(["init"]).exits(0);
    world.run(["audit"]).exits(0);
    let push = |name: &str| {
        let to = format!("HEAD:refs/heads/{name}");
        finish(&mut world.command("git", &world.top, ["push", "-q", "origin", &to]))
    };
    push("proven").exits(0);
    // The missing audit runs in the work tree, where it holds just this commit.
    world.git(["commit", "-q", "--allow-empty", "-m", "Same tree"]);
    world.commit("more.txt", "x");
    push("audited").exits(0);

    world.commit("again.txt", "x");
    world.write("untracked.txt", "x");
    let refused = push("apart").exits(1);

    assert!(refused.stderr.contains("error[separation]"), "{refused}");
}

#[test]
fn nothing_that_the_caller_left_open_reaches_a_check() {
    let script = "for fd in 3 4 7 9; do ! (: <&$fd) 2>/dev/null || exit 9; done";
    let world = World::new().prepared(&plans::of_checks(&sh(script)));
    let secret = world.temp_path().join("secret");
    fs::write(&secret, "x").unwrap();
    let line = "exec 3<\"$1\" 4>>\"$1\" 7<\"$1\" 9<\"$1\"; exec \"$2\" \"$3\"";
    for command in ["audit", "run"] {
        let words = ["-c", line, "sh", secret.to_str().unwrap(), BINARY, command];
        finish(&mut world.command("sh", &world.top, words)).exits(0);
    }
    assert_eq!(fs::read_to_string(&secret).unwrap(), "x");
}
