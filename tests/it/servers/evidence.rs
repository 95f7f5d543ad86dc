//! The ledger of a server: it only gains records.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use super::{LEDGER, Server};
use crate::support::finish;

/// A server that has the proven work of its clone.
fn holding() -> Server {
    let server = Server::new().with_proven_work();
    server.push(["main", LEDGER]).exits(0);
    server
}

#[test]
fn the_ledger_is_never_deleted_or_rewound() {
    for hook in ["pre-receive", "update"] {
        let server = holding();
        server.asks(hook, "");
        let held = server.at(LEDGER);
        let earlier = format!("+{LEDGER}~1:{LEDGER}");
        let other = server
            .clone
            .git([
                "commit-tree",
                "-m",
                "x",
                &server.clone.rev(&format!("{LEDGER}^{{tree}}")),
            ])
            .trimmed();

        let deletion = format!(":{LEDGER}");
        server
            .push([deletion.as_str()])
            .exits(1)
            .says("ledger-deleted");
        server
            .push([earlier.as_str()])
            .exits(1)
            .says("ledger-rewound");
        let unrelated = format!("+{other}:{LEDGER}");
        server
            .push([unrelated.as_str()])
            .exits(1)
            .says("ledger-rewound");

        assert_eq!(server.at(LEDGER), held, "{hook}");
    }
}

#[test]
fn a_push_that_loses_records_is_refused_at_its_tip_and_on_the_way() {
    let server = holding();
    let main = server.clone.rev("HEAD~1");
    let held = server.at(LEDGER);

    server
        .clone
        .git(["notes", "--ref=plan-audit", "remove", &main]);
    server
        .push([LEDGER])
        .exits(1)
        .says("ledger-shrinks")
        .says("next: git plan-audit sync --repair");
    // Put back by stock git, it is whole again.
    let tree = server.clone.rev(&format!("{LEDGER}~1^{{tree}}"));
    let whole = server
        .clone
        .git([
            "commit-tree",
            "-m",
            "x",
            "-p",
            &server.clone.rev(LEDGER),
            &tree,
        ])
        .trimmed();
    server.clone.git(["update-ref", LEDGER, &whole]);
    server.push([LEDGER]).exits(0);
    assert_ne!(server.at(LEDGER), held);
}

#[test]
fn a_record_that_came_and_went_within_a_push_is_missed() {
    let server = Server::new().with_proven_work();
    let main = server.clone.rev("HEAD~1");
    server
        .clone
        .git(["notes", "--ref=plan-audit", "remove", &main]);
    server.push([LEDGER]).exits(1).says("ledger-shrinks");
    assert_eq!(server.at(LEDGER), None);
}

#[test]
fn blobs_that_lines_name_stay() {
    let server = holding();
    let listed = server
        .clone
        .git(["notes", "--ref=plan-audit", "list"])
        .stdout;
    let mut kept = listed.lines().filter_map(|line| line.split_once(' '));
    let (blob, _) = kept.find(|(blob, target)| blob == target).unwrap();

    server
        .clone
        .git(["notes", "--ref=plan-audit", "remove", blob]);

    server.push([LEDGER]).exits(1).says("ledger-shrinks");
}

#[test]
fn what_is_no_ledger_or_too_large_is_refused() {
    let server = holding();
    let head = server.clone.rev("HEAD");

    let long = server.clone.blob(&"x".repeat(70_000));
    server.clone.hang(&long, &head);
    // Noise, however long: a clone that carries it could not get rid of it.
    server.push([LEDGER]).exits(0);
    let (held, parent) = (server.at(LEDGER), server.clone.rev(LEDGER));
    let large = server.clone.blob(&"y\n".repeat(9 << 20));
    server.clone.hang(&large, &head);
    server.push([LEDGER]).exits(1).says("ledger-too-large");
    server.clone.git(["update-ref", LEDGER, &parent]);
    let tag = format!("+{}:{LEDGER}", server.clone.rev("HEAD^{tree}"));
    finish(
        &mut server
            .clone
            .command("git", &server.clone.top, ["push", "-q", "origin", &tag]),
    )
    .exits(1);

    assert_eq!(server.at(LEDGER), held);
}

#[test]
fn what_a_clone_remembers_has_no_place_on_a_server() {
    let server = holding();
    for name in [
        "refs/plan-audit/remotes/origin/notes",
        "refs/notes/plan-audit/x",
    ] {
        let pushed = format!("HEAD:{name}");
        let refused = server.push([pushed.as_str()]).exits(1);
        assert!(
            refused.stderr.contains("evidence-misplaced")
                || refused.stderr.contains("refs/notes/plan-audit"),
            "{refused}"
        );
    }
}

#[test]
fn two_clones_publish_through_sync() {
    let server = holding();
    server.clone.git(["config", "planAudit.remote", "origin"]);
    let other = server.clone.cloned("other");
    other.run(["init", "--no-hooks"]).exits(0);
    other.run(["sync", "origin"]).exits(0);
    other.run(["run", "--force", "--reason", "again", "1"]);
    server.clone.run(["audit"]).exits(0);

    server.clone.run(["sync", "origin"]).exits(0);
    other.run(["sync", "origin"]).exits(0);
    server.clone.run(["sync", "origin"]).exits(0);

    assert_eq!(server.at(LEDGER), Some(server.clone.rev(LEDGER)));
    assert_eq!(server.at(LEDGER), Some(other.rev(LEDGER)));
}

#[test]
fn a_ledger_that_moved_meanwhile_takes_nothing_along_that_was_judged_by_it() {
    let server = holding();
    server.clone.commit("more.txt", "more");
    server.clone.json(["audit"]).is("PASS", 0);
    let before = (server.at("main"), server.at(LEDGER).unwrap());
    // What git asks to replace is old when it arrives: this runs after the server told what it has.
    let tree = format!("{}^{{tree}}", before.1);
    let moved = server
        .clone
        .git(["commit-tree", "-p", &before.1, "-m", "x", &tree]);
    let moved = moved.stdout.trim();
    let tree = format!("{LEDGER}^{{tree}}");
    let joined = [
        "commit-tree",
        "-p",
        moved,
        "-p",
        LEDGER,
        "-m",
        "join",
        &tree,
    ];
    let joined = server.clone.git(joined).stdout;
    let hook = format!(
        "#!/bin/sh\n[ -n \"${{INNER:-}}\" ] || INNER=1 git push -q origin {moved}:{LEDGER}\n"
    );
    let path = server.clone.top.join(".git/hooks/pre-push");
    server.clone.write(".git/hooks/pre-push", hook);
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();

    let both = format!("{}:{LEDGER}", joined.trim());
    let refused = server.push(["main", &both]).exits(1);

    refused.says("ledger-overtaken");
    assert_eq!(
        (server.at("main"), server.at(LEDGER)),
        (before.0, Some(moved.to_owned()))
    );
}
