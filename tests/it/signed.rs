//! Commits of the ledger that are signed by git's own means, where the user asks for that.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Key, Layout, Proof, World, finish, need, plans};

/// The ref of the ledger.
const LEDGER: &str = "refs/notes/plan-audit";

/// Sets a value in the user's own configuration.
fn set(world: &World, key: &str, value: &str) {
    world.git(["config", "--global", key, value]);
}

/// Lets git sign with an SSH key of the user, and believe its signatures.
fn with_ssh(world: &World) -> Key {
    let key = Key::make(world, "person");
    let list = world.home().join("allowed");
    fs::write(&list, format!("ada@example.com {}\n", key.public())).unwrap();
    set(world, "gpg.format", "ssh");
    set(world, "gpg.ssh.allowedSignersFile", list.to_str().unwrap());
    set(world, "user.signingKey", key.path());
    key
}

/// Returns what git makes of the signature of each commit of the ledger, the newest first: G for good,
/// N for none.
fn signatures(world: &World) -> String {
    let said = world.git(["log", "--format=%G?", LEDGER]).stdout;
    said.lines().collect()
}

/// Ends what gpg leaves running in the home of a world; where there is no gpg, nothing does.
struct Agent(World);

impl Drop for Agent {
    fn drop(&mut self) {
        let mut end = self.0.command("gpgconf", &self.0.top, ["--kill", "all"]);
        drop(end.status());
    }
}

#[test]
fn what_the_user_signs_with_ssh_is_good_to_git() {
    for layout in [Layout::Main, Layout::Sha256, Layout::Linked, Layout::Unborn] {
        let world = World::with(layout, Proof::Hmac);
        with_ssh(&world);
        set(&world, "commit.gpgSign", "true");

        let world = world.prepared(&plans::of_argv(&["true"]));
        world.json(["audit"]).is("PASS", 0);

        assert_eq!(signatures(&world), "GGG", "{layout:?}");
        let shown = world.git(["log", "--show-signature", "-1", LEDGER]);
        let said = format!("{}{}", shown.stdout, shown.stderr);
        assert!(
            said.contains("Good \"git\" signature for ada@example.com"),
            "{said}"
        );
        world.git(["fsck", "--strict", "--no-dangling", "--no-progress"]);
        world.json(["fsck"]).is("OK", 0);
    }
}

#[test]
fn what_the_user_signs_with_gpg_is_good_to_git() {
    if !need("gpg") {
        return;
    }
    let world = World::new();
    let _agent = Agent(world.clone());
    fs::create_dir_all(world.home().join(".gnupg")).unwrap();
    let private = fs::Permissions::from_mode(0o700);
    fs::set_permissions(world.home().join(".gnupg"), private).unwrap();
    let person = "Ada <ada@example.com>";
    let new = ["--batch", "--passphrase", "", "--quick-gen-key", person];
    world.tool("gpg", new.into_iter().chain(["ed25519", "sign", "never"]));
    set(&world, "planAudit.signNotes", "true");

    let world = world.prepared(&plans::of_argv(&["true"]));
    world.json(["audit"]).is("PASS", 0);

    // Its owner trusts it: to git that is a good signature.
    assert_eq!(signatures(&world), "GGG");
    let shown = world.git(["log", "--show-signature", "-1", LEDGER]);
    assert!(
        format!("{}{}", shown.stdout, shown.stderr).contains("Good signature"),
        "{shown}"
    );
}

#[test]
fn plan_audit_sign_notes_stands_before_what_commits_do() {
    let world = World::new();
    with_ssh(&world);
    set(&world, "commit.gpgSign", "true");
    world.git(["config", "planAudit.signNotes", "false"]);

    let world = world.prepared(&plans::of_argv(&["true"]));
    assert_eq!(signatures(&world), "NN");
    world.git(["config", "planAudit.signNotes", "yes"]);
    set(&world, "commit.gpgSign", "false");
    let json = world.json(["audit"]).is("PASS", 0);

    assert_eq!(signatures(&world), "GNN");
    assert!(!json.codes().contains(&"notes-unsigned"), "{}", json.ran);
}

#[test]
fn without_a_signer_evidence_is_recorded_all_the_same_and_the_user_is_told() {
    let world = World::new();
    set(&world, "commit.gpgSign", "true");
    set(&world, "gpg.format", "ssh");
    // Without a person, without a key, and with one that is gone.
    for (key, file) in [
        ("user.name", ""),
        ("user.name", "Ada"),
        ("user.signingKey", "/nowhere"),
    ] {
        set(&world, key, file);
        let init = world.json(["init", "--no-hooks", "--new-instance", "--reason", "again"]);
        let world = world.clone().prepared(&plans::of_argv(&["true"]));

        let json = world.json(["audit"]).is("PASS", 0);

        assert!(json.codes().contains(&"notes-unsigned"), "{}", json.ran);
        assert_eq!(init.ran.code, 0, "{}", init.ran);
        assert!(!signatures(&world).contains('G'));
        assert!(world.record("audit").text.contains("\"kind\":\"audit\""));
    }
}

#[test]
fn a_program_that_the_repository_names_is_not_run() {
    let world = World::new();
    let _agent = Agent(world.clone());
    let mark = world.temp_path().join("ran");
    let evil = world.temp_path().join("evil");
    fs::write(&evil, format!("#!/bin/sh\n: >{}\nexit 1\n", mark.display())).unwrap();
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
    let evil = evil.to_str().unwrap();
    for key in [
        "gpg.program",
        "gpg.openpgp.program",
        "gpg.ssh.program",
        "gpg.x509.program",
    ] {
        world.git(["config", key, evil]);
    }
    world.git(["config", "gpg.ssh.defaultKeyCommand", evil]);
    world.git(["config", "commit.gpgSign", "true"]);
    let world = world.prepared(&plans::of_argv(&["true"]));
    for format in ["openpgp", "ssh", "x509"] {
        world.git(["config", "gpg.format", format]);

        world.json(["audit"]).is("PASS", 0);

        assert!(!mark.exists(), "{format}");
    }
    // The user's own choice does run.
    set(&world, "gpg.program", evil);
    world.git(["config", "gpg.format", "openpgp"]);
    let json = world.json(["audit"]).is("PASS", 0);
    assert!(
        mark.exists() && json.codes().contains(&"notes-unsigned"),
        "{}",
        json.ran
    );
}

#[test]
fn an_odd_name_is_signed_as_git_spells_it() {
    let world = World::new();
    with_ssh(&world);
    set(&world, "commit.gpgSign", "true");
    set(&world, "user.name", " Ada \"B.\" C., ");
    set(&world, "user.email", "");

    let world = world.prepared(&plans::of_argv(&["true"]));

    let notes = world
        .git(["log", "-1", "--format=%G? %an <%ae>", LEDGER])
        .stdout;
    assert!(notes.starts_with("G Ada"), "{notes}");
}

#[test]
fn a_joined_ledger_is_signed_too() {
    let world = World::proven();
    world.with_remote();
    world.json(["sync"]).is("OK", 0);
    let other = world.cloned("other");
    other.git([
        "fetch",
        "-q",
        "origin",
        "+refs/notes/plan-audit:refs/notes/plan-audit",
    ]);
    other.init();
    other.json(["sync"]).is("OK", 0);
    with_ssh(&world);
    set(&world, "commit.gpgSign", "true");
    world.json(["audit"]).is("PASS", 0);

    let json = world.json(["sync"]).is("OK", 0);

    assert_eq!(json.at("/joined"), true, "{}", json.ran);
    assert!(
        signatures(&world).starts_with("GG"),
        "{}",
        signatures(&world)
    );
}

#[test]
fn a_signer_that_never_ends_is_no_reason_to_lose_what_checks_gave() {
    let world = World::sealed();
    with_ssh(&world);
    set(&world, "commit.gpgSign", "true");
    let waits = world.temp_path().join("waits");
    fs::write(&waits, "#!/bin/sh\nexec sleep 600\n").unwrap();
    fs::set_permissions(&waits, fs::Permissions::from_mode(0o755)).unwrap();
    set(&world, "gpg.ssh.program", waits.to_str().unwrap());
    let before = world.lines().len();
    let mut audit = world.interruptible(&["audit"]);
    let child = audit
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let pid = nix::unistd::Pid::from_raw(i32::try_from(child.id()).unwrap());
    let mut child = child;
    // Whoever does not want to wait ends the signer, and the record is there without a signature.
    let started = std::time::Instant::now();
    while finish(&mut world.command("pgrep", &world.top, ["-P", &pid.to_string(), "git"])).code != 0
    {
        assert!(started.elapsed().as_secs() < 20, "the signer did not start");
    }
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();

    child.wait().unwrap();

    assert!(world.lines().len() > before);
    assert!(signatures(&world).starts_with('N'));
}
