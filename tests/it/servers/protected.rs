//! Protected references: what is pushed there needs a PASS.

use super::{LEDGER, Server};
use crate::support::{Key, World, plans};

#[test]
fn a_protected_branch_takes_what_is_proven_in_the_same_push() {
    for hook in ["pre-receive", "update"] {
        let server = Server::with(hook).with_proven_work();

        let refused = server.push(["main"]).exits(1);
        refused
            .says("remote: plan-audit: FAIL refs/heads/main")
            .says("remote: next: git plan-audit sync, if it was sealed");
        if hook == "update" {
            // It judges one reference at a time, by what is stored.
            server.push([LEDGER]).exits(0);
            server.push(["main"]).exits(0);
        } else {
            server.push(["main", LEDGER]).exits(0);
        }

        assert_eq!(server.at("main"), Some(server.clone.rev("main")), "{hook}");
        assert_eq!(server.at(LEDGER), Some(server.clone.rev(LEDGER)), "{hook}");
    }
}

#[test]
fn what_is_bad_is_refused_with_the_next_command() {
    let server = Server::new().with_bad_work();
    let before = server.at("main");

    let refused = server.push(["main", LEDGER]).exits(1);

    refused
        .says("remote: plan-audit: FAIL refs/heads/main")
        .says("remote: plan-audit: FAIL the push is refused")
        .says("remote: next: git plan-audit sync, if it was audited; else first git plan-audit audit --commit");
    assert_eq!((server.at("main"), server.at(LEDGER)), (before, None));
    let server = server.finished();
    server.push(["main", LEDGER]).exits(0).says("");
    assert_eq!(server.at("main"), Some(server.clone.rev("main")));
}

#[test]
fn other_branches_are_free_until_somebody_protects_them() {
    let server = Server::new().with_bad_work();

    server.push(["main:refs/heads/topic"]).exits(0);
    server
        .bare
        .git(["config", "planAudit.protect", "refs/heads/release/*"]);
    server
        .push(["main:refs/heads/release/1"])
        .exits(1)
        .says("refs/heads/release/1");
    server.push(["main:refs/heads/other"]).exits(0);
}

#[test]
fn a_protected_branch_is_not_deleted() {
    let server = Server::new();
    server
        .bare
        .git(["config", "receive.denyDeleteCurrent", "ignore"]);

    server
        .push([":main"])
        .exits(1)
        .says("protected-deleted")
        .says("refused refs/heads/main");
    server.push(["main:refs/heads/topic"]).exits(0);
    server.push([":topic"]).exits(0);
}

#[test]
fn a_plan_that_the_old_tip_held_binds_the_new_one() {
    let server = Server::new().with_proven_work();
    server.push(["main", LEDGER]).exits(0);
    server.clone.git(["rm", "-q", ".plan-auditor/plan.json"]);
    server.clone.git(["commit", "-qm", "Without a plan"]);

    server.push(["main"]).exits(1).says("plan-removed");
    // Made anew from before the plan, it is still judged by what is there.
    server.clone.git(["reset", "-q", "--hard", "HEAD~2"]);
    server.clone.commit("x", "x");
    server.push(["-f", "main"]).exits(1).says("plan-removed");
}

#[test]
fn trust_that_comes_with_the_push_counts_for_nothing() {
    let server = Server::new();
    let stranger = server.clone.cloned("stranger");
    let key = Key::make(&stranger, "eve");
    key.listed(&stranger);
    stranger.with_plan(&plans::good());
    stranger.write("work.txt", "good\n");
    stranger.git(["add", "-A"]);
    stranger.seal();
    stranger.run(["audit"]);
    stranger.git(["commit", "-qm", "Mine"]);
    let server = Server {
        clone: stranger,
        bare: server.bare,
    };

    server
        .push(["main", LEDGER])
        .exits(1)
        .says("trust-changed")
        .says("FAIL refs/heads/main");
}

#[test]
fn each_commit_is_judged_where_that_is_asked_for() {
    let server = Server::new().with_bad_work().finished();
    server.bare.git(["config", "planAudit.each", "true"]);

    server.push(["main", LEDGER]).exits(1).says(&format!(
        "commit {}",
        server.clone.rev("main~1").get(..7).unwrap()
    ));
    let commit = server.clone.rev("main~1");
    server.clone.run(["audit", "--commit", &commit]).exits(1);
    server.push(["main", LEDGER]).exits(1);
    server.bare.git(["config", "planAudit.each", "false"]);
    server.push(["main", LEDGER]).exits(0);
}

#[test]
fn nothing_of_the_repository_is_run_and_nothing_is_left() {
    let server = Server::new().with_proven_work();
    let trap = server.clone.temp_path().join("trap");
    let set = |key: &str, value: &str| server.bare.git(["config", key, value]);
    let touch = format!("touch {}; cat", trap.display());
    set("filter.x.smudge", &touch);
    set("core.fsmonitor", &touch);
    set("gpg.ssh.program", &touch);
    set("uploadpack.packObjectsHook", &touch);
    server.clone.commit(".gitattributes", "* filter=x\n");
    let before = listed(&server);

    server.push(["main", LEDGER]).exits(1);

    assert!(!trap.exists());
    assert_eq!(listed(&server), before);
}

/// Lists the files of the server.
fn listed(server: &Server) -> String {
    let found = server.bare.tool("find", [".", "-type", "f"]).stdout;
    let mut lines: Vec<&str> = found.lines().collect();
    lines.sort_unstable();
    lines.join("\n")
}

#[test]
fn a_second_branch_of_a_usual_name_stops_the_server_until_the_base_is_named() {
    let server = Server::new().with_proven_work();
    server
        .clone
        .git(["checkout", "-q", "-b", "other", "main~2"]);
    server.clone.commit("other.txt", "x");
    server.clone.git(["checkout", "-q", "main"]);
    server.push(["other:refs/heads/master"]).exits(0);
    server.clone.git(["branch", "-q", "-D", "other"]);
    server.clone.git(["fetch", "-q"]);

    server
        .push(["main", LEDGER])
        .exits(1)
        .says("planAudit.base");
    server.asks("pre-receive", "-c planAudit.base=refs/heads/main");
    server.push(["main", LEDGER]).exits(0);
}

#[test]
fn a_server_of_sha256_ids_is_served() {
    let world = World::with(crate::support::Layout::Sha256, crate::support::Proof::Ssh);
    let key = Key::make(&world, "ada");
    key.listed(&world);
    let path = world.temp_path().join("origin.git");
    let line = ["init", "-q", "--bare", "-bmain", "--object-format=sha256"];
    world.git(line.into_iter().chain([path.to_str().unwrap()]));
    world.git(["remote", "add", "origin", path.to_str().unwrap()]);
    world.git(["push", "-q", "-u", "origin", "main"]);
    world.run(["init", "--no-hooks"]).exits(0);
    let server = Server {
        bare: world.at(&path),
        clone: world,
    };
    server.asks("pre-receive", "");
    let server = server.with_proven_work();

    server.push(["main"]).exits(1);
    server.push(["main", LEDGER]).exits(0);
    server
        .push([&format!(":{LEDGER}")])
        .exits(1)
        .says("ledger-deleted");
}

#[test]
fn packs_and_deltas_of_a_large_push_are_read() {
    let server = Server::new().with_proven_work();
    for number in 0..150 {
        let line = format!("{number}\n");
        server
            .clone
            .write(&format!("many/{number}.txt"), line.repeat(200));
    }
    server.clone.git(["add", "-A"]);
    server.clone.json(["audit"]).is("PASS", 0);
    server.clone.git(["commit", "-qm", "Many files"]);

    server.push(["main"]).exits(1);
    server.push(["main", LEDGER]).exits(0);

    assert!(
        server
            .bare
            .git(["count-objects", "-v"])
            .stdout
            .contains("packs: 1")
    );
}

#[test]
fn a_hook_that_is_told_nonsense_refuses() {
    let server = Server::new();
    let call = |line: &[&str], said: &str| {
        let file = server.clone.temp_path().join("input");
        std::fs::write(&file, said).unwrap();
        let mut command = server.bare.ours(line);
        crate::support::finish(command.stdin(std::fs::File::open(file).unwrap()))
    };
    let main = server.clone.rev("main");

    call(&["hook", "pre-receive"], "")
        .exits(1)
        .says("push-unreadable");
    call(&["hook", "pre-receive"], "x y z\n")
        .exits(1)
        .says("push-unreadable");
    call(&["hook", "update", "refs/heads/main", &main], "")
        .exits(1)
        .says("push-unreadable");
    let missing = "1".repeat(40);
    call(&["hook", "update", "refs/heads/main", &main, &missing], "")
        .exits(1)
        .says("pushed-missing");
    let json = server
        .bare
        .json(["hook", "update", "refs/heads/main", &main, &main])
        .is("NO_PLAN", 0);
    assert_eq!(json.value["hook"], "update");
}

#[test]
fn a_name_that_leads_to_a_protected_branch_is_protected() {
    let server = Server::new().with_bad_work();
    let before = server.at("main");
    let alias = ["symbolic-ref", "refs/heads/master", "refs/heads/main"];
    server.bare.git(alias);

    server
        .push(["main:refs/heads/master"])
        .exits(1)
        .says("FAIL refs/heads/master");
    server
        .push([":refs/heads/master"])
        .exits(1)
        .says("protected-deleted");
    // HEAD leads to the default branch over another name.
    server
        .bare
        .git(["symbolic-ref", "refs/heads/trunk", "refs/heads/main"]);
    server
        .bare
        .git(["symbolic-ref", "HEAD", "refs/heads/trunk"]);
    server.push(["main"]).exits(1).says("FAIL refs/heads/main");

    assert_eq!(server.at("main"), before);
}

#[test]
fn a_server_that_cannot_tell_what_it_protects_protects_every_branch() {
    let server = Server::new().with_bad_work();
    server
        .bare
        .git(["update-ref", "--no-deref", "HEAD", "refs/heads/main"]);

    server
        .push(["main:refs/heads/topic"])
        .exits(1)
        .says("FAIL refs/heads/topic");
    server.bare.git(["symbolic-ref", "HEAD", "refs/heads/main"]);
    server.bare.git(["config", "planAudit.protect", "main"]);
    server
        .push(["main:refs/heads/topic"])
        .exits(1)
        .says("refs/heads/main");
}

#[test]
fn a_protected_branch_waits_for_as_many_people_as_are_asked_for() {
    let server = Server::new();
    let clone = &server.clone;
    let boss = Key::make(clone, "boss");
    let path = ".plan-auditor/allowed_signers";
    let list = std::fs::read_to_string(clone.top.join(path)).unwrap();
    let line = format!(
        "boss@example.com namespaces=\"git-plan-audit-approve\" {}\n",
        boss.public()
    );
    clone.commit(path, list + &line);
    // Who may push past the hook once lists who approves from then on.
    clone.git([
        "push",
        "-q",
        server.bare.top.to_str().unwrap(),
        "main:refs/heads/boss",
    ]);
    let tip = clone.rev("HEAD");
    server.bare.git(["update-ref", "refs/heads/main", &tip]);
    clone.git(["fetch", "-q", "origin"]);
    clone.run(["init", "--no-hooks"]).exits(0);
    let server = server.with_proven_work();
    server.bare.git(["config", "planAudit.requireReviews", "1"]);

    let refused = server.push(["main", LEDGER]).exits(1);
    refused.says("reviews-missing").says("review --approve");
    let clone = &server.clone;
    clone
        .run(["init", "--no-hooks", "--key", boss.path()])
        .exits(0);
    clone
        .json(["review", "--approve", "-m", "I ran it", "HEAD"])
        .is("OK", 0);

    server.push(["main", LEDGER]).exits(0);
    assert_eq!(server.at("main"), Some(clone.rev("main")));
}
