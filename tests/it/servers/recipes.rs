//! The hooks of contrib/servers, called as the servers call them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use super::{LEDGER, Server};

/// Puts a file of contrib/servers somewhere below the server.
fn put(server: &Server, file: &str, place: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("contrib/servers");
    let path = server.bare.top.join(place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::copy(source.join(file), path).unwrap();
}

/// Writes a hook that stands for the one of a server.
fn stands_in(server: &Server, hook: &str, text: &str) {
    let path = server.bare.top.join("hooks").join(hook);
    fs::write(&path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A server without a hook of ours.
fn plain() -> Server {
    let server = Server::new();
    fs::remove_file(server.bare.top.join("hooks/pre-receive")).unwrap();
    server
}

#[test]
fn the_plain_hook_and_that_of_gitlab_judge() {
    for (file, prefix) in [
        ("pre-receive", "remote: plan-audit: "),
        ("gitlab-pre-receive", "remote: GL-HOOK-ERR: plan-audit: "),
    ] {
        let server = plain().with_bad_work();
        put(&server, file, "hooks/pre-receive");

        let refused = server.push(["main", LEDGER]).exits(1);

        refused.says(&format!("{prefix}FAIL the push is refused"));
        let server = server.finished();
        let taken = server.push(["main", LEDGER]).exits(0);
        assert!(!taken.stderr.contains("GL-HOOK-ERR"), "{taken}");
        assert_eq!(server.at("main"), Some(server.clone.rev("main")), "{file}");
    }
}

#[test]
fn a_directory_of_hooks_that_are_each_fed_judges() {
    let server = plain().with_bad_work();
    put(&server, "pre-receive", "hooks/pre-receive.d/plan-audit");
    // As Gitea and Forgejo do: each hook gets what git said, and one that fails ends the push.
    let text = "#!/bin/sh\ndata=$(cat)\nstatus=0\nfor hook in hooks/pre-receive.d/*; do\n  \
                printf '%s\\n' \"$data\" | \"$hook\" || status=1\ndone\nexit $status\n";
    stands_in(&server, "pre-receive", text);

    server
        .push(["main", LEDGER])
        .exits(1)
        .says("FAIL refs/heads/main");
    let server = server.finished();
    server.push(["main", LEDGER]).exits(0);
}

#[test]
fn a_virtual_reference_of_gitolite_judges() {
    let server = plain().with_bad_work();
    put(&server, "gitolite-vref", "VREF/plan-audit");
    let text = "#!/bin/sh\nVREF/plan-audit \"$@\" \"$2\" \"$3\" W VREF/plan-audit || exit 1\n";
    stands_in(&server, "update", text);

    server.push([LEDGER]).exits(0);
    server.push(["main"]).exits(1).says("FAIL refs/heads/main");
    let server = server.finished();
    server.push([LEDGER]).exits(0);
    server.push(["main"]).exits(0);
}
